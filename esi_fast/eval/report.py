"""One HTML page over a run: the scores, and for each question what happened and why.

The page needs no network and no server. Pictures lie next to it in ``images/`` (JPEG, by hash),
everything else is in the one file. Equal records give equal bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from pathlib import Path

from PIL import Image

from esi_fast._files import os_errors
from esi_fast.dataset.store import Store
from esi_fast.eval.attribution import REASONS, Attribution, attributions
from esi_fast.eval.evidence import evidence_of
from esi_fast.eval.metrics import Scored
from esi_fast.eval.paradigms import PARADIGMS
from esi_fast.eval.runner import load_run
from esi_fast.eval.score import Row, join, score
from esi_fast.records import ActionRecord, EpisodeRecord, Evidence, Instance, Outcome
from esi_fast.sim.actions import format_action

__all__ = ["PARADIGM_TITLES", "write_report"]

PARADIGM_TITLES: Mapping[str, str] = {
    "passive_single": "First view only",
    "passive_multi": "30 random views",
    "active": "Acting",
    "oracle": "Oracle views",
}
_SIDE = 448
"""Pixels of the longer side of a picture on the page."""
_QUALITY = 86


def write_report(
    run: str | Path,
    out: str | Path,
    *,
    title: str = "esi-fast report",
    max_instances: int = 60,
) -> Path:
    """Write ``out/index.html`` over the folder of a run and return its path.

    The scores cover every episode; of the questions the first ``max_instances`` are shown in
    full. Raises ``RecordError`` for a run that is damaged or a folder that cannot be written.
    """
    instances, episodes = load_run(run)
    scored = join(instances.instances(), episodes.episodes())
    out = Path(out)
    with os_errors(out):
        (out / "images").mkdir(parents=True, exist_ok=True)
    pictures = _Pictures(out / "images", episodes)
    page = _page(title, scored, pictures, max_instances, attributions(Path(run)))
    path = out / "index.html"
    with os_errors(path):
        path.write_text(page, encoding="utf-8")
    return path


class _Pictures:
    """Pictures of the page, made from the store's PNGs when first asked for."""

    def __init__(self, folder: Path, store: Store) -> None:
        self._folder = folder
        self._store = store
        self._known: dict[str, str] = {}

    def url(self, sha: str) -> str | None:
        """Address relative to the page; ``None`` for a picture that the store does not hold."""
        if not sha:
            return None
        if sha not in self._known:
            if not self._store.blob_path(sha).is_file():
                return None
            name = f"{sha[:20]}.jpg"
            path = self._folder / name
            if not path.is_file():
                picture = Image.fromarray(self._store.image(sha)).convert("RGB")
                picture.thumbnail((_SIDE, _SIDE), Image.Resampling.LANCZOS)
                buffer = io.BytesIO()
                picture.save(buffer, "JPEG", quality=_QUALITY)
                with os_errors(path):
                    path.write_bytes(buffer.getvalue())
            self._known[sha] = f"images/{name}"
        return self._known[sha]


@dataclass
class _Case:
    """An instance with its episodes in the order of the run, and why they failed, by key."""

    instance: Instance
    why: Mapping[str, Attribution]
    scored: list[Scored] = field(default_factory=list)

    def of(self, paradigm: str) -> list[Scored]:
        return [item for item in self.scored if item.episode.paradigm == paradigm]

    @property
    def paradigms(self) -> list[str]:
        present = {item.episode.paradigm for item in self.scored}
        return [name for name in PARADIGMS if name in present] + sorted(present - set(PARADIGMS))

    @property
    def agents(self) -> list[str]:
        return list(dict.fromkeys(_agent(item.episode) for item in self.scored))


@dataclass(frozen=True)
class _Frame:
    """One picture of a film strip, with what was possible after it and what was done there."""

    image: str
    caption: str
    possible: tuple[str, ...]
    note: str = ""
    failed: str = ""
    belief: str = ""


