"""What all model services have in common: messages, replies, failures, and when to try again.

A service is anything with ``complete(messages) -> Completion``. It raises ``ModelFailure`` for
whatever goes wrong on the way; ``with_retries`` repeats what may pass by itself (overload, time
limits, cut connections) and nothing else. A filtered or empty reply is the model's reply, not a
failure, so that no model gets more chances than another.
"""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias

import numpy as np

from esi_fast.errors import EsiError

__all__ = [
    "Completion",
    "Message",
    "ModelFailure",
    "Part",
    "Picture",
    "Service",
    "Usage",
    "delays",
    "is_temporary",
    "media_type",
    "with_retries",
]

ATTEMPTS: Final = 8
BASE_S, FACTOR, CAP_S = 1.0, 2.0, 60.0
# A service may ask for more patience than our own back-off has, within reason.
LONGEST_WAIT_S: Final = 600.0


@dataclass(frozen=True)
class Picture:
    """An encoded picture; ``ValueError`` for bytes that are none of PNG, JPEG, WebP and GIF."""

    data: bytes

    def __post_init__(self) -> None:
        if media_type(self.data) is None:
            raise ValueError(f"data: expected an encoded picture, got {self.data[:8]!r}")

    @property
    def media_type(self) -> str:
        """From the content, as services insist on it."""
        return media_type(self.data) or ""

    @property
    def base64(self) -> str:
        return base64.b64encode(self.data).decode()


Part: TypeAlias = str | Picture


@dataclass(frozen=True)
class Message:
    """One turn of a conversation: texts and pictures in order."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The texts alone."""
        return "\n".join(part for part in self.parts if isinstance(part, str))


@dataclass(frozen=True)
class Completion:
    """What came back. ``finish`` is the service's own word for why the text ends.

    ``model`` is the exact version that replied, where the service says it.
    """

    text: str
    finish: str = ""
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass
class Usage:
    """What an episode cost so far; ``dropped`` are settings that the model did not take."""

    calls: int = 0
    retries: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    waited_s: float = 0.0
    model: str = ""
    dropped: list[str] = field(default_factory=list)

    def add(self, reply: Completion) -> None:
        """Count a reply."""
        self.calls += 1
        self.tokens_in += reply.tokens_in
        self.tokens_out += reply.tokens_out
        self.model = reply.model or self.model


class ModelFailure(EsiError):
    """A request that brought no reply. ``status`` is that of HTTP, 0 where there was none.

    ``param`` is the setting that the service refused, ``wait_s`` how long it asks to wait.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "",
        param: str = "",
        wait_s: float | None = None,
    ) -> None:
        super().__init__(_without_keys(message))
        self.status = status
        self.code = code
        self.param = param
        self.wait_s = wait_s

    @property
    def temporary(self) -> bool:
        """Whether the same request may succeed later."""
        return is_temporary(self.status, self.code)


class Service(Protocol):
    """A model behind an interface."""

    usage: Usage

    def complete(self, messages: Sequence[Message]) -> Completion:
        """The model's reply; ``ModelFailure`` where none came."""


def media_type(data: bytes) -> str | None:
    """The type of an encoded picture by its first bytes; ``None`` for anything else."""
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return None


# Account and quota faults come as 429 as well, and do not pass.
_PERMANENT_CODES: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached"})


def is_temporary(status: int, code: str = "") -> bool:
    """Whether a failure is of the server or the network, not of request, key or account."""
    if code in _PERMANENT_CODES:
        return False
    return status in (0, 408, 409, 429) or status >= 500


def delays(attempts: int, rng: np.random.Generator) -> list[float]:
    """Seconds before each further attempt: doubled, capped, with full jitter.

    Full jitter spreads clients that failed together best (Brooker, "Exponential Backoff And
    Jitter", AWS Architecture Blog 2015).
    """
    return [float(rng.uniform(0.0, min(CAP_S, BASE_S * FACTOR**k))) for k in range(attempts)]


def with_retries(
    call: Callable[[], Completion],
    *,
    usage: Usage,
    rng: np.random.Generator,
    attempts: int = ATTEMPTS,
    sleep: Callable[[float], None] = time.sleep,
) -> Completion:
    """``call()``, again after each temporary failure, at most ``attempts`` times in all.

    Waits as long as the service asks, or else as ``delays`` says. The last failure is raised.
    """
    for wait in delays(attempts - 1, rng):
        try:
            return call()
        except ModelFailure as failure:
            if not failure.temporary:
                raise
            asked = failure.wait_s
            if asked is not None and asked > LONGEST_WAIT_S:
                raise
            seconds = wait if asked is None else max(asked, 0.0)
            usage.retries += 1
            usage.waited_s += seconds
            sleep(seconds)
    return call()


_KEY: Final = re.compile(
    r"\b(?:sk|pk|rk|key|AIza|Bearer)[-_ ]?[A-Za-z0-9_\-]{12,}", re.IGNORECASE
)  # fmt: skip


def _without_keys(text: str) -> str:
    """Services quote the key that they refuse."""
    return _KEY.sub("[key]", text)[:2000]
