"""Perceptual Grounding: which object is it, which one is hidden, is the small one inside.

Identities come from the placed model's category and, as a second witness, from its recorded box.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._deciding import OTHER_OBJECTS, other_objects, weigh
from esi_fast.dataset.relabel._identity import FIT_M, Identity, identify
from esi_fast.dataset.relabel._reading import (
    Body,
    Fields,
    FloatArray,
    body,
    box_shape,
    camera_shape,
    metadata,
)
from esi_fast.dataset.relabel._registry import judged, label_of, rule
from esi_fast.dataset.relabel._verdict import Judgement, Verdict

__all__: list[str] = []

# Boxes within this of each other's faces are neither clearly inside nor clearly out.
INSIDE_M: Final = 0.002
# Points of a box's surface, for the share of it that is hidden.
SAMPLES: Final = 2048

_IDENTITY: Final = {
    "other_thing": "the placed object belongs to another option",
    "no_option": "the placed object belongs to none of the options",
}


def _boxed(fields: Fields, name: str) -> tuple[Body, FloatArray]:
    found = body(name, fields)
    return found, fields.box()


def _identity_margin(identity: Identity) -> float | None:
    """How far the recorded box is beyond what the nearest model of another option allows."""
    if identity.level != "geometry":
        return None
    return identity.nearest_m - FIT_M


def _witness(identity: Identity) -> str:
    if identity.level == "geometry":
        return f"no model of another option comes within {identity.nearest_m:.3f} m of its box"
    if not np.isfinite(identity.nearest_m):
        return "no model of another option is known; the placed model's name decides"
    return (
        f"its box is {identity.own_m:.3f} m off its own model's and {identity.nearest_m:.3f} m off "
        "another option's; the placed model's name decides"
    )


@rule("perceptual_grounding/view_hallucination", reasons=_IDENTITY)
def view_hallucination(question: OfficialQuestion) -> Verdict:
    """ "Which object is this: A or B?" """
    label = label_of(question)
    target, box = _boxed(metadata(question).at("objects", "target"), "target")
    options = [option.text for option in question.slots[0].options]
    identity = identify(target, options)
    derived = identity.derived
    verdict: Judgement = weigh(label, derived, {}) if derived else "undecidable"
    reasons = {
        "agrees": "as_labelled",
        "contradicts": "other_thing",
        "undecidable": "no_option",
    }
    return judged(
        question,
        verdict,
        reasons[verdict],
        derived=derived,
        level=identity.level,
        margin=_identity_margin(identity),
        unit="m",
        threshold=f"from the recorded box to that of another option's nearest model, {FIT_M:g} m",
        near_tie=identity.own_m > FIT_M,
        numbers=identity.numbers | _extents(box),
        detail=f"{target.category} {target.model}: {_witness(identity)}",
        shapes=[box_shape(target.category, box)],
    )


def _extents(box: FloatArray) -> dict[str, float]:
    return {f"extent_{axis}_m": float(box[1, k] - box[0, k]) for k, axis in enumerate("xyz")}


@rule(
    "perceptual_grounding/partial_occlusion",
    reasons={
        **_IDENTITY,
        "not_occluded": "nothing recorded stands before the asked object in the first view",
    },
)
def partial_occlusion(question: OfficialQuestion) -> Verdict:
    """ "What is the occluded object: A or B?"

    The question holds if, from the first view, the occluder's box hides a part of the target's.
    """
    top = metadata(question)
    label = label_of(question)
    target, box = _boxed(top.at("objects", "target"), "target")
    occluder, front = _boxed(top.at("objects", "occluder"), "occluder")
    options = [option.text for option in question.slots[0].options]
    identity = identify(target, options)
    views = [v for v in top.at("camera_poses").entries().values() if v.at("view_idx").count() == 0]
    if len(views) != 1:
        raise top.at("camera_poses").error("expected one view with view_idx 0")
    eye, turn = views[0].at("position").vector(3), views[0].at("quaternion_xyzw").quaternion()
    hidden, hides = _hidden(eye, box, front), _hidden(eye, front, box)
    numbers = {
        "hidden_part": hidden,
        "hidden_part_of_occluder": hides,
        "eye_to_target_m": float(np.linalg.norm(box.mean(axis=0) - eye)),
        "eye_to_occluder_m": float(np.linalg.norm(front.mean(axis=0) - eye)),
        **identity.numbers,
    }
    derived = identity.derived if hidden > 0.0 else ""
    if not identity.derived:
        verdict: Judgement = "undecidable"
        reason = "no_option"
    elif hidden == 0.0:
        verdict, reason = "undecidable", "not_occluded"
    else:
        verdict = weigh(label, derived, {})
        reason = "as_labelled" if verdict == "agrees" else "other_thing"
    return judged(
        question,
        verdict,
        reason,
        derived=derived,
        level="geometry" if reason == "not_occluded" else identity.level,
        margin=hidden,
        unit="part of the box",
        threshold="part of the target's box that the occluder's box hides from the first view, 0",
        near_tie=identity.own_m > FIT_M or 0.0 < hidden < 0.05,
        numbers=numbers,
        detail=f"{target.category} {target.model}, {100 * hidden:.0f} % of its box hidden by "
        f"{occluder.category}: {_witness(identity)}",
        shapes=[
            camera_shape("first view", eye, turn),
            box_shape(target.category, box),
            box_shape(occluder.category, front),
        ],
    )


def _hidden(eye: FloatArray, box: FloatArray, front: FloatArray) -> float:
    """The part of the surface of ``box`` that ``front`` hides; its own far side does not count."""
    scene = geo.Scene()
    faces = np.array(_CUBE_FACES)
    for number, solid in enumerate((box, front)):
        scene.add_instance(scene.add_mesh(geo.boxes.corners(solid), faces), object_id=number)
    return 1.0 - float(
        geo.occlusion.visible_fraction(scene, eye[None], 0, samples=SAMPLES, threads=1)[0]
    )


# Corners count up with bit k choosing the upper side of axis k.
_CUBE_FACES: Final = (
    (0, 2, 1),
    (1, 2, 3),
    (4, 5, 6),
    (5, 7, 6),
    (0, 1, 4),
    (1, 5, 4),
    (2, 6, 3),
    (3, 6, 7),
    (0, 4, 2),
    (2, 4, 6),
    (1, 3, 5),
    (3, 7, 5),
)


@rule(
    "perceptual_grounding/material_transparency",
    reasons={
        **OTHER_OBJECTS,
        "outside": "the small object is not within the container's box",
        "inside": "the small object is wholly within the container's box",
        "straddles": "the small object is partly within the container's box",
    },
)
def material_transparency(question: OfficialQuestion) -> Verdict:
    """ "Is the A inside the B?"

    What is outside the box of a container is outside the container. What is within it could only be
    outside where the container leaves room in its own box.
    """
    objects = metadata(question).at("objects")
    label = label_of(question)
    small, inner = _boxed(objects.at("obj_small"), "obj_small")
    container, outer = _boxed(objects.at("obj_container"), "obj_container")
    gap = float(geo.boxes.gap(outer, inner).max())
    out = float(np.maximum(outer[0] - inner[0], inner[1] - outer[1]).max())
    contained = bool(geo.boxes.contains(outer, inner, tolerance=INSIDE_M))
    middle = bool(geo.boxes.contains_points(outer, inner.mean(axis=0)[None])[0])
    numbers = {
        "gap_m": gap,
        "out_of_container_m": out,
        **{f"small_{name}": value for name, value in _extents(inner).items()},
        **{f"container_{name}": value for name, value in _extents(outer).items()},
    }
    derived = "yes" if contained else "no" if gap > 0.0 else ""
    shapes = [box_shape(container.category, outer), box_shape(small.category, inner)]
    missing = other_objects(
        question,
        [small.category, container.category],
        numbers=numbers,
        would_be=derived,
        shapes=shapes,
    )
    if missing is not None:
        return missing
    others = {
        "its middle in the container's box": "yes" if middle else "no",
        "any part in the container's box": "yes" if gap <= 0.0 else "no",
    }
    verdict = weigh(label, derived, others) if derived else "undecidable"
    wrong = "inside" if derived == "yes" else "outside"
    reasons = {"agrees": "as_labelled", "undecidable": "straddles", "contradicts": wrong}
    return judged(
        question,
        verdict,
        reasons[verdict],
        derived="" if verdict == "undecidable" else derived,
        margin=abs(out) if contained else max(gap, 0.0),
        unit="m",
        threshold=(
            "how far within the container's box"
            if contained
            else "the gap between the two boxes, 0"
        ),
        others=others,
        near_tie=(abs(out) if contained else gap) < INSIDE_M,
        numbers=numbers,
        detail=f"reaches {max(out, 0.0):.3f} m out of the container's box"
        if not contained
        else f"{-out:.3f} m within the container's box",
        shapes=shapes,
    )