def _page(
    title: str,
    scored: Sequence[Scored],
    pictures: _Pictures,
    limit: int,
    why: Mapping[str, Attribution],
) -> str:
    cases: dict[str, _Case] = {}
    for item in scored:
        cases.setdefault(item.instance.id, _Case(item.instance, why)).scored.append(item)
    shown = list(cases.values())[:limit]
    tasks = sorted({case.instance.task for case in shown})
    agents = sorted({agent for case in shown for agent in case.agents})
    errors = sum(item.episode.stop_reason == "error" for item in scored)
    facts = [
        (len({case.instance.task for case in cases.values()}), "tasks"),
        (len(cases), "questions"),
        (len(scored), "episodes"),
        (errors, "failed to run"),
    ]
    more = ""
    if len(cases) > len(shown):
        more = f"<p class='soft'>The first {len(shown)} of {len(cases)} questions are shown.</p>"
    template = files("esi_fast.eval") / "templates"
    return f"""<!DOCTYPE html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{escape(title)}</title>
<style>
{(template / "report.css").read_text(encoding="utf-8")}</style>
</head>
<body>
<a class="skip" href="#questions">Go to the questions</a>
<div class="bar"><div>
<strong>{escape(title)}</strong>
<span class="soft small" id="shown" role="status"></span>
<label>Task <select id="task"><option value="">all</option>{_choices(tasks)}</select></label>
<label>Answered wrong by <select id="verdict"><option value="">anyone or no one</option>\
{_choices(agents)}</select></label>
<button type="button" id="theme">Dark</button>
</div></div>
<main class="page">
<h1>{escape(title)}</h1>
<p class="lead">Who answered what, from which views, and what those views proved.</p>
<dl class="facts">{"".join(f"<div><dt>{name}</dt><dd>{n}</dd></div>" for n, name in facts)}</dl>
<section aria-labelledby="scores"><h2 id="scores">Scores</h2>
{_scores(score(scored))}</section>
<section aria-labelledby="questions"><h2 id="questions">Questions</h2>
<p class="soft small">Press <kbd>j</kbd> and <kbd>k</kbd> to go from question to question, \
Enter on a picture to enlarge it, arrow keys to step on.</p>
{more}{"".join(_case(case, k, pictures) for k, case in enumerate(shown, start=1))}
</section>
</main>
<dialog id="large" aria-label="Picture"><img src="data:," alt=""><p></p>\
<form method="dialog"><p><button>Close</button></p></form></dialog>
<script>
{(template / "report.js").read_text(encoding="utf-8")}</script>
</body>
</html>
"""


def _choices(names: Iterable[str]) -> str:
    return "".join(f"<option>{escape(name)}</option>" for name in names)


# --- scores --------------------------------------------------------------------------------------


def _scores(rows: Sequence[Row]) -> str:
    tables = []
    for task in dict.fromkeys(row.task for row in rows):
        bodies = []
        mine = [row for row in rows if row.task == task]
        for paradigm in dict.fromkeys(row.paradigm for row in mine):
            lines = [row for row in mine if row.paradigm == paradigm]
            for position, row in enumerate(lines):
                head = ""
                if position == 0:
                    name = PARADIGM_TITLES.get(paradigm, paradigm)
                    head = f"<th scope='row' rowspan='{len(lines)}'>{escape(name)}</th>"
                bodies.append(f"{'<tbody>' if position == 0 else ''}{_score_line(row, head)}")
            bodies.append("</tbody>")
        tables.append(
            f"<div class='card'><div class='wide'><table class='scores'>"
            f"<caption>{escape(task)}</caption>"
            "<thead><tr><th scope='col'>shown</th><th scope='col'>agent</th>"
            "<th scope='col' class='num'>right</th><th scope='col' class='num'>accuracy</th>"
            "<th scope='col'>95 % interval, 0 to 100 %</th>"
            "<th scope='col' class='num'>actions</th><th scope='col' class='num'>evidence</th>"
            f"<th scope='col' class='num'>failed</th></tr></thead>{''.join(bodies)}</table></div>"
            f"{_legend(mine[0])}</div>"
        )
    return "".join(tables) or "<p>No episodes yet.</p>"


