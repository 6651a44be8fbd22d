"""Can one walk from one room to another? (appendix Q.25)

Two forms: whether one can walk from A to B at all, and whether an open doorway joins A and B
directly. Doors stand open or shut and stay as they are. The camera looks from 3 m into the first
room of the question, past the door that decides; from elsewhere, or from higher up, it shows.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from esi_fast import geometry as geo
from esi_fast.assets.houses import door_pose
from esi_fast.errors import PlacementRejected, SceneUnsuitable
from esi_fast.generators import rooms, views
from esi_fast.generators.base import Draft, Task, World, known_shape
from esi_fast.generators.goals import Goal
from esi_fast.generators.observer.map import (
    Doorway,
    Shell,
    answers,
    deciding,
    doorways,
    doorways_of,
    joined,
    known_doors,
    shell_from,
)
from esi_fast.records import (
    CameraSpec,
    CheckResult,
    Evidence,
    FrameRecord,
    ObjectSpec,
    Question,
    RoomSpec,
)
from esi_fast.registry import register
from esi_fast.sim.actions import MOVE_STEP, TURN_STEP_DEG, camera_angles
from esi_fast.sim.base import Capability, Simulator, Snapshot
from esi_fast.types import FloatArray, JsonDict

__all__ = ["Connectivity"]

CONNECTED, DIRECT = "connected", "direct"
# The same verdict is asked for walkers a quarter thinner and thicker than the 0.2 m of Q.25.
WALKERS = (0.15, rooms.WALKER, 0.25)
# TASKS: what the question is about is at most 8 m across. That is what has to be looked at: the
# doors that may decide, and where one starts.
MAX_ACROSS = 8.0
# Outlines of two worlds that look the same (TASKS).
SAME_PX = 2.0
_PITCHES_DEG = (-15.0, -30.0, -45.0)
# Places and directions that are tried for the first view of one draft.
_VIEWS = 24
_LOOK_SIDE = 128
# Where it may pay to look from: this high, and this far from a doorway on either side; at what
# height of its door.
_HEIGHTS = (rooms.EYE, 4.0, 5.0)
_OFFS = (1.2, 2.4)
_LOOK_AT = 1.0

STAY = " Doors stay as they are."
TEXTS = {
    CONNECTED: (
        "Can you walk from the {a} to the {b}?",
        "Is there a way to walk from the {a} to the {b}?",
        "Starting in the {a}, could you get to the {b} on foot?",
    ),
    DIRECT: (
        "Does an open doorway lead straight from the {a} into the {b}?",
        "Can you step from the {a} directly into the {b}, without crossing another room?",
        "Are the {a} and the {b} joined by an open doorway of their own?",
    ),
}


@register("task", "cognitive_mapping/connectivity")
class Connectivity(Task):
    """Joined or not; answers ``yes`` and ``no``."""

    answers = ("yes", "no")
    requires = frozenset({Capability.RIGID, Capability.ROOMS})
    house_rooms = (4, 5, 6)

    def build(self, world: World, want: str) -> Draft:
        """Set the doors so that one, which view 0 does not show, decides."""
        hide = rooms.overhead(world.scene)
        ways = doorways(world.scene.rooms, map(known_shape, world.scene.objects))
        by_id = {room.id: room for room in world.scene.rooms}
        shell = _shell(world.scene.objects, hide)
        pair = world.pair_rng("rooms")
        # Drawn before the house is asked, so that both forms are equally frequent.
        form = (CONNECTED, DIRECT)[int(pair.integers(2))]
        pictures = {
            room.id: rooms.context_views(shell, room, world.scene.name)
            for room in rooms.named_rooms(world.scene.rooms)
        }
        named = [by_id[name] for name, found in pictures.items() if found]
        cases = _cases(form, named, ways, _passable(world.home, ways))
        if not cases:
            raise SceneUnsuitable("no_door_decides", form=form)
        told, door = cases[int(pair.integers(len(cases)))]
        if pair.integers(2):
            told = {**told, "start": told["goal"], "goal": told["start"]}
        start, goal = by_id[told["start"]], by_id[told["goal"]]
        context = [
            (camera, rooms.word(room)) for room in (start, goal) for camera in pictures[room.id]
        ]

        rng = world.rng
        matter = _matter(told, ways)
        states = {**_draw_states(told, door, ways, rng), door: want == "yes"}
        used = [way for way in ways if way.leaf in matter]
        text = TEXTS[form][int(rng.integers(len(TEXTS[form])))]
        return Draft(
            want=want,
            question=Question(
                text=text.format(a=rooms.word(start), b=rooms.word(goal)) + STAY,
                options=tuple(str(o) for o in rng.permutation(self.answers)),
            ),
            camera=_draw_camera(shell, start, door, used, rng),
            objects=(),
            targets=matter,
            public={**told, "hide": list(hide)},
            context_cameras=tuple(camera for camera, _ in context),
            context_labels=tuple(label for _, label in context),
            hide=hide,
            states={leaf: {"open": float(stands)} for leaf, stands in sorted(states.items())},
            notes={"door": door},
        )

    def label(self, snapshot: Snapshot, draft: Draft) -> Evidence:
        """A shortest path on the map of the free floor, eroded by the walker's radius."""
        floor = rooms.walk_map(snapshot)
        numbers = {room.id: k for k, room in enumerate(snapshot.rooms, start=1)}
        start, goal = numbers[draft.public["start"]], numbers[draft.public["goal"]]
        places = rooms.standing_places(floor)
        if start not in places or goal not in places:
            raise PlacementRejected("nowhere_to_stand", start=float(start), goal=float(goal))
        if draft.public["form"] == DIRECT:
            floor = _two_rooms(floor, start, goal)
        lengths = []
        for radius in WALKERS:
            path = geo.gridmap.shortest_path(
                geo.gridmap.erode(floor, radius), places[start], places[goal]
            )
            lengths.append(path.distance)
        ways = np.isfinite(lengths)
        if ways.any() and not ways.all():
            raise PlacementRejected("narrow_way", walkers=float(ways.sum()))
        found = bool(ways.all())
        return Evidence(
            answer="yes" if found else "no",
            method="shortest_path",
            numbers={"paths": float(ways.sum()), "length": lengths[1] if found else -1.0},
        )

    def witness(self, sim: Simulator, snapshot: Snapshot, draft: Draft) -> Evidence:
        """Breadth-first search over the doorways of the plan, by the states of their doors."""
        del sim
        ways = doorways(snapshot.rooms, map(known_shape, snapshot.objects))
        stands = {
            obj.id: obj.state["open"] > 0.5 for obj in snapshot.objects if "hinge" in obj.state
        }
        answer = _answer(draft.public, ways)(stands)
        passing = sum(not way.leaf or stands[way.leaf] for way in ways)
        return Evidence(
            answer=answer,
            method="door_graph",
            numbers={"doorways": float(len(ways)), "open": float(passing)},
        )

    def still_possible(self, history: Sequence[FrameRecord], public: JsonDict) -> frozenset[str]:
        """The answers over all ways in which the doors not yet seen may stand."""
        ways = doorways_of(public)
        known = known_doors(history, public)
        return answers(known, _leaves(ways), _answer(public, ways))

    def places(self, history: Sequence[FrameRecord], public: JsonDict) -> list[FloatArray]:
        """The doorways whose doors are unseen and may decide, the nearest first."""
        ways = doorways_of(public)
        left = deciding(known_doors(history, public), _leaves(ways), _answer(public, ways))
        here = np.asarray(history[-1].camera.position[:2])
        points = [np.array([*way.center, _LOOK_AT]) for way in ways if way.leaf in left]
        return sorted(points, key=lambda point: float(np.linalg.norm(point[:2] - here)))

    def goals(
        self, camera: CameraSpec, points: Sequence[FloatArray], public: JsonDict
    ) -> list[Goal]:
        """From the start, from above the middle of all, and over both sides of each doorway."""
        if not len(points):
            return []
        ways = doorways_of(public)
        here = np.asarray(camera.position)
        middle = np.mean(points, axis=0)
        spots = [(np.append(middle[:2], z), middle) for z in _HEIGHTS[1:]]
        spots += [(np.append(here[:2], z), middle) for z in _HEIGHTS]
        for point in points:
            spots.extend((np.append(here[:2], z), point) for z in _HEIGHTS)
            way = min(ways, key=lambda w: float(np.linalg.norm(point[:2] - w.center)))
            for side, off, z in itertools.product((-1.0, 1.0), _OFFS, _HEIGHTS):
                flat = np.asarray(way.center) + side * off * np.asarray(way.across)
                spots.append((np.append(flat, z), np.array([*way.center, _LOOK_AT])))
        found = [Goal("look", position, target) for position, target in spots]
        return sorted(found, key=lambda goal: _effort(camera, goal))

    def twin(
        self, snapshot: Snapshot, draft: Draft, rng: np.random.Generator
    ) -> tuple[ObjectSpec, ...] | None:
        """The same house with doors that view 0 does not show the other way round."""
        ways = doorways(snapshot.rooms, map(known_shape, snapshot.objects))
        answer = _answer(draft.public, ways)
        doors = {obj.id: obj for obj in snapshot.objects if "hinge" in obj.state}
        stands = {name: doors[name].state["open"] > 0.5 for name in _leaves(ways)}
        seen = _shell(snapshot.objects, draft.hide).in_sight(draft.camera)
        free = [name for name in stands if name not in seen]
        for _ in range(32):
            turned = [name for name in free if rng.random() < 0.5]
            other = {name: stands[name] != (name in turned) for name in stands}
            if answer(other) != answer(stands):
                return tuple(door_pose(doors[name], float(other[name])) for name in turned)
        return None

    def checks(self, world: World, snapshot: Snapshot, draft: Draft) -> list[CheckResult]:
        """The door that decides changes nothing in view 0, and no door shows in the context."""
        door = snapshot.objects[snapshot.index(draft.notes["door"])]
        other = door_pose(door, 1.0 - door.state["open"])
        moved = views.first_view_gap(world.sim, draft, [other])
        context = _context_pixels(_shell(snapshot.objects, draft.hide), draft.context_cameras)
        return [
            CheckResult(
                name="door_shows_in_view_0",
                passed=moved <= SAME_PX,
                numbers={"outline_px": moved},
            ),
            CheckResult(
                name="door_shows_in_context",
                passed=context == 0,
                numbers={"pixels": float(context)},
            ),
        ]


