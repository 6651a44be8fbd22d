"""What an object looks like, part by part, without saying what it is.

Where a question asks what an object is, its category must not name its mask. What a picture tells
instead is colours: every part goes by the look of its material, and parts that look the same are
not told apart.
"""

from __future__ import annotations

import hashlib
from functools import cached_property

import numpy as np

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.assets.coats import coated
from esi_fast.geometry.render import Material
from esi_fast.records import ObjectSpec
from esi_fast.sim._view import View
from esi_fast.types import FloatArray, IntArray

__all__ = ["SEPARATOR", "Likeness", "look_of"]

SEPARATOR = ":"
"""Between an object's appearance and the look of a part, in the name of a mask."""


def look_of(material: Material) -> str:
    """A name for how a material looks: its colour in hexadecimal, its kind, its picture."""
    look = "#" + "".join(f"{round(255 * c):02x}" for c in material.color)
    if material.image is not None:
        look = "print-" + hashlib.sha256(material.image.tobytes()).hexdigest()[:8]
    return look if material.kind == "diffuse" else f"{material.kind}-{look}"


class Likeness:
    """One object alone, at the pose of its record.

    ``classes`` are the names of its parts' masks, in the order of the model's parts.
    """

    def __init__(self, spec: ObjectSpec) -> None:
        self.spec = spec
        parts = assets.get(spec.category, spec.model, spec.palette).parts
        self.classes = tuple(
            f"{spec.appearance}{SEPARATOR}{look_of(coated(spec.coat, number, part))}"
            for number, part in enumerate(parts)
        )

    @cached_property
    def scene(self) -> geo.Scene:
        """The kernel scene of the object: instance k is part k."""
        view = View(threads=1)
        pose = (
            np.asarray(self.spec.position, dtype=float)[None],
            np.asarray(self.spec.orientation, dtype=float)[None],
        )
        view.sync({self.spec.id: self.spec}, *pose, ())
        return view.scene

    def parts(self, origins: FloatArray, directions: FloatArray) -> IntArray:
        """The part that each ray (N, 3) meets first, (N,), -1 where it meets none."""
        hits = geo.raycast.closest(self.scene, origins, directions, threads=1)
        return np.asarray(hits.instance, dtype=np.int64)
