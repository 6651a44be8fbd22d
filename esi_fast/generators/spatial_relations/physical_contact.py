"""Are two objects touching? (appendix Q.8)

Two objects stand on the floor, one partly before the other as seen from the first view, which
looks at them level from near the floor. They touch, or a gap lies between them that is hidden
there. Every draft that does not touch is made from one that does: the objects are moved apart
along the rays of the first view and scaled with their distance, which leaves its picture as it
was. A look from above shows the gap, or that there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import ndimage
from scipy.spatial import ConvexHull

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.errors import PlacementRejected
from esi_fast.generators import pick, slide, views
from esi_fast.generators.base import Draft, Task, World
from esi_fast.generators.goals import Goal, viewpoints
from esi_fast.generators.observer.localise import REST_TOLERANCE, SCALE_RANGE, shape_of
from esi_fast.generators.observer.outlines import extents
from esi_fast.generators.observer.standing import middles
from esi_fast.generators.place import FreeFloor, draw_room, stand
from esi_fast.records import CameraSpec, CheckResult, Evidence, FrameRecord, ObjectSpec, Question
from esi_fast.registry import register
from esi_fast.sim.base import Simulator, Snapshot
from esi_fast.sim.masks import decode_mask
from esi_fast.types import BoolArray, FloatArray, JsonDict

__all__ = ["PhysicalContact"]

NAMES = ("first", "second")
# TASKS: meshes at most this far apart touch; apart are objects with a gap of at least so much in
# some horizontal direction.
TOUCHING, APART = 0.001, 0.05
# Drafts: collision shapes are put this near (m); a gap is drawn from these (m).
_NEAR = (0.0001, 0.0003)
_GAP = (0.056, 0.08)
# Grazing: just above the 0.1 m sphere that the camera is.
EYE_HEIGHT = 0.12
DISTANCE = (1.5, 1.8)
# Masks of worlds are equal within 2 px; what moves by more peeks out from behind.
_DRAFT_PX, _TWIN_PX = 1.0, 1.1
EQUAL_PX = 2.0
# Directions in which gaps are measured: they are half a degree apart.
_WAYS = np.linspace(0.0, 2.0 * np.pi, 720, endpoint=False)
# Of a mask that can be judged in view 0, and of the border that two masks share there, pixels.
MIN_PIXELS, MIN_BORDER = 400, 8
# TASKS: a free mask edge lies within 2 px of its prediction, so that of two masks within 4.
TWO_EDGES_PX = 4.0
# TASKS: background at least this wide (px) separates the masks of what does not touch.
SEPARATE_PX = 4.0
# TASKS: contacts are looked at over this many steps of 1/60 s.
STEPS, STEP_SECONDS = 10, 1.0 / 60.0
# From where the gap between two objects would show: over it, looking down but for 15 degrees.
HEIGHTS, AHEAD = (1.1, 1.35, 1.6), 0.27

TEXTS = (
    "Are the {a} and the {b} touching?",
    "Does the {a} touch the {b}?",
    "Are the {a} and the {b} in contact with each other, with no gap between them?",
)


@register("task", "spatial_relations/physical_contact")
class PhysicalContact(Task):
    """In contact or not; answers ``yes`` and ``no``."""

    answers = ("yes", "no")
    vantages = ("above", "steep")

    def build(self, world: World, want: str) -> Draft:
        """Draw two objects in contact on free floor, and move them apart for ``no``."""
        models = world.models((0.10, 0.26), (0.10, 0.22))
        pair = world.pair_rng("objects")
        kinds = pick.different(models, len(NAMES), pair)
        palette = int(pair.integers(4))
        room = draw_room(world.home, pair, radius=0.6)
        floor = FreeFloor(world.home, room)

        rng = world.rng
        scales = [pick.scale_of(rng) for _ in kinds]
        reach = sum(
            float(np.linalg.norm(assets.get(*kind).size[:2])) / 2 * scale
            for kind, scale in zip(kinds, scales, strict=True)
        )
        camera, middle = _draw_view(floor, rng, 2.0 * reach + 0.1)
        forward = middle - np.asarray(camera.position)[:2]
        # Obliquely one behind the other, so that both are seen and their masks adjoin.
        angle = float(np.arctan2(forward[1], forward[0]))
        angle += float(rng.choice([-1.0, 1.0])) * float(np.radians(rng.uniform(15.0, 50.0)))
        # Which of the two is the nearer one is drawn, too.
        way = float(rng.choice([-1.0, 1.0])) * np.array([np.cos(angle), np.sin(angle)])
        yaws = rng.uniform(-np.pi, np.pi, size=2)
        placed = []
        for k, (category, model) in enumerate(kinds):
            placed.append(
                stand(
                    NAMES[k],
                    category,
                    model,
                    middle + (-0.5, 0.5)[k] * reach * way,
                    float(yaws[k]),
                    scale=scales[k],
                    room=room.id,
                    palette=palette,
                )
            )
        touching = _touch(placed[0], placed[1], way)
        if touching is None:
            raise PlacementRejected("no_contact")
        # Both worlds must do: what is rejected does not depend on the answer.
        apart = _part(touching, camera, _DRAFT_PX, rng)
        if apart is None:
            raise PlacementRejected("gap_shows")
        if not _both_show(touching, camera):
            raise PlacementRejected("one_hides_the_other")
        tops = np.array([(*obj.position[:2], 0.1) for obj in touching])
        if not geo.occlusion.visible(world.home.scene, [camera.position], tops).all():
            raise PlacementRejected("pair_hidden")

        words = [pick.noun(kinds[k][0]) for k in rng.permutation(2)]
        text = TEXTS[int(rng.integers(len(TEXTS)))].format(a=words[0], b=words[1])
        return Draft(
            want=want,
            question=Question(
                text=text, options=tuple(str(o) for o in rng.permutation(self.answers))
            ),
            camera=camera,
            objects=touching if want == "yes" else apart,
            targets=NAMES,
            public={
                "objects": [{"category": c, "model": m} for c, m in sorted(kinds)],
                "bounds": views.floor_bounds(world.home, margin=0.0),
            },
            notes={
                "twin": [
                    obj.model_dump(mode="json") for obj in (apart if want == "yes" else touching)
                ]
            },
        )

    def label(self, snapshot: Snapshot, draft: Draft) -> Evidence:
        """Mesh distance, and the widest gap between the two in any horizontal direction."""
        first, second = (snapshot.index(name) for name in draft.targets)
        distance = float(geo.distance.object_distance(snapshot.scene, first, second).distance)
        corners = [
            snapshot.scene.world_triangles(index).reshape(-1, 3)[:, :2] for index in (first, second)
        ]
        gap = float(_gaps(*(_support(points) for points in corners)).max())
        numbers = {"distance": distance, "gap": gap}
        if distance <= TOUCHING:
            return Evidence(answer="yes", method="mesh_distance", numbers=numbers)
        if gap >= APART:
            return Evidence(answer="no", method="mesh_distance", numbers=numbers)
        raise PlacementRejected("gap_between", **numbers)

    def witness(self, sim: Simulator, snapshot: Snapshot, draft: Draft) -> Evidence:
        """The engine's contacts over ten steps, and whether background shows between from above."""
        middle = np.mean([snapshot.centers()[snapshot.index(n)] for n in draft.targets], axis=0)
        camera = views.camera_at(
            (float(middle[0]), float(middle[1]), 1.6), yaw=0.0, pitch=-np.pi / 2, vfov_deg=40.0
        )
        ids = sim.render([camera], ("ids",))[0].ids
        if ids is None:
            raise RuntimeError("render: asked for ids, got none")
        first, second = (ids == snapshot.index(name) for name in draft.targets)
        if not first.any() or not second.any():
            raise PlacementRejected("hidden_from_above")
        between = _apart_px(first, second)
        token, touched = sim.save(), 0
        for _ in range(STEPS):
            sim.step(STEP_SECONDS)
            now = sim.contacts()
            pairs = {frozenset(now.ids[k] for k in pair) for pair in now.pairs.tolist()}
            touched += frozenset(draft.targets) in pairs
        sim.restore(token)
        numbers = {"steps_in_contact": float(touched), "background_px": between}
        if touched == STEPS and between <= 1.0:
            return Evidence(answer="yes", method="engine_and_view", numbers=numbers)
        if touched == 0 and between >= SEPARATE_PX:
            return Evidence(answer="no", method="engine_and_view", numbers=numbers)
        raise PlacementRejected("contact_unclear", **numbers)

    def checks(self, world: World, snapshot: Snapshot, draft: Draft) -> list[CheckResult]:
        """In view 0 both are seen, masks adjoin, and the other answer's world looks the same."""
        ids = world.sim.render([draft.camera], ("ids",))[0].ids
        if ids is None:
            raise RuntimeError("render: asked for ids, got none")
        first, second = (ids == snapshot.index(name) for name in draft.targets)
        border = len(_border(first, second)[0])
        smaller = min(int(first.sum()), int(second.sum()))
        found = [
            CheckResult(
                name="masks_adjoin", passed=border >= MIN_BORDER, numbers={"pixels": float(border)}
            ),
            CheckResult(
                name="both_seen", passed=smaller >= MIN_PIXELS, numbers={"pixels": float(smaller)}
            ),
        ]
        if all(check.passed for check in found):
            twin = [ObjectSpec.model_validate(data) for data in draft.notes["twin"]]
            gap = views.first_view_gap(world.sim, draft, twin)
            passed = gap <= EQUAL_PX
            found.append(
                CheckResult(name="twin_view_0", passed=passed, numbers={"outline_px": gap})
            )
        return found

    def still_possible(self, history: Sequence[FrameRecord], public: JsonDict) -> frozenset[str]:
        """What each frame excludes by itself.

        Things that touch have masks that adjoin in every view that shows the whole outline of
        both: the pixel of the contact lies in both outlines. Masks that adjoin where the camera
        looks straight down leave no room for a gap.
        """
        kept = set(self.answers)
        for frame in history:
            if "yes" in kept and _separate(frame, public):
                kept.discard("yes")
            if "no" in kept and _most_apart(frame, public) < APART:
                kept.discard("no")
        return frozenset(kept)

    def places(self, history: Sequence[FrameRecord], public: JsonDict) -> list[FloatArray]:
        """The middle of what each object's outlines allow."""
        return middles(history, public, resolution=0.03)

    def goals(
        self, camera: CameraSpec, points: Sequence[FloatArray], public: JsonDict
    ) -> list[Goal]:
        """Over the middle of both, from where a gap would show."""
        if len(points) < len(NAMES):
            return viewpoints(camera, points, self.vantages)
        middle = np.mean(points, axis=0)
        away = middle[:2] - np.asarray(camera.position)[:2]
        ahead = away / max(float(np.linalg.norm(away)), 1e-6)
        found = []
        for height in HEIGHTS:
            down = np.append(middle[:2] + AHEAD * height * ahead, 0.0)
            found.append(Goal("above", np.append(middle[:2], height), down))
        return [*found, *viewpoints(camera, points, ("above", "steep"))]

    def twin(
        self, snapshot: Snapshot, draft: Draft, rng: np.random.Generator
    ) -> tuple[ObjectSpec, ...] | None:
        """The objects slid along the rays of the first view, apart or together."""
        now = tuple(snapshot.objects[snapshot.index(name)] for name in draft.targets)
        if self.label(snapshot, draft).answer == "yes":
            return _part(now, draft.camera, _TWIN_PX, rng)
        return _join(now, draft.camera, _TWIN_PX, rng)


