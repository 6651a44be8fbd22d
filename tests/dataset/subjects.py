"""Questions as findings see them, sound ones and ones with a planted fault, for the tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.findings import Subject, Thing, View
from esi_fast.dataset.official import Option, Slot

CONTACT = "spatial_relations/physical_contact"
CHOICE = "metric_comparison/dimensional_size"
COUNT = "enumerative_perception/counting_occlusion"


def slot(*texts: str, name: str = "") -> Slot:
    return Slot(name, tuple(Option(str(n), text) for n, text in enumerate(texts, start=1)))


def thing(
    name: str,
    category: str,
    at: tuple[float, float, float],
    *,
    size: float = 0.2,
    **more: Any,
) -> Thing:
    """A cube that stands along the axes."""
    middle = np.array(at)
    half = np.full(3, 0.5 * size)
    fields: dict[str, Any] = {
        "model": "abcdef",
        "position": middle,
        "orientation": np.array([0.0, 0.0, 0.0, 1.0]),
        "box": np.stack([middle - half, middle + half]),
        **more,
    }
    return Thing(name, category, **fields)


def view(
    at: tuple[float, float, float],
    target: tuple[float, float, float],
    seen: dict[str, float],
    name: str = "0.png",
) -> View:
    turn = geo.transforms.look_at(np.array(at), np.array(target))
    return View(name, np.array(at), turn, seen)


def subject(row: int = 1, **more: Any) -> Subject:
    """A sound question: do two cubes on the floor touch, seen from 1.5 m? Each row elsewhere."""
    x = float(row)
    cup = thing("obj1", "cup", (x, 0.0, 0.1))
    jar = thing("obj2", "jar", (x, 0.5, 0.1))
    fields: dict[str, Any] = {
        "row": row,
        "id": f"{row:04d}",
        "task": CONTACT,
        "source": "rows",
        "scene": "Toy_0_int",
        "room": "kitchen_0",
        "text": "Are the cup and jar touching each other?",
        "answer_type": "choice",
        "slots": (slot("yes", "no"),),
        "answers": ((1,),),
        "answer_parts": ("no",),
        "content": f"content {row}",
        "asked": ("cup", "jar"),
        "things": (cup, jar),
        "views": (view((x + 1.5, 0.25, 0.8), (x, 0.25, 0.1), {"obj1": 1.0, "obj2": 1.0}),),
        **more,
    }
    return Subject(**fields)
