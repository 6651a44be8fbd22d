"""Which of two objects, seen only in a mirror, is really closer? (appendix Q.17)

A frameless mirror fills the first view and shows two objects on a plain floor. How far they really
are depends on how the mirror stands: every draft is built together with its twin, where another
mirror shows the same two images of objects that stand elsewhere, and the other one is closer.
Which of the two worlds is real is drawn last. Turning round and finding both objects tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.errors import PlacementRejected
from esi_fast.generators import pick, views
from esi_fast.generators.base import Draft, Task, World
from esi_fast.generators.goals import Goal, viewpoints
from esi_fast.generators.observer.localise import REST_TOLERANCE, localise, shape_of
from esi_fast.generators.observer.outlines import Extent, extents
from esi_fast.generators.observer.reflect import Ball, image_ball, itself, mirrored_place
from esi_fast.generators.place import FreeFloor, rooms_by_space, stand
from esi_fast.generators.specular_reflection.mirrors import (
    CAMERA_CLEARANCE,
    MIN_FRACTION,
    MIN_PIXELS,
    MIRROR_SIZE,
    mirror_fits,
    mirror_spec,
    plain_views,
    reflected,
    reflected_yaw,
    sight_of,
    through_mirror,
    twin_of,
)
from esi_fast.records import (
    ActionRecord,
    CameraSpec,
    CheckResult,
    Evidence,
    FrameRecord,
    ObjectSpec,
    Question,
)
from esi_fast.registry import register
from esi_fast.sim.actions import TURN_STEP_DEG, action, camera_angles
from esi_fast.sim.base import Capability, Simulator, Snapshot
from esi_fast.types import BoolArray, FloatArray, JsonDict

__all__ = ["SpatialRelations", "nearer"]

NAMES = ("first", "second")
# TASKS: the distances from the first camera to the box centres are apart by this much (m), and
# by this share of the smaller one.
GAP = 0.15
GAP_SHARE = 0.10
# Drafts aim at this many times the gap: settling moves things a little.
AIM = 1.08
# Objects stand this far before the mirror, metres: in the depth of a room, not at its foot.
CLEARANCE = 0.6
# Views that bind most are enough: each further one costs time and can only shrink the bound.
MAX_VIEWS = 3

# The first camera: low enough to tell distances by, high enough to see floor all around.
EYE_HEIGHT = (0.95, 1.25)
FIELD_OF_VIEW = (33.0, 40.0)
# The upper edge of the picture looks down by this much (degrees), so that it shows floor.
TOP_EDGE = (21.0, 26.0)
# How far the two mirrors are turned, one to either side (degrees).
TURN = (14.0, 30.0)

# Places and headings are tried in this many batches of this size.
_BATCHES, _POSES = 8, 1024

TEXTS = (
    "You see the {a} and the {b} in a mirror. From where you started, which of the two objects "
    "is really closer to you?",
    "Both the {a} and the {b} are seen by reflection only. Measured from where you started, "
    "which one really stands closer?",
    "This picture shows the {a} and the {b} through a mirror. Which of the two objects "
    "themselves is closer to the place where you started?",
)


@register("task", "specular_reflection/spatial_relations")
class SpatialRelations(Task):
    """The really closer of two mirrored objects; answers are their two names."""

    requires = frozenset({Capability.RIGID, Capability.MIRROR})
    answers = NAMES

    def build(self, world: World, want: str) -> Draft:
        """Draw the camera, two mirrors, and the two images that both of them show."""
        models = world.models((0.06, 0.18), (0.07, 0.22))
        pair = world.pair_rng("objects")
        kinds = pick.different(models, len(NAMES), pair)
        palette = int(pair.integers(4))
        room = rooms_by_space(world.home, radius=1.0)[0]
        floor = FreeFloor(world.home, room)

        rng = world.rng
        scales = [pick.scale_of(rng) for _ in kinds]
        sizes = np.array(
            [
                np.asarray(assets.get(*kind).size) * scale
                for kind, scale in zip(kinds, scales, strict=True)
            ]
        )
        layout = _draw_layout(world.home, floor, rng, sizes)
        yaws = rng.uniform(-np.pi, np.pi, size=2)

        def objects(mirror: FloatArray) -> tuple[ObjectSpec, ...]:
            spots = reflected(layout.images, mirror)
            return (
                *(
                    stand(
                        name,
                        *kind,
                        spot,
                        reflected_yaw(float(yaw), mirror),
                        scale=scale,
                        room=room.id,
                        palette=palette,
                    )
                    for name, kind, spot, yaw, scale in zip(
                        NAMES, kinds, spots, yaws, scales, strict=True
                    )
                ),
                mirror_spec(mirror, room.id),
            )

        real = layout.closer.index(NAMES.index(want))
        nouns = [pick.noun(category) for category, _ in kinds]
        words = [nouns[k] for k in rng.permutation(2)]
        text = TEXTS[int(rng.integers(len(TEXTS)))].format(a=words[0], b=words[1])
        return Draft(
            want=nouns[NAMES.index(want)],
            question=Question(text=text, options=tuple(nouns[k] for k in rng.permutation(2))),
            camera=layout.camera,
            objects=objects(layout.mirrors[real]),
            targets=NAMES,
            public={
                "objects": [{"category": c, "model": m} for c, m in sorted(kinds)],
                "bounds": views.floor_bounds(world.home, margin=3.0),
            },
            notes={
                "twin": [obj.model_dump(mode="json") for obj in objects(layout.mirrors[1 - real])]
            },
        )

    def label(self, snapshot: Snapshot, draft: Draft) -> Evidence:
        """Distances from the first camera to the centres of the objects' boxes."""
        eye = np.asarray(draft.camera.position)
        numbers: dict[str, float] = {}
        distances = []
        for name in draft.targets:
            sight = sight_of(snapshot, draft.camera, name)
            center = np.asarray(snapshot.objects[snapshot.index(name)].position)
            distances.append(float(np.linalg.norm(center - eye)))
            numbers[f"{name}_distance"] = distances[-1]
            numbers[f"{name}_reflected_fraction"] = sight.reflected
            numbers[f"{name}_direct_fraction"] = sight.direct
            if sight.reflected < MIN_FRACTION or sight.direct > 0.0:
                raise PlacementRejected("not_by_mirror_alone", **numbers)
        closer = nearer(*distances)
        if closer is None:
            raise PlacementRejected("too_even", **numbers)
        answer = _noun_of(snapshot, draft.targets[closer])
        return Evidence(answer=answer, method="box_centers", numbers=numbers)

    def witness(self, sim: Simulator, snapshot: Snapshot, draft: Draft) -> Evidence:
        """Distances to what the camera behind the mirror sees, by the depth of its pixels."""
        found = through_mirror(sim, snapshot, draft.camera)
        eye = np.asarray(draft.camera.position)
        numbers: dict[str, float] = {}
        distances = []
        for name in draft.targets:
            index = snapshot.index(name)
            points = found.point[found.object_id == index]
            direct = int(np.count_nonzero(found.direct == index))
            numbers[f"{name}_reflected_pixels"] = float(found.pixels(index))
            numbers[f"{name}_direct_pixels"] = float(direct)
            if found.pixels(index) < MIN_PIXELS or direct:
                raise PlacementRejected("too_few_pixels", **numbers)
            middle = (points.min(axis=0) + points.max(axis=0)) / 2
            distances.append(float(np.linalg.norm(middle - eye)))
            numbers[f"{name}_distance"] = distances[-1]
        answer = _noun_of(snapshot, draft.targets[int(np.argmin(distances))])
        return Evidence(answer=answer, method="reflected_camera", numbers=numbers)

    def twin(
        self, snapshot: Snapshot, draft: Draft, rng: np.random.Generator
    ) -> tuple[ObjectSpec, ...] | None:
        """The world with the other mirror, where the other object is closer."""
        del snapshot, rng
        return twin_of(draft)

    def checks(self, world: World, snapshot: Snapshot, draft: Draft) -> list[CheckResult]:
        """The twin gives the other answer and the same first view."""
        eye = np.asarray(draft.camera.position)
        settled = [snapshot.objects[snapshot.index(name)] for name in draft.targets]
        others = [obj for obj in twin_of(draft) if obj.id in draft.targets]
        here, there = (
            [float(np.linalg.norm(np.asarray(obj.position) - eye)) for obj in objs]
            for objs in (settled, others)
        )
        differs = None not in (nearer(*here), nearer(*there)) and nearer(*here) != nearer(*there)
        outline = views.first_view_gap(world.sim, draft, twin_of(draft))
        mirrors = [obj for obj in snapshot.objects if assets.get(obj.category, obj.model).mirror]
        return [
            CheckResult(
                name="one_mirror", passed=len(mirrors) == 1, numbers={"mirrors": len(mirrors)}
            ),
            CheckResult(
                name="twin_answer",
                passed=differs,
                numbers={f"{name}_distance": d for name, d in zip(NAMES, there, strict=True)},
            ),
            CheckResult(name="twin_view_0", passed=outline <= 2.0, numbers={"outline_px": outline}),
        ]

    def still_possible(self, history: Sequence[FrameRecord], public: JsonDict) -> frozenset[str]:
        """Both, until both objects themselves have been seen; then what their distances allow."""
        names = [pick.noun(kind["category"]) for kind in public["objects"]]
        ranges = [
            _distance_range(history, kind, public)
            for kind in public["objects"]
            if _parts(history, kind, public)
        ]
        if len(ranges) < 2:
            return frozenset(names)
        (low_a, high_a), (low_b, high_b) = ranges
        open_ = (nearer(low_a, high_b) == 0, nearer(high_a, low_b) == 1)
        return frozenset(name for name, holds in zip(names, open_, strict=True) if holds)

    def places(self, history: Sequence[FrameRecord], public: JsonDict) -> list[FloatArray]:
        """Where the objects were seen; by the mirror, where one of them was; else all around."""
        kinds = public["objects"]
        images = [_image(history, kind, public) for kind in kinds]
        seen = [_seen_at(history, kind, public) for kind in kinds]
        points = []
        for k in (0, 1):
            mine, other = seen[k], seen[1 - k]
            image, other_image = images[k], images[1 - k]
            if mine is None and other is not None and image is not None and other_image is not None:
                spot = mirrored_place(image.center[:2], other_image.center[:2], other[:2])
                mine = np.append(spot, image.center[2])
            if mine is not None:
                points.append(mine)
        return points or _all_around(history[0].camera)

    def goals(
        self, camera: CameraSpec, points: Sequence[FloatArray], public: JsonDict
    ) -> list[Goal]:
        """To turn to one and on to the other where it started; to look at each; to go near."""
        del public
        here = np.asarray(camera.position)
        found = [Goal("turn", here, np.asarray(point)) for point in points]
        if len(points) == 2:
            both = [
                Goal("turn", here, a, then=_turns(camera, a, b))
                for a, b in (points, reversed(points))
            ]
            found = [*sorted(both, key=lambda goal: len(goal.then)), *found]
        return [*found, *viewpoints(camera, points, ("near",))]


