"""Grid maps: recorded cases, two other libraries, brute force, invariants, hard shapes."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image
from scipy import ndimage, sparse
from scipy.sparse.csgraph import dijkstra
from skimage.graph import MCP_Geometric

from esi_fast.geometry import boxes
from esi_fast.geometry import gridmap as gm
from esi_fast.geometry.gridmap import GridMap, PathStatus

DATA = Path(__file__).parents[1] / "data"
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for name in ("nav", "los")
    for case in json.loads((DATA / f"{name}.json").read_text())
}
RULES: tuple[gm.Neighbours, ...] = ("4", "8", "8_strict")
MODE: dict[str, gm.Neighbours] = {"4": "4", "8": "8", "8_no_corner_cut": "8_strict"}
ROOT2 = math.sqrt(2)

Array = np.ndarray[Any, Any]


def draw(rows: list[str]) -> Array:
    """'#' is blocked, anything else free."""
    return np.array([[c != "#" for c in row] for row in rows], dtype=bool).reshape(
        len(rows), len(rows[0]) if rows else 0
    )


def grid(rows: list[str], **options: Any) -> GridMap:
    return GridMap(draw(rows), options.pop("resolution", 1.0), **options)


# ---- recorded cases --------------------------------------------------------------------------


def shortest_path(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    resolution = given.get("resolution", 1.0)
    if "grid_all_free" in given:
        path = gm.shortest_path(
            GridMap(np.ones(given["grid_all_free"], bool), resolution),
            given["start"],
            given["goal"],
            neighbours="8",
        )
        assert path.distance / resolution == pytest.approx(expected["length_cells"], abs=1e-9)
        assert path.distance == pytest.approx(expected["length_m"], abs=1e-9)
        assert len(path.cells) == expected["cells_in_path"]
        return
    for k, drawn in enumerate(given["grids"]):
        where = grid(drawn["rows"], resolution=resolution)
        for mode in given["modes"]:
            path = gm.shortest_path(where, drawn["start"], drawn["goal"], neighbours=MODE[mode])
            length = expected["length"][k]
            length = length[mode] if isinstance(length, dict) else length
            assert path.distance / resolution == pytest.approx(
                math.inf if length is None else length, abs=1e-9
            )
            reached = gm.components(where, neighbours=MODE[mode]).labels
            together = reached[tuple(drawn["start"])] == reached[tuple(drawn["goal"])] != 0
            assert together == (path.status == PathStatus.OK) == (length is not None)
            if "path" in expected:
                assert path.cells.tolist() == (expected["path"][k] or [])
                assert (path.status == PathStatus.OK) == expected["reachable"][k]
            if "metres" in expected:
                assert path.distance == pytest.approx(expected["metres"], abs=1e-12)
    if given.get("then_transpose"):
        (drawn,) = given["grids"]
        turned = GridMap(draw(drawn["rows"]).T, 1.0)
        path = gm.shortest_path(turned, drawn["start"][::-1], drawn["goal"][::-1])
        assert path.distance == expected["transposed_grid_length"]


def shortest_path_u8(case: dict[str, Any]) -> None:
    given = case["input"]
    where = GridMap.load(np.array(given["grid"], dtype=np.uint8), 1.0)
    assert where.free.sum() == case["expected"]["free_cells"]
    for rule in RULES:
        path = gm.shortest_path(where, given["start"], given["goal"], neighbours=rule)
        assert path.status == PathStatus.UNREACHABLE
        assert path.cells.shape == (0, 2)


# The graphs of these cases as corridors between corners, each edge as long as its weight times the
# first number. No search here has a heuristic that could be inconsistent.
Spot = tuple[int, int]
CORRIDORS: dict[str, tuple[int, dict[str, Spot], list[list[Spot]]]] = {
    "nav-06": (
        1,
        {"s": (0, 0), "m": (1, 0), "t": (4, 3)},
        [[(0, 0), (0, 5), (4, 5), (4, 0), (0, 0)]],
    ),
    "nav-24": (
        4,
        {"a": (14, 2), "b": (26, 2), "c": (26, 14), "d": (14, 14)},
        [
            [(14, 2), (26, 2), (26, 14), (14, 14)],
            [(14, 2), (14, 0), (28, 0), (28, 14), (26, 14)],
            [(14, 2), (0, 2), (0, 14), (14, 14)],
        ],
    ),
}


def graph_shortest(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    scale, at, lines = CORRIDORS[case["id"]]
    free = np.zeros((29, 15), dtype=bool)
    for (r0, c0), (r1, c1) in itertools.chain.from_iterable(map(itertools.pairwise, lines)):
        free[min(r0, r1) : max(r0, r1) + 1, min(c0, c1) : max(c0, c1) + 1] = True
    for a, b, weight in given["edges"]:
        alone = free.copy()
        for other in set(at) - {a, b}:
            alone[at[other]] = False
        path = gm.shortest_path(GridMap(alone, 1.0), at[a], at[b], neighbours="4")
        assert path.distance == weight * scale  # the drawing is that graph
    source, target = at[given["source"]], at[given["target"]]
    path = gm.shortest_path(GridMap(free, 1.0), source, target, neighbours="4")
    assert {path.distance / scale} == set(expected["length"])
    names = {spot: name for name, spot in at.items()}
    passed = [names[tuple(cell)] for cell in path.cells.tolist() if tuple(cell) in names]
    assert passed == expected["path"]


def rank_pairs(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    names = sorted({name for pair in given["distances"] for name in pair[:2]})
    matrix = np.zeros((len(names), len(names)))
    for a, b, distance in given["distances"]:
        i, j = names.index(a), names.index(b)
        matrix[i, j] = matrix[j, i] = np.inf if distance is None else distance
    ranked = gm.farthest_pairs(matrix, given["keep"])
    assert [[names[i], names[j]] for i, j in ranked] == expected["ranked"]
    assert len(gm.farthest_pairs(matrix, 100)) == expected["connected_pairs"]


def erode_map(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    free = np.zeros((given["grid_rows"], 9), dtype=bool)
    free[given["corridor_rows"]] = True
    for measure in ("wall", "center"):
        eroded = gm.erode(
            GridMap(free, given["resolution"]), given["robot_radius"], measure=measure
        )
        assert np.flatnonzero(eroded.free.any(axis=1)).tolist() == expected["true_free_rows"]


def room_sequence(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    ids = {None: 0, "A": 1, "B": 2, "C": 3}
    for cells, rooms, via in zip(
        given["cells"], expected["sequence"], expected["via_B_between_ends"], strict=True
    ):
        found = gm.collapse_rooms([ids[name] for name in cells])
        assert found.rooms.tolist() == [ids[name] for name in rooms]
        assert (ids["B"] in found.via) == via
        for room, first, last in zip(*found, strict=True):
            assert ids[cells[first]] == ids[cells[last]] == room
            assert all(ids[name] in (0, room) for name in cells[first : last + 1])


def cross_map_lookup(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    trav, seg = (
        GridMap.load(np.ones((g["size"],) * 2, bool), g["resolution"], origin="centered")
        for g in (given["trav"], given["seg"])
    )
    points = trav.centers(given["trav_cells"])
    np.testing.assert_allclose(points, np.array(expected["world"]), atol=1e-9)
    assert seg.cells_at(points).tolist() == expected["seg_rc"]
    # All at once, as the rooms of one map are laid on another.
    numbers = np.arange(seg.free.size).reshape(seg.shape)
    laid = trav.with_rooms(seg.with_rooms(numbers)).rooms
    assert laid is not None
    for cell, (row, column) in zip(given["trav_cells"], expected["seg_rc"], strict=True):
        assert laid[tuple(cell)] == numbers[row, column]


def snap(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    where, rule = grid(given["rows"]), MODE[given["mode"]]
    (found,) = gm.nearest_free(where, [given["target"]])
    assert found.tolist() == expected["nearest_any"]
    (reached,) = gm.nearest_free(
        where, [given["target"]], reachable_from=given["start"], neighbours=rule
    )
    assert reached.tolist() == expected["nearest_in_start_component"]
    paths = gm.shortest_paths(where, [given["start"]], [found, reached], neighbours=rule)
    assert np.isfinite(paths.distance).tolist() == [False, True]


def connectivity_label(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    for mode in given["modes"]:
        path = gm.shortest_path(grid(given["rows"]), given["a"], given["b"], neighbours=MODE[mode])
        assert path.distance == pytest.approx(expected["length"][mode], abs=1e-9)
        shut = gm.shortest_path(
            grid(given["blocked_variant"]), given["a"], given["b"], neighbours=MODE[mode]
        )
        assert shut.status == PathStatus.UNREACHABLE
        assert shut.distance == np.inf


def connectivity_label_variants(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    where = grid(given["rows_no_door"])
    path = gm.shortest_path(where, given["a"], given["b"], neighbours=given["mode"])
    assert path.distance == expected["no_door_length"]
    shut = where.with_free(draw(given["rows_with_door"]))
    path = gm.shortest_path(shut, given["a"], given["b"], neighbours=given["mode"])
    assert path.status == PathStatus.UNREACHABLE


def closer_region(case: dict[str, Any]) -> None:
    """Boxes that may overlap are no map: their distance is that of ``boxes``.

    Where they do not overlap the map agrees.
    """
    given, expected = case["input"], case["expected"]
    x, y = given["point"]
    point = [(x, y, 0.0), (x, y, 0.0)]
    resolution = 0.1
    for pair, distance, answer in zip(
        given["pairs"], expected["box_distance"], expected["answer"], strict=True
    ):
        room = {k: np.array([(*b[:2], 0.0), (*b[2:], 1.0)]) for k, b in pair.items()}
        found = [float(boxes.distance(point, room[k])) for k in "AB"]
        np.testing.assert_allclose(found, distance, atol=1e-9)
        middle = [math.dist((x, y), boxes.center(room[k])[:2]) for k in "AB"]
        assert "AB"[min(range(2), key=lambda k: (round(found[k], 9), middle[k]))] == answer
        if boxes.overlap(room["A"], room["B"]):
            continue
        blank = GridMap(np.ones((160, 160), bool), resolution, origin=(-8, -8))
        at = blank.centers(np.indices(blank.shape).transpose(1, 2, 0))
        rooms = np.zeros(blank.shape, dtype=int)
        for number, k in enumerate("AB", start=1):
            rooms[((at > room[k][0, :2]) & (at < room[k][1, :2])).all(axis=-1)] = number
        on_map = gm.room_distances(blank.with_rooms(rooms), [(x, y)])[0]
        np.testing.assert_allclose(on_map, distance, atol=1e-9)


def grid_line_of_sight(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    where = GridMap(np.array(given["grid"], dtype=bool), given["cell_size"])
    starts = where.centers([s["from_rc"] for s in given["segments"]])
    ends = where.centers([s["to_rc"] for s in given["segments"]])
    assert gm.line_of_sight(where, starts, ends).tolist() == expected["visible"]
    assert gm.line_of_sight(where, ends, starts).tolist() == expected["visible"]
    cells = gm.line_cells(where, starts[1], ends[1])
    assert cells.tolist() == expected["cells_of_second"]


RUN: dict[str, Callable[[dict[str, Any]], None]] = {
    f.__name__: f
    for f in (
        shortest_path,
        shortest_path_u8,
        graph_shortest,
        rank_pairs,
        erode_map,
        room_sequence,
        cross_map_lookup,
        snap,
        connectivity_label,
        connectivity_label_variants,
        closer_region,
        grid_line_of_sight,
    )
}


@pytest.mark.parametrize(
    "name", [n for n, c in CASES.items() if c["area"] == "nav" or c["input"]["op"] in RUN]
)
def test_recorded_case(name: str) -> None:
    RUN[CASES[name]["input"]["op"]](CASES[name])


# ---- two references ----------------------------------------------------------------------------


@st.composite
def dense_masks(draw_value: st.DrawFn, largest: int = 24) -> Array:
    """Random maps with any share of free cells, which plain arrays of booleans seldom are."""
    shape = draw_value(st.tuples(st.integers(1, largest), st.integers(1, largest)))
    share = draw_value(st.sampled_from([0.3, 0.5, 0.65, 0.8, 0.95, 1.0]))
    seed = draw_value(st.integers(0, 2**32 - 1))
    return np.random.default_rng(seed).random(shape) < share


def edges(free: Array, rule: str) -> sparse.csr_matrix:
    """The graph of legal steps, weighted, straight from the definition of the rule."""
    height, width = free.shape
    number = np.arange(free.size).reshape(free.shape)
    rows, columns, weights = [], [], []
    for r, c in np.argwhere(free):
        for dr, dc in itertools.product((-1, 0, 1), repeat=2):
            if (dr, dc) == (0, 0) or (rule == "4" and dr and dc):
                continue
            if not (0 <= r + dr < height and 0 <= c + dc < width and free[r + dr, c + dc]):
                continue
            if rule == "8_strict" and dr and dc and not (free[r + dr, c] and free[r, c + dc]):
                continue
            rows.append(number[r, c])
            columns.append(number[r + dr, c + dc])
            weights.append(ROOT2 if dr and dc else 1.0)
    return sparse.csr_matrix((weights, (rows, columns)), shape=(free.size, free.size))


@given(dense_masks(), st.sampled_from(RULES), st.integers(0, 2**32 - 1))
def test_paths_against_scipy(free: Array, rule: gm.Neighbours, seed: int) -> None:
    cells = np.argwhere(np.ones_like(free))
    start = cells[seed % len(cells)]
    where = GridMap(free, 0.25)
    paths = gm.shortest_paths(where, [start], cells, neighbours=rule)
    walk = gm.walk_from(where, [start], neighbours=rule)
    if not free[tuple(start)]:
        assert (paths.status == PathStatus.START_BLOCKED).all()
        assert np.isinf(walk.distance).all()
        return
    expected = dijkstra(edges(free, rule), indices=int(seed % len(cells)))
    blocked = ~free.ravel()
    np.testing.assert_allclose(
        np.where(blocked, np.inf, paths.distance), 0.25 * expected, rtol=1e-12
    )
    assert (paths.status[blocked] == PathStatus.GOAL_BLOCKED).all()
    assert (paths.status[~blocked & np.isinf(expected)] == PathStatus.UNREACHABLE).all()
    np.testing.assert_array_equal(walk.distance.ravel(), paths.distance)
    np.testing.assert_array_equal(walk.straight.ravel(), paths.straight)
    legal = edges(free, rule)
    for k in np.flatnonzero(paths.status == PathStatus.OK):
        path = paths.path_cells(k)
        assert path[0].tolist() == start.tolist()
        assert path[-1].tolist() == cells[k].tolist()
        at = path[:, 0] * free.shape[1] + path[:, 1]
        lengths = np.array([legal[a, b] for a, b in itertools.pairwise(at)])
        assert (lengths > 0).all()
        assert (lengths == 1).sum() == paths.straight[k]
        assert (lengths > 1).sum() == paths.diagonal[k]
        one = gm.shortest_path(where, tuple(start.tolist()), cells[k], neighbours=rule)
        np.testing.assert_array_equal(one.cells, path)


@given(dense_masks(), st.integers(0, 2**32 - 1))
def test_paths_against_scikit_image(free: Array, seed: int) -> None:
    cells = np.argwhere(free)
    if len(cells) == 0:
        assert gm.shortest_path(GridMap(free, 1.0), (0, 0), (0, 0)).status != PathStatus.OK
        return
    start = tuple(cells[seed % len(cells)].tolist())
    costs = np.where(free, 1.0, -1.0)
    theirs, _ = MCP_Geometric(costs, fully_connected=True).find_costs([start])
    ours = gm.walk_from(GridMap(free, 1.0), [start], neighbours="8")
    np.testing.assert_allclose(ours.distance, theirs, rtol=1e-12)


@given(dense_masks(), st.sampled_from(RULES), st.integers(1, 4), st.integers(0, 99))
def test_walk_from_several_is_the_nearest(
    free: Array, rule: gm.Neighbours, count: int, seed: int
) -> None:
    where = GridMap(free, 1.0)
    cells = np.argwhere(np.ones_like(free))
    sources = np.random.default_rng(seed).choice(cells, count)
    together = gm.walk_from(where, sources, neighbours=rule)
    alone = [gm.walk_from(where, [s], neighbours=rule).distance for s in sources]
    np.testing.assert_array_equal(together.distance, np.min(alone, axis=0))


@given(dense_masks(), st.sampled_from(RULES))
def test_components_against_scipy(free: Array, rule: gm.Neighbours) -> None:
    structure = np.ones((3, 3)) if rule == "8" else None  # strict joins what straight steps join
    expected, count = ndimage.label(free, structure)
    found = gm.components(GridMap(free, 1.0), neighbours=rule)
    assert len(found.sizes) == count
    pairs = np.unique(np.stack([expected.ravel(), found.labels.ravel()]), axis=1)
    assert pairs.shape[1] == len(np.unique(pairs[0])) == len(np.unique(pairs[1]))
    np.testing.assert_array_equal(found.sizes, np.bincount(found.labels[free], minlength=1)[1:])
    order = found.labels[free]
    assert (np.diff(np.unique(order, return_index=True)[1]) > 0).all()


@given(dense_masks(), st.booleans())
def test_distance_field_against_scipy(free: Array, border: bool) -> None:
    padded = np.pad(free, 1) if border else free
    found = gm.distance_field(GridMap(free, 0.5), measure="center", border=border)
    if padded.all():
        assert np.isinf(found).all()
        return
    expected = ndimage.distance_transform_edt(padded, sampling=0.5)
    expected = expected[1:-1, 1:-1] if border else expected
    np.testing.assert_allclose(found, expected, rtol=1e-14)


@given(dense_masks(10), st.floats(0.0, 4.0), st.booleans())
def test_erosion_keeps_where_a_disc_fits(free: Array, radius: float, border: bool) -> None:
    """Brute force over all squares and centres, outside included."""
    where = GridMap(free, 0.5)
    wall = gm.distance_field(where, border=border)
    height, width = free.shape
    for r, c in np.argwhere(free):
        nearest = np.inf
        for br in range(-1, height + 1):
            for bc in range(-1, width + 1):
                inside = 0 <= br < height and 0 <= bc < width
                if free[br, bc] if inside else not border:
                    continue
                gap = np.maximum(np.abs([br - r, bc - c]) - 0.5, 0.0)
                nearest = min(nearest, 0.5 * math.hypot(*gap))
        assert wall[r, c] == pytest.approx(nearest, rel=1e-14)
    assert (wall[~free] == 0).all()
    for measure in ("wall", "center"):
        field = gm.distance_field(where, measure=measure, border=border)
        eroded = gm.erode(where, radius, measure=measure, border=border).free
        clear = field >= radius if measure == "wall" else field > radius
        sure = np.abs(field - radius) > 1e-6
        np.testing.assert_array_equal(eroded[sure], (free & clear)[sure])


def seen(free: Array, start: tuple[Fraction, ...], end: tuple[Fraction, ...]) -> bool:
    """The documented rule with rational numbers, for points (row, column) in cells.

    Between two crossings of lines the segment runs in one cell, or between two. One of them must
    be free, and from piece to piece one must be able to stay in free cells that share a side. A
    segment that goes from cell to cell through their corner needs a free cell beside it.
    """

    def is_free(r: int, c: int) -> bool:
        return 0 <= r < free.shape[0] and 0 <= c < free.shape[1] and bool(free[r, c])

    def touched(v: Fraction) -> list[int]:
        return [int(v) - 1, int(v)] if v.denominator == 1 else [math.floor(v)]

    def cells(t: Fraction) -> set[tuple[int, int]]:
        r, c = (a + t * (b - a) for a, b in zip(start, end, strict=True))
        return {p for p in itertools.product(touched(r), touched(c)) if is_free(*p)}

    times = {Fraction(0), Fraction(1)}
    for a, b in zip(start, end, strict=True):
        if a != b:
            low, high = sorted((a, b))
            times |= {(line - a) / (b - a) for line in range(math.ceil(low), math.floor(high) + 1)}
    between_cells = any(a == b and a.denominator == 1 for a, b in zip(start, end, strict=True))
    pieces = [cells((a + b) / 2) for a, b in itertools.pairwise(sorted(times))]
    for before, after in itertools.pairwise(pieces):
        pairs = list(itertools.product(before, after))
        beside = [is_free(p[0], q[1]) or is_free(q[0], p[1]) for p, q in pairs]
        side = [p[0] == q[0] or p[1] == q[1] for p, q in pairs]
        if not any(side) and (between_cells or not any(beside)):
            return False
    return all(pieces)


halves = st.integers(0, 24).map(lambda k: Fraction(k, 4))


@given(dense_masks(6), st.tuples(halves, halves), st.tuples(halves, halves))
@example(draw([".#", "#."]), (Fraction(0), Fraction(0)), (Fraction(2), Fraction(2)))
@example(draw(["..", ".#"]), (Fraction(1), Fraction(0)), (Fraction(1), Fraction(2)))
def test_line_of_sight_against_fractions(
    free: Array, start: tuple[Fraction, Fraction], end: tuple[Fraction, Fraction]
) -> None:
    where = GridMap(free, 0.125, origin=(-3.0, 8.0))
    ends = np.array([start, end], dtype=float)[:, ::-1] * 0.125 + (-3.0, 8.0)
    found = bool(gm.line_of_sight(where, ends[:1], ends[1:])[0])
    if start != end:
        assert found == seen(free, start, end)
    assert found == bool(gm.line_of_sight(where, ends[1:], ends[:1])[0])
    cells = gm.line_cells(where, ends[0], ends[1])
    steps = np.abs(np.diff(cells, axis=0)).max(axis=1)
    assert (steps == 1).all()


# ---- invariants ------------------------------------------------------------------------------

TURNS: list[Callable[[Array], Array]] = [np.flipud, np.fliplr, np.transpose, np.rot90]


@given(dense_masks(12), st.sampled_from(RULES), st.integers(0, 99))
def test_lengths_are_a_metric(free: Array, rule: gm.Neighbours, seed: int) -> None:
    cells = np.random.default_rng(seed).choice(np.argwhere(np.ones_like(free)), 6)
    found = gm.distances_between(GridMap(free, 0.1), cells, neighbours=rule)
    np.testing.assert_array_equal(found.distance, found.distance.T)
    open_cells = free[tuple(cells.T)]
    expected = np.where(
        open_cells[:, None],
        np.where(open_cells, found.status, PathStatus.GOAL_BLOCKED),
        PathStatus.START_BLOCKED,
    )
    np.testing.assert_array_equal(found.status, expected)
    assert (np.diag(found.distance)[open_cells] == 0).all()
    through = (found.distance[:, :, None] + found.distance[None]).min(axis=1)
    assert (found.distance <= through * (1 + 1e-12)).all()
    direct = gm.shortest_paths(
        GridMap(free, 0.1), np.repeat(cells, 6, axis=0), np.tile(cells, (6, 1)), neighbours=rule
    )
    np.testing.assert_array_equal(found.status.ravel(), direct.status)
    np.testing.assert_array_equal(found.straight.ravel(), direct.straight)
    np.testing.assert_array_equal(found.diagonal.ravel(), direct.diagonal)


@given(dense_masks(12), st.sampled_from(RULES), st.sampled_from(TURNS), st.integers(0, 999))
def test_turning_the_map_changes_nothing(
    free: Array, rule: gm.Neighbours, turn: Callable[[Array], Array], seed: int
) -> None:
    start = np.zeros(free.shape, dtype=bool)
    start.flat[seed % free.size] = True
    before = gm.walk_from(GridMap(free, 1.0), np.argwhere(start), neighbours=rule)
    after = gm.walk_from(GridMap(turn(free), 1.0), np.argwhere(turn(start)), neighbours=rule)
    np.testing.assert_array_equal(turn(before.straight), after.straight)
    np.testing.assert_array_equal(turn(before.diagonal), after.diagonal)
    for measure in ("wall", "center"):
        fields = [gm.distance_field(GridMap(f, 1.0), measure=measure) for f in (free, turn(free))]
        np.testing.assert_array_equal(turn(fields[0]), fields[1])


@given(dense_masks(12), st.sampled_from(RULES), st.floats(1e-3, 1e3))
def test_scaling_the_resolution_scales_lengths(
    free: Array, rule: gm.Neighbours, scale: float
) -> None:
    source = [(0, 0)]
    one, other = (gm.walk_from(GridMap(free, r), source, neighbours=rule) for r in (1.0, scale))
    np.testing.assert_array_equal(one.straight, other.straight)
    np.testing.assert_allclose(one.distance * scale, other.distance, rtol=1e-13)


@given(dense_masks(12), st.integers(0, 99))
def test_more_free_cells_never_make_a_path_longer(free: Array, seed: int) -> None:
    wider = free | (np.random.default_rng(seed).random(free.shape) < 0.2)
    narrow, wide = (gm.walk_from(GridMap(f, 1.0), [(0, 0)]) for f in (free, wider))
    if free[0, 0]:
        assert (wide.distance <= narrow.distance).all()
    lengths = [gm.walk_from(GridMap(free, 1.0), [(0, 0)], neighbours=r).distance for r in RULES]
    assert (lengths[1] <= lengths[2]).all()  # "8" allows what "8_strict" does
    assert (lengths[2] <= lengths[0]).all()


@given(
    st.tuples(st.integers(1, 40), st.integers(1, 40)),
    st.floats(1e-3, 10.0),
    st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)),
)
def test_cell_to_metres_to_cell(
    shape: tuple[int, int], resolution: float, origin: tuple[float, float]
) -> None:
    where = GridMap(np.ones(shape, bool), resolution, origin=origin)
    cells = np.indices(shape).transpose(1, 2, 0)
    np.testing.assert_array_equal(where.cells_at(where.centers(cells)), cells)
    far = np.array([[-5, 3], [10**6, -(10**6)]])
    np.testing.assert_array_equal(where.cells_at(where.centers(far)), far)
    assert where.inside(cells).all()
    assert not where.inside(far).any()
    lower, upper = where.bounds
    np.testing.assert_allclose(where.centers(cells).mean(axis=(0, 1)), (lower + upper) / 2)


def test_many_threads_give_the_same_bits() -> None:
    free = np.random.default_rng(0).random((120, 150)) < 0.75
    where = GridMap(free, 0.1, rooms=np.arange(free.size).reshape(free.shape) // 3000 + 1)
    cells = gm.sample_free(where, 40, 1)
    points = where.centers(cells)

    def everything(threads: int) -> list[Array]:
        return [
            *gm.shortest_paths(where, cells, cells[::-1], threads=threads),
            *gm.distances_between(where, cells, neighbours="8", threads=threads),
            *gm.rooms_between(where, threads=threads),
            gm.distance_field(where, threads=threads),
            gm.erode(where, 0.15, threads=threads).free,
            gm.nearest_free(where, cells[::-1] - 7, threads=threads),
            gm.line_of_sight(where, points, points[::-1], threads=threads),
            gm.room_distances(where, points, threads=threads),
            gm.room_margins(where, points, threads=threads),
        ]

    one = everything(1)
    for threads in (2, 8):
        for a, b in zip(one, everything(threads), strict=True):
            assert a.tobytes() == b.tobytes()


def test_many_python_threads_share_a_map() -> None:
    free = np.random.default_rng(4).random((60, 80)) < 0.8
    cells = gm.sample_free(GridMap(free, 1.0), 16, 2)
    expected = gm.distances_between(GridMap(free, 1.0), cells).distance
    fresh = GridMap(free, 1.0)  # what it finds on first use is asked for by all at once

    def one(k: int) -> list[float]:
        return [gm.shortest_path(fresh, cells[k], cell).distance for cell in cells]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, range(16))) == expected.tolist()


# ---- named hard shapes -------------------------------------------------------------------------


def test_a_spiral() -> None:
    """Corridors one cell wide: the way is as long as the corridor, whatever the rule."""
    n = 41
    free = np.zeros((n, n), dtype=bool)
    r = c = 0
    free[0, 0] = True
    length = 0
    for k, leg in enumerate([n - 1, n - 1, *(v for m in range(n - 1, 1, -2) for v in (m, m - 2))]):
        dr, dc = ((0, 1), (1, 0), (0, -1), (-1, 0))[k % 4]
        for _ in range(leg):
            r, c = r + dr, c + dc
            free[r, c] = True
            length += 1
    assert free.sum() == length + 1
    for rule in ("4", "8_strict"):
        path = gm.shortest_path(GridMap(free, 0.5), (0, 0), (r, c), neighbours=rule)
        assert (path.straight, path.diagonal) == (length, 0)
        assert path.distance == 0.5 * length
    cut = gm.shortest_path(GridMap(free, 0.5), (0, 0), (r, c), neighbours="8")
    turns = int((np.abs(np.diff(np.diff(path.cells, axis=0), axis=0)).sum(axis=1) > 0).sum())
    assert (cut.straight, cut.diagonal) == (length - 2 * turns, turns)  # each corner is cut


def test_a_path_of_half_a_million_steps() -> None:
    """Up and down every other row of a large map, joined at alternate ends."""
    n = 1001
    free = np.zeros((n, n), dtype=bool)
    free[::2] = True
    free[1::4, -1] = True
    free[3::4, 0] = True
    length = (n // 2 + 1) * (n - 1) + (n - 1)  # along each of the rows, and two steps between them
    last = (n - 1, 0 if (n // 2) % 2 else n - 1)
    path = gm.shortest_path(GridMap(free, 0.01), (0, 0), last)
    assert (path.straight, path.diagonal) == (length, 0)
    assert len(path.cells) == free.sum() == length + 1


def test_a_checkerboard_is_joined_by_corners_only() -> None:
    free = np.indices((9, 9)).sum(axis=0) % 2 == 0
    path = gm.shortest_path(GridMap(free, 1.0), (0, 0), (8, 8), neighbours="8")
    assert (path.straight, path.diagonal) == (0, 8)
    assert len(gm.components(GridMap(free, 1.0), neighbours="8").sizes) == 1
    for rule in ("4", "8_strict"):
        sizes = gm.components(GridMap(free, 1.0), neighbours=rule).sizes
        assert sizes.tolist() == [1] * 41
        path = gm.shortest_path(GridMap(free, 1.0), (0, 0), (1, 1), neighbours=rule)
        assert path.status == PathStatus.UNREACHABLE


@pytest.mark.parametrize("rule", RULES)
def test_one_row_and_one_column(rule: gm.Neighbours) -> None:
    row = GridMap(np.ones((1, 500), bool), 1.0)
    assert gm.shortest_path(row, (0, 0), (0, 499), neighbours=rule).straight == 499
    column = GridMap(np.ones((500, 1), bool), 1.0)
    assert gm.shortest_path(column, (499, 0), (0, 0), neighbours=rule).straight == 499
    one = GridMap([[True]], 1.0)
    assert gm.shortest_path(one, (0, 0), (0, 0), neighbours=rule).cells.tolist() == [[0, 0]]
    assert gm.distance_field(one)[0, 0] == 0.5


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0)])
def test_maps_without_cells(shape: tuple[int, int]) -> None:
    where = GridMap(np.zeros(shape, bool), 1.0, rooms=np.zeros(shape, int))
    assert gm.shortest_path(where, (0, 0), (0, 0)).status == PathStatus.START_OUTSIDE
    assert gm.components(where).labels.shape == shape
    assert gm.distance_field(where).shape == shape
    assert gm.erode(where, 1.0).shape == shape
    assert gm.walk_from(where, [(0, 0)]).distance.shape == shape
    assert gm.nearest_free(where, [(0, 0)]).tolist() == [[-1, -1]]
    assert gm.rooms_at(where, [(0.5, 0.5)]).tolist() == [0]
    assert not where.is_free([(0, 0)]).any()
    assert gm.rooms_between(where).distance.shape == (0, 0)
    assert gm.doors(where) == []
    assert gm.resample(where, 2.0).free.sum() == 0


def test_all_walls_and_no_walls() -> None:
    walls = GridMap(np.zeros((7, 9), bool), 1.0)
    assert len(gm.components(walls).sizes) == 0
    assert not gm.distance_field(walls).any()
    assert gm.shortest_path(walls, (1, 1), (2, 2)).status == PathStatus.START_BLOCKED
    assert gm.nearest_free(walls, [(3, 3)]).tolist() == [[-1, -1]]
    empty = GridMap(np.ones((7, 9), bool), 1.0)
    assert np.isinf(gm.distance_field(empty, border=False)).all()
    assert gm.erode(empty, 100.0, border=False).free.all()
    assert not gm.erode(empty, 3.6).free.any()
    assert gm.erode(empty, 3.5).free.sum() == 3  # rows 0 to 6: only row 3 is 3.5 from both sides


@pytest.mark.parametrize(
    ("straight", "diagonal"), [(99, 70), (140, 99), (239, 169), (577, 408), (1393, 985)]
)
def test_nearly_equal_ways_are_told_apart(straight: int, diagonal: int) -> None:
    """From one cell a row of straight steps and a line of diagonal ones lead to two sources.

    The numbers are convergents of sqrt(2): at the end the ways differ by 0.0004 in 1393.
    """
    free = np.zeros((diagonal + 1, straight + 1), dtype=bool)
    free[0] = True
    free[range(diagonal + 1), range(diagonal + 1)] = True
    sources = [(0, straight), (diagonal, diagonal)]
    walk = gm.walk_from(GridMap(free, 1.0), sources, neighbours="8")
    nearer = (0, diagonal) if straight**2 > 2 * diagonal**2 else (straight, 0)
    assert (walk.straight[0, 0], walk.diagonal[0, 0]) == nearer
    rooms = np.zeros(free.shape, dtype=int)
    rooms[sources[0]], rooms[sources[1]] = 1, 2
    spread = gm.spread_rooms(GridMap(free, 1.0, rooms=rooms), neighbours="8")
    assert spread.rooms is not None
    assert spread.rooms[0, 0] == (2 if nearer[0] == 0 else 1)


def test_of_equal_paths_the_first_diagonal_one_is_taken() -> None:
    where = GridMap(np.ones((4, 7), bool), 1.0)
    path = gm.shortest_path(where, (0, 0), (2, 6))
    assert path.cells.tolist() == [[0, 0], [1, 1], [2, 2], [2, 3], [2, 4], [2, 5], [2, 6]]
    assert path.distance == 4 + 2 * ROOT2


# ---- making maps -----------------------------------------------------------------------------


def test_loading_values() -> None:
    grey = np.array([[255, 254, 0], [1, 128, 255]], dtype=np.uint8)
    assert GridMap.load(grey, 0.1).free.tolist() == [[True, False, False], [False, False, True]]
    assert GridMap.load(grey, 0.1, free_min=128).free.sum() == 4
    floats = grey / 255
    floats[0, 0] = np.nan
    assert GridMap.load(floats, 0.1, free_min=0.5).free.sum() == 3
    wide = grey.astype(np.uint16) * 257
    assert GridMap.load(wide, 0.1, free_min=65535).free.sum() == 2
    assert GridMap.load(grey == 255, 0.1).free.sum() == 2
    centered = GridMap.load(np.ones((3, 5), np.uint8), 0.1, origin="centered")
    np.testing.assert_allclose(centered.bounds, [[-0.25, -0.15], [0.25, 0.15]])
    np.testing.assert_allclose(centered.centers([1, 2]), [0, 0], atol=1e-15)


def test_loading_pictures(tmp_path: Path) -> None:
    grey = np.full((5, 7), 255, dtype=np.uint8)
    grey[2] = [0, 255, 254, 128, 1, 255, 0]
    picture = Image.fromarray(grey)
    picture.save(tmp_path / "map.png")
    with Image.open(tmp_path / "map.png") as image:
        where = GridMap.load(image, 0.1)
    np.testing.assert_array_equal(where.free, grey == 255)
    assert GridMap.load(picture.convert("1"), 0.1).shape == (5, 7)
    with pytest.raises(ValueError, match=r"values: expected shape \(H, W\), got \(5, 7, 3\)"):
        GridMap.load(picture.convert("RGB"), 0.1)
    with pytest.raises(ValueError, match="values: expected grey levels, got a picture with a pal"):
        GridMap.load(picture.convert("P"), 0.1)


@given(
    dense_masks(14),
    st.sampled_from([0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 1 / 3, 0.55, 3.0]),
)
def test_resampling_loses_no_wall(free: Array, resolution: float) -> None:
    """Points of blocked cells are in blocked cells; points of new free cells were free."""
    where = GridMap(free, 0.1, origin=(0.3, -0.7))
    made = gm.resample(where, resolution)
    rng = np.random.default_rng(int(free.sum()))
    cells = np.indices(free.shape).reshape(2, -1).T
    jitter = rng.uniform(0.001, 0.999, (50, len(cells), 2)) - 0.5
    points = where.centers(cells) + jitter * where.resolution
    blocked = ~free.ravel()
    assert not made.is_free(made.cells_at(points[:, blocked])).any()
    new = np.argwhere(made.free)
    jitter = rng.uniform(0.001, 0.999, (50, len(new), 2)) - 0.5
    assert where.is_free(where.cells_at(made.centers(new) + jitter * made.resolution)).all()
    # And nothing else is lost: a blocked new cell covers something that is not free.
    size = np.ceil(np.array(free.shape) * 0.1 / resolution - 1e-9)
    assert made.shape == tuple(size)
    for cell in np.argwhere(~made.free):
        low = cell * resolution / 0.1 + 1e-6
        high = (cell + 1) * resolution / 0.1 - 1e-6
        covered = itertools.product(
            *(range(math.floor(a), math.floor(b) + 1) for a, b in zip(low, high, strict=True))
        )
        assert not where.is_free(list(covered)).all()


def test_resampling_keeps_a_thin_wall_and_odd_sizes() -> None:
    free = np.ones((9, 11), dtype=bool)
    free[:, 4] = False
    made = gm.resample(GridMap(free, 0.01, rooms=np.where(free, 1, 0)), 0.02)
    assert made.shape == (5, 6)
    assert not made.free[:, 2].any()
    assert made.free[:4, [0, 1, 3, 4]].all()
    assert not made.free[4].any()  # half of the last row and column lies outside
    assert made.rooms is not None
    assert (made.rooms[:4, :5] == 1).all()  # the centre of a new cell belongs to the upper cell
    same = gm.resample(made, 0.02)
    np.testing.assert_array_equal(same.free, made.free)
    finer = gm.resample(made, 0.01)
    np.testing.assert_array_equal(finer.free[::2, ::2], made.free)
    np.testing.assert_array_equal(finer.free[1::2, 1::2], made.free)


def test_sampling_free_cells() -> None:
    free = np.random.default_rng(3).random((20, 30)) < 0.5
    where = GridMap(free, 1.0)
    cells = gm.sample_free(where, int(free.sum()), 5)
    assert sorted(map(tuple, cells.tolist())) == list(map(tuple, np.argwhere(free).tolist()))
    np.testing.assert_array_equal(cells[:20], gm.sample_free(where, int(free.sum()), 5)[:20])
    rng = np.random.default_rng(5)
    np.testing.assert_array_equal(cells, gm.sample_free(where, int(free.sum()), rng))
    assert (gm.sample_free(where, 9, 6) != gm.sample_free(where, 9, 7)).any()
    allowed = np.zeros(free.shape, dtype=bool)
    allowed[5] = True
    assert (gm.sample_free(where, 5, 1, allowed=allowed)[:, 0] == 5).all()
    many = gm.sample_free(where, 20_000, 1, replace=True)
    counts = np.zeros(free.shape)
    np.add.at(counts, tuple(many.T), 1)
    assert not counts[~free].any()
    expected = 20_000 / free.sum()
    assert (np.abs(counts[free] - expected) < 6 * np.sqrt(expected)).all()
    assert gm.sample_free(where, 0, 1).shape == (0, 2)


# ---- rooms ---------------------------------------------------------------------------------------

# Rooms 1 to 4; doorways ('.') between 1 and 2, 2 and 3; 4 is shut off.
HOUSE = [
    "#############",
    "#1111#222222#",
    "#1111.222222#",
    "#1111.222222#",
    "#1111#222222#",
    "######.######",
    "#333333#4444#",
    "#333333#4444#",
    "#############",
]


def house(resolution: float = 0.5) -> GridMap:
    rooms = np.array([[int(c) if c.isdigit() else 0 for c in row] for row in HOUSE])
    return GridMap(draw(HOUSE), resolution, rooms=rooms)


def test_doors_of_a_house() -> None:
    home = house()
    found = gm.doors(home)
    assert [d.rooms for d in found] == [(1, 2), (2, 3)]
    assert [d.width for d in found] == [1.0, 0.5]
    # The doorway reaches from y = 1 to 2 and belongs to room 1, as the ways to both are equal.
    np.testing.assert_allclose(found[0].center, [3.0, 1.5])
    assert gm.doors(home.with_rooms(np.zeros(home.shape, int))) == []
    shut = home.free.copy()
    shut[2:4, 5] = False
    assert [d.rooms for d in gm.doors(home.with_free(shut))] == [(2, 3)]


def test_two_doors_between_the_same_rooms_are_two() -> None:
    free = draw(["...#...", ".......", "...#...", ".......", ".......", "...#..."])
    rooms = np.zeros(free.shape, dtype=int)
    rooms[:, :3], rooms[:, 4:] = 7, 3
    found = gm.doors(GridMap(free, 1.0, rooms=rooms))
    assert [(d.rooms, d.width) for d in found] == [((3, 7), 1.0), ((3, 7), 2.0)]


def test_a_diagonal_gap_is_a_door_for_the_rule_that_walks_it() -> None:
    rooms = np.array([[1, 0], [0, 2]])
    gap = GridMap(draw([".#", "#."]), 1.0, rooms=rooms)
    assert len(gm.doors(gap, neighbours="8")) == 1
    assert gm.doors(gap, neighbours="8_strict") == gm.doors(gap, neighbours="4") == []


@given(dense_masks(12), st.sampled_from(RULES), st.integers(0, 99))
def test_rooms_spread_to_the_nearest(free: Array, rule: gm.Neighbours, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rooms = rng.integers(1, 4, free.shape) * (rng.random(free.shape) < 0.1)
    where = GridMap(free, 1.0, rooms=rooms)
    spread = gm.spread_rooms(where, neighbours=rule).rooms
    ids = [1, 2, 3]
    ways = np.stack(
        [
            gm.walk_from(where, np.argwhere(rooms == k), neighbours=rule).distance
            if (rooms == k).any()
            else np.full(free.shape, np.inf)
            for k in ids
        ]
    )
    expected = np.where(np.isfinite(ways.min(axis=0)), 1 + ways.argmin(axis=0), 0)
    np.testing.assert_array_equal(spread, expected)
    # Direct neighbours by rooms are exactly those that a step joins.
    joined = set()
    legal = edges(free, rule).tocoo()
    for a, b in zip(legal.row, legal.col, strict=True):
        pair = (int(expected.flat[a]), int(expected.flat[b]))
        if 0 < pair[0] < pair[1]:
            joined.add(pair)
    assert {d.rooms for d in gm.doors(where, neighbours=rule)} == joined


def test_the_way_through_a_house() -> None:
    home = house()
    found = gm.rooms_between(home)
    assert found.rooms.tolist() == [1, 2, 3, 4]
    assert home.is_free(found.points).all()
    assert gm.rooms_at(home, home.centers(found.points)).tolist() == [1, 2, 3, 4]
    reached = np.isfinite(found.distance)
    assert reached.tolist() == [[True] * 3 + [False]] * 3 + [[False] * 3 + [True]]
    assert gm.farthest_pairs(found.distance, 1).tolist() == [[0, 2]]
    path = gm.shortest_path(home, found.points[0], found.points[2])
    assert path.distance == found.distance[0, 2]
    stays = gm.room_sequence(home, path.cells)
    assert stays.rooms.tolist() == [1, 2, 3]
    assert stays.via.tolist() == [2]
    assert stays.first[0] == 0
    assert stays.last[-1] == len(path.cells) - 1
    own = gm.rooms_between(home, points=found.points[::-1])
    np.testing.assert_array_equal(own.distance, found.distance[::-1, ::-1])


def test_room_points_are_clear_of_walls_and_central() -> None:
    rooms = np.ones((21, 31), dtype=int)
    free = np.ones((21, 31), dtype=bool)
    home = GridMap(free, 0.1, rooms=rooms)
    assert gm.room_points(home).tolist() == [[10, 15]]
    free[10, 15] = False
    point = gm.room_points(home.with_free(free), clearance=0.3)[0]
    assert gm.distance_field(home.with_free(free))[tuple(point)] >= 0.3 - 1e-12
    # The centre three cells on is 2.5 cells from the square, the one four cells on is 3.5.
    assert math.dist(point, (10, 15)) == 4.0
    assert gm.room_points(home.with_free(free & False)).tolist() == [[-1, -1]]


def test_where_objects_are() -> None:
    home = house()
    points = np.array([[1.25, 1.25], [2.75, 1.25], [4.5, 1.0], [-1.0, 0.0], [99.0, 1.0]])
    assert gm.rooms_at(home, points).tolist() == [1, 0, 2, 0, 0]
    margins = gm.room_margins(home, points)
    np.testing.assert_allclose(margins, [0.75, 0.0, 0.5, 0.0, 0.0])
    distances = gm.room_distances(home, points)
    assert distances.shape == (5, 4)
    np.testing.assert_allclose(distances[0], [0.0, 1.75, 1.75, math.hypot(2.75, 1.75)])
    edge = GridMap(np.ones((4, 4), bool), 1.0, rooms=np.ones((4, 4), int))
    np.testing.assert_allclose(gm.room_margins(edge, [(2, 2), (0.5, 2)]), [2, 0.5])


@given(dense_masks(8), st.integers(0, 99))
def test_room_distances_by_brute_force(cells: Array, seed: int) -> None:
    rng = np.random.default_rng(seed)
    where = GridMap(cells, 0.5, origin=(1, 2), rooms=cells * rng.integers(1, 4, cells.shape))
    points = rng.uniform(-1, 6, (5, 2))
    found = gm.room_distances(where, points)
    assert where.rooms is not None
    for k, room in enumerate(where.room_ids):
        at = np.argwhere(where.rooms == room)[:, ::-1] * 0.5 + (1, 2)
        gap = np.maximum(np.maximum(at - points[:, None], points[:, None] - at - 0.5), 0)
        np.testing.assert_allclose(found[:, k], np.hypot(*gap.T).min(axis=0), atol=1e-12)
    assert (where.room_ids == np.unique(where.rooms[where.rooms > 0])).all()


# ---- wrong calls ---------------------------------------------------------------------------------

OPEN = GridMap(np.ones((3, 4), bool), 1.0)
ROOMS = OPEN.with_rooms(np.ones((3, 4), int))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: GridMap(np.ones((3, 4)), 1.0), TypeError, "free: expected booleans, got dtype fl"),
        (lambda: GridMap(np.ones((3, 4), int), 1.0), TypeError, "free: expected booleans"),
        (lambda: GridMap([True], 1.0), ValueError, r"free: expected shape \(H, W\), got \(1,\)"),
        (lambda: GridMap([[True]], 0.0), ValueError, "resolution: expected a finite number above"),
        (lambda: GridMap([[True]], math.nan), ValueError, "resolution"),
        (lambda: GridMap([[True]], 1.0, origin=(0, 0, 0)), ValueError, "origin: expected shape"),
        (lambda: GridMap([[True]], 1.0, origin=(0, math.inf)), ValueError, "origin: expected fin"),
        (lambda: OPEN.with_rooms(np.ones((4, 3), int)), ValueError, r"rooms: expected shape \(3,"),
        (lambda: OPEN.with_rooms(np.full((3, 4), -1)), ValueError, "rooms: expected ids of at le"),
        (lambda: OPEN.with_rooms(np.full((3, 4), 2**31)), ValueError, "rooms: expected integers"),
        (lambda: OPEN.with_rooms(np.full((3, 4), 0.5)), ValueError, "rooms: expected integers wi"),
        (lambda: GridMap.load(np.ones((2, 2)), 1.0), ValueError, "free_min: expected a number"),
        (lambda: GridMap.load(np.ones((2, 2), int), 1.0), ValueError, "free_min: expected a numb"),
        (lambda: GridMap.load(np.ones((2, 2, 3), np.uint8), 1.0), ValueError, "values: expected s"),
        (lambda: GridMap.load([["a"]], 1.0), TypeError, "values: expected booleans or real"),
        (lambda: GridMap.load([[True]], 1.0, free_min=1), ValueError, "free_min: expected None"),
        (
            lambda: GridMap.load(np.ones((2, 2)), 1.0, free_min=math.nan),
            ValueError,
            "free_min: expected a number, got NaN",
        ),
        (lambda: GridMap.load([[True]], 1.0, origin="middle"), ValueError, "origin: expected a p"),  # type: ignore[arg-type]
        (lambda: gm.shortest_path(OPEN, (0, 0), (0, 0, 0)), ValueError, r"goal: expected shape"),
        (lambda: gm.shortest_path(OPEN, (0.5, 0), (0, 0)), ValueError, "start: expected integers"),
        (lambda: gm.shortest_path(OPEN, (True, False), (0, 0)), TypeError, "start: expected inte"),
        (lambda: gm.shortest_path(OPEN, ("a", "b"), (0, 0)), TypeError, "start: expected integer"),
        (lambda: gm.shortest_path(OPEN, (2**64, 0), (0, 0)), (TypeError, ValueError), "start: ex"),
        (
            lambda: gm.shortest_path(OPEN, np.array([2**63, 0], np.uint64), (0, 0)),
            ValueError,
            "start: expected integers within int64",
        ),
        (lambda: gm.shortest_path(OPEN, (0, 0), (0, 0), neighbours="6"), ValueError, "neighbours"),  # type: ignore[arg-type]
        (lambda: gm.shortest_paths(OPEN, [(0, 0)] * 2, [(0, 0)] * 3), ValueError, "goals: expect"),
        (lambda: gm.shortest_paths(OPEN, [(0, 0)], (0, 0)), ValueError, "goals: expected shape"),
        (lambda: gm.distances_between(OPEN, [(0.0, 1.0)]), TypeError, "cells: expected integers"),
        (lambda: gm.distance_field(OPEN, measure="edge"), ValueError, "measure: expected 'wall'"),  # type: ignore[arg-type]
        (lambda: gm.distance_field(OPEN, threads=-1), ValueError, "threads"),
        (lambda: gm.erode(OPEN, -0.1), ValueError, "radius: expected a finite number at least 0"),
        (lambda: gm.resample(OPEN, 0.0), ValueError, "resolution: expected"),
        (lambda: gm.nearest_free(OPEN, [(2**40, 0)]), ValueError, "cells: expected coordinates b"),
        (lambda: gm.nearest_free(OPEN, [(0, 0)], allowed=[[1]]), TypeError, "allowed: expected b"),
        (lambda: gm.nearest_free(OPEN, [(0, 0)], allowed=[[True]]), ValueError, "allowed: expect"),
        (lambda: gm.sample_free(OPEN, 13, 0), ValueError, "count: expected 0 to 12 free cells, g"),
        (lambda: gm.sample_free(OPEN, -1, 0), ValueError, "count: expected 0 to 12"),
        (lambda: gm.line_of_sight(OPEN, [(0, math.nan)], [(0, 0)]), ValueError, "starts: expecte"),
        (lambda: gm.line_cells(OPEN, (0, 0), (1e9, 0)), ValueError, "end: expected a line of at"),
        (lambda: gm.rooms_at(OPEN, [(0, 0)]), ValueError, "grid_map: expected a map with rooms"),
        (lambda: gm.room_sequence(ROOMS, [(0, 0), (3, 0)]), ValueError, r"cells: .* got \[3, 0\]"),
        (lambda: gm.collapse_rooms([0.5]), TypeError, "ids: expected integers"),
        (lambda: gm.collapse_rooms([[1]]), ValueError, r"ids: expected shape \(K,\)"),
        (lambda: gm.rooms_between(ROOMS, points=[(0, 0)] * 2), ValueError, "points: expected 1 c"),
        (lambda: gm.room_margins(ROOMS, [(0, 0, 0)]), ValueError, "points: expected shape"),
        (lambda: gm.farthest_pairs(np.zeros((2, 3)), 1), ValueError, "distance: expected shape"),
        (lambda: gm.farthest_pairs([[math.nan]], 1), ValueError, "distance: expected numbers"),
        (lambda: gm.farthest_pairs([[0.0]], -1), ValueError, "keep: expected at least 0"),
        (lambda: OPEN.centers([0, 0, 0]), ValueError, "cells: expected shape"),
        (lambda: OPEN.cells_at([(math.nan, 0)]), ValueError, "points: expected finite"),
    ],
)
def test_wrong_calls(call: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_far_away_is_outside() -> None:
    far = 2**62
    path = gm.shortest_path(OPEN, (far, 0), (0, 0))
    assert path.status == PathStatus.START_OUTSIDE
    assert gm.shortest_path(OPEN, (0, 0), (-far, far)).status == PathStatus.GOAL_OUTSIDE
    # A remainder modulo 2^32 would be inside.
    assert gm.shortest_path(OPEN, (0, 0), (2**32, 0)).status == PathStatus.GOAL_OUTSIDE
    assert not OPEN.is_free(OPEN.cells_at([(1e300, 1.0), (1.0, -1e300)])).any()
    assert not gm.line_of_sight(OPEN, [(1.0, 1.0)], [(1e300, 1e300)])[0]


def test_arrays_are_read_only_copies() -> None:
    free = np.ones((2, 2), dtype=bool)
    where = GridMap(free, 1.0, rooms=np.ones((2, 2), int))
    free[:] = False
    assert where.free.all()
    assert gm.shortest_path(where, (0, 0), (1, 1)).status == PathStatus.OK
    for array in (where.free, where.rooms, where.room_ids):
        assert array is not None
        assert not array.flags.writeable
    assert repr(where) == "GridMap(2 x 2, 1.0 m per cell, 1 rooms)"
