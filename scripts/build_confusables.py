"""Writes ``esi_fast/assets/confusables.json``: for each category the three most like it."""

from __future__ import annotations

import json
from pathlib import Path

from esi_fast.assets.confusables import ranked, similarity

OUT = Path(__file__).resolve().parent.parent / "esi_fast" / "assets" / "confusables.json"


def main() -> None:
    """Measure all categories and keep the best of each, a line each."""
    found = ranked(*similarity())
    lines = [f" {json.dumps(name)}: {json.dumps(best)}" for name, best in found.items()]
    OUT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
