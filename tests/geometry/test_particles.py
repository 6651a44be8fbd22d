"""Particles: the recorded cases, brute force and scipy as references, and invariants."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from esi_fast.geometry import particles as part

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "data" / "clustering.json").read_text())
}


def sizes(points: Any, radius: float, **options: Any) -> list[int]:
    """Sizes of the components, the largest first."""
    return sorted(part.components(points, radius, **options).sizes.tolist(), reverse=True)


def brute_force(points: np.ndarray, radius: float) -> np.ndarray:
    """Labels by all pairs and repeated relabelling, numbered by first member."""
    apart = np.linalg.norm(points[:, None] - points[None], axis=-1)
    linked = apart <= radius * (1 + 1e-9)
    labels = np.arange(len(points))
    while True:
        lower = np.where(linked, labels[None, :], len(points)).min(axis=1, initial=len(points))
        if np.array_equal(lower, labels):
            return np.unique(labels, return_inverse=True)[1]
        labels = lower


# ---- the recorded cases -------------------------------------------------------------------------


def test_clustering_02_a_thousandth_decides() -> None:
    case = CASES["clustering-02"]
    for chain, expected in zip(case["input"]["chains"], case["expected"]["sizes"], strict=True):
        points = np.outer(np.arange(chain["n"]) * chain["spacing"], [1, 0, 0])
        assert sizes(points, chain["radius"]) == expected


def test_clustering_03_the_radius_is_included() -> None:
    case = CASES["clustering-03"]
    for tolerance in (None, 0.0):
        got = sizes(case["input"]["points"], case["input"]["radius"], tolerance=tolerance)
        assert got == case["expected"]["sizes"]


def test_clustering_06_large_coordinates_in_single_precision() -> None:
    case = CASES["clustering-06"]
    points = np.array(case["input"]["points"], dtype=case["input"]["dtype"])
    assert sizes(points, case["input"]["radius"]) == case["expected"]["sizes"]


def test_clustering_08_nothing_and_nothing_near() -> None:
    case = CASES["clustering-08"]
    expected = case["expected"]
    radius = case["input"]["radius"]
    for points, size, largest in zip(
        case["input"]["sets"], expected["sizes"], expected["largest"], strict=True
    ):
        assert sizes(points, radius) == size
        assert part.largest_component(points, radius).size == largest
    assert part.components([], radius).largest == -1
    assert part.radius_pairs([], radius).shape == (0, 2)


def test_clustering_09_coincident_particles_all_count() -> None:
    case = CASES["clustering-09"]
    got = part.components(case["input"]["points"], case["input"]["radius"])
    assert got.sizes.tolist() == case["expected"]["sizes"]
    assert got.sizes.sum() == case["expected"]["total"]


def test_clustering_10_more_labels_than_small_integers_hold() -> None:
    case = CASES["clustering-10"]
    expected = case["expected"]
    for k, generator in enumerate(case["input"]["generators"]):
        i = np.arange(generator["count"])
        wide = [i % 265, i // 265, 0 * i] if "//" in generator["point_i"][1] else [i, 0 * i, 0 * i]
        got = part.components(np.stack(wide, axis=1), generator["radius"])
        assert len(got.sizes) == expected["components"][k]
        assert got.sizes.max() == expected["largest"][k]
        assert len(np.unique(got.labels)) == expected["labels_unique"][k]


def test_clustering_11_equals_are_told_by_the_lowest_index() -> None:
    case = CASES["clustering-11"]
    points = np.array(case["input"]["points"])
    radius = case["input"]["radius"]
    got = part.largest_component(points, radius)
    assert (got.size, got.members.tolist()) == (
        case["expected"]["largest"],
        case["expected"]["indices"],
    )
    for seed in range(case["input"]["permutations"]):
        order = np.random.default_rng(seed).permutation(len(points))
        for threads in (1, 2, 8):
            members = part.largest_component(points[order], radius, threads=threads).members
            # The first particle of either trio to come decides which of the two it is.
            first = next(k for k in order if k != 6)
            assert sorted(order[members]) == ([0, 2, 4] if first in (0, 2, 4) else [1, 3, 5])


def test_clustering_12_the_link_is_a_diameter() -> None:
    case = CASES["clustering-12"]
    points, radius = case["input"]["points"], case["input"]["particle_radius"]
    assert sizes(points, 2 * radius) == case["expected"]["sizes"]
    assert sizes(points, radius) == case["expected"]["wrong"]["radius_instead_of_diameter"]
    assert part.dip_capacity(points, radius) == case["expected"]["sizes"][0]


def test_clustering_13_particles_partly_in_a_box() -> None:
    case = CASES["clustering-13"]
    data, expected = case["input"], case["expected"]
    radius = data["particle_radius"]
    got = part.touch_box(data["particles"], data["aabb"], radius, headroom=radius)
    assert got.tolist() == expected["per_particle"]
    assert got.sum() == expected["any_point_top_plus_radius"]
    assert part.touch_box(data["particles"], data["aabb"], 0.0).sum() == expected["centre_only"]


def test_clustering_14_leaked_particles_are_no_capacity() -> None:
    case = CASES["clustering-14"]
    points, radius = case["input"]["points"], case["input"]["particle_radius"]
    assert sizes(points, 2 * radius) == case["expected"]["sizes"]
    assert part.dip_capacity(points, radius) == case["expected"]["largest"]


def test_clustering_16_the_norm_is_euclidean() -> None:
    case = CASES["clustering-16"]
    for points, expected in zip(case["input"]["sets"], case["expected"]["sizes"], strict=True):
        assert sizes(points, case["input"]["radius"]) == expected


def test_every_case_has_its_test() -> None:
    for name in CASES:
        prefix = f"test_{name.replace('-', '_')}_"
        assert any(test.startswith(prefix) for test in globals()), name


# ---- against references -------------------------------------------------------------------------

whole = st.integers(-4, 4)
places = st.lists(st.tuples(whole, whole, whole), max_size=60)


@given(places, st.sampled_from([0.9, 1.0, 1.4, 1.5, 2.0, 2.3]), st.floats(0.001, 1000))
def test_lattice_points_against_brute_force(places: Any, radius: float, scale: float) -> None:
    lattice = np.array(places, dtype=float).reshape(-1, 3)
    got = part.components(lattice * scale, radius * scale)
    np.testing.assert_array_equal(got.labels, brute_force(lattice, radius))


@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 400),
    st.floats(0.02, 1.5),
    st.sampled_from([(1, 1, 1), (5, 1, 0), (40, 0, 0), (0, 0, 0)]),
    st.sampled_from([0.0, 1e3, -1e7]),
)
def test_random_points_against_scipy(
    seed: int, count: int, radius: float, shape: tuple[float, ...], shift: float
) -> None:
    points = np.random.default_rng(seed).uniform(-1, 1, size=(count, 3)) * shape + shift
    pairs = cKDTree(points).query_pairs(radius, output_type="ndarray")
    apart = np.linalg.norm(points[:, None] - points[None], axis=-1)
    if np.abs(apart - radius).min() < 1e-6 * radius:
        return  # too close to call alike in two libraries
    got = part.components(points, radius)
    ones = np.ones(len(pairs), dtype=bool)
    matrix = csr_matrix((ones, (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    number, labels = connected_components(matrix, directed=False)
    assert len(got.sizes) == number
    np.testing.assert_array_equal(got.labels, labels)
    expected = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    np.testing.assert_array_equal(part.radius_pairs(points, radius), expected)
    graph = part.radius_graph(points, radius)
    both = matrix + matrix.T
    both.sort_indices()
    np.testing.assert_array_equal(graph.offsets, both.indptr)
    np.testing.assert_array_equal(graph.neighbours, both.indices)


coordinate = st.floats(-1e12, 1e12) | st.integers(-3, 3).map(float)


@given(st.lists(st.tuples(coordinate, coordinate, coordinate), max_size=12), st.floats(1e-3, 1e6))
def test_links_against_exact_arithmetic(points: Any, radius: float) -> None:
    """With no tolerance a link is the squared distance against the squared radius."""
    for i, p in enumerate(points):
        for q in points[:i]:
            exact = sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(p, q, strict=True))
            share = exact / Fraction(radius) ** 2
            if abs(share - 1) > Fraction(1, 10**14):
                pair = part.radius_pairs([p, q], radius, tolerance=0.0)
                assert len(pair) == (share < 1)


# ---- invariants and hard shapes -----------------------------------------------------------------


def lattice(n: int, spacing: float, shift: Any = 0.0) -> np.ndarray:
    axis = np.arange(n) * spacing
    return np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3) + shift


@pytest.mark.parametrize("spacing", [0.01, 0.02, 0.1, 1 / 3, 0.7])
@pytest.mark.parametrize("shift", [0.0, (1000.0, -2e5, 7.3)])
def test_a_lattice_hangs_together_at_its_spacing(spacing: float, shift: Any) -> None:
    points = lattice(12, spacing, shift)
    assert sizes(points, spacing) == [12**3]
    assert sizes(points, spacing * 0.999) == [1] * 12**3
    assert len(part.radius_pairs(points, spacing)) == 3 * 12 * 12 * 11
    # scipy compares the squares as they come: for some spacings the lattice falls apart
    single = points.astype(np.float32)
    if np.abs(single - points).max() < 1e-6 * spacing:
        assert sizes(single, spacing) == [12**3]


def test_scipy_breaks_the_lattice_that_we_keep() -> None:
    points = lattice(30, 0.1)
    pairs = cKDTree(points).query_pairs(0.1, output_type="ndarray")
    assert len(pairs) < 3 * 30 * 30 * 29 == len(part.radius_pairs(points, 0.1))


def test_threads_change_nothing() -> None:
    points = np.random.default_rng(5).uniform(0, 1, size=(60_000, 3))
    one = part.components(points, 0.022, threads=1)
    graph = part.radius_graph(points, 0.022, threads=1)
    assert 100 < len(one.sizes) < 50_000
    for threads in (2, 8):
        many = part.components(points, 0.022, threads=threads)
        np.testing.assert_array_equal(many.labels, one.labels)
        np.testing.assert_array_equal(many.sizes, one.sizes)
        other = part.radius_graph(points, 0.022, threads=threads)
        np.testing.assert_array_equal(other.neighbours, graph.neighbours)


@given(st.integers(0, 2**32 - 1), st.floats(0.05, 0.4))
def test_order_motion_and_more_radius(seed: int, radius: float) -> None:
    rng = np.random.default_rng(seed)
    points = rng.uniform(0, 1, size=(150, 3))
    base = part.components(points, radius)
    # labels are numbered by first members, and sizes count them
    assert (np.diff(np.unique(base.labels, return_index=True)[1]) > 0).all()
    np.testing.assert_array_equal(np.bincount(base.labels), base.sizes)
    order = rng.permutation(150)
    shuffled = part.components(points[order], radius)
    assert sorted(shuffled.sizes) == sorted(base.sizes)
    same = base.labels[order][:, None] == base.labels[order][None]
    np.testing.assert_array_equal(shuffled.labels[:, None] == shuffled.labels[None], same)
    wider = part.components(points, 1.1 * radius)
    assert len(wider.sizes) <= len(base.sizes)
    assert sizes(points[:, [2, 0, 1]] * [-1, 1, 1], radius) == sorted(base.sizes)[::-1]


def test_positions_that_are_not_finite() -> None:
    points = np.array([(0, 0, 0), (np.nan, 0, 0), (0.5, 0, 0), (np.inf, 0, 0), (np.inf, 0, 0)])
    got = part.components(points, 1.0)
    assert got.labels.tolist() == [0, -1, 0, -1, -1]
    assert (got.sizes.tolist(), got.dropped) == ([2], 3)
    graph = part.radius_graph(points, 1.0)
    assert (graph.offsets.tolist(), graph.dropped) == ([0, 1, 1, 2, 2, 2], 3)
    nothing = part.components(points[1:2], 1.0)
    assert (nothing.largest, nothing.dropped, len(nothing.sizes)) == (-1, 1, 0)
    with pytest.raises(ValueError, match=r"^points: expected finite values, got nan at \[1, 0\]$"):
        part.components(points, 1.0, non_finite="refuse")
    assert part.touch_box(points, [[-1] * 3, [1] * 3], 0.1).tolist() == [
        True,
        False,
        True,
        False,
        False,
    ]


def test_particles_lost_far_away_cost_nothing_and_stay_apart() -> None:
    near = np.random.default_rng(1).uniform(0, 1, size=(20_000, 3))
    lost = [(1e9, 0, 0), (1e12, -1e12, 3), (-1e300, 1e300, 0), (1e300, 1e300, 1e300)]
    points = np.concatenate([near, lost, np.add(lost, (0.01, 0, 0))])
    got = part.components(points, 0.08)
    assert got.labels[:20_000].max() == 0
    # At 1e9 m a centimetre is still something, at 1e12 m as well; at 1e300 m the two coincide.
    assert got.sizes.tolist() == [20_000, 2, 2, 2, 2]
    far = lattice(6, 1.0, 2.0**45)
    assert sizes(far, 1.0) == [216]


def test_crowds_are_linked_without_looking_at_all_pairs() -> None:
    rng = np.random.default_rng(7)
    same = np.zeros((60_000, 3))  # all pairs would take half a minute
    assert sizes(same, 1.0) == [60_000]
    ball = rng.uniform(-0.4, 0.4, size=(30_000, 3))
    aside, above = np.array([2.0, 0, 0]), np.array([0, 3.0, 0])
    far = np.concatenate([ball, ball + aside, ball * 1e-3 + above])
    assert sizes(far, 1.0) == [30_000] * 3
    assert sizes(far, 1.25) == [60_000, 30_000]


@given(st.integers(0, 2**32 - 1), st.integers(2, 5), st.floats(0.2, 1.2))
def test_crowds_against_brute_force(seed: int, clumps: int, radius: float) -> None:
    rng = np.random.default_rng(seed)
    centers = rng.uniform(-1, 1, size=(clumps, 3))
    points = np.repeat(centers, 90, axis=0) + rng.normal(scale=0.05, size=(90 * clumps, 3))
    single = rng.uniform(-2, 2, size=(20, 3))
    points = rng.permutation(np.concatenate([points, single]))
    apart = np.linalg.norm(points[:, None] - points[None], axis=-1)
    assume(np.abs(apart - radius).min() > 1e-7 * radius)
    for threads in (1, 2):
        got = part.components(points, radius, threads=threads)
        np.testing.assert_array_equal(got.labels, brute_force(points, radius))


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "i8", "u8", "f2", "f4", ">f8"])
def test_dtypes_neither_overflow_nor_truncate(dtype: str) -> None:
    points = np.array([(120, 0, 0), (0, 120, 0), (120, 1, 0)]).astype(dtype)
    assert part.components(points, 1.0).labels.tolist() == [0, 1, 0]
    if dtype == "i8":
        wide = np.array([(2**53, 0, 0), (2**53 - 2, 0, 0)])
        assert sizes(wide, 1.0) == [1, 1]
        with pytest.raises(ValueError, match=r"^points: expected integers within 2\^53"):
            part.components(np.array([(2**53 + 1, 0, 0)]), 1.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: part.components(np.zeros((3, 2)), 1.0), r"^points: expected shape \(N, 3\)"),
        (lambda: part.components(np.zeros((3, 3)), 0.0), "^radius: expected a finite number above"),
        (lambda: part.components(np.zeros((3, 3)), np.nan), "^radius: expected a finite number"),
        (lambda: part.components(np.zeros((3, 3)), 1e200), "^radius: expected a number from"),
        (lambda: part.components(np.zeros((3, 3)), 1.0, tolerance=-1), "^tolerance: expected"),
        (lambda: part.components(np.zeros((3, 3)), 1.0, threads=-1), "^threads: expected"),
        (
            lambda: part.components(np.zeros((3, 3)), 1.0, non_finite="merge"),  # type: ignore[arg-type]
            "^non_finite: expected 'drop' or 'refuse', got 'merge'",
        ),
    ],
)
def test_wrong_calls(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_text_and_complex_numbers_are_refused() -> None:
    with pytest.raises(TypeError, match="^points: expected real numbers"):
        part.components([("a", "b", "c")], 1.0)
    with pytest.raises(TypeError, match="^points: expected real numbers"):
        part.components(np.zeros((2, 3), dtype=complex), 1.0)
