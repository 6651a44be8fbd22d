"""Which of two vessels holds more? (appendix Q.2)

Two open vessels stand side by side. Each may have a false bottom, so that neither its size nor its
outside tells how much it holds; the first view, at the height of their rims, shows no inside. Fill
one and pour it into the other: what runs over tells.

Places, models and scales are drawn before the answer is known to the drawing; only the false
bottoms follow from it. So nothing but the insides can tell.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.assets.capacities import closed_mesh
from esi_fast.assets.inner import shape_model
from esi_fast.errors import PlacementRejected, SceneUnsuitable
from esi_fast.generators import pick, views
from esi_fast.generators.base import Draft, Task, World
from esi_fast.generators.goals import Goal
from esi_fast.generators.observer.act import deeds
from esi_fast.generators.observer.outlines import Extent, extents
from esi_fast.generators.place import FreeFloor, draw_room, stand
from esi_fast.geometry.distance import ContainmentStatus, Mesh
from esi_fast.records import (
    CameraSpec,
    CheckResult,
    Evidence,
    FrameRecord,
    ObjectSpec,
    Question,
)
from esi_fast.registry import register
from esi_fast.sim.actions import action
from esi_fast.sim.base import Capability, Simulator, Snapshot
from esi_fast.sim.dip import RADII, dip
from esi_fast.sim.hands import SPILL_NOTICED
from esi_fast.types import FloatArray, JsonDict

__all__ = ["LiquidVolume"]

VESSELS = ("vessel_a", "vessel_b")
# Vessels with mouths about as wide as each other's, which can be poured into one another.
CATEGORIES = ("coffee_cup", "mug", "paper_cup", "teacup")
# TASKS: capacities differ by at least 25 % and 200 particles of the dip.
LEAST_RATIO, LEAST_PARTICLES = 1.25, 200
# What is drawn: far enough from even that pouring settles it either way.
DRAWN_RATIO = (1.5, 2.4)
# From a mouth so much wider than the other's, water runs past that: then not all pours would tell,
# and those that do would tell the answer by the sizes that they leave.
MOUTHS_ALIKE = 1.12
SCALES_TRIED = 64
# Percent of a vessel that its false bottom may take.
FLOORS = range(0, 65, 5)
# Particles by which the two differ, when the radius is chosen: more would take longer.
PARTICLES_APART = 240
# A particle's share of (2 r)^3 at rest (docs/soft_matter.md).
PACKING = 0.92
# Grazing, just above the 0.1 m sphere that the camera is; the mouths are seen edge-on.
EYE_HEIGHT = 0.12
# Of what is free inside, depth over width, this much may be in sight.
MOST_SEEN = 0.5
COLUMNS = 160.0
# Half of what anybody would notice (sim/hands.py): agents pour from elsewhere, and may spill more.
MOST_SPLASHED, MOST_LEFT = SPILL_NOTICED / 2, 0.05

TEXTS = (
    "Which holds more water when full, the {a} or the {b}?",
    "Of the {a} and the {b}, into which one fits more water?",
    "You want to carry as much water as you can. Would you take the {a} or the {b}?",
)


@register("task", "physical_structure/liquid_volume")
class LiquidVolume(Task):
    """Two vessels of different categories; answers are their names."""

    answers = ("one", "other")
    requires = frozenset({Capability.RIGID, Capability.LIQUID})

    def build(self, world: World, want: str) -> Draft:
        """Draw vessels, scales and places, then bottoms for either answer."""
        pair = world.pair_rng("objects")
        kinds = _draw_kinds(world, pair)
        names = [pick.noun(category) for category, _ in kinds]
        palette = int(pair.integers(8))
        room = draw_room(world.home, pair, radius=0.8)

        rng = world.rng
        scales, floors = _draw_insides(kinds, rng)
        sizes = [
            np.asarray(assets.sizes(category)[model]) * scale
            for (category, model), scale in zip(kinds, scales, strict=True)
        ]
        radii = [float(np.linalg.norm(size[:2])) / 2 for size in sizes]
        spots, eye = _draw_spots(FreeFloor(world.home, room), rng, radii)
        ahead = spots.mean(axis=0) - eye
        camera = views.camera_at(
            (float(eye[0]), float(eye[1]), EYE_HEIGHT),
            yaw=float(np.arctan2(ahead[1], ahead[0])),
            pitch=0.0,
            vfov_deg=float(rng.uniform(36.0, 44.0)),
        )
        tops = np.column_stack((spots, [float(size[2]) / 2 for size in sizes]))
        if not geo.occlusion.visible(world.home.scene, [camera.position], tops).all():
            raise PlacementRejected("vessels_hidden")
        turns = rng.uniform(-np.pi, np.pi, size=2)
        more = self.answers.index(want)

        objects = tuple(
            _with_bottom(
                stand(
                    name,
                    *kinds[k],
                    spots[k],
                    float(turns[k]),
                    scale=scales[k],
                    room=room.id,
                    palette=palette,
                ),
                floors[more][k],
            )
            for k, name in enumerate(VESSELS)
        )
        text = TEXTS[int(rng.integers(len(TEXTS)))].format(a=names[0], b=names[1])
        return Draft(
            want=names[more],
            question=Question(text=text, options=tuple(names[k] for k in rng.permutation(2))),
            camera=camera,
            objects=objects,
            targets=VESSELS,
            public={
                "vessels": [
                    {"word": word, "category": category, "model": model}
                    for word, (category, model) in zip(names, kinds, strict=True)
                ]
            },
            nouns=dict(zip(names, VESSELS, strict=True)),
        )

    def label(self, snapshot: Snapshot, draft: Draft) -> Evidence:
        """The volume below the rim of each cavity."""
        held = {}
        for word, name in draft.nouns.items():
            obj = snapshot.objects[snapshot.index(name)]
            held[word] = holds(obj.category, shape_model(obj)) * float(np.prod(obj.scale))
        less, more = sorted(held, key=lambda word: held[word])
        numbers = {f"{draft.nouns[word]}_ml": 1e6 * volume for word, volume in held.items()}
        if held[more] < LEAST_RATIO * held[less]:
            raise PlacementRejected("capacities_alike", **numbers)
        return Evidence(answer=more, method="geometric_capacity", numbers=numbers)

    def witness(self, sim: Simulator, snapshot: Snapshot, draft: Draft) -> Evidence:
        """The particles that stay in each, dipped: more of them, by at least 200."""
        del sim
        specs = {word: snapshot.objects[snapshot.index(name)] for word, name in draft.nouns.items()}
        meshes = {word: _mesh(spec) for word, spec in specs.items()}
        # The coarsest radius of the ladder that should tell them apart.
        first, second = (_held(spec) for spec in specs.values())
        apart = abs(first - second)
        radius = max(
            (r for r in RADII if PACKING * PARTICLES_APART * (2.0 * r) ** 3 <= apart),
            default=RADII[0],
        )
        counts = {word: dip(mesh, radius) for word, mesh in meshes.items()}
        less, more = sorted(counts, key=lambda word: counts[word])
        numbers = {f"{draft.nouns[word]}_particles": float(n) for word, n in counts.items()}
        numbers["radius"] = radius
        if counts[more] - counts[less] < LEAST_PARTICLES:
            raise PlacementRejected("too_few_particles", **numbers)
        return Evidence(answer=more, method="particle_dip", numbers=numbers)

    def twin(
        self, snapshot: Snapshot, draft: Draft, rng: np.random.Generator
    ) -> tuple[ObjectSpec, ...] | None:
        """The same vessels with other bottoms."""
        specs = [snapshot.objects[snapshot.index(name)] for name in draft.targets]
        wholes = [holds(obj.category, obj.model) * float(np.prod(obj.scale)) for obj in specs]
        words = {name: word for word, name in draft.nouns.items()}
        less = next(k for k, name in enumerate(draft.targets) if words[name] != draft.want)
        try:
            floors = _draw_floors(wholes, less, rng)
        except PlacementRejected:
            return None
        return tuple(_with_bottom(obj, floor) for obj, floor in zip(specs, floors, strict=True))

    def checks(self, world: World, snapshot: Snapshot, draft: Draft) -> list[CheckResult]:
        """No bottom is in sight over the rims in view 0; pouring tells, either way."""
        eye = np.asarray(draft.camera.position)
        worst = 0.0
        for name in draft.targets:
            obj = snapshot.objects[snapshot.index(name)]
            low, high = snapshot.boxes[snapshot.index(name)]
            wide = float(max(high[:2] - low[:2]))
            near = float(np.linalg.norm(eye[:2] - obj.position[:2])) - wide / 2
            drop = max(float(eye[2] - high[2]), 0.0) * wide / near
            mesh = _mesh(obj)
            free = _depth(mesh, _held(obj))
            worst = max(worst, drop / free)
        return [
            CheckResult(
                name="insides_hidden", passed=worst <= MOST_SEEN, numbers={"share_seen": worst}
            ),
            self._pour_tells(world.sim, snapshot, draft),
        ]

    def _pour_tells(self, sim: Simulator, snapshot: Snapshot, draft: Draft) -> CheckResult:
        """The smaller one, poured into the larger one, leaves nothing beside it.

        The other way more than a third of the water has no room: no pour hides that.
        """
        less, more = sorted(
            draft.targets, key=lambda name: _held(snapshot.objects[snapshot.index(name)])
        )
        token = sim.save()
        sim.set_state(less, "fill", 1.0)
        report = sim.pour(less, more)
        sim.restore(token)
        share = report.spilled / max(report.spilled + report.target, 1e-12)
        left = report.left / report.before
        return CheckResult(
            name="pour_tells",
            passed=share <= MOST_SPLASHED and left <= MOST_LEFT,
            numbers={"spilled_share": share, "left_share": left},
        )

    def still_possible(self, history: Sequence[FrameRecord], public: JsonDict) -> frozenset[str]:
        """Both, until a full one has been poured into the other."""
        things = {row["word"]: row["category"] for row in public["vessels"]}
        known = dict.fromkeys(things, "empty")
        possible = frozenset(things)
        for deed in deeds(history, things):
            named = [thing for thing in deed.things if thing is not None]
            sure = len(named) == len(deed.things)
            if sure and deed.name == "fill_with_water":
                if (deed.ok or deed.reason == "already_full") and known[named[0]] != "moved":
                    known[named[0]] = "full"
                continue
            if sure and deed.name == "pour" and deed.ok and len(named) == 2:
                first, second = named
                if known[first] == "full" and deed.reason != "spilled":
                    # All of it had room, whatever was in there before.
                    possible &= frozenset({second})
                elif known[first] == "full" and known[second] == "empty":
                    possible &= frozenset({first})
            touched = set(named) if sure else set(things)
            if deed.name in ("put_on", "put_inside"):
                # They may lie or lean now, or one in the other, and then hold less.
                known.update(dict.fromkeys(things, "moved"))
            elif deed.ok or deed.reason == "fell_off":
                for word in touched if deed.name != "pick_up" else ():
                    known[word] = "moved" if known[word] == "moved" else "unknown"
        return possible

    def places(self, history: Sequence[FrameRecord], public: JsonDict) -> list[FloatArray]:
        """Where each vessel stands, as far as the lower edge of its mask tells."""
        # Things that have been handled are elsewhere: what was seen before counts.
        first = next(
            (k for k, frame in enumerate(history) if frame.action and frame.action.args),
            len(history),
        )
        points = []
        for row in public["vessels"]:
            parts = [part for frame in history[:first] for part in extents(frame, row["category"])]
            if parts:
                best = max(parts, key=lambda part: (part.outline.free_high[1], part.area))
                points.append(_foot(best, assets.sizes(row["category"])[row["model"]]))
        return points

    def goals(
        self, camera: CameraSpec, points: Sequence[FloatArray], public: JsonDict
    ) -> list[Goal]:
        """Looking down on both, fill one and pour it into the other."""
        if len(points) < len(VESSELS):
            return []
        middle = np.mean(points, axis=0)
        away = np.asarray(camera.position)[:2] - middle[:2]
        azimuth = float(np.arctan2(away[1], away[0]))
        a, b = (row["word"] for row in public["vessels"])
        found = []
        for turn, (x, y) in itertools.product(np.radians([0.0, 40.0, -40.0]), ((a, b), (b, a))):
            side = np.array([np.cos(azimuth + turn), np.sin(azimuth + turn)])
            place = np.append(middle[:2] + STAND_OFF * side, STAND_HEIGHT)
            then = (action("fill_with_water", x), action("pour", x, y))
            found.append(Goal("pour", place, middle, then))
        return found


# Within reach (1.5 m) of both, looking down on them by about 45 degrees.
STAND_OFF, STAND_HEIGHT = 0.8, 0.85


@lru_cache(maxsize=1024)
def holds(category: str, model: str) -> float:
    """Cubic metres that a model holds at its own scale; 0 for what is no vessel, or leaks."""
    asset = assets.get(category, model)
    spacing = max(asset.size[:2]) / COLUMNS
    found = geo.vessel.capacity(closed_mesh(asset), spacing=spacing)
    return found.volume if found.status is ContainmentStatus.OK else 0.0


def _held(spec: ObjectSpec) -> float:
    return holds(spec.category, shape_model(spec)) * float(np.prod(spec.scale))


def _mesh(spec: ObjectSpec) -> Mesh:
    plain = closed_mesh(assets.get(spec.category, shape_model(spec)))
    return Mesh(plain.vertices * np.asarray(spec.scale), plain.faces)


def _depth(mesh: Mesh, volume: float) -> float:
    """Metres of free depth at the rim: where a twentieth of the volume is filled, and the top."""
    low = geo.vessel.fill(mesh, 0.05 * volume).level
    return geo.vessel.fill(mesh, volume).level - low


def _with_bottom(spec: ObjectSpec, percent: int) -> ObjectSpec:
    return spec.model_copy(update={"state": {"false_bottom": percent / 100.0}})


@lru_cache(maxsize=64)
def _twos(
    models: tuple[tuple[str, str], ...],
) -> tuple[tuple[tuple[str, str], tuple[str, str]], ...]:
    """Two models of different categories that can be made to hold more, each of them."""
    held = {kind: holds(*kind) for kind in models if kind[0] in CATEGORIES}
    # Volumes at equal mouths: a bottom has to be able to turn the order.
    tall = {kind: held[kind] / _mouth(kind) ** 3 for kind in held}
    room = 0.9 / (DRAWN_RATIO[0] * (1.0 - FLOORS[-1] / 100.0))
    widest = 1.1 * MOUTHS_ALIKE
    return tuple(
        (a, b)
        for a, b in itertools.permutations(sorted(held), 2)
        if a[0] != b[0]
        and 1.0 / room <= tall[a] / tall[b] <= room
        and 1.0 / widest <= _mouth(a) / _mouth(b) <= widest
    )


def _draw_kinds(world: World, pair: np.random.Generator) -> tuple[tuple[str, str], tuple[str, str]]:
    twos = _twos(world.models((0.06, 0.30), (0.055, 0.31)))
    if not twos:
        raise SceneUnsuitable("no_two_vessels")
    # Pairs of categories weigh the same, however many models they have.
    by_category = sorted({(a[0], b[0]) for a, b in twos})
    first, second = by_category[int(pair.integers(len(by_category)))]
    options = [(a, b) for a, b in twos if (a[0], b[0]) == (first, second)]
    return options[int(pair.integers(len(options)))]


def _draw_insides(
    kinds: Sequence[tuple[str, str]], rng: np.random.Generator
) -> tuple[list[float], list[tuple[int, int]]]:
    """Scales, and the bottoms with which the first holds more, and the second.

    Scales that do not leave both answers are drawn again, so that they tell neither.
    """
    for _ in range(SCALES_TRIED):
        scales = [pick.scale_of(rng) for _ in kinds]
        mouths = sorted(_mouth(kind) * scale for kind, scale in zip(kinds, scales, strict=True))
        if mouths[1] > MOUTHS_ALIKE * mouths[0]:
            continue
        wholes = [holds(*kind) * scale**3 for kind, scale in zip(kinds, scales, strict=True)]
        try:
            return scales, [_draw_floors(wholes, more, rng) for more in (0, 1)]
        except PlacementRejected:
            continue
    raise PlacementRejected("no_scales", tried=float(SCALES_TRIED))


def _mouth(kind: tuple[str, str]) -> float:
    """The width of a vessel: handles stick out along the longer side."""
    return float(min(assets.sizes(kind[0])[kind[1]][:2]))


def _draw_floors(wholes: Sequence[float], more: int, rng: np.random.Generator) -> tuple[int, int]:
    """Bottoms (percent) with which ``more`` of two vessels holds more, by ``DRAWN_RATIO``."""
    good = []
    for floors in itertools.product(FLOORS, repeat=2):
        left = [whole * (1.0 - f / 100.0) for whole, f in zip(wholes, floors, strict=True)]
        if DRAWN_RATIO[0] <= left[more] / left[1 - more] <= DRAWN_RATIO[1]:
            good.append(floors)
    if not good:
        raise PlacementRejected("no_bottoms", ratio=wholes[more] / wholes[1 - more])
    chosen = good[int(rng.integers(len(good)))]
    return chosen[0], chosen[1]


def _draw_spots(
    floor: FreeFloor, rng: np.random.Generator, radii: Sequence[float]
) -> tuple[FloatArray, FloatArray]:
    """Two places (2, 2) side by side on free floor, and a free place (2,) to see them from."""
    count = 256
    low, high = np.asarray(floor.room.lower), np.asarray(floor.room.upper)
    middles = rng.uniform(low, high, size=(count, 2))
    angles = rng.uniform(-np.pi, np.pi, size=count)
    along = np.column_stack((np.cos(angles), np.sin(angles)))
    half = (sum(radii) + rng.uniform(0.08, 0.2, size=count)) / 2
    side = rng.choice([-1.0, 1.0])
    spots = (
        middles[:, None]
        + side * np.array([-1.0, 1.0])[None, :, None] * (half[:, None] * along)[:, None]
    )
    skew = angles + np.pi / 2 + np.radians(rng.uniform(-20.0, 20.0, size=count))
    reach = rng.uniform(1.6, 2.1, size=(count, 1))
    eyes = middles + reach * np.column_stack((np.cos(skew), np.sin(skew)))
    good = floor.is_free(spots[:, 0], radii[0] + 0.03) & floor.is_free(spots[:, 1], radii[1] + 0.03)
    good &= floor.is_free(middles, 0.45) & floor.is_free(eyes, 0.2)
    if not good.any():
        raise PlacementRejected("spots_blocked", radius=max(radii))
    k = int(np.argmax(good))
    return np.asarray(spots[k]), np.asarray(eyes[k])


def _foot(part: Extent, size: Sequence[float]) -> FloatArray:
    """The middle of a vessel on the floor whose mask ends below at a row of pixels."""
    outline = part.outline
    column = (outline.low[0] + outline.high[0]) / 2
    origins, directions = outline.camera.rays(np.array([[column, outline.high[1]]]))
    origin, way = origins[0], directions[0]
    flat = way[:2] / max(float(np.hypot(way[0], way[1])), 1e-9)
    # No further than questions have them: a ray at the horizon meets the floor anywhere.
    reach = float(origin[2] / max(-way[2], 1e-9) * np.hypot(way[0], way[1]))
    point = origin[:2] + (min(reach, 3.0) + 0.4 * max(size[:2])) * flat
    return np.append(point, size[2] / 2)
