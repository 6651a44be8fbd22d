"""The four paradigms: how much an agent is shown, and whether it may act.

``passive_single`` shows view 0; ``passive_multi`` the 30 views along the instance's random walk;
``active`` lets the agent act, up to a budget of 30 actions, after which one answer is asked for
and the episode marked as forced; ``oracle`` shows the frames of the oracle trajectory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from esi_fast.eval.agents import Agent, ContextView, Look, Observation, Reply
from esi_fast.eval.evidence import evidence_of, possible_answers
from esi_fast.eval.parsing import option_index
from esi_fast.generators.base import public_view
from esi_fast.generators.observer.along import along
from esi_fast.records import ActionRecord, CameraSpec, Instance, Outcome, Question, StepRecord
from esi_fast.sim.actions import answer_action, check_action, read_answer
from esi_fast.sim.base import Simulator
from esi_fast.sim.episode import EpisodeCore, core_of
from esi_fast.types import UInt8Array

__all__ = ["BUDGET", "PARADIGMS", "Paradigm", "Played", "Stage", "match_option"]

BUDGET = 30
"""Actions of an active episode (the paper's T_max)."""
_ASKS = 2  # an invalid reply is asked for once more, then the step is spent


@dataclass(frozen=True)
class Paradigm:
    """``walk`` gives the actions whose views are shown before the agent is asked."""

    name: str
    active: bool
    walk: Callable[[Instance], tuple[ActionRecord, ...]]


PARADIGMS: dict[str, Paradigm] = {
    paradigm.name: paradigm
    for paradigm in (
        Paradigm("passive_single", False, lambda instance: ()),
        Paradigm("passive_multi", False, lambda instance: instance.passive_actions),
        Paradigm("active", True, lambda instance: ()),
        Paradigm("oracle", False, lambda instance: instance.oracle_actions),
    )
}


class Played(NamedTuple):
    """An episode as it went; becomes part of an ``EpisodeRecord``.

    Each step is a view and what was done there; the last one holds the answer.
    """

    steps: tuple[StepRecord, ...]
    answer: str | None
    confidence: float | None
    stop_reason: Literal["answered", "forced", "no_answer"]


def match_option(question: Question, text: str) -> str | None:
    """The option that ``text`` names, by its words or its letter; ``None`` if none or several."""
    place = option_index(question.options, text)
    return None if place is None else question.options[place]


class _Moment(NamedTuple):
    """What one history leads to: the view and the name of its picture."""

    look: Look
    image: str


class Stage:
    """One instance set up in a simulator, on which any number of episodes are played.

    The world is deterministic, so a sequence of actions leads to one history: its views, pictures
    and possible answers are made once and shared by all episodes that take the same way.
    ``keep`` stores a picture and returns its name in the records. The simulator belongs to the
    stage; its world is left as the last episode left it.
    """

    def __init__(
        self,
        instance: Instance,
        sim: Simulator,
        *,
        keep: Callable[[UInt8Array], str] = lambda image: "",
    ) -> None:
        self.instance = instance
        self._sim = sim
        self._keep = keep
        self._public = public_view(instance)
        self._names: dict[int, tuple[UInt8Array, str]] = {}
        self._moments: dict[tuple[ActionRecord, ...], _Moment] = {}
        sim.load(instance.scene)
        self._start = sim.save()
        cameras = instance.context_cameras
        labels = instance.context_labels or ("",) * len(cameras)
        self._context = tuple(
            ContextView(self._picture(camera), label)
            for camera, label in zip(cameras, labels, strict=True)
        )

    def play(self, agent: Agent, paradigm: Paradigm, *, budget: int = BUDGET) -> Played:
        """Play one episode from the start."""
        self._sim.restore(self._start)
        core = core_of(self._sim, self.instance)
        game = _Game(self, core, active=paradigm.active)
        for action in paradigm.walk(self.instance):
            game.act(action)
        spent = 0
        while True:
            steps_left = budget - spent if paradigm.active else 0
            reply, words = game.ask(agent, steps_left)
            if reply is None:
                # Asked twice in vain: the step is spent and nothing moves.
                game.waste(words)
            elif reply.action is not None and reply.action.name == "answer":
                answer, confidence = game.answer(reply, words)
                forced = paradigm.active and steps_left == 0
                reason: Literal["forced", "answered"] = "forced" if forced else "answered"
                return Played(game.steps(), answer, confidence, reason)
            elif reply.action is not None:
                game.act(reply.action, reply, words)
            if steps_left == 0:
                return Played(game.steps(), None, None, "no_answer")
            spent += 1

    def observation(
        self, moments: list[_Moment], active: bool, steps_left: int, complaint: str
    ) -> Observation:
        """What the agent is shown after these moments."""
        return Observation(
            task=self.instance.task,
            question=self.instance.question,
            looks=tuple(moment.look for moment in moments),
            context=self._context,
            active=active,
            steps_left=steps_left,
            must_answer=steps_left == 0,
            complaint=complaint,
            public=self._public,
        )

    def moment(self, path: tuple[ActionRecord, ...], core: EpisodeCore) -> _Moment:
        """Where the actions ``path`` have led ``core``."""
        known = self._moments.get(path)
        if known is None:
            view = core.observe()
            rgb = view.frame.rgb
            if rgb is None:
                raise RuntimeError(f"backend {self._sim.name!r} rendered no picture")
            look = Look(rgb, view.record, view.handles)
            known = self._moments[path] = _Moment(look, self._name(rgb))
        return known

    def proved(self, moments: list[_Moment]) -> list[tuple[str, ...]]:
        """The answers that are possible after each moment."""
        records = [moment.look.record for moment in moments]
        task, question = self.instance.task, self.instance.question

        def ask(views: int) -> tuple[str, ...]:
            return possible_answers(task, records[:views], self._public, question)

        return along(ask, len(records))

    def _name(self, rgb: UInt8Array) -> str:
        # By identity: a failed action shows the same array again. The array is kept with it.
        if id(rgb) not in self._names:
            self._names[id(rgb)] = (rgb, self._keep(rgb))
        return self._names[id(rgb)][1]

    def _picture(self, camera: CameraSpec) -> UInt8Array:
        rgb = self._sim.render([camera], ("rgb",), hide=self.instance.hide)[0].rgb
        if rgb is None:
            raise RuntimeError(f"backend {self._sim.name!r} rendered no picture")
        return rgb


class _Game:
    """One episode in progress."""

    def __init__(self, stage: Stage, core: EpisodeCore, *, active: bool) -> None:
        self._stage = stage
        self._core = core
        self._active = active
        self._path: tuple[ActionRecord, ...] = ()
        self._moments = [stage.moment((), core)]
        self._steps: list[StepRecord] = []
        # The moment at which each step was taken.
        self._at: list[int] = []

    def act(self, action: ActionRecord, reply: Reply | None = None, words: str = "") -> None:
        """Do an action and take in what it leads to."""
        outcome = self._core.apply(action)
        self._record(action, outcome, reply, words)
        self._path = (*self._path, action)
        self._moments.append(self._stage.moment(self._path, self._core))

    def steps(self) -> tuple[StepRecord, ...]:
        """The steps so far, each with what the views up to it prove."""
        proved = self._stage.proved(self._moments)
        question = self._stage.instance.question
        return tuple(
            step.model_copy(
                update={"possible": proved[k], "evidence": evidence_of(proved[k], question)}
            )
            for step, k in zip(self._steps, self._at, strict=True)
        )

    def answer(self, reply: Reply, words: str) -> tuple[str, float | None]:
        """Note the answer, as the option that it names, and the confidence."""
        assert reply.action is not None
        text, confidence = read_answer(reply.action)
        answer = match_option(self._stage.instance.question, text)
        assert answer is not None
        self._record(answer_action(answer, confidence), None, reply, words)
        return answer, confidence

    def waste(self, words: str) -> None:
        """Note a step without a valid reply."""
        self._record(None, Outcome(ok=False, reason="invalid_reply"), None, words)

    def ask(self, agent: Agent, steps_left: int) -> tuple[Reply | None, str]:
        """A valid reply (or ``None`` after asking twice) and the words of all replies."""
        complaint = ""
        words: list[str] = []
        for _ in range(_ASKS):
            reply = agent.act(
                self._stage.observation(self._moments, self._active, steps_left, complaint)
            )
            words.append(reply.raw)
            complaint = self._complaint(reply, must_answer=steps_left == 0)
            if not complaint:
                return reply, "\n".join(words)
        return None, "\n".join(words)

    def _complaint(self, reply: Reply, *, must_answer: bool) -> str:
        """What is wrong with a reply; empty if nothing."""
        if reply.action is None:
            return "expected exactly one action"
        try:
            spec = check_action(reply.action)
        except ValueError as error:
            return str(error)
        if spec.kind != "answer":
            return "expected an answer now" if must_answer else ""
        question = self._stage.instance.question
        if match_option(question, read_answer(reply.action)[0]) is None:
            return f"expected an answer of {', '.join(question.options)}"
        return ""

    def _record(
        self,
        action: ActionRecord | None,
        outcome: Outcome | None,
        reply: Reply | None,
        words: str,
    ) -> None:
        now = self._moments[-1]
        self._at.append(len(self._moments) - 1)
        self._steps.append(
            StepRecord(
                image=now.image,
                camera=now.look.record.camera,
                raw_reply=words,
                action=action,
                valid=action is not None,
                outcome=outcome,
                belief=reply.belief if reply else None,
                confidence=reply.confidence if reply else None,
            )
        )