# --- arranging -----------------------------------------------------------------------------------


def _draw_view(
    floor: FreeFloor, rng: np.random.Generator, radius: float
) -> tuple[CameraSpec, FloatArray]:
    """A first camera and a place (2,) before it with ``radius`` / 2 metres of free floor around."""
    count = 512
    low, high = np.asarray(floor.room.lower), np.asarray(floor.room.upper)
    spots = rng.uniform(low, high, size=(count, 2))
    headings = rng.uniform(-np.pi, np.pi, size=count)
    ahead = np.column_stack((np.cos(headings), np.sin(headings)))
    eyes = spots - rng.uniform(*DISTANCE, size=(count, 1)) * ahead
    good = floor.is_free(spots, radius / 2 + 0.05) & floor.is_free(eyes, 0.2)
    if not good.any():
        raise PlacementRejected("pair_blocked", radius=radius)
    k = int(np.argmax(good))
    # Not always in the middle of the picture.
    camera = views.camera_at(
        (float(eyes[k, 0]), float(eyes[k, 1]), EYE_HEIGHT),
        yaw=float(headings[k]) + float(np.radians(rng.uniform(-8.0, 8.0))),
        pitch=0.0,
        vfov_deg=60.0,
    )
    return camera, np.asarray(spots[k])


@lru_cache(maxsize=512)
def _solid(category: str, model: str) -> FloatArray:
    """Triangles (T, 3, 3) of a model's collision pieces, in its frame at scale 1."""
    triangles = []
    for piece in assets.get(category, model).convex:
        points = np.asarray(piece, dtype=float)
        triangles.append(points[ConvexHull(points).simplices])
    return np.concatenate(triangles)


