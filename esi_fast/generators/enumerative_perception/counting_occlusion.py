"""How many are there, most of them hidden? (appendix Q.19)

Three to six things of one kind stand on the floor around low furniture, all but a few hidden from
the first view. The observer knows the places where one may stand, many more than there are
things; it has to go and see which of them are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.errors import PlacementRejected, SceneUnsuitable
from esi_fast.generators import pick, views
from esi_fast.generators.base import Draft, Task, World, known_shell
from esi_fast.generators.goals import Goal
from esi_fast.generators.observer.clear import (
    SITE_JITTER,
    Body,
    House,
    Survey,
    body_of,
    house_of,
    sights,
    survey,
)
from esi_fast.generators.observer.tour import plan_tour
from esi_fast.generators.place import FreeFloor, draw_room, stand
from esi_fast.records import (
    CameraSpec,
    CheckResult,
    Evidence,
    FrameRecord,
    ObjectSpec,
    Question,
)
from esi_fast.registry import register
from esi_fast.sim.base import Simulator, Snapshot
from esi_fast.types import BoolArray, FloatArray, JsonDict

__all__ = ["CountingOcclusion"]

LEAST, MOST = 3, 6
# TASKS: at most so many are fully visible in view 0. One more at most shows in part.
MOST_OPEN, MOST_PARTIAL = 2, 1
# Appendix Q.19: no edge above 0.25 m, here at the largest scale; what is smaller than this is hard
# to make out from above the furniture.
WIDE, HIGH = (0.08, 0.18), (0.06, 0.18)
# A target that shows less of itself than this under its worst turn has too thin a core to count on.
LEAST_CORE = 0.025
# Appendix Q.19: about 1.25 m above the floor, 30 degrees downwards.
EYE_HEIGHT, PITCH_DEG = 1.25, -30.0
# From the middle of the floor in question, metres.
EYE_DISTANCE = (1.8, 2.2)
# Places: many more than targets, and enough hidden ones for the most targets and then some.
MOST_PLACES, HIDDEN_PLACES = 24, MOST
# Radius of the floor in question and of the disc in which furniture is put, metres; with what is
# kept free around places, and how far from the furniture they are at most.
REACH, FURNITURE_REACH, FURNITURE_DEPTH = 1.45, 1.1, (-0.7, 0.7)
BESIDE = (0.015, 0.48)
SPACING = 0.30
# Layouts that are drawn before the furniture itself is looked at.
LAYOUTS = 64
SCOUT_SIDE = 192
# The planned tour is shorter than an oracle may be: targets hide some of each other.
LONGEST_TOUR = 18
# The sweep of the witness: vertical rays this far apart from this height.
SWEEP_STEP, SWEEP_HEIGHT = 0.02, 2.0
# Rays that must meet a target for it to be counted there.
SWEEP_HITS = 4
# How much of its surface an open target shows at least, nothing being in the way but itself.
OPEN_SHARE = 0.98

# Furniture that hides small things: appendix Q.19, within these sizes (m).
OCCLUDERS = (
    "armchair",
    "bookcase",
    "bottom_cabinet",
    "bottom_cabinet_no_top",
    "carton",
    "console_table",
    "nightstand",
    "ottoman",
    "pedestal_table",
    "straight_chair",
)
# Categories whose names are no countable nouns.
UNCOUNTABLE = ("canned_food",)
OCCLUDER_HEIGHT, OCCLUDER_LENGTH, OCCLUDER_WIDTH = (0.44, 1.06), (0.44, 1.1), 0.28

TEXTS = (
    "How many {things} are on the floor of this room?",
    "How many {things} are there on the floor here, those hidden from where you are included?",
    "Look behind the furniture as well: how many {things} stand on the floor of this room?",
    "What is the number of {things} on the floor of this room, seen and unseen?",
)


class _Layout(NamedTuple):
    """Furniture, places (N, 2) and the first camera, and what each place is to view 0."""

    furniture: tuple[ObjectSpec, ...]
    places: FloatArray
    camera: CameraSpec
    hidden: BoolArray
    open: BoolArray


class _Piece(NamedTuple):
    """A piece of furniture: where it stands (2,), its turn, and its size (3,)."""

    category: str
    model: str
    spot: FloatArray
    yaw: float
    size: FloatArray


@register("task", "enumerative_perception/counting_occlusion")
class CountingOcclusion(Task):
    """How many; answers ``3`` to ``6``."""

    answers = tuple(str(n) for n in range(LEAST, MOST + 1))

    def build(self, world: World, want: str) -> Draft:
        """Draw furniture, places and camera, none of which knows the count; then targets."""
        pair = world.pair_rng("objects")
        category, model = _target(world, pair)
        palette = int(pair.integers(4))
        room = draw_room(world.home, pair, radius=1.2, among=2)
        body = body_of(category, model)

        rng = world.rng
        # Everything that view 0 shows is drawn before the count is used.
        things = _plural(pick.noun(category))
        text = TEXTS[int(rng.integers(len(TEXTS)))].format(things=things)
        question = Question(
            text=text,
            answer_type="count",
            options=tuple(str(o) for o in rng.permutation(self.answers)),
        )
        layout = _draw_layout(world, FreeFloor(world.home, room), category, body)
        shown = int(rng.integers(MOST_OPEN + 1)), int(rng.integers(MOST_PARTIAL + 1))
        spots = _draw_targets(layout, rng, int(want), shown)
        targets = tuple(
            _target_at(f"target_{k}", (category, model), layout.places[spot], rng, palette)
            for k, spot in enumerate(spots)
        )
        return Draft(
            want=want,
            question=question,
            camera=layout.camera,
            objects=(*layout.furniture, *targets),
            targets=tuple(obj.id for obj in targets),
            public={
                "target": {"category": category, "model": model},
                "room": room.id,
                "sites": [[float(x), float(y)] for x, y in layout.places],
            },
            notes={
                "hidden": [o.id for o, s in zip(targets, spots, strict=True) if layout.hidden[s]],
                "open": [o.id for o, s in zip(targets, spots, strict=True) if layout.open[s]],
            },
        )

    def label(self, snapshot: Snapshot, draft: Draft) -> Evidence:
        """The targets whose box centre is in the room."""
        lower, upper = _room(snapshot, draft)
        centers = snapshot.centers()[:, :2]
        inside = ((centers > lower) & (centers < upper)).all(axis=1)
        wanted = draft.public["target"]["category"]
        there = np.array([o.category == wanted for o in snapshot.objects], dtype=bool)
        count = int(np.count_nonzero(inside & there))
        return _evidence(count, "objects_in_room", in_house=float(there.sum()))

    def witness(self, sim: Simulator, snapshot: Snapshot, draft: Draft) -> Evidence:
        """Different things met by a sweep of vertical rays over all of the room's free floor."""
        del sim
        lower, upper = _room(snapshot, draft)
        axes = [np.arange(lower[k] + SWEEP_STEP / 2, upper[k], SWEEP_STEP) for k in (0, 1)]
        grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
        origins = np.column_stack((grid, np.full(len(grid), SWEEP_HEIGHT)))
        down = np.broadcast_to([0.0, 0.0, -1.0], origins.shape)
        met = geo.raycast.closest(snapshot.scene, origins, down).object_id
        hits = np.bincount(met[met >= 0], minlength=len(snapshot.objects))
        wanted = draft.public["target"]["category"]
        mine = [
            int(n)
            for n, o in zip(hits, snapshot.objects, strict=True)
            if o.category == wanted and n
        ]
        if mine and min(mine) < SWEEP_HITS:
            raise PlacementRejected("sweep_grazes", rays=float(min(mine)))
        return _evidence(len(mine), "sweep_of_rays", fewest_rays=float(min(mine, default=0)))

    def still_possible(self, history: Sequence[FrameRecord], public: JsonDict) -> frozenset[str]:
        """From the fewest targets that the pixels ask for to all places not cleared."""
        found = _survey(history, public)
        return frozenset(
            answer for answer in self.answers if found.least <= int(answer) <= found.most
        )

    def places(self, history: Sequence[FrameRecord], public: JsonDict) -> list[FloatArray]:
        """The places that may be taken or not."""
        sites = public["sites"]
        height = body_of(**public["target"]).height / 2
        return [np.append(sites[k], height) for k in _survey(history, public).undecided]

    def goals(
        self, camera: CameraSpec, points: Sequence[FloatArray], public: JsonDict
    ) -> list[Goal]:
        """The stops of the tour that see any of ``points``, in its order."""
        sites = np.array(public["sites"])
        wanted = 0
        for point in points:
            wanted |= 1 << _nearest(sites, point)
        house, body = house_of(public["shell"]), body_of(**public["target"])
        tour = plan_tour(camera, house, _spots(sites), body, LONGEST_TOUR)
        return [stop.goal for stop in (*tour.stops, *tour.spare) if stop.sees & wanted]

    def twin(
        self, snapshot: Snapshot, draft: Draft, rng: np.random.Generator
    ) -> tuple[ObjectSpec, ...] | None:
        """Another number of them in the hidden places; what shows stays as it is."""
        ids = {obj.id for obj in draft.objects}
        added = [obj for obj in snapshot.objects if obj.id in ids]
        furniture = [obj for obj in added if obj.role != "question"]
        targets = [obj for obj in added if obj.role == "question"]
        sites = np.array(draft.public["sites"])
        body = body_of(**draft.public["target"])
        house = house_of(known_shell(snapshot.objects))
        hidden = _sorts(draft.camera, house, sites, body)[0]
        free = [int(k) for k in np.flatnonzero(hidden)]
        showing = [obj for obj in targets if not hidden[_nearest(sites, obj.position)]]
        counts = [
            n
            for n in range(LEAST, MOST + 1)
            if n != len(targets) and 0 <= n - len(showing) <= len(free)
        ]
        if not counts:
            return None
        count = int(rng.choice(counts))
        some = targets[0]
        spots = rng.choice(free, size=count - len(showing), replace=False)
        placed = [
            _target_at(f"twin_{k}", (some.category, some.model), sites[s], rng, some.palette)
            for k, s in enumerate(spots)
        ]
        return (*furniture, *showing, *placed)

    def checks(self, world: World, snapshot: Snapshot, draft: Draft) -> list[CheckResult]:
        """Hidden in 3D: no part of a hidden target is in sight, all of an open one is."""
        eye = [draft.camera.position]
        # What a target stands on touches its underside.
        floors = [k for k, obj in enumerate(snapshot.objects) if obj.category == "floor"]

        def shares(names: Sequence[str]) -> list[float]:
            found = [
                geo.occlusion.visible_fraction(
                    snapshot.scene, eye, snapshot.index(name), ignore=floors
                )[0]
                for name in names
            ]
            return [float(share) for share in found]

        hidden, clear = shares(draft.notes["hidden"]), shares(draft.notes["open"])
        return [
            CheckResult(
                name="hidden_in_view_0",
                passed=max(hidden, default=0.0) == 0.0
                and min(clear, default=1.0) >= OPEN_SHARE
                and len(clear) <= MOST_OPEN,
                numbers={
                    "hidden": float(len(hidden)),
                    "open": float(len(clear)),
                    "partial": float(len(draft.targets) - len(hidden) - len(clear)),
                    "most_of_hidden": max(hidden, default=0.0),
                    "least_of_open": min(clear, default=1.0),
                    "places": float(len(draft.public["sites"])),
                },
            )
        ]


