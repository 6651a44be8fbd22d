"""Physical Structure: what fits where, which vessel holds more, and what lies under a cloth.

Boxes bound what they hold from outside: what does not fit a container's box does not fit the
container, while what fits the box may still be stopped by its walls. No cavity is recorded, so
which vessel holds more rests on the recorded particle counts. What lies under a cloth is told by
the size of its settled box, which must be that of the labelled model and of no other option's.
"""

from __future__ import annotations

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
    model_box,
    point_shape,
)
from esi_fast.dataset.relabel._registry import judged, label_of, rule
from esi_fast.dataset.relabel._verdict import Judgement, Shape, Verdict

__all__: list[str] = []

# Larger than this part of the container's box: it cannot go in, standing and turned about z.
FITS: Final = 1.0
# Walls take from a container's box; our own task fills 0.80 to 0.92 of an interior. A smaller
# container holds a thing for sure only at less than the release's own good fit, 1 / 1.3.
SURELY: Final = 1.0 / 1.3
SPARE: Final = 0.02
SURELIES: Final = (0.75, 0.85)
# Counts of the same model differ by up to 4 % between rows.
COUNT_TIE: Final = 0.04
# A settled box is recorded to 1e-4; meshes and their boxes differ by a few millimetres.
SIZE_M: Final = 0.005
SIZE_TIE_M: Final = 0.002


def _plain(text: str) -> str:
    return text.replace("_", " ").casefold()


# --- containers ----------------------------------------------------------------------------------


def _size(item: Fields) -> FloatArray:
    """Full size (3,) of a model as scaled, before it is turned."""
    return np.asarray(item.at("bbox_inventory").scale() * item.at("scale").scale())


def _containers(top: Fields, options: list[str]) -> dict[str, Fields]:
    """Container by option: by category, or by size where all are of one category.

    The names that the row gives them ("fit", "big") are not read: they tell the answer.
    """
    items = list(top.at("containers").entries().values())
    by_category = {_plain(item.at("cat").text()): item for item in items}
    if len(by_category) == len(items) and all(_plain(o) in by_category for o in options):
        return {option: by_category[_plain(option)] for option in options}
    sizes = ("small", "medium", "large")
    ordered = sorted(items, key=lambda item: float(_size(item).prod()))
    by_size = dict(zip(sizes, ordered, strict=False))
    if len(items) == 2 and any(_plain(option).startswith("large") for option in options):
        by_size = {"small": ordered[0], "large": ordered[1]}
    named = {option: _plain(option).split()[0] for option in options}
    if len(by_category) > 1 or any(size not in by_size for size in named.values()):
        raise top.at("containers").error(f"cannot tell which is which of {options}")
    return {option: by_size[size] for option, size in named.items()}


