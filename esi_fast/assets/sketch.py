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
    y, front towards +X, and need to fill it only roughly: ``finish`` stretches what was drawn,
    turned by ``turn`` (3, 3), to the model's ``box`` exactly (both as drawn by default). Choices
    are seeded by the model (shape) or by model and palette (colour).
    """

    def __init__(
        self,
        category: str,
        model: str,
        palette: int,
        size: tuple[float, float, float],
        *,
        box: tuple[float, float, float] | None = None,
        turn: FloatArray | None = None,
    ) -> None:
        self.category, self.model, self.palette, self.size = (
            category,
            model,
            palette,
            size,
        )
        self._box = size if box is None else box
        self._turn = np.eye(3) if turn is None else turn
        self._slots: dict[str, list[Solid]] = {}
        self._materials: dict[str, Material] = {}
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

    def put(self, slot: str, palette: Sequence[Material] | Material, *solids: Solid) -> None:
        """Puts solids into a slot, painting it the first time."""
        if slot not in self._materials:
            self.paint(slot, palette)
        self.add(slot, *solids)

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
        """The asset: everything drawn, turned and stretched per axis onto the box of the model."""
        names = list(self._slots)
        turn = self._turn
        solids = [joined(*self._slots[name]).mapped(lambda p: p @ turn.T) for name in names]
        bounds = np.stack([solid.bounds() for solid in solids])
        low, high = bounds[:, 0].min(axis=0), bounds[:, 1].max(axis=0)
        extent, size = high - low, np.asarray(self._box)

        def fit(points: FloatArray) -> FloatArray:
            # (1 - 0) * size - size / 2 is exact at both ends, so the box is met to the last bit.
            return np.asarray((points - low) / extent * size - size / 2.0)

        def fit_box(*corners: tuple[float, float, float]) -> FloatArray:
            """Lower and upper corner (2, 3) of a box of the drawing, turned and stretched."""
            placed = fit(np.array(corners) @ turn.T)
            return np.stack([placed.min(axis=0), placed.max(axis=0)])

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
        upright = bool(turn[2, 2] == 1.0)
        supports = []
        for s in self._supports if upright else ():
            a, b = fit_box((*s.lower, s.z), (*s.upper, s.z)).tolist()
            clearance = s.clearance * float(size[2] / extent[2])
            supports.append(Support((a[0], a[1]), (b[0], b[1]), a[2], clearance))
        cavity = None
        if self._cavity is not None and upright:
            (x0, y0, z0), (x1, y1, z1) = fit_box(self._cavity.lower, self._cavity.upper).tolist()
            cavity = Cavity((x0, y0, z0), (x1, y1, z1), self._cavity.rounded)
        hinges = []
        for slots, origin, axis, limit in self._doors:
            index = tuple(names.index(slot) for slot in slots)
            pieces = tuple(p for i in index for p in range(counts[i], counts[i + 1]))
            at = fit(np.array(origin) @ turn.T).tolist()
            unit = turn[:, "xyz".index(axis)].tolist()
            hinges.append(
                Hinge(index, pieces, (at[0], at[1], at[2]), (unit[0], unit[1], unit[2]), limit)
            )
        return Asset(
            category=self.category,
            model=self.model,
            palette=self.palette,
            parts=tuple(parts),
            convex=tuple(convex),
            size=self._box,
            mass=mass,
            friction=friction,
            tags=tags,
            supports=tuple(supports),
            cavity=cavity,
            hinges=tuple(hinges),
        )
