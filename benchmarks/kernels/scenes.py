"""Rooms full of furniture with a wanted number of triangles, the same for the same seed.

The pieces are what a furnished room is made of to a ray: flat slabs and boxes, thin legs and
boards, rounded bodies, wavy cloth, foliage of small loose triangles. About half of all segments
between random points of a room are blocked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["ROOM", "Piece", "flat_arrays", "furnished_room", "random_points"]

Floats = NDArray[np.float64]

#: Lower and upper corner of the room in metres.
ROOM = np.array([[-5.0, -4.0, 0.0], [5.0, 4.0, 3.0]])


class Piece(NamedTuple):
    """One mesh and where it stands."""

    vertices: Floats  # (V, 3)
    faces: NDArray[np.int32]  # (F, 3)
    pose: Floats  # (4, 4)


def _grid(rows: int, columns: int) -> NDArray[np.int32]:
    """Faces of a grid of (rows + 1) x (columns + 1) vertices."""
    i, j = np.mgrid[:rows, :columns]
    a = (i * (columns + 1) + j).ravel()
    b, c, d = a + 1, a + columns + 2, a + columns + 1
    return np.stack([a, b, c, a, c, d], axis=1).reshape(-1, 3).astype(np.int32)


def _join(parts: list[tuple[Floats, NDArray[np.int32]]]) -> tuple[Floats, NDArray[np.int32]]:
    starts = np.cumsum([0] + [len(v) for v, _ in parts])
    faces = [f + start for (_, f), start in zip(parts, starts, strict=False)]
    return np.concatenate([v for v, _ in parts]), np.concatenate(faces).astype(np.int32)


def _box(center: Floats, size: Floats, n: int) -> tuple[Floats, NDArray[np.int32]]:
    """A box whose sides are n x n grids: 12 n^2 triangles."""
    u, v = (x.ravel() for x in np.mgrid[: n + 1, : n + 1] / n - 0.5)
    sides = []
    for axis in range(3):
        for side in (-0.5, 0.5):
            points = np.empty((len(u), 3))
            points[:, axis], points[:, axis - 2], points[:, axis - 1] = side, u, v
            sides.append((center + points * size, _grid(n, n)))
    return _join(sides)


def _rounded(size: Floats, roundness: float, n: int) -> tuple[Floats, NDArray[np.int32]]:
    """A superellipsoid (roundness 1: ellipsoid, towards 0: box): about 4 n^2 triangles."""

    def power(x: Floats) -> Floats:
        return np.sign(x) * np.abs(x) ** roundness

    t, p = np.mgrid[: n + 1, : 2 * n + 1]
    t, p = t.ravel() / n * np.pi - np.pi / 2, p.ravel() / n * np.pi
    ring = power(np.cos(t))
    unit = np.stack([ring * power(np.cos(p)), ring * power(np.sin(p)), power(np.sin(t))], axis=1)
    return unit * size / 2, _grid(n, 2 * n)


def _table(rng: np.random.Generator, budget: float) -> tuple[Floats, NDArray[np.int32]]:
    n = max(1, round((budget / 60) ** 0.5))
    x, y, h = rng.uniform([0.4, 0.4, 0.4], [1.8, 0.9, 0.9])
    parts = [_box(np.array([0, 0, h]), np.array([x, y, 0.04]), n)]
    for sx in (-0.46, 0.46):
        for sy in (-0.46, 0.46):
            leg = np.array([sx * x, sy * y, h / 2])
            parts.append(_box(leg, np.array([0.05, 0.05, h]), n))
    return _join(parts)


def _shelf(rng: np.random.Generator, budget: float) -> tuple[Floats, NDArray[np.int32]]:
    boards = 5
    n = max(1, round((budget / 12 / (boards + 2)) ** 0.5))
    w, d, h = rng.uniform([0.6, 0.25, 1.0], [1.4, 0.45, 2.2])
    level = np.linspace(0.02, h - 0.02, boards)
    parts = [_box(np.array([0, 0, z]), np.array([w, d, 0.03]), n) for z in level]
    parts += [_box(np.array([s * w / 2, 0, h / 2]), np.array([0.03, d, h]), n) for s in (-1, 1)]
    return _join(parts)


def _body(rng: np.random.Generator, budget: float) -> tuple[Floats, NDArray[np.int32]]:
    size = rng.uniform([0.2, 0.2, 0.2], [1.4, 0.9, 1.1])
    roundness = float(rng.uniform(0.2, 1.0))
    vertices, faces = _rounded(size, roundness, max(3, round((budget / 4) ** 0.5)))
    vertices[:, 2] += size[2] / 2
    return vertices, faces


def _curtain(rng: np.random.Generator, budget: float) -> tuple[Floats, NDArray[np.int32]]:
    n = max(4, round((budget / 2) ** 0.5))
    x, z = (q.ravel() for q in np.mgrid[: n + 1, : n + 1] / n)
    width, height = rng.uniform([0.6, 1.4], [1.6, 2.6])
    waves = 0.06 * np.sin(x * width * 25) * (0.5 + 0.5 * z)
    return np.stack([(x - 0.5) * width, waves, z * height], axis=1), _grid(n, n)


def _plant(rng: np.random.Generator, budget: float) -> tuple[Floats, NDArray[np.int32]]:
    leaves = max(20, round(budget))
    direction = rng.normal(size=(leaves, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    center = [0, 0, 1.0] + direction * rng.uniform(0.05, 0.45, (leaves, 1))
    corners = center[:, None] + rng.normal(0, 0.35 / leaves**0.4, (leaves, 3, 3))
    return corners.reshape(-1, 3), np.arange(3 * leaves, dtype=np.int32).reshape(-1, 3)


def furnished_room(triangles: int, *, seed: int = 0, pieces: int = 60) -> list[Piece]:
    """The shell of the room and its furniture, ``triangles`` in total to within a few percent."""
    rng = np.random.default_rng(seed)
    shell = _box(ROOM.mean(axis=0), ROOM[1] - ROOM[0], 8)
    room = [Piece(*shell, np.eye(4))]
    makers = [_table, _shelf, _body, _curtain, _plant]
    # Large things have more triangles than small ones, but not in proportion.
    share = rng.uniform(0.3, 1.7, pieces)
    budgets = share / share.sum() * (triangles - len(shell[1]))
    for k, budget in enumerate(budgets):
        vertices, faces = makers[k % len(makers)](rng, float(budget))
        angle = rng.uniform(0, 2 * np.pi)
        pose = np.eye(4)
        pose[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        pose[:3, 3] = rng.uniform([-4.5, -3.5, 0.0], [4.5, 3.5, 0.0])
        room.append(Piece(vertices, faces, pose))
    return room


def flat_arrays(room: list[Piece]) -> tuple[Floats, NDArray[np.int32]]:
    """All pieces as one mesh in the world: vertices (V, 3), faces (F, 3)."""
    return _join([(p.vertices @ p.pose[:3, :3].T + p.pose[:3, 3], p.faces) for p in room])


def random_points(count: int, *, seed: int, margin: float = 0.1) -> Floats:
    """Points spread evenly over the room, ``margin`` metres away from its shell."""
    rng = np.random.default_rng(seed)
    return rng.uniform(ROOM[0] + margin, ROOM[1] - margin, (count, 3))
