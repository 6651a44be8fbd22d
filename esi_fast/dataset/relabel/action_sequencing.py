"""Action Sequencing: which candidate goes below and which on top, and where it lies in the picture.

The wrong candidate is smaller or larger than the right one, but not always in the way that
matters: a base may well be larger and what goes on top smaller. Then both will do, and the
question has no single answer.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._reading import Fields, FloatArray, box_shape, camera_shape, metadata
from esi_fast.dataset.relabel._registry import judged, label_of, rule
from esi_fast.dataset.relabel._verdict import Judgement, Verdict

__all__: list[str] = []

# How much of the other's footprint each side must have; the release makes the wrong ones 0.88 to
# 0.93 or 1.25 to 1.35 of what is needed.
FIT: Final = 1.0
FITS: Final = (0.95, 1.05)
FIT_TIE: Final = 0.02
# A direction in the picture closer than this to a diagonal has no one name.
DIAGONAL_DEG: Final = 5.0


def _camera(item: Fields) -> geo.Camera:
    """The camera of a view; field of view and size are not recorded and change no direction."""
    return geo.Camera(
        item.at("pose", "position").vector(3),
        item.at("pose", "quaternion_xyzw").quaternion(),
        1000,
        1000,
        60.0,
    )


def _direction(camera: geo.Camera, point: FloatArray, origin: FloatArray) -> tuple[str, float]:
    """Where ``point`` appears from ``origin`` in the picture, and degrees from a diagonal."""
    ahead = camera.project(np.stack([point, origin]))
    right, down = ahead.pixels[0] - ahead.pixels[1]
    angle = abs(math.degrees(math.atan2(abs(down), abs(right))) - 45.0)
    if abs(right) > abs(down):
        return ("right" if right > 0.0 else "left"), angle
    return ("below" if down > 0.0 else "above"), angle


def _footprint(box: FloatArray) -> FloatArray:
    """Sides (2,) of a box seen from above, the shorter one first."""
    return np.sort(geo.boxes.size(box)[:2])


@rule(
    "action_sequencing/action_order_inference",
    reasons={
        "both_fit": "both candidates fit, so that there are two right answers",
        "none_fits": "no candidate fits",
        "other_fits": "only the other candidate fits",
        "other_place": "the candidate that fits lies elsewhere in the picture",
        "on_diagonal": "where the candidate lies in the picture has no one name",
    },
)
def action_order_inference(question: OfficialQuestion) -> Verdict:
    """ "Which A should go under B, and which C on top?": footprints, then places in view 0."""
    top = metadata(question)
    if [slot.name for slot in question.slots] != ["A", "C"]:
        raise top.error("expected the blanks A and C")
    for name in ("relation_A", "relation_C"):
        if top.at("hierarchy", name).text() != "on_top_of":
            raise top.at("hierarchy", name).error("expected on_top_of")
    poses = top.at("initial_poses")
    fixed = poses.at("obj_fixed").box()
    view = next(iter(top.at("stage0_initial_views").items()), None)
    if view is None:
        raise top.at("stage0_initial_views").error("expected a view")
    camera = _camera(view)
    labels = question.answer_texts[0]
    shapes = [
        camera_shape("camera", camera.position, camera.orientation),
        box_shape("fixed", fixed),
    ]
    numbers: dict[str, float] = {}
    blanks = []
    for blank in ("A", "C"):
        ratios, places, diagonals = [], [], []
        for which in ("correct", "wrong"):
            box = poses.at(f"obj_{blank}_{which}").box()
            shapes.append(box_shape(f"{blank} {which}", box))
            lower, upper = (box, fixed) if blank == "A" else (fixed, box)
            ratios.append(float((_footprint(lower) / _footprint(upper)).min()))
            place, diagonal = _direction(camera, geo.boxes.center(box), geo.boxes.center(fixed))
            places.append(place)
            diagonals.append(diagonal)
            numbers[f"{blank}.{which}.ratio"] = ratios[-1]
            numbers[f"{blank}.{which}.from_diagonal_deg"] = diagonal
        blanks.append((ratios, places, diagonals))

    def answer(fit: float) -> str:
        """Where the only candidates that fit lie; empty if one blank has two or none."""
        found = []
        for ratios, places, _ in blanks:
            fitting = [p for r, p in zip(ratios, places, strict=True) if r >= fit]
            if len(fitting) != 1:
                return ""
            found.append(fitting[0])
        return " | ".join(found)

    fits = [sum(r >= FIT for r in ratios) for ratios, _, _ in blanks]
    chosen = [int(np.argmax(ratios)) for ratios, _, _ in blanks]
    margin = min(abs(r - FIT) for ratios, _, _ in blanks for r in ratios)
    derived = answer(FIT)
    shown = ", ".join(
        f"{blank} at {' or '.join(places)}, labelled {label}"
        for blank, (_, places, _), label in zip("AC", blanks, labels, strict=True)
    )

    def found(verdict: Judgement, reason: str, near: bool) -> Verdict:
        return judged(
            question,
            verdict,
            reason,
            derived=derived,
            margin=margin,
            unit="of the footprint",
            threshold="each side of the lower footprint at least the upper one's, sorted",
            others={f"ratio {fit}": answer(fit) for fit in FITS},
            near_tie=near or margin < FIT_TIE,
            numbers=numbers,
            detail=shown,
            shapes=shapes,
        )

    if 0 in fits:
        return found("undecidable" if margin < FIT_TIE else "contradicts", "none_fits", False)
    if 2 in fits:
        return found("undecidable", "both_fit", False)
    if derived == label_of(question):
        return found("agrees", "as_labelled", False)
    wrong = [n for n in (0, 1) if blanks[n][1][chosen[n]] != labels[n]]
    if any(blanks[n][2][chosen[n]] < DIAGONAL_DEG for n in wrong):
        return found("undecidable", "on_diagonal", True)
    elsewhere = any(labels[n] == blanks[n][1][1 - chosen[n]] for n in wrong)
    return found("contradicts", "other_fits" if elsewhere else "other_place", False)
