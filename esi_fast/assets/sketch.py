"""The drawing board of a family: solids by material slot, made to fit the model's box exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from esi_fast.assets.base import Asset, Cavity, Hinge, Part, Support
from esi_fast.assets.solids import Solid, corner_normals, joined
from esi_fast.geometry.render import Material
from esi_fast.seeding import rng, seed_of
from esi_fast.types import FloatArray

__all__ = ["Sketch"]

T = TypeVar("T")


class Sketch:
    """What a family draws on.

    ``size`` is the model's box; families draw with the box standing on z = 0, centred in x and
    y, front towards +X, and need to fill it only roughly: ``finish`` stretches what was drawn to
    the box, exactly. Choices are seeded by the model (shape) or by model and palette (colour).
    """

    def __init__(
        self, category: str, model: str, palette: int, size: tuple[float, float, float]
    ) -> None:
        self.category, self.model, self.palette, self.size = (
            category,
            model,
            palette,
            size,
        )
        self._slots: dict[str, list[Solid]] = {}
        self._materials: dict[str, Material] = {}
        self._flat: set[str] = set()
        self._supports: list[Support] = []
        self._cavity: Cavity | None = None
        self._doors: list[tuple[tuple[str, ...], tuple[float, float, float], str, float]] = []

    def pick(self, name: str, options: Sequence[T]) -> T:
        """A shape choice: the same for every palette."""
        return options[seed_of("assets", "shape", self.category, self.model, name) % len(options)]

    def uniform(self, name: str, low: float, high: float) -> float:
        """A shape number."""
        return float(self.rng(name).uniform(low, high))

    def rng(self, name: str) -> np.random.Generator:
        """The stream of one shape detail."""
        return rng("assets", "shape", self.category, self.model, name)

    def color(self, slot: str, palette: Sequence[Material]) -> Material:
        """The material of a slot in this colouring."""
        start = seed_of("assets", "colour", self.category, self.model, slot)
        return palette[(start + self.palette) % len(palette)]

    def paint(self, slot: str, palette: Sequence[Material] | Material) -> str:
        """Gives ``slot`` its material (seeded, from a palette); returns the slot."""
        self._materials[slot] = (
            palette if isinstance(palette, Material) else self.color(slot, palette)
        )
        return slot

    def add(self, slot: str, *solids: Solid) -> None:
        """Puts solids into a painted slot."""
        if slot not in self._materials:
            raise ValueError(f"slot: expected one of {sorted(self._materials)}, got {slot!r}")
        self._slots.setdefault(slot, []).extend(solids)

    def support(
        self,
        lower: tuple[float, float],
        upper: tuple[float, float],
        z: float,
        clearance: float = float("inf"),
    ) -> None:
        """Declares a level rectangle to stand things on (drawing coordinates)."""
        self._supports.append(Support(lower, upper, z, clearance))

    def top(self, margin: float = 0.02) -> None:
        """Declares the whole top of the box as a support."""
        x, y, z = self.size
        self.support((-x / 2 + margin, -y / 2 + margin), (x / 2 - margin, y / 2 - margin), z)

    def cavity(
        self,
        lower: tuple[float, float, float],
        upper: tuple[float, float, float],
        *,
        rounded: bool = True,
    ) -> None:
        """Declares the open inside (drawing coordinates)."""
        self._cavity = Cavity(lower, upper, rounded)

    def hinge(
        self,
        slots: Sequence[str],
        origin: tuple[float, float, float],
        axis: str,
        limit: float,
    ) -> None:
        """Declares that ``slots`` turn about an axis ``x``, ``y`` or ``z`` through ``origin``."""
        self._doors.append((tuple(slots), origin, axis, limit))

    def finish(self, *, mass: float, friction: float, tags: frozenset[str]) -> Asset:
        """The asset: everything drawn, stretched per axis onto the box of the model."""
        names = list(self._slots)
        solids = [joined(*self._slots[name]) for name in names]
        bounds = np.stack([solid.bounds() for solid in solids])
        low, high = bounds[:, 0].min(axis=0), bounds[:, 1].max(axis=0)
        extent, size = high - low, np.asarray(self.size)

        def fit(points: FloatArray) -> FloatArray:
            # (1 - 0) * size - size / 2 is exact at both ends, so the box is met to the last bit.
            return np.asarray((points - low) / extent * size - size / 2.0)

        def fit3(point: tuple[float, float, float]) -> tuple[float, float, float]:
            x, y, z = fit(np.array(point))
            return float(x), float(y), float(z)

        parts = []
        for name, solid in zip(names, solids, strict=True):
            vertices = fit(solid.vertices)
            normals = corner_normals(vertices, solid.faces)
            for array in (vertices, solid.faces, normals, solid.uv):
                if array is not None:
                    array.flags.writeable = False
            parts.append(Part(vertices, solid.faces, self._materials[name], normals, solid.uv))
        counts = np.cumsum([0, *(len(solid.convex) for solid in solids)])
        convex = [fit(piece) for solid in solids for piece in solid.convex]
        for piece in convex:
            piece.flags.writeable = False
        supports = []
        for s in self._supports:
            a, b = fit3((*s.lower, s.z)), fit3((*s.upper, s.z))
            clearance = s.clearance * float(size[2] / extent[2])
            supports.append(Support(a[:2], b[:2], a[2], clearance))
        cavity = None
        if self._cavity is not None:
            c = self._cavity
            cavity = Cavity(fit3(c.lower), fit3(c.upper), c.rounded)
        hinges = []
        for slots, origin, axis, limit in self._doors:
            index = tuple(names.index(slot) for slot in slots)
            pieces = tuple(p for i in index for p in range(counts[i], counts[i + 1]))
            unit = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}[axis]
            hinges.append(Hinge(index, pieces, fit3(origin), unit, limit))
        return Asset(
            category=self.category,
            model=self.model,
            palette=self.palette,
            parts=tuple(parts),
            convex=tuple(convex),
            size=self.size,
            mass=mass,
            friction=friction,
            tags=tags,
            supports=tuple(supports),
            cavity=cavity,
            hinges=tuple(hinges),
        )
