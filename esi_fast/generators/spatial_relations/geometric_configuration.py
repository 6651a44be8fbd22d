"""Which triangle do three objects form: equilateral, isosceles or irregular? (appendix Q.9)

Three objects stand on the floor. The first view looks at them level from near the floor, where
depth, and so the shape of the triangle, cannot be told from outlines; views from above can.
Every draft is drawn together with the worlds of the other two answers: the same objects moved
along the rays of the first view and scaled with their distance, so that all three begin alike.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.errors import PlacementRejected, SceneUnsuitable
from esi_fast.generators import pick, slide, views
from esi_fast.generators.base import Draft, Task, World
from esi_fast.generators.goals import Goal, viewpoints
from esi_fast.generators.observer.localise import Cells
from esi_fast.generators.observer.standing import middles, standing, thin
from esi_fast.generators.place import FreeFloor, draw_room, stand
from esi_fast.generators.topview import spots_from_above
from esi_fast.records import CameraSpec, CheckResult, Evidence, FrameRecord, ObjectSpec, Question
from esi_fast.registry import register
from esi_fast.sim.base import Simulator, Snapshot
from esi_fast.types import BoolArray, FloatArray, JsonDict

__all__ = ["GeometricConfiguration"]

NAMES = ("first", "second", "third")
ANSWERS = ("equilateral", "isosceles", "irregular")
# TASKS: sides are equal within 2 % and differ by at least 15 %.
EQUAL, DISTINCT = 0.02, 0.15
# TASKS: threshold of the witness, between the two.
WITNESS_EQUAL = 0.08
# Appendix Q.9: sides, metres, and the largest ratio of footprints.
SIDES = (0.40, 0.65)
FOOTPRINTS = 2.0
# Grazing: just above the 0.1 m sphere that the camera is.
EYE_HEIGHT = 0.12
DISTANCE = (2.3, 2.8)
# Drafts keep this far within the label's gap and the range of sides: things settle a little.
_EQUAL, _DISTINCT, _SIDES = 0.01, 0.165, (0.405, 0.645)
# Of a draft's world against the one in the middle of all three, and of a twin against a draft:
# masks of worlds are equal within 2 px, of which rounding to pixels takes some.
_DRAFT_PX, _TWIN_PX = 0.85, 1.7
# Places are wanted more finely than by default, 2 % of a side being a centimetre, once they are
# known to within ``SPREAD``: before that they leave all kinds open anyway (metres).
COARSE, FINE, SPREAD = 0.02, 0.0026, 0.15
# Possible places of one object, at most, and how far apart (m).
CENTERS, STEP = 80, 0.003
# Where to look from for that: the whole triangle fits in the picture, and 2 px are 5 mm.
REACHES, ELEVATIONS, TURNS = (1.0, 0.85), (50.0, 65.0), (0.0, 45.0, -45.0)

TEXTS = (
    "Picture a triangle on the floor with the {a}, the {b} and the {c} at its corners. "
    "Is it equilateral, isosceles (exactly two sides equal) or irregular?",
    "The {a}, the {b} and the {c} are the corners of a triangle. Are all three sides equal "
    "(equilateral), exactly two (isosceles) or none (irregular)?",
    "Which kind of triangle do the {a}, the {b} and the {c} form: equilateral, isosceles "
    "with exactly two equal sides, or irregular?",
)


@register("task", "spatial_relations/geometric_configuration")
class GeometricConfiguration(Task):
    """The kind of a triangle; answers ``equilateral``, ``isosceles``, ``irregular``."""

    answers = ANSWERS
    vantages = ("steep", "above")

    def build(self, world: World, want: str) -> Draft:
        """Draw bearings and depths that leave all three kinds possible; take the wanted one."""
        models = world.models((0.07, 0.24), (0.10, 0.30))
        kinds = _draw_kinds(models, world.pair_rng("objects"))
        pair = world.pair_rng("room")
        palette = int(pair.integers(4))
        room = draw_room(world.home, pair, radius=0.8)
        floor = FreeFloor(world.home, room)

        rng = world.rng
        scales = _draw_scales(kinds, rng)
        yaws = rng.uniform(-np.pi, np.pi, size=3)
        radii = np.array(
            [
                np.linalg.norm(assets.get(*kind).size[:2]) / 2 * scale
                for kind, scale in zip(kinds, scales, strict=True)
            ]
        )
        camera, centers = _draw_triangle(floor, rng, radii)
        ranges = [
            slide.factors(camera, center, float(radius), scale, _DRAFT_PX)
            for center, radius, scale in zip(centers, radii, scales, strict=True)
        ]
        found = _factors(camera, centers, ranges, rng)
        if len(found) < len(ANSWERS):
            raise PlacementRejected("not_all_kinds", found=len(found))
        tops = np.column_stack((centers, [0.1] * 3))
        if not geo.occlusion.visible(world.home.scene, [camera.position], tops).all():
            raise PlacementRejected("triangle_hidden")

        base = []
        for k, (category, model) in enumerate(kinds):
            yaw, scale = float(yaws[k]), scales[k]
            at = slide.origin_for(centers[k], category, model, yaw, scale)
            base.append(
                stand(
                    NAMES[k],
                    category,
                    model,
                    at,
                    yaw,
                    scale=scale,
                    room=room.id,
                    palette=palette,
                )
            )
        worlds = {
            answer: tuple(
                slide.slid(obj, camera, float(k)) for obj, k in zip(base, factor, strict=True)
            )
            for answer, factor in found.items()
        }
        # All three worlds must do: what is rejected does not depend on the answer.
        for answer, factor in found.items():
            places = slide.moved(camera, centers, factor)
            if not floor.is_free(places, float((radii * factor).max()) + 0.02).all():
                raise PlacementRejected("triangle_blocked")
            if _footprint_ratio(worlds[answer]) > FOOTPRINTS:
                raise PlacementRejected("footprints_differ")
        words = [pick.noun(kinds[k][0]) for k in rng.permutation(3)]
        text = TEXTS[int(rng.integers(len(TEXTS)))].format(a=words[0], b=words[1], c=words[2])
        return Draft(
            want=want,
            question=Question(text=text, options=tuple(str(o) for o in rng.permutation(ANSWERS))),
            camera=camera,
            objects=worlds[want],
            targets=NAMES,
            public={
                "objects": [{"category": c, "model": m} for c, m in sorted(kinds)],
                "bounds": views.floor_bounds(world.home, margin=0.0),
            },
        )

    def label(self, snapshot: Snapshot, draft: Draft) -> Evidence:
        """The ratios of the sides between box centres."""
        centers = np.stack([snapshot.centers()[snapshot.index(name)] for name in draft.targets])
        centers[:, 2] = 0.0
        found = geo.relations.triangle_class(centers, equal=EQUAL, distinct=DISTINCT)
        short, middle, long = np.sort(found.sides)
        numbers = {
            "shortest": float(short),
            "middle_ratio": float(middle / short),
            "longest_ratio": float(long / middle),
        }
        if not SIDES[0] <= short <= long <= SIDES[1]:
            raise PlacementRejected("sides_out_of_range", **numbers)
        if int(found.kind) == geo.relations.TriangleKind.UNDECIDED:
            raise PlacementRejected("sides_between", **numbers)
        return Evidence(answer=_name(int(found.kind)), method="box_centers", numbers=numbers)

    def witness(self, sim: Simulator, snapshot: Snapshot, draft: Draft) -> Evidence:
        """The same ratios from a picture taken from above."""
        a, b, c = spots_from_above(sim, snapshot, draft.targets)
        sides = sorted(float(np.hypot(*(p - q))) for p, q in ((a, b), (b, c), (a, c)))
        steps = (sides[1] / sides[0] - 1.0, sides[2] / sides[1] - 1.0)
        same = sum(step <= WITNESS_EQUAL for step in steps)
        return Evidence(
            answer=("irregular", "isosceles", "equilateral")[same],
            method="view_from_above",
            numbers={"middle_ratio": 1.0 + steps[0], "longest_ratio": 1.0 + steps[1]},
        )

    def checks(self, world: World, snapshot: Snapshot, draft: Draft) -> list[CheckResult]:
        """No object dwarfs another one."""
        settled = tuple(snapshot.objects[snapshot.index(name)] for name in draft.targets)
        ratio = _footprint_ratio(settled)
        return [
            CheckResult(name="footprints", passed=ratio <= FOOTPRINTS, numbers={"ratio": ratio})
        ]

    def still_possible(self, history: Sequence[FrameRecord], public: JsonDict) -> frozenset[str]:
        """The kinds of all triples of places that explain the outlines and obey the guards."""
        kinds = frozenset(ANSWERS)
        for resolution in (COARSE, FINE):
            found = [standing(history, k, public, resolution=resolution) for k in public["objects"]]
            cells = [one for one in found if one is not None]
            if len(cells) < len(found):
                break
            kinds = _kinds(cells)
            if len(kinds) < 2 or max(float(np.ptp(c.center, axis=0).max()) for c in cells) > SPREAD:
                break
        return kinds

    def places(self, history: Sequence[FrameRecord], public: JsonDict) -> list[FloatArray]:
        """The middle of what each object's outlines allow."""
        return middles(history, public, resolution=COARSE)

    def goals(
        self, camera: CameraSpec, points: Sequence[FloatArray], public: JsonDict
    ) -> list[Goal]:
        """Down on all three from so near that places are known to the centimetre."""
        if len(points) < len(NAMES):
            return viewpoints(camera, points, self.vantages)
        middle = np.mean(points, axis=0)
        away = np.asarray(camera.position)[:2] - middle[:2]
        azimuth = float(np.arctan2(away[1], away[0]))
        found = []
        for reach, elevation, turn in itertools.product(REACHES, ELEVATIONS, TURNS):
            rise, angle = np.radians(elevation), azimuth + np.radians(turn)
            way = np.array(
                [np.cos(rise) * np.cos(angle), np.cos(rise) * np.sin(angle), np.sin(rise)]
            )
            found.append(Goal("steep", middle + reach * way, middle))
        return found

    def twin(
        self, snapshot: Snapshot, draft: Draft, rng: np.random.Generator
    ) -> tuple[ObjectSpec, ...] | None:
        """The objects slid along the rays of the first view to form another triangle."""
        now = [snapshot.objects[snapshot.index(name)] for name in draft.targets]
        centers, ranges = slide.freedom(snapshot, draft.camera, draft.targets, _TWIN_PX)
        label = self.label(snapshot, draft).answer
        found = _factors(draft.camera, centers, ranges, rng)
        for kind in rng.permutation(sorted(set(found) - {label})):
            objects = tuple(
                slide.slid(obj, draft.camera, float(k))
                for obj, k in zip(now, found[str(kind)], strict=True)
            )
            if _footprint_ratio(objects) <= FOOTPRINTS:
                return objects
        return None


