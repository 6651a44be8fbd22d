"""Floor plans in BEHAVIOR's file format: written, read back, and read as OmniGibson reads them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sim_worlds import slab

from esi_fast.assets.houses import house
from esi_fast.errors import RecordError
from esi_fast.geometry import gridmap as gm
from esi_fast.records import RoomSpec, SceneSpec
from esi_fast.sim.embedded import EmbeddedSimulator
from esi_fast.sim.layout import PIXEL, ROOM_TYPES, Layout, read_layout, write_layout


@pytest.fixture(scope="module")
def home() -> EmbeddedSimulator:
    simulator = EmbeddedSimulator()
    simulator.load(house("cottage", 4, rooms=5))
    return simulator


@pytest.fixture(scope="module")
def scene(home: EmbeddedSimulator, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_layout(tmp_path_factory.mktemp("dataset"), "cottage_4", home.geometry())


@pytest.fixture(scope="module")
def layout(scene: Path) -> Layout:
    return read_layout(scene)


def test_round_trip_at_the_simulators_resolution(home: EmbeddedSimulator, layout: Layout) -> None:
    """A cell of 0.05 m is free in the simulator exactly if all its pixels are."""
    coarse, own = gm.resample(layout.floor, 0.05), home.floor_map()
    centers = own.centers(np.argwhere(np.ones(own.shape, dtype=bool)))
    read = coarse.is_free(coarse.cells_at(centers)).reshape(own.shape)
    assert np.array_equal(read, own.free)


def test_rooms_come_back_by_name(home: EmbeddedSimulator, layout: Layout) -> None:
    rooms = home.spec().rooms
    assert sorted(layout.rooms.values()) == sorted(r.id for r in rooms)
    for room in rooms:
        (x0, y0), (x1, y1) = room.lower, room.upper
        for x in (x0 + 0.02, (x0 + x1) / 2, x1 - 0.02):
            for y in (y0 + 0.02, (y0 + y1) / 2, y1 - 0.02):
                assert layout.room_at(x, y) == room.id
        number = next(k for k, name in layout.rooms.items() if name == room.id)
        assert layout.types[number] == room.type
        area = (layout.floor.rooms == number).sum() * PIXEL**2
        assert area == pytest.approx((x1 - x0) * (y1 - y0), rel=0.02)
    assert layout.room_at(-5.0, -5.0) is None


def test_without_furniture_there_is_more_room(home: EmbeddedSimulator, layout: Layout) -> None:
    assert layout.empty is not None
    assert np.all(layout.empty.free | ~layout.floor.free)
    freed = (layout.empty.free & ~layout.floor.free).sum() * PIXEL**2
    pieces = [o for o in home.spec().objects if o.category in ("sofa", "bed", "bathtub")]
    assert len(pieces) >= 3
    assert freed > 3.0  # square metres: these alone cover as much
    for spec in pieces:
        assert layout.empty.free[tuple(layout.empty.cells_at(spec.position[:2]))]
        assert not layout.floor.free[tuple(layout.floor.cells_at(spec.position[:2]))]


def test_pixels_are_where_omnigibson_looks(scene: Path, home: EmbeddedSimulator) -> None:
    """Its formula written out: int(flip(xy / resolution + size / 2)), at 0.01 m and at 0.1 m."""
    picture = np.asarray(Image.open(scene / "layout" / "floor_insseg_0.png"))
    small = np.asarray(
        Image.fromarray(picture).resize((len(picture) // 10,) * 2, Image.Resampling.NEAREST)
    )
    names = read_layout(scene).rooms
    for room in home.spec().rooms:
        xy = np.add(room.lower, room.upper) / 2
        for image, resolution in ((picture, 0.01), (small, 0.1)):
            row, column = np.flip(xy / resolution + len(image) / 2.0).astype(int)
            assert names[image[row, column]] == room.id


def test_a_sheet_between_rooms_is_kept(tmp_path: Path) -> None:
    """A partition of 1 mm still parts the floor after any resampling."""
    spec = SceneSpec(
        name="halves",
        rooms=(
            RoomSpec(id="bedroom_0", type="bedroom", lower=(-2.0, -1.0), upper=(-0.003, 1.0)),
            RoomSpec(id="sun_deck_0", type="sun_deck", lower=(0.003, -1.0), upper=(2.0, 1.0)),
        ),
        objects=(
            slab("floor", (4.0, 2.0, 0.1), (0.0, 0.0, -0.05), fixed=True, category="floor"),
            slab("wall", (0.001, 2.0, 2.6), (0.0, 0.0, 1.3), fixed=True),
        ),
    )
    simulator = EmbeddedSimulator()
    simulator.load(spec)
    layout = read_layout(write_layout(tmp_path, "halves", simulator.geometry()))
    for resolution in (0.01, 0.05, 0.1, 0.13):
        floor = gm.resample(layout.floor, resolution)
        parts = gm.components(floor, neighbours="8")
        left, right = floor.cells_at([[-1.0, 0.0], [1.0, 0.0]])
        assert parts.labels[tuple(left)] != parts.labels[tuple(right)]
    # A type of ours is added to the list, those of others keep their lines.
    lines = (tmp_path / "metadata" / "room_categories.txt").read_text().split()
    assert lines == [*ROOM_TYPES, "sun_deck"]
    assert layout.room_at(1.0, 0.0) == "sun_deck_0"


def test_numbers_above_nine_keep_their_names(tmp_path: Path) -> None:
    rooms = [
        RoomSpec(id=f"closet_{k}", type="closet", lower=(k, 0.0), upper=(k + 0.9, 1.0))
        for k in (3, 11, 0, 7, 1, 2, 4, 5, 6, 8, 9, 10)
    ]
    simulator = EmbeddedSimulator()
    floor = slab("floor", (12.0, 1.0, 0.1), (6.0, 0.5, -0.05), fixed=True, category="floor")
    simulator.load(SceneSpec(name="row", rooms=tuple(rooms), objects=(floor,)))
    layout = read_layout(write_layout(tmp_path, "row", simulator.geometry()))
    for room in rooms:
        assert layout.room_at(room.lower[0] + 0.4, 0.5) == room.id


class TestBadFiles:
    def test_missing(self, tmp_path: Path) -> None:
        with pytest.raises(RecordError, match=r"floor_trav_0\.png"):
            read_layout(tmp_path)

    @pytest.fixture
    def copy(self, scene: Path, tmp_path: Path) -> Path:
        folder = tmp_path / "scenes" / "copy"
        (folder / "layout").mkdir(parents=True)
        for file in (scene / "layout").iterdir():
            (folder / "layout" / file.name).write_bytes(file.read_bytes())
        return folder

    def test_no_list_of_types(self, copy: Path) -> None:
        with pytest.raises(RecordError, match=r"room_categories\.txt"):
            read_layout(copy)

    def test_list_given(self, copy: Path, scene: Path) -> None:
        given = read_layout(copy, categories=scene / "../../metadata/room_categories.txt")
        assert given.rooms == read_layout(scene).rooms

    def test_list_too_short(self, copy: Path, tmp_path: Path) -> None:
        (tmp_path / "types.txt").write_text("bar\n")
        with pytest.raises(RecordError, match="has 1 lines"):
            read_layout(copy, categories=tmp_path / "types.txt")

    def test_not_a_picture(self, copy: Path) -> None:
        (copy / "layout" / "floor_trav_0.png").write_bytes(b"no picture")
        with pytest.raises(RecordError, match="cannot read the picture"):
            read_layout(copy)

    def test_not_square(self, copy: Path) -> None:
        Image.new("L", (30, 20)).save(copy / "layout" / "floor_trav_0.png")
        with pytest.raises(RecordError, match="square"):
            read_layout(copy)

    def test_sizes_differ(self, copy: Path) -> None:
        Image.new("L", (20, 20)).save(copy / "layout" / "floor_semseg_0.png")
        with pytest.raises(RecordError, match=r"floor_semseg_0\.png: expected"):
            read_layout(copy)

    def test_bad_calls(self, home: EmbeddedSimulator, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="name"):
            write_layout(tmp_path, "../up", home.geometry())
        empty = EmbeddedSimulator()
        empty.load(SceneSpec(name="empty"))
        with pytest.raises(ValueError, match="snapshot"):
            write_layout(tmp_path, "empty", empty.geometry())