def nearer(first: float, second: float) -> int | None:
    """Which of two distances is the smaller one (0 or 1) by the gap; ``None`` if neither is."""
    small, large = min(first, second), max(first, second)
    if large - small < GAP or large < (1.0 + GAP_SHARE) * small:
        return None
    return 0 if first < second else 1


def _noun_of(snapshot: Snapshot, name: str) -> str:
    return pick.noun(snapshot.objects[snapshot.index(name)].category)


# --- the observer ---------------------------------------------------------------------------------


def _image(history: Sequence[FrameRecord], kind: JsonDict, public: JsonDict) -> Ball | None:
    """Where the first view shows the object's image: the question tells that it is one."""
    parts = extents(history[0], kind["category"])
    if len(parts) != 1:
        return None
    lower, upper = public["bounds"]
    shape = shape_of(kind["category"], kind["model"])
    return image_ball(parts[0], shape, lower=lower, upper=upper)


def _parts(history: Sequence[FrameRecord], kind: JsonDict, public: JsonDict) -> list[Extent]:
    """The most telling sights of the object itself."""
    image = _image(history, kind, public)
    if image is None:
        return []
    parts = itself(history, kind["category"], image)
    return sorted(parts, key=lambda part: (part.free_edges, part.area), reverse=True)[:MAX_VIEWS]