def _name(kind: int) -> str:
    kinds = geo.relations.TriangleKind
    return dict(zip((kinds.EQUILATERAL, kinds.ISOSCELES, kinds.SCALENE), ANSWERS, strict=True))[
        kinds(kind)
    ]


def _draw_kinds(
    models: Sequence[tuple[str, str]], rng: np.random.Generator
) -> list[tuple[str, str]]:
    """Three models of different categories of which none dwarfs another (appendix Q.9)."""
    # Room for scales: they are drawn within 20 % each, and moved with the distance.
    for _ in range(200):
        kinds = pick.different(models, len(NAMES), rng)
        areas = [float(np.prod(assets.get(*kind).size[:2])) for kind in kinds]
        if max(areas) <= FOOTPRINTS * min(areas):
            return kinds
    raise SceneUnsuitable("footprints_differ", tried=200)


def _draw_scales(kinds: Sequence[tuple[str, str]], rng: np.random.Generator) -> list[float]:
    """Hidden scales with which no footprint is much larger than another one."""
    areas = np.array([np.prod(assets.get(*kind).size[:2]) for kind in kinds])
    for _ in range(100):
        scales = np.array([pick.scale_of(rng) for _ in kinds])
        shown = areas * scales**2
        if shown.max() <= 0.8 * FOOTPRINTS * shown.min():
            break
    else:
        raise PlacementRejected("footprints_differ")
    return [float(scale) for scale in scales]


