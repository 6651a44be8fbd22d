"""Can a thing rest on a slope? (appendix Q.4)

A slope and a thing beside it stand on the floor. Whether the thing would hold on the slope
depends on friction, which nobody sees: it has to be put there. How steep the slope is, what it
looks like and what the thing is are the same for both answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from esi_fast import assets, registry
from esi_fast import geometry as geo
from esi_fast.errors import PlacementRejected, SceneUnsuitable
from esi_fast.generators import pick, views
from esi_fast.generators.base import Draft, Task, World
from esi_fast.generators.goals import Goal
from esi_fast.generators.observer.act import tried
from esi_fast.generators.observer.outlines import extents
from esi_fast.generators.place import FreeFloor, draw_room, stand
from esi_fast.records import (
    CameraSpec,
    CheckResult,
    Evidence,
    FrameRecord,
    ObjectSpec,
    Question,
    SceneSpec,
)
from esi_fast.registry import register
from esi_fast.sim.actions import action
from esi_fast.sim.base import Simulator, Snapshot
from esi_fast.sim.placing import FELL, SLID, Placed, place_on
from esi_fast.types import FloatArray, JsonDict

__all__ = ["InclinedPlane", "friction_needed"]

THING, SLOPE = "thing", "slope"
CATEGORY, MODELS = "ramp", ("solid", "cheeked")
# TASKS: below the least angle, no friction of the paper's range is too little by a tenth.
ANGLE = (np.radians(18.5), np.radians(45.0))
# Appendix Q.4: static friction is within this range, dynamic friction from its lower end on.
FRICTION = (0.3, 3.0)
# TASKS: static friction is at most this share of what equilibrium needs, or at least that.
TOO_LITTLE, ENOUGH = 0.9, 1.1
# A bisection of the friction needed is this fine; what was drawn at the limit passes.
RESOLUTION = 0.002
# The thing must hold upright on a slope whose tangent is this much larger: what decides is
# friction, and so the heading in which an agent puts it does not matter.
UPRIGHT_SPARE = 1.15
# Appendix Q.4: the half extent of the slope along its base.
HALF_BASE = (0.20, 0.30)
HALF_WIDTH = (0.18, 0.21)
# The mass is shifted by a factor in this range; Q.4 gives none.
MASS_FACTOR = (0.6, 1.6)
# Everything this near to the slope (m) takes part in the label run.
AROUND = 1.0
# From its middle, the pair is handled from this far away along the floor.
STANDOFF = 0.7
# The run that confirms the label turns it so far first (degrees): agents turn what they hold.
OTHER_HEADING = 137.0

TEXTS = (
    "Can the {x} rest on the slope?",
    "Would the {x} stay in place if it were put down on the slope?",
    "If you put the {x} on the slope and let go, does it stay where it is?",
    "Does the {x} hold on the slope without sliding down?",
)


@register("task", "physical_dynamics/inclined_plane")
class InclinedPlane(Task):
    """It rests on the slope or not; answers ``yes`` and ``no``."""

    answers = ("yes", "no")

    def build(self, world: World, want: str) -> Draft:
        """Draw a slope, a thing beside it and a view of both; friction alone follows ``want``."""
        pair = world.pair_rng("objects")
        angle = float(pair.uniform(*ANGLE))
        kind = _kind(world, pair, float(np.tan(angle)))
        palettes = [int(pair.integers(6)) for _ in range(2)]
        model = str(pair.choice(np.array(MODELS)))
        room = draw_room(world.home, pair, radius=0.7)

        rng = world.rng
        half = np.array([rng.uniform(*HALF_BASE), rng.uniform(*HALF_WIDTH)])
        size = np.array([*(2.0 * half), 2.0 * half[0] * np.tan(angle)])
        scale = pick.scale_of(rng)
        asset = assets.get(*kind)
        radius = float(np.linalg.norm(asset.size[:2])) / 2 * scale
        floor = FreeFloor(world.home, room)
        layout = _draw_layout(floor, rng, size, radius)
        state = {
            "mass": min(asset.mass * scale**3 * float(rng.uniform(*MASS_FACTOR)), 8.0),
            **_friction(rng, want, float(np.tan(angle))),
        }
        thing = stand(
            THING,
            *kind,
            layout.thing,
            layout.thing_yaw,
            scale=scale,
            room=room.id,
            palette=palettes[0],
        ).model_copy(update={"state": state})
        native = assets.get(CATEGORY, model).size
        slope = stand(
            SLOPE,
            CATEGORY,
            model,
            layout.slope,
            layout.slope_yaw,
            room=room.id,
            palette=palettes[1],
            fixed=True,
        )
        slope = slope.model_copy(
            update={
                "position": (*slope.position[:2], float(size[2]) / 2),
                "scale": tuple(float(v) for v in size / native),
            }
        )
        if not _in_view(world.home, layout, size, radius, float(asset.size[2]) * scale):
            raise PlacementRejected("not_in_view")
        word = pick.noun(kind[0])
        text = TEXTS[int(rng.integers(len(TEXTS)))].format(x=word)
        return Draft(
            want=want,
            question=Question(
                text=text, options=tuple(str(o) for o in rng.permutation(self.answers))
            ),
            camera=layout.camera,
            objects=(thing, slope),
            targets=(THING, SLOPE),
            public={"thing": word, "things": {word: kind[0], "slope": CATEGORY}},
            nouns={word: THING, "slope": SLOPE},
        )

    def label(self, snapshot: Snapshot, draft: Draft) -> Evidence:
        """Put it on the slope in a world of what is around, and see where it is later."""
        placed = _label_run(snapshot)
        slid, late = (_gone(placed, suffix) for suffix in ("", "_late"))
        if slid != late:
            raise PlacementRejected("verdict_changes", **placed.numbers)
        answer = "no" if slid else "yes"
        return Evidence(answer=answer, method="put_on_the_slope", numbers=placed.numbers)

    def witness(self, sim: Simulator, snapshot: Snapshot, draft: Draft) -> Evidence:
        """The friction that equilibrium needs, by linear programmes, against what there is."""
        thing = snapshot.objects[snapshot.index(THING)]
        triangles = snapshot.scene.world_triangles(snapshot.index(SLOPE))
        need = friction_needed(thing, _top_normal(triangles))
        have = float(thing.state["friction"])
        numbers = {"friction": have, "needed": need}
        if have >= ENOUGH * need - RESOLUTION:
            return Evidence(answer="yes", method="equilibrium", numbers=numbers)
        if have <= TOO_LITTLE * need + RESOLUTION:
            return Evidence(answer="no", method="equilibrium", numbers=numbers)
        raise PlacementRejected("friction_between", **numbers)

    def twin(
        self, snapshot: Snapshot, draft: Draft, rng: np.random.Generator
    ) -> tuple[ObjectSpec, ...] | None:
        """The same objects where friction, which nobody sees, gives the other answer."""
        other = "no" if draft.want == "yes" else "yes"
        del snapshot
        slope = next(obj for obj in draft.objects if obj.id == SLOPE)
        extent = np.asarray(assets.get(slope.category, slope.model).size) * slope.scale
        changed = _friction(rng, other, float(extent[2] / extent[0]))
        return tuple(
            obj.model_copy(update={"state": {**obj.state, **changed}}) if obj.id == THING else obj
            for obj in draft.objects
        )

    def checks(self, world: World, snapshot: Snapshot, draft: Draft) -> list[CheckResult]:
        """In the world itself and turned, it does what the label says."""
        sim, token = world.sim, world.sim.save()
        thing = snapshot.objects[snapshot.index(THING)]
        turned = _turned(thing, OTHER_HEADING)
        sim.set_poses([THING], np.array([thing.position]), turned[None])
        placed = place_on(sim, THING, SLOPE)
        sim.restore(token)
        return [
            CheckResult(
                name="any_heading",
                passed=placed.reason == ("" if draft.want == "yes" else "fell_off"),
                numbers=placed.numbers,
            )
        ]

    def still_possible(self, history: Sequence[FrameRecord], public: JsonDict) -> frozenset[str]:
        """Both until it was put on the slope: the guards say that it does so as in the label."""
        left = set(self.answers)
        for deed in tried(history, public["things"], "put_on", public["thing"], "slope"):
            if deed.ok:
                left.discard("no")
            elif deed.reason == "fell_off":
                left.discard("yes")
        return frozenset(left)

    def places(self, history: Sequence[FrameRecord], public: JsonDict) -> list[FloatArray]:
        """Where thing and slope meet the floor in the first view."""
        points = []
        for category in (public["things"][public["thing"]], CATEGORY):
            for part in extents(history[0], category)[:1]:
                foot = np.array([[part.pixel[0], part.outline.high[1]]])
                origins, rays = part.outline.camera.rays(foot)
                origin, ray = origins.reshape(-1, 3)[0], rays[0]
                if ray[2] < 0.0:
                    points.append(origin - ray * origin[2] / ray[2])
        return points

    def goals(
        self, camera: CameraSpec, points: Sequence[FloatArray], public: JsonDict
    ) -> list[Goal]:
        """Beside both, within reach, from the side of the first view; then put it there."""
        if len(points) < 2:
            return []
        here = np.asarray(camera.position)
        middle = np.mean(points, axis=0)
        away = here[:2] - middle[:2]
        azimuth = float(np.arctan2(away[1], away[0]))
        then = (action("pick_up", public["thing"]), action("put_on", public["thing"], "slope"))
        found = []
        for turn in np.radians([0.0, 30.0, -30.0]):
            side = np.array([np.cos(azimuth + turn), np.sin(azimuth + turn)])
            at = np.append(middle[:2] + STANDOFF * side, here[2])
            found.append(Goal("reach", at, middle, then))
        return found


def _friction(rng: np.random.Generator, want: str, need: float) -> dict[str, float]:
    """Static and dynamic friction for an answer on a slope of tangent ``need``."""
    low, high = FRICTION
    if want == "yes":
        low = max(low, ENOUGH * need)
    else:
        high = max(low, TOO_LITTLE * need)
    static = float(rng.uniform(low, high))
    return {"friction": static, "friction_dynamic": float(rng.uniform(FRICTION[0], static))}


def _kind(world: World, pair: np.random.Generator, tangent: float) -> tuple[str, str]:
    """A category and model that does not tip on the slope, whatever its heading."""
    models = world.models((0.08, 0.24), (0.03, 0.22))
    for category in pair.permutation(sorted({name for name, _ in models})):
        kind = pick.model_of(models, category, pair)
        if pick.tips_at(*kind) >= UPRIGHT_SPARE * tangent:
            return kind
    raise SceneUnsuitable("all_tip", tangent=tangent)


def friction_needed(thing: ObjectSpec, normal: FloatArray) -> float:
    """The least coefficient with which a thing is in equilibrium on a plane, to ``RESOLUTION``.

    Forces in friction cones (pyramids of 16 edges, one of them straight up the plane) at the
    corners of what it stands on must balance its weight, and their moments cancel about its
    centre of mass. It stands as it does on the floor, leaning with the plane. Infinite where no
    coefficient up to 4 is enough: it tips.
    """
    center, feet = pick.stance(thing.category, thing.model)
    feet = feet[ConvexHull(feet).vertices]
    factor = np.asarray(thing.scale)
    turn = geo.transforms.quat_to_matrix(np.asarray(thing.orientation))
    up = normal / np.linalg.norm(normal)
    uphill = np.array([0.0, 0.0, 1.0]) - up[2] * up
    uphill /= np.linalg.norm(uphill)
    level = np.cross(up, uphill)
    # The heading seen from above, in the axes of the plane.
    flat = np.array([uphill[0], uphill[1], 0.0]) / np.hypot(uphill[0], uphill[1])
    across = np.cross([0.0, 0.0, 1.0], flat)
    corners = (np.column_stack((feet, np.zeros(len(feet)))) - center) * factor @ turn.T
    arms = (
        np.outer(corners @ flat, uphill)
        + np.outer(corners @ across, level)
        + np.outer(corners[:, 2], up)
    )
    angles = np.arange(16) * (np.pi / 8.0)
    edges = np.outer(np.cos(angles), uphill) + np.outer(np.sin(angles), level)
    weight = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])

    def holds(friction: float) -> bool:
        forces = np.tile(up + friction * edges, (len(arms), 1))
        moments = np.cross(np.repeat(arms, len(edges), axis=0), forces) / np.abs(arms).max()
        balance = np.concatenate((forces.T, moments.T))
        solved = linprog(np.zeros(len(forces)), A_eq=balance, b_eq=weight, method="highs")
        return bool(solved.status == 0)

    low, high = 0.0, 4.0
    if not holds(high):
        return float("inf")
    while high - low > RESOLUTION / 2:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _top_normal(triangles: FloatArray) -> FloatArray:
    """The normal of the largest face that leans: triangles (F, 3, 3)."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    size = np.linalg.norm(normals, axis=1)
    leans = (normals[:, 2] > 0.1 * size) & (normals[:, 2] < 0.99 * size)
    return np.asarray(normals[np.argmax(np.where(leans, size, 0.0))])


