"""Enumerative Perception: how many objects of a category are there.

Counted are the objects that the row places, by the category of their models. Of the furniture only
that is recorded which hides them, but none of the scenes' own inventories (BEHAVIOR-1K, room by
room) holds an object of any of the categories that the release asks for.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._deciding import plain, weigh
from esi_fast.dataset.relabel._identity import model_category
from esi_fast.dataset.relabel._reading import Fields, FloatArray, box_shape, metadata
from esi_fast.dataset.relabel._registry import judged, label_of, rule
from esi_fast.dataset.relabel._verdict import Judgement, Verdict

__all__: list[str] = []

# Two objects of one model whose boxes share more than this cannot be told apart.
MERGED_IOU: Final = 0.5
# An object this far below the floor of the others has fallen through it.
BELOW_M: Final = 0.10

_ASKED: Final = re.compile(r'objects of category "([^"]+)"')


@rule(
    "enumerative_perception/counting_occlusion",
    "enumerative_perception/spatial_segmentation",
    "enumerative_perception/merged_observation",
    "enumerative_perception/category_ambiguity",
    "enumerative_perception/structural_enclosure",
    "enumerative_perception/illumination_variability",
    reasons={
        "never_spawned": "no object of the asked category is placed",
        "other_count": "another number of objects of the asked category is placed",
        "which_count": "the number depends on which of the objects are taken to be there",
        "no_category": "the question names no category",
        "nothing_placed": "the row records no placed objects",
    },
)
def counting(question: OfficialQuestion) -> Verdict:
    """ "How many objects of category X are present in this scene?" """
    label = label_of(question)
    asked = _ASKED.search(question.text)
    if asked is None:
        return judged(question, "undecidable", "no_category", level="none", detail=question.text)
    wanted = plain(asked.group(1))
    render = metadata(question).at("question_data", "render")
    placed = render.find("resolved_objects")
    if placed is None:
        return judged(question, "undecidable", "nothing_placed", level="none")
    entries = [
        item
        for name, group in placed.entries().items()
        if name != "containers"
        for item in group.items()
    ]
    kinds = [_kind(item) for item in entries]
    boxes = [_box(item) for item in entries]
    hits = [box for kind, box in zip(kinds, boxes, strict=True) if plain(kind) == wanted]
    room = _room(render)
    floor = min((float(box[0, 2]) for box in boxes), default=0.0)
    highest = max((float(box[0, 2]) for box in boxes), default=0.0)
    above = [box for box in hits if box[0, 2] >= -BELOW_M]
    inside = [box for box in above if room is None or _in(room, box)]
    apart = _apart(hits)
    count = len(hits)
    numbers = {
        "placed": float(len(entries)),
        "of_asked_category": float(count),
        "in_the_room": float(len(inside)),
        "apart": float(apart),
        "lowest_bottom_m": floor,
        "highest_bottom_m": highest,
    }
    derived = str(count)
    others = {
        "in the room and above the floor": str(len(inside)),
        "those that share half of their box counted once": str(apart),
    }
    verdict: Judgement = weigh(label, derived, others)
    wrong = "other_count" if count else "never_spawned"
    reasons = {"agrees": "as_labelled", "undecidable": "which_count", "contradicts": wrong}
    other = ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
    return judged(
        question,
        verdict,
        reasons[verdict],
        derived="" if verdict == "undecidable" else derived,
        margin=float(max(1, abs(count - int(label)))),
        unit="objects",
        threshold="placed objects of the asked category, to where the verdict changes",
        others=others,
        near_tie=len({derived, *others.values()}) > 1,
        numbers=numbers,
        detail=f"asked for {asked.group(1)}, placed {other or 'nothing'}",
        shapes=[
            *([] if room is None else [box_shape("room", room)]),
            *(box_shape(kind, box) for kind, box in zip(kinds, boxes, strict=True)),
        ],
    )


def _kind(item: Fields) -> str:
    """The category of an object: that of its model, or the recorded one for a model unknown."""
    recorded = item.at("category").text()
    model = item.find("model")
    return (None if model is None else model_category(model.text())) or recorded


def _box(item: Fields) -> FloatArray:
    corners = item.at("bbox").points(3)
    if corners.shape != (2, 3) or (corners[0] > corners[1]).any():
        raise item.at("bbox").error("expected the least and the greatest corner")
    return corners


def _room(render: Fields) -> FloatArray | None:
    found = render.find("room_bbox", "expanded_bbox_world_xy")
    if found is None:
        return None
    low_x, low_y, high_x, high_y = found.vector(4)
    return np.array([[low_x, low_y, 0.0], [high_x, high_y, 0.0]])


def _in(room: FloatArray, box: FloatArray) -> bool:
    middle = box.mean(axis=0)[:2]
    return bool((room[0, :2] <= middle).all() and (middle <= room[1, :2]).all())


def _apart(boxes: list[FloatArray]) -> int:
    """How many are left when boxes that share over half of their joint volume count once."""
    kept: list[FloatArray] = []
    for box in boxes:
        if all(float(geo.boxes.iou(box, other)) <= MERGED_IOU for other in kept):
            kept.append(box)
    return len(kept)
