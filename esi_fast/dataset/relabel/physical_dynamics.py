"""Physical Dynamics: whether a thing stays on a slope, and which orders of stacking stand.

Both are decided from recorded poses before and after the simulation, not from its flags. A slope
says nothing about a thing that was never put on it. A stack stands if it still does in its last
recorded pose: some were found standing and then fell before their picture was taken.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._reading import (
    Fields,
    FloatArray,
    Stored,
    box_shape,
    metadata,
    path_shape,
)
from esi_fast.dataset.relabel._registry import judged, label_of, rule
from esi_fast.dataset.relabel._verdict import Judgement, Shape, Verdict

__all__: list[str] = []

# Paper, Q.4: a thing slides if it moves by more than this, falls if it drops by more.
SLIDE_M: Final = 0.03
DROP_M: Final = 0.05
# Further thresholds for sliding, and how near to the paper's a way is a near tie.
SLIDES_M: Final = (0.02, 0.05)
SLIDE_TIE_M: Final = 0.01
# A thing that floats higher than this over the slab was not put on it (its box stands on a slope
# with a corner, so that its distance is at most zero when it touches).
FLOAT_M: Final = 0.03

# Paper, Q.5: an upper box starts this much higher, footprints share this much, and the upright
# axis keeps this much of its height (26 degrees).
RISE_M: Final = 0.02
SHARED: Final = 0.1
UPRIGHT: Final = 0.9
# A body that has moved farther than this since the check is no longer what was checked.
MOVED_M: Final = 0.05
# An order that is missing among the labelled ones must stand more clearly.
SURELY_UPRIGHT: Final = 0.95


@rule(
    "physical_dynamics/inclined_plane",
    reasons={
        "never_on_slope": "the thing was not put on the slope, so its way says nothing",
        "other_end_state": "the recorded poses before and after say the opposite",
    },
)
def inclined_plane(question: OfficialQuestion) -> Verdict:
    """ "Will the X stay stable (not slide) when placed on the slope?" """
    top = metadata(question)
    thing = top.at("objects", "task_obj")
    before, after = (thing.box(f"aabb_min_{at}", f"aabb_max_{at}") for at in ("init", "final"))
    start, end = thing.at("pos_init").vector(3), thing.at("pos_final").vector(3)
    slope = top.at("slope")
    center = slope.at("centre").vector(3)
    half = 0.5 * top.at("slope_scale").vector(3)
    axes = geo.transforms.quat_to_matrix(top.at("slope_quaternion").quaternion())
    local = axes.T @ (geo.boxes.center(before) - center)
    normal = axes[:, 2]
    height = float(local[2] - half[2] - 0.5 * geo.boxes.size(before) @ np.abs(normal))
    beyond = float(max(abs(local[0]) - half[0], abs(local[1]) - half[1]))
    way = float(np.hypot(*(end - start)[:2]))
    drop = float(before[0, 2] - after[0, 2])
    angle = math.degrees(math.acos(min(1.0, abs(float(normal[2])))))

    stored = Stored()
    # The angle is written to 0.01 degree, the quaternion to 1e-4.
    stored.compare(top.find("slope_angle_deg"), angle, tolerance=0.03)

    def answer(slide: float) -> str:
        return "no" if way > slide or drop > DROP_M else "yes"

    label, derived = label_of(question), answer(SLIDE_M)
    margin = max(way - SLIDE_M, drop - DROP_M)
    friction = top.at("static_friction").number(0.0, 100.0)
    numbers = {
        "moved_m": way,
        "dropped_m": drop,
        "beyond_slope_m": beyond,
        "over_slope_m": height,
        "slope_deg": angle,
        "slides_from_deg": math.degrees(math.atan(friction)),
    }
    shapes = [box_shape("before", before), box_shape("after", after), _slab(center, half, axes)]
    agrees = derived == label.casefold()
    off = max(beyond, height - FLOAT_M)

    def found(
        verdict: Judgement,
        reason: str,
        *,
        derived: str,
        margin: float,
        threshold: str,
        near: bool,
        others: Mapping[str, str] | None = None,
    ) -> Verdict:
        return judged(
            question,
            verdict,
            reason,
            derived=derived,
            margin=margin,
            unit="m",
            threshold=threshold,
            others=others,
            near_tie=near,
            numbers=numbers,
            detail=f"moved {way:.3f} m and {drop:.3f} m down",
            stored=stored,
            shapes=shapes,
        )

    if off > 0.0:
        return found(
            "undecidable",
            "never_on_slope",
            derived="",
            margin=off,
            threshold=f"the centre over the slab, the box at most {FLOAT_M} m above it",
            near=off < SLIDE_TIE_M,
        )
    return found(
        "agrees" if agrees else "contradicts",
        "as_labelled" if agrees else "other_end_state",
        derived=derived,
        margin=abs(margin),
        threshold=f"moved by more than {SLIDE_M} m in the plane, or down by more than {DROP_M} m",
        others={f"slides beyond {slide} m": answer(slide) for slide in SLIDES_M},
        near=abs(margin) < SLIDE_TIE_M or off > -SLIDE_TIE_M,
    )


def _slab(center: FloatArray, half: FloatArray, axes: FloatArray) -> Shape:
    """The upper side of the slope, to draw."""
    signs = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1], [-1, -1, 1]])
    return path_shape("slope", center + (signs * half) @ axes.T)


# --- stacks --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Trial:
    """One order, bottom first: ``boxes`` (K, 2, 3) and uprightness (K,) in the last record.

    ``moved`` (K,) is how far each body has gone since the check, ``checked`` the boxes then.
    """

    names: tuple[str, ...]
    boxes: FloatArray
    checked: FloatArray
    upright: FloatArray

    @property
    def moved(self) -> float:
        return float(np.linalg.norm(self.boxes[:, 0] - self.checked[:, 0], axis=1).max())

    @property
    def fell(self) -> float:
        """How far the lowest point of a body went down since the check, at most."""
        return float((self.checked[:, 0, 2] - self.boxes[:, 0, 2]).max())

    def stands(
        self, rise: float = RISE_M, shared: float = SHARED, upright: float = UPRIGHT
    ) -> bool:
        held = geo.boxes.support(self.boxes[:-1], self.boxes[1:], min_rise=rise, min_iou=shared)
        return bool(held.all()) and float(self.upright.min()) >= upright


def _trial(
    item: Fields, start: Mapping[str, FloatArray], names: Mapping[str, str], stored: Stored
) -> _Trial:
    order = [entry.text() for entry in item.at("order").items()]
    boxes, checked, upright = [], [], []
    for name in order:
        if name not in start:
            raise item.at("order").error(f"{name!r} has no initial pose")
        last = item.at("snaps", name)
        boxes.append(last.box())
        check = item.at("post_aabbs", name)
        checked.append(check.box("min", "max"))
        stored.compare_vector(check.find("extent"), geo.boxes.size(checked[-1]))
        stored.compare_vector(check.find("centre"), geo.boxes.center(checked[-1]))
        turn = geo.transforms.quat_to_matrix(last.at("quaternion_xyzw").quaternion())
        # Models are upright about their own vertical, or as they first stood.
        since = turn @ (start[name].T @ np.array([0.0, 0.0, 1.0]))
        upright.append(max(float(turn[2, 2]), float(since[2])))
    return _Trial(
        tuple(names[name] for name in order),
        np.stack(boxes),
        np.stack(checked),
        np.array(upright),
    )


def _plain(text: str) -> str:
    return text.replace("_", " ").casefold()


@rule(
    "physical_dynamics/stacking_stability",
    reasons={
        "fell_down": "a labelled order has come down in its last recorded pose",
        "order_missing": "an order that stands as well is not among the labelled ones",
        "doubtful_order": "whether an order stands depends on the threshold",
        "not_tried": "a labelled order was not tried",
    },
)
def stacking_stability(question: OfficialQuestion) -> Verdict:
    """ "How should you stack A, B and C to maximize stability?": the orders that stand."""
    top = metadata(question)
    keys = [item.text() for item in top.at("object_names").items()]
    categories = [_plain(item.text()) for item in top.at("object_categories").items()]
    offered = {_plain(option.text): option.text for option in question.slots[0].options}
    if len(keys) != len(categories) or sorted(offered) != sorted(categories):
        raise top.at("object_categories").error("expected the things to choose from, once each")
    names = {key: offered[category] for key, category in zip(keys, categories, strict=True)}
    start = {
        key: geo.transforms.quat_to_matrix(
            top.at("initial_poses", key, "quaternion_xyzw").quaternion()
        )
        for key in keys
    }
    stored = Stored()
    trials = [_trial(item, start, names, stored) for item in top.at("trials").items()]
    by_order = {trial.names: trial for trial in trials}
    labelled = list(question.answer_texts)

    def standing(**thresholds: float) -> str:
        orders = [trial.names for trial in trials if trial.stands(**thresholds)]
        shown = [order for order in labelled if order in orders]
        shown += sorted(order for order in orders if order not in labelled)
        return " or ".join(" | ".join(order) for order in shown)

    derived = standing()
    others = {
        "any shared footprint": standing(shared=0.0),
        "within 18 degrees of upright": standing(upright=SURELY_UPRIGHT),
        "within 45 degrees of upright": standing(upright=0.7),
        "0.05 m higher": standing(rise=0.05),
    }
    missing = [order for order in labelled if order not in by_order]
    down = [by_order[o] for o in labelled if o in by_order and not by_order[o].stands()]
    fallen = [trial for trial in down if trial.moved > MOVED_M]
    extra = [trial for trial in trials if trial.names not in labelled and trial.stands()]
    sure = [trial for trial in extra if trial.stands(upright=SURELY_UPRIGHT)]

    def found(verdict: Judgement, reason: str, shown: Sequence[_Trial], near: bool) -> Verdict:
        worst = max(shown, key=lambda trial: trial.moved, default=None)
        numbers = {} if worst is None else _stack_numbers(worst)
        shapes = [] if worst is None else _stack_shapes(worst)
        shown_names = "; ".join(" < ".join(trial.names) for trial in shown)
        fell = reason == "fell_down" and worst is not None
        return judged(
            question,
            verdict,
            reason,
            derived=derived,
            margin=None if worst is None else (worst.moved - MOVED_M if fell else 0.0),
            unit="" if worst is None else "m",
            threshold=f"no body moved by more than {MOVED_M} m after the check"
            if fell
            else f"upper box {RISE_M} m higher, {SHARED} of the footprints shared, 26 degrees",
            # Where an order has come down, other thresholds matter only for the rest.
            others=others,
            near_tie=near,
            numbers=numbers,
            detail=shown_names,
            stored=stored,
            shapes=shapes,
        )

    if missing:
        return found("undecidable", "not_tried", [], True)
    if fallen:
        surely = any(t.fell > MOVED_M or not t.stands(upright=0.7) for t in fallen)
        return found("contradicts", "fell_down", fallen, not surely)
    if sure:
        return found("contradicts", "order_missing", sure, False)
    if down or extra:
        return found("undecidable", "doubtful_order", down + extra, True)
    return found("agrees", "as_labelled", [], any(o != derived for o in others.values()))


def _stack_shapes(trial: _Trial) -> list[Shape]:
    """The bodies as they lie in the end, and where all of them stood at the check."""
    last = [box_shape(name, box) for name, box in zip(trial.names, trial.boxes, strict=True)]
    if trial.moved <= MOVED_M:
        return last
    return [box_shape("stack when checked", geo.boxes.union(trial.checked)), *last]


def _stack_numbers(trial: _Trial) -> dict[str, float]:
    numbers = {"moved_m": trial.moved, "fell_m": trial.fell}
    shared = geo.boxes.iou_xy(trial.boxes[:-1], trial.boxes[1:])
    for n, name in enumerate(trial.names):
        key = _plain(name).replace(" ", "_")
        numbers[f"{key}.bottom_m"] = float(trial.boxes[n, 0, 2])
        numbers[f"{key}.bottom_at_check_m"] = float(trial.checked[n, 0, 2])
        numbers[f"{key}.tilt_deg"] = math.degrees(math.acos(np.clip(trial.upright[n], -1, 1)))
        if n:
            numbers[f"{key}.shared_footprint"] = float(shared[n - 1])
    return numbers