def _footprint_ratio(objects: Sequence[ObjectSpec]) -> float:
    areas = [
        float(np.prod(np.asarray(assets.get(o.category, o.model).size[:2]) * o.scale[:2]))
        for o in objects
    ]
    return max(areas) / min(areas)


def _draw_triangle(
    floor: FreeFloor, rng: np.random.Generator, radii: FloatArray
) -> tuple[CameraSpec, FloatArray]:
    """A first camera and three places (3, 2) on free floor, about as far apart as sides are.

    Seen from the camera they stand side by side.
    """
    count = 512
    low, high = np.asarray(floor.room.lower), np.asarray(floor.room.upper)
    middles_ = rng.uniform(low, high, size=(count, 2))
    headings = rng.uniform(-np.pi, np.pi, size=count)
    ahead = np.column_stack((np.cos(headings), np.sin(headings)))
    eyes = middles_ - rng.uniform(*DISTANCE, size=(count, 1)) * ahead
    side = rng.uniform(0.46, 0.60, size=(count, 1))
    angles = rng.uniform(-np.pi, np.pi, size=(count, 1)) + np.arange(3) * 2.0 * np.pi / 3.0
    offsets = side[..., None] / np.sqrt(3.0) * np.stack((np.cos(angles), np.sin(angles)), axis=-1)
    # A triangle that is none of the three kinds in particular.
    offsets += rng.uniform(-0.05, 0.05, size=(count, 3, 1)) * ahead[:, None]
    spots = middles_[:, None] + offsets
    good = floor.is_free(spots.reshape(-1, 2), float(radii.max()) + 0.05).reshape(-1, 3).all(axis=1)
    good &= floor.is_free(eyes, 0.2)
    rays = spots - eyes[:, None]
    bearing = np.arctan2(
        ahead[:, None, 0] * rays[..., 1] - ahead[:, None, 1] * rays[..., 0],
        (rays * ahead[:, None]).sum(axis=-1),
    )
    half = np.arcsin(np.minimum(radii / np.linalg.norm(rays, axis=-1), 1.0))
    for i, j in ((0, 1), (0, 2), (1, 2)):
        good &= np.abs(bearing[:, i] - bearing[:, j]) > half[:, i] + half[:, j] + np.radians(0.5)
    if not good.any():
        raise PlacementRejected("triangle_blocked")
    k = int(np.argmax(good))
    camera = views.camera_at(
        (float(eyes[k, 0]), float(eyes[k, 1]), EYE_HEIGHT),
        yaw=float(headings[k]),
        pitch=0.0,
        vfov_deg=60.0,
    )
    return camera, np.asarray(spots[k])


