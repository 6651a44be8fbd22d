"""Write the reference of ``esi_fast.geometry`` from its docstrings, or check that it is fresh.

    python scripts/api_docs.py           writes docs/api/*.md, a page per family
    python scripts/api_docs.py --check   exits with 1 and shows the difference if they are stale

The sources are read, not imported. A public name without a docstring is an error.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from pathlib import Path

import griffe

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "api"
WIDTH = 92

Item = griffe.Class | griffe.Function | griffe.Attribute


def pages() -> dict[str, str]:
    """The pages as they should be: file name to text."""
    package = griffe.load("esi_fast.geometry", search_paths=[ROOT], allow_inspection=False)
    assert isinstance(package, griffe.Module)
    families = [package[name] for name in sorted(package.exports or [], key=str)]
    modules = [item for item in families if isinstance(item, griffe.Module)]
    modules.append(package["scene"])
    modules.sort(key=lambda module: module.name)
    made = {f"{module.name}.md": page(module) for module in modules}
    lines = [f"- [`geo.{m.name}`]({m.name}.md): {_first_line(m)}" for m in modules]
    index = (
        "# Reference of `esi_fast.geometry`\n\n"
        "Written from the docstrings by `python scripts/api_docs.py`.\n\n"
        f"{_text(package)}\n\n" + "\n".join(lines) + "\n"
    )
    return {"README.md": index, **made}


def page(module: griffe.Module) -> str:
    """One family: its text, then its functions, then the types that they take and return."""
    items = [_target(module.members[str(name)]) for name in module.exports or []]
    functions = [item for item in items if isinstance(item, griffe.Function)]
    classes = [item for item in items if isinstance(item, griffe.Class)]
    values = [item for item in items if isinstance(item, griffe.Attribute)]
    file = f"esi_fast/geometry/{module.name}.py"
    parts = [f"# `geo.{module.name}`", _text(module), f"Source: [`{file}`](../../{file})"]
    if functions:
        parts.append("## Functions")
        parts += [part for item in functions for part in _function(item, "###")]
    if classes:
        parts.append("## Types")
        parts += [part for item in classes for part in _class(item)]
    if values:
        parts.append("## Constants and aliases")
        parts += [part for item in values for part in _value(item)]
    return "\n\n".join(parts) + "\n"


def _function(item: griffe.Function, level: str) -> list[str]:
    return [f"{level} {item.name}", _code(_signature(item)), _text(item)]


def _class(item: griffe.Class) -> list[str]:
    parts = [f"### {item.name}"]
    fields = _fields(item)
    init = item.members.get("__init__")
    if isinstance(init, griffe.Function):
        parts.append(_code(_signature(init, name=item.name)))
    elif fields:
        parts.append(_code("\n".join([f"class {item.name}:", *fields])))
    parts.append(_text(item))
    for member in item.members.values():
        if member.name.startswith("_"):
            continue
        if isinstance(member, griffe.Function):
            parts += _function(member, "####")
        elif isinstance(member, griffe.Attribute) and "property" in member.labels:
            parts.append(f"#### {member.name}")
            parts.append(_code(f"{member.name}: {member.annotation}"))
            parts.append(_text(member))
    return parts


def _fields(item: griffe.Class) -> list[str]:
    """The lines of a class that declare its fields or values, with the comments beside them."""
    lines = []
    for member in item.members.values():
        if not isinstance(member, griffe.Attribute) or member.name.startswith("_"):
            continue
        if "property" in member.labels or member.lineno is None:
            continue
        lines += _source(member)
        if member.docstring:
            lines += [f"    # {line}" for line in member.docstring.value.splitlines()]
    return lines


def _value(item: griffe.Attribute) -> list[str]:
    parts = [f"### {item.name}", _code("\n".join(_source(item)))]
    return [*parts, _text(item)] if item.docstring else parts


def _source(item: griffe.Attribute) -> list[str]:
    """The lines of its definition, and what is said about it in comments right above."""
    lines = item.lines_collection[item.filepath]
    assert item.lineno is not None
    first, last = item.lineno - 1, item.endlineno or item.lineno
    while first > 0 and lines[first - 1].startswith("#:"):
        first -= 1
    return [line.replace("#:", "#", 1) for line in lines[first:last]]


def _signature(item: griffe.Function, *, name: str | None = None) -> str:
    """A definition as one writes it, a parameter per line if it is long."""
    words: list[str] = []
    star = False
    for parameter in item.parameters:
        if parameter.name in ("self", "cls"):
            continue
        kind = parameter.kind
        if kind is griffe.ParameterKind.var_positional:
            star = True
        if kind is griffe.ParameterKind.keyword_only and not star:
            words.append("*")
            star = True
        mark = {
            griffe.ParameterKind.var_positional: "*",
            griffe.ParameterKind.var_keyword: "**",
        }.get(kind, "")
        word = f"{mark}{parameter.name}"
        if parameter.annotation is not None:
            word += f": {parameter.annotation}"
        default = parameter.default
        if default is not None and not mark:
            word += f" = {default}" if parameter.annotation is not None else f"={default}"
        words.append(word)
    end = f" -> {item.returns}" if item.returns is not None and name is None else ""
    name = name or item.name
    words = [word.replace("'", '"') for word in words]  # as ruff has them
    short = f"{name}({', '.join(words)}){end}"
    if len(short) <= WIDTH:
        return short
    return "\n".join([f"{name}(", *(f"    {word}," for word in words), f"){end}"])


def _target(item: griffe.Object | griffe.Alias) -> Item:
    found = item.final_target if isinstance(item, griffe.Alias) else item
    assert isinstance(found, Item), f"{item.path} is no class, function or value"
    return found


def _text(item: griffe.Object) -> str:
    """The docstring as Markdown: names in single backticks."""
    if item.docstring is None:
        raise SystemExit(f"{item.path} has no docstring")
    return re.sub(r"``([^`]+)``", r"`\1`", item.docstring.value.strip())


def _first_line(item: griffe.Object) -> str:
    return _text(item).split("\n\n")[0].replace("\n", " ")


def _code(text: str) -> str:
    return f"```python\n{text}\n```"


def main() -> int:
    parser = argparse.ArgumentParser(description="Write or check the reference of the geometry.")
    parser.add_argument("--check", action="store_true", help="only compare")
    check: bool = parser.parse_args().check
    fresh = pages()
    kept = {path.name: path.read_text() for path in sorted(PAGES.glob("*.md"))}
    if check:
        for name in sorted(fresh.keys() | kept.keys()):
            before, after = kept.get(name, ""), fresh.get(name, "")
            lines = [text.splitlines(keepends=True) for text in (before, after)]
            sys.stdout.writelines(difflib.unified_diff(*lines, f"kept/{name}", f"fresh/{name}"))
        if fresh != kept:
            print("the reference is stale: run python scripts/api_docs.py")
            return 1
        return 0
    PAGES.mkdir(exist_ok=True)
    for name in kept.keys() - fresh.keys():
        (PAGES / name).unlink()
    for name, text in fresh.items():
        (PAGES / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
