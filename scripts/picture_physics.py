"""Draw the pictures of `docs/simulator.md`: a stack, an opened chest, a robot seen from above.

    python scripts/picture_physics.py       writes docs/pictures/{stack,opened_box,observer}.png

Everything in them was put there by the actions' own code and has settled.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from PIL import Image

from esi_fast import assets
from esi_fast.assets.houses import house
from esi_fast.geometry import transforms
from esi_fast.records import CameraSpec, ObjectSpec
from esi_fast.sim.embedded import EmbeddedSimulator
from esi_fast.sim.placing import place_inside, place_on
from esi_fast.sim.robot import hidden_above, observer_camera, robot_spec, walk

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
STACK = [
    ("shoe_box", 0, 0.2),
    ("hardback", 3, 0.5),
    ("hardback", 17, -0.3),
    ("notebook", 2, 0.9),
    ("bowl", 4, 0.0),
    ("apple", 1, 0.0),
]
CONTENTS = [("hardback", 3, 0.2), ("tennis_ball", 0, 0.0), ("mug", 3, 1.0)]


def add(
    sim: EmbeddedSimulator, name: str, category: str, number: int, at: np.ndarray, yaw: float
) -> None:
    """Stand a model of a category on the floor."""
    models = assets.models(category)
    asset = assets.get(category, models[number % len(models)])
    sim.add(
        [
            ObjectSpec(
                id=name,
                category=category,
                model=asset.model,
                palette=number,
                position=(float(at[0]), float(at[1]), asset.size[2] / 2),
                orientation=(0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)),
                role="question",
            )
        ]
    )


def living_room() -> tuple[EmbeddedSimulator, np.ndarray]:
    """A house and the middle of its living room."""
    sim = EmbeddedSimulator()
    scene = house("modern", 2)
    sim.load(scene)
    room = next(room for room in scene.rooms if room.type == "living_room")
    return sim, np.add(room.lower, room.upper) / 2


def draw(
    sim: EmbeddedSimulator, name: str, eye: np.ndarray, target: np.ndarray, vfov: float
) -> None:
    x, y, z, w = transforms.look_at(eye, target).tolist()
    camera = CameraSpec(
        position=tuple(eye.tolist()), orientation=(x, y, z, w), width=640, height=480, vfov_deg=vfov
    )
    Image.fromarray(sim.render([camera])[0].rgb).save(PICTURES / f"{name}.png")


def stack() -> None:
    sim, middle = living_room()
    at = middle + np.array([0.5, -0.6])
    for k, (category, number, yaw) in enumerate(STACK):
        add(sim, f"t{k}", category, number, at + np.array([1.2 + 0.3 * k if k else 0.0, 0.0]), yaw)
        if k:
            placed = place_on(sim, f"t{k}", f"t{k - 1}")
            print(f"{category} on {STACK[k - 1][0]}: {placed}")
    eye = np.append(at + np.array([-0.62, -0.5]), 0.48)
    draw(sim, "stack", eye, np.append(at, 0.15), 42.0)


def opened_box() -> None:
    sim, middle = living_room()
    at = middle + np.array([0.6, 0.2])
    add(sim, "chest", "cedar_chest", 0, at, -2.2)
    print(f"chest: {sim.drive('chest', 'open', 1.0)}")
    for k, (category, number, yaw) in enumerate(CONTENTS):
        add(sim, f"t{k}", category, number, at + np.array([1.2 + 0.3 * k, 0.0]), yaw)
        print(f"{category}: {place_inside(sim, f't{k}', 'chest')}")
    eye = np.append(at + np.array([-0.75, -0.7]), 1.0)
    draw(sim, "opened_box", eye, np.append(at, 0.2), 45.0)


def observer() -> None:
    sim, middle = living_room()
    sim.add([robot_spec("robot", middle + np.array([0.2, 0.0]), 0.3)])
    done = walk(sim, "robot", [middle + np.array([1.0, -0.5]), middle + np.array([1.4, 0.4])])
    print(f"robot: {done.length:.2f} m, {done.reason or 'arrived'}")
    hidden = hidden_above(sim.geometry())
    camera = observer_camera(middle, vfov_deg=80.0)
    Image.fromarray(sim.render([camera], hide=hidden)[0].rgb).save(PICTURES / "observer.png")


if __name__ == "__main__":
    stack()
    opened_box()
    observer()
