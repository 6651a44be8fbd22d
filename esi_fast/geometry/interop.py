"""Scenes from other libraries' objects, which are only read: their libraries are not imported.

Anything without an adapter comes in through arrays: ``Scene.add_mesh`` and ``add_instance``. Poses
are in metres, world from object, as everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from esi_fast.geometry import _shapes
from esi_fast.geometry._arrays import FloatArray, Int32Array
from esi_fast.geometry._interop_pybullet import PybulletScene, from_pybullet
from esi_fast.geometry._shapes import Shape
from esi_fast.geometry.scene import Scene

__all__ = [
    "MujocoScene",
    "PybulletScene",
    "TrimeshScene",
    "from_mujoco",
    "from_pybullet",
    "from_trimesh",
]

# MuJoCo's mjtGeom, fixed by its binary model format.
_PLANE, _HFIELD, _SPHERE, _CAPSULE, _ELLIPSOID, _CYLINDER, _BOX, _MESH, _SDF = range(9)
_WITH_MESH = (_MESH, _SDF)


@dataclass(frozen=True)
class TrimeshScene:
    """``scene`` has object id k for the node (or mesh) called ``names[k]``; ``update`` moves it."""

    scene: Scene
    names: tuple[str, ...]
    # What undoes the scale, shear or reflection that went into the vertices, (I, 4, 4).
    _undo: FloatArray = field(repr=False)

    def update(self, source: Any) -> None:
        """Moves every node to where it is in ``source`` (trimesh.Scene); no mesh is built anew.

        ``ValueError`` where a node's scale or shear is no longer what it was.
        """
        poses = np.stack([source.graph[name][0] for name in self.names]) @ self._undo
        for name, pose in zip(self.names, poses, strict=True):
            if not _rigid(pose):
                raise ValueError(f"source: expected node {name!r} to keep its scale and shear")
        self.scene.set_poses(range(len(self.names)), poses)


def from_trimesh(source: Any, *, threads: int = 0) -> TrimeshScene:
    """A scene of a ``trimesh.Trimesh`` or of all geometry nodes of a ``trimesh.Scene``.

    A mesh that several nodes share is stored once, unless one of them scales, shears or mirrors
    it. Paths and point clouds, which have no surface, are left out. ``threads`` is the scene's
    default. ``TypeError`` for anything else; ``ValueError`` for a node that flattens its mesh.
    """
    scene = Scene(threads)
    if hasattr(source, "vertices") and hasattr(source, "faces"):
        scene.add_instance(scene.add_mesh(source.vertices, source.faces), object_id=0)
        return TrimeshScene(scene, ("mesh",), np.eye(4)[None])
    if not (hasattr(source, "graph") and hasattr(source, "geometry")):
        raise TypeError(
            f"source: expected a trimesh.Trimesh or trimesh.Scene, got {type(source).__name__}"
        )
    meshes: dict[str, int] = {}
    names: list[str] = []
    undo: list[FloatArray] = []
    for node in sorted(source.graph.nodes_geometry):
        matrix, key = source.graph[node]
        shape = source.geometry[key]
        if not hasattr(shape, "faces"):
            continue
        pose, back = np.array(matrix, dtype=np.float64), np.eye(4)
        if _rigid(pose):
            if key not in meshes:
                meshes[key] = scene.add_mesh(shape.vertices, shape.faces)
            mesh = meshes[key]
        else:  # scale, shear and reflection go into the vertices
            linear = pose[:3, :3]
            if np.linalg.matrix_rank(linear) < 3:
                raise ValueError(f"source: expected node {node!r} to keep its mesh solid, got flat")
            mesh = scene.add_mesh(shape.vertices @ linear.T, shape.faces)
            back[:3, :3] = np.linalg.inv(linear)
            pose[:3, :3] = np.eye(3)
        scene.add_instance(mesh, object_id=len(names), pose=pose)
        names.append(str(node))
        undo.append(back)
    return TrimeshScene(scene, tuple(names), np.reshape(undo, (-1, 4, 4)))


def _rigid(pose: FloatArray) -> bool:
    linear = pose[:3, :3]
    square = np.allclose(linear.T @ linear, np.eye(3), rtol=0, atol=1e-9)
    return bool(square and np.linalg.det(linear) > 0)


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
    are infinite in the model reach ``plane_size`` metres to each side. A signed distance field is
    the mesh that MuJoCo made of it. Flexes and skins are no geoms and are left out.

    ``ids``: object ids are body or geom ids. ``ValueError`` for a wrong option or a geom type
    without a surface of its own.
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
        if kind in _WITH_MESH and shape_id in shared:
            mesh = shared[shape_id]
        else:
            size = np.array(model.geom_size[k], dtype=np.float64)
            mesh = scene.add_mesh(*_shape(model, k, kind, shape_id, size, segments, plane_size))
            if kind in _WITH_MESH:
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
        half_x, half_y = (half if half > 0.0 else reach for half in size[:2])
        return _shapes.plane(half_x, half_y)
    if kind == _BOX:
        return _shapes.box(size)
    if kind in _WITH_MESH:
        return _slice(model, shape_id)
    if kind == _HFIELD:
        return _height_field(model, shape_id)
    if kind == _SPHERE:
        return _shapes.ellipsoid(np.full(3, size[0]), n)
    if kind == _ELLIPSOID:
        return _shapes.ellipsoid(size, n)
    if kind == _CYLINDER:
        return _shapes.cylinder(float(size[0]), float(size[1]), n)
    if kind == _CAPSULE:
        return _shapes.capsule(float(size[0]), float(size[1]), n)
    raise ValueError(f"model: geom {geom} has type {kind}, which has no surface here")


def _slice(model: Any, mesh: int) -> Shape:
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    start, faces = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
    return (
        np.array(model.mesh_vert[first : first + count], dtype=np.float64),
        np.array(model.mesh_face[start : start + faces], dtype=np.int32),
    )


def _height_field(model: Any, field_id: int) -> Shape:
    rows, columns = int(model.hfield_nrow[field_id]), int(model.hfield_ncol[field_id])
    half_x, half_y, top, base = (float(v) for v in model.hfield_size[field_id])
    start = int(model.hfield_adr[field_id])
    height = np.asarray(model.hfield_data[start : start + rows * columns], dtype=np.float64)
    return _shapes.height_field(top * height.reshape(rows, columns), half_x, half_y, base)