def _evidence(count: int, method: str, **numbers: float) -> Evidence:
    if not LEAST <= count <= MOST:
        raise PlacementRejected("count_out_of_range", count=float(count), **numbers)
    return Evidence(answer=str(count), method=method, numbers={"count": float(count), **numbers})


def _room(snapshot: Snapshot, draft: Draft) -> tuple[FloatArray, FloatArray]:
    room = next(room for room in snapshot.rooms if room.id == draft.public["room"])
    return np.asarray(room.lower), np.asarray(room.upper)


def _survey(history: Sequence[FrameRecord], public: JsonDict) -> Survey:
    target = public["target"]
    return survey(
        history,
        target["category"],
        house=house_of(public["shell"]),
        places=public["sites"],
        body=body_of(**target),
    )


def _nearest(sites: FloatArray, point: Sequence[float] | FloatArray) -> int:
    return int(np.argmin(np.linalg.norm(sites - np.asarray(point)[:2], axis=1)))


# --- what is drawn for both members of a pair -----------------------------------------------------


def _target(world: World, pair: np.random.Generator) -> tuple[str, str]:
    """A kind of thing to count: small, and with a core that shows from every side."""
    left_out = {*OCCLUDERS, *UNCOUNTABLE}
    models = [kind for kind in world.models(WIDE, HIGH) if kind[0] not in left_out]
    categories = sorted({category for category, _ in models})
    for category in pair.permutation(categories):
        kind = pick.model_of(models, category, pair)
        body = body_of(*kind)
        if body.core_radius >= LEAST_CORE and body.core_high - body.core_low >= LEAST_CORE:
            return kind
    raise SceneUnsuitable("no_solid_models", categories=len(categories))


