"""Reads the metadata of published rows: typed, bounded, and with errors that name the field."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._verdict import Difference, Shape
from esi_fast.errors import RecordError

__all__ = [
    "Body",
    "Fields",
    "FloatArray",
    "Stored",
    "body",
    "box_shape",
    "camera_shape",
    "metadata",
    "model_box",
    "path_shape",
    "point_shape",
]

FloatArray: TypeAlias = NDArray[np.float64]

# No coordinate is larger: what falls through the floor is recorded up to 200 km below it.
_BOUND = 1e6


class Fields:
    """Typed access to nested metadata; errors name row and path.

    ``RecordError`` is raised for whatever is missing or not of the asked kind.
    """

    __slots__ = ("_path", "_value", "_where")

    def __init__(self, value: Any, path: str, where: str) -> None:
        self._value, self._path, self._where = value, path, where

    @property
    def path(self) -> str:
        return self._path

    def error(self, message: str) -> RecordError:
        """The error to raise for what this field holds."""
        return RecordError(f"{self._where}: {self._path or 'metadata'}: {message}")

    def at(self, *names: str) -> Fields:
        """The field under these names, one inside the other."""
        found = self
        for name in names:
            path = f"{found._path}.{name}" if found._path else name
            if not isinstance(found._value, dict) or name not in found._value:
                raise Fields(None, path, self._where).error("missing")
            found = Fields(found._value[name], path, self._where)
        return found

    def find(self, *names: str) -> Fields | None:
        """The field under these names, or ``None`` where one of them is missing or null."""
        found = self
        for name in names:
            if not isinstance(found._value, dict) or found._value.get(name) is None:
                return None
            found = found.at(name)
        return found

    def items(self) -> list[Fields]:
        """The entries of a list."""
        if not isinstance(self._value, list):
            raise self.error("expected a list")
        return [
            Fields(item, f"{self._path}.{n}", self._where) for n, item in enumerate(self._value)
        ]

    def entries(self) -> dict[str, Fields]:
        """The entries of an object, by name."""
        if not isinstance(self._value, dict):
            raise self.error("expected an object")
        return {name: self.at(name) for name in self._value}

    def text(self) -> str:
        if not isinstance(self._value, str):
            raise self.error("expected a text")
        return self._value

    def flag(self) -> bool:
        if not isinstance(self._value, bool):
            raise self.error("expected true or false")
        return self._value

    def number(self, low: float = -_BOUND, high: float = _BOUND) -> float:
        return float(self._numbers((self._value,), low, high)[0])

    def count(self, high: int = 1000) -> int:
        if not isinstance(self._value, int) or isinstance(self._value, bool):
            raise self.error("expected a whole number")
        return int(self.number(0, high))

    def vector(self, length: int, bound: float = _BOUND) -> FloatArray:
        if not isinstance(self._value, list) or len(self._value) != length:
            raise self.error(f"expected {length} numbers")
        return self._numbers(self._value, -bound, bound)

    def points(self, length: int, bound: float = _BOUND) -> FloatArray:
        """A list of vectors as one array (N, length); (0, length) for an empty list."""
        found = [item.vector(length, bound) for item in self.items()]
        return np.array(found, dtype=np.float64).reshape(len(found), length)

    def quaternion(self) -> FloatArray:
        value = self.vector(4, 2.0)
        if abs(float(value @ value) - 1.0) > 1e-3:
            raise self.error(f"expected a unit quaternion, got {value.tolist()}")
        return value

    def scale(self) -> FloatArray:
        """A scale as (3,), from one number or three."""
        several = isinstance(self._value, list)
        value = self.vector(3) if several else np.full(3, self.number())
        if value.min() <= 0.0:
            raise self.error(f"expected positive numbers, got {value.tolist()}")
        return value

    def box(self, low: str = "aabb_min", high: str = "aabb_max") -> FloatArray:
        """An axis-aligned box (2, 3) from two of this object's fields."""
        value = np.stack([self.at(low).vector(3), self.at(high).vector(3)])
        if (value[0] > value[1]).any():
            raise self.at(low).error(f"expected the least corner, got {value.tolist()}")
        return value

    def _numbers(self, values: Sequence[Any], low: float, high: float) -> FloatArray:
        for value in values:
            good = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not good or not low <= value <= high:
                raise self.error(f"expected numbers from {low:g} to {high:g}, got {value!r}")
        return np.array(values, dtype=np.float64)


def metadata(question: OfficialQuestion) -> Fields:
    """The metadata of a row, dicts restored. ``RecordError`` if they are not JSON."""
    return Fields(question.metadata(), "", f"{question.source}:{question.row}")


# --- objects -------------------------------------------------------------------------------------


@cache
def _boxes() -> Mapping[str, Sequence[float]]:
    text = (files("esi_fast.dataset") / "model_boxes.json").read_text()
    boxes: Mapping[str, Sequence[float]] = json.loads(text)
    return boxes


