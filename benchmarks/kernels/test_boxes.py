"""All pairs of boxes against rtree and NumPy, and what one pair costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
import pytest
from measure import call_microseconds, compare, two_threads

from esi_fast.geometry import boxes

COUNT = 10_000


def _boxes(seed: int) -> np.ndarray:
    """Boxes up to a tenth of the room wide; each meets about nine of another ten thousand."""
    rng = np.random.default_rng(seed)
    low = rng.uniform(0, 10, size=(COUNT, 3))
    return np.stack([low, low + rng.uniform(0, 1, size=(COUNT, 3))], axis=1)


def _numpy_overlaps(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """All against all, axis by axis: faster, and smaller, than all axes at once."""
    meet = np.ones((len(a), len(b)), dtype=bool)
    for k in range(3):
        meet &= a[:, None, 0, k] <= b[None, :, 1, k]
        meet &= b[None, :, 0, k] <= a[:, None, 1, k]
    return np.argwhere(meet)


def _numpy_inside(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    meet = np.ones((len(a), len(b)), dtype=bool)
    for k in range(3):
        meet &= a[:, None, 0, k] <= b[None, :, 0, k]
        meet &= b[None, :, 1, k] <= a[:, None, 1, k]
    return np.argwhere(meet)


def _tree(rtree: Any, items: np.ndarray) -> Any:
    """A tree built in bulk."""
    boxes_of = enumerate(items.reshape(-1, 6).tolist())
    return rtree.index.Index(
        ((k, box, None) for k, box in boxes_of), properties=rtree.index.Property(dimension=3)
    )


def _rtree(rtree: Any, a: np.ndarray, b: np.ndarray) -> list[list[int]]:
    """For each box of ``a`` those of ``b`` that it meets."""
    tree = _tree(rtree, b)
    return [list(tree.intersection(box)) for box in a.reshape(-1, 6).tolist()]


def _compare(
    benchmark: Any, ours: Callable[[], Any], what: str, peers: dict[str, Callable[[], Any]]
) -> Mapping[str, float]:
    return compare(benchmark, ours, what=what, size="10k x 10k boxes", rounds=7, **peers)


@pytest.mark.benchmark(group="box pairs")
def test_overlaps(benchmark: Any) -> None:
    rtree = pytest.importorskip("rtree")
    a, b = _boxes(1), _boxes(2)
    expected = _numpy_overlaps(a, b)
    np.testing.assert_array_equal(boxes.overlap_pairs_between(a, b), expected)
    found = _rtree(rtree, a, b)
    theirs = [(i, j) for i, row in enumerate(found) for j in sorted(row)]
    np.testing.assert_array_equal(theirs, expected)
    speed = _compare(
        benchmark,
        lambda: boxes.overlap_pairs_between(a, b, threads=1),
        "overlapping pairs",
        {"rtree": lambda: _rtree(rtree, a, b), "numpy": lambda: _numpy_overlaps(a, b)},
    )
    assert speed["rtree"] >= 40
    assert speed["numpy"] >= 80


@pytest.mark.benchmark(group="box pairs")
def test_against_rtree_in_bulk(benchmark: Any) -> None:
    """All boxes asked for in one call of rtree's, which spares it Python's share of the work."""
    rtree = pytest.importorskip("rtree")
    a, b = _boxes(1), _boxes(2)

    def theirs() -> tuple[np.ndarray, np.ndarray]:
        tree = _tree(rtree, b)
        return cast(tuple[np.ndarray, np.ndarray], tree.intersection_v(a[:, 0], a[:, 1]))

    found, counts = theirs()
    pairs = np.stack([np.repeat(np.arange(len(a)), counts.astype(int)), found], axis=1)
    expected = boxes.overlap_pairs_between(a, b)
    np.testing.assert_array_equal(pairs[np.lexsort(pairs.T[::-1])], expected)
    _compare(
        benchmark,
        lambda: boxes.overlap_pairs_between(a, b, threads=1),
        "overlapping pairs, rtree in bulk",
        {"rtree": theirs},
    )


@pytest.mark.benchmark(group="box pairs")
def test_containment(benchmark: Any) -> None:
    rtree = pytest.importorskip("rtree")
    a, b = _boxes(1), _boxes(2)
    expected = _numpy_inside(a, b)
    assert len(expected) > 100
    np.testing.assert_array_equal(boxes.containment_pairs(a, b, tolerance=0.0), expected)

    def theirs() -> np.ndarray:
        """What meets a box is all the tree tells; what lies inside is then asked of those."""
        rows = _rtree(rtree, a, b)
        first = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        second = np.concatenate([np.array(row, dtype=np.int64) for row in rows])
        inside = (a[first, 0] <= b[second, 0]).all(axis=1) & (b[second, 1] <= a[first, 1]).all(
            axis=1
        )
        return np.stack([first[inside], second[inside]], axis=1)

    assert sorted(map(tuple, theirs())) == [tuple(pair) for pair in expected]
    speed = _compare(
        benchmark,
        lambda: boxes.containment_pairs(a, b, threads=1),
        "pairs one inside the other",
        {"rtree": theirs, "numpy": lambda: _numpy_inside(a, b)},
    )
    assert speed["rtree"] >= 40
    assert speed["numpy"] >= 80


@pytest.mark.benchmark(group="box pairs")
def test_two_threads(benchmark: Any) -> None:
    rng = np.random.default_rng(3)
    low = rng.uniform(0, 10, size=(200_000, 3))
    many = np.stack([low, low + rng.uniform(0, 0.4, size=low.shape)], axis=1)
    one = boxes.overlap_pairs(many, threads=1)
    np.testing.assert_array_equal(boxes.overlap_pairs(many, threads=2), one)
    benchmark.pedantic(lambda: boxes.overlap_pairs(many, threads=2), rounds=3)
    benchmark.extra_info.update(what="overlapping pairs of one set", size="200k boxes", threads=2)
    two_threads(
        benchmark,
        lambda threads: boxes.overlap_pairs(many, threads=threads),
        rounds=10,
    )


PAIR = np.array([[[0.0, 0, 0], [1, 1, 1]], [[0.5, 0.5, 0.5], [2, 2, 2]]])
ONE = boxes.Obb(np.zeros(3), np.array([0.0, 0, 0, 1]), np.ones(3))


@pytest.mark.benchmark(group="call overhead")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        *((name, tuple(PAIR)) for name in ("gap", "overlap", "contact", "contains", "distance")),
        *((name, tuple(PAIR)) for name in ("iou", "iou_xy", "overlap_volume", "support")),
        *((name, (PAIR[0],)) for name in ("size", "center", "corners", "union")),
        ("contains_points", (PAIR[0], PAIR[1, 0])),
        ("fit_ratio", (PAIR[0, 1], PAIR[1, 1])),
        ("aabb", (PAIR[0],)),
        ("obb_separation", (ONE, ONE)),
        ("obb_contains", (ONE, ONE)),
        ("obb_overlap", (ONE, ONE)),
        ("obb_contains_points", (ONE, PAIR[0])),
        ("obb_corners", (ONE,)),
        ("world_aabb", (PAIR[0], np.eye(4))),
        ("overlap_pairs", (PAIR,)),
        ("overlap_pairs_between", (PAIR, PAIR)),
        ("containment_pairs", (PAIR, PAIR)),
    ],
)
def test_one_item(benchmark: Any, name: str, arguments: tuple[Any, ...]) -> None:
    call = getattr(boxes, name)
    benchmark.pedantic(lambda: call(*arguments), rounds=3, iterations=100)
    spent = call_microseconds(lambda: call(*arguments))
    benchmark.extra_info.update(what=f"boxes.{name}", size="1 item", call_us=round(spent, 2))
    assert spent < 5
