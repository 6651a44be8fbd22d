"""Is the object in view 0 seen through a mirror, or is it the object itself? (appendix Q.16)

A frameless mirror fills the first view, or stands elsewhere; the first view shows an object on a
plain floor. Every draft is built together with its twin, the world of the other answer: the same
mirror and object at other poses whose first view has the same masks. Going there tells: whatever
is nearer than a mirror image can be is the object itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from esi_fast import assets
from esi_fast.errors import PlacementRejected
from esi_fast.generators import pick, views
from esi_fast.generators.base import Draft, Task, World
from esi_fast.generators.observer.localise import Shape, shape_of
from esi_fast.generators.observer.reflect import Sighting, direct_place, seen_as, sightings
from esi_fast.generators.place import FreeFloor, rooms_by_space, stand
from esi_fast.generators.specular_reflection.mirrors import (
    CAMERA_CLEARANCE,
    MIN_FRACTION,
    MIN_PIXELS,
    MIRROR_SIZE,
    mirror_fits,
    mirror_of,
    mirror_spec,
    normal,
    plain_views,
    reflected_yaw,
    sight_of,
    through_mirror,
    twin_of,
)
from esi_fast.records import CameraSpec, CheckResult, Evidence, FrameRecord, ObjectSpec, Question
from esi_fast.registry import register
from esi_fast.sim.base import Capability, Simulator, Snapshot
from esi_fast.types import FloatArray, JsonDict

__all__ = ["ReflectionAuthoring"]

TARGET = "target"
# Appendix Q.16: the object is at least this far from the mirror.
CLEARANCE = 1.0

EYE_HEIGHT = 1.2
# Looking down by 45 degrees, this field of view shows the floor from 0.5 to 2.8 m away.
FIELD_OF_VIEW = (40.0, 43.0)
_FLOOR_SEEN = (0.5, 2.8)

TEXTS = (
    "There is a {x} in this picture. From where you started, do you see it through a mirror?",
    "Look at the {x}. From where you started, is what you see its image in a mirror?",
    "You can see a {x}. From where you started, are you looking at it by way of a mirror?",
)


@register("task", "specular_reflection/reflection_authoring")
class ReflectionAuthoring(Task):
    """Real object or mirror image; answers ``yes`` (through the mirror) and ``no``."""

    requires = frozenset({Capability.RIGID, Capability.MIRROR})
    answers = ("yes", "no")
    vantages = ("near",)

    def build(self, world: World, want: str) -> Draft:
        """Draw the camera, the mirror before it, and the object behind the mirror's plane."""
        models = world.models((0.10, 0.34), (0.10, 0.30), symmetric=True)
        pair = world.pair_rng("objects")
        category, model = models[int(pair.integers(len(models)))]
        palette = int(pair.integers(4))
        room = rooms_by_space(world.home, radius=1.0)[0]
        floor = FreeFloor(world.home, room)
        rng = world.rng
        scale = pick.scale_of(rng)
        size = np.asarray(assets.get(category, model).size) * scale
        radius = float(np.linalg.norm(size[:2])) / 2 + 0.02

        place = _draw_layout(world.home, floor, rng, radius, float(size[2]))
        away = _mirror_away(floor, rng, place, radius)
        yaw = float(rng.uniform(-np.pi, np.pi))
        # The image of a model with a plane of symmetry is the model itself, turned.
        plane = (pick.symmetry_plane(category, model) or 0.0) + np.pi / 2
        image_yaw = reflected_yaw(yaw + 2.0 * plane, place.mirror)

        def objects(mirror: FloatArray, at: FloatArray, turn: float) -> tuple[ObjectSpec, ...]:
            target = stand(
                TARGET, category, model, at, turn, scale=scale, room=room.id, palette=palette
            )
            return target, mirror_spec(mirror, room.id)

        worlds = {
            "yes": objects(place.mirror, place.real, image_yaw),
            "no": objects(away, place.apparent, yaw),
        }
        other = "no" if want == "yes" else "yes"
        text = TEXTS[int(rng.integers(len(TEXTS)))].format(x=pick.noun(category))
        order = tuple(str(option) for option in rng.permutation(self.answers))
        return Draft(
            want=want,
            question=Question(text=text, options=order),
            camera=place.camera,
            objects=worlds[want],
            targets=(TARGET,),
            public={
                "target": {"category": category, "model": model},
                "clearance": CLEARANCE,
                "bounds": views.floor_bounds(world.home, margin=3.0),
            },
            notes={"twin": [obj.model_dump(mode="json") for obj in worlds[other]]},
        )

    def label(self, snapshot: Snapshot, draft: Draft) -> Evidence:
        """Surface samples seen by reflection against surface samples seen directly."""
        seen, plain = sight_of(snapshot, draft.camera, TARGET)
        numbers = {"reflected_fraction": seen, "direct_fraction": plain}
        if seen >= MIN_FRACTION and plain == 0.0:
            return Evidence(answer="yes", method="mirror_samples", numbers=numbers)
        if plain >= MIN_FRACTION and seen == 0.0:
            return Evidence(answer="no", method="mirror_samples", numbers=numbers)
        raise PlacementRejected("partly_seen", **numbers)

    def witness(self, sim: Simulator, snapshot: Snapshot, draft: Draft) -> Evidence:
        """Pixels of a plain picture against pixels of a picture from behind the mirror."""
        found = through_mirror(sim, snapshot, draft.camera)
        target = snapshot.index(TARGET)
        direct = int(np.count_nonzero(found.direct == target))
        reflected = found.pixels(target)
        numbers = {"reflected_pixels": float(reflected), "direct_pixels": float(direct)}
        if reflected >= MIN_PIXELS and direct == 0:
            return Evidence(answer="yes", method="reflected_camera", numbers=numbers)
        if direct >= MIN_PIXELS and reflected == 0:
            return Evidence(answer="no", method="reflected_camera", numbers=numbers)
        raise PlacementRejected("too_few_pixels", **numbers)

    def twin(
        self, snapshot: Snapshot, draft: Draft, rng: np.random.Generator
    ) -> tuple[ObjectSpec, ...] | None:
        """The world of the other answer that every draft is built with."""
        del snapshot, rng
        return twin_of(draft)

    def checks(self, world: World, snapshot: Snapshot, draft: Draft) -> list[CheckResult]:
        """The settled guards, and the twin: the other answer's world gives the same view 0."""
        mirror = mirror_of(snapshot)
        corners = snapshot.scene.world_triangles(snapshot.index(TARGET)).reshape(-1, 3)
        depth = mirror.depth(corners)
        behind = bool((depth < 0.0).all())
        nearest = float(depth.min())
        twin = views.first_view_gap(world.sim, draft, twin_of(draft))
        return [
            CheckResult(
                name="clear_of_mirror",
                passed=behind or nearest >= CLEARANCE,
                numbers={"depth": nearest},
            ),
            CheckResult(name="twin_view_0", passed=twin <= 2.0, numbers={"outline_px": twin}),
        ]

    def still_possible(self, history: Sequence[FrameRecord], public: JsonDict) -> frozenset[str]:
        """Both, until some sighting is too near to be an image; then what the first one was."""
        found = self._sightings(history, public)
        place = direct_place(found, float(public["clearance"]))
        first = [sighting for sighting in found if sighting.frame == 0]
        if place is None or not first:
            return frozenset(self.answers)
        direct, image = seen_as(first[0], place)
        return frozenset(answer for answer, open_ in (("no", direct), ("yes", image)) if open_)

    def places(self, history: Sequence[FrameRecord], public: JsonDict) -> list[FloatArray]:
        """Where the object appears to be, the latest appearance first."""
        shape = self._shape(public)
        points: list[FloatArray] = []
        for sighting in reversed(self._sightings(history, public)):
            point = np.append(sighting.cells.xy.mean(axis=0), shape.half_height)
            if all(np.linalg.norm(point - other) > 0.4 for other in points):
                points.append(point)
        return points

    def _shape(self, public: JsonDict) -> Shape:
        return shape_of(public["target"]["category"], public["target"]["model"])

    def _sightings(self, history: Sequence[FrameRecord], public: JsonDict) -> list[Sighting]:
        lower, upper = public["bounds"]
        return sightings(
            history,
            public["target"]["category"],
            self._shape(public),
            lower=lower,
            upper=upper,
        )


