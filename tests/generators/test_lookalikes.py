"""The table of models that look alike from somewhere: fresh, and true of the models."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from esi_fast import assets
from esi_fast.errors import UnknownName
from esi_fast.generators import lookalikes as la


def test_the_stored_table_is_fresh() -> None:
    """Every eleventh pair, and that models which are not in it stay out, found anew."""
    for pair in la.pairs()[::11]:
        found = la.alike_pairs([pair.one, pair.other])
        assert found == [pair]
    oven, mug = (("oven", assets.models("oven")[0]), ("mug", assets.models("mug")[0]))
    assert la.alike_pairs([oven, mug]) == []


def test_pairs_are_of_different_things_with_boxes_that_match() -> None:
    assert len(la.pairs()) > 100
    for pair in la.pairs():
        assert pair.one[0] != pair.other[0]
        assert not any({pair.one[0], pair.other[0]} <= names for names in la.SYNONYMS)
        box = la.common_box([pair.one, pair.other])
        for category, model in (pair.one, pair.other):
            stretch = box / np.asarray(assets.sizes(category)[model])
            assert stretch.max() / stretch.min() < la.MAX_ASPECT_RATIO**1.5
        assert pair.directions == tuple(sorted(pair.directions))


def test_a_packet_shows_its_print_in_front_only() -> None:
    """Its coat from the side leaves out the print; from the front nothing can be coated."""
    pair = next(p for p in la.pairs() if p.one[0] == "box_of_crackers")
    print_part = next(
        k for k, part in enumerate(assets.get(*pair.one).parts) if part.material.image is not None
    )
    side, front = la.DIRECTIONS.index((90, 8)), la.DIRECTIONS.index((0, 8))
    assert print_part not in la.coat_parts(*pair.one, side)
    assert print_part in la.coat_parts(*pair.one, front)
    assert front not in pair.directions
    views = [la.appearance_of(*model) for model in (pair.one, pair.other)]
    told = la.telling(views[0], views[1], pair.directions[0])
    assert told[pair.directions[0]] < 0.1 < la.MIN_TELLING <= told[front]


def test_neighbours_look_like_all() -> None:
    for pair in la.pairs()[::29]:
        for direction in pair.directions[:2]:
            for third in la.common_neighbours([pair.one, pair.other], direction):
                kinds = (pair.one, pair.other, third)
                assert len({category for category, _ in kinds}) == 3
                for one, other in itertools.combinations(kinds, 2):
                    assert any(
                        {p.one, p.other} == {one, other} and direction in p.directions
                        for p in la.pairs()
                    )


def test_unknown_models_are_refused() -> None:
    with pytest.raises(UnknownName):
        la.appearance_of("oven", "nothing")
