"""A small HTTP server that speaks three model protocols and misbehaves when told to.

Each request takes the next item of the script: a text to reply with, or the name of a fault.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

FAULTS = {
    "429": (429, {"error": {"message": "slow down", "code": "rate_limit_exceeded"}}),
    "quota": (429, {"error": {"message": "no money", "code": "insufficient_quota"}}),
    "500": (500, {"error": {"message": "oops"}}),
    "503": (503, {"error": {"message": "overloaded"}}),
    "401": (401, {"error": {"message": "bad key sk-abcdefghijklmnop123456"}}),
    "404": (404, {"error": {"message": "no such model", "code": "model_not_found"}}),
    "400 max_tokens": (
        400,
        {"error": {"message": "no", "code": "unsupported_parameter", "param": "max_tokens"}},
    ),
    "400 temperature": (
        400,
        {"error": {"message": "no", "code": "unsupported_value", "param": "temperature"}},
    ),
}
OTHER_FAULTS = ("truncated", "not json", "cut", "endless", "filtered", "slow")


class ModelServer(ThreadingHTTPServer):
    """``script`` is worked off item by item; ``requests`` are the bodies received."""

    daemon_threads = True

    def __init__(self, script: Sequence[str]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = list(script)
        self.requests: list[dict[str, Any]] = []
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def next(self, body: dict[str, Any]) -> str:
        with self.lock:
            self.requests.append(body)
            # The last item goes on for ever.
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are part of the game."""


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def log_message(self, *args: Any) -> None:
        """Nothing is written to the terminal."""

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length", 0))
        item = self.server.next(json.loads(self.rfile.read(size)))
        if item in FAULTS:
            status, body = FAULTS[item]
            self._send(status, json.dumps(body).encode(), wait=item in ("429", "503"))
            return
        text = "" if item == "filtered" else "late" if item == "slow" else item
        body = json.dumps(self._reply(text, filtered=item == "filtered")).encode()
        if item == "truncated":
            self._send(200, body[: len(body) // 2])
        elif item == "not json":
            self._send(200, b"<html>gateway</html>", kind="text/html")
        elif item == "cut":
            self._send(200, body[:10], length=len(body))
            self.close_connection = True
        elif item == "endless":
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.end_headers()
            for _ in range(200):
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.02)
        else:
            if item == "slow":
                time.sleep(1.0)
            self._send(200, body)

    def _send(
        self,
        status: int,
        body: bytes,
        *,
        kind: str = "application/json",
        length: int | None = None,
        wait: bool = False,
    ) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body) if length is None else length))
        if wait:
            self.send_header("retry-after", "0.01")
        self.end_headers()
        self.wfile.write(body)

    def _reply(self, text: str, *, filtered: bool) -> dict[str, Any]:
        if "generateContent" in self.path:
            candidate: dict[str, Any] = {"finishReason": "SAFETY" if filtered else "STOP"}
            if not filtered:
                candidate["content"] = {"role": "model", "parts": [{"text": text}]}
            return {
                "candidates": [candidate],
                "modelVersion": "test-model-1",
                "usageMetadata": {"promptTokenCount": 7, "candidatesTokenCount": 3},
            }
        if self.path.endswith("/messages"):
            return {
                "id": "m",
                "type": "message",
                "role": "assistant",
                "model": "test-model-1",
                "content": [] if filtered else [{"type": "text", "text": text}],
                "stop_reason": "refusal" if filtered else "end_turn",
                "usage": {"input_tokens": 7, "output_tokens": 3},
            }
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": "content_filter" if filtered else "stop",
        }
        return {
            "id": "c",
            "object": "chat.completion",
            "created": 0,
            "model": "test-model-1",
            "choices": [choice],
            "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
        }


@contextmanager
def model_server(*script: str) -> Iterator[ModelServer]:
    """A server at work on a free port of the loopback."""
    server = ModelServer(script)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