def _shell(objects: Iterable[ObjectSpec], hide: Sequence[str]) -> Shell:
    return shell_from(map(known_shape, objects), hide)


def _leaves(ways: Iterable[Doorway]) -> list[str]:
    return sorted(way.leaf for way in ways if way.leaf)


def _answer(told: JsonDict, ways: Sequence[Doorway]) -> Callable[[Mapping[str, bool]], str]:
    """The answer to a question by how its doors stand."""
    start, goal = told["start"], told["goal"]
    if told["form"] == DIRECT:
        ways = [way for way in ways if set(way.rooms) == {start, goal}]

    def answer(stands: Mapping[str, bool]) -> str:
        return "yes" if joined(ways, start, goal, stands) else "no"

    return answer


def _matter(told: JsonDict, ways: Sequence[Doorway]) -> tuple[str, ...]:
    """The doors that may decide a question as long as none has been seen."""
    leaves = _leaves(ways)
    return deciding(dict.fromkeys(leaves), leaves, _answer(told, ways))


def _two_rooms(floor: geo.gridmap.GridMap, start: int, goal: int) -> geo.gridmap.GridMap:
    """The floor of two rooms and of all doorways, which are in no room."""
    if floor.rooms is None:
        raise ValueError("floor: expected a map with rooms, got none")
    return floor.with_free(floor.free & np.isin(floor.rooms, (0, start, goal)))