@rule(
    "physical_structure/rigid_containment",
    reasons={
        "does_not_fit": "a thing is larger than the container it is said to fit",
        "fits_smaller": "a smaller container, which no other thing needs, holds it well",
        "maybe_smaller": "a smaller container may hold it; its walls are not recorded",
    },
)
def rigid_containment(question: OfficialQuestion) -> Verdict:
    """ "Which container does X best fit inside?": the smallest one that it fits, by sizes."""
    top = metadata(question)
    options = [option.text for option in question.slots[0].options]
    containers = _containers(top, options)
    interiors = {name: _size(item) for name, item in containers.items()}
    things = {}
    for item in (top.at("containee"), *top.at("extras").entries().values()):
        things[_plain(item.at("cat").text())] = item
    asked = [slot.name for slot in question.slots]
    if asked == [""]:
        # The only thing that the question names.
        asked = [name for name in things if f" {name} " in f" {_plain(question.text)} "][:1]
    if not asked:
        raise top.at("containee", "cat").error("the question names none of the things")
    labels = dict(zip(asked, question.answer_texts[0], strict=True))
    shapes = [box_shape(n, c.at("final_pose").box()) for n, c in containers.items()]
    numbers: dict[str, float] = {}
    ratios: dict[str, dict[str, float]] = {}
    for name in asked:
        if _plain(name) not in things:
            raise top.at("containee", "cat").error(f"{name!r} is none of the things")
        item = things[_plain(name)]
        shapes.append(box_shape(name, item.at("final_pose").box()))
        size = _size(item)
        ratios[name] = {c: float(geo.boxes.fit_ratio(size, i)) for c, i in interiors.items()}
        for container, ratio in ratios[name].items():
            numbers[f"{name}.in.{container}".replace(" ", "_")] = ratio
    volume = {name: float(size.prod()) for name, size in interiors.items()}

    def smallest(surely: float) -> dict[str, str]:
        """The smallest container for each: one that surely holds it, or else the labelled one."""
        found = {}
        for name in asked:
            mine = labels[name]
            free = [
                c
                for c in volume
                if volume[c] < volume[mine]
                and c not in (other for n, other in labels.items() if n != name)
                and ratios[name][c] <= surely
            ]
            found[name] = min(free, key=lambda c: volume[c], default=mine)
        return found

    def answer(surely: float) -> str:
        found = smallest(surely)
        if any(ratios[name][found[name]] > FITS for name in asked):
            return ""
        return " | ".join(found[name] for name in asked)

    misfit = max((ratios[name][labels[name]] for name in asked), default=0.0)
    derived, label = answer(SURELY), label_of(question)

    def found(
        verdict: Judgement, reason: str, margin: float, threshold: str, near: bool
    ) -> Verdict:
        return judged(
            question,
            verdict,
            reason,
            derived=derived,
            margin=margin,
            unit="of the container's size",
            threshold=threshold,
            others={f"holds surely up to {s}": answer(s) for s in SURELIES},
            near_tie=near,
            numbers=numbers,
            detail="; ".join(
                f"{name}: "
                + ", ".join(f"{r:.2f} of {c}" for c, r in ratios[name].items())
                + f", labelled {labels[name]}"
                for name in asked
            ),
            shapes=shapes,
        )

    fits = "the thing's largest part of the container's size at most 1, upright"
    if misfit > FITS:
        return found("contradicts", "does_not_fit", misfit - FITS, fits, misfit < 1.05)
    if derived != label:
        smaller = smallest(SURELY)
        spare = max(
            SURELY - ratios[name][smaller[name]] for name in asked if smaller[name] != labels[name]
        )
        clear = spare > SPARE
        return found(
            "contradicts" if clear else "undecidable",
            "fits_smaller" if clear else "maybe_smaller",
            spare,
            f"at most {SURELY:.3f} of a smaller container that is free",
            not clear,
        )
    if answer(FITS) != label:
        return found("undecidable", "maybe_smaller", FITS - misfit, fits, True)
    margin = min(
        [
            ratios[name][c] - FITS
            for name in asked
            for c in volume
            if volume[c] < volume[labels[name]] and ratios[name][c] > FITS
        ],
        default=FITS - misfit,
    )
    return found("agrees", "as_labelled", min(margin, FITS - misfit), fits, False)


# --- vessels -------------------------------------------------------------------------------------


@rule(
    "physical_structure/liquid_volume",
    reasons={"other_holds_more": "the other vessel took up more particles"},
)
def liquid_volume(question: OfficialQuestion) -> Verdict:
    """ "Which container has a larger volume?": the particles that each took up when dipped."""
    top = metadata(question)
    vessels = {}
    for name in ("obj1", "obj2"):
        vessels[top.at(name, "side").text()] = top.at(name)
    if set(vessels) != {"left", "right"}:
        raise top.at("obj1", "side").error("expected one to the left and one to the right")
    options = [option.text for option in question.slots[0].options]
    named = [_plain(vessels[side].at("category").text()) for side in ("left", "right")]
    # The options may stand in either order; from here on the left vessel's is the first.
    if [_plain(option) for option in options] != named:
        options.reverse()
    if [_plain(option) for option in options] != named:
        raise top.at("obj1", "category").error(f"expected {sorted(options)}, got {named}")

    def particles(field: str) -> list[float]:
        return [vessels[side].at(field).number(0.0, 1e6) for side in ("left", "right")]

    def more(counts: list[float]) -> str:
        return "" if counts[0] == counts[1] else options[int(counts[1] > counts[0])]

    taken, before = particles("capacity_measured"), particles("capacity_from_json")
    first, second = (
        top.at(name, "capacity_measured").number(0.0, 1e6) for name in ("obj1", "obj2")
    )
    stored = Stored()
    stored.compare(top.find("capacity_diff_measured"), first - second)
    # Poured from the first into the second, what does not go in stays.
    stored.compare(top.find("final_particles_obj1"), max(first - second, 0.0))
    stored.compare(top.find("final_particles_obj2"), min(first, second))
    derived, margin = more(taken), abs(taken[0] - taken[1])
    agrees = derived == label_of(question)
    return judged(
        question,
        "agrees" if agrees else "contradicts" if derived else "undecidable",
        "as_labelled" if agrees else "other_holds_more",
        derived=derived,
        level="recorded",
        margin=margin,
        unit="particles",
        threshold="the greater number of particles that stay in the dipped vessel",
        others={"counted before, for the choice of pairs": more(before)},
        near_tie=margin < COUNT_TIE * max(taken),
        numbers={
            "left.particles": taken[0],
            "right.particles": taken[1],
            "left.particles_before": before[0],
            "right.particles_before": before[1],
        },
        detail="no cavity is recorded, only how many particles stayed in each",
        stored=stored,
    )


