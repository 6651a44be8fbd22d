"""Floor plans in BEHAVIOR-1K's file format: one writer, and one reader for ours and for theirs.

A dataset folder holds ``metadata/room_categories.txt`` (one room type per line) and, per scene,
``scenes/NAME/layout`` with grey 8-bit pictures of one pixel per centimetre:

- ``floor_trav_0.png``: 255 where one can walk among the furniture, 0 elsewhere;
- ``floor_trav_no_obj_0.png``: the same with nothing but the walls;
- ``floor_insseg_0.png``: number of the room, 0 outside and in walls;
- ``floor_semseg_0.png``: line number of the room's type, counted from 1.

The pictures are square and their middle is the world's origin. OmniGibson takes
``[row, column] = int([y, x] / resolution + size / 2)`` for the pixel of a point
(``maps/map_base.py``, ``world_to_map``), so rows grow with y and nothing is flipped. A room is
called ``TYPE_k``, where k counts the rooms of that type by ascending number
(``maps/segmentation_map.py``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, UnidentifiedImageError

from esi_fast import geometry as geo
from esi_fast.errors import RecordError
from esi_fast.records import ObjectSpec
from esi_fast.sim._maps import RESOLUTION, Keep, free_cells, grid_frame, room_cells
from esi_fast.sim.base import Snapshot
from esi_fast.types import IntArray, UInt8Array

__all__ = ["PIXEL", "ROOM_TYPES", "Layout", "floor_of", "read_layout", "write_layout"]

PIXEL = 0.01  # metres, the resolution of the files (OmniGibson's ``map_default_resolution``)
# Half the side of a picture is a multiple of this, so that its cells line up with the simulator's
# at 0.05 m and with OmniGibson's at 0.1 m.
_STEP = 0.1
_MAX_ROOMS = 255
# The room types of BEHAVIOR-1K, then ours.
ROOM_TYPES: tuple[str, ...] = (
    "bar",
    "bathroom",
    "bedroom",
    "biology_lab",
    "break_room",
    "chemistry_lab",
    "classroom",
    "computer_lab",
    "conference_hall",
    "copy_room",
    "corridor",
    "dining_room",
    "empty_room",
    "grocery_store",
    "gym",
    "hammam",
    "infirmary",
    "kitchen",
    "lobby",
    "locker_room",
    "meeting_room",
    "phone_room",
    "private_office",
    "sauna",
    "shared_office",
    "spa",
    "entryway",
    "television_room",
    "utility_room",
    "garage",
    "closet",
    "childs_room",
    "exercise_room",
    "garden",
    "living_room",
    "pantry_room",
    "playroom",
    "staircase",
    "storage_room",
    "study",
)


@dataclass(frozen=True, eq=False)
class Layout:
    """A floor plan: ``floor`` and ``empty`` (without furniture; ``None`` where there is no such
    file) are maps at ``PIXEL``; their room numbers have the names ``rooms`` and types ``types``.
    """

    floor: geo.gridmap.GridMap
    empty: geo.gridmap.GridMap | None
    rooms: dict[int, str]
    types: dict[int, str]

    def room_at(self, x: float, y: float) -> str | None:
        """Name of the room that holds a point, ``None`` outside and in walls."""
        number = int(geo.gridmap.rooms_at(self.floor, [[x, y]])[0])
        return self.rooms.get(number)


def floor_of(snapshot: Snapshot, *, keep: Keep = lambda spec: True) -> geo.gridmap.GridMap:
    """The floor of a snapshot as ``Simulator.floor_map`` has it: room k + 1 is ``rooms[k]``.

    ``keep`` picks the objects that are in the way. ``ValueError`` where there is no floor.
    """
    floors = [k for k, spec in enumerate(snapshot.objects) if spec.category == "floor"]
    if not floors:
        raise ValueError("snapshot: expected an object of category 'floor', got none")
    origin, rows, columns = grid_frame(
        snapshot.boxes[floors, 0].min(axis=0), snapshot.boxes[floors, 1].max(axis=0)
    )
    return geo.gridmap.GridMap(
        free_cells(snapshot, origin, rows, columns, keep=keep),
        RESOLUTION,
        origin=origin,
        rooms=room_cells(snapshot.rooms, origin, rows, columns),
    )


def write_layout(folder: str | Path, name: str, snapshot: Snapshot) -> Path:
    """Write the maps of a snapshot as scene ``name`` of a dataset folder; its scene folder.

    Room types that the folder's ``room_categories.txt`` lacks are added at its end. ``ValueError``
    for a snapshot without floor or rooms, or with more than 255 of them.
    """
    floors = [k for k, spec in enumerate(snapshot.objects) if spec.category == "floor"]
    if not floors or not snapshot.rooms:
        raise ValueError("snapshot: expected at least one floor and one room")
    if len(snapshot.rooms) > _MAX_ROOMS:
        raise ValueError(
            f"snapshot: expected at most {_MAX_ROOMS} rooms, got {len(snapshot.rooms)}"
        )
    if not name or Path(name).name != name:
        raise ValueError(f"name: expected a plain folder name, got {name!r}")
    reach = float(np.abs(snapshot.boxes[floors, :, :2]).max())
    half = math.ceil(round(reach / _STEP, 6)) * _STEP
    size = 2 * round(half / PIXEL)
    origin = (-half, -half)
    numbers = _numbered([room.id for room in snapshot.rooms])
    cells = room_cells(snapshot.rooms, origin, size, size, PIXEL)
    instances = np.array([0, *numbers], dtype=np.uint8)[cells]
    lines = _room_types(Path(folder), [room.type for room in snapshot.rooms])
    kinds = [lines.index(room.type) + 1 for room in snapshot.rooms]
    semantics = np.array([0, *kinds], dtype=np.uint8)[cells]
    scene = Path(folder) / "scenes" / name
    (scene / "layout").mkdir(parents=True, exist_ok=True)
    for stem, picture in (
        ("floor_trav", _walkable(snapshot, origin, size, lambda spec: True)),
        ("floor_trav_no_obj", _walkable(snapshot, origin, size, _is_wall)),
        ("floor_insseg", instances),
        ("floor_semseg", semantics),
    ):
        Image.fromarray(picture).save(scene / "layout" / f"{stem}_0.png")
    return scene


def _is_wall(spec: ObjectSpec) -> bool:
    return spec.role == "structure" and spec.category != "door"


def _walkable(snapshot: Snapshot, origin: tuple[float, float], size: int, keep: Keep) -> UInt8Array:
    free = free_cells(snapshot, origin, size, size, resolution=PIXEL, keep=keep)
    return np.where(free, 255, 0).astype(np.uint8)


def _numbered(names: list[str]) -> list[int]:
    """Numbers from 1 under which the reader finds the same names again: in natural order."""

    def natural(name: str) -> tuple[str, int]:
        stem, _, tail = name.rpartition("_")
        return (stem, int(tail)) if tail.isdigit() else (name, -1)

    order = sorted(range(len(names)), key=lambda k: natural(names[k]))
    numbers = [0] * len(names)
    for number, k in enumerate(order, start=1):
        numbers[k] = number
    return numbers


def _room_types(folder: Path, needed: list[str]) -> list[str]:
    """The lines of the folder's list of room types, with those that were missing."""
    path = folder / "metadata" / "room_categories.txt"
    lines = path.read_text(encoding="utf-8").split() if path.exists() else list(ROOM_TYPES)
    lines += [kind for kind in dict.fromkeys(needed) if kind not in lines]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return lines


