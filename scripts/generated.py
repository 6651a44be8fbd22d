"""Files that are written from others: write them, or tell whether they are fresh."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Callable
from pathlib import Path

__all__ = ["main"]


def main(what: str, folder: Path, pattern: str, make: Callable[[], dict[str, str]]) -> int:
    """The command line of a generator: ``make`` gives the texts of all files by name.

    With ``--check`` nothing is written: the exit code is 1, and the difference is shown, if the
    files of ``folder`` that match ``pattern`` are not what ``make`` gives.
    """
    script = Path(sys.argv[0]).name
    parser = argparse.ArgumentParser(description=f"Write or check {what}.")
    parser.add_argument("--check", action="store_true", help="only compare")
    check: bool = parser.parse_args().check
    fresh = make()
    kept = {path.name: path.read_text() for path in sorted(folder.glob(pattern))}
    if check:
        for name in sorted(fresh.keys() | kept.keys()):
            before, after = kept.get(name, ""), fresh.get(name, "")
            lines = [text.splitlines(keepends=True) for text in (before, after)]
            sys.stdout.writelines(difflib.unified_diff(*lines, f"kept/{name}", f"fresh/{name}"))
        if fresh != kept:
            print(f"stale: run python scripts/{script}")
            return 1
        return 0
    folder.mkdir(exist_ok=True)
    for name in kept.keys() - fresh.keys():
        (folder / name).unlink()
    for name, text in fresh.items():
        (folder / name).write_text(text)
    return 0