def _distance_range(
    history: Sequence[FrameRecord], kind: JsonDict, public: JsonDict
) -> tuple[float, float]:
    """Bounds of the distance from the first camera to the object's centre, metres.

    Nothing that explains the sights gives an empty range, (inf, -inf).
    """
    lower, upper = public["bounds"]
    shape = shape_of(kind["category"], kind["model"])
    parts = _parts(history, kind, public)
    cells = localise(parts, [shape], lower=lower, upper=upper, resolution=0.012)
    if not len(cells):
        return np.inf, -np.inf
    eye = np.asarray(history[0].camera.position)
    flat = np.linalg.norm(cells.xy - eye[:2], axis=1)
    drop = np.abs(eye[2] - shape.half_height * cells.scale)
    aside = cells.half * np.sqrt(2.0) + REST_TOLERANCE
    above = shape.half_height * cells.half_scale + REST_TOLERANCE
    low = np.hypot(np.maximum(flat - aside, 0.0), np.maximum(drop - above, 0.0))
    return float(low.min()), float(np.hypot(flat + aside, drop + above).max())


def _seen_at(history: Sequence[FrameRecord], kind: JsonDict, public: JsonDict) -> FloatArray | None:
    """The middle (3,) of where the object itself was seen."""
    parts = _parts(history, kind, public)
    if not parts:
        return None
    lower, upper = public["bounds"]
    shape = shape_of(kind["category"], kind["model"])
    cells = localise(parts, [shape], lower=lower, upper=upper, resolution=0.012)
    return np.append(cells.xy.mean(axis=0), shape.half_height) if len(cells) else None


