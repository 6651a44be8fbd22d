"""Writes ``standing.tsv``: which models stand by themselves, and look the same in a mirror."""

from __future__ import annotations

from pathlib import Path

from esi_fast.generators.pick import table

OUT = Path(__file__).resolve().parent.parent / "esi_fast" / "generators" / "standing.tsv"


if __name__ == "__main__":
    OUT.write_text(table(), encoding="utf-8")
