"""Agents: what they get to see, what they reply, and the scripted ones.

An agent is anything with ``act(observation) -> Reply``. ``@register("agent", name)`` above a
class (or a function) that takes ``seed`` is all that a new one needs; a fresh one is made for
every episode, with a seed of its own.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from esi_fast import registry
from esi_fast.eval.evidence import possible_answers, task_of
from esi_fast.generators.oracle import next_action
from esi_fast.records import ActionRecord, FrameRecord, Question
from esi_fast.registry import register
from esi_fast.seeding import rng
from esi_fast.sim.actions import SIMPLE_ACTIONS, action, answer_action, format_action
from esi_fast.sim.episode import PixelBox
from esi_fast.types import JsonDict, UInt8Array

__all__ = [
    "Agent",
    "AgentFactory",
    "ContextView",
    "FirstViewAgent",
    "Look",
    "Observation",
    "PerfectAgent",
    "QuestionOnlyAgent",
    "RandomAgent",
    "Reply",
    "check_agent",
    "make_agent",
]


class ContextView(NamedTuple):
    """A picture given with the question, (H, W, 3) uint8, and what it shows ("" if not said)."""

    image: UInt8Array
    label: str = ""


class Look(NamedTuple):
    """One view as shown: ``image`` (H, W, 3) uint8, the record, the handles in view."""

    image: UInt8Array
    record: FrameRecord
    handles: Mapping[str, PixelBox]


@dataclass(frozen=True)
class Observation:
    """What an agent knows when it is asked: everything shown so far, the last view last.

    ``active`` says whether the agent chooses what it sees; ``must_answer`` is true where nothing
    but an answer counts (passive paradigms, spent budget).
    ``complaint`` says what was wrong with the reply before, when the same step is asked again.
    ``looks[k].record`` (pose, masks) and ``public`` are what the ideal observer of the task may
    know; agents that work on pictures leave them alone.
    """

    task: str
    question: Question
    looks: Sequence[Look]
    context: Sequence[ContextView] = ()
    active: bool = False
    steps_left: int = 0
    must_answer: bool = True
    complaint: str = ""
    public: JsonDict = field(default_factory=dict)

    @property
    def history(self) -> tuple[FrameRecord, ...]:
        """The frame records in order."""
        return tuple(look.record for look in self.looks)


@dataclass(frozen=True)
class Reply:
    """What an agent replies: one action (``answer`` is one), the words it came from, its belief.

    ``action`` is ``None`` where the words hold no single valid action.
    """

    action: ActionRecord | None
    text: str = ""
    belief: str | None = None
    confidence: float | None = None

    @property
    def raw(self) -> str:
        """The words, or the text form of the action where there are none."""
        return self.text or (format_action(self.action) if self.action else "")


class Agent(Protocol):
    """Something that can be asked what to do."""

    def act(self, observation: Observation) -> Reply:
        """The next action, or the answer."""


class AgentFactory(Protocol):
    """Makes a fresh agent for one episode."""

    def __call__(self, *, seed: int, **options: str) -> Agent:
        """``seed`` is the only source of randomness; ``model`` what the name says after ``:``."""


def make_agent(name: str, *, seed: int) -> Agent:
    """A fresh agent of a registered kind; ``UnknownName`` lists near matches.

    What follows a colon goes to the factory as ``model``: ``openai:gpt-5,last=5``. ``ValueError``
    for a model where the kind has none.
    """
    kind, colon, model = name.partition(":")
    factory: AgentFactory = registry.get("agent", kind)
    if not colon:
        return factory(seed=seed)
    if "model" not in inspect.signature(factory).parameters:
        raise ValueError(f"agent: expected {kind} without a model, got {name!r}")
    return factory(seed=seed, model=model)


def check_agent(name: str) -> None:
    """``UnknownName`` for an agent of no registered kind; whatever stops a model from being asked.

    That is ``BackendUnavailable`` for a client that is not installed or a key that is not set,
    ``ValueError`` for a name without a model. Nothing is asked yet.
    """
    kind, colon, _ = name.partition(":")
    registry.get("agent", kind)
    if colon:
        make_agent(name, seed=0)


def _answer(answer: str, confidence: float) -> Reply:
    return Reply(answer_action(answer, confidence), belief=answer, confidence=confidence)


@register("agent", "random")
class RandomAgent:
    """Wanders for 3 to 12 steps, drawn at the start, then draws an option."""

    def __init__(self, *, seed: int) -> None:
        self._rng = rng("agent", "random", seed)
        self._steps = int(self._rng.integers(3, 13))

    def act(self, observation: Observation) -> Reply:
        if observation.must_answer or self._steps == 0:
            options = observation.question.options
            return _answer(options[int(self._rng.integers(len(options)))], 1.0 / len(options))
        self._steps -= 1
        return Reply(action(SIMPLE_ACTIONS[int(self._rng.integers(len(SIMPLE_ACTIONS)))]))


@register("agent", "question_only")
class QuestionOnlyAgent:
    """Looks at nothing: answers with the first option shown.

    Above chance, it says that the order of the options tells the answer.
    """

    def __init__(self, *, seed: int) -> None:
        del seed

    def act(self, observation: Observation) -> Reply:
        options = observation.question.options
        return _answer(options[0], 1.0 / len(options))


@register("agent", "first_view")
class FirstViewAgent:
    """Knows all that view 0 can tell, and nothing else.

    It draws among the answers that the ideal observer cannot exclude after the first view,
    whatever it is shown later, and never moves. So its accuracy is the most that any agent can
    expect from the first view alone, and a task that is not trivial keeps it near chance.
    """

    def __init__(self, *, seed: int) -> None:
        self._rng = rng("agent", "first_view", seed)

    def act(self, observation: Observation) -> Reply:
        possible = possible_answers(
            observation.task,
            observation.history[:1],
            observation.public,
            observation.question,
        )
        choice = possible[int(self._rng.integers(len(possible)))]
        return _answer(choice, 1.0 / len(possible))


@register("agent", "perfect")
class PerfectAgent:
    """Perceives perfectly and acts to learn: moves until one answer is left, then gives it.

    It sees the public history only, as any agent may. When it has to answer too early, or knows
    of nothing more to look at, it draws among the answers left.
    """

    def __init__(self, *, seed: int) -> None:
        self._rng = rng("agent", "perfect", seed)

    def act(self, observation: Observation) -> Reply:
        task, history, public = observation.task, observation.history, observation.public
        possible = possible_answers(task, history, public, observation.question)
        if len(possible) == 1:
            return _answer(possible[0], 1.0)
        if not observation.must_answer:
            step = next_action(task_of(task), history, public)
            if step is not None:
                return Reply(step, confidence=1.0 / len(possible))
        return _answer(possible[int(self._rng.integers(len(possible)))], 1.0 / len(possible))
