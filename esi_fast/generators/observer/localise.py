"""L: where an object can be, from the outlines of its masks.

An object of known shape stands upright on the floor at an unknown place, yaw and scale. The
unknowns are enclosed by cells (x, y, yaw, scale). A cell is kept when some object in it may show
an outline within ``TOLERANCE_PX`` of what every frame shows; kept cells are split until they are
fine enough. The bound is conservative at every level: the outline of the cell's centre is
compared with the tolerance plus the most that any pixel can move inside the cell, so that the
true state is never lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from scipy.spatial import ConvexHull

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.generators.observer.outlines import Extent
from esi_fast.types import BoolArray, FloatArray

__all__ = [
    "REST_TOLERANCE",
    "SCALE_RANGE",
    "TOLERANCE_PX",
    "Cells",
    "Shape",
    "localise",
    "make_shape",
    "shape_of",
]

# TASKS: a free mask edge lies within 2 px of its prediction.
TOLERANCE_PX = 2.0
# TASKS: each question object's scale is drawn within 20 % of its model's.
SCALE_RANGE = (0.8, 1.2)
# A settled object rests within this of the floor and of upright (generators/checks.py).
REST_TOLERANCE = 0.002

_START_STEP = 0.16
_MAX_CELLS = 40_000


@dataclass(frozen=True, eq=False)
class Shape:
    """The outline-giving points of a model at scale 1, in its local frame.

    ``hull`` (V, 3) vertices of the convex hull, thinned where that moves no outline by more than
    ``slack`` metres; ``round`` tells that turning it about z moves its outline by less than a
    millimetre.
    """

    hull: FloatArray
    slack: float
    half_height: float
    radius: float
    round: bool

    @cached_property
    def mirrored(self) -> Shape:
        """The shape as a mirror shows it (left and right exchanged)."""
        return replace(self, hull=self.hull * [1.0, -1.0, 1.0])


@lru_cache(maxsize=512)
def shape_of(category: str, model: str) -> Shape:
    """The shape of a model; raises ``UnknownName`` for a category or model that is not there."""
    asset = assets.get(category, model)
    return make_shape(
        np.concatenate([np.asarray(part.vertices, dtype=float) for part in asset.parts])
    )


def make_shape(points: FloatArray) -> Shape:
    """The shape of a point set (N, 3) in a frame whose origin is the centre of its box."""
    hull = points[ConvexHull(points).vertices]
    thin = hull[np.unique((_DIRECTIONS[:_KEPT_DIRECTIONS] @ hull.T).argmax(axis=1))]
    slack = float(((_DIRECTIONS @ hull.T).max(axis=1) - (_DIRECTIONS @ thin.T).max(axis=1)).max())
    angles = np.linspace(0.0, np.pi, 37)
    extent = np.array([(hull[:, :2] @ [np.cos(a), np.sin(a)]).max() for a in angles])
    return Shape(
        hull=thin,
        slack=slack,
        half_height=float(hull[:, 2].max()),
        radius=float(np.linalg.norm(hull, axis=1).max()),
        round=float(np.ptp(extent)) < 1e-3,
    )


def _sphere(count: int) -> FloatArray:
    """Directions (count, 3) spread evenly; those of even rank alone are too."""
    k = np.arange(count) + 0.5
    z = 1.0 - 2.0 * k / count
    turn = np.pi * (1.0 + 5.0**0.5) * k
    flat = np.sqrt(1.0 - z * z)
    return np.column_stack((flat * np.cos(turn), flat * np.sin(turn), z))


_KEPT_DIRECTIONS = 160
# The first ones choose the vertices; all together measure what is lost.
_DIRECTIONS = np.concatenate((_sphere(_KEPT_DIRECTIONS), _sphere(2000)))


@dataclass(frozen=True, eq=False)
class Cells:
    """What is still possible: centres and half sizes of the kept cells.

    ``xy`` (N, 2) is the model's origin on the floor plane, ``half`` the half size of the cell in
    x and y, ``center`` (N, 2) the centre of the world bounding box, known within ``radius``.
    """

    xy: FloatArray
    yaw: FloatArray
    scale: FloatArray
    half: float
    half_yaw: float
    half_scale: float
    center: FloatArray
    radius: float

    def __len__(self) -> int:
        return len(self.xy)


def localise(
    views: Sequence[Extent],
    shapes: Sequence[Shape],
    *,
    lower: Sequence[float],
    upper: Sequence[float],
    floor_z: float = 0.0,
    resolution: float = 0.006,
    tolerance_px: float = TOLERANCE_PX,
) -> Cells:
    """All places where an object of one of ``shapes`` explains every view (remembered).

    ``lower`` and ``upper`` (2,) bound the floor in metres; cells are split until their half size
    is at most ``resolution`` metres or there are too many to split. No view gives every cell. A
    free mask edge lies within ``tolerance_px`` of its prediction.
    """
    return _localise(
        tuple(views),
        tuple(shapes),
        tuple(float(v) for v in lower),
        tuple(float(v) for v in upper),
        floor_z,
        resolution,
        tolerance_px,
    )


@lru_cache(maxsize=512)
def _localise(
    views: tuple[Extent, ...],
    shapes: tuple[Shape, ...],
    lower: tuple[float, ...],
    upper: tuple[float, ...],
    floor_z: float,
    resolution: float,
    tolerance_px: float,
) -> Cells:
    step = _START_STEP
    axes = [np.arange(lower[k] + step / 2, upper[k] + step / 2, step) for k in (0, 1)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    found = [
        _search(views, shape, grid, step / 2, floor_z, resolution if views else step, tolerance_px)
        for shape in shapes
    ]
    finest = max(cells.half for cells in found)
    return Cells(
        xy=np.concatenate([c.xy for c in found]),
        yaw=np.concatenate([c.yaw for c in found]),
        scale=np.concatenate([c.scale for c in found]),
        half=finest,
        half_yaw=max(c.half_yaw for c in found),
        half_scale=max(c.half_scale for c in found),
        center=np.concatenate([c.center for c in found]),
        radius=max(c.radius for c in found),
    )


def _search(
    views: Sequence[Extent],
    shape: Shape,
    grid: FloatArray,
    half: float,
    floor_z: float,
    resolution: float,
    tolerance_px: float,
) -> Cells:
    for view in views:
        grid = grid[_near_ray(view, shape, grid, half, floor_z)]
    yaws = 1 if shape.round else 8
    half_yaw = 0.0 if shape.round else np.pi / yaws
    scale_mid = (SCALE_RANGE[0] + SCALE_RANGE[1]) / 2
    half_scale = (SCALE_RANGE[1] - SCALE_RANGE[0]) / 2
    yaw0 = (np.arange(yaws) + 0.5) * 2 * np.pi / yaws if not shape.round else np.zeros(1)
    n = len(grid)
    state = np.empty((n * yaws, 4))
    state[:, :2] = np.repeat(grid, yaws, axis=0)
    state[:, 2] = np.tile(yaw0, n)
    state[:, 3] = scale_mid
    while True:
        keep = geo.outline.explains(
            shape.hull,
            state,
            [view.outline for view in views],
            cell=(half, half_yaw, half_scale),
            base=shape.half_height,
            floor_z=floor_z,
            max_scale=SCALE_RANGE[1],
            tolerance_px=tolerance_px,
            rest=REST_TOLERANCE + shape.slack,
        )
        state = state[keep]
        splits = 8 if shape.round else 16
        if half <= resolution or not len(state) or len(state) * splits > _MAX_CELLS * 4:
            break
        half, half_yaw, half_scale = half / 2, half_yaw / 2, half_scale / 2
        state = _split(state, half, half_yaw, half_scale)
    return _cells(shape, state, half, half_yaw, half_scale)


def _near_ray(
    view: Extent, shape: Shape, grid: FloatArray, half: float, floor_z: float
) -> BoolArray:
    """Which coarse cells are near enough to the ray through one pixel of the mask.

    The pixel shows the object, so its ray comes within the bounding radius of its centre.
    """
    origins, rays = view.outline.camera.rays(np.asarray(view.pixel)[None])
    position, ray = origins.reshape(-1, 3)[0], rays[0]
    scale = (SCALE_RANGE[0] + SCALE_RANGE[1]) / 2
    points = np.column_stack((grid, np.full(len(grid), floor_z + shape.half_height * scale)))
    offset = points - position
    along = np.maximum(offset @ ray, 0.0)
    distance = np.linalg.norm(offset - along[:, None] * ray, axis=1)
    spread = (SCALE_RANGE[1] - SCALE_RANGE[0]) / 2 * shape.half_height
    reach = shape.radius * SCALE_RANGE[1] + half * np.sqrt(2.0) + spread + REST_TOLERANCE
    return np.asarray(distance <= reach)


def _split(state: FloatArray, half: float, half_yaw: float, half_scale: float) -> FloatArray:
    signs = (-1.0, 1.0)
    offsets = np.array(
        [
            (a * half, b * half, c * half_yaw, d * half_scale)
            for a in signs
            for b in signs
            for c in (signs if half_yaw else (0.0,))
            for d in signs
        ]
    )
    return np.asarray((state[:, None, :] + offsets[None]).reshape(-1, 4))


def _cells(
    shape: Shape, state: FloatArray, half: float, half_yaw: float, half_scale: float
) -> Cells:
    # The cells' yaws lie on a grid: few are distinct.
    yaws, which = np.unique(state[:, 2], return_inverse=True)
    rotated = _turn(shape.hull[:, :2], yaws)
    offset = ((rotated.max(axis=1) + rotated.min(axis=1)) / 2)[which] * state[:, 3:4]
    # The box centre moves with the cell, and by its own offset when yaw and scale change.
    flat = float(np.linalg.norm(shape.hull[:, :2], axis=1).max())
    swing = 0.0 if shape.round else flat * SCALE_RANGE[1] * half_yaw
    largest = float(np.abs(offset).max()) if len(offset) else 0.0
    radius = half * np.sqrt(2.0) + swing + largest * half_scale / SCALE_RANGE[0]
    return Cells(
        xy=state[:, :2],
        yaw=state[:, 2],
        scale=state[:, 3],
        half=half,
        half_yaw=half_yaw,
        half_scale=half_scale,
        center=state[:, :2] + offset,
        radius=float(radius),
    )


def _turn(points: FloatArray, yaw: FloatArray) -> FloatArray:
    c, s = np.cos(yaw)[:, None], np.sin(yaw)[:, None]
    x, y = points[None, :, 0], points[None, :, 1]
    return np.stack((c * x - s * y, s * x + c * y), axis=-1)
