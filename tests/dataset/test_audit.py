from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from esi_fast.dataset.audit import AUDITED, audit_release, format_report, run_audit
from esi_fast.dataset.official import OfficialRelease
from esi_fast.errors import RecordError, UnknownName

sys.path.insert(0, str(Path(__file__).parent))
from mirror_rows import mirror_question
from official_rows import row


@pytest.fixture
def release(tmp_path: Path) -> Path:
    good = mirror_question("Reflection Authoring", "Yes", [(3.0, 0.3)])
    wrong = mirror_question("Reflection Authoring", "No", [(3.0, 0.3)])
    closer = mirror_question("Spatial Relations", "A", [(1.0, 0.2), (3.0, -0.2)])
    lines = [good, wrong, {**wrong, "id": "0007"}, closer, row()]
    lines.append({**good, "metadata_json": "{"})
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"id": "half')
    return path


def test_an_audit_counts_and_lists(release: Path) -> None:
    report = run_audit(release, "specular_reflection")
    assert [(v.row, v.verdict, v.reason) for v in report.verdicts] == [
        (1, "agrees", "as_labelled"),
        (2, "contradicts", "other_way"),
        (3, "contradicts", "other_way"),
        (4, "undecidable", "tie"),
        (6, "undecidable", "metadata"),
    ]
    assert [v.row for v in report.contradictions] == [2, 3]
    assert report.repeated == {3}
    assert [bad.row for bad in report.bad] == [7]
    text = format_report(report)
    lines = text.splitlines()
    # rows, distinct, agrees, contradicts (distinct), undecidable, near ties
    assert lines[3].split() == f"{AUDITED[0]} 4 3 1 2 (1) 1 0".split()
    everything = next(line for line in lines if line.startswith("all "))
    assert everything.split() == ["all", "5", "4", "1", "2", "(1)", "2", "1"]
    assert "  2 reflection_authoring: label no, derived yes: contradicts (other_way)" in lines
    assert any("mirror_u_m=0.120" in line for line in lines)
    assert "1 rows could not be read" in lines
    assert any(line.startswith("  rows.jsonl:7: (row): not JSON") for line in lines)
    assert any("metadata_json: not JSON" in line for line in lines)


def test_one_subcategory_can_be_asked_for(release: Path) -> None:
    report = run_audit(release, "specular_reflection/spatial_relations")
    assert [v.row for v in report.verdicts] == [4]
    assert not any(line.startswith("all ") for line in format_report(report).splitlines())


def test_the_report_is_written(release: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "audit"
    report = run_audit(release, "specular_reflection", out)
    first = {path.name: path.read_bytes() for path in out.iterdir()}
    assert sorted(first) == ["summary.txt", "verdicts.jsonl"]
    lines = [json.loads(line) for line in first["verdicts.jsonl"].splitlines()]
    assert [line["row"] for line in lines] == [1, 2, 3, 4, 6, 7]
    assert [line["repeats_an_earlier_row"] for line in lines[:5]] == [False] * 2 + [True] + [
        False
    ] * 2
    assert lines[1]["numbers"]["mirror_u_m"] == pytest.approx(0.12, abs=1e-3)
    assert lines[5]["verdict"] == "unreadable"
    assert first["summary.txt"].decode() == format_report(report) + "\n"
    run_audit(release, "specular_reflection", out)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == first


def test_wrong_calls(release: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean: specular_reflection"):
        run_audit(release, "specular_reflexion")
    with pytest.raises(UnknownName, match="cannot audit 'spatial_relations' yet"):
        run_audit(release, "spatial_relations")
    with pytest.raises(RecordError, match="no such file"):
        run_audit(tmp_path / "none", "specular_reflection")
    with pytest.raises(RecordError, match="expected a folder, found a file"):
        run_audit(release, "specular_reflection", release)


def test_the_published_mirror_rows(published: OfficialRelease) -> None:
    report = audit_release(published, task="specular_reflection")
    counts = {
        task.split("/")[1]: [
            sum(v.verdict == verdict for v in report.verdicts if v.task == task)
            for verdict in ("agrees", "contradicts", "undecidable")
        ]
        for task in report.tasks
    }
    assert {name: sum(found) for name, found in counts.items()} == {
        "reflection_authoring": 99,
        "spatial_relations": 113,
        "correspondence": 88,
    }
    assert not report.bad
    assert not any(v.reason == "metadata" for v in report.verdicts)
    by_row = {v.row: v for v in report.verdicts}
    # Worked out by hand from the recorded numbers. Row 3168: 1.3397 and 1.3403 m from the camera.
    assert (by_row[3168].verdict, by_row[3168].reason) == ("undecidable", "tie")
    # Row 2968: all three meet the mirror, at -0.46, 0.00 and 0.48 m of a half width of 0.484 m.
    assert by_row[2968].reason == "several_reflected"
    # Row 3103: 2.9 m away at 38 degrees, not behind anything recorded, and in the mirror.
    assert by_row[3103].reason == "both_ways"