def _score_line(row: Row, head: str) -> str:
    numbers = row.numbers
    steps = numbers["steps"]
    return (
        f"<tr>{head}<td>{escape(row.agent)}</td>"
        f"<td class='num'>{numbers['correct']:.0f} of {numbers['n']:.0f}</td>"
        f"<td class='num'>{100 * numbers['accuracy']:.1f} %</td>"
        f"<td class='plot'>{_interval(numbers)}</td>"
        f"<td class='num'>{'-' if steps != steps else f'{steps:.1f}'}</td>"
        f"<td class='num'>{numbers['evidence']:.2f}</td>"
        f"<td class='num'>{numbers['errors']:.0f}</td></tr>"
    )


def _interval(numbers: Mapping[str, float]) -> str:
    """The Wilson interval as a bar, the accuracy as a dot, chance and majority as ticks."""
    low, high, value = (100 * numbers[name] for name in ("low", "high", "accuracy"))
    chance, majority = 100 * numbers["chance"], 100 * numbers["majority"]
    label = (
        f"accuracy {value:.1f} %, interval {low:.1f} to {high:.1f} %, "
        f"chance {chance:.1f} %, majority {majority:.1f} %"
    )
    return (
        f"<svg role='img' aria-label='{label}' preserveAspectRatio='none'><title>{label}</title>"
        "<rect class='interval-track' x='0' y='8' width='100%' height='4' rx='2'/>"
        f"<rect class='interval' x='{low:.2f}%' y='4' width='{high - low:.2f}%' height='12' "
        "rx='3'/>"
        f"<line class='tick-majority' x1='{majority:.2f}%' x2='{majority:.2f}%' y1='1' y2='19'/>"
        f"<line class='tick-chance' x1='{chance:.2f}%' x2='{chance:.2f}%' y1='5' y2='15'/>"
        f"<circle class='interval-dot' cx='{value:.2f}%' cy='10' r='4.5'/></svg>"
    )


def _legend(row: Row) -> str:
    chance, majority = 100 * row.numbers["chance"], 100 * row.numbers["majority"]
    return (
        "<div class='legend'>"
        "<span><svg><rect class='interval' y='1' width='22' height='10' rx='3'/>"
        "<circle class='interval-dot' cx='11' cy='6' r='4'/></svg>accuracy, Wilson interval</span>"
        "<span><svg><line class='tick-chance' x1='11' x2='11' y1='0' y2='12'/></svg>"
        f"chance ({chance:.0f} %)</span>"
        "<span><svg><line class='tick-majority' x1='11' x2='11' y1='0' y2='12'/></svg>"
        f"always the commonest answer ({majority:.0f} %)</span></div>"
    )


# --- one question --------------------------------------------------------------------------------


def _case(case: _Case, number: int, pictures: _Pictures) -> str:
    instance = case.instance
    wrong = sorted({_agent(item.episode) for item in case.scored if not item.correct})
    options = "".join(
        f"<li class='chip right'><span title='the true answer'>✓</span> {escape(option)}</li>"
        if option == instance.answer
        else f"<li class='chip'>{escape(option)}</li>"
        for option in instance.question.options
    )
    return (
        f"<article class='card instance' id='q-{escape(instance.id)}' tabindex='-1' "
        f"data-task='{escape(instance.task)}' data-wrong='{escape(' '.join(wrong))}'>"
        f"<div class='meta'><span>{number}</span><span>{escape(instance.task)}</span>"
        f"<span class='code'>{escape(instance.id)}</span></div>"
        f"<h3>{escape(instance.question.text)}</h3><ul class='options'>{options}</ul>"
        "<div class='pair'>"
        f"<div><h4>First view</h4>{_zoom(_first_view(case, pictures), 'First view')}</div>"
        f"<div><h4>What the views prove</h4>{_curve(case)}{_verdicts(case)}</div></div>"
        f"{_oracle(case, pictures)}"
        f"<h4>What the agents did</h4>{_episodes(case, pictures)}{_derivation(instance)}"
        "</article>"
    )


def _first_view(case: _Case, pictures: _Pictures) -> str | None:
    for item in case.scored:
        if item.episode.steps:
            return pictures.url(item.episode.steps[0].image)
    return None