def _triangles(obj: ObjectSpec) -> FloatArray:
    turn = geo.transforms.quat_to_matrix(np.asarray(obj.orientation))
    local = _solid(obj.category, obj.model) * np.asarray(obj.scale)
    return np.asarray(local @ turn.T + np.asarray(obj.position))


def _touch(
    one: ObjectSpec, other: ObjectSpec, way: FloatArray
) -> tuple[ObjectSpec, ObjectSpec] | None:
    """The two pushed together along ``way`` (2,), from the first to the second, till they meet.

    Where surfaces are d apart, no push of d makes them overlap. ``None`` where they do not come
    near in a hundred pushes, or began too near.
    """
    still, moving = _triangles(one), _triangles(other)
    push = np.append(way, 0.0)
    # From well apart: models may be longer than their size along the diagonal.
    shift = 0.3
    for _ in range(100):
        gap = float(geo.distance.mesh_distance(still, moving + shift * push).distance)
        if gap <= _NEAR[1]:
            break
        shift -= gap - _NEAR[0]
    if not _NEAR[0] / 2 <= gap <= _NEAR[1]:
        return None
    half = 0.5 * shift * push
    return _shifted(one, -half), _shifted(other, half)


def _shifted(obj: ObjectSpec, offset: FloatArray) -> ObjectSpec:
    x, y, z = np.asarray(obj.position) + offset
    return obj.model_copy(update={"position": (float(x), float(y), float(z))})