@lru_cache(maxsize=1)
def _bench() -> Simulator:
    """A world of its own for label runs, so that a label is a function of the snapshot alone."""
    made: Simulator = registry.get("backend", "embedded")()
    return made


def _label_run(snapshot: Snapshot) -> Placed:
    box = snapshot.boxes[snapshot.index(SLOPE)]
    near = (snapshot.boxes[:, 0] < box[1] + AROUND) & (snapshot.boxes[:, 1] > box[0] - AROUND)
    objects = tuple(
        obj for obj, there in zip(snapshot.objects, near.all(axis=1), strict=True) if there
    )
    sim = _bench()
    sim.load(SceneSpec(name="slope", objects=objects))
    placed = place_on(sim, THING, SLOPE)
    if placed.reason not in ("", "fell_off"):
        raise PlacementRejected(placed.reason, **placed.numbers)
    return placed


def _gone(placed: Placed, suffix: str) -> bool:
    return placed.numbers[f"moved{suffix}"] > SLID or placed.numbers[f"below{suffix}"] > FELL


def _turned(thing: ObjectSpec, degrees: float) -> FloatArray:
    """The orientation of a thing after a turn about the vertical."""
    turn = geo.transforms.quat_to_matrix(geo.transforms.yaw_quat(np.radians(degrees)))
    now = geo.transforms.quat_to_matrix(np.asarray(thing.orientation))
    return np.asarray(geo.transforms.matrix_to_quat(turn @ now))


