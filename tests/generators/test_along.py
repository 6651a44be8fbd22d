"""What was possible after each view, asked as rarely as can be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from esi_fast.generators.observer.along import along

ANSWERS = "abcd"


@given(st.lists(st.integers(1, 4), min_size=1, max_size=40).map(lambda n: sorted(n, reverse=True)))
def test_it_is_what_asking_every_time_gives(sizes: list[int]) -> None:
    asked: list[int] = []

    def ask(views: int) -> frozenset[str]:
        asked.append(views)
        return frozenset(ANSWERS[: sizes[views - 1]])

    assert along(ask, len(sizes)) == [frozenset(ANSWERS[:size]) for size in sizes]
    # At most two and a bisection for each of the three steps down.
    assert len(asked) <= 2 + 3 * len(sizes).bit_length()


def test_nothing_is_asked_twice_where_the_first_view_decides() -> None:
    asked: list[int] = []

    def ask(views: int) -> str:
        asked.append(views)
        return "a"

    assert along(ask, 30) == ["a"] * 30
    assert asked == [1]
