"""Registration, discovery, and the messages for what is not there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from esi_fast import registry
from esi_fast.errors import EsiError, UnknownName


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty registry whose built-in packages have been looked through already."""
    monkeypatch.setattr(registry, "_registered", {kind: {} for kind in registry.KINDS})
    monkeypatch.setattr(registry, "_discovered", set(registry.KINDS))


@pytest.mark.usefixtures("clean")
def test_registered_things_are_found_by_name() -> None:
    @registry.register("task", "family/thing")
    class Thing:
        pass

    @registry.register("task", "family/another")
    class Another:
        pass

    assert registry.get("task", "family/thing") is Thing
    assert registry.names("task") == ["family/another", "family/thing"]
    assert registry.names("agent") == []


@pytest.mark.usefixtures("clean")
def test_a_name_is_taken_once() -> None:
    def first() -> None: ...
    def second() -> None: ...

    registry.register("agent", "a")(first)
    registry.register("agent", "a")(first)  # a module imported again registers again
    with pytest.raises(ValueError, match=r"name: agent 'a' is registered by .*first already"):
        registry.register("agent", "a")(second)
    assert registry.get("agent", "a") is first


@pytest.mark.usefixtures("clean")
def test_an_unknown_name_lists_near_ones() -> None:
    registry.register("task", "specular_reflection/reflection_authoring")(object())
    with pytest.raises(UnknownName) as caught:
        registry.get("task", "specular_reflection/reflexion_authoring")
    assert "did you mean: specular_reflection/reflection_authoring" in str(caught.value)
    assert isinstance(caught.value, EsiError)


@pytest.mark.parametrize("call", [registry.names, lambda kind: registry.register(kind, "x")])
def test_an_unknown_kind_is_a_wrong_call(call: object) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=r"kind: expected one of .*got 'tusk'"):
        call("tusk")


@pytest.mark.usefixtures("clean")
def test_a_folder_is_discovered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "plugin_tasks"
    (package / "deep").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "deep" / "__init__.py").touch()
    (package / "deep" / "one.py").write_text(
        "from esi_fast.registry import register\n@register('task', 'deep/one')\nclass One: ...\n"
    )
    (package / "_private.py").write_text("raise RuntimeError('private modules are not imported')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "KINDS", {**registry.KINDS, "task": "plugin_tasks"})
    monkeypatch.setattr(registry, "_discovered", set())
    assert registry.names("task") == ["deep/one"]
    for name in [name for name in sys.modules if name.startswith("plugin_tasks")]:
        del sys.modules[name]


@pytest.mark.parametrize("kind", sorted(registry.KINDS))
def test_everything_built_in_registers(kind: str) -> None:
    found = registry.names(kind)
    assert found == sorted(set(found))
    for name in found:
        assert registry.get(kind, name) is not None