def _factors(
    camera: CameraSpec,
    centers: FloatArray,
    ranges: Sequence[tuple[float, float]],
    rng: np.random.Generator,
) -> dict[str, FloatArray]:
    """By answer, how far (3,) to slide the three places (3, 2) within their ranges to get it."""
    low, high = np.array(ranges).T
    count = 4096
    # Sliding freely makes irregular triangles; with two equal sides: the corner between them lies
    # where its ray meets the bisector of the other two.
    free = rng.uniform(low, high, size=(count, 3))
    tried = [free]
    foot = np.asarray(camera.position)[:2]
    for apex in range(3):
        ray = centers[apex] - foot
        p, q = (free[:, k, None] * (centers[k] - foot) for k in range(3) if k != apex)
        across = 2.0 * (p - q) @ ray
        even = free.copy()
        with np.errstate(divide="ignore", invalid="ignore"):
            even[:, apex] = ((p**2).sum(axis=1) - (q**2).sum(axis=1)) / across
        tried.append(even[np.isfinite(even[:, apex])])
    # With three: the first of them, from where the other two are a side away each.
    tried.append(_equilateral(centers - foot, low, high))
    factor = np.concatenate(tried)
    factor = factor[((factor >= low) & (factor <= high)).all(axis=1)]
    places = slide.moved(camera, centers, factor)
    flat = np.concatenate((places, np.zeros((*places.shape[:2], 1))), axis=-1)
    kind, sides, _ = geo.relations.triangle_class(flat, equal=_EQUAL, distinct=_DISTINCT)
    good = (sides.min(axis=1) >= _SIDES[0]) & (sides.max(axis=1) <= _SIDES[1])
    found = {}
    for which in (1, 2, 3):
        options = factor[good & (kind == which)]
        if len(options):
            found[_name(which)] = np.asarray(options[int(rng.integers(len(options)))])
    return found


