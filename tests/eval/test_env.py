"""The Gymnasium face of an instance."""

from __future__ import annotations

import warnings

import box_world as bw
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from esi_fast.eval.env import EsiEnv
from esi_fast.records import ActionRecord, FrameRecord
from esi_fast.sim.actions import SIMPLE_ACTIONS, action, answer_action


@pytest.fixture
def env() -> EsiEnv:
    return EsiEnv(bw.instance(1), bw.BoxWorld(), render_mode="rgb_array")


def test_gymnasium_checker_has_no_complaint() -> None:
    gymnasium.register(
        "esi-fast/test-v0",
        entry_point=lambda render_mode=None: EsiEnv(
            bw.instance(1), bw.BoxWorld(), render_mode=render_mode
        ),
    )
    try:
        made = gymnasium.make("esi-fast/test-v0", render_mode="rgb_array", disable_env_checker=True)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(made.unwrapped)
        made.close()
    finally:
        gymnasium.registry.pop("esi-fast/test-v0")


def test_actions_are_moves_then_answers(env: EsiEnv) -> None:
    assert env.action_space.n == 10 + 3
    assert [record.name for record in env.actions[:10]] == list(SIMPLE_ACTIONS)
    assert env.actions[10:] == tuple(answer_action(o) for o in env.instance.question.options)
    assert env.index_of("turn_left") == SIMPLE_ACTIONS.index("turn_left")
    assert env.actions[env.index_of("answer", "vase")] == answer_action("vase")


def test_reset_and_step_show_the_world(env: EsiEnv) -> None:
    observation, info = env.reset(seed=3)
    assert observation["image"].shape == (bw.SIZE, bw.SIZE, 3)
    assert observation["question"] == "What is behind the screen?"
    assert observation["options"] == env.instance.question.options
    assert observation["steps_left"] == 30
    assert tuple(observation["pose"][:3]) == env.instance.initial_camera.position
    assert isinstance(info["record"], FrameRecord)
    assert "bowl" not in info["record"].masks
    for _ in range(4):
        observation, reward, terminated, truncated, info = env.step(env.index_of("move_up"))
        assert (reward, terminated, truncated) == (0.0, False, False)
        assert info["outcome"].ok
    assert observation["pose"][2] == pytest.approx(1.4)
    assert observation["steps_left"] == 26
    assert "bowl" in info["record"].masks
    assert len(info["handles"]) == 1
    np.testing.assert_array_equal(env.render(), observation["image"])


@pytest.mark.parametrize(("answer", "reward"), [("bowl", 1.0), ("mug", 0.0)])
def test_an_answer_ends_the_episode(env: EsiEnv, answer: str, reward: float) -> None:
    env.reset()
    _, got, terminated, truncated, info = env.step(env.index_of("answer", answer))
    assert (got, terminated, truncated) == (reward, True, False)
    assert (info["answer"], info["correct"]) == (answer, bool(reward))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_only_an_answer_is_taken_after_the_budget() -> None:
    env = EsiEnv(bw.instance(1), bw.BoxWorld(), budget=2)
    for last, reward, ended, cut in (("bowl", 1.0, True, False), ("", 0.0, False, True)):
        env.reset()
        for k in range(2):
            observation, *_ = env.step(env.index_of("turn_left"))
            assert observation["steps_left"] == 1 - k
        step = env.index_of("answer", last) if last else env.index_of("turn_left")
        _, got, terminated, truncated, info = env.step(step)
        assert (got, terminated, truncated) == (reward, ended, cut)
        assert info["answer"] == (last or None)


def test_episodes_repeat_exactly(env: EsiEnv) -> None:
    walk = [env.index_of(name) for name in ("turn_left", "move_forward", "move_up", "turn_down")]
    runs = []
    for _ in range(2):
        frames = [env.reset(seed=1)[0]["image"]]
        frames += [env.step(index)[0]["image"] for index in walk]
        runs.append(np.stack(frames))
    np.testing.assert_array_equal(*runs)


def test_any_action_of_the_vocabulary_can_be_taken(env: EsiEnv) -> None:
    env.reset()
    _, _, _, _, info = env.act(action("pick_up", "object_0"))
    assert info["outcome"].reason == "unknown_object"
    with pytest.raises(ValueError, match="got 'fly'"):
        env.act(ActionRecord(name="fly"))
    with pytest.raises(ValueError, match="answer: expected one of"):
        env.act(answer_action("teapot"))


def test_wrong_calls_are_named(env: EsiEnv) -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset()
    with pytest.raises(ValueError, match="action: expected 0 to 12, got 13"):
        env.step(13)
    with pytest.raises(ValueError, match="options: expected none"):
        env.reset(options={"level": 3})
    with pytest.raises(ValueError, match="render_mode"):
        EsiEnv(bw.instance(1), bw.BoxWorld(), render_mode="human")
    with pytest.raises(ValueError, match="budget"):
        EsiEnv(bw.instance(1), bw.BoxWorld(), budget=-1)
