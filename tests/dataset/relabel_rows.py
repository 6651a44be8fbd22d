"""Rows of several subcategories in the format of the release, small enough to judge by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from official_rows import row

from esi_fast.dataset.official import OfficialQuestion, parse_row
from esi_fast.dataset.relabel import Verdict, relabel

UPRIGHT = [0.0, 0.0, 0.0, 1.0]


def judge(columns: dict[str, Any]) -> Verdict:
    item = parse_row(columns)
    assert isinstance(item, OfficialQuestion), item
    return relabel(item)


def thing(category: str, model: str, position: Sequence[float], **more: Any) -> dict[str, Any]:
    return {
        "category": category,
        "model": model,
        "position": list(position),
        "quaternion_xyzw": UPRIGHT,
        **more,
    }


def on_floor(
    small: str, answer: str, places: Sequence[tuple[float, float]], **more: Any
) -> dict[str, Any]:
    """A line or triangle question about a cup, a can and a jar at these places."""
    triangle = small == "Geometric Configuration"
    names = ("cup", "can", "jar")
    objects = {
        f"obj{n}": thing(name, "zzzzzz", (*place, 0.05))
        for n, (name, place) in enumerate(zip(names, places, strict=True), start=1)
    }
    kinds = ["equilateral", "isosceles", "random"]
    return row(
        "Spatial Relations",
        small,
        answer=answer,
        options=kinds if triangle else ["yes", "no"],
        question="How do the cup, the can and the jar stand on the floor?",
        metadata={"objects": objects, "layout": "equilateral_triangle", "success": True},
        **more,
    )


def touching(
    answer: str,
    gap: float,
    views: Sequence[bool] = (),
    *,
    question: str = "Are the ball and the box touching each other?",
    depth: float = 0.2,
    stored_gap: float | None = None,
) -> dict[str, Any]:
    """A ball and a box, cubes of 0.2 m, ``gap`` apart along x; per view whether masks adjoin."""
    boxes = {
        "obj1_aabb": {"min": [0.0, 0.0, 0.0], "max": [0.2, 0.2, 0.2]},
        "obj2_aabb": {"min": [0.2 + gap, 0.0, 0.0], "max": [0.4 + gap, depth, 0.2]},
    }
    objects = {
        "obj1": thing("ball", "zzzzzz", (0.1, 0.1, 0.1)),
        "obj2": thing("box", "zzzzzz", (0.3 + gap, 0.1, 0.1)),
    }
    return row(
        "Spatial Relations",
        "Physical Contact",
        answer=answer,
        options=["yes", "no"],
        question=question,
        metadata={
            "objects": objects,
            "obj_aabb": boxes,
            "x_gap": gap if stored_gap is None else stored_gap,
            "touching": {f"touching_{n}": flag for n, flag in enumerate(views)},
            "exist_obj": {f"exist_obj{k}_{n}": True for n in range(len(views)) for k in (1, 2)},
        },
    )


def sizes(
    answer: str,
    *,
    scales: tuple[float, float] = (1.0, 1.25),
    references: Sequence[Sequence[float]] = ((0.0, 0.2, 0.05), (2.0, 0.2, 0.05)),
    models: tuple[str, str] = ("zzzzzz", "zzzzzz"),
    separation: float = 2.0,
) -> dict[str, Any]:
    """Two mugs of 0.2 m times their scale at x = 0 and 2; an egg and a conch are beside them."""
    halves = [0.1 * scale for scale in scales]
    places = [(0.0, 0.0, halves[0]), (2.0, 0.0, halves[1])]
    metadata: dict[str, Any] = {
        "answer": "task_obj2",
        "separation": separation,
        "objects": {
            **{
                f"task_obj{n + 1}": thing("mug", models[n], places[n], scale=scales[n])
                for n in (0, 1)
            },
            "ref_obj1": thing("egg", "zzzzzz", references[0], scale=1.0),
            "ref_obj2": thing("conch", "zzzzzz", references[1], scale=1.0),
        },
        "ref_placement": {
            f"ref{n}_placement": {
                "ref_half_x": 0.05,
                "ref_half_y": 0.05,
                "side": "N",
                "task_face_coord": halves[n - 1],
                "ref_near_face": 0.15,
                "actual_bbox_gap": 0.15 - halves[n - 1],
            }
            for n in (1, 2)
        },
    }
    for side, sign in (("min", -1.0), ("max", 1.0)):
        metadata[f"task_obj_aabb_{side}"] = {
            f"task_obj{n + 1}_aabb_{side}": [c + sign * halves[n] for c in places[n]]
            for n in (0, 1)
        }
    return row(
        "Metric Comparison",
        "Dimensional Size",
        answer=answer,
        options=["near the egg", "near the conch"],
        question="Which mug is larger: the one near the egg, or the one near the conch?",
        metadata=metadata,
    )


def distances(
    answer: str,
    near: tuple[float, float],
    far: tuple[float, float],
    *,
    names: tuple[str, str] = ("can", "pot"),
    **more: Any,
) -> dict[str, Any]:
    """A can and a pot at these places beside a table that fills x and y from 0 to 1."""
    # The model is 0.070783 by 0.075727 m in the plan.
    return row(
        "Metric Comparison",
        "Spatial Distance",
        answer=answer,
        options=["can", "pot"],
        question="Which object is closer to the table: the can or the pot?",
        metadata={
            "near_corner_xy": [1.0, 0.0],
            "far_corner_xy": [1.0, 1.0],
            "objects": {
                "obj_near": thing(names[0], "oiiqwq", (*near, 0.1)),
                "obj_far": thing(names[1], "oiiqwq", (*far, 0.1)),
                "obj_ref": thing("table", "scene_native", (0.5, 0.5, 0.4)),
            },
            **more,
        },
    )


def grounding(
    small: str,
    answer: str,
    options: Sequence[str],
    target: Mapping[str, Any],
    *,
    occluder: Mapping[str, Any] | None = None,
    eye: Sequence[float] = (-2.0, 0.0, 0.1),
) -> dict[str, Any]:
    objects: dict[str, Any] = {"target": dict(target)}
    if occluder is not None:
        objects["occluder"] = dict(occluder)
    first = {"view_idx": 0, "position": list(eye), "quaternion_xyzw": [0.5, -0.5, -0.5, 0.5]}
    return row(
        "Perceptual Grounding",
        small,
        answer=answer,
        options=list(options),
        question=f"Which object is this: {' or '.join(options)}?",
        metadata={"objects": objects, "camera_poses": {"view_00.png": first}},
    )


def boxed(
    category: str, model: str, low: Sequence[float], size: Sequence[float], **more: Any
) -> dict[str, Any]:
    """An object whose recorded box has this least corner and this size."""
    high = [a + b for a, b in zip(low, size, strict=True)]
    middle = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
    return thing(category, model, middle, aabb_min=list(low), aabb_max=high, **more)


def transparent(
    answer: str, low: Sequence[float], *, question: str = "Is the pearl inside the vase?"
) -> dict[str, Any]:
    """A pearl of 0.02 m with this least corner, a vase that fills 0 to 0.1 m along each axis."""
    return row(
        "Perceptual Grounding",
        "Material Transparency",
        answer=answer,
        options=["yes", "no"],
        question=question,
        metadata={
            "answer": "obj_small is inside obj_container",
            "objects": {
                "obj_container": boxed("vase", "zzzzzz", (0.0, 0.0, 0.0), (0.1, 0.1, 0.1)),
                "obj_small": boxed("pearl", "zzzzzz", low, (0.02, 0.02, 0.02)),
            },
        },
    )


def counting(
    small: str,
    answer: int,
    placed: Sequence[tuple[str, float]],
    *,
    asked: str = "iron",
) -> dict[str, Any]:
    """Objects (category, x) along y = 1, cubes of 0.1 m on the floor of a room."""
    targets = [
        {
            "category": category,
            "model": "zzzzzz",
            "bbox": [[x - 0.05, 0.95, 0.0], [x + 0.05, 1.05, 0.1]],
        }
        for category, x in placed
    ]
    return row(
        "Enumerative Perception",
        small,
        answer=str(answer),
        options=[str(n) for n in range(7)],
        question=f'How many objects of category "{asked}" are present in this scene?',
        metadata={
            "question_data": {
                "answer": answer,
                "count_object": {"resolved_object_count": answer},
                "render": {
                    "resolved_objects": {"targets": targets, "containers": []},
                    "room_bbox": {"expanded_bbox_world_xy": [0.0, 0.0, 4.0, 4.0]},
                },
            }
        },
    )
