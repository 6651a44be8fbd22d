from __future__ import annotations

import os
from pathlib import Path

import pytest

from esi_fast.dataset.official import OfficialRelease, read_official


@pytest.fixture(scope="session")
def official_path() -> Path:
    """The published questions: ``ESI_BENCH_ROWS``, or beside the repository."""
    beside = Path(__file__).parents[2].parent / "shared" / "official" / "questions.jsonl.xz"
    path = Path(os.environ.get("ESI_BENCH_ROWS", beside))
    if not path.exists():
        pytest.skip(f"the published questions are not at {path}; set ESI_BENCH_ROWS")
    return path


@pytest.fixture(scope="session")
def published(official_path: Path) -> OfficialRelease:
    """The published questions, read once."""
    return read_official(official_path)
