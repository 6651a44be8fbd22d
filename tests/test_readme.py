"""The README's Python example says what it prints."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from builtin import builtin

from esi_fast import registry

README = Path(__file__).parent.parent / "README.md"


def test_the_example_gives_what_its_comments_say() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, str(README), "exec"), names)
    geo, scene, eye, ends = (names[k] for k in ("geo", "scene", "eye", "ends"))
    assert geo.occlusion.visible(scene, eye, ends).tolist() == [False, True]
    assert geo.mirror.visible_through(scene, eye, ends[:1], names["mirror"]).tolist() == [True]
    np.testing.assert_allclose(names["hits"].distance, [1.5])
    assert names["hits"].object_id.tolist() == [1]


def test_every_task_is_listed() -> None:
    text = README.read_text(encoding="utf-8")
    for name in builtin("task"):
        answers = "/".join(registry.get("task", name).answers)
        assert f"| `{name}` | {answers} |" in text
