"""The simulator contract. Generators and evaluation know simulators only through it.

Arrays of N everywhere, in the order of the ids given. Geometry questions are never asked of the
engine: ``geometry()`` hands out a snapshot on which the kernels work, so that the same generator
runs on every backend.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from esi_fast import geometry as geo
from esi_fast.records import CameraSpec, ObjectSpec, RoomSpec, SceneSpec
from esi_fast.types import BoolArray, FloatArray, IntArray, UInt8Array

__all__ = [
    "Capability",
    "Contacts",
    "Contents",
    "DriveReport",
    "Frame",
    "GridFloor",
    "Poses",
    "PourReport",
    "SettleReport",
    "Simulator",
    "Snapshot",
]


class Capability(enum.Enum):
    """What a backend can do; a task declares what it requires."""

    RIGID = "rigid"
    ARTICULATION = "articulation"
    LIQUID = "liquid"
    CLOTH = "cloth"
    LIGHTS = "lights"
    MIRROR = "mirror"
    TRANSPARENCY = "transparency"
    ROBOT = "robot"
    ROOMS = "rooms"


class Poses(NamedTuple):
    """World poses of N objects: ``positions`` (N, 3), ``orientations`` (N, 4) xyzw."""

    positions: FloatArray
    orientations: FloatArray


class Contacts(NamedTuple):
    """Touching pairs: ``pairs`` (C, 2) indices into ``ids``, penetration ``depth`` (C,) >= 0."""

    ids: tuple[str, ...]
    pairs: IntArray
    depth: FloatArray


class SettleReport(NamedTuple):
    """Result of ``settle``: simulated seconds, whether all rest, and the residual numbers.

    ``drift`` (N,) is how far each movable object moved; ``penetration`` the deepest overlap.
    """

    at_rest: bool
    seconds: float
    max_speed: float
    penetration: float
    ids: tuple[str, ...]
    drift: FloatArray


class DriveReport(NamedTuple):
    """Result of ``drive``: whether the aim was reached, and what came of it if not.

    ``opened`` is the opening reached (0 to 1), ``angle_deg`` the same as an angle of the first
    hinge, counted from shut; ``blocked_by`` the ids that the moving part is pressed against.
    """

    ok: bool
    opened: float
    angle_deg: float
    seconds: float
    blocked_by: tuple[str, ...]


class Contents(NamedTuple):
    """What a vessel holds, in cubic metres.

    ``volume`` is the liquid in it, ``capacity`` the most it holds upright, ``holds`` the most it
    holds as it stands, and ``level`` the height (world z) of the surface, NaN when empty.
    """

    volume: float
    capacity: float
    holds: float
    level: float


class PourReport(NamedTuple):
    """Where the liquid of a pour went, in cubic metres.

    ``before`` (in both vessels) is ``left`` (in the source) plus ``target`` (in the target after)
    plus ``spilled``.
    ``seconds`` were simulated, with ``particles`` of equal volume.
    """

    before: float
    left: float
    target: float
    spilled: float
    seconds: float
    particles: int

    @property
    def complete(self) -> bool:
        """Whether nothing was spilled and less than 2 % stayed behind."""
        return self.spilled == 0.0 and self.left <= 0.02 * self.before


class GridFloor(NamedTuple):
    """A floor map: ``cells`` (H, W) (traversable: bool; rooms: index + 1, 0 outside).

    Cell ``[r, c]`` covers the square whose lower corner is ``origin + resolution * (c, r)``.
    """

    cells: IntArray | BoolArray
    resolution: float
    origin: tuple[float, float]


class Frame(NamedTuple):
    """One rendered view. Fields not asked for are ``None``.

    ``rgb`` (H, W, 3) uint8 sRGB; ``depth`` (H, W) metres along the optical axis, ``inf`` where
    nothing is hit; ``ids`` (H, W) int32 index into ``Snapshot.ids`` of the surface itself (a
    mirror is the mirror), -1 where nothing; ``seen_ids`` the same after following perfect mirrors
    and clear glass (what the pixel shows); ``normals`` (H, W, 3) world.
    """

    rgb: UInt8Array | None
    depth: FloatArray | None
    ids: NDArray[np.int32] | None
    seen_ids: NDArray[np.int32] | None
    normals: NDArray[np.float32] | None


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The geometry of a settled moment. ``ids[k]`` is the object whose kernel id is ``k``.

    ``boxes`` (N, 2, 3) are world bounding boxes (lower, upper) of the meshes as posed. The scene
    belongs to the snapshot's reader until the simulator next changes; copy nothing, change
    nothing.
    """

    scene: geo.Scene
    ids: tuple[str, ...]
    objects: tuple[ObjectSpec, ...]
    boxes: FloatArray
    rooms: tuple[RoomSpec, ...]

    def index(self, object_id: str) -> int:
        """Kernel id of an object; ``KeyError`` names it when absent."""
        try:
            return self.ids.index(object_id)
        except ValueError:
            raise KeyError(f"object_id: no object {object_id!r} in this snapshot") from None

    def centers(self) -> FloatArray:
        """Box centres (N, 3)."""
        return np.asarray(self.boxes.mean(axis=1))