def _ranges(
    pair: Sequence[ObjectSpec], camera: CameraSpec, pixels: float
) -> list[tuple[float, float]]:
    return [slide.factors_of(obj, camera, np.asarray(obj.position)[:2], pixels) for obj in pair]


def _part(
    pair: tuple[ObjectSpec, ...], camera: CameraSpec, pixels: float, rng: np.random.Generator
) -> tuple[ObjectSpec, ...] | None:
    """The two slid along the camera's rays until a gap lies between them."""
    ranges = np.array(_ranges(pair, camera, pixels))
    factor = rng.uniform(ranges[:, 0], ranges[:, 1], size=(512, 2))
    foot = np.asarray(camera.position)[:2]
    supports = [_support(_triangles(obj).reshape(-1, 3)[:, :2] - foot) for obj in pair]
    # What is enlarged about the camera's foot has its support enlarged.
    gap = _gaps(*(factor[:, k, None] * supports[k] for k in (0, 1))).max(axis=-1)
    good = factor[(gap >= _GAP[0]) & (gap <= _GAP[1])]
    if not len(good):
        return None
    return tuple(slide.slid(obj, camera, float(k)) for obj, k in zip(pair, good[0], strict=True))


def _join(
    pair: tuple[ObjectSpec, ...], camera: CameraSpec, pixels: float, rng: np.random.Generator
) -> tuple[ObjectSpec, ...] | None:
    """The two slid along the camera's rays until they touch."""
    ranges = _ranges(pair, camera, pixels)
    foot = np.asarray(camera.position)[:2]
    near = int(np.argmin([np.hypot(*(np.asarray(obj.position)[:2] - foot)) for obj in pair]))
    far = 1 - near
    corners = _triangles(pair[far]).reshape(-1, 3)[:, :2]
    reach = float(np.linalg.norm(corners - foot, axis=1).max())
    for _ in range(12):
        # The nearer one goes back by a part of what it may, then the farther one comes to it.
        push = float(rng.uniform(0.3, 1.0))
        moved = slide.slid(pair[near], camera, 1.0 + push * (ranges[near][1] - 1.0))
        still, factor, gap = _triangles(moved), 1.0, np.inf
        for _ in range(60):
            other = slide.slid(pair[far], camera, factor)
            gap = float(geo.distance.mesh_distance(still, _triangles(other)).distance)
            if gap <= _NEAR[1] or factor < ranges[far][0]:
                break
            factor -= (gap - _NEAR[0]) / reach
        if _NEAR[0] / 2 <= gap <= _NEAR[1] and factor >= ranges[far][0]:
            return (moved, other) if near == 0 else (other, moved)
    return None


def _both_show(pair: Sequence[ObjectSpec], camera: CameraSpec) -> bool:
    """Whether the outlines of both share columns of the picture, and the farther one has its own.

    A first look at what ``checks`` counts in the picture.
    """
    lens, eye = views.pinhole(camera), np.asarray(camera.position)
    order = sorted(pair, key=lambda obj: float(np.linalg.norm(np.asarray(obj.position) - eye)))
    seen = [lens.project(_triangles(obj).reshape(-1, 3)).pixels for obj in order]
    (near_low, _), (near_high, _) = seen[0].min(axis=0), seen[0].max(axis=0)
    (far_low, far_top), (far_high, far_bottom) = seen[1].min(axis=0), seen[1].max(axis=0)
    shared = min(near_high, far_high) - max(near_low, far_low)
    own = (far_high - far_low) - max(shared, 0.0)
    return bool(shared >= 2.0 and 0.7 * own * (far_bottom - far_top) >= MIN_PIXELS)


