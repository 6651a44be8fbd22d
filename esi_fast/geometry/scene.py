"""Meshes placed in one world: what rays, lines of sight and pictures are computed on."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import as_floats

__all__ = ["Scene", "SurfaceSamples"]


class SurfaceSamples(NamedTuple):
    """Points spread evenly over an object's surface."""

    points: NDArray[np.float64]  # (S, 3) metres, world
    normals: NDArray[np.float64]  # (S, 3) unit, along (b - a) x (c - a) of the face a, b, c


class Scene(_core.scene.Scene):
    """A set of triangle meshes and of their instances, each with a pose and an object id.

    Ids of meshes and instances count up from 0 and stay valid when other instances are removed.
    Coordinates are metres in double precision; a scene may lie anywhere within 1e12 m of the
    origin without loss. All methods may be called from several Python threads at once.

    ``threads``: the default for building and for queries on this scene; 0 means all processors.
    """

    def __init__(self, threads: int = 0) -> None:
        super().__init__(threads)
        self._obstacles = _core.sweep.Obstacles()  # empty until distance asks for it

    def add_mesh(
        self,
        vertices: ArrayLike,
        faces: ArrayLike,
        *,
        normals: ArrayLike | None = None,
        uv: ArrayLike | None = None,
    ) -> int:
        """Adds a mesh and returns its id; it shows up once it has an instance.

        ``vertices`` (V, 3) metres, ``faces`` (F, 3) vertex indices, ``normals`` (F, 3, 3) per face
        corner for smooth shading, ``uv`` (F, 3, 2) texture coordinates per face corner. Faces
        without area (to within the rounding of their coordinates) are kept for numbering but no ray
        meets them; ``degenerate_faces`` counts them. An empty mesh is allowed.

        Raises ``ValueError`` for wrong shapes, values that are not finite, coordinates beyond 1e60
        (of whatever unit), or an index out of range.
        """
        return self._add_mesh(vertices, faces, normals=normals, uv=uv)

    def add_instance(
        self,
        mesh: int,
        *,
        object_id: int,
        pose: ArrayLike | None = None,
        scale: ArrayLike = 1.0,
    ) -> int:
        """Places a mesh in the world and returns the instance's id.

        ``object_id`` (0 or more) is what queries report; several instances may share one.
        ``pose`` (4, 4) is world-from-object, identity by default; ``scale`` is one factor or one
        per local axis, applied before the pose.

        Raises ``ValueError`` for a mesh that is not there, a negative id, a scale that is not
        positive, or a pose that is singular or not finite.
        """
        return self._add_instance(mesh, object_id=object_id, pose=pose, scale=scale)

    def set_pose(self, instance: int, pose: ArrayLike, scale: ArrayLike | None = None) -> None:
        """Moves an instance to ``pose`` (4, 4); its scale stays as it is unless given.

        The first change after a build makes the next query rebuild the scene in a form in which
        further changes are cheap. ``ValueError`` for an instance that is not there, or a pose that
        is singular or not finite.
        """
        self._set_pose(instance, pose, scale)

    def set_poses(self, instances: Sequence[int], poses: ArrayLike) -> None:
        """Moves several instances: ``poses`` (K, 4, 4). Scales stay as they are.

        ``ValueError`` as in ``set_pose``; those before the wrong one have moved then.
        """
        matrices = as_floats("poses", poses)
        if matrices.shape != (len(instances), 4, 4):
            raise ValueError(
                f"poses: expected shape ({len(instances)}, 4, 4), got {matrices.shape}"
            )
        for instance, pose in zip(instances, matrices, strict=True):
            self.set_pose(instance, pose)

    def remove_instance(self, instance: int) -> None:
        """Takes an instance out; its id is not used again."""
        self._remove_instance(instance)

    def build(self) -> None:
        """Builds or updates the hierarchy now. Queries do it by themselves when needed."""
        self._build()

    @property
    def bounds(self) -> NDArray[np.float64]:
        """(2, 3): lower and upper corner of everything a ray can meet; NaN when that is nothing."""
        return self._bounds

    @property
    def diameter(self) -> float:
        """Length in metres of the diagonal of ``bounds``, 0 when there is nothing."""
        return self._diameter

    @property
    def num_triangles(self) -> int:
        """Number of triangles in the world, degenerate ones not counted."""
        return self._num_triangles

    @property
    def num_instances(self) -> int:
        """Number of instances, removed ones not counted."""
        return self._num_instances

    @property
    def instance_object_ids(self) -> NDArray[np.int32]:
        """(I,): the object id of every instance ever added, -1 for removed ones."""
        return self._instance_object_ids

    def degenerate_faces(self, mesh: int) -> int:
        """Number of faces of the mesh that have no area."""
        return self._degenerate_faces(mesh)

    def mesh_arrays(self, mesh: int) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """Copies of the mesh's vertices (V, 3) and faces (F, 3)."""
        return self._mesh_arrays(mesh)

    def instances_of(self, object_id: int) -> NDArray[np.int64]:
        """(K,): the instances that carry this object id, in order."""
        return np.flatnonzero(self.instance_object_ids == object_id)

    def world_triangles(self, object_id: int) -> NDArray[np.float64]:
        """(T, 3, 3): corners in the world of all triangles of an object, degenerate ones left out.

        Ordered by instance, then face. Empty for an id that no instance carries.
        """
        return self._world_triangles(object_id)

    def surface_samples(
        self, object_id: int, samples: int = 256, *, seed: int = 0
    ) -> SurfaceSamples:
        """Points spread over an object's surface with equal density per area.

        Stratified along the triangles and low-discrepancy within them: the error of a fraction
        over the samples falls faster than with independent points. The same seed gives the same
        points on the object wherever it stands.

        Raises ``ValueError`` if the object has no triangle, or for fewer than one sample.
        """
        return SurfaceSamples(*self._surface_samples(object_id, samples, _shift(seed)))


@functools.lru_cache(maxsize=1024)
def _shift(seed: int) -> tuple[float, float, float]:
    """Where the sequences of a seed begin."""
    x, y, z = np.random.default_rng(seed).random(3).tolist()
    return x, y, z