class Simulator(ABC):
    """A world that can be loaded, changed, settled and looked at.

    Object ids that do not exist raise ``KeyError`` naming them; arrays of the wrong shape or with
    non-finite numbers raise ``ValueError``; the world stays usable after either.
    """

    name: ClassVar[str]
    """Name in the registry."""
    version: ClassVar[str]
    capabilities: ClassVar[frozenset[Capability]]
    approximations: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def load(self, scene: SceneSpec) -> None:
        """Replace the world by ``scene``, objects exactly at their recorded poses.

        ``ObjectTooLarge`` for an object that is larger, as it is turned, than its room.
        """

    @abstractmethod
    def spec(self) -> SceneSpec:
        """The world now, as plain data; ``load(spec())`` changes no pose by more than 1e-9."""

    @abstractmethod
    def add(self, objects: Sequence[ObjectSpec]) -> None:
        """Add objects; ``ValueError`` for an id that exists, ``UnknownName`` for a model,
        ``ObjectTooLarge`` for what its room is too small for."""

    @abstractmethod
    def remove(self, ids: Sequence[str]) -> None:
        """Remove objects."""

    @abstractmethod
    def poses(self, ids: Sequence[str]) -> Poses:
        """World poses of the named objects."""

    @abstractmethod
    def set_poses(
        self, ids: Sequence[str], positions: FloatArray, orientations: FloatArray
    ) -> None:
        """Put objects at poses, at rest: ``positions`` (N, 3), ``orientations`` (N, 4) xyzw."""

    @abstractmethod
    def geometry(self) -> Snapshot:
        """The meshes as posed now, as a kernel scene."""

    @abstractmethod
    def settle(self, max_time: float = 3.0, tol: float = 1e-3) -> SettleReport:
        """Run until nothing is faster than ``tol`` (m/s), or for ``max_time`` simulated seconds.

        Speed is that of an object's fastest point, measured over a tenth of a second.
        """

    @abstractmethod
    def step(self, seconds: float) -> None:
        """Run the physics for ``seconds`` of simulated time."""

    @abstractmethod
    def contacts(self) -> Contacts:
        """Pairs of objects in contact now."""

    @abstractmethod
    def set_state(self, object_id: str, key: str, value: float) -> None:
        """Set a state at once, whatever is in the way.

        Keys: ``open`` of doors and lids; ``friction``, and ``friction_dynamic`` for what slides
        (at most the other); ``mass`` in kg; ``light`` of lamps; ``fill`` (with LIQUID) the share
        of its capacity that is in a vessel, ``false_bottom`` the share of its volume that a raised
        floor takes; ``held`` (1: carried, it stays where it is put and touches nothing).
        ``ValueError`` for a key that the object or the
        backend does not have, or a value out of its range.
        """

    def drive(self, object_id: str, key: str, value: float) -> DriveReport:
        """Move a lid or door (``key`` ``open``) to ``value`` by force, moving what is in the way.

        What is too heavy or fixed blocks it: the report says how far it came and at what it
        stopped, and there it stays. Backends without ``Capability.ARTICULATION`` raise
        ``ValueError``, as does an object that has nothing to open.
        """
        raise ValueError(f"key: backend {self.name!r} drives nothing, got {key!r} of {object_id!r}")

    def contents(self, object_id: str) -> Contents:
        """What is in a vessel; ``ValueError`` for what is none, and without LIQUID."""
        raise ValueError(f"object_id: {self.name} has no liquid, so {object_id!r} holds none")

    def pour(
        self, source: str, target: str | None = None, *, tilt_deg: float = 110.0
    ) -> PourReport:
        """Hold one vessel over another (or where it is), tilt it, let run what runs, and put it
        back; what misses or overflows stays in the world as loose water.

        ``ValueError`` for what is no vessel, a vessel poured into itself, a tilt outside 0 to 180,
        and without LIQUID.
        """
        raise ValueError(f"source: {self.name} has no liquid, so {source!r} cannot pour")

    @abstractmethod
    def set_lights(self, scene: SceneSpec) -> None:
        """Take ``lights``, ``ambient``, ``sky`` and ``lighting`` from a scene; objects stay.

        ``spec()`` then records them.
        """

    @abstractmethod
    def traversability(self, floor: int = 0) -> GridFloor:
        """Which floor cells are free of obstacles up to 2 m height."""

    @abstractmethod
    def room_map(self, floor: int = 0) -> GridFloor:
        """Which room each floor cell belongs to (index into ``spec().rooms`` plus one)."""

    def floor_map(self, floor: int = 0) -> geo.gridmap.GridMap:
        """Both maps as one, for paths and rooms: room k + 1 is ``spec().rooms[k]``."""
        free, rooms = self.traversability(floor), self.room_map(floor)
        return geo.gridmap.GridMap(
            free.cells, free.resolution, origin=free.origin, rooms=rooms.cells
        )

    @abstractmethod
    def save(self) -> object:
        """An opaque token of the full state."""

    @abstractmethod
    def restore(self, token: object) -> None:
        """Back to a saved state, exactly."""

    @abstractmethod
    def render(
        self,
        cameras: Sequence[CameraSpec],
        modalities: Sequence[str] = ("rgb",),
        *,
        hide: Sequence[str] = (),
    ) -> list[Frame]:
        """Frames of the world; modalities of ``rgb, depth, ids, seen_ids, normals``.

        Objects whose ids are in ``hide`` are left out, such as the ceiling for a camera above it;
        the lamps among them shine on.
        """

    def close(self) -> None:
        """Release the engine; the simulator cannot be used afterwards."""
        return