def model_box(model: str) -> FloatArray | None:
    """Full size (3,) in metres of a BEHAVIOR-1K model, or ``None`` if it is not in the table."""
    size = _boxes().get(model)
    return None if size is None else np.array(size, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Body:
    """An object as a row records it.

    ``position`` is that of its root link, which lies anywhere in the object; ``box`` (2, 3) is its
    recorded axis-aligned box, ``None`` where there is none. ``size`` (3,) is the model's own box
    with the recorded scale, ``None`` for a model that is not in the table.
    """

    name: str
    category: str
    model: str
    position: FloatArray
    orientation: FloatArray
    scale: FloatArray
    box: FloatArray | None
    size: FloatArray | None

    @property
    def up(self) -> float:
        """Cosine of the angle between the object's own vertical and the world's."""
        return float(geo.transforms.quat_to_matrix(self.orientation)[2, 2])

    @property
    def span(self) -> FloatArray | None:
        """Size (3,) of the world box around the turned model, from its table box."""
        if self.size is None:
            return None
        turn = np.abs(geo.transforms.quat_to_matrix(self.orientation))
        return np.asarray(turn @ self.size)


def body(name: str, item: Fields) -> Body:
    """An entry of the usual form: position, quaternion_xyzw, category, model, maybe the rest."""
    model = item.at("model").text()
    scale = item.find("scale") or item.find("applied_scale")
    factors = np.ones(3) if scale is None else scale.scale()
    size = model_box(model)
    return Body(
        name=name,
        category=item.at("category").text(),
        model=model,
        position=item.at("position").vector(3),
        orientation=item.at("quaternion_xyzw").quaternion(),
        scale=factors,
        box=None if item.find("aabb_min") is None else item.box(),
        size=None if size is None else size * factors,
    )


# --- stored numbers ------------------------------------------------------------------------------


class Stored:
    """Compares stored numbers with derived ones and keeps what differs.

    A number is reproduced when it comes out within ``tolerance`` (1e-6 m), or within the rounding
    of the coordinates that it was made from: most of the release's are single precision, of which
    those near ``scale`` metres from the origin lie that far times 2**-23 apart, and up to four of
    them enter. Whatever was stored with more digits is given a ``tolerance`` of its own.
    """

    __slots__ = ("count", "differences")

    def __init__(self) -> None:
        self.count = 0
        self.differences: list[Difference] = []

    def compare(
        self,
        stored: Fields | None,
        derived: float,
        *,
        tolerance: float = 1e-6,
        scale: float = 0.0,
    ) -> None:
        """Compare one number; an absent field is no difference."""
        if stored is not None:
            self.compare_value(
                stored.path, stored.number(), derived, tolerance=tolerance, scale=scale
            )

    def compare_value(
        self,
        path: str,
        stored: float,
        derived: float,
        *,
        tolerance: float = 1e-6,
        scale: float = 0.0,
    ) -> None:
        """Compare one number that is at hand."""
        self.count += 1
        if not abs(stored - derived) <= max(tolerance, 2.0**-21 * scale):
            self.differences.append(Difference(path, float(stored), float(derived)))

    def compare_vector(
        self,
        stored: Fields | None,
        derived: FloatArray,
        *,
        tolerance: float = 1e-6,
        scale: float = 0.0,
    ) -> None:
        """Compare a vector, coordinate by coordinate."""
        if stored is None:
            return
        for n, value in enumerate(stored.vector(len(derived))):
            self.compare_value(
                f"{stored.path}.{n}",
                float(value),
                float(derived[n]),
                tolerance=tolerance,
                scale=scale,
            )


# --- shapes to draw ------------------------------------------------------------------------------


def _tuples(points: FloatArray) -> tuple[tuple[float, float, float], ...]:
    rows = np.atleast_2d(np.asarray(points, dtype=np.float64))
    if rows.shape[1] == 2:
        rows = np.column_stack([rows, np.zeros(len(rows))])
    return tuple((round(float(x), 4), round(float(y), 4), round(float(z), 4)) for x, y, z in rows)


def point_shape(name: str, point: FloatArray) -> Shape:
    """A point (2,) or (3,)."""
    return Shape("point", name, _tuples(point))


def box_shape(name: str, box: FloatArray) -> Shape:
    """A box (2, 3)."""
    return Shape("box", name, _tuples(box))


def path_shape(name: str, points: FloatArray) -> Shape:
    """A line through points (N, 2) or (N, 3)."""
    return Shape("path", name, _tuples(points))


def camera_shape(name: str, position: FloatArray, orientation: FloatArray) -> Shape:
    """A camera that looks along its -Z."""
    ahead = -geo.transforms.quat_to_matrix(orientation)[:, 2]
    return Shape("camera", name, _tuples(np.stack([position, position + ahead])))