# --- cloths --------------------------------------------------------------------------------------


def _misfit(size: FloatArray, turn: FloatArray, box: FloatArray) -> float:
    """How far the settled box is from the model's, in its worst side.

    Of two readings the better one: the box around the model's box as it is turned (exact for what
    is a box), and the model's own sides in order (exact for what lies on a side of its own).
    """
    shown = geo.boxes.size(box)
    turned = np.abs(shown - np.abs(turn) @ size).max()
    own = np.abs(np.sort(shown) - np.sort(size)).max()
    return float(min(turned, own))


@rule(
    "physical_structure/deformable",
    reasons={
        "not_covered": "the cloth was not dropped where the thing lies",
        "size_of_another": "the settled box has the size of another option's model",
    },
)
def deformable(question: OfficialQuestion) -> Verdict:
    """ "What object is under this cloth?": whose model has the size of the settled box."""
    top = metadata(question)
    item = top.at("small_item")
    box = item.at("bbox_after_cover").box("min", "max")
    turn = geo.transforms.quat_to_matrix(
        item.at("pose_after_cover", "quaternion_xyzw").quaternion()
    )
    drop = top.at("cloth", "drop_position").vector(3)
    # The side of the square that the cloth covers when flat.
    reach = 0.5 * top.at("camera_poses", "cloth_footprint_xy_m").number(0.0, 10.0)
    label = label_of(question)
    options = {_plain(option.text): option.text for option in question.slots[0].options}
    placed = {_plain(item.at("category").text()): item.at("model").text()}
    for other in top.at("distractors").items():
        placed[_plain(other.at("category").text())] = other.at("model").text()
    if set(placed) != set(options):
        raise top.at("distractors").error("expected a model for each option")
    off = float(np.hypot(*(geo.boxes.center(box) - drop)[:2]))
    below = float(drop[2] - box[1, 2])
    shapes: list[Shape] = [box_shape("thing", box), point_shape("cloth dropped at", drop)]
    numbers = {"from_drop_m": off, "below_drop_m": below, "reach_m": reach}
    misfits = {}
    for name, model in placed.items():
        if (size := model_box(model)) is not None:
            misfits[name] = _misfit(size, turn, box)
            numbers[f"{name}.misfit_m".replace(" ", "_")] = misfits[name]
    like = [options[name] for name, misfit in misfits.items() if misfit <= SIZE_M]
    complete = len(misfits) == len(options)
    derived = like[0] if len(like) == 1 and complete else ""
    covered = off <= reach and below <= 1.0

    def found(verdict: Judgement, reason: str, margin: float | None, near: bool) -> Verdict:
        premise = reason == "not_covered"
        decided = premise or bool(derived)
        return judged(
            question,
            verdict,
            reason,
            # Where sizes do not tell the options apart, only the record of what was put there.
            derived="" if premise else derived or label,
            level="geometry" if decided else "recorded",
            margin=margin,
            unit="m" if margin is not None else "",
            threshold="the box's centre under the cloth where it was dropped"
            if premise
            else f"sizes of the model and of the settled box within {SIZE_M} m",
            near_tie=near,
            numbers=numbers,
            detail=f"sizes agree with: {', '.join(like) or 'none'}",
            shapes=shapes,
        )

    if not covered:
        margin = max(off - reach, below - 1.0)
        return found("undecidable", "not_covered", margin, margin < SIZE_M)
    if derived and derived != label:
        return found("contradicts", "size_of_another", SIZE_M - min(misfits.values()), False)
    if derived:
        rest = sorted(misfits.values())[1] - SIZE_M
        margin = min(SIZE_M - min(misfits.values()), rest)
        return found("agrees", "as_labelled", margin, rest < SIZE_TIE_M)
    return found("agrees", "as_labelled", None, False)
