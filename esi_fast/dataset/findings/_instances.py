"""What our own instances say about their things and views."""

from __future__ import annotations

import numpy as np

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.dataset.findings._subject import FloatArray, Role, Subject, Thing, View
from esi_fast.dataset.findings._words import plain
from esi_fast.dataset.official import Option, Slot
from esi_fast.errors import EsiError
from esi_fast.records import Instance, ObjectSpec, canonical_json

__all__ = ["subject_of_instance"]


def _size(spec: ObjectSpec) -> FloatArray | None:
    """Size (3,) in metres of the object's own box; ``None`` for a model that is not ours."""
    try:
        asset = assets.get(spec.category, spec.model, spec.palette)
    except EsiError:
        return None
    return np.array(asset.size, dtype=np.float64) * np.array(spec.scale, dtype=np.float64)


def _thing(spec: ObjectSpec) -> Thing:
    position, turn = np.array(spec.position), np.array(spec.orientation)
    size = _size(spec)
    box = None
    if size is not None:
        half = 0.5 * np.abs(geo.transforms.quat_to_matrix(turn)) @ size
        box = np.stack([position - half, position + half])
    role: Role = "question" if spec.role == "question" else "other"
    return Thing(spec.id, spec.category, spec.model, position, turn, box, role)


def subject_of_instance(instance: Instance, *, row: int) -> Subject:
    """An instance as a subject. The furniture and the walls are not among its things."""
    specs = [obj for obj in instance.scene.objects if obj.role in ("question", "mirror", "context")]
    things = tuple(_thing(spec) for spec in specs)
    options = tuple(
        Option(str(number), text) for number, text in enumerate(instance.question.options, start=1)
    )
    camera = instance.initial_camera
    aspect = camera.width / camera.height
    half = np.tan(np.radians(0.5 * camera.vfov_deg)) * aspect
    seen = {name: float(pixels) for name, pixels in (instance.visibility or ({},))[0].items()}
    first = View("view 0", np.array(camera.position), np.array(camera.orientation), seen)
    others = tuple(
        View(f"visibility {number}", seen={k: float(v) for k, v in pixels.items()})
        for number, pixels in enumerate(instance.visibility[1:], start=1)
    )
    text = plain(instance.question.text)
    asked = tuple(
        dict.fromkeys(
            plain(thing.category)
            for thing in things
            if thing.role == "question" and plain(thing.category) in text
        )
    )
    content = instance.model_copy(update={"id": "-", "index": 0, "seed": 0, "images": {}})
    return Subject(
        row=row,
        id=instance.id,
        task=instance.task,
        source="",
        scene=instance.scene.name,
        room="",
        text=instance.question.text,
        answer_type=instance.question.answer_type,
        slots=(Slot("", options),),
        answers=((instance.question.options.index(instance.answer),),),
        answer_parts=(instance.answer,),
        content=canonical_json(content),
        asked=asked,
        things=things,
        views=(first, *others),
        hfov_deg=float(np.degrees(2 * np.arctan(half))),
    )