def _zoom(url: str | None, alt: str) -> str:
    if url is None:
        return "<p class='soft'>This picture is not stored.</p>"
    return (
        f"<button type='button' class='zoom'><img class='view' loading='lazy' src='{url}' "
        f"alt='{escape(alt)}'></button>"
    )


def _oracle(case: _Case, pictures: _Pictures) -> str:
    played = next((item for item in case.of("oracle") if item.episode.steps), None)
    if played is None:
        return ""
    strip = _strip(_walk(played.episode), pictures, "Oracle views", case.instance.question.options)
    return f"<h4>Oracle views</h4>{strip}"


def _walk(episode: EpisodeRecord) -> list[_Frame]:
    """The views that were shown, each with the action that led to it."""
    frames: list[_Frame] = []
    led: ActionRecord | None = None
    outcome: Outcome | None = None
    for k, step in enumerate(episode.steps):
        failed = outcome.reason if outcome is not None and not outcome.ok else ""
        frames.append(
            _Frame(
                image=step.image,
                caption="start" if k == 0 else f"after {_action(led)}",
                possible=step.possible,
                failed=failed,
            )
        )
        led, outcome = step.action, step.outcome
    return frames


def _moves(episode: EpisodeRecord) -> list[_Frame]:
    """The views of an agent that acts, each with what it then did."""
    frames = []
    for step in episode.steps:
        failed = step.outcome.reason if step.outcome is not None and not step.outcome.ok else ""
        answered = step.action is not None and step.action.name == "answer"
        frames.append(
            _Frame(
                image=step.image,
                caption=f"then {_action(step.action)}" if step.valid else "no valid reply",
                possible=step.possible,
                failed=failed,
                note="" if step.valid else step.raw_reply[:80],
                belief="" if answered or step.belief is None else step.belief,
            )
        )
    return frames


def _strip(
    frames: Sequence[_Frame], pictures: _Pictures, label: str, options: Sequence[str]
) -> str:
    items = []
    for k, frame in enumerate(frames):
        lines = [
            f"<span class='step'>{k}</span><span class='code'>{escape(frame.caption)}</span>",
            _left(frame.possible, options),
        ]
        if frame.failed:
            lines.insert(1, f"<span class='failed'>failed: {escape(_words(frame.failed))}</span>")
        if frame.note:
            lines.append(f"<span class='soft'>“{escape(frame.note)}”</span>")
        if frame.belief:
            lines.append(f"<span class='soft'>believes {escape(frame.belief)}</span>")
        alt = f"{label}, view {k}: {frame.caption}"
        items.append(
            f"<li><figure>{_zoom(pictures.url(frame.image), alt)}"
            f"<figcaption>{'<br>'.join(lines)}</figcaption></figure></li>"
        )
    return (
        f"<ol class='strip' tabindex='0' role='list' aria-label='{escape(label)}'>"
        f"{''.join(items)}</ol>"
    )


def _left(possible: Sequence[str], options: Sequence[str]) -> str:
    """What the views up to here prove, in words."""
    if len(possible) == 1:
        return f"<span class='left sure'>proves <b>{escape(possible[0])}</b></span>"
    if len(possible) == len(options):
        return "<span class='left'>rules out nothing</span>"
    return f"<span class='left'>possible: <b>{escape(', '.join(possible))}</b></span>"


def _episodes(case: _Case, pictures: _Pictures) -> str:
    parts = []
    options = case.instance.question.options
    for paradigm in case.paradigms:
        played = case.of(paradigm)
        title = PARADIGM_TITLES.get(paradigm, paradigm)
        active = paradigm in PARADIGMS and PARADIGMS[paradigm].active
        if active:
            for item in played:
                name = f"{title}: {_agent(item.episode)}"
                frames = _moves(item.episode)
                inside = _strip(frames, pictures, name, options) if frames else ""
                parts.append(_details(case, item, title, inside))
        elif paradigm == "passive_multi":
            # All were shown the same views: one strip serves them all.
            shown = next((item for item in played if item.episode.steps), None)
            frames = [] if shown is None else _walk(shown.episode)
            strip = _strip(frames, pictures, title, options) if frames else ""
            said = "".join(f"<span>{_said(item, with_name=True)}</span>" for item in played)
            parts.append(
                f"<details><summary><span class='who'>{escape(title)}</span>{said}</summary>"
                f"{strip}</details>"
            )
    return "".join(parts) or "<p class='soft'>No episode with more than the first view.</p>"


