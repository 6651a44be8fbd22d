"""Playing episodes: what each paradigm shows, budgets, invalid replies, the scripted agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import box_world as bw
import numpy as np
import pytest

from esi_fast.errors import UnknownName
from esi_fast.eval.agents import Observation, RandomAgent, Reply, make_agent
from esi_fast.eval.evidence import evidence_of
from esi_fast.eval.paradigms import PARADIGMS, Stage, match_option
from esi_fast.records import ActionRecord, Question
from esi_fast.sim.actions import action, answer_action
from esi_fast.types import UInt8Array


class Script:
    """Replies with the given actions in turn and keeps what it was shown."""

    def __init__(self, *replies: ActionRecord | None) -> None:
        self.replies = list(replies)
        self.seen: list[Observation] = []

    def act(self, observation: Observation) -> Reply:
        self.seen.append(observation)
        step = self.replies.pop(0)
        return Reply(step, text="" if step else "hm")


@pytest.fixture
def stage() -> Stage:
    return Stage(bw.instance(0), bw.BoxWorld())


@pytest.mark.parametrize(
    ("paradigm", "views"),
    [("passive_single", 1), ("passive_multi", 30), ("active", 1), ("oracle", 6)],
)
def test_paradigms_show_their_views(stage: Stage, paradigm: str, views: int) -> None:
    agent = Script(answer_action("mug", 0.7))
    played = stage.play(agent, PARADIGMS[paradigm])
    (observation,) = agent.seen
    assert len(observation.looks) == views
    assert observation.must_answer == (paradigm != "active")
    assert observation.steps_left == (30 if paradigm == "active" else 0)
    assert (played.answer, played.confidence, played.stop_reason) == ("mug", 0.7, "answered")
    assert len(played.steps) == views
    assert played.steps[-1].action == answer_action("mug", 0.7)
    assert observation.looks[0].image.shape == (bw.SIZE, bw.SIZE, 3)


def test_evidence_is_recorded_view_by_view(stage: Stage) -> None:
    played = stage.play(Script(answer_action("mug")), PARADIGMS["oracle"])
    assert tuple(step.possible for step in played.steps) == stage.instance.oracle_possible
    assert [step.evidence for step in played.steps] == [0.0] * 4 + [1.0] * 2


def test_evidence_counts_the_answers_that_are_left() -> None:
    question = Question(text="?", options=("a", "b", "c", "d"))
    assert evidence_of("abcd", question) == 0.0
    assert evidence_of("ab", question) == pytest.approx(2 / 3)
    assert evidence_of("a", question) == 1.0


def test_answer_is_free_and_forced_after_the_budget(stage: Stage) -> None:
    turn = action("turn_left")
    free = stage.play(Script(turn, turn, answer_action("bowl")), PARADIGMS["active"], budget=3)
    assert (free.answer, free.stop_reason, len(free.steps)) == ("bowl", "answered", 3)
    agent = Script(turn, turn, turn, answer_action("bowl"))
    forced = stage.play(agent, PARADIGMS["active"], budget=3)
    assert (forced.answer, forced.stop_reason, len(forced.steps)) == ("bowl", "forced", 4)
    assert [seen.steps_left for seen in agent.seen] == [3, 2, 1, 0]
    assert [seen.must_answer for seen in agent.seen] == [False, False, False, True]
    # Refusing to answer twice is no answer.
    refused = stage.play(Script(*[turn] * 5), PARADIGMS["active"], budget=3)
    assert (refused.answer, refused.stop_reason) == (None, "no_answer")


def test_an_invalid_reply_is_asked_for_once_more_then_spends_the_step(stage: Stage) -> None:
    bad = ActionRecord(name="jump")
    agent = Script(None, action("turn_left"), bad, answer_action("teapot"), answer_action("mug"))
    played = stage.play(agent, PARADIGMS["active"])
    assert [seen.steps_left for seen in agent.seen] == [30, 30, 29, 29, 28]
    assert [seen.complaint for seen in agent.seen] == [
        "",
        "expected exactly one action",
        "",
        agent.seen[3].complaint,
        "",
    ]
    assert "got 'jump'" in agent.seen[3].complaint
    first, second, third = played.steps
    assert first.valid
    assert first.raw_reply == "hm\nturn_left"
    assert not second.valid
    assert second.action is None
    assert second.outcome is not None
    assert second.outcome.reason == "invalid_reply"
    # Nothing moved, and the next question shows the same views.
    assert third.camera == second.camera
    assert len(agent.seen[4].looks) == len(agent.seen[2].looks)


def test_an_agent_that_never_replies_ends(stage: Stage) -> None:
    played = stage.play(make_agent("stubborn", seed=0), PARADIGMS["active"], budget=30)
    assert played.stop_reason == "no_answer"
    # 30 spent steps and the answer that did not come.
    assert len(played.steps) == 31
    assert not any(step.valid for step in played.steps)
    assert len({step.camera for step in played.steps}) == 1


def test_a_blocked_move_spends_a_step_and_is_valid(stage: Stage) -> None:
    ahead = action("move_forward")
    played = stage.play(Script(*[ahead] * 5, answer_action("mug")), PARADIGMS["active"], budget=5)
    outcomes = [step.outcome.ok for step in played.steps if step.outcome is not None]
    assert outcomes == [True, True, True, False, False]
    assert all(step.valid for step in played.steps)


def test_episodes_do_not_touch_each_other() -> None:
    def fresh() -> Stage:
        return Stage(bw.instance(0), bw.BoxWorld())

    shared = fresh()
    shared.play(make_agent("random", seed=1), PARADIGMS["active"])
    for paradigm in PARADIGMS.values():
        alone = fresh().play(make_agent("random", seed=5), paradigm)
        assert shared.play(make_agent("random", seed=5), paradigm) == alone


def test_views_are_rendered_once_for_all_agents() -> None:
    pictures: list[UInt8Array] = []

    def keep(image: UInt8Array) -> str:
        pictures.append(image)
        return str(len(pictures))

    stage = Stage(bw.instance(0), bw.BoxWorld(), keep=keep)
    one = stage.play(make_agent("random", seed=1), PARADIGMS["passive_multi"])
    renders, kept = bw.BoxWorld.renders, len(pictures)
    two = stage.play(make_agent("first_view", seed=2), PARADIGMS["passive_multi"])
    assert (bw.BoxWorld.renders, len(pictures)) == (renders, kept)
    assert [step.image for step in one.steps] == [step.image for step in two.steps]


def test_the_observer_is_asked_once_per_history(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    plain = bw.BehindTheScreen.still_possible

    def counted(self: bw.BehindTheScreen, history: Any, public: Any) -> frozenset[str]:
        asked.append(len(history))
        return plain(self, history, public)

    monkeypatch.setattr(bw.BehindTheScreen, "still_possible", counted)
    stage = Stage(bw.instance(0), bw.BoxWorld())
    for name in ("random", "first_view", "random"):
        stage.play(make_agent(name, seed=1), PARADIGMS["oracle"])
    # First, last, then in halves: the fifth view decides. Nothing is asked twice.
    assert asked == [1, 6, 3, 4, 5]


def test_perfect_agent_finds_out_by_acting() -> None:
    for k in range(3):
        stage = Stage(bw.instance(k), bw.BoxWorld())
        for name in ("active", "oracle"):
            played = stage.play(make_agent("perfect", seed=k), PARADIGMS[name])
            assert played.answer == stage.instance.answer
            assert played.steps[-1].evidence == 1.0
            assert played.confidence == 1.0


def share_right(agent: str, paradigm: str, *, runs: int = 120) -> float:
    right = 0
    for k in range(3):
        stage = Stage(bw.instance(k), bw.BoxWorld())
        for seed in range(runs // 3):
            played = stage.play(make_agent(agent, seed=seed), PARADIGMS[paradigm])
            right += played.answer == stage.instance.answer
    return right / runs


@pytest.mark.parametrize(
    ("agent", "paradigm"),
    [("random", "passive_single"), ("first_view", "oracle"), ("perfect", "passive_single")],
)
def test_who_has_seen_nothing_is_near_chance(agent: str, paradigm: str) -> None:
    # Three options: 1/3, standard deviation 0.043 over 120 draws.
    assert share_right(agent, paradigm) == pytest.approx(1 / 3, abs=0.15)


def test_first_view_uses_the_first_view() -> None:
    # The same room seen from above the screen: view 0 shows the thing.
    seen = bw.instance(1).model_copy(update={"initial_camera": bw.camera((-1.0, 0.0, 1.4))})
    stage = Stage(seen, bw.BoxWorld())
    for seed in range(5):
        played = stage.play(make_agent("first_view", seed=seed), PARADIGMS["passive_single"])
        assert (played.answer, played.confidence) == ("bowl", 1.0)


def test_question_only_takes_the_first_option() -> None:
    for k in range(2):
        stage = Stage(bw.instance(k), bw.BoxWorld())
        played = stage.play(make_agent("question_only", seed=0), PARADIGMS["active"])
        assert played.answer == stage.instance.question.options[0]


def test_random_agent_is_a_function_of_its_seed(stage: Stage) -> None:
    def run(seed: int) -> object:
        return stage.play(RandomAgent(seed=seed), PARADIGMS["active"])

    assert run(1) == run(1)
    assert len({len(stage.play(RandomAgent(seed=s), PARADIGMS["active"]).steps)
                for s in range(12)}) > 3  # fmt: skip


@pytest.mark.parametrize(
    ("text", "option"),
    [("Left", "Left"), (" left ", "Left"), ("far  RIGHT", "far right"), ("up", None), ("", None)],
)
def test_options_are_matched_by_words(text: str, option: str | None) -> None:
    question = Question(text="Where?", options=("Left", "far right"))
    assert match_option(question, text) == option


def test_unknown_agents_are_named() -> None:
    with pytest.raises(UnknownName, match="did you mean: random"):
        make_agent("randon", seed=0)


def test_observers_that_exclude_the_truth_are_bugs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bw.BehindTheScreen, "still_possible", lambda *_: frozenset({"teapot"}))
    with pytest.raises(RuntimeError, match="excludes every answer after 1 frames"):
        Stage(bw.instance(0), bw.BoxWorld()).play(
            make_agent("random", seed=0), PARADIGMS["passive_single"]
        )


def test_context_views_come_with_the_question() -> None:
    asked = bw.instance(0).model_copy(
        update={
            "context_cameras": (bw.camera((1.0, 1.0, 2.0)), bw.camera()),
            "context_labels": ("kitchen", "hall"),
        }
    )
    agent = Script(answer_action("mug"))
    Stage(asked, bw.BoxWorld()).play(agent, PARADIGMS["passive_single"])
    assert [view.label for view in agent.seen[0].context] == ["kitchen", "hall"]
    np.testing.assert_array_equal(agent.seen[0].context[1].image, agent.seen[0].looks[0].image)


def test_public_part_reaches_the_agent_without_the_hidden(stage: Stage) -> None:
    agent = Script(answer_action("mug"))
    stage.play(agent, PARADIGMS["passive_single"])
    shell = {obj["id"] for obj in agent.seen[0].public["shell"]}
    assert "screen" in shell
    assert "target" not in shell


def test_keep_is_called_with_the_pictures() -> None:
    kept: dict[str, UInt8Array] = {}

    def keep(image: UInt8Array) -> str:
        name = f"picture {len(kept)}"
        kept[name] = image
        return name

    factory: Callable[[UInt8Array], str] = keep
    stage = Stage(bw.instance(0), bw.BoxWorld(), keep=factory)
    played = stage.play(Script(answer_action("mug")), PARADIGMS["oracle"])
    assert [step.image for step in played.steps] == list(kept)