def _passable(home: Snapshot, ways: Sequence[Doorway]) -> list[Doorway]:
    """The doorways that the widest walker comes through when their doors are out of the way."""
    floor = rooms.still_map(home)
    places = rooms.standing_places(floor)
    numbers = {room.id: k for k, room in enumerate(home.rooms, start=1)}
    found = []
    for way in ways:
        a, b = (numbers[name] for name in way.rooms)
        if a in places and b in places:
            alone = geo.gridmap.erode(_two_rooms(floor, a, b), max(WALKERS))
            if np.isfinite(geo.gridmap.shortest_path(alone, places[a], places[b]).distance):
                found.append(way)
    return found


def _cases(
    form: str,
    named: Sequence[RoomSpec],
    ways: Sequence[Doorway],
    passable: Sequence[Doorway],
) -> list[tuple[JsonDict, str]]:
    """The questions of a form that a house allows, each with a door that may decide it."""
    found: list[tuple[JsonDict, str]] = []
    blocked = {way for way in ways if way not in passable}
    for a, b in itertools.combinations(named, 2):
        told = {"form": form, "start": a.id, "goal": b.id}
        matter = _matter(told, ways)
        used = [way for way in ways if way.leaf in matter]
        if any(way in blocked and (way.leaf in matter or not way.leaf) for way in ways):
            continue
        if all(_apart(p.center, q.center) <= MAX_ACROSS for p in used for q in used):
            found.extend((told, leaf) for leaf in matter)
    return found


