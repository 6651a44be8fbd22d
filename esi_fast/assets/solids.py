"""Closed solids with their exact convex pieces, the vocabulary of the families.

Every function returns a ``Solid``: a watertight triangle mesh whose faces are counter-clockwise
seen from outside, with the corner sets of convex pieces whose union is the solid (for curved
hollow walls: chords of at most 30 degrees, which fill a few per cent of the cavity). Solids are
joined by concatenation: overlapping closed surfaces draw and collide as their union, and no
boolean operation can fail. Lengths are metres.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from esi_fast.types import FloatArray, IntArray

__all__ = [
    "Solid",
    "blob",
    "box",
    "circle",
    "collar",
    "corner_normals",
    "cushion",
    "cylinder",
    "ellipsoid",
    "joined",
    "lathe",
    "leaf",
    "loft",
    "open_box",
    "outline",
    "prism",
    "rectangle",
    "ring_profile",
    "rounded_box",
    "rounded_rectangle",
    "shell",
    "tube",
    "vessel",
]

Vec3: TypeAlias = tuple[float, float, float]
Profile: TypeAlias = Sequence[tuple[float, float]]

# 36 segments keep silhouettes smooth at question distance; 12 wall sectors make a chord 3.4 %
# shallower than its arc.
SEGMENTS = 36
SECTORS = 12


@dataclass(frozen=True)
class Solid:
    """``vertices`` (V, 3), ``faces`` (F, 3), ``convex`` corner sets, ``uv`` (F, 3, 2) or None."""

    vertices: FloatArray
    faces: IntArray
    convex: tuple[FloatArray, ...]
    uv: FloatArray | None = None

    def mapped(self, function: Callable[[FloatArray], FloatArray], flip: bool = False) -> Solid:
        """The solid under an affine map; ``flip`` where the map reverses orientation."""
        faces = self.faces[:, ::-1] if flip else self.faces
        uv = None if self.uv is None else (self.uv[:, ::-1] if flip else self.uv)
        return Solid(function(self.vertices), faces, tuple(function(c) for c in self.convex), uv)

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Solid:
        """Shifted."""
        offset = np.array([x, y, z])
        return self.mapped(lambda p: p + offset)

    def scaled(self, x: float, y: float | None = None, z: float | None = None) -> Solid:
        """Scaled about the origin, per axis; negative factors mirror."""
        factor = np.array([x, x if y is None else y, x if z is None else z])
        return self.mapped(lambda p: p * factor, flip=bool(np.prod(factor) < 0.0))

    def turned(self, axis: str, degrees: float) -> Solid:
        """Turned about a coordinate axis through the origin."""
        c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
        i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
        matrix = np.eye(3)
        matrix[i, i], matrix[i, j], matrix[j, i], matrix[j, j] = c, -s, s, c
        return self.mapped(lambda p: np.asarray(p @ matrix.T))

    def aligned(self, direction: Sequence[float] | FloatArray) -> Solid:
        """Turned so that its +z axis points along ``direction``."""
        frame = _frame(np.asarray(direction, float))
        return self.mapped(lambda p: np.asarray(p @ frame.T))

    def with_convex(self, convex: Sequence[FloatArray]) -> Solid:
        """With other convex pieces."""
        return Solid(self.vertices, self.faces, tuple(convex), self.uv)

    def projected(self, axis: str) -> Solid:
        """With uv from a projection along ``axis``: the image upright as seen from +axis.

        u runs to the viewer's right, v up, both 0 to 1 over the bounding box.
        """
        right, up = {
            "x": ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
            "y": ((-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
            "z": ((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)),
        }[axis]
        flat = self.vertices @ np.array([right, up]).T
        low, high = flat.min(axis=0), flat.max(axis=0)
        return Solid(
            self.vertices,
            self.faces,
            self.convex,
            ((flat - low) / (high - low))[self.faces],
        )

    def bounds(self) -> FloatArray:
        """(2, 3) lower and upper corner."""
        return np.stack([self.vertices.min(axis=0), self.vertices.max(axis=0)])


def joined(*solids: Solid) -> Solid:
    """Several solids as one (uv kept only when all have it)."""
    offsets = np.cumsum([0, *(len(s.vertices) for s in solids)])
    uv = [s.uv for s in solids if s.uv is not None]
    return Solid(
        np.concatenate([s.vertices for s in solids]),
        np.concatenate([s.faces + o for s, o in zip(solids, offsets, strict=False)]),
        tuple(piece for s in solids for piece in s.convex),
        np.concatenate(uv) if len(uv) == len(solids) else None,
    )


def corner_normals(vertices: FloatArray, faces: IntArray, crease_deg: float = 40.0) -> FloatArray:
    """Unit normals (F, 3, 3): faces that meet at less than ``crease_deg`` are shaded smooth.

    Neighbours weigh by area times angle, so that a large flat face stays flat beside the small
    faces of its rounded edge.
    """
    corners = vertices[faces]
    edge1, edge2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    cross = np.cross(edge1, edge2)
    area = np.linalg.norm(cross, axis=1)
    unit = cross / np.maximum(area, 1e-300)[:, None]
    ahead, back = (
        np.roll(corners, -1, axis=1) - corners,
        np.roll(corners, 1, axis=1) - corners,
    )
    cosine = (ahead * back).sum(axis=2) / np.maximum(
        np.linalg.norm(ahead, axis=2) * np.linalg.norm(back, axis=2), 1e-300
    )
    weight = (np.arccos(np.clip(cosine, -1.0, 1.0)) * area[:, None]).ravel()

    order = np.argsort(faces.ravel(), kind="stable")
    count = np.bincount(faces.ravel(), minlength=len(vertices))
    start = np.cumsum(count) - count
    per_corner = count[faces.ravel()[order]]
    first = np.repeat(np.arange(len(order)), per_corner)
    within = np.arange(len(first)) - np.repeat(np.cumsum(per_corner) - per_corner, per_corner)
    second = np.repeat(start[faces.ravel()[order]], per_corner) + within
    a, b = order[first], order[second]
    close = (unit[a // 3] * unit[b // 3]).sum(axis=1) >= np.cos(np.deg2rad(crease_deg))
    total = np.zeros((faces.size, 3))
    for k in range(3):
        total[:, k] = np.bincount(
            a[close], unit[b[close] // 3, k] * weight[b[close]], minlength=faces.size
        )
    length = np.linalg.norm(total, axis=1, keepdims=True)
    # A sliver without area borrows nothing and keeps a finite normal.
    total = np.where(length > 0.0, total / np.maximum(length, 1e-300), [0.0, 0.0, 1.0])
    return np.asarray(total.reshape(-1, 3, 3))


def _frame(direction: FloatArray) -> FloatArray:
    """Right-handed frame (columns) whose third axis is ``direction``."""
    w = direction / np.linalg.norm(direction)
    helper = np.array([0.0, 0.0, 1.0]) if abs(w[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    u = np.cross(helper, w)
    u /= np.linalg.norm(u)
    return np.stack([u, np.cross(w, u), w], axis=1)


def circle(
    radius: float | tuple[float, float], z: float, segments: int = SEGMENTS, *, x: float = 0.0
) -> FloatArray:
    """A level ring (segments, 3) round ``(x, 0, z)``, counter-clockwise from above."""
    a, b = radius if isinstance(radius, tuple) else (radius, radius)
    t = np.arange(segments) * (2.0 * np.pi / segments)
    return np.stack([x + a * np.cos(t), b * np.sin(t), np.full(segments, z)], axis=1)


def rounded_rectangle(
    width: float, depth: float, radius: float, z: float, steps: int = 3
) -> FloatArray:
    """A level ring (4 * (steps + 1), 3): ``width`` along x, ``depth`` along y."""
    radius = min(radius, 0.499 * min(width, depth))
    points = []
    for quadrant, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for k in range(steps + 1):
            t = np.pi / 2.0 * (quadrant + k / steps) if steps else np.pi / 2.0 * quadrant
            points.append(
                (
                    sx * (width / 2.0 - radius) + radius * np.cos(t),
                    sy * (depth / 2.0 - radius) + radius * np.sin(t),
                    z,
                )
            )
    return np.array(points)


def outline(text: str) -> list[tuple[float, float]]:
    """Points of a profile written as ``radius,height`` pairs in per cent."""
    pairs = (pair.split(",") for pair in text.split())
    return [(float(r) / 100.0, float(h) / 100.0) for r, h in pairs]


def ring_profile(profile: Profile, segments: int = SEGMENTS) -> list[FloatArray]:
    """Circles for ``(radius, z)`` pairs."""
    return [circle(r, z, segments) for r, z in profile]


def _wall_faces(rings: int, k: int) -> IntArray:
    """Quads between consecutive rings of k points, as triangles; rings go up, outside out."""
    i, j = np.meshgrid(np.arange(rings - 1), np.arange(k), indexing="ij")
    a, b = i * k + j, i * k + (j + 1) % k
    c, d = b + k, a + k
    return np.concatenate(
        [
            np.stack([a, b, c], axis=2).reshape(-1, 3),
            np.stack([a, c, d], axis=2).reshape(-1, 3),
        ]
    )


def loft(rings: Sequence[FloatArray], groups: Sequence[int] | None = None) -> Solid:
    """The solid through closed rings of equally many points, capped flat at both ends.

    Rings run counter-clockwise seen from the direction of travel's end. Each ring must be convex.
    ``groups`` are ring indices that split the convex pieces (default: one piece per interval);
    between two splits the solid must be convex.
    """
    stack = np.stack(rings)
    m, k = stack.shape[:2]
    bottom, top = stack[0].mean(axis=0), stack[-1].mean(axis=0)
    vertices = np.concatenate([stack.reshape(-1, 3), [bottom, top]])
    j = np.arange(k)
    nxt = (j + 1) % k
    faces = np.concatenate(
        [
            _wall_faces(m, k),
            np.stack([nxt, j, np.full(k, m * k)], axis=1),
            np.stack([(m - 1) * k + j, (m - 1) * k + nxt, np.full(k, m * k + 1)], axis=1),
        ]
    )
    splits = list(range(m)) if groups is None else [0, *groups, m - 1]
    pieces = [stack[a : b + 1].reshape(-1, 3) for a, b in itertools.pairwise(splits)]
    return _welded(Solid(vertices, faces, tuple(pieces)))


def _welded(solid: Solid) -> Solid:
    """Merges coincident vertices and drops the triangles that vanish with them."""
    key = np.round(solid.vertices * 1e9).astype(np.int64)
    _, first, inverse = np.unique(key, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    faces = rank[inverse.ravel()][solid.faces]
    keep = (
        (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    )
    return Solid(
        solid.vertices[first[order]],
        faces[keep],
        solid.convex,
        None if solid.uv is None else solid.uv[keep],
    )


def _profile_splits(profile: Profile) -> list[int]:
    """Where a profile of (radius, z) stops being convex: indices that end a convex piece."""
    splits: list[int] = []
    start = 0
    for i in range(1, len(profile) - 1):
        (r0, z0), (r1, z1), (r2, z2) = profile[i - 1], profile[i], profile[i + 1]
        turn = (r1 - r0) * (z2 - z1) - (z1 - z0) * (r2 - r1)
        if turn < -1e-12 and i > start:
            splits.append(i)
            start = i
    return splits


def lathe(profile: Profile, segments: int = SEGMENTS) -> Solid:
    """A solid of revolution about z from ``(radius, z)`` pairs, bottom to top."""
    return loft(ring_profile(profile, segments), _profile_splits(profile))


def cylinder(
    radius: float,
    height: float,
    segments: int = 24,
    bevel: float = 0.0,
    top: float | None = None,
) -> Solid:
    """An upright cylinder standing on z = 0, or a frustum with ``top`` radius."""
    upper = radius if top is None else top
    if bevel <= 0.0:
        return lathe([(radius, 0.0), (upper, height)], segments)
    profile = [
        (radius - bevel, 0.0),
        (radius, bevel),
        (upper, height - bevel),
        (upper - bevel, height),
    ]
    return lathe(profile, segments)


def box(width: float, depth: float, height: float, bevel: float = 0.0) -> Solid:
    """A box standing on z = 0, centred in x and y, edges chamfered by ``bevel``."""
    bevel = min(bevel, 0.24 * min(width, depth, height))
    if bevel <= 0.0:
        return loft([rectangle(width, depth, 0.0), rectangle(width, depth, height)])
    profile = [(bevel, 0.0), (0.0, bevel), (0.0, height - bevel), (bevel, height)]
    rings = [_chamfered(width - 2 * b, depth - 2 * b, bevel - b, z) for b, z in profile]
    return loft(rings, [])


def rectangle(width: float, depth: float, z: float) -> FloatArray:
    """A level ring of four corners: ``width`` along x, ``depth`` along y."""
    x, y = width / 2.0, depth / 2.0
    return np.array([(x, -y, z), (x, y, z), (-x, y, z), (-x, -y, z)])


def _chamfered(width: float, depth: float, cut: float, z: float) -> FloatArray:
    x, y = width / 2.0, depth / 2.0
    return np.array(
        [
            (x, -y + cut, z),
            (x, y - cut, z),
            (x - cut, y, z),
            (-x + cut, y, z),
            (-x, y - cut, z),
            (-x, -y + cut, z),
            (-x + cut, -y, z),
            (x - cut, -y, z),
        ]
    )


def rounded_box(width: float, depth: float, height: float, radius: float, steps: int = 3) -> Solid:
    """A box standing on z = 0 with edges and corners rounded by ``radius``."""
    radius = min(radius, 0.499 * min(width, depth, height))
    rings = []
    for k in range(2 * (steps + 1)):
        upper = k > steps
        t = np.pi / 2.0 * ((k - steps - 1) / steps if upper else k / steps - 1.0)
        z = (height - radius if upper else radius) + radius * np.sin(t)
        inset = radius * (1.0 - np.cos(t))
        rings.append(
            rounded_rectangle(
                width - 2 * inset,
                depth - 2 * inset,
                max(radius - inset, 0.0),
                z,
                steps,
            )
        )
    return loft(rings, [])


def _lonlat(lon: int, lat: int) -> tuple[FloatArray, FloatArray]:
    """Longitudes (lon,) and inner latitudes (lat - 1,) of a sphere grid, radians."""
    around = np.arange(lon) * (2.0 * np.pi / lon)
    upward = np.arange(1, lat) * (np.pi / lat) - np.pi / 2.0
    return np.asarray(around, np.float64), np.asarray(upward, np.float64)


def blob(
    surface: Callable[[FloatArray, FloatArray], FloatArray],
    lon: int = 28,
    lat: int = 18,
) -> Solid:
    """A sphere-like solid: ``surface(longitude, latitude)`` gives points (..., 3).

    One convex piece of all points: for shapes that are convex or nearly so. The poles are the
    surface at latitude -90 and 90 degrees.
    """
    lons, lats = _lonlat(lon, lat)
    grid = surface(lons[None, :], lats[:, None]).reshape(-1, 3)
    poles = surface(np.zeros((2, 1)), np.array([[-np.pi / 2.0], [np.pi / 2.0]])).reshape(-1, 3)
    vertices = np.concatenate([grid, poles])
    j = np.arange(lon)
    nxt = (j + 1) % lon
    last = (lat - 2) * lon
    faces = np.concatenate(
        [
            _wall_faces(lat - 1, lon),
            np.stack([nxt, j, np.full(lon, len(grid))], axis=1),
            np.stack([last + j, last + nxt, np.full(lon, len(grid) + 1)], axis=1),
        ]
    )
    return Solid(vertices, faces, (vertices,))


def ellipsoid(a: float, b: float | None = None, c: float | None = None, *, fine: int = 1) -> Solid:
    """An ellipsoid about the origin with semi-axes a, b, c."""
    radii = np.array([a, a if b is None else b, a if c is None else c])

    def surface(lon: FloatArray, lat: FloatArray) -> FloatArray:
        return radii * _sphere(lon, lat)

    return blob(surface, 16 + 8 * fine, 10 + 6 * fine)


def _sphere(lon: FloatArray, lat: FloatArray) -> FloatArray:
    flat = np.cos(lat)
    x, y, z = flat * np.cos(lon), flat * np.sin(lon), np.sin(lat) + 0.0 * lon
    return np.stack(np.broadcast_arrays(x, y, z), axis=-1)


def _power(value: FloatArray, exponent: float) -> FloatArray:
    return np.asarray(np.sign(value) * np.abs(value) ** exponent)


def cushion(
    width: float,
    depth: float,
    height: float,
    *,
    square: float = 0.35,
    puff: float = 0.8,
) -> Solid:
    """A stuffed cushion about the origin: ``square`` 0 sharp corners .. 1 round, ``puff`` soft."""
    half = np.array([width, depth, height]) / 2.0

    def surface(lon: FloatArray, lat: FloatArray) -> FloatArray:
        flat = _power(np.cos(lat), puff)
        x = flat * _power(np.cos(lon), square)
        y = flat * _power(np.sin(lon), square)
        z = _power(np.sin(lat), puff) + 0.0 * lon
        return np.asarray(half * np.stack(np.broadcast_arrays(x, y, z), axis=-1))

    return blob(surface, 32, 14)


def shell(outer: Sequence[FloatArray], inner: Sequence[FloatArray], group: int = 3) -> Solid:
    """An open vessel: ``outer`` rings from the foot up to the rim, ``inner`` from the rim down.

    All rings have the same number of points. The floor is the space between the first outer and
    the last inner ring. Convex pieces: the floor, and for every inner interval and ``group``
    consecutive edges one piece of wall against the outer ring at the same height (interpolated).
    """
    rings = np.stack([*outer, *inner])
    k = rings.shape[1]
    solid = loft(list(rings))
    outer_stack, inner_stack = np.stack(outer), np.stack(inner)[::-1]
    floor_z = inner_stack[0, :, 2].mean()

    def outside(z: float) -> FloatArray:
        heights = outer_stack[:, :, 2].mean(axis=1)
        i = int(np.clip(np.searchsorted(heights, z) - 1, 0, len(heights) - 2))
        span = heights[i + 1] - heights[i]
        t = 0.0 if span <= 0.0 else float(np.clip((z - heights[i]) / span, 0.0, 1.0))
        return np.asarray((1.0 - t) * outer_stack[i] + t * outer_stack[i + 1])

    # Below the inner floor the vessel is solid: its outer rings and the cut at floor height.
    below = [ring for ring in outer_stack if ring[:, 2].mean() < floor_z - 1e-9]
    cut = outside(float(floor_z))
    stack = [*below, cut]
    outline = [(float(np.linalg.norm(r[:, :2], axis=1).max()), float(r[0, 2])) for r in stack]
    cuts = [0, *_profile_splits(outline), len(stack) - 1]
    pieces = [np.concatenate(stack[i : j + 1]) for i, j in itertools.pairwise(cuts)]
    for low, high in itertools.pairwise(inner_stack):
        z0, z1 = float(low[:, 2].mean()), float(high[:, 2].mean())
        if z1 - z0 < 1e-9:
            continue
        between = [r for r in outer_stack if z0 + 1e-9 < r[:, 2].mean() < z1 - 1e-9]
        outs = [outside(z0), *between, outside(z1)]
        for start in range(0, k, group):
            index = np.arange(start, start + group + 1) % k
            pieces.append(np.concatenate([r[index] for r in outs] + [low[index], high[index]]))
    return solid.with_convex(pieces)


def collar(rings: Sequence[FloatArray], group: int = 3) -> Solid:
    """A closed band: ``rings`` are the corners of its (convex) section, all of equally many points.

    The section runs counter-clockwise seen with the axis on its left: outside up, inside down.
    Convex pieces: ``group`` consecutive edges each.
    """
    stack = np.stack(rings)
    m, k = stack.shape[:2]
    faces = _wall_faces(m + 1, k) % (m * k)
    pieces = [
        stack[:, np.arange(start, start + group + 1) % k].reshape(-1, 3)
        for start in range(0, k, group)
    ]
    return Solid(stack.reshape(-1, 3), faces, tuple(pieces))


def vessel(outer: Profile, inner: Profile, segments: int = SEGMENTS) -> Solid:
    """An open vessel of revolution: ``(radius, z)`` outer up to the rim, inner rim down."""
    return shell(
        ring_profile(outer, segments),
        ring_profile(inner, segments),
        segments // SECTORS,
    )


def open_box(
    width: float,
    depth: float,
    height: float,
    wall: float,
    *,
    floor: float | None = None,
    flare: float = 1.0,
    radius: float = 0.0,
) -> Solid:
    """A box open at the top, standing on z = 0; the foot is ``1 / flare`` as wide as the rim."""
    floor = wall if floor is None else floor

    def ring(w: float, d: float, z: float) -> FloatArray:
        if radius > 0.0:
            return rounded_rectangle(w, d, radius * w / width, z, 3)
        return rectangle(w, d, z)

    low = 1.0 / flare
    at_floor = low + (1.0 - low) * floor / height
    outer = [ring(width * low, depth * low, 0.0), ring(width, depth, height)]
    inner = [
        ring(width - 2 * wall, depth - 2 * wall, height),
        ring(width * at_floor - 2 * wall, depth * at_floor - 2 * wall, floor),
    ]
    return shell(outer, inner, 1)


def tube(
    path: Sequence[Sequence[float]] | FloatArray,
    radius: float | Sequence[float] | FloatArray,
    *,
    segments: int = 10,
    flat: float = 1.0,
    group: int = 1,
) -> Solid:
    """A round bar along ``path`` (N, 3); ``radius`` one number or one per point.

    ``flat`` scales the section along its second axis. Ends are flat; a path that returns to its
    first point closes to a ring. ``group`` intervals of the
    path share one convex piece (use more than 1 only where the path is nearly straight).
    """
    points = np.asarray(path, float)
    radii = np.broadcast_to(np.asarray(radius, float), (len(points),))
    fresh = np.concatenate([[True], np.linalg.norm(np.diff(points, axis=0), axis=1) > 1e-9])
    points, radii = points[fresh], radii[fresh]
    loop = len(points) > 3 and bool(np.linalg.norm(points[-1] - points[0]) <= 1e-9)
    step = np.diff(points, axis=0)
    step /= np.linalg.norm(step, axis=1, keepdims=True)
    first, last = (step[:1] + step[-1:],) * 2 if loop else (step[:1], step[-1:])
    tangent = np.concatenate([first, step[:-1] + step[1:], last])
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    side = [_frame(tangent[0])[:, 0]]
    for w in tangent[1:]:
        u = side[-1] - w * (side[-1] @ w)
        side.append(u / np.linalg.norm(u))
    across = np.stack(side)
    up = np.cross(tangent, across)
    # A loop that is not flat comes home twisted: spread the difference along it.
    miss = np.arctan2(across[0] @ up[-1], across[0] @ across[-1]) if loop else 0.0
    t = np.arange(segments) * (2.0 * np.pi / segments)
    angle = t[None, :] + miss * np.linspace(0.0, 1.0, len(points))[:, None]
    rings = points[:, None, :] + radii[:, None, None] * (
        np.cos(angle)[:, :, None] * across[:, None, :]
        + flat * np.sin(angle)[:, :, None] * up[:, None, :]
    )
    splits = list(range(group, len(points) - 1, group))
    if not loop:
        return loft(list(rings), splits)
    k = segments
    faces = _wall_faces(len(points), k) % ((len(points) - 1) * k)
    cuts = [0, *splits, len(points) - 1]
    pieces = [rings[i : j + 1].reshape(-1, 3) for i, j in itertools.pairwise(cuts)]
    return Solid(rings[:-1].reshape(-1, 3), faces, tuple(pieces))


def leaf(length: float, width: float, droop: float, thickness: float = 0.002) -> Solid:
    """A pointed leaf from the origin along +x, rising first, then drooping (``droop`` 0 to 2)."""
    n = 5
    rings = []
    x, z = 0.0, 0.0
    for i in range(n + 1):
        t = i / n
        slope = 0.9 - 1.3 * droop * t
        if i:
            middle = 0.9 - 1.3 * droop * (t - 0.5 / n)
            x, z = x + length / n * np.cos(middle), z + length / n * np.sin(middle)
        half = width / 2.0 * max(np.sin(np.pi * (0.1 + 0.9 * t)) ** 0.8, 0.04)
        base, side = np.array([x, 0.0, z]), np.array([0.0, half, 0.0])
        up = np.array([-np.sin(slope), 0.0, np.cos(slope)]) * thickness / 2.0
        rings.append(np.stack([base + side, base + up, base - side, base - up]))
    return loft(rings, [2, 4])


def prism(polygon: Sequence[tuple[float, float]] | FloatArray, height: float) -> Solid:
    """The polygon (any simple one, counter-clockwise) in x and y, extruded from z = 0 up."""
    points = np.asarray(polygon, float)
    n = len(points)
    triangles = _ear_clip(points)
    low = np.concatenate([points, np.zeros((n, 1))], axis=1)
    high = np.concatenate([points, np.full((n, 1), height)], axis=1)
    j = np.arange(n)
    nxt = (j + 1) % n
    faces = np.concatenate(
        [
            triangles[:, ::-1],
            triangles + n,
            np.stack([j, nxt, nxt + n], axis=1),
            np.stack([j, nxt + n, j + n], axis=1),
        ]
    )
    pieces = tuple(
        np.concatenate([low[list(part)], high[list(part)]])
        for part in _convex_parts(points, triangles)
    )
    return Solid(np.concatenate([low, high]), faces, pieces)


def _cross2(a: FloatArray, b: FloatArray, c: FloatArray) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def _ear_clip(points: FloatArray) -> IntArray:
    """Triangles (n - 2, 3) of a simple counter-clockwise polygon."""
    rest = list(range(len(points)))
    triangles: list[tuple[int, int, int]] = []
    while len(rest) > 3:
        best: tuple[float, int] | None = None
        for i in range(len(rest)):
            a, b, c = rest[i - 1], rest[i], rest[(i + 1) % len(rest)]
            area = _cross2(points[a], points[b], points[c])
            if area <= 1e-15:
                continue
            others = points[[k for k in rest if k not in (a, b, c)]]
            inside = np.ones(len(others), bool)
            for p, q in ((a, b), (b, c), (c, a)):
                d, e = points[q] - points[p], others - points[p]
                inside &= d[0] * e[:, 1] - d[1] * e[:, 0] >= 0.0
            if inside.any():
                continue
            longest = max(
                float(np.linalg.norm(points[p] - points[q])) for p, q in ((a, b), (b, c), (c, a))
            )
            # The roundest ear first keeps the triangles away from slivers.
            if best is None or area / longest**2 > best[0]:
                best = (area / longest**2, i)
        if best is None:
            raise ValueError(f"polygon: expected simple and counter-clockwise, got {points!r}")
        i = best[1]
        triangles.append((rest[i - 1], rest[i], rest[(i + 1) % len(rest)]))
        del rest[i]
    triangles.append((rest[0], rest[1], rest[2]))
    return np.array(triangles)


def _convex_parts(points: FloatArray, triangles: IntArray) -> list[tuple[int, ...]]:
    """Convex polygons (vertex loops) made by joining triangles over shared edges."""
    loops: list[tuple[int, ...] | None] = [tuple(int(v) for v in t) for t in triangles]
    changed = True
    while changed:
        changed = False
        for i in range(len(loops)):
            for j in range(i + 1, len(loops)):
                a, b = loops[i], loops[j]
                if a is None or b is None:
                    continue
                merged = _merge(points, a, b)
                if merged is not None:
                    loops[i], loops[j] = merged, None
                    changed = True
    return [loop for loop in loops if loop is not None]


def _merge(points: FloatArray, a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...] | None:
    """The union of two loops over a shared edge when it is convex."""
    for i in range(len(a)):
        p, q = a[i], a[(i + 1) % len(a)]
        for j in range(len(b)):
            if (b[j], b[(j + 1) % len(b)]) == (q, p):
                tail = b[(j + 2) % len(b) :] + b[: (j + 2) % len(b)]
                loop = a[: i + 1] + tail[: len(b) - 2] + a[i + 1 :]
                turns: list[Any] = [
                    _cross2(
                        points[loop[k - 1]],
                        points[loop[k]],
                        points[loop[(k + 1) % len(loop)]],
                    )
                    for k in range(len(loop))
                ]
                return loop if min(turns) >= -1e-12 else None
    return None