def _details(case: _Case, item: Scored, title: str, inside: str) -> str:
    episode = item.episode
    last = episode.steps[-1] if episode.steps else None
    facts = [f"<span class='who'>{escape(_agent(episode))}</span>", _said(item)]
    if last is not None:
        actions = len(episode.steps) - 1
        facts.append(f"<span class='soft'>{actions} action{'' if actions == 1 else 's'}</span>")
        facts.append(f"<span class='soft'>evidence {last.evidence:.2f}</span>")
    if episode.stop_reason == "forced":
        facts.append("<span class='soft'>answer forced after the last action</span>")
    if episode.error:
        facts.append(f"<span class='failed'>{escape(episode.error)}</span>")
    found = case.why.get(episode.key)
    if found is not None and found.reason not in ("", "error"):
        facts.append(f"<span class='soft'>{escape(_words(found.reason))}</span>")
        inside = _why(found) + inside
    return (
        f"<details id='{_anchor(case, episode)}'><summary><span class='soft'>{escape(title)}:"
        f"</span>{' '.join(facts)}</summary>{inside}</details>"
    )


def _why(found: Attribution) -> str:
    """Why the answer is wrong, and what would have decided it where there was a way left."""
    way = f" ({escape(', '.join(found.way))})" if found.way else ""
    return (
        f"<p><b>{escape(_words(found.reason).capitalize())}:</b> "
        f"{escape(REASONS[found.reason])}{way}.</p>"
    )


def _said(item: Scored, *, with_name: bool = False) -> str:
    """The answer of an episode, marked right or wrong in colour, sign and word."""
    episode = item.episode
    if episode.stop_reason == "error":
        text, kind = "failed to run", "wrong"
    elif episode.answer is None:
        text, kind = "✗ no answer", "wrong"
    else:
        sign, kind = ("✓", "right") if item.correct else ("✗", "wrong")
        text = f"{sign} {episode.answer}"
    name = f"<span class='soft'>{escape(_agent(episode))}</span> " if with_name else ""
    return f"{name}<span class='verdict {kind}' title='{kind}'>{escape(text)}</span>"