class _Layout(NamedTuple):
    """Floor places (2,) and headings of slope and thing, and the first view."""

    slope: FloatArray
    slope_yaw: float
    thing: FloatArray
    thing_yaw: float
    camera: CameraSpec


def _draw_layout(
    floor: FreeFloor, rng: np.random.Generator, size: FloatArray, radius: float
) -> _Layout:
    """Slope and thing side by side as seen from the eye, on free floor, with a free way there."""
    count = 512
    low, high = np.asarray(floor.room.lower), np.asarray(floor.room.upper)
    middles = rng.uniform(low, high, size=(count, 2))
    bearings = rng.uniform(-np.pi, np.pi, size=count)
    ahead = np.column_stack((np.cos(bearings), np.sin(bearings)))
    across = np.column_stack((-ahead[:, 1], ahead[:, 0])) * rng.choice([-1.0, 1.0], (count, 1))
    reach = float(np.hypot(size[0], size[1])) / 2
    apart = reach + radius + rng.uniform(0.06, 0.15, size=count)
    eyes = middles - rng.uniform(1.7, 2.2, size=count)[:, None] * ahead
    slopes = middles + (apart / 2)[:, None] * across
    things = middles - (apart / 2)[:, None] * across
    good = floor.is_free(slopes, reach + 0.05) & floor.is_free(things, radius + 0.02)
    for share in np.linspace(0.35, 1.0, 5):
        good &= floor.is_free(middles + share * (eyes - middles), 0.15)
    if not good.any():
        raise PlacementRejected("no_place", slope=reach, radius=radius)
    k = int(np.argmax(good))
    height = float(rng.uniform(0.9, 1.1))
    off = float(np.linalg.norm(middles[k] - eyes[k]))
    camera = views.camera_at(
        (float(eyes[k, 0]), float(eyes[k, 1]), height),
        yaw=float(bearings[k] + np.radians(rng.uniform(-4.0, 4.0))),
        pitch=float(-np.arctan2(height - 0.15, off)),
        vfov_deg=float(rng.uniform(64.0, 72.0)),
    )
    # Its low edge points towards the eye or to a side: the surface is seen, not the back.
    yaw = bearings[k] + np.pi + np.radians(rng.uniform(-100.0, 100.0))
    return _Layout(slopes[k], float(yaw), things[k], float(rng.uniform(-np.pi, np.pi)), camera)


def _in_view(
    home: Snapshot, layout: _Layout, size: FloatArray, radius: float, height: float
) -> bool:
    """Whether both are in the picture with nothing before them."""
    spots = []
    reach = float(np.hypot(size[0], size[1])) / 2
    for center, wide, high in ((layout.slope, reach, size[2]), (layout.thing, radius, height)):
        for angle in np.arange(8) * (np.pi / 4.0):
            side = center + wide * np.array([np.cos(angle), np.sin(angle)])
            spots += [(*side, 0.02), (*side, float(high))]
    corners = np.array(spots)
    if not views.pinhole(layout.camera).project(corners).in_image.all():
        return False
    eye = [layout.camera.position]
    return bool(geo.occlusion.visible(home.scene, eye, corners).all())