def _all_around(camera: CameraSpec) -> list[FloatArray]:
    """Floor points beside and behind the camera: what a mirror before it shows stands there."""
    yaw, _ = camera_angles(camera)
    here = np.asarray(camera.position)
    bearings = yaw + np.radians([90.0, 135.0, 180.0, 225.0, 270.0])
    return [np.array([here[0] + 0.9 * np.cos(b), here[1] + 0.9 * np.sin(b), 0.1]) for b in bearings]


def _turns(camera: CameraSpec, first: FloatArray, then: FloatArray) -> tuple[ActionRecord, ...]:
    """The turns from looking at one point to looking at the other, in whole steps."""
    yaw, pitch = camera_angles(camera)
    step = np.radians(TURN_STEP_DEG)
    steps = []
    for point in (first, then):
        away = np.asarray(point) - camera.position
        flat = float(np.hypot(away[0], away[1]))
        aside = float(np.arctan2(away[1], away[0])) - yaw
        steps.append(
            (round(aside / step), round((float(np.arctan2(away[2], flat)) - pitch) / step))
        )
    around, upward = steps[1][0] - steps[0][0], steps[1][1] - steps[0][1]
    half = round(np.pi / step)
    around = (around + half) % (2 * half) - half
    return tuple(
        [action("turn_up" if upward > 0 else "turn_down")] * abs(upward)
        + [action("turn_left" if around > 0 else "turn_right")] * abs(around)
    )


# --- the layout -----------------------------------------------------------------------------------


class _Layout(NamedTuple):
    """A first view, two placed mirrors, and the images (2, 2) that both show in it.

    ``closer`` says for each mirror which object is really closer.
    """

    camera: CameraSpec
    mirrors: tuple[FloatArray, FloatArray]
    images: FloatArray
    closer: tuple[int, int]


class _Local(NamedTuple):
    """N layouts in the frame of the camera's foot: ahead and to the left, metres."""

    height: FloatArray  # (N,) of the eye
    pitch: FloatArray  # (N,)
    vfov_deg: FloatArray  # (N,)
    turn: FloatArray  # (N, mirror)
    depth: FloatArray  # (N, mirror) of the eye before each mirror
    images: FloatArray  # (N, object, 2)
    real: FloatArray  # (N, mirror, object, 2)
    closer: FloatArray  # (N, mirror)

    def only(self, keep: BoolArray) -> _Local:
        return _Local(*(values[keep] for values in self))

    def normals(self) -> FloatArray:
        """Of the mirrors (N, mirror, 2)."""
        return -np.stack((np.cos(self.turn), np.sin(self.turn)), axis=-1)

    def pixels(self, count: int) -> FloatArray:
        """Directions (N, count * count, 3) of a grid of pixels, the border included."""
        half = np.tan(np.radians(self.vfov_deg) / 2)[:, None]
        axis = np.linspace(-1.0, 1.0, count)
        left, up = (grid.ravel() * half for grid in np.meshgrid(axis, axis))
        c, s = np.cos(self.pitch)[:, None], np.sin(self.pitch)[:, None]
        return np.stack((c - up * s, left, s + up * c), axis=-1)


