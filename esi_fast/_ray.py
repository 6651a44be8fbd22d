"""Workers of ``jobs.run`` on a Ray cluster: the same units, the same results, other machines.

Only here is Ray imported. A worker is an actor, one processor each; units and results travel as
JSON text, so Ray's own pickling never sees anything but strings. What the work writes must go to
a folder that all machines share.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import queue
import sys
import threading
from typing import Any

from esi_fast.errors import BackendUnavailable

__all__ = ["RayWorker", "connect"]


def connect() -> Any:
    """The ``ray`` module, connected to the cluster of ``RAY_ADDRESS`` or to one started here.

    Raises ``BackendUnavailable`` where Ray is not installed.
    """
    try:
        import ray
    except ImportError as error:
        raise BackendUnavailable("engine 'ray' needs Ray: pip install 'esi-fast[ray]'") from error
    if not ray.is_initialized():
        ray.init(logging_level=logging.WARNING, log_to_driver=False, include_dashboard=False)
    return ray


class _Servant:
    """What runs on the cluster: loads the work, answers units."""

    def __init__(self, work: str, path: str) -> None:
        sys.path[:] = json.loads(path)
        from esi_fast import jobs

        self._jobs = jobs
        self._work = jobs.resolve(work)

    def ready(self) -> str:
        return ""

    def answer(self, payload: str) -> str:
        return self._jobs.dumps(self._jobs.attempt(self._work, json.loads(payload)))


class RayWorker:
    """An actor as ``jobs.run`` sees its workers; its messages go into ``events``."""

    def __init__(self, work: str, events: queue.SimpleQueue[tuple[Any, Any]]) -> None:
        self._ray = connect()
        path = json.dumps([entry or os.getcwd() for entry in sys.path])
        self._events = events
        self.ready = False
        self.task: int | None = None
        self.deadline = float("inf")
        self.timed_out = False
        self._fate = "died"
        actor = self._ray.remote(num_cpus=1, max_restarts=0)(_Servant)
        self._actor = actor.remote(work, path)
        self._follow(self._actor.ready.remote())

    def give(self, index: int, payload: str, deadline: float) -> None:
        """Send a unit's payload."""
        self.task = index
        self.deadline = deadline
        self._follow(self._actor.answer.remote(payload))

    def _follow(self, reference: Any) -> None:
        threading.Thread(target=self._await, args=(reference,), daemon=True).start()

    def _await(self, reference: Any) -> None:
        try:
            reply = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            self._fate = f"died ({type(error).__name__})"
            self._events.put((self, None))
        else:
            self._events.put((self, json.loads(reply) if reply else {"ready": True}))

    def how_it_ended(self) -> str:
        """For the message of a unit that cost two workers."""
        return "took too long" if self.timed_out else self._fate

    def interrupt(self) -> None:
        """End it in the middle of its unit."""
        self._ray.kill(self._actor)

    def kill(self) -> None:
        """End it; no harm where it is gone."""
        with contextlib.suppress(Exception):
            self._ray.kill(self._actor)