class _Layout(NamedTuple):
    """A first view, the mirror (x, y, yaw) that would fill it, and the object's two places."""

    camera: CameraSpec
    eye: FloatArray
    heading: float
    mirror: FloatArray
    apparent: FloatArray
    real: FloatArray


def _draw_layout(
    home: Snapshot, floor: FreeFloor, rng: np.random.Generator, radius: float, height: float
) -> _Layout:
    """A layout in which both worlds show the object on plain floor.

    The mirror is so close that its edges are out of view, and the camera looks down so far that
    no wall comes into view within its range. ``radius`` and ``height`` are the object's.
    """
    count = 4096
    low, high = np.asarray(floor.room.lower), np.asarray(floor.room.upper)
    eyes = rng.uniform(low, high, size=(count, 2))
    headings = rng.uniform(-np.pi, np.pi, size=count)
    forward = np.column_stack((np.cos(headings), np.sin(headings)))
    centers = eyes + rng.uniform(0.47, 0.55, size=count)[:, None] * forward
    yaws = headings + np.pi + np.radians(rng.uniform(-12.0, 12.0, size=count))
    bearings = headings + np.radians(rng.uniform(-9.0, 9.0, size=count))
    reach = rng.uniform(1.55, 1.95, size=count)
    apparent = eyes + reach[:, None] * np.column_stack((np.cos(bearings), np.sin(bearings)))
    normals = np.column_stack((np.cos(yaws), np.sin(yaws)))
    behind = ((centers - apparent) * normals).sum(axis=1)
    real = apparent + 2.0 * behind[:, None] * normals
    good = behind >= CLEARANCE + radius
    good &= np.linalg.norm(real - eyes, axis=1) >= CAMERA_CLEARANCE + radius
    good &= floor.is_free(eyes, 0.2)
    good &= floor.is_free(apparent, radius) & floor.is_free(real, radius)
    # The floor in view must be bare, straight on and by the mirror: tested on the corners of
    # the strip first, by rays for what is left.
    reach_seen = np.array([_FLOOR_SEEN[0] + 0.2, 1.6, 2.2, _FLOOR_SEEN[1] - 0.2])
    spread = np.radians([-17.0, 0.0, 17.0])
    angle = headings[:, None, None] + spread[None, None, :]
    seen = eyes[:, None, None] + reach_seen[None, :, None, None] * np.stack(
        (np.cos(angle), np.sin(angle)), axis=-1
    )
    depth = ((centers[:, None, None] - seen) * normals[:, None, None]).sum(axis=-1)
    imaged = seen + 2.0 * depth[..., None] * normals[:, None, None]
    for strip in (seen, imaged):
        some = np.flatnonzero(good)
        bare = floor.is_free(strip[some].reshape(-1, 2), 0.0).reshape(len(some), -1)
        good[some] &= bare.all(axis=1)
    if not good.any():
        raise PlacementRejected("object_blocked", radius=radius)
    for k in np.flatnonzero(good):
        camera = views.camera_at(
            (float(eyes[k, 0]), float(eyes[k, 1]), EYE_HEIGHT),
            yaw=float(headings[k]),
            pitch=-np.radians(rng.uniform(44.0, 46.0)),
            vfov_deg=float(rng.uniform(*FIELD_OF_VIEW)),
        )
        mirror = np.array([centers[k, 0], centers[k, 1], yaws[k]])
        layout = _Layout(camera, eyes[k], float(headings[k]), mirror, apparent[k], real[k])
        if (
            mirror_fits(floor, mirror)
            and _whole_in_view(layout, radius, height)
            and plain_views(home, camera, mirror, direct=True)
        ):
            return layout
    raise PlacementRejected("background_not_plain", tried=int(good.sum()))