def _equilateral(rays: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Factors (N, 3) that make rays (3, 2) the corners of triangles with equal sides, nearly."""
    first, side = np.meshgrid(
        np.linspace(low[0], high[0], 61), np.linspace(*_SIDES, 61), indexing="ij"
    )
    corner = first.ravel()[:, None] * rays[0]
    ends = []
    for ray in rays[1:]:
        # |t ray - corner| = side
        a, b = float(ray @ ray), corner @ ray
        inner = b**2 - a * ((corner**2).sum(axis=1) - side.ravel() ** 2)
        root = np.sqrt(np.where(inner >= 0.0, inner, np.nan))
        ends.append(((b - root) / a, (b + root) / a))
    found = [np.column_stack((first.ravel(), s, t)) for s in ends[0] for t in ends[1]]
    stacked = np.concatenate(found)
    return np.asarray(stacked[np.isfinite(stacked).all(axis=1)])


def _kinds(cells: Sequence[Cells]) -> frozenset[str]:
    """Every kind of triangle that places in the cells may form.

    Each side is known within the distances by which the two places at its ends are; a kind is
    possible when some triple has sides in these ranges, in the range of the guard, that are equal
    and distinct as the kind wants. The three conditions are put together as if they did not
    depend on each other: a bound.
    """
    if any(not len(one) for one in cells):
        return frozenset()
    (a, ra), (b, rb), (c, rc) = (thin(one, CENTERS, step=STEP) for one in cells)
    shape = (len(a), len(b), len(c))
    lows, highs = [], []
    for p, q, slack, axis in ((a, b, ra + rb, 2), (b, c, rb + rc, 0), (a, c, ra + rc, 1)):
        length = np.expand_dims(np.linalg.norm(p[:, None] - q[None], axis=-1), axis)
        lows.append(np.broadcast_to(np.maximum(length - slack, SIDES[0]), shape))
        highs.append(np.broadcast_to(np.minimum(length + slack, SIDES[1]), shape))
    inside: BoolArray = np.all([low <= high for low, high in zip(lows, highs, strict=True)], axis=0)
    pairs = ((0, 1), (1, 2), (0, 2))
    same = [
        (lows[i] <= (1.0 + EQUAL) * highs[j]) & (lows[j] <= (1.0 + EQUAL) * highs[i])
        for i, j in pairs
    ]
    apart = [
        (highs[i] >= (1.0 + DISTINCT) * lows[j]) | (highs[j] >= (1.0 + DISTINCT) * lows[i])
        for i, j in pairs
    ]
    two = np.any(
        [same[k] & apart[(k + 1) % 3] & apart[(k + 2) % 3] for k in range(3)],
        axis=0,
    )
    holds = (np.all(same, axis=0), two, np.all(apart, axis=0))
    return frozenset(
        answer for answer, some in zip(ANSWERS, holds, strict=True) if (some & inside).any()
    )