def _apart(a: Sequence[float], b: Sequence[float]) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def _draw_states(
    told: JsonDict, door: str, ways: Sequence[Doorway], rng: np.random.Generator
) -> dict[str, bool]:
    """How the doors stand, at random, so that ``door`` decides."""
    answer, leaves = _answer(told, ways), _leaves(ways)
    for _ in range(256):
        stands = {leaf: bool(rng.integers(2)) for leaf in leaves}
        if answer({**stands, door: True}) != answer({**stands, door: False}):
            return stands
    raise PlacementRejected("other_doors_decide")


def _draw_camera(
    shell: Shell,
    room: RoomSpec,
    door: str,
    used: Sequence[Doorway],
    rng: np.random.Generator,
) -> CameraSpec:
    """A first view into a room, from above, without the door that decides."""
    lower, upper = np.asarray(room.lower) + 0.3, np.asarray(room.upper) - 0.3
    for _ in range(_VIEWS):
        x, y = (float(v) for v in rng.uniform(lower, upper))
        camera = views.camera_at(
            (x, y, rooms.EYE),
            yaw=float(rng.uniform(-np.pi, np.pi)),
            pitch=float(np.radians(rng.choice(_PITCHES_DEG))),
            vfov_deg=rooms.FIELD_OF_VIEW,
        )
        near = all(_apart((x, y), way.center) <= MAX_ACROSS for way in used)
        if near and door not in shell.in_sight(camera, side=_LOOK_SIDE):
            return camera
    raise PlacementRejected("door_in_every_view", tried=float(_VIEWS))


@lru_cache(maxsize=64)
def _context_pixels(shell: Shell, cameras: tuple[CameraSpec, ...]) -> int:
    """Pixels that any door could take in the context views."""
    return sum(sum(shell.in_sight(camera).values()) for camera in cameras)


def _effort(camera: CameraSpec, goal: Goal) -> float:
    """About how many actions it takes to look from there."""
    yaw, pitch = camera_angles(camera)
    move = np.abs(goal.position - camera.position)
    flat = goal.target[:2] - goal.position[:2]
    wanted = float(np.arctan2(flat[1], flat[0])) if np.hypot(*flat) > 0.05 else yaw
    turn = abs((wanted - yaw + np.pi) % (2.0 * np.pi) - np.pi)
    down = float(np.arctan2(goal.target[2] - goal.position[2], np.hypot(*flat)))
    angle = np.degrees(turn + abs(down - pitch)) / TURN_STEP_DEG
    return float((np.hypot(move[0], move[1]) * 1.2 + move[2]) / MOVE_STEP + angle)
