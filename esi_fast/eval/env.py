"""An instance as a Gymnasium environment.

    env = EsiEnv(instance, simulator)
    observation, info = env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step(env.index_of("turn_left"))

*Actions* are one discrete number: first the moves and turns in the order of
``sim.actions.SIMPLE_ACTIONS``, then one answer per option in the order of the question. Actions
with handles (``pick_up(object_3)``) go through ``act``, which takes any action of the vocabulary.

*Observations* are a dictionary: ``image`` (H, W, 3) uint8, ``pose`` (7,) position in metres and
quaternion xyzw, ``question`` text, ``options`` texts, ``steps_left`` actions before an answer is
due. ``info`` holds the same as records: ``record`` (a ``FrameRecord``), ``handles``, and, after
a step, ``action`` and ``outcome``; at the end also ``answer`` and ``correct``.

*Reward* is 1 for the right answer, else 0. An answer terminates the episode. When the budget is
spent only an answer is taken; anything else then truncates the episode without one.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from esi_fast.eval.paradigms import BUDGET, match_option
from esi_fast.records import ActionRecord, Instance
from esi_fast.sim.actions import SIMPLE_ACTIONS, action, answer_action, check_action, read_answer
from esi_fast.sim.base import Simulator
from esi_fast.sim.episode import EpisodeCore, View, core_of
from esi_fast.types import JsonDict, UInt8Array

__all__ = ["EsiEnv"]

# No house is larger; the bound only has to be finite.
_EXTENT = 1e4


class EsiEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """One instance, played in ``simulator``, which the environment has to itself.

    The scene is loaded at the first ``reset`` and restored at later ones. Nothing is random: the
    seed of ``reset`` only seeds ``np_random`` and the action space, as Gymnasium asks.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        instance: Instance,
        simulator: Simulator,
        *,
        budget: int = BUDGET,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode: expected None or 'rgb_array', got {render_mode!r}")
        if budget < 0:
            raise ValueError(f"budget: expected at least 0, got {budget}")
        self.instance = instance
        self.budget = budget
        self.render_mode = render_mode
        self._sim = simulator
        self._saved: object = None
        self._core: EpisodeCore | None = None
        self._view: View | None = None
        self._spent = 0
        question, camera = instance.question, instance.initial_camera
        self._actions = (
            *(action(name) for name in SIMPLE_ACTIONS),
            *(answer_action(option) for option in question.options),
        )
        self.action_space = spaces.Discrete(len(self._actions))
        self.observation_space = spaces.Dict(
            {
                "image": spaces.Box(0, 255, (camera.height, camera.width, 3), np.uint8),
                "pose": spaces.Box(-_EXTENT, _EXTENT, (7,), np.float64),
                "question": _exactly(question.text),
                "options": spaces.Tuple([_exactly(option) for option in question.options]),
                "steps_left": spaces.Discrete(budget + 1),
            }
        )

    @property
    def actions(self) -> tuple[ActionRecord, ...]:
        """The action of each number of the action space."""
        return self._actions

    def index_of(self, name: str, *args: str) -> int:
        """The number of a move, a turn or an answer: ``index_of("answer", "yes")``."""
        return self._actions.index(ActionRecord(name=name, args=args))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Back to the initial view. ``options`` must be empty."""
        super().reset(seed=seed)
        if options:
            raise ValueError(f"options: expected none, got {sorted(options)}")
        if self._saved is None:
            self._sim.load(self.instance.scene)
            self._saved = self._sim.save()
        else:
            self._sim.restore(self._saved)
        self._core = core_of(self._sim, self.instance)
        self._spent = 0
        return self._observe(), self._info({})

    def step(
        self, action: np.int64 | int
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take the action of that number."""
        if not self.action_space.contains(action):
            raise ValueError(f"action: expected 0 to {len(self._actions) - 1}, got {action!r}")
        return self.act(self._actions[int(action)])

    def act(self, action: ActionRecord) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Like ``step``, for any action of the vocabulary.

        Raises ``ValueError`` for an action that is not one, or an answer that is no option.
        """
        if self._core is None:
            raise gymnasium.error.ResetNeeded("reset the environment before the first step")
        spec = check_action(action)
        if spec.kind == "answer":
            text, _ = read_answer(action)
            answer = match_option(self.instance.question, text)
            if answer is None:
                raise ValueError(
                    f"answer: expected one of {self.instance.question.options}, got {text!r}"
                )
            correct = answer == self.instance.answer
            observation = self._observe()
            info = self._info({"action": action, "answer": answer, "correct": correct})
            self._core = None
            return observation, float(correct), True, False, info
        if self._spent == self.budget:
            observation = self._observe()
            info = self._info({"action": action, "answer": None, "correct": False})
            self._core = None
            return observation, 0.0, False, True, info
        self._spent += 1
        outcome = self._core.apply(action)
        observation = self._observe()
        return observation, 0.0, False, False, self._info({"action": action, "outcome": outcome})

    def render(self) -> UInt8Array | None:
        """The current picture, for ``render_mode="rgb_array"``."""
        if self.render_mode is None or self._view is None:
            return None
        return self._view.frame.rgb

    def close(self) -> None:
        """Close the simulator."""
        self._core = None
        self._sim.close()

    def _observe(self) -> dict[str, Any]:
        assert self._core is not None
        self._view = self._core.observe()
        camera = self._view.record.camera
        return {
            "image": self._view.frame.rgb,
            "pose": np.array([*camera.position, *camera.orientation]),
            "question": self.instance.question.text,
            "options": self.instance.question.options,
            "steps_left": np.int64(self.budget - self._spent),
        }

    def _info(self, extra: JsonDict) -> dict[str, Any]:
        assert self._view is not None
        return {"record": self._view.record, "handles": dict(self._view.handles), **extra}


def _exactly(text: str) -> spaces.Text:
    """A space of texts of up to this length over ASCII and whatever else ``text`` holds."""
    charset = frozenset(map(chr, range(32, 127))) | frozenset(text)
    return spaces.Text(max(1, len(text)), min_length=0, charset=charset)