def _draw_layout(
    home: Snapshot, floor: FreeFloor, rng: np.random.Generator, sizes: FloatArray
) -> _Layout:
    """A layout in which both mirrors show both objects, whole and on plain floor.

    ``sizes`` (2, 3) are those of the objects.
    """
    local = _draw_local(rng, sizes)
    count = len(local.height)
    radius = float(np.linalg.norm(sizes[:, :2], axis=1).max()) / 2 + 0.01
    centers = _mirror_centers(local)
    along = np.stack((-np.sin(local.turn), np.cos(local.turn)), axis=-1)[:, :, None]
    offsets = np.linspace(-0.5, 0.5, 7)[:, None] * MIRROR_SIZE[1]
    bodies = (centers[:, :, None] + offsets * along).reshape(count, -1, 2)
    ways = local.pixels(5)
    ground = ways[..., :2] * (local.height[:, None] / -ways[..., 2])[..., None]
    shown = _reflect(ground, local)
    # What reaches farthest is blocked most often: the upper rows of the picture come first.
    far, near = shown[:, :, 20:].reshape(count, -1, 2), shown[:, :, :20].reshape(count, -1, 2)
    stages = (
        (local.real.reshape(count, -1, 2), radius),
        (far, 0.0),
        (bodies, 0.04),
        (near, 0.0),
    )
    tried = 0
    for _ in range(_BATCHES):
        which = rng.integers(count, size=_POSES)
        eyes = rng.uniform(floor.room.lower, floor.room.upper, size=(_POSES, 2))
        headings = rng.uniform(-np.pi, np.pi, size=_POSES)
        good = np.flatnonzero(floor.is_free(eyes, 0.2))
        for points, clear in stages:
            spots = _turned(points[which[good]], headings[good]) + eyes[good, None]
            free = floor.is_free(spots.reshape(-1, 2), clear).reshape(spots.shape[:2])
            good = good[free.all(axis=1)]
        tried += len(good)
        for k in good:
            layout = _place(local, centers, int(which[k]), eyes[k], float(headings[k]))
            if all(
                mirror_fits(floor, mirror)
                and plain_views(home, layout.camera, mirror, direct=False)
                and _in_sight(home, layout.camera, reflected(layout.images, mirror))
                for mirror in layout.mirrors
            ):
                return layout
    raise PlacementRejected("no_plain_floor", tried=tried)


def _place(local: _Local, centers: FloatArray, k: int, eye: FloatArray, heading: float) -> _Layout:
    """The ``k``-th layout with the eye above a floor point, looking along a heading."""
    turned = np.array([heading])
    spots = _turned(centers[k][None], turned)[0] + eye
    first, second = (np.append(spots[m], heading + np.pi + float(local.turn[k, m])) for m in (0, 1))
    return _Layout(
        camera=views.camera_at(
            (float(eye[0]), float(eye[1]), float(local.height[k])),
            yaw=heading,
            pitch=float(local.pitch[k]),
            vfov_deg=float(local.vfov_deg[k]),
        ),
        mirrors=(first, second),
        images=_turned(local.images[k][None], turned)[0] + eye,
        closer=(int(local.closer[k, 0]), int(local.closer[k, 1])),
    )


