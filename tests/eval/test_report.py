"""The page: complete, self-contained, well-formed, the same for the same records."""

from __future__ import annotations

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import box_world as bw
import pytest

from esi_fast.dataset.store import StoreWriter
from esi_fast.errors import RecordError
from esi_fast.eval.report import write_report
from esi_fast.eval.runner import load_run
from esi_fast.eval.runner import run as play
from esi_fast.records import Instance, Question

VOID = {"meta", "img", "br", "link", "input", "hr"}
NASTY = '<script>alert("1")</script> & what is behind the screen?'


class Page(HTMLParser):
    """Checks that tags close in order, and collects what a page refers to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.ids: list[str] = []
        self.text = ""
        self.scripts = 0
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.links += [str(values[name]) for name in ("src", "href") if name in values]
        if "id" in values:
            self.ids.append(str(values["id"]))
        if tag == "img":
            self.images.append(values)
        self.scripts += tag == "script"
        if tag not in VOID and not (self.get_starttag_text() or "").endswith("/>"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID or (self.open and self.open[-1] != tag and tag in ("rect", "line")):
            return
        assert self.open.pop() == tag, f"{tag} closes out of order"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("style", "script"):
            self.text += data


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("run")
    with StoreWriter(root / "instances", Instance, durable=False) as writer:
        for k in range(3):
            made = bw.instance(k, size=32)
            if k == 2:
                asked = Question(text=NASTY, options=made.question.options)
                made = made.model_copy(update={"question": asked})
            writer.add(made)
    play(
        root / "instances",
        root / "run",
        agents=["perfect", "stubborn", "broken"],
        imports=["box_world"],
        workers=0,
    )
    return root / "run"


@pytest.fixture(scope="module")
def page(run: Path) -> Path:
    return write_report(run, run.parent / "report", title="A <title>")


def test_page_is_well_formed_and_needs_nothing_else(page: Path) -> None:
    parsed = Page(page)
    assert parsed.scripts == 1
    pictures = [link for link in parsed.links if not link.startswith(("#", "data:,"))]
    assert pictures
    for link in pictures:
        assert re.fullmatch(r"images/[0-9a-f]{20}\.jpg", link)
        assert (page.parent / link).is_file()
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"https?://|@import|url\(", text)
    assert len(parsed.ids) == len(set(parsed.ids))
    # Every picture says what it is; all but the empty one of the dialog.
    assert all(image["alt"] for image in parsed.images if image["src"] != "data:,")
    assert {f"images/{file.name}" for file in (page.parent / "images").iterdir()} == set(pictures)


def test_page_shows_questions_scores_and_what_happened(page: Path) -> None:
    text = " ".join(Page(page).text.split())
    for words in (
        "A <title>",
        "3 questions",
        "36 episodes",
        "12 failed to run",
        "What is behind the screen?",
        NASTY,
        "100.0 %",
        "proves mug",
        "rules out nothing",
        "no valid reply",
        "✗ no answer",
        "ZeroDivisionError: broken on purpose",
        "then answer(mug, 1.0)",
        "after turn_down",
        "mug by construction: index 0",
    ):
        facts = words.split(" ", 1)
        # Numbers of the header stand after their names.
        swapped = f"{facts[-1]}{facts[0]}"
        assert words in text or swapped in text, words


def test_nothing_from_a_record_becomes_markup(page: Path) -> None:
    assert "<script>alert" not in page.read_text(encoding="utf-8")
    assert "&lt;script&gt;alert" in page.read_text(encoding="utf-8")


def test_same_records_same_bytes(run: Path, page: Path) -> None:
    again = write_report(run, run.parent / "again", title="A <title>")
    assert again.read_bytes() == page.read_bytes()
    for picture in (page.parent / "images").iterdir():
        assert (again.parent / "images" / picture.name).read_bytes() == picture.read_bytes()


def test_only_some_questions_are_shown_in_full(run: Path, tmp_path: Path) -> None:
    path = write_report(run, tmp_path, max_instances=1)
    parsed = Page(path)
    assert sum(name.startswith("q-") for name in parsed.ids) == 1
    assert "The first 1 of 3 questions are shown." in parsed.text
    assert "3 of 3" in " ".join(parsed.text.split())


def test_a_missing_picture_is_said_not_fatal(run: Path, tmp_path: Path) -> None:
    shutil.copytree(run, tmp_path / "run")
    shutil.rmtree(tmp_path / "run" / "episodes" / "blobs")
    path = write_report(tmp_path / "run", tmp_path / "report")
    assert "This picture is not stored." in Page(path).text


def test_wrong_folders_are_named(run: Path, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="manifest"):
        write_report(tmp_path, tmp_path / "report")
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="file"):
        write_report(run, tmp_path / "file")


def test_why_an_answer_is_wrong_is_said_where_it_is_known(run: Path, tmp_path: Path) -> None:
    """With the way that would have decided it; escaped like everything else."""
    copy = tmp_path / "run"
    shutil.copytree(run, copy)
    _, episodes = load_run(copy)
    key = next(e.key for e in episodes.episodes() if e.paradigm == "active")
    value = {"reason": "commitment", "way": ["move_up", "put_on(<b>, x)"]}
    (copy / "attribution.jsonl").write_text(json.dumps({"key": key, "value": value}) + "\n")
    page = write_report(copy, tmp_path / "page").read_text(encoding="utf-8")
    assert "it answered while there were actions left" in page
    assert "move_up, put_on(&lt;b&gt;, x)" in page
    assert page.count("<b>Commitment:</b>") == 1
