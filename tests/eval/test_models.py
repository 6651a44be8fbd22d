"""Model services against a local server that speaks their protocols and misbehaves."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import box_world as bw
import numpy as np
import pytest
from model_server import ModelServer, model_server

from esi_fast import registry
from esi_fast.errors import BackendUnavailable, UnknownName
from esi_fast.eval import chat, models
from esi_fast.eval.agents import check_agent, make_agent
from esi_fast.eval.chat import Completion, Message, ModelFailure, Picture, Service, Usage
from esi_fast.eval.model_agent import ModelAgent, prompt_hash, prompt_text, split_name
from esi_fast.eval.paradigms import PARADIGMS, Played, Stage
from esi_fast.eval.runner import RunSettings
from esi_fast.sim.actions import ACTIONS

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "data" / "agents_api.json").read_text())
}
PNG = bytes.fromhex("89504e470d0a1a0a")
HELLO = [Message("system", ("Be brief.",)), Message("user", ("Which?", Picture(PNG)))]
KEY = "sk-abcdefghijklmnop123456"


def case(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    found = CASES[f"agents_api-{name}"]
    return found["input"], found["expected"]


def openai_at(server: ModelServer, timeout_s: float = 5.0) -> Service:
    pytest.importorskip("openai")
    return models.OpenAIService("test-model", timeout_s=timeout_s)


def gemini_at(server: ModelServer, timeout_s: float = 5.0) -> Service:
    pytest.importorskip("google.genai")
    return models.GeminiService("test-model", timeout_s=timeout_s, base_url=server.url)


def anthropic_at(server: ModelServer, timeout_s: float = 5.0) -> Service:
    pytest.importorskip("anthropic")
    return models.AnthropicService("test-model", timeout_s=timeout_s)


Connect = Callable[..., Service]


@pytest.fixture(params=[openai_at, gemini_at, anthropic_at], ids=["openai", "gemini", "anthropic"])
def connect(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Connect:
    """Connects a client to a server by its own environment variables."""

    def connected(server: ModelServer, **options: Any) -> Service:
        for variable in ("OPENAI_API_KEY", "GEMINI_API_KEY", "ANTHROPIC_API_KEY"):
            monkeypatch.setenv(variable, KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/v1")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        return request.param(server, **options)

    return connected


def patient(service: Service, usage: Usage | None = None) -> Completion:
    return chat.with_retries(
        lambda: service.complete(HELLO),
        usage=usage or Usage(),
        rng=np.random.default_rng(0),
        sleep=lambda seconds: None,
    )


def test_a_reply_with_its_cost(connect: Connect) -> None:
    with model_server("Action: turn_left") as server:
        reply = connect(server).complete(HELLO)
    assert reply.text == "Action: turn_left"
    assert (reply.model, reply.tokens_in, reply.tokens_out) == ("test-model-1", 7, 3)
    sent = json.dumps(server.requests[0])
    assert "Be brief." in sent
    assert "Which?" in sent
    assert Picture(PNG).base64 in sent
    assert "image/png" in sent


@pytest.mark.parametrize("fault", ["429", "500", "503", "truncated", "not json", "cut"])
def test_what_passes_is_tried_again(connect: Connect, fault: str) -> None:
    usage = Usage()
    with model_server(fault, fault, "turn_left") as server:
        assert patient(connect(server), usage).text == "turn_left"
        assert len(server.requests) == 3
    assert usage.retries == 2


@pytest.mark.parametrize("fault", ["401", "404"])
def test_what_does_not_pass_is_not(connect: Connect, fault: str) -> None:
    with model_server(fault) as server, pytest.raises(ModelFailure) as caught:
        patient(connect(server))
    assert caught.value.status == int(fault)
    assert len(server.requests) == 1
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("fault", ["endless", "slow"])
def test_endless_and_slow_replies_end(connect: Connect, fault: str) -> None:
    with model_server(fault) as server, pytest.raises(ModelFailure) as caught:
        connect(server, timeout_s=0.3).complete(HELLO)
    assert caught.value.temporary


def test_a_filtered_reply_is_a_reply(connect: Connect) -> None:
    with model_server("filtered") as server:
        reply = patient(connect(server))
    assert reply.text == ""
    assert reply.finish in ("content_filter", "SAFETY", "refusal")


def test_agents_api_02_refused_settings_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    _, expected = case("02")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with model_server("400 max_tokens", "400 temperature", "move_forward") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/v1")
        service = openai_at(server)
        assert service.complete(HELLO).text == expected["result"]
        first, second, third = server.requests
        assert len(server.requests) == expected["requests"]
    assert not set(expected["second_request_lacks"]) & set(second)
    assert not set(expected["third_request_lacks"]) & set(third)
    assert service.usage.dropped == expected["dropped_params_logged"]
    assert first != second
    assert second != third


def test_agents_api_08_what_is_tried_again() -> None:
    given, expected = case("08")
    got = [chat.is_temporary(e.get("status", 0), e.get("code", "")) for e in given["errors"]]
    assert got == expected["retry"]


def test_agents_api_16_types_by_content() -> None:
    given, expected = case("16")
    heads = [bytes.fromhex(item["first_bytes_hex"]) for item in given["files"]]
    assert [chat.media_type(head) for head in heads] == expected["media_type"]
    with pytest.raises(ValueError, match="expected an encoded picture"):
        Picture(b"")


def test_agents_api_19_waits_are_bounded_but_honour_the_server() -> None:
    given, expected = case("19")
    waits = np.array(
        [chat.delays(given["attempts"], np.random.default_rng(seed)) for seed in range(2000)]
    )
    assert (waits >= expected["min_delay_s"]).all()
    assert (waits <= expected["max_delay_s"]).all()
    # Full jitter: uniform up to the bound.
    np.testing.assert_allclose(waits.mean(axis=0), np.array(expected["max_delay_s"]) / 2, rtol=0.05)
    slept: list[float] = []
    failures = iter([ModelFailure("busy", status=429, wait_s=90.0)])

    def call() -> Completion:
        for failure in failures:
            raise failure
        return Completion("done")

    done = chat.with_retries(call, usage=Usage(), rng=np.random.default_rng(0), sleep=slept.append)
    assert done.text == "done"
    assert slept == [90.0]


def test_attempts_are_limited() -> None:
    calls: list[int] = []

    def call() -> Completion:
        calls.append(1)
        raise ModelFailure("down", status=503)

    with pytest.raises(ModelFailure, match="down"):
        chat.with_retries(
            call,
            usage=Usage(),
            rng=np.random.default_rng(0),
            attempts=4,
            sleep=lambda seconds: None,
        )
    assert len(calls) == 4


# --- as agents -------------------------------------------------------------------------------


class Scripted:
    """A service that says what it is told; the last word for ever."""

    def __init__(self, *words: str) -> None:
        self.usage = Usage()
        self.words = list(words)
        self.seen: list[list[Message]] = []

    def complete(self, messages: Any) -> Completion:
        self.seen.append(list(messages))
        word = self.words.pop(0) if len(self.words) > 1 else self.words[0]
        return Completion(word, model="scripted-1", tokens_in=10, tokens_out=2)


def play(service: Service, paradigm: str = "active", **options: Any) -> Played:
    stage = Stage(bw.instance(0), bw.BoxWorld())
    return stage.play(ModelAgent(service, seed=0, **options), PARADIGMS[paradigm])


def pictures(messages: list[Message]) -> list[Picture]:
    return [part for m in messages for part in m.parts if isinstance(part, Picture)]


def test_agents_api_05_filtered_replies_end_the_episode() -> None:
    _, expected = case("05")
    service = Scripted("")
    played = play(service)
    # The forced answer after the last step is asked for like any step.
    steps = [step for step in played.steps if not step.valid]
    assert len(steps) == expected["steps"] + 1
    assert service.usage.calls <= expected["calls_max"] + 2
    assert played.answer is expected["final_answer"]
    assert played.stop_reason == "no_answer"


def test_agents_api_09_done_is_no_action() -> None:
    _, expected = case("09")
    service = Scripted("done")
    played = play(service)
    assert len(played.steps) == expected["steps"] + 1
    assert all(not step.valid for step in played.steps)
    assert service.usage.calls == expected["model_calls"] + 2
    assert len({step.camera for step in played.steps}) == 1
    assert played.answer is None


def test_agents_api_10_one_reminder_with_the_same_views() -> None:
    given, expected = case("10")
    option = bw.instance(0).question.options[0]
    replies = [word.replace("Yes", option) for word in given["replies"]]
    service = Scripted(*replies)
    played = play(service)
    done = [step.action.name if step.action else None for step in played.steps]
    assert done == expected["executed"]
    assert sum(not step.valid for step in played.steps) == expected["invalid_steps"]
    assert service.usage.calls == expected["model_calls"]
    assert pictures(service.seen[1]) == pictures(service.seen[0])
    assert "not valid" in service.seen[1][1].text
    assert "not valid" not in service.seen[2][1].text


def test_agents_api_22_only_answer_commits() -> None:
    _, expected = case("22")
    stage = Stage(bw.instance(0), bw.BoxWorld())
    agent = ModelAgent(Scripted("turn_left", "move_forward", "I am not sure."), seed=0)
    played = stage.play(agent, PARADIGMS["active"], budget=2)
    assert played.answer is expected["answer"]


def test_the_model_is_told_everything_it_needs() -> None:
    option = bw.instance(0).question.options[0]
    service = Scripted("turn_left", "move_forward", f"answer({option}, 0.75)")
    played = play(service)
    assert played.answer == option
    assert played.confidence == 0.75
    system, user = service.seen[-1]
    for spec in ACTIONS.values():
        assert spec.signature in system.text
    assert bw.instance(0).question.text in user.text
    assert "after turn_left" in user.text
    assert "after move_forward" in user.text
    assert "28 actions are left" in user.text
    assert [len(pictures(seen)) for seen in service.seen] == [1, 2, 3]


def test_a_short_memory_for_pictures() -> None:
    option = bw.instance(0).question.options[0]
    service = Scripted("turn_left", "turn_left", "turn_left", f"answer({option}, 1)")
    play(service, last=2)
    assert [len(pictures(seen)) for seen in service.seen] == [1, 2, 2, 2]
    assert service.seen[-1][1].text.count("after turn_left") == 3


@pytest.mark.parametrize("paradigm", [p.name for p in PARADIGMS.values() if not p.active])
def test_passive_paradigms_ask_for_an_answer_only(paradigm: str) -> None:
    option = bw.instance(0).question.options[1]
    service = Scripted(f"Action: answer({option}, 0.5)")
    played = play(service, paradigm)
    assert played.answer == option
    system, user = service.seen[0]
    assert system.text == prompt_text(False)
    assert "Answer now" in user.text
    # What was not chosen is shown without what led to it.
    assert "after" not in user.text
    assert len(pictures(service.seen[0])) == len(played.steps)


def test_a_forced_answer_is_asked_of_who_acted() -> None:
    stage = Stage(bw.instance(0), bw.BoxWorld())
    service = Scripted("turn_left", "nothing")
    stage.play(ModelAgent(service, seed=0), PARADIGMS["active"], budget=1)
    system, user = service.seen[-1]
    assert system.text == prompt_text(True)
    assert "after turn_left" in user.text


def test_records_name_model_and_prompt() -> None:
    service = Scripted("answer(x, 1)")
    agent = ModelAgent(service, seed=0)
    stage = Stage(bw.instance(0), bw.BoxWorld())
    stage.play(agent, PARADIGMS["passive_single"])
    assert agent.identity == {"model": "scripted-1", "prompt_hash": prompt_hash()}
    assert agent.policies == {"history": "all_views"}
    assert ModelAgent(service, seed=0, last=3).policies == {"history": "last_3_views"}
    assert agent.costs["calls"] == 2
    assert agent.costs["tokens_in"] == 20
    assert len(prompt_hash()) == 16
    assert prompt_text(True) != prompt_text(False)


@pytest.mark.parametrize("kind", ["openai", "gemini", "anthropic"])
def test_model_agents_are_registered(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = "google.genai" if kind == "gemini" else kind
    pytest.importorskip(module)
    assert kind in registry.names("agent")
    monkeypatch.setenv(f"{kind.upper()}_API_KEY", KEY)
    check_agent(f"{kind}:some/model-1,last=5")
    assert isinstance(make_agent(f"{kind}:some/model-1,last=5", seed=0), ModelAgent)
    with pytest.raises(ValueError, match=f"expected {kind}:MODEL"):
        make_agent(kind, seed=0)
    with pytest.raises(ValueError, match="expected the option last"):
        make_agent(f"{kind}:m,temperature=1", seed=0)
    with pytest.raises(ValueError, match="whole number"):
        make_agent(f"{kind}:m,last=x", seed=0)


def test_a_missing_key_is_said_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai")
    for variable in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(BackendUnavailable, match="OPENAI_API_KEY"):
        RunSettings(agents=("openai:gpt",))
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(BackendUnavailable, match=r"pip install 'esi-fast\[anthropic\]'"):
        RunSettings(agents=("anthropic:claude",))


def test_names_of_models() -> None:
    assert split_name("org/model:free,last=3") == ("org/model:free", {"last": "3"})
    with pytest.raises(ValueError, match="option=value"):
        split_name(",last=3")
    with pytest.raises(UnknownName):
        check_agent("nobody:model")
    with pytest.raises(ValueError, match="expected random without a model, got 'random:model'"):
        check_agent("random:model")


def test_keys_are_not_repeated() -> None:
    text = str(ModelFailure(f"wrong key {KEY} and Bearer abcdefghijklmnopqrst"))
    assert KEY not in text
    assert "abcdefghijklmnopqrst" not in text