@lru_cache(maxsize=1)
def _occluders() -> dict[str, tuple[str, ...]]:
    """Models of furniture by category, of a size to hide small things behind."""
    found = {}
    for category in OCCLUDERS:
        fits = []
        for model, size in assets.sizes(category).items():
            short, long = sorted(float(v) for v in size[:2])
            if (
                OCCLUDER_HEIGHT[0] <= float(size[2]) <= OCCLUDER_HEIGHT[1]
                and OCCLUDER_LENGTH[0] <= long <= OCCLUDER_LENGTH[1]
                and short >= OCCLUDER_WIDTH
            ):
                fits.append(model)
        if fits:
            found[category] = tuple(sorted(fits))
    return found


def _furniture(rng: np.random.Generator, target: str) -> list[tuple[str, str]]:
    """Three or four pieces of different categories."""
    pool = {category: models for category, models in _occluders().items() if category != target}
    names = rng.choice(sorted(pool), size=int(rng.integers(3, 5)), replace=False)
    return [(str(name), str(rng.choice(pool[str(name)]))) for name in names]


def _plural(noun: str) -> str:
    """The plural of a noun of the catalogue: ``jars of jam``, ``boxes``."""
    head, of, rest = noun.partition(" of ")
    if head.endswith(("s", "x", "ch", "sh", "z")):
        head += "es"
    elif head.endswith("y") and head[-2] not in "aeiou":
        head = head[:-1] + "ies"
    else:
        head += "s"
    return head + of + rest


