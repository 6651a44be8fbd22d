"""The kernel scene of a world: one ``geo.Scene`` that follows the objects instead of being rebuilt.

Meshes are added once per asset part; an object is one instance per part; its kernel id is its
place in the order of the ids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.assets.coats import coated
from esi_fast.assets.inner import shape_model
from esi_fast.geometry.render import Material
from esi_fast.records import ObjectSpec
from esi_fast.sim._hinges import part_poses
from esi_fast.sim._soft import Skin
from esi_fast.types import FloatArray

__all__ = ["View", "opening", "world_box"]


def opening(spec: ObjectSpec) -> float:
    """How far the hinged parts of an object are open; doors turn as a whole instead."""
    return 0.0 if "hinge" in spec.state else spec.state.get("open", 0.0)


@lru_cache(maxsize=4096)
def _outline(
    category: str, model: str, scale: tuple[float, float, float], opened: float
) -> FloatArray:
    """Corners of the convex hull of the posed mesh in the object's frame, (K, 3)."""
    asset = assets.get(category, model)
    factor = np.asarray(scale)
    moved = part_poses(asset, factor, opened)
    clouds = []
    for number, part in enumerate(asset.parts):
        points = np.asarray(part.vertices, dtype=np.float64) * factor
        if number in moved:
            points = points @ moved[number][:3, :3].T + moved[number][:3, 3]
        clouds.append(points)
    points = np.concatenate(clouds)
    try:
        return np.asarray(points[ConvexHull(points).vertices])
    except QhullError:  # a flat mesh, such as a sheet of paper, is its own outline
        return points


def world_box(spec: ObjectSpec, position: FloatArray, orientation: FloatArray) -> FloatArray:
    """World bounding box (2, 3) of an object's mesh at a pose."""
    points = _outline(spec.category, spec.model, spec.scale, opening(spec))
    world = points @ geo.transforms.quat_to_matrix(orientation).T + position
    return np.stack([world.min(axis=0), world.max(axis=0)])


class _Entry(NamedTuple):
    key: tuple[object, ...]
    row: int
    instances: tuple[int, ...]


class View:
    """The scene with the instances and materials of all objects."""

    def __init__(self, *, threads: int = 0) -> None:
        self.scene = geo.Scene(threads=threads)
        self._meshes: dict[tuple[str, str, int], int] = {}
        self._entries: dict[str, _Entry] = {}
        self._materials: dict[int, Material] = {}
        self._count = 0  # instances ever made; the scene never reuses a number
        self._skins: Mapping[str, Skin] = {}

    def sync(
        self,
        objects: Mapping[str, ObjectSpec],
        positions: FloatArray,
        orientations: FloatArray,
        moved: Sequence[str],
        skins: Mapping[str, Skin] | None = None,
    ) -> None:
        """Follow the world: instances of gone or changed objects leave, new ones come, and the
        objects named in ``moved`` go to their poses. Those in ``skins`` are drawn by their skin."""
        self._skins = skins or {}
        wanted = {
            name: (
                (
                    spec.category,
                    shape_model(spec),
                    spec.palette,
                    spec.scale,
                    spec.coat,
                    self._skins.get(name),
                ),
                index,
            )
            for index, (name, spec) in enumerate(objects.items())
        }
        for name in list(self._entries):
            entry = self._entries[name]
            if wanted.get(name) != (entry.key, entry.row):
                for instance in entry.instances:
                    self.scene.remove_instance(instance)
                    del self._materials[instance]
                del self._entries[name]
        instances: list[int] = []
        poses: list[FloatArray] = []
        rows = {name: row for row, name in enumerate(objects)}
        for name in moved:
            entry_or_none = self._entries.get(name)
            if entry_or_none is not None:
                row = rows[name]
                instances.extend(entry_or_none.instances)
                poses.extend(self._poses(objects[name], positions[row], orientations[row]))
        if instances:
            self.scene.set_poses(instances, np.stack(poses))
        for name, (key, index) in wanted.items():
            if name not in self._entries:
                spec = objects[name]
                self._entries[name] = _Entry(
                    key, index, self._add(spec, index, positions[index], orientations[index])
                )

    def _poses(
        self, spec: ObjectSpec, position: FloatArray, orientation: FloatArray
    ) -> list[FloatArray]:
        pose = geo.transforms.pose_matrix(position, orientation)
        if spec.id in self._skins:
            return [pose] * len(self._skins[spec.id].parts)
        asset = assets.get(spec.category, shape_model(spec), spec.palette)
        moved = part_poses(asset, np.asarray(spec.scale), opening(spec))
        return [pose @ moved[k] if k in moved else pose for k in range(len(asset.parts))]

    def _add(
        self, spec: ObjectSpec, index: int, position: FloatArray, orientation: FloatArray
    ) -> tuple[int, ...]:
        made: list[int] = []
        poses = self._poses(spec, position, orientation)
        skin = self._skins.get(spec.id)
        model = shape_model(spec)
        parts = skin.parts if skin else assets.get(spec.category, model, spec.palette).parts
        for number, (part, pose) in enumerate(zip(parts, poses, strict=True)):
            key = (spec.category, model, number)
            if skin is not None or key not in self._meshes:
                mesh = self.scene.add_mesh(
                    part.vertices, part.faces, normals=part.normals, uv=part.uv
                )
                if skin is None:
                    self._meshes[key] = mesh
            else:
                mesh = self._meshes[key]
            scale = (1.0, 1.0, 1.0) if skin else spec.scale
            instance = self.scene.add_instance(mesh, object_id=index, pose=pose, scale=scale)
            self._materials[instance] = part.material if skin else coated(spec.coat, number, part)
            self._count = instance + 1
            made.append(instance)
        return tuple(made)

    def materials(self) -> list[Material]:
        """Materials by instance number; numbers no longer in use get a plain one."""
        plain = Material()
        return [self._materials.get(k, plain) for k in range(self._count)]
