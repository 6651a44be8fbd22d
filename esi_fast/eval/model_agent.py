"""A vision-language model as an agent: the prompt, the history that it is shown, its reply.

The paper's prompt is not published; the texts in ``prompts/`` are ours, written from its
description (appendix N): the question, the views so far with actions and outcomes, the full
vocabulary, exactly one action, a brief reason, no answer before the evidence suffices. Their hash
is part of every episode.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from string import Template

from esi_fast.dataset.store import encode_png
from esi_fast.eval.agents import Look, Observation, Reply
from esi_fast.eval.chat import Completion, Message, Part, Picture, Service, with_retries
from esi_fast.eval.parsing import parse_reply
from esi_fast.seeding import rng
from esi_fast.sim.actions import ACTIONS, format_action, read_answer

__all__ = ["ModelAgent", "prompt_hash", "prompt_text", "split_name"]


@cache
def prompt_text(active: bool) -> str:
    """The instructions: for an agent that acts, or for one that is only shown views."""
    folder = files("esi_fast.eval").joinpath("prompts")
    text = folder.joinpath("system.txt" if active else "passive.txt").read_text(encoding="utf-8")
    vocabulary = "\n".join(spec.signature for spec in ACTIONS.values())
    return Template(text).substitute(vocabulary=vocabulary).strip()


@cache
def prompt_hash() -> str:
    """SHA-256 (first 16 digits) of all instructions: another prompt is another experiment."""
    both = prompt_text(True) + "\0" + prompt_text(False)
    return hashlib.sha256(both.encode()).hexdigest()[:16]


def split_name(text: str) -> tuple[str, dict[str, str]]:
    """``"gpt-5,last=5"`` as the model and its options; ``ValueError`` for what is neither."""
    model, *rest = text.split(",")
    options = dict(item.partition("=")[::2] for item in rest)
    if not model or not all(options.values()):
        raise ValueError(f"agent: expected model[,option=value...], got {text!r}")
    return model, options


class ModelAgent:
    """Asks a service for each action.

    ``last`` limits the pictures shown to the last so many (0: all of them); of the views before,
    the model is told the actions and what came of them.
    """

    def __init__(
        self,
        service: Service,
        *,
        seed: int,
        last: int = 0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if last < 0:
            raise ValueError(f"last: expected at least 0, got {last}")
        self.service = service
        self._last = last
        self._rng = rng("agent", "model", seed)
        self._sleep = sleep
        self._pictures: dict[int, tuple[object, Picture]] = {}

    @property
    def identity(self) -> dict[str, str]:
        """What the records say of it: the model that replied and the hash of the prompt."""
        return {"model": self.service.usage.model, "prompt_hash": prompt_hash()}

    @property
    def policies(self) -> dict[str, str]:
        """What of the history is shown."""
        return {"history": f"last_{self._last}_views" if self._last else "all_views"}

    @property
    def costs(self) -> dict[str, object]:
        """For the sidecar of a run."""
        usage = self.service.usage
        return {
            "calls": usage.calls,
            "retries": usage.retries,
            "tokens_in": usage.tokens_in,
            "tokens_out": usage.tokens_out,
            "waited_s": round(usage.waited_s, 3),
            "dropped_settings": list(usage.dropped),
        }

    def act(self, observation: Observation) -> Reply:
        """One request, and its reply read strictly."""
        reply = self._complete(self.messages(observation))
        handles = {name: "" for look in observation.looks for name in look.handles}
        parsed = parse_reply(reply.text, handles)
        belief = confidence = None
        if parsed.action is not None and parsed.action.name == "answer":
            belief, confidence = read_answer(parsed.action)
        return Reply(parsed.action, reply.text, belief, confidence)

    def messages(self, observation: Observation) -> list[Message]:
        """The conversation for this step, newly made from what the agent was shown."""
        return [
            Message("system", (prompt_text(observation.active),)),
            Message("user", tuple(self._shown(observation))),
        ]

    def _shown(self, observation: Observation) -> list[Part]:
        question = observation.question
        parts: list[Part] = [f"Question: {question.text}"]
        if question.answer_type == "choice":
            parts.append("Options: " + "; ".join(question.options))
        for k, view in enumerate(observation.context):
            shows = f" ({view.label})" if view.label else ""
            parts += [f"Context view {k + 1}{shows}:", self._picture(view.image)]
        first = len(observation.looks) - self._last if self._last else 0
        for k, look in enumerate(observation.looks):
            parts.append(_described(k, look, observation.active))
            if k >= first:
                parts.append(self._picture(look.image))
        if observation.complaint:
            parts.append(
                f"Your reply was not valid: {observation.complaint}. "
                "Reply with exactly one valid action."
            )
        elif observation.must_answer:
            parts.append("Answer now, with answer(y, c).")
        else:
            parts.append(f"{observation.steps_left} actions are left. Which one is next?")
        return parts

    def _picture(self, image: object) -> Picture:
        # By identity: the same view is sent again with every step. The array is kept with it.
        if id(image) not in self._pictures:
            self._pictures[id(image)] = (image, Picture(encode_png(image)))  # type: ignore[arg-type]
        return self._pictures[id(image)][1]

    def _complete(self, messages: Sequence[Message]) -> Completion:
        usage = self.service.usage
        reply = with_retries(
            lambda: self.service.complete(messages), usage=usage, rng=self._rng, sleep=self._sleep
        )
        usage.add(reply)
        return reply


def _described(k: int, look: Look, active: bool) -> str:
    """Which view it is; for who acts also what led to it, and what in it can be handled.

    Views that an agent did not choose are told apart by number alone: the paper's are unordered.
    """
    text = f"View {k}"
    if not active:
        return text + ":"
    if look.record.action is not None:
        text += f", after {format_action(look.record.action)}"
        outcome = look.record.outcome
        if outcome is not None and outcome.reason:
            text += f" ({'' if outcome.ok else 'failed: '}{outcome.reason})"
    elif k == 0:
        text += " (the start)"
    if look.handles:
        places = (
            f"{name} at columns {box.column0}-{box.column1}, rows {box.row0}-{box.row1}"
            for name, box in sorted(look.handles.items())
        )
        text += "; objects: " + ", ".join(places)
    return text + ":"
