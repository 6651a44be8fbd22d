"""Scenes from other libraries' objects. Nothing is imported: the objects are only read.

Anything without an adapter comes in through arrays: ``Scene.add_mesh`` and ``add_instance``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from esi_fast.geometry._arrays import FloatArray, Int32Array
from esi_fast.geometry.scene import Scene

__all__ = ["MujocoScene", "TrimeshScene", "from_mujoco", "from_trimesh"]

# MuJoCo's mjtGeom, fixed by its binary model format.
_PLANE, _HFIELD, _SPHERE, _CAPSULE, _ELLIPSOID, _CYLINDER, _BOX, _MESH = range(8)

Shape = tuple[FloatArray, Int32Array]


@dataclass(frozen=True)
class TrimeshScene:
    """``scene`` with object id k for the node (or mesh) called ``names[k]``."""

    scene: Scene
    names: tuple[str, ...]


def from_trimesh(source: Any, *, threads: int = 0) -> TrimeshScene:
    """A scene of a ``trimesh.Trimesh`` or of all geometry nodes of a ``trimesh.Scene``.

    A mesh that several nodes share is stored once. ``TypeError`` for anything else.
    """
    scene = Scene(threads)
    if hasattr(source, "vertices") and hasattr(source, "faces"):
        scene.add_instance(scene.add_mesh(source.vertices, source.faces), object_id=0)
        return TrimeshScene(scene, ("mesh",))
    if not (hasattr(source, "graph") and hasattr(source, "geometry")):
        raise TypeError(
            f"source: expected a trimesh.Trimesh or trimesh.Scene, got {type(source).__name__}"
        )
    meshes: dict[str, int] = {}
    names: list[str] = []
    for node in sorted(source.graph.nodes_geometry):
        matrix, key = source.graph[node]
        shape = source.geometry[key]
        if not hasattr(shape, "faces"):  # paths and point clouds have no surface
            continue
        pose = np.array(matrix, dtype=np.float64)
        linear = pose[:3, :3]
        rigid = np.allclose(linear.T @ linear, np.eye(3), rtol=0, atol=1e-9) and (
            np.linalg.det(linear) > 0
        )
        if rigid:
            if key not in meshes:
                meshes[key] = scene.add_mesh(shape.vertices, shape.faces)
            mesh = meshes[key]
        else:  # scale, shear and reflection go into the vertices
            mesh = scene.add_mesh(shape.vertices @ linear.T + pose[:3, 3], shape.faces)
            pose = np.eye(4)
        scene.add_instance(mesh, object_id=len(names), pose=pose)
        names.append(str(node))
    return TrimeshScene(scene, tuple(names))


@dataclass(frozen=True)
class MujocoScene:
    """``scene`` holds the geoms ``geoms``, one instance each; ``update`` moves them.

    Object ids are body ids or geom ids of the model, as asked.
    """

    scene: Scene
    geoms: Int32Array
    _instances: list[int] = field(repr=False)

    def update(self, data: Any) -> None:
        """Moves every geom to its pose in ``data`` (MjData); no mesh is built anew."""
        self.scene.set_poses(self._instances, _poses(data, self.geoms))


def from_mujoco(
    model: Any,
    data: Any,
    *,
    groups: tuple[int, ...] | None = None,
    ids: Literal["body", "geom"] = "body",
    segments: int = 32,
    plane_size: float = 50.0,
    threads: int = 0,
) -> MujocoScene:
    """A scene of the geoms of an ``MjModel`` at their poses in an ``MjData``.

    ``data`` must be up to date (``mj_forward``). ``groups`` chooses geom groups, all by default.
    Boxes, meshes, height fields and planes are exact; spheres, capsules, cylinders and ellipsoids
    become polyhedra with ``segments`` corners around, inscribed in the true shape. Planes that
    are infinite in the model reach ``plane_size`` metres to each side. ``ValueError`` for a
    geom type without a surface of its own.
    """
    if ids not in ("body", "geom"):
        raise ValueError(f"ids: expected 'body' or 'geom', got {ids!r}")
    if segments < 3:
        raise ValueError(f"segments: expected 3 or more, got {segments}")
    scene = Scene(threads)
    chosen = [
        k for k in range(int(model.ngeom)) if groups is None or int(model.geom_group[k]) in groups
    ]
    geoms = np.array(chosen, dtype=np.int32)
    poses = _poses(data, geoms)
    shared: dict[int, int] = {}
    instances = []
    for k, pose in zip(chosen, poses, strict=True):
        kind, shape_id = int(model.geom_type[k]), int(model.geom_dataid[k])
        if kind == _MESH and shape_id in shared:
            mesh = shared[shape_id]
        else:
            size = np.array(model.geom_size[k], dtype=np.float64)
            mesh = scene.add_mesh(*_shape(model, k, kind, shape_id, size, segments, plane_size))
            if kind == _MESH:
                shared[shape_id] = mesh
        object_id = int(model.geom_bodyid[k]) if ids == "body" else k
        instances.append(scene.add_instance(mesh, object_id=object_id, pose=pose))
    return MujocoScene(scene, geoms, instances)


def _poses(data: Any, geoms: Int32Array) -> FloatArray:
    poses = np.zeros((len(geoms), 4, 4))
    poses[:, :3, :3] = np.asarray(data.geom_xmat)[geoms].reshape(-1, 3, 3)
    poses[:, :3, 3] = np.asarray(data.geom_xpos)[geoms]
    poses[:, 3, 3] = 1.0
    return poses


def _shape(
    model: Any, geom: int, kind: int, shape_id: int, size: FloatArray, n: int, reach: float
) -> Shape:
    """Vertices and faces of a geom in its own frame."""
    if kind == _PLANE:
        x, y = (half if half > 0.0 else reach for half in size[:2])
        corners = np.array([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)], dtype=np.float64)
        return corners, np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32)
    if kind == _BOX:
        corners = (2.0 * ((np.arange(8)[:, None] >> np.arange(3)) & 1) - 1.0) * size
        quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
        halves = [half for a, b, c, d in quads for half in ((a, b, c), (a, c, d))]
        return corners, np.array(halves, dtype=np.int32)
    if kind == _MESH:
        return _slice(model, shape_id)
    if kind == _HFIELD:
        return _height_field(model, shape_id)
    # Bodies of revolution: radius and height of rings from the bottom pole to the top one.
    angle = np.linspace(-math.pi / 2, math.pi / 2, max(n // 2, 2) + 1)
    if kind == _SPHERE:
        return _revolve(size[0] * np.cos(angle), size[0] * np.sin(angle), n)
    if kind == _ELLIPSOID:
        vertices, faces = _revolve(np.cos(angle), np.sin(angle), n)
        return vertices * size, faces
    radius, half = float(size[0]), float(size[1])
    if kind == _CYLINDER:
        return _revolve(
            np.array([0.0, radius, radius, 0.0]), np.array([-half, -half, half, half]), n
        )
    if kind == _CAPSULE:
        low, high = angle[angle <= 1e-12], angle[angle >= -1e-12]
        rings = radius * np.cos(np.concatenate([low, high]))
        heights = np.concatenate([radius * np.sin(low) - half, radius * np.sin(high) + half])
        return _revolve(rings, heights, n)
    raise ValueError(f"model: geom {geom} has type {kind}, which has no surface here")


def _slice(model: Any, mesh: int) -> Shape:
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    start, faces = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
    return (
        np.array(model.mesh_vert[first : first + count], dtype=np.float64),
        np.array(model.mesh_face[start : start + faces], dtype=np.int32),
    )


def _height_field(model: Any, field_id: int) -> Shape:
    """A height field as the solid that it is: its surface, its sides, its flat underside."""
    rows, columns = int(model.hfield_nrow[field_id]), int(model.hfield_ncol[field_id])
    half_x, half_y, top, base = (float(v) for v in model.hfield_size[field_id])
    start = int(model.hfield_adr[field_id])
    height = np.asarray(model.hfield_data[start : start + rows * columns], dtype=np.float64)
    y, x = np.meshgrid(
        np.linspace(-half_y, half_y, rows), np.linspace(-half_x, half_x, columns), indexing="ij"
    )
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    right, up, both = corner + 1, corner + columns, corner + columns + 1
    upper = np.concatenate(
        [np.stack([corner, right, both], axis=1), np.stack([corner, both, up], axis=1)]
    )
    count = rows * columns
    grid = np.arange(count).reshape(rows, columns)
    # Once around, counter-clockwise as seen from above.
    border = np.concatenate([grid[0, :-1], grid[:-1, -1], grid[-1, :0:-1], grid[:0:-1, 0]])
    after = np.roll(border, -1)
    sides = np.concatenate(
        [
            np.stack([border, border + count, after + count], axis=1),
            np.stack([border, after + count, after], axis=1),
        ]
    )
    flat = np.stack([x.ravel(), y.ravel()], axis=1)
    vertices = np.concatenate(
        [
            np.column_stack([flat, top * height]),
            np.column_stack([flat, np.full(count, -base)]),
        ]
    )
    faces = np.concatenate([upper, upper[:, ::-1] + count, sides])
    return vertices, faces.astype(np.int32)


def _revolve(radius: FloatArray, height: FloatArray, n: int) -> Shape:
    """A closed body of rings with ``n`` corners; the first and last ring are poles."""
    turn = 2.0 * math.pi * np.arange(n) / n
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    inner = np.arange(1, len(radius) - 1)
    xy = radius[inner][:, None, None] * circle
    z = np.broadcast_to(height[inner][:, None, None], (len(inner), n, 1))
    rings = np.concatenate([xy, z], axis=2).reshape(-1, 3)
    poles = [(0.0, 0.0, height[0]), (0.0, 0.0, height[-1])]
    k, step = np.arange(n), (np.arange(n) + 1) % n
    bottom, top = len(rings), len(rings) + 1
    rows = [np.stack([np.full(n, bottom), step, k], axis=1)]
    for ring in range(len(inner) - 1):
        a, b = ring * n, (ring + 1) * n
        rows.append(np.stack([a + k, a + step, b + step], axis=1))
        rows.append(np.stack([a + k, b + step, b + k], axis=1))
    last = (len(inner) - 1) * n
    rows.append(np.stack([last + k, last + step, np.full(n, top)], axis=1))
    return np.concatenate([rings, poles]), np.concatenate(rows).astype(np.int32)
