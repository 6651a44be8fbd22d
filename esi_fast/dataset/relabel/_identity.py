"""Which category a placed object belongs to, from its model and from its measured box.

The category of a model is that of the BEHAVIOR-1K inventory. The box is a second, independent
witness: a mesh that fills its model's box touches all six faces of it, so turning it leaves it a
box between two bounds along each axis of the world; a model for which the recorded box is outside
of them was not the one placed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.relabel._deciding import plain
from esi_fast.dataset.relabel._reading import Body, FloatArray, model_box
from esi_fast.dataset.relabel._verdict import Level

__all__ = ["FIT_M", "Identity", "box_excess", "category_models", "identify", "model_category"]

# A box that is off by less may still be the model's: settled joints and cloth move this much in
# 95 % of the published rows.
FIT_M: Final = 0.02


@cache
def _categories() -> Mapping[str, Sequence[str]]:
    text = (files("esi_fast.dataset") / "model_categories.json").read_text()
    categories: Mapping[str, Sequence[str]] = json.loads(text)
    return categories


@cache
def _by_model() -> Mapping[str, str]:
    return {model: category for category, models in _categories().items() for model in models}


def category_models(category: str) -> tuple[str, ...]:
    """The models of a category (written with spaces or underscores), empty for one unknown."""
    return tuple(_categories().get(plain(category).replace(" ", "_"), ()))


def model_category(model: str) -> str | None:
    """The category of a model, ``None`` for one that is not in the table."""
    return _by_model().get(model)


def box_excess(size: FloatArray, orientation: FloatArray, box: FloatArray) -> float:
    """How far (m) a recorded box (2, 3) is from any that a mesh filling ``size`` (3,) can have.

    Zero if it is possible. With d the world axis in the object's frame, the extent along d is at
    most the sum of |d_k| size_k, which is the turned box's, and at least twice its largest term
    less that sum, as the mesh touches both faces across k.
    """
    terms = np.abs(geo.transforms.quat_to_matrix(orientation)) * size
    most = terms.sum(axis=1)
    least = np.maximum(2.0 * terms.max(axis=1) - most, 0.0)
    extent = box[1] - box[0]
    return float(np.maximum(np.maximum(extent - most, least - extent), 0.0).max())


@dataclass(frozen=True, slots=True)
class Identity:
    """What an object is, among the options of a question.

    ``derived`` is the option that its model belongs to, empty if there is none. ``own_m`` is how
    far its recorded box is from its model's, ``nearest_m`` how far it is from the nearest model of
    another option (``inf`` if there is no such model, NaN if no box is recorded). ``level`` is
    ``geometry`` where the box alone leaves one option, ``recorded`` where only the model's name
    decides.
    """

    derived: str
    own_m: float
    nearest_m: float
    level: Level

    @property
    def numbers(self) -> dict[str, float]:
        found = {"box_from_own_model_m": self.own_m, "box_from_other_option_m": self.nearest_m}
        return {name: value for name, value in found.items() if np.isfinite(value)}


def identify(body: Body, options: Sequence[str]) -> Identity:
    """Identify an object that has no scale of its own among option texts."""
    category = model_category(body.model) or body.category
    derived = next((text for text in options if plain(text) == plain(category)), "")
    if body.box is None or body.size is None:
        return Identity(derived, float("nan"), float("nan"), "recorded" if derived else "none")
    own = box_excess(body.size, body.orientation, body.box)
    sizes = [
        size
        for text in options
        if text != derived
        for size in map(model_box, category_models(text))
        if size is not None
    ]
    nearest = min((box_excess(s, body.orientation, body.box) for s in sizes), default=float("inf"))
    others_known = all(category_models(text) for text in options if text != derived)
    alone = own <= FIT_M < nearest and others_known
    level: Level = "geometry" if alone else "recorded"
    return Identity(derived, own, nearest, level if derived else "none")
