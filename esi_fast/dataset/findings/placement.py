"""Findings about where things are, and whether they can be seen from where the pictures are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.findings._registry import Noted, rule
from esi_fast.dataset.findings._subject import FloatArray, Subject, Thing, View
from esi_fast.dataset.findings._words import plain

__all__: list[str] = []

# Boxes that share more than this are not merely settled into each other (engines let resting
# things sink in by some millimetres).
_DEPTH_M: Final = 0.01
# The least share of the smaller box: for things that stand along the axes, whose boxes are their
# own, and for turned things, whose boxes have empty corners.
_SHARE: Final = 0.10
_SHARE_TURNED: Final = 0.50
# Settled things sink into a floor by up to 5 mm in the release.
_SUNK_M: Final = 0.02
# A thing this far from all others of its question, or from the camera, is lost: the longest room
# of the release has 20 m.
_FAR_M: Final = 20.0
# What is compared side by side must be seen side by side.
_APART_M: Final = 5.0
# The least picture of a thing that counts as seen, in pixels of a picture of 512 x 512, and the
# field of view where none is recorded.
_PIXELS: Final = 32.0
_SIDE: Final = 512
_HFOV_DEG: Final = 70.0
# Half the widest field of view in question, corners included.
_OUTSIDE_DEG: Final = 60.0

_SIDE_BY_SIDE: Final = frozenset(
    {
        "perceptual_grounding/partial_occlusion",
        "perceptual_grounding/material_transparency",
        "physical_structure/rigid_containment",
        "physical_dynamics/stacking_stability",
        "spatial_relations/linear_alignment",
        "spatial_relations/geometric_configuration",
        "spatial_relations/physical_contact",
        "metric_comparison/dimensional_size",
        "metric_comparison/spatial_distance",
        "action_sequencing/action_order_inference",
    }
)


def _name(thing: Thing) -> str:
    same = plain(thing.name) == plain(thing.category) or not thing.category
    return f"'{plain(thing.category or thing.name)}'" + ("" if same else f" ({thing.name})")


def _along_axes(thing: Thing) -> bool:
    """Whether the thing's own axes are the world's, within 5 degrees."""
    if thing.orientation is None:
        return False
    norm = float(np.linalg.norm(thing.orientation))
    if norm < 1e-6:
        return False
    turn = np.abs(geo.transforms.quat_to_matrix(thing.orientation / norm))
    return bool((turn.max(axis=1) > np.cos(np.radians(5.0))).all())


@rule("interpenetration", "scene", "the boxes of two things share space")
def _interpenetration(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        solid = [t for t in subject.things if t.box is not None and t.role != "support"]
        for a, b in combinations(solid, 2):
            if a.within == b.name or b.within == a.name or a.box is None or b.box is None:
                continue
            shared = np.minimum(a.box[1], b.box[1]) - np.maximum(a.box[0], b.box[0])
            depth = float(shared.min())
            if depth <= _DEPTH_M:
                continue
            least = min(float(np.prod(t.box[1] - t.box[0])) for t in (a, b) if t.box is not None)
            share = float(np.prod(shared)) / max(least, 1e-12)
            if share <= (_SHARE if _along_axes(a) and _along_axes(b) else _SHARE_TURNED):
                continue
            numbers = {"depth_m": depth, "share_of_smaller": share}
            numbers |= {f"shared_{axis}_m": float(v) for axis, v in zip("xyz", shared, strict=True)}
            text = (
                f"the boxes of {_name(a)} and {_name(b)} share {100 * share:.0f} % of the smaller "
                f"one, {100 * depth:.1f} cm deep"
            )
            yield subject, numbers, text


def _floors(subjects: Sequence[Subject]) -> Mapping[tuple[str, str], float]:
    """Height of each room's floor: where the bottoms of most things are, table tops or not.

    Bottoms are counted by steps of 5 cm; of the fullest step, the median. A room with fewer than
    three things has no such floor.
    """
    bottoms: dict[tuple[str, str], list[float]] = {}
    for subject in subjects:
        for thing in subject.things:
            if thing.box is not None and thing.role != "support" and not thing.within:
                bottoms.setdefault((subject.scene, subject.room), []).append(thing.box[0, 2])
    found = {}
    for room, heights in bottoms.items():
        if len(heights) >= 3:
            values = np.array(heights)
            steps, counts = np.unique(np.rint(values / 0.05), return_counts=True)
            fullest = steps[int(np.argmax(counts))]
            found[room] = float(np.median(values[np.abs(values / 0.05 - fullest) <= 0.5 + 1e-9]))
    return found


@rule("below_floor", "scene", "a thing is below the floor")
def _below_floor(subjects: Sequence[Subject]) -> Iterator[Noted]:
    floors = _floors(subjects)
    for subject in subjects:
        floor = subject.floor
        if floor is None:
            floor = min(floors.get((subject.scene, subject.room), 0.0), 0.0)
        for thing in subject.things:
            if thing.box is None or thing.role in ("support", "room"):
                continue
            below = floor - float(thing.box[0, 2])
            if below > _SUNK_M:
                lost = f"{below:.1f} m" if below > 1.0 else f"{100 * below:.1f} cm"
                numbers = {"below_m": below, "floor_z_m": floor, "bottom_z_m": thing.box[0, 2]}
                yield subject, numbers, f"{_name(thing)} reaches {lost} below the floor"


def _middles(subject: Subject) -> list[tuple[Thing, FloatArray]]:
    return [
        (thing, thing.middle)
        for thing in subject.things
        if thing.middle is not None and thing.role not in ("support", "room")
    ]


@rule("far_away", "scene", "a thing is nowhere near the others or the camera")
def _far_away(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        eyes = [view.position for view in subject.views if view.position is not None]
        middles = _middles(subject)
        for thing, at in middles:
            around = eyes or [other for item, other in middles if item is not thing]
            if not around:
                continue
            nearest = float(np.linalg.norm(np.stack(around) - at, axis=1).min())
            if nearest > _FAR_M:
                what = "the nearest camera" if eyes else "the nearest other thing"
                text = f"{_name(thing)} is {nearest:.0f} m from {what}"
                yield subject, {"nearest_m": nearest}, text


@rule("far_apart", "scene", "things to be compared side by side are in different places")
def _far_apart(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        if subject.task not in _SIDE_BY_SIDE:
            continue
        middles = _middles(subject)
        pairs = [
            (float(np.linalg.norm(p - q)), a, b) for (a, p), (b, q) in combinations(middles, 2)
        ]
        if pairs:
            most, a, b = max(pairs, key=lambda pair: pair[0])
            if most > _APART_M:
                text = f"{_name(a)} and {_name(b)} are {most:.1f} m apart"
                yield subject, {"apart_m": most}, text


@rule("camera_inside", "sight", "the first camera stands inside a thing")
def _camera_inside(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        eye = subject.views[0].position if subject.views else None
        if eye is None:
            continue
        for thing in subject.things:
            if thing.box is None or thing.role == "support":
                continue
            inside = float(np.minimum(eye - thing.box[0], thing.box[1] - eye).min())
            if inside > 0.0:
                text = f"the first camera is {100 * inside:.1f} cm inside the box of {_name(thing)}"
                yield subject, {"inside_m": inside}, text


def _posed(subject: Subject) -> list[View]:
    return [v for v in subject.views if v.position is not None and v.orientation is not None]


def _angle_deg(view: View, at: FloatArray) -> float:
    """Angle between where a camera looks and where something is."""
    assert view.position is not None
    assert view.orientation is not None
    norm = float(np.linalg.norm(view.orientation))
    way = at - view.position
    length = float(np.linalg.norm(way))
    if norm < 1e-6 or length < 1e-6:
        return 0.0
    ahead = -geo.transforms.quat_to_matrix(view.orientation / norm)[:, 2]
    return float(np.degrees(np.arccos(np.clip(ahead @ way / length, -1.0, 1.0))))


@rule("never_in_view", "sight", "no camera looks towards a thing of the question")
def _never_in_view(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        # What a mirror shows is behind the camera, what a lid hides is seen when it is open.
        views = _posed(subject)
        if not views or subject.task.startswith("specular_reflection/"):
            continue
        for thing, at in _middles(subject):
            if thing.role == "other":
                continue
            least = min(_angle_deg(view, at) for view in views)
            if least > _OUTSIDE_DEG:
                text = (
                    f"{_name(thing)} is at least {least:.0f} degrees off where any of the "
                    f"{len(views)} recorded cameras looks"
                )
                yield subject, {"least_angle_deg": least, "views": float(len(views))}, text


@rule("too_small_to_see", "sight", "a thing is too far off to be made out")
def _too_small(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        eyes = [view.position for view in subject.views if view.position is not None]
        if not eyes or subject.task.startswith("specular_reflection/"):
            continue
        focal = 0.5 * _SIDE / np.tan(np.radians(0.5 * (subject.hfov_deg or _HFOV_DEG)))
        for thing, at in _middles(subject):
            if thing.box is None or thing.role == "other":
                continue
            distance = float(np.linalg.norm(np.stack(eyes) - at, axis=1).min())
            sides = np.sort(thing.box[1] - thing.box[0])
            # The largest face, seen square on.
            pixels = float(sides[1] * sides[2] * (focal / max(distance, 1e-3)) ** 2)
            if pixels < _PIXELS and distance <= _FAR_M:
                text = (
                    f"{_name(thing)} covers at most {pixels:.0f} pixels of {_SIDE} x {_SIDE} "
                    f"from the nearest camera, {distance:.1f} m away"
                )
                yield subject, {"pixels": pixels, "distance_m": distance}, text


@rule("placement_failed", "scene", "the record says that a thing could not be placed")
def _placement_failed(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        failed = [thing for thing in subject.things if not thing.placed]
        if failed:
            names = ", ".join(_name(thing) for thing in failed)
            text = f"{names} could not be placed and stayed in the scene"
            yield subject, {"failed": float(len(failed))}, text


def _most(subject: Subject, name: str) -> float | None:
    """The most that any view saw of a thing; ``None`` where no view says anything of it."""
    values = [view.seen[name] for view in subject.views if view.seen and name in view.seen]
    return max(values) if values else None


def _mute(subjects: Sequence[Subject]) -> frozenset[tuple[str, str]]:
    """(subcategory, thing) that no row of ten or more ever records as seen.

    Such a record says nothing about any one row. Names are taken without their numbers.
    """
    rows: Counter[tuple[str, str]] = Counter()
    seen: set[tuple[str, str]] = set()
    for subject in subjects:
        kinds = set()
        for thing in subject.questioned():
            most = _most(subject, thing.name)
            if most is not None:
                kinds.add((subject.task, _kind(thing)))
                if most > 0.0:
                    seen.add((subject.task, _kind(thing)))
        rows.update(kinds)
    return frozenset(key for key, number in rows.items() if number >= 10 and key not in seen)


def _kind(thing: Thing) -> str:
    return "box" if thing.role == "holder" else re.sub(r"\d+", "", thing.name)


@rule("sight_says_nothing", "record", "no row of the subcategory ever records the thing as seen")
def _sight_says_nothing(subjects: Sequence[Subject]) -> Iterator[Noted]:
    mute = _mute(subjects)
    for subject in subjects:
        names = [t for t in subject.questioned() if (subject.task, _kind(t)) in mute]
        names = [thing for thing in names if _most(subject, thing.name) is not None]
        if names:
            text = f"{', '.join(map(_name, names))} unseen here as in all rows of the subcategory"
            yield subject, {"seen": 0.0}, text


@rule("never_seen", "sight", "no recorded view shows a thing of the question")
def _never_seen(subjects: Sequence[Subject]) -> Iterator[Noted]:
    mute = _mute(subjects)
    for subject in subjects:
        for thing in subject.questioned():
            if (subject.task, _kind(thing)) in mute or _most(subject, thing.name) != 0.0:
                continue
            views = sum(thing.name in (view.seen or {}) for view in subject.views)
            text = f"{_name(thing)} is recorded as unseen in each of {views} views"
            yield subject, {"views": float(views), "seen": 0.0}, text


# What is asked is what the first picture (of each phase) shows.
_FIRST_COUNTS: Final = frozenset(
    {
        "perceptual_grounding/view_hallucination",
        "perceptual_grounding/partial_occlusion",
        "temporal_understanding/unobserved_change",
    }
)


@rule("unseen_in_first_view", "sight", "the picture that is asked about does not show the thing")
def _unseen_first(subjects: Sequence[Subject]) -> Iterator[Noted]:
    mute = _mute(subjects)
    for subject in subjects:
        if subject.task not in _FIRST_COUNTS:
            continue
        views = [view for view in subject.views if view.seen]
        if subject.task != "temporal_understanding/unobserved_change":
            views = views[:1]
        for thing in subject.questioned():
            if (subject.task, _kind(thing)) in mute:
                continue
            blind = [view for view in views if (view.seen or {}).get(thing.name) == 0.0]
            if blind:
                names = ", ".join(view.name for view in blind)
                yield (
                    subject,
                    {"views": float(len(blind))},
                    f"{_name(thing)} is not seen in {names}",
                )