# --- the layout, drawn without knowing the count --------------------------------------------------


def _draw_layout(
    world: World,
    floor: FreeFloor,
    target: str,
    body: Body,
) -> _Layout:
    """The first of some draws that hides enough places by the boxes of its furniture, if the
    furniture itself does too."""
    rng = world.rng
    for center in floor.sample(rng, LAYOUTS, 1.1):
        azimuth = float(rng.uniform(-np.pi, np.pi))
        away = np.array([np.cos(azimuth), np.sin(azimuth)])
        eye = center + float(rng.uniform(*EYE_DISTANCE)) * away
        if not floor.is_free(eye, 0.2)[0]:
            continue
        pieces = _draw_furniture(floor, rng, _furniture(rng, target), center, eye)
        if pieces is None:
            continue
        camera = views.camera_at(
            (float(eye[0]), float(eye[1]), EYE_HEIGHT + float(rng.uniform(-0.05, 0.05))),
            yaw=azimuth + np.pi,
            pitch=np.radians(PITCH_DEG),
            vfov_deg=float(rng.uniform(70.0, 78.0)),
        )
        places = _draw_places(floor, rng, pieces, center, camera, body)
        if _behind(camera, pieces, places, body).sum() < HIDDEN_PLACES + 3:
            continue
        furniture = tuple(
            stand(
                f"furniture_{k}",
                piece.category,
                piece.model,
                piece.spot,
                piece.yaw,
                role="furniture",
                room=floor.room.id,
                palette=int(rng.integers(4)),
                fixed=True,
            )
            for k, piece in enumerate(pieces)
        )
        # The furniture itself hides less than its boxes.
        small = camera.model_copy(update={"width": SCOUT_SIDE, "height": SCOUT_SIDE})
        hidden, _, inside = _sorts(small, house_of(known_shell(furniture)), places, body)
        if hidden.sum() > HIDDEN_PLACES + 1:
            places = places[inside]
            break
    else:
        raise PlacementRejected("layout_blocked", tried=float(LAYOUTS))
    house = house_of(known_shell((*world.scene.objects, *furniture)))
    # Without the places out of reach the tour may be another one.
    for _ in range(3):
        reach = _in_reach(camera, house, places, body)
        places = places[reach]
        if reach.all() or len(places) < HIDDEN_PLACES:
            break
    else:
        raise PlacementRejected("tour_too_long", places=float(len(places)))
    hidden, clear, _ = _sorts(camera, house, places, body)
    if hidden.sum() < HIDDEN_PLACES or clear.sum() < MOST_OPEN:
        raise PlacementRejected(
            "few_hidden_places", hidden=float(hidden.sum()), open=float(clear.sum())
        )
    return _Layout(furniture, places, camera, hidden, clear)


