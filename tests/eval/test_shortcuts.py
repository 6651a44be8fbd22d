"""Classifiers that try to answer without looking find what was planted, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import box_world as bw
import numpy as np
import pytest

from esi_fast.dataset.store import StoreWriter
from esi_fast.eval.shortcuts import answer_entropy, look, shortcuts
from esi_fast.records import Instance, Question

PAIRS = 60


def _store(folder: Path, plant: Callable[[Instance], Instance]) -> Path:
    """Pairs of questions with different answers, as alike as can be but for what is planted."""
    with StoreWriter(folder, Instance, meta={}) as writer:
        for index in range(2 * PAIRS):
            random = np.random.default_rng(index // 2)
            first = bool(random.integers(2))
            answer = "yes" if first == (index % 2 == 0) else "no"
            order = np.random.default_rng(1000 + index).permutation(["yes", "no"])
            question = Question(text="Is it so?", options=tuple(str(o) for o in order))
            writer.add(
                plant(
                    bw.instance().model_copy(
                        update={
                            "id": f"{index:016x}"[::-1],
                            "index": index,
                            "question": question,
                            "answer": answer,
                            "targets": {"target": ("mug", "dhnxww")},
                        }
                    )
                )
            )
    return folder


def _right(folder: Path, plant: Callable[[Instance], Instance]) -> dict[str, float]:
    return {found.kind: found.accuracy for found in shortcuts(_store(folder, plant))}


def _nothing(instance: Instance) -> Instance:
    return instance


def _worded(instance: Instance) -> Instance:
    text = "Is it so?" if instance.answer == "yes" else "Is it so then?"
    return instance.model_copy(
        update={"question": instance.question.model_copy(update={"text": text})}
    )


def _public(instance: Instance) -> Instance:
    return instance.model_copy(update={"public": {"clue": [1.0, float(instance.answer == "yes")]}})


def _ordered(instance: Instance) -> Instance:
    options = (instance.answer, "no" if instance.answer == "yes" else "yes")
    return instance.model_copy(
        update={"question": instance.question.model_copy(update={"options": options})}
    )


def test_where_nothing_tells_nothing_is_found(tmp_path: Path) -> None:
    for accuracy in _right(tmp_path, _nothing).values():
        # Four standard deviations of a fair coin; below it where members of a pair are told apart.
        assert accuracy < 0.5 + 4 * 0.5 / np.sqrt(2 * PAIRS)


@pytest.mark.parametrize(
    ("plant", "kinds"),
    [
        (_worded, {"question", "metadata"}),
        (_ordered, {"question", "metadata"}),
        (_public, {"metadata"}),
    ],
)
def test_what_tells_the_answer_is_found(
    tmp_path: Path, plant: Callable[[Instance], Instance], kinds: set[str]
) -> None:
    found = _right(tmp_path, plant)
    assert {kind for kind, accuracy in found.items() if accuracy > 0.95} == kinds


def _larger(instance: Instance) -> Instance:
    """Two of many nouns are the options; the larger thing is the answer three times in four."""
    random = np.random.default_rng(int(instance.id[::-1], 16))
    kinds = [("mug", "dhnxww"), ("bowl", "eipwho"), ("teacup", "kccqwj")]
    chosen = [kinds[int(k)] for k in random.permutation(3)[:2]]
    first = instance.scene.objects[0].model_copy(update={"id": "a", "scale": (1.2, 1.2, 1.2)})
    second = first.model_copy(update={"id": "b", "scale": (0.8, 0.8, 0.8)})
    scene = instance.scene.with_objects((first, second))
    answer = chosen[0] if random.random() < 0.75 else chosen[1]
    order = [chosen[int(k)][0] for k in random.permutation(2)]
    return instance.model_copy(
        update={
            "scene": scene,
            "targets": {"a": chosen[0], "b": chosen[1]},
            "question": Question(text="Which is it?", options=tuple(order)),
            "answer": answer[0],
        }
    )


def test_options_of_their_own_are_told_by_what_they_name(tmp_path: Path) -> None:
    """Chance is one in two, however many nouns there are; what is planted is found."""
    found = {one.kind: one for one in shortcuts(_store(tmp_path, _larger))}
    assert found["metadata"].chance == found["question"].chance == 0.5
    assert found["metadata"].accuracy > 0.6
    assert found["metadata"].accuracy < 0.9
    assert found["question"].accuracy < 0.5 + 4 * 0.5 / np.sqrt(2 * PAIRS)


def test_entropy_of_answers() -> None:
    assert answer_entropy(["a", "b"] * 5, 2) == pytest.approx(1.0)
    # Three in four: 0.75 log2(4/3) + 0.25 log2(4) = 0.8113.
    assert answer_entropy(["a", "a", "a", "b"], 2) == pytest.approx(0.8113, abs=1e-4)
    assert answer_entropy(["a", "a"], 2) == 0.0


def test_the_first_view_is_seen_as_it_is() -> None:
    """The target's pixels are counted, and where they are, in the picture of the first view."""
    instance = bw.instance().model_copy(update={"targets": {"screen": ("screen", "box")}})
    payload = {"instance": instance.model_dump(mode="json"), "backend": "box_world"}
    seen = look(payload)
    world = bw.BoxWorld()
    world.load(instance.scene)
    camera = instance.initial_camera.model_copy(update={"width": 128, "height": 128})
    frame = world.render([camera], ("rgb", "ids"))[0]
    assert frame.ids is not None
    assert frame.rgb is not None
    rows, columns = np.nonzero(frame.ids == world.geometry().index("screen"))
    assert seen["screen pixels"] == len(rows) > 100
    assert seen["screen row low"] == rows.min()
    assert seen["screen column mean"] == pytest.approx(columns.mean())
    assert seen["screen g"] == pytest.approx(frame.rgb[rows, columns, 1].mean())
    # Squares of 16 pixels, row by row, three channels each: the second of the first row.
    assert seen["square 4"] == pytest.approx(frame.rgb[:16, 16:32, 1].mean())


def test_too_few_pairs_is_a_wrong_call(tmp_path: Path) -> None:
    with StoreWriter(tmp_path, Instance, meta={}) as writer:
        writer.add(bw.instance())
    with pytest.raises(ValueError, match="at least 5 pairs"):
        shortcuts(tmp_path)
