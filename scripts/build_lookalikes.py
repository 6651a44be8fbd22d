"""Writes ``esi_fast/generators/lookalikes.json``: models that look alike from somewhere."""

from __future__ import annotations

import json
from pathlib import Path

from esi_fast.generators.lookalikes import build

OUT = Path(__file__).resolve().parent.parent / "esi_fast" / "generators" / "lookalikes.json"


def main() -> None:
    """Compare all models and keep a line for each pair."""
    lines = [f" {json.dumps([*p.one, *p.other, list(p.directions)])}" for p in build()]
    OUT.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