def _spots(places: FloatArray) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in places)


def _in_reach(camera: CameraSpec, house: House, places: FloatArray, body: Body) -> BoolArray:
    """Which places are seen by a tour that is not too long."""
    sees = plan_tour(camera, house, _spots(places), body, LONGEST_TOUR).sees
    return np.array([sees >> k & 1 for k in range(len(places))], dtype=bool)


def _draw_furniture(
    floor: FreeFloor,
    rng: np.random.Generator,
    kinds: Sequence[tuple[str, str]],
    center: FloatArray,
    eye: FloatArray,
) -> list[_Piece] | None:
    """Pieces at random places and turns before the middle, apart; ``None`` where one has none."""
    found: list[_Piece] = []
    ahead = (center - eye) / np.linalg.norm(center - eye)
    across = np.array([-ahead[1], ahead[0]])
    for k in rng.permutation(len(kinds)):
        category, model = kinds[k]
        size = np.asarray(assets.sizes(category)[model], dtype=float)
        radius = float(np.hypot(size[0], size[1])) / 2
        spots = (
            center
            + rng.uniform(-FURNITURE_REACH, FURNITURE_REACH, size=(64, 1)) * across
            + rng.uniform(*FURNITURE_DEPTH, size=(64, 1)) * ahead
        )
        good = floor.is_free(spots, radius) & (np.linalg.norm(spots - eye, axis=1) > radius + 0.6)
        for other in found:
            apart = radius + float(np.hypot(other.size[0], other.size[1])) / 2 + 0.05
            good &= np.linalg.norm(spots - other.spot, axis=1) > apart
        if not good.any():
            return None
        spot, yaw = spots[int(np.argmax(good))], float(rng.uniform(-np.pi, np.pi))
        found.append(_Piece(category, model, spot, yaw, size))
    return found


def _behind(
    camera: CameraSpec, pieces: Sequence[_Piece], places: FloatArray, body: Body
) -> BoolArray:
    """Whether boxes about the furniture would hide the top of a target at each place."""
    turn = np.arange(8) * np.pi / 4.0
    rim = body.radius * np.column_stack((np.cos(turn), np.sin(turn)))
    tops = np.concatenate(
        [places[:, None] + rim, np.full((len(places), 8, 1), body.height)], axis=-1
    )
    eye = np.asarray(camera.position)
    blocked = np.zeros(tops.shape[:2], dtype=bool)
    for piece in pieces:
        size = piece.size / 2
        frame = geo.transforms.quat_to_matrix(geo.transforms.yaw_quat(piece.yaw))
        start = (eye - np.append(piece.spot, size[2])) @ frame
        way = (tops - eye) @ frame
        ends = np.stack(((-size - start) / way, (size - start) / way))
        enter, leave = ends.min(axis=0).max(axis=-1), ends.max(axis=0).min(axis=-1)
        blocked |= (enter < leave) & (enter > 0.0) & (leave < 1.0)
    return np.asarray(blocked.all(axis=1))


