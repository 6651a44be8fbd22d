"""Model services: OpenAI's protocol (OpenAI, vLLM, Ollama, OpenRouter ...), Gemini, Anthropic.

    esi-fast run instances --out runs --agent openai:gpt-5 --agent gemini:gemini-3-pro,last=5

Each client is an extra of its own (``pip install 'esi-fast[openai]'``) and reads its address and
key from its own environment variables, such as ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY``; keys are
never asked for, stored or printed here. The clients' own retries are off: ``chat.with_retries`` is
the one place where requests are repeated. A reply has a time limit as a whole, so that a service
that drips without end stops an episode's request, not the run.
"""

from __future__ import annotations

import importlib
import json
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

from esi_fast.errors import BackendUnavailable
from esi_fast.eval.chat import Completion, Message, ModelFailure, Picture, Usage
from esi_fast.eval.model_agent import ModelAgent, split_name
from esi_fast.registry import register

__all__ = ["AnthropicService", "GeminiService", "OpenAIService"]

TIMEOUT_S: Final = 120.0
"""For one reply from its request to its last byte."""
MAX_TOKENS: Final = 1024
_LARGEST_REPLY: Final = 8 * 2**20


def _client(module: str, extra: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise BackendUnavailable(
            f"{module} is not installed; try: pip install 'esi-fast[{extra}]'"
        ) from error


def _limited(timeout_s: float) -> Any:
    """A hook for HTTP clients of httpx's kind: an endless body ends in an error."""

    def hook(response: Any) -> None:
        stream = response.stream
        kind = next(c for c in type(stream).__mro__ if c.__name__ == "SyncByteStream")
        deadline = time.monotonic() + timeout_s

        def pieces(self: Any) -> Iterator[bytes]:
            size = 0
            for piece in stream:
                size += len(piece)
                if time.monotonic() > deadline or size > _LARGEST_REPLY:
                    raise ModelFailure("the reply did not end", code="endless")
                yield piece

        methods = {"__iter__": pieces, "close": lambda self: stream.close()}
        response.stream = type("Limited", (kind,), methods)()

    return hook


def _waits(headers: Any) -> float | None:
    """Seconds that a service asks to wait."""
    text = (headers or {}).get("retry-after", "")
    try:
        return max(0.0, float(text))
    except ValueError:
        return None


def _broken(error: Exception) -> ModelFailure:
    """A reply that could not be read: cut, garbled, or of another type; worth another try."""
    return ModelFailure(f"unreadable reply: {type(error).__name__}: {error}", code="bad_reply")


class OpenAIService:
    """The chat protocol that most servers speak. Settings that a model refuses are left out."""

    def __init__(self, model: str, *, timeout_s: float = TIMEOUT_S, client: Any = None) -> None:
        self._sdk = _client("openai", "openai")
        self._model = model
        self.usage = Usage()
        self._settings: dict[str, Any] = {"max_tokens": MAX_TOKENS, "temperature": 0.0}
        try:
            self._client = client or self._sdk.OpenAI(
                max_retries=0,
                timeout=timeout_s,
                http_client=self._sdk.DefaultHttpxClient(
                    event_hooks={"response": [_limited(timeout_s)]}
                ),
            )
        except self._sdk.OpenAIError as error:
            raise BackendUnavailable(f"openai: {error}") from error

    def complete(self, messages: Sequence[Message]) -> Completion:
        """See ``chat.Service``."""
        sent = [
            {"role": message.role, "content": [self._part(part) for part in message.parts]}
            if message.role == "user"
            else {"role": message.role, "content": message.text}
            for message in messages
        ]
        while True:
            try:
                return self._ask(sent)
            except ModelFailure as failure:
                # A refused request succeeds only if it is changed.
                if failure.status != 400 or failure.param not in self._settings:
                    raise
                value = self._settings.pop(failure.param)
                self.usage.dropped.append(failure.param)
                if failure.param == "max_tokens":
                    self._settings["max_completion_tokens"] = value

    def _ask(self, sent: list[dict[str, Any]]) -> Completion:
        sdk = self._sdk
        try:
            reply = self._client.chat.completions.create(
                model=self._model, messages=sent, **self._settings
            )
            choice = reply.choices[0]
            used = reply.usage
            return Completion(
                choice.message.content or choice.message.refusal or "",
                finish=choice.finish_reason or "",
                model=reply.model or "",
                tokens_in=used.prompt_tokens if used else 0,
                tokens_out=used.completion_tokens if used else 0,
            )
        except sdk.APIStatusError as error:
            raise ModelFailure(
                str(error),
                status=error.status_code,
                code=str(error.code or ""),
                param=str(error.param or ""),
                wait_s=_waits(error.response.headers),
            ) from error
        except sdk.APIConnectionError as error:
            raise ModelFailure(f"no connection: {error}", code="connection") from error
        except (sdk.APIError, json.JSONDecodeError, AttributeError, IndexError, TypeError) as error:
            raise _broken(error) from error

    @staticmethod
    def _part(part: str | Picture) -> dict[str, Any]:
        if isinstance(part, str):
            return {"type": "text", "text": part}
        url = f"data:{part.media_type};base64,{part.base64}"
        return {"type": "image_url", "image_url": {"url": url}}


class GeminiService:
    """Google's Gemini models."""

    def __init__(self, model: str, *, timeout_s: float = TIMEOUT_S, base_url: str = "") -> None:
        self._sdk = _client("google.genai", "gemini")
        self._types = importlib.import_module("google.genai.types")
        self._errors = importlib.import_module("google.genai.errors")
        self._model = model
        self.usage = Usage()
        options: dict[str, Any] = {
            "timeout": round(1000 * timeout_s),
            "client_args": {"event_hooks": {"response": [_limited(timeout_s)]}},
        }
        if base_url:
            options["base_url"] = base_url
        try:
            self._client = self._sdk.Client(http_options=self._types.HttpOptions(**options))
        except ValueError as error:
            raise BackendUnavailable(f"gemini: {error}") from error

    def complete(self, messages: Sequence[Message]) -> Completion:
        """See ``chat.Service``."""
        types = self._types
        contents = [
            types.Content(
                role="model" if message.role == "assistant" else "user",
                parts=[self._part(part) for part in message.parts],
            )
            for message in messages
            if message.role != "system"
        ]
        config = types.GenerateContentConfig(
            system_instruction="\n".join(m.text for m in messages if m.role == "system") or None,
            temperature=0.0,
            max_output_tokens=MAX_TOKENS,
        )
        try:
            reply = self._client.models.generate_content(
                model=self._model, contents=contents, config=config
            )
        except self._errors.APIError as error:
            raise ModelFailure(
                str(error),
                status=int(error.code or 0),
                code=str(error.status or ""),
                wait_s=_waits(getattr(error.response, "headers", None)),
            ) from error
        except ModelFailure:
            raise
        except Exception as error:
            # The client hands on what its HTTP library and its reader raise.
            raise _broken(error) from error
        return self._completion(reply)

    def _completion(self, reply: Any) -> Completion:
        candidates = reply.candidates or []
        content = candidates[0].content if candidates else None
        texts = (
            [p.text for p in (content.parts or []) if p.text and not p.thought] if content else []
        )
        finish = candidates[0].finish_reason if candidates else "BLOCKED"
        used = reply.usage_metadata
        return Completion(
            "".join(texts),
            finish=str(getattr(finish, "value", finish) or ""),
            model=reply.model_version or "",
            tokens_in=(used.prompt_token_count or 0) if used else 0,
            tokens_out=(used.candidates_token_count or 0) if used else 0,
        )

    def _part(self, part: str | Picture) -> Any:
        if isinstance(part, str):
            return self._types.Part.from_text(text=part)
        return self._types.Part.from_bytes(data=part.data, mime_type=part.media_type)


class AnthropicService:
    """Anthropic's Claude models."""

    def __init__(self, model: str, *, timeout_s: float = TIMEOUT_S) -> None:
        self._sdk = _client("anthropic", "anthropic")
        self._model = model
        self.usage = Usage()
        try:
            self._client = self._sdk.Anthropic(
                max_retries=0,
                timeout=timeout_s,
                http_client=self._sdk.DefaultHttpxClient(
                    event_hooks={"response": [_limited(timeout_s)]}
                ),
            )
        except self._sdk.AnthropicError as error:
            raise BackendUnavailable(f"anthropic: {error}") from error

    def complete(self, messages: Sequence[Message]) -> Completion:
        """See ``chat.Service``."""
        sdk = self._sdk
        try:
            reply = self._client.messages.create(
                model=self._model,
                max_tokens=MAX_TOKENS,
                system="\n".join(m.text for m in messages if m.role == "system"),
                messages=[
                    {"role": m.role, "content": [self._part(part) for part in m.parts]}
                    for m in messages
                    if m.role != "system"
                ],
            )
            return Completion(
                "".join(block.text for block in reply.content if block.type == "text"),
                finish=reply.stop_reason or "",
                model=reply.model,
                tokens_in=reply.usage.input_tokens,
                tokens_out=reply.usage.output_tokens,
            )
        except sdk.APIStatusError as error:
            body = error.body if isinstance(error.body, dict) else {}
            raise ModelFailure(
                str(error),
                status=error.status_code,
                code=str((body.get("error") or {}).get("type", "")),
                wait_s=_waits(error.response.headers),
            ) from error
        except sdk.APIConnectionError as error:
            raise ModelFailure(f"no connection: {error}", code="connection") from error
        except (sdk.APIError, json.JSONDecodeError, AttributeError, TypeError) as error:
            raise _broken(error) from error

    @staticmethod
    def _part(part: str | Picture) -> dict[str, Any]:
        if isinstance(part, str):
            return {"type": "text", "text": part}
        source = {"type": "base64", "media_type": part.media_type, "data": part.base64}
        return {"type": "image", "source": source}


_SERVICES: Final = {
    "openai": OpenAIService,
    "gemini": GeminiService,
    "anthropic": AnthropicService,
}


def _agent(kind: str, model: str, seed: int) -> ModelAgent:
    if not model:
        raise ValueError(f"agent: expected {kind}:MODEL, got {kind!r}")
    name, options = split_name(model)
    unknown = sorted(set(options) - {"last"})
    if unknown:
        raise ValueError(f"agent: expected the option last, got {', '.join(unknown)}")
    last = options.get("last", "0")
    if not last.isdecimal():
        raise ValueError(f"agent: last: expected a whole number of views, got {last!r}")
    return ModelAgent(_SERVICES[kind](name), seed=seed, last=int(last))


@register("agent", "openai")
def openai_agent(*, seed: int, model: str = "") -> ModelAgent:
    """A model behind OpenAI's chat protocol: ``openai:MODEL[,last=K]``."""
    return _agent("openai", model, seed)


@register("agent", "gemini")
def gemini_agent(*, seed: int, model: str = "") -> ModelAgent:
    """A Gemini model: ``gemini:MODEL[,last=K]``."""
    return _agent("gemini", model, seed)


@register("agent", "anthropic")
def anthropic_agent(*, seed: int, model: str = "") -> ModelAgent:
    """A Claude model: ``anthropic:MODEL[,last=K]``."""
    return _agent("anthropic", model, seed)
