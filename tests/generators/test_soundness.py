"""The proof of observers, by one that is sound and doubles that are not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from esi_fast import registry
from esi_fast.generators.base import Draft
from esi_fast.generators.driver import make_instance
from esi_fast.generators.soundness import Pairs, alike, pairs_of
from esi_fast.generators.specular_reflection.reflection_authoring import ReflectionAuthoring
from esi_fast.records import FrameRecord, ObjectSpec
from esi_fast.sim.actions import action, passive_actions
from esi_fast.sim.base import Simulator, Snapshot
from esi_fast.sim.masks import encode_mask
from esi_fast.types import JsonDict

TASK = "specular_reflection/reflection_authoring"
WALKS = [passive_actions(3, 4), passive_actions(4, 4)]


class Peeking(ReflectionAuthoring):
    """Knows the answer of the draft without having seen why."""

    answer = "yes"

    def still_possible(self, history: Sequence[FrameRecord], public: JsonDict) -> frozenset[str]:
        return frozenset({self.answer})


class Single(ReflectionAuthoring):
    """Has no other world to offer."""

    def twin(
        self, snapshot: Snapshot, draft: Draft, rng: np.random.Generator
    ) -> tuple[ObjectSpec, ...]:
        return draft.objects


@pytest.fixture(scope="module")
def drafted() -> tuple[Simulator, Draft]:
    sim: Simulator = registry.get("backend", "embedded")()
    for index in range(8):
        made = make_instance(
            "specular_reflection/reflection_authoring", index, 5, sim, oracle=False
        )
        if made.draft is not None:
            assert made.instance is not None
            assert not made.instance.oracle_actions
            return sim, made.draft
    pytest.fail("no draft in 8 tries")


def _pairs(task: ReflectionAuthoring, drafted: tuple[Simulator, Draft]) -> Pairs:
    sim, draft = drafted
    return pairs_of(task, sim, draft, WALKS, random=np.random.default_rng(0))


def test_a_sound_observer_keeps_both_answers(drafted: tuple[Simulator, Draft]) -> None:
    found = _pairs(ReflectionAuthoring(), drafted)
    assert found.episodes == 2
    assert found.pairs == 2
    assert found.frames >= 2
    assert found.lost == []


def test_an_observer_that_peeks_is_found(drafted: tuple[Simulator, Draft]) -> None:
    found = _pairs(Peeking(), drafted)
    # Both histories of both pairs at the first frame; at the last equal one, if there are more.
    of_pairs = [text for text in found.lost if "worlds" in text]
    assert len(of_pairs) >= 4
    assert "['yes']" in of_pairs[0]
    # Where it guesses the wrong answer, the random episodes tell too.
    _, draft = drafted
    assert (len(found.lost) > len(of_pairs)) == (draft.want == "no")


def test_a_twin_of_the_same_answer_is_no_pair(drafted: tuple[Simulator, Draft]) -> None:
    found = _pairs(Single(), drafted)
    assert found.pairs == 0
    assert found.without == {"same answer": 2}


def test_the_world_is_left_as_it_was(drafted: tuple[Simulator, Draft]) -> None:
    sim, _ = drafted
    before = sim.spec()
    _pairs(ReflectionAuthoring(), drafted)
    assert sim.spec() == before


def test_frames_are_alike_within_two_pixels(drafted: tuple[Simulator, Draft]) -> None:
    sim, draft = drafted
    frame = draft.core(sim).observe(rgb=False).record
    name = draft.objects[0].category
    side = frame.camera.height

    def showing(columns: slice) -> FrameRecord:
        mask = np.zeros((side, side), dtype=bool)
        mask[100:200, columns] = True
        return frame.model_copy(update={"masks": {**frame.masks, name: encode_mask(mask)}})

    first = showing(slice(100, 150))
    assert alike(first, showing(slice(102, 152)))
    assert not alike(first, showing(slice(103, 153)))
    gone = {key: runs for key, runs in first.masks.items() if key != name}
    assert not alike(first, first.model_copy(update={"masks": gone}))
    moved = draft.core(sim)
    moved.apply(action("turn_left"))
    assert not alike(frame, moved.observe(rgb=False).record)