# --- measuring -----------------------------------------------------------------------------------


def _support(points: FloatArray) -> FloatArray:
    """How far points (N, 2) reach in each of the directions (720,)."""
    hull = points[ConvexHull(points).vertices]
    ways = np.stack((np.cos(_WAYS), np.sin(_WAYS)))
    return np.asarray((hull @ ways).max(axis=0))


def _gaps(one: FloatArray, other: FloatArray) -> FloatArray:
    """Gap (..., 720) from the first to the second along each direction; negative: they overlap."""
    back = np.roll(other, len(_WAYS) // 2, axis=-1)
    return np.asarray(-back - one)


def _apart_px(first: BoolArray, second: BoolArray) -> float:
    """Pixels of other things between two masks: 0 for masks that adjoin."""
    return float(ndimage.distance_transform_edt(~first)[second].min()) - 1.0


class _Border(NamedTuple):
    """Where two masks adjoin: pixels (N, 2) (column, row) of each side, centres."""

    first: FloatArray
    second: FloatArray


def _border(first: BoolArray, second: BoolArray) -> _Border:
    ones, others = [], []
    for a, b, flip in ((first, second, False), (second, first, True)):
        for axis in (0, 1):
            low = [slice(None), slice(None)]
            high = [slice(None), slice(None)]
            low[axis], high[axis] = slice(None, -1), slice(1, None)
            rows, cols = np.nonzero(a[tuple(low)] & b[tuple(high)])
            here = np.column_stack((cols, rows)) + 0.5
            there = here + (np.array([0.0, 1.0]) if axis == 0 else np.array([1.0, 0.0]))
            ones.append(there if flip else here)
            others.append(here if flip else there)
    return _Border(np.concatenate(ones), np.concatenate(others))


# --- observing -----------------------------------------------------------------------------------


def _masks(frame: FrameRecord, public: JsonDict) -> list[BoolArray] | None:
    runs = [frame.masks.get(kind["category"]) for kind in public["objects"]]
    shape = (frame.camera.height, frame.camera.width)
    found = [decode_mask(run, shape) for run in runs if run is not None]
    return found if len(found) == len(runs) and all(mask.any() for mask in found) else None


def _separate(frame: FrameRecord, public: JsonDict) -> bool:
    """Whether both show their whole outline with so much background between that they are apart.

    In a world of the same history whose objects touch, masks adjoin there; each edge may be drawn
    ``TWO_EDGES_PX`` / 2 off.
    """
    for kind in public["objects"]:
        parts = extents(frame, kind["category"])
        if len(parts) != 1 or parts[0].free_edges < 4:
            return False
    masks = _masks(frame, public)
    return masks is not None and _apart_px(*masks) > TWO_EDGES_PX + 1.0


def _most_apart(frame: FrameRecord, public: JsonDict) -> float:
    """The widest horizontal gap (m) that the two may have, as their masks adjoin in this frame.

    The two pixels of a place of the border show a point of each object, somewhere on their rays
    between the floor and the height of the tallest: points of the two that are so near leave no
    wider gap in any direction. Infinite where masks do not adjoin or rays do not go down.
    """
    masks = _masks(frame, public)
    if masks is None:
        return np.inf
    border = _border(*masks)
    if not len(border.first):
        return np.inf
    lens = views.pinhole(frame.camera)
    focal = lens.height / 2 / np.tan(np.radians(frame.camera.vfov_deg) / 2)
    ends, slack = [], np.zeros(len(border.first))
    for kind, pixels in zip(public["objects"], border, strict=True):
        origins, rays = lens.rays(pixels)
        top = 2.0 * shape_of(kind["category"], kind["model"]).half_height * SCALE_RANGE[1]
        down = -rays[:, 2]
        steep = down > 0.5
        height = np.broadcast_to(origins, rays.shape)[:, 2]
        if not steep.any():
            return np.inf
        safe = np.where(steep, down, 1.0)
        ends.append(
            [
                np.broadcast_to(origins, rays.shape)[:, :2]
                + rays[:, :2] * ((height - z) / safe)[:, None]
                for z in (-REST_TOLERANCE, top + REST_TOLERANCE)
            ]
        )
        # A pixel is an angle of at most 1 / focal; on the floor it is wider by the slant.
        slack += np.where(steep, TWO_EDGES_PX / 2 * height / (focal * safe**2), np.inf)
    widest = np.max([np.linalg.norm(a - b, axis=1) for a in ends[0] for b in ends[1]], axis=0)
    return float((widest + slack).min())