def _draw_local(rng: np.random.Generator, sizes: FloatArray) -> _Local:
    """Layouts that do for an empty room; drawn alike for both answers.

    The mirrors are turned to either side of the line of sight and stand as near as shows no floor
    before them. Two rays bound where the images may stand: those by their feet in the picture.
    """
    n = 8192
    radii = np.linalg.norm(sizes[:, :2], axis=1) / 2
    height, vfov = rng.uniform(*EYE_HEIGHT, size=n), rng.uniform(*FIELD_OF_VIEW, size=n)
    pitch = -np.radians(rng.uniform(*TOP_EDGE, size=n) + vfov / 2)
    half = np.tan(np.radians(vfov) / 2)
    turn = np.radians(rng.uniform(*TURN, size=(n, 2))) * [1.0, -1.0]
    # Where the lower corners of the picture meet the floor, a mirror must have been met before.
    ahead = np.cos(pitch) + half * np.sin(pitch)
    reach = (height - 0.04) / (half * np.cos(pitch) - np.sin(pitch))
    corner = ahead[:, None] * np.cos(turn) - half[:, None] * np.abs(np.sin(turn))
    depth = reach[:, None] * corner * rng.uniform(0.85, 1.0, size=(n, 2))
    sides = rng.choice([-1.0, 1.0], size=(n, 1)) * [1.0, -1.0]
    images = np.stack(
        (rng.uniform(1.4, 2.05, size=(n, 2)), sides * rng.uniform(0.24, 0.5, size=(n, 2))), axis=-1
    )
    local = _Local(height, pitch, vfov, turn, depth, images, images[:, None], turn)
    real = _reflect(images, local)
    distance = np.hypot(np.linalg.norm(real, axis=-1), height[:, None, None] - sizes[:, 2] / 2)
    local = local._replace(real=real, closer=distance.argmin(axis=-1).astype(float))
    good = np.ptp(distance, axis=-1) >= AIM * np.maximum(GAP, GAP_SHARE * distance.min(axis=-1))
    keep = good.all(axis=1) & (local.closer[:, 0] != local.closer[:, 1])
    before = -(images[:, None] @ local.normals()[..., None])[..., 0] - depth[..., None]
    keep &= (before >= CLEARANCE + radii).all(axis=(1, 2))
    keep &= (np.linalg.norm(real, axis=-1) >= CAMERA_CLEARANCE + radii).all(axis=(1, 2))
    local = local.only(keep)
    local = local.only(_whole(local, sizes, radii))
    if not len(local.height):
        raise PlacementRejected("no_layout", radius=float(radii.max()))
    return local


def _whole(local: _Local, sizes: FloatArray, radii: FloatArray) -> BoolArray:
    """Whether the images lie whole in the picture (N,), by the corners of boxes around them."""
    c, s = np.cos(local.pitch)[:, None], np.sin(local.pitch)[:, None]
    half = np.tan(np.radians(local.vfov_deg) / 2)[:, None] * 0.98
    whole = np.ones(len(c), dtype=bool)
    for dx, dy, top in np.ndindex(2, 2, 2):
        ahead = local.images[..., 0] + (2 * dx - 1) * radii
        left = local.images[..., 1] + (2 * dy - 1) * radii
        up = top * sizes[:, 2] - local.height[:, None]
        depth = ahead * c + up * s
        inside = (np.abs(left) < half * depth) & (np.abs(up * c - ahead * s) < half * depth)
        whole &= inside.all(axis=1)
    return whole


def _reflect(points: FloatArray, local: _Local) -> FloatArray:
    """Points (N, P, 2) in each mirror (N, mirror, P, 2)."""
    normals = local.normals()[:, :, None]
    depth = (points[:, None] * normals).sum(axis=-1) + local.depth[..., None]
    return np.asarray(points[:, None] - 2.0 * depth[..., None] * normals)


def _mirror_centers(local: _Local) -> FloatArray:
    """Where the mirrors' middles are (N, mirror, 2): amid what the picture needs of them."""
    ways = local.pixels(3)[:, None]
    c, s = np.cos(local.turn)[..., None], np.sin(local.turn)[..., None]
    reach = local.depth[..., None] / (ways[..., 0] * c + ways[..., 1] * s)
    across = (ways[..., 1] * c - ways[..., 0] * s) * reach
    middle = (across.min(axis=-1) + across.max(axis=-1)) / 2
    c, s = c[..., 0], s[..., 0]
    return np.stack(
        (local.depth * c - middle * s, local.depth * s + middle * c),
        axis=-1,
    )


def _turned(points: FloatArray, headings: FloatArray) -> FloatArray:
    """Points (N, P, 2) turned by a heading each (N,)."""
    c, s = np.cos(headings)[:, None], np.sin(headings)[:, None]
    x, y = points[..., 0], points[..., 1]
    return np.stack((c * x - s * y, s * x + c * y), axis=-1)


def _in_sight(home: Snapshot, camera: CameraSpec, spots: FloatArray) -> bool:
    """Whether nothing of the house hides the objects from where the camera is."""
    points = np.column_stack((spots, np.full(len(spots), 0.05)))
    return bool(geo.occlusion.visible(home.scene, [camera.position], points).all())