def read_layout(scene: str | Path, *, categories: str | Path | None = None) -> Layout:
    """The floor plan of a scene folder, written by us or part of BEHAVIOR-1K.

    ``categories`` is the list of room types (default: ``../../metadata/room_categories.txt`` of
    the scene folder). Only pixels of 255 are free, as in OmniGibson. To change the resolution use
    ``geometry.gridmap.resample``, which never loses a wall; OmniGibson's bilinear resizing to
    0.1 m looks at four of a hundred pixels and may.

    ``RecordError`` names the file that is missing, no grey square picture, or of another size than
    the rest, and the room type that the list does not have.
    """
    scene = Path(scene)
    layout = scene / "layout"
    walk = _picture(layout / "floor_trav_0.png", None)
    size = walk.shape[0]
    instances = _picture(layout / "floor_insseg_0.png", size)
    semantics = _picture(layout / "floor_semseg_0.png", size)
    path = (
        Path(categories) if categories is not None else scene / "../../metadata/room_categories.txt"
    )
    try:
        lines = path.read_text(encoding="utf-8").split()
    except OSError as error:
        raise RecordError(f"{path}: cannot read the list of room types: {error}") from error
    types: dict[int, str] = {}
    names: dict[int, str] = {}
    counts: dict[str, int] = {}
    for number in np.unique(instances).tolist():
        if number == 0:
            continue
        kind = int(semantics.flat[int(np.argmax(instances == number))])
        if not 1 <= kind <= len(lines):
            raise RecordError(
                f"{layout / 'floor_semseg_0.png'}: room {number} is of type {kind}, "
                f"but {path} has {len(lines)} lines"
            )
        types[number] = lines[kind - 1]
        k = counts.get(types[number], 0)
        counts[types[number]] = k + 1
        names[number] = f"{types[number]}_{k}"
    rooms: IntArray = instances.astype(np.int64)
    bare = layout / "floor_trav_no_obj_0.png"
    load = geo.gridmap.GridMap.load
    return Layout(
        floor=load(walk, PIXEL, origin="centered", rooms=rooms),
        empty=load(_picture(bare, size), PIXEL, origin="centered", rooms=rooms)
        if bare.exists()
        else None,
        rooms=names,
        types=types,
    )


def _picture(path: Path, size: int | None) -> UInt8Array:
    """A square picture as grey levels (H, H)."""
    try:
        with Image.open(path) as image:
            if image.mode not in ("1", "L", "P", "RGB", "RGBA", "LA"):
                raise RecordError(f"{path}: expected 8-bit grey levels, got mode {image.mode}")
            values = np.asarray(image.convert("L"))
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise RecordError(f"{path}: cannot read the picture: {error}") from error
    if values.shape[0] != values.shape[1]:
        raise RecordError(f"{path}: expected a square picture, got {values.shape}")
    if size is not None and values.shape[0] != size:
        raise RecordError(f"{path}: expected {size} x {size} pixels, got {values.shape}")
    return values
