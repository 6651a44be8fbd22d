"""What a history proves: the ideal observer of a task, and the evidence it gives."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cache

from esi_fast import registry
from esi_fast.generators.base import Task
from esi_fast.records import FrameRecord, Question
from esi_fast.types import JsonDict

__all__ = ["evidence_of", "possible_answers", "task_of"]


@cache
def task_of(name: str) -> Task:
    """The task of that name; ``UnknownName`` lists near matches."""
    task: Task = registry.get("task", name)()
    return task


def possible_answers(
    task: str, history: Sequence[FrameRecord], public: JsonDict, question: Question
) -> tuple[str, ...]:
    """The answers that the ideal observer cannot exclude, in the order of the options.

    Raises ``RuntimeError`` where none is left: the observer excludes the truth, which is a bug.
    """
    left = _memory(task).still_possible(history, public)
    possible = tuple(option for option in question.options if option in left)
    if not possible:
        raise RuntimeError(f"the observer excludes every answer after {len(history)} frames")
    return possible


def evidence_of(possible: Sequence[str], question: Question) -> float:
    """1 - (|possible| - 1) / (K - 1): 0 where every answer is possible, 1 where one is left."""
    options = len(question.options)
    return 1.0 if options == 1 else 1.0 - (len(possible) - 1) / (options - 1)


class _Memory:
    """An observer that answers once per history: the run and a scripted agent ask in turn.

    Histories are told apart by the identity of their frames, which the memory keeps alive.
    """

    def __init__(self, task: Task, *, size: int = 256) -> None:
        self._task = task
        self._size = size
        self._known: OrderedDict[tuple[int, ...], tuple[object, frozenset[str]]] = OrderedDict()

    def still_possible(self, history: Sequence[FrameRecord], public: JsonDict) -> frozenset[str]:
        key = (id(public), *map(id, history))
        if key not in self._known:
            answers = self._task.still_possible(history, public)
            self._known[key] = ((public, tuple(history)), answers)
            if len(self._known) > self._size:
                self._known.popitem(last=False)
        return self._known[key][1]


@cache
def _memory(task: str) -> _Memory:
    return _Memory(task_of(task))