def _whole_in_view(layout: _Layout, radius: float, height: float) -> bool:
    corners = [
        (layout.apparent[0] + dx, layout.apparent[1] + dy, z)
        for dx in (-radius, radius)
        for dy in (-radius, radius)
        for z in (0.0, height)
    ]
    return bool(views.pinhole(layout.camera).project(np.array(corners)).in_image.all())


def _mirror_away(
    floor: FreeFloor, rng: np.random.Generator, place: _Layout, radius: float
) -> FloatArray:
    """A place (x, y, yaw) for the mirror out of view 0, from which the object is clear."""
    half_view = np.radians(place.camera.vfov_deg) / 2 + np.radians(20.0)
    for center in floor.sample(rng, 60, 0.1):
        mirror = np.append(center, rng.uniform(-np.pi, np.pi))
        along = np.array([-np.sin(mirror[2]), np.cos(mirror[2])])
        ends = center + np.array([[-0.5], [0.0], [0.5]]) * MIRROR_SIZE[1] * along
        offset = ends - place.eye
        bearing = np.arctan2(offset[:, 1], offset[:, 0]) - place.heading
        if (np.abs((bearing + np.pi) % (2 * np.pi) - np.pi) < half_view).any():
            continue
        depth = float((place.apparent - center) @ normal(mirror))
        if -radius - 0.1 < depth < CLEARANCE + radius:
            continue
        if np.linalg.norm(center - place.eye) > 0.9 and mirror_fits(floor, mirror):
            return mirror
    raise PlacementRejected("no_place_for_mirror")
