"""M: what frames say about the doors of a house whose shell is known.

Rooms, walls, doorways and furniture are public; whether a door stands open is not. A door is open
or shut, nothing between. For each camera the shell is drawn with every leaf in both poses at once.
To test one pose of one door, its other pose is taken out of the picture. Where the leaf is then
met first, the frame must show a door, whatever the other doors do; where no leaf is met at all,
and no mirror or pane either, it must show none. A pose is excluded as soon as enough pixels say
otherwise: the next room shows where the shut leaf would be, or a door fills the whole doorway that
the open leaf would leave free. Then it is taken out of all pictures, and what is behind is looked
at again. This never excludes the truth, for the true picture is among those allowed.

Context views have no pose, so nothing is predicted for them and they are not used. Tasks choose
them so that no leaf shows in either pose (``generators/rooms.py``); then there is nothing in them
to be used.

References: TASKS, observer kit M; the tolerance of 2 px and the 32 px that count as seen are those
of its rules.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import ndimage

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.assets.houses import door_pose
from esi_fast.records import CameraSpec, FrameRecord, ObjectSpec, RoomSpec
from esi_fast.sim.lens import pinhole
from esi_fast.sim.masks import decode_mask
from esi_fast.types import BoolArray, FloatArray, IntArray, JsonDict

__all__ = [
    "OPEN",
    "SHUT",
    "Doorway",
    "Shell",
    "answers",
    "deciding",
    "doorways",
    "doorways_of",
    "joined",
    "known_doors",
    "shell_from",
    "shell_of",
    "worlds",
]

SHUT, OPEN = 0, 1
# A pixel speaks against a pose when nothing within this many columns and rows of it is as expected:
# one more than the 2 px by which outlines of consistent worlds may differ.
_TOLERANCE_PX = 3
# That many pixels must, so that a person could see it too (TASKS: 32 px make an object usable).
_MIN_PIXELS = 32
# A leaf belongs to the doorway whose middle is that near to that of the shut leaf (metres).
_NEAR = 0.3
# This far from the middle of a doorway, across its wall, one is in the room.
_STEP = 0.25


class Doorway(NamedTuple):
    """A doorway between two rooms: ``center`` on the floor, unit ``across`` its wall, (2,) each.

    ``leaf`` is the id of its door, "" for a passage, which has none and is always open.
    """

    rooms: tuple[str, str]
    center: tuple[float, float]
    across: tuple[float, float]
    leaf: str


def doorways(rooms: Sequence[RoomSpec], objects: Iterable[ObjectSpec]) -> tuple[Doorway, ...]:
    """The doorways between rooms, those that lead outside left out; ``objects`` as ``known_shape``
    gives them, in particular with the doors shut."""
    frames, leaves = [], []
    for obj in objects:
        if obj.category == "door_frame":
            frames.append(obj)
        elif obj.category == "door":
            leaves.append(obj)
    found = []
    for frame in frames:
        center = np.asarray(frame.position[:2])
        yaw = 2.0 * np.arctan2(frame.orientation[2], frame.orientation[3])
        across = np.array([np.cos(yaw), np.sin(yaw)])
        sides = [_room_at(rooms, center + side * _STEP * across) for side in (-1.0, 1.0)]
        if "" in sides or sides[0] == sides[1]:
            continue
        near = [
            leaf.id
            for leaf in leaves
            if float(np.linalg.norm(np.asarray(leaf.position[:2]) - center)) < _NEAR
        ]
        found.append(
            Doorway(
                (sides[0], sides[1]),
                (float(center[0]), float(center[1])),
                (float(across[0]), float(across[1])),
                near[0] if near else "",
            )
        )
    return tuple(found)


def doorways_of(public: JsonDict) -> tuple[Doorway, ...]:
    """The doorways of the public part of an instance."""
    rooms = [RoomSpec.model_validate(room) for room in public["rooms"]]
    doors = [
        ObjectSpec.model_validate(data)
        for data in public["shell"]
        if data["category"] in ("door", "door_frame")
    ]
    return doorways(rooms, doors)


def _room_at(rooms: Sequence[RoomSpec], point: FloatArray) -> str:
    for room in rooms:
        if (point >= room.lower).all() and (point <= room.upper).all():
            return room.id
    return ""


def joined(ways: Iterable[Doorway], start: str, goal: str, is_open: Mapping[str, bool]) -> bool:
    """Whether open doorways lead from one room to another; passages are always open."""
    ways = [way for way in ways if not way.leaf or is_open[way.leaf]]
    reached = {start}
    queue = [start]
    while queue:
        here = queue.pop(0)
        for way in ways:
            if here in way.rooms:
                other = way.rooms[1] if way.rooms[0] == here else way.rooms[0]
                if other not in reached:
                    reached.add(other)
                    queue.append(other)
    return goal in reached


# --- what frames show ----------------------------------------------------------------------------


class _Thing(NamedTuple):
    """What has to be known of an object to draw it: hashable, from a record or from plain data."""

    id: str
    category: str
    model: str
    palette: int
    position: tuple[float, ...]
    orientation: tuple[float, ...]
    scale: tuple[float, ...]
    swing: tuple[float, float] | None

    @classmethod
    def of(cls, data: JsonDict) -> _Thing:
        """From the fields of an ``ObjectSpec``."""
        state = data["state"]
        return cls(
            data["id"],
            data["category"],
            data["model"],
            data["palette"],
            tuple(data["position"]),
            tuple(data["orientation"]),
            tuple(data["scale"]),
            (state["hinge"], state["swing"]) if "hinge" in state else None,
        )

    def posed(self, pose: int) -> tuple[FloatArray, FloatArray]:
        """Position and orientation, of a door with its leaf in a pose."""
        if self.swing is None or pose == SHUT:
            return np.asarray(self.position), np.asarray(self.orientation)
        spec = ObjectSpec.model_validate(
            {
                "id": self.id,
                "category": self.category,
                "model": self.model,
                "position": self.position,
                "orientation": self.orientation,
                "scale": self.scale,
                "state": {"open": 0.0, "hinge": self.swing[0], "swing": self.swing[1]},
            }
        )
        spec = door_pose(spec, float(pose))
        return np.asarray(spec.position), np.asarray(spec.orientation)


class Shell:
    """The shell of a house with every leaf in both poses at once, ready to be drawn.

    ``leaves`` are the ids of the doors in sorted order.
    """

    def __init__(self, things: Sequence[_Thing]) -> None:
        self.leaves = tuple(sorted(thing.id for thing in things if thing.swing is not None))
        self.scene = geo.Scene(threads=1)
        self._mixed = 2 * len(self.leaves)
        meshes: dict[tuple[str, str, int], int] = {}
        count = 0
        for thing in things:
            poses = (SHUT,) if thing.swing is None else (SHUT, OPEN)
            for pose in poses:
                matrix = geo.transforms.pose_matrix(*thing.posed(pose))
                number = 0
                if thing.swing is not None:
                    number = 1 + 2 * self.leaves.index(thing.id) + pose
                parts = assets.get(thing.category, thing.model, thing.palette).parts
                for k, part in enumerate(parts):
                    key = (thing.category, thing.model, k)
                    if key not in meshes:
                        meshes[key] = self.scene.add_mesh(part.vertices, part.faces)
                    clear = part.material.kind in ("mirror", "glass")
                    self.scene.add_instance(
                        meshes[key],
                        object_id=1 + self._mixed if clear else number,
                        pose=matrix,
                        scale=thing.scale,
                    )
                    count += 1
        self._materials = [geo.render.Material()] * count

    def first(self, camera: CameraSpec, *, side: int | None = None) -> IntArray:
        """What each pixel (H, W) meets first: 2 k + pose for leaf k, -1 for anything else.

        One more than that of the last leaf: a mirror or a pane, which may show any door.
        ``side`` is the picture's width and height in pixels where it is not to be the camera's.
        """
        image = geo.render.render(
            self.scene, pinhole(camera, side=side), materials=self._materials, modalities=["ids"]
        )
        if image.ids is None:
            raise RuntimeError("render: asked for ids, got none")
        return np.maximum(image.ids.astype(np.int64), 0) - 1

    @lru_cache(maxsize=64)  # noqa: B019 - shells are few, and kept by a cache of their own
    def _first(self, camera: CameraSpec) -> IntArray:
        return self.first(camera)

    def in_sight(self, camera: CameraSpec, *, side: int | None = None) -> dict[str, int]:
        """Pixels that a leaf would take in one pose or the other, by id; absent where none."""
        first = self.first(camera, side=side)
        seen = (first >= 0) & (first != self._mixed)
        counts = np.bincount(first[seen] // 2, minlength=len(self.leaves))
        return {name: int(n) for name, n in zip(self.leaves, counts.tolist(), strict=True) if n}

    @lru_cache(maxsize=512)  # noqa: B019 - shells are few, and kept by a cache of their own
    def excluded(
        self,
        camera: CameraSpec,
        doors: tuple[int, ...] | None,
        gone: frozenset[tuple[str, int]] = frozenset(),
    ) -> frozenset[tuple[str, int]]:
        """Leaves and the poses that they do not have, by a frame with the mask ``doors``.

        ``gone`` are poses that have been excluded before; they are not among the result.
        """
        out = [2 * self.leaves.index(leaf) + pose for leaf, pose in sorted(gone)]
        first, _ = self._without(camera, self._first(camera), out)
        shown = np.zeros(first.shape, dtype=bool)
        if doors is not None:
            shown = decode_mask(doors, first.shape)
        near_shown = _grown(shown)
        found = set()
        for leaf in sorted({n // 2 for n in np.unique(first).tolist() if 0 <= n < self._mixed}):
            for pose in (SHUT, OPEN):
                if (self.leaves[leaf], pose) in gone:
                    continue
                # Away with the other pose: what shows there is then what the frame should show.
                other = 2 * leaf + 1 - pose
                instead, changed = self._without(camera, first, [other, *out])
                bare = (instead == 2 * leaf + pose) & ~near_shown
                extra = changed & shown
                if extra.any():
                    extra &= ~_grown(instead >= 0)
                if max(int(bare.sum()), int(extra.sum())) >= _MIN_PIXELS:
                    found.add((self.leaves[leaf], pose))
        return frozenset(found)

    def _without(
        self, camera: CameraSpec, first: IntArray, numbers: Sequence[int]
    ) -> tuple[IntArray, BoolArray]:
        """``first`` as it would be without leaves in some poses, and the pixels that this changes.

        ``numbers`` are theirs in ``first``.
        """
        changed: BoolArray = np.isin(first, numbers)
        if not changed.any():
            return first, changed
        rows, columns = np.nonzero(changed)
        pixels = np.column_stack((columns + 0.5, rows + 0.5))
        origins, directions = pinhole(camera).rays(pixels)
        hits = geo.raycast.closest(
            self.scene, origins, directions, ignore=[number + 1 for number in numbers]
        )
        instead = first.copy()
        instead[rows, columns] = np.maximum(hits.object_id, 0) - 1
        return instead, changed


def _grown(mask: BoolArray) -> BoolArray:
    """A mask with all pixels near it."""
    return np.asarray(ndimage.maximum_filter(mask, size=2 * _TOLERANCE_PX + 1))


@lru_cache(maxsize=4)
def _shell(things: tuple[_Thing, ...]) -> Shell:
    return Shell(things)


def shell_of(public: JsonDict) -> Shell:
    """The shell of the public part of an instance, without what is not drawn (``hide``)."""
    hidden = set(public["hide"])
    return _shell(tuple(_Thing.of(data) for data in public["shell"] if data["id"] not in hidden))


def shell_from(objects: Iterable[ObjectSpec], hide: Iterable[str]) -> Shell:
    """The same from objects as ``known_shape`` gives them."""
    hidden = set(hide)
    return _shell(tuple(_Thing.of(dict(obj)) for obj in objects if obj.id not in hidden))


def known_doors(history: Sequence[FrameRecord], public: JsonDict) -> dict[str, int | None]:
    """For each door of the house: ``OPEN``, ``SHUT`` or, not yet seen, ``None``."""
    shell = shell_of(public)
    excluded: frozenset[tuple[str, int]] = frozenset()
    while True:
        # Each pass looks behind what the one before has excluded.
        more = excluded.union(
            *(shell.excluded(frame.camera, frame.masks.get("door"), excluded) for frame in history)
        )
        if more == excluded:
            break
        excluded = more
    known: dict[str, int | None] = {}
    for leaf in shell.leaves:
        left = [pose for pose in (SHUT, OPEN) if (leaf, pose) not in excluded]
        known[leaf] = left[0] if len(left) == 1 else None
    return known


# --- hypotheses ----------------------------------------------------------------------------------


def worlds(known: Mapping[str, int | None], leaves: Iterable[str]) -> Iterator[dict[str, bool]]:
    """All ways in which ``leaves`` may stand: open or not by id, the unseen ones in both."""
    names = sorted(set(leaves))
    choices = [(SHUT, OPEN) if known[name] is None else (known[name],) for name in names]
    for poses in itertools.product(*choices):
        yield {name: pose == OPEN for name, pose in zip(names, poses, strict=True)}


def answers(
    known: Mapping[str, int | None],
    leaves: Iterable[str],
    answer: Callable[[Mapping[str, bool]], str],
) -> frozenset[str]:
    """The answers that remain over all ``worlds``."""
    return frozenset(answer(world) for world in worlds(known, leaves))


def deciding(
    known: Mapping[str, int | None],
    leaves: Iterable[str],
    answer: Callable[[Mapping[str, bool]], str],
) -> tuple[str, ...]:
    """The unseen doors that matter: opening or shutting one alone may change the answer."""
    names = sorted(set(leaves))
    given = {tuple(sorted(world.items())): answer(world) for world in worlds(known, names)}
    found = []
    for name in names:
        if known[name] is None and any(
            given[tuple(sorted({**dict(world), name: not dict(world)[name]}.items()))] != was
            for world, was in given.items()
        ):
            found.append(name)
    return tuple(found)
