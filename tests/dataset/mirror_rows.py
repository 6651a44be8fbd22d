"""Mirror questions in the format of the release, with geometry that can be worked out by hand.

The mirror stands in the plane x = 0 and faces +x; the camera is at (2, 0, 0.8) and looks along -x
with 50 degrees to either side. A point (x, y) in front of the mirror is seen at the height of
``y * 2 / (2 + x)`` along the mirror's width, whose half is 0.484 m. The small object is bounded
by 0.052 m around its centre, the large one by 0.449 m.
"""

from __future__ import annotations

from typing import Any

from official_rows import row

SMALL = ("box_of_almond_milk", "oiiqwq")
LARGE = ("jeans", "nmvvil")
QUESTIONS = {
    "Reflection Authoring": "In this picture is a box. Is it seen through the mirror?",
    "Spatial Relations": "Objects A and B are seen in the mirror. Which is closer to you?",
    "Correspondence": "Which of the three boxs is the reflected one?",
}
OPTIONS = {
    "Reflection Authoring": ["yes", "no"],
    "Spatial Relations": ["A", "B"],
    "Correspondence": ["left", "middle", "right"],
}


def metadata(
    places: list[tuple[float, float]],
    *,
    model: tuple[str, str] = SMALL,
    mirror_model: str = "tytkbq",
    fov: float = 100.0,
    z: float = 0.11,
) -> dict[str, Any]:
    """Objects at ``places`` (x, y) on the floor, aliases A, B, C in this order."""
    mirror = {
        "half_width_m": 0.4842,
        "normal_xy": [1.0, 0.0],
        "position": [0.0, 0.0, 1.1413],
        "quaternion_xyzw": [0.0, 0.0, 0.0, 1.0],
    }
    camera = {
        "forward_xy": [-1.0, 0.0],
        "position": [2.0, 0.0, 0.8],
        "quaternion_xyzw": [0.5, 0.5, 0.5, 0.5],
    }
    objects = [
        {
            "alias": "ABC"[number],
            "category": model[0],
            "model": model[1],
            "name": f"item_{number}",
            "real_position": [x, y, z],
            "visible_in_mirror": True,
            "visible_directly": True,
            "distance_from_camera_m": 1.0,
            "mirror_position": [-x, y, z],
            "position_label": "middle",
        }
        for number, (x, y) in enumerate(places)
    ]
    return {
        "camera_poses": {"fov_deg": fov, "height_m": 0.8},
        "mirror_setup": {"model": mirror_model, "category": "mirror"},
        "question_data": {
            "answer": "No",
            "answer_bool": False,
            "evidence": {"visible_in_mirror": True, "closer_object": "A"},
            "placement": objects,
            "scene_setup": {"camera": camera, "mirror": mirror},
        },
    }


def mirror_question(
    small: str, answer: str, places: list[tuple[float, float]], **more: Any
) -> dict[str, Any]:
    return row(
        "Specular Reflection",
        small,
        answer=answer,
        options=OPTIONS[small],
        question=QUESTIONS[small],
        metadata=metadata(places, **more),
    )