def _draw_places(
    floor: FreeFloor,
    rng: np.random.Generator,
    pieces: Sequence[_Piece],
    center: FloatArray,
    camera: CameraSpec,
    body: Body,
) -> FloatArray:
    """Places (N, 2) on free floor beside the furniture, apart from each other."""
    angle = rng.uniform(-np.pi, np.pi, size=600)
    reach = REACH * np.sqrt(rng.uniform(0.0, 1.0, size=600))
    tries = center + reach[:, None] * np.column_stack((np.cos(angle), np.sin(angle)))
    beside = np.min([_gap(piece, tries) for piece in pieces], axis=0)
    good = floor.is_free(tries, body.radius + BESIDE[0])
    good &= (beside > body.radius + BESIDE[0]) & (beside < BESIDE[1])
    good &= np.linalg.norm(tries - camera.position[:2], axis=1) > body.radius + 0.6
    for z in (0.0, body.height):
        spots = views.pinhole(camera).project(np.column_stack((tries, np.full(len(tries), z))))
        good &= spots.in_image
    apart = max(SPACING, 2.0 * body.radius + 0.02)
    kept: list[FloatArray] = []
    left = tries[good]
    while len(left) and len(kept) < MOST_PLACES:
        kept.append(left[0])
        left = left[np.linalg.norm(left - left[0], axis=1) >= apart]
    return np.round(np.array(kept).reshape(-1, 2), 3)


def _gap(piece: _Piece, points: FloatArray) -> FloatArray:
    """Distance (N,) of floor points (N, 2) to the rectangle on which a piece stands."""
    turn = geo.transforms.quat_to_matrix(geo.transforms.yaw_quat(piece.yaw))[:2, :2]
    local = np.abs((points - piece.spot) @ turn)
    return np.asarray(np.linalg.norm(np.maximum(local - piece.size[:2] / 2, 0.0), axis=1))


def _sorts(
    camera: CameraSpec, house: House, places: FloatArray, body: Body
) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Of each place whether a target there is hidden from the camera, open, and in the picture."""
    found, _ = sights(camera, house, places, body)
    inside = np.array([sight is not None and not sight.cut for sight in found], dtype=bool)
    hidden = np.array([s is not None and not s.seen.any() for s in found], dtype=bool) & inside
    clear = np.array([s is not None and bool((s.seen == s.outer).all()) for s in found], dtype=bool)
    return hidden, clear & inside, inside


# --- the targets ----------------------------------------------------------------------------------


def _draw_targets(
    layout: _Layout, rng: np.random.Generator, count: int, shown: tuple[int, int]
) -> list[int]:
    """Places for ``count`` targets, ``shown`` of them (open, partly hidden) in view 0."""
    partial = ~layout.hidden & ~layout.open
    spots: list[int] = []
    for kind, number in ((layout.open, shown[0]), (partial, shown[1])):
        options = np.flatnonzero(kind)
        spots += [int(k) for k in rng.choice(options, min(number, len(options)), replace=False)]
    rest = np.flatnonzero(layout.hidden)
    spots += [int(k) for k in rng.choice(rest, count - len(spots), replace=False)]
    return [int(k) for k in rng.permutation(spots)]


def _target_at(
    name: str, kind: tuple[str, str], place: FloatArray, rng: np.random.Generator, palette: int
) -> ObjectSpec:
    """A target about a place, at a scale and a turn of its own."""
    angle = float(rng.uniform(-np.pi, np.pi))
    off = SITE_JITTER * float(np.sqrt(rng.uniform())) * np.array([np.cos(angle), np.sin(angle)])
    yaw = float(rng.uniform(-np.pi, np.pi))
    return stand(name, *kind, place + off, yaw, scale=pick.scale_of(rng), palette=palette)
