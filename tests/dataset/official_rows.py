"""Rows in the format of the release, written for the tests."""

from __future__ import annotations

import json
from typing import Any


def row(
    big: str = "Spatial Relations",
    small: str = "Linear Alignment",
    *,
    answer: Any = "yes",
    options: Any = ("yes", "no"),
    metadata: Any = None,
    **more: Any,
) -> dict[str, Any]:
    """A sound row; ``more`` replaces columns."""
    return {
        "id": "0001",
        "big_task": big,
        "small_task": small,
        "runner_task": "line",
        "scene": "Toy_0_int",
        "room": "kitchen_0",
        "question": "Are the cup, the can and the jar in a line?",
        "answer": answer,
        "answer_type": "choice",
        "options_json": json.dumps(options),
        "image_paths_json": json.dumps(["views/view 0.png"]),
        "metadata_json": json.dumps({} if metadata is None else metadata),
        **more,
    }