def _verdicts(case: _Case) -> str:
    """Agents x paradigms: what each said."""
    heads = "".join(
        f"<th scope='col'>{escape(PARADIGM_TITLES.get(name, name))}</th>" for name in case.paradigms
    )
    lines = []
    for agent in case.agents:
        cells = []
        for paradigm in case.paradigms:
            mine = [item for item in case.of(paradigm) if _agent(item.episode) == agent]
            cells.append(f"<td>{'<br>'.join(_said(item) for item in mine)}</td>")
        lines.append(f"<tr><th scope='row'>{escape(agent)}</th>{''.join(cells)}</tr>")
    return (
        "<h4>Answers</h4><div class='wide'><table class='verdicts'><thead><tr>"
        f"<th scope='col'>agent</th>{heads}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


# --- the evidence curve --------------------------------------------------------------------------


def _curve(case: _Case) -> str:
    """Evidence of the ideal observer, view by view: oracle trajectory and each acting agent."""
    series: list[tuple[str, list[float]]] = []
    instance = case.instance
    if instance.oracle_possible:
        series.append(
            ("oracle", [evidence_of(left, instance.question) for left in instance.oracle_possible])
        )
    for item in case.scored:
        active = item.episode.paradigm in PARADIGMS and PARADIGMS[item.episode.paradigm].active
        if active and item.episode.steps:
            values = [step.evidence for step in item.episode.steps]
            series.append((_agent(item.episode), values))
    if not series:
        return "<p class='soft'>No trajectory to draw.</p>"
    left, top, width, height = 46, 14, 420, 120
    last = max(1, *(len(values) - 1 for _, values in series))

    def x(step: float) -> float:
        return left + width * step / last

    def y(value: float) -> float:
        return top + height * (1.0 - value)

    parts = []
    for value, label in ((0.0, "0"), (0.5, "0.5"), (1.0, "1")):
        parts.append(
            f"<line class='grid' x1='{left}' x2='{left + width}' y1='{y(value)}' y2='{y(value)}'/>"
            f"<text x='{left - 8}' y='{y(value) + 4}' text-anchor='end'>{label}</text>"
        )
    ticks = sorted({0, last, *range(0, last + 1, 5 if last > 8 else 1)})
    for tick in ticks:
        if tick == last or last - tick >= (2 if last > 8 else 1):
            parts.append(
                f"<text x='{x(tick):.1f}' y='{top + height + 18}' text-anchor='middle'>{tick}"
                "</text>"
            )
    parts.append(
        f"<text x='{left + width / 2}' y='{top + height + 36}' text-anchor='middle'>"
        "actions taken</text>"
    )
    keys = []
    for k, (name, values) in enumerate(series):
        colour = f"var(--series-{k % 6})"
        # Equal curves stay visible beside each other.
        shift = 2.5 * (k - (len(series) - 1) / 2)
        points = [f"{x(0):.1f},{y(values[0]) + shift:.1f}"]
        for step, value in enumerate(values[1:], start=1):
            points.append(f"{x(step):.1f},{y(values[step - 1]) + shift:.1f}")
            points.append(f"{x(step):.1f},{y(value) + shift:.1f}")
        end = x(len(values) - 1), y(values[-1]) + shift
        parts.append(
            f"<polyline class='line' style='stroke:{colour}' points='{' '.join(points)}'/>"
            f"<circle class='end' style='fill:{colour}' cx='{end[0]:.1f}' cy='{end[1]:.1f}' "
            "r='4'/>"
        )
        keys.append(
            f"<span><svg><line x1='0' x2='22' y1='6' y2='6' style='stroke:{colour};"
            f"stroke-width:2.5'/></svg>{escape(name)}</span>"
        )
    label = "; ".join(
        f"{name}: {values[-1]:.2f} after {len(values) - 1} actions" for name, values in series
    )
    return (
        f"<svg class='curve' viewBox='0 0 {left + width + 12} {top + height + 42}' role='img' "
        f"aria-label='Evidence by action. {escape(label)}'>{''.join(parts)}</svg>"
        f"<div class='legend'>{''.join(keys)}</div>"
    )


# --- how the label came about --------------------------------------------------------------------


def _derivation(instance: Instance) -> str:
    checks = "".join(
        f"<dt>{escape(check.name)}</dt><dd>{'passed' if check.passed else 'FAILED'}"
        f"{_numbers(check.numbers)}</dd>"
        for check in instance.checks
    )
    return (
        "<details><summary><span class='who'>How the answer was measured</span></summary>"
        "<dl class='numbers'>"
        f"{_evidence('label', instance.label)}{_evidence('second witness', instance.witness)}"
        f"<dt>made by</dt><dd>{escape(instance.backend)} {escape(instance.backend_version)}, "
        f"seed {instance.seed}, index {instance.index}</dd>{checks}</dl></details>"
    )


def _evidence(name: str, evidence: Evidence) -> str:
    return (
        f"<dt>{name}</dt><dd><b>{escape(evidence.answer)}</b> by {escape(_words(evidence.method))}"
        f"{_numbers(evidence.numbers)}</dd>"
    )


def _numbers(numbers: Mapping[str, float]) -> str:
    text = ", ".join(f"{_words(name)} {value:.4g}" for name, value in numbers.items())
    return f": {escape(text)}" if text else ""


def _agent(episode: EpisodeRecord) -> str:
    return f"{episode.agent}/{episode.model}" if episode.model else episode.agent


def _anchor(case: _Case, episode: EpisodeRecord) -> str:
    return escape(f"e-{case.instance.id}-{episode.paradigm}-{_agent(episode)}")


def _action(action: ActionRecord | None) -> str:
    return "nothing" if action is None else format_action(action)


def _words(name: str) -> str:
    return name.replace("_", " ")
