"""Floor maps against a scalar clipper, and maps of whole houses."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from esi_fast.assets.houses import house
from esi_fast.geometry import gridmap as gm
from esi_fast.sim._maps import HEAD, RESOLUTION, STEP_OVER, grid_frame, rasterize
from esi_fast.sim.embedded import EmbeddedSimulator

Point = tuple[float, float, float]


def clip(polygon: list[Point], axis: int, limit: float, sign: float) -> list[Point]:
    """Sutherland and Hodgman: the part where ``sign * (p[axis] - limit) >= 0``."""
    out: list[Point] = []
    for a, b in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        fa, fb = sign * (a[axis] - limit), sign * (b[axis] - limit)
        if fa >= 0:
            out.append(a)
        if fa * fb < 0:
            t = fa / (fa - fb)
            out.append(tuple(p + t * (q - p) for p, q in zip(a, b, strict=True)))  # type: ignore[arg-type]
    return out


def touches(triangle: list[Point], row: int, column: int, grow: float) -> bool:
    """Whether the triangle meets the column of air over a cell, grown by ``grow`` cells."""
    polygon = triangle
    for axis, low, high in (
        (2, STEP_OVER, HEAD),
        (0, (column - grow) * RESOLUTION, (column + 1 + grow) * RESOLUTION),
        (1, (row - grow) * RESOLUTION, (row + 1 + grow) * RESOLUTION),
    ):
        polygon = clip(polygon, axis, low, 1.0)
        polygon = clip(polygon, axis, high, -1.0)
        if not polygon:
            return False
    return True


COORDINATE = st.floats(0.02, 0.48)
HEIGHT = st.one_of(st.floats(-0.5, 2.5), st.sampled_from([0.0, STEP_OVER, 1.0, HEAD]))
TRIANGLE = st.lists(st.tuples(COORDINATE, COORDINATE, HEIGHT), min_size=3, max_size=3)


@given(TRIANGLE)
def test_every_touched_cell_and_no_other(triangle: list[Point]) -> None:
    cells = rasterize(np.array([triangle]), (0.0, 0.0), 10, 10)
    for row in range(10):
        for column in range(10):
            if cells[row, column]:
                assert touches(triangle, row, column, 1e-6)
            elif max(p[2] for p in triangle) > STEP_OVER and min(p[2] for p in triangle) < HEAD:
                assert not touches(triangle, row, column, -1e-6)


@given(st.lists(TRIANGLE, min_size=1, max_size=12))
def test_many_are_the_union_of_each(triangles: list[list[Point]]) -> None:
    together = rasterize(np.array(triangles), (0.0, 0.0), 10, 10)
    each = [rasterize(np.array([t]), (0.0, 0.0), 10, 10) for t in triangles]
    assert np.array_equal(together, np.any(each, axis=0))


def test_a_wall_without_thickness_is_kept() -> None:
    """A vertical sheet, also one exactly on a line between cells, sets an unbroken line."""
    for x in (0.2, 0.213, 0.25):
        corners = np.array([[x, 0.0, 0.0], [x, 0.5, 0.0], [x, 0.5, 2.6], [x, 0.0, 2.6]])
        cells = rasterize(corners[[[0, 1, 2], [0, 2, 3]]], (0.0, 0.0), 10, 10)
        assert cells.any(axis=1).all()


def test_frames_line_up() -> None:
    first, *_ = grid_frame(np.array([-0.06, 0.03, 0.0]), np.array([4.0, 3.0, 0.0]))
    second, *_ = grid_frame(np.array([1.02, -2.0, 0.0]), np.array([4.0, 3.0, 0.0]))
    steps = np.subtract(first, second) / RESOLUTION
    assert steps == pytest.approx(np.round(steps), abs=1e-9)


@pytest.fixture(scope="module")
def home() -> EmbeddedSimulator:
    simulator = EmbeddedSimulator()
    simulator.load(house("cottage", 4, rooms=7))
    return simulator


def regions(simulator: EmbeddedSimulator) -> list[set[str]]:
    """Groups of rooms between which one can walk."""
    floor, rooms = simulator.traversability(), simulator.room_map()
    labels, count = ndimage.label(floor.cells)
    ids = [r.id for r in simulator.spec().rooms]
    groups = []
    for label in range(1, count + 1):
        inside = np.bincount(rooms.cells[labels == label], minlength=len(ids) + 1)
        # Slivers behind furniture are no way into a room.
        names = {ids[k - 1] for k in range(1, len(ids) + 1) if inside[k] * RESOLUTION**2 > 0.5}
        if names:
            groups.append(names)
    return groups


def test_open_doors_join_the_house(home: EmbeddedSimulator) -> None:
    inner = [
        o for o in home.spec().objects if o.category == "door" and o.state["open"] in (0.0, 1.0)
    ]
    entrance = [o.id for o in inner if _outside(home, o.position)]
    for door in inner:
        home.set_state(door.id, "open", 0.0 if door.id in entrance else 1.0)
    everything = {r.id for r in home.spec().rooms}
    assert everything in regions(home)
    for door in inner:
        home.set_state(door.id, "open", 0.0)
    groups = regions(home)
    assert sum(len(g) for g in groups) == len(everything)
    # Shut doors part the house; only passages without doors still join rooms.
    assert len(groups) >= 4
    assert everything not in groups


def test_ways_through_the_house_agree_with_its_regions(home: EmbeddedSimulator) -> None:
    floor = home.floor_map()
    rooms = home.spec().rooms
    middles = [[(r.lower[k] + r.upper[k]) / 2 for k in (0, 1)] for r in rooms]
    assert gm.rooms_at(floor, middles).tolist() == list(range(1, len(rooms) + 1))
    ways = gm.rooms_between(floor)
    assert ways.rooms.tolist() == list(range(1, len(rooms) + 1))
    groups = {
        frozenset(rooms[k].id for k in np.flatnonzero(row)) for row in np.isfinite(ways.distance)
    }
    assert groups == {frozenset(group) for group in regions(home)}
    joined = {frozenset(door.rooms) for door in gm.doors(floor)}
    for k, m in zip(*np.nonzero(np.isfinite(ways.distance)), strict=True):
        path = gm.shortest_path(floor, ways.points[k], ways.points[m])
        stays = gm.room_sequence(gm.spread_rooms(floor), path.cells).rooms.tolist()
        assert (stays[0], stays[-1]) == (k + 1, m + 1)
        assert all(frozenset(pair) in joined for pair in itertools.pairwise(stays))


def _outside(simulator: EmbeddedSimulator, position: Point) -> bool:
    rooms = simulator.spec().rooms
    low = np.min([r.lower for r in rooms], axis=0)
    high = np.max([r.upper for r in rooms], axis=0)
    at = np.asarray(position[:2])
    return bool(np.any(at < low + 0.05) or np.any(at > high - 0.05))


def test_furniture_blocks(home: EmbeddedSimulator) -> None:
    floor = home.traversability()
    snapshot = home.geometry()
    for k, spec in enumerate(snapshot.objects):
        if spec.category in ("sofa", "bed", "wardrobe", "bookcase"):
            center = snapshot.boxes[k].mean(axis=0)[:2]
            column, row = np.floor((center - floor.origin) / floor.resolution).astype(int)
            assert not floor.cells[row, column]


def test_house_stands_still(home: EmbeddedSimulator) -> None:
    """Everything was placed at rest: nothing falls, tips or is pushed out when time starts."""
    report = home.settle()
    assert report.at_rest
    worst = dict(zip(report.ids, report.drift, strict=True))
    assert max(worst.values()) < 2e-3, sorted(worst, key=worst.__getitem__)[-3:]
    assert report.penetration < 5e-4
