"""
Meshes and instances in one world; geometry.scene.Scene adds the public methods.
"""

from __future__ import annotations

import collections.abc
import typing

import numpy
import numpy.typing

__all__: list[str] = ["Scene"]

class Scene:
    def __init__(self, threads: typing.SupportsInt | typing.SupportsIndex = 0) -> None: ...
    def _add_instance(
        self,
        mesh: typing.SupportsInt | typing.SupportsIndex,
        *,
        object_id: typing.SupportsInt | typing.SupportsIndex,
        pose: typing.Any = None,
        scale: typing.Any = 1.0,
    ) -> int: ...
    def _add_mesh(
        self,
        vertices: typing.Any,
        faces: typing.Any,
        *,
        normals: typing.Any = None,
        uv: typing.Any = None,
    ) -> int: ...
    def _build(self) -> None: ...
    def _degenerate_faces(self, mesh: typing.SupportsInt | typing.SupportsIndex) -> int: ...
    def _instance_info(
        self, instance: typing.SupportsInt | typing.SupportsIndex
    ) -> dict[str, typing.Any]: ...
    def _mesh_arrays(
        self, mesh: typing.SupportsInt | typing.SupportsIndex
    ) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int32]]: ...
    def _remove_instance(self, instance: typing.SupportsInt | typing.SupportsIndex) -> None: ...
    def _set_pose(
        self,
        instance: typing.SupportsInt | typing.SupportsIndex,
        pose: typing.Any,
        scale: typing.Any = None,
    ) -> None: ...
    def _surface_samples(
        self,
        object_id: typing.SupportsInt | typing.SupportsIndex,
        samples: typing.SupportsInt | typing.SupportsIndex,
        shift: typing.Annotated[
            collections.abc.Sequence[typing.SupportsFloat | typing.SupportsIndex], "FixedSize(3)"
        ],
    ) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]: ...
    def _world_triangles(
        self, object_id: typing.SupportsInt | typing.SupportsIndex
    ) -> numpy.typing.NDArray[numpy.float64]: ...
    @property
    def _bounds(self) -> numpy.typing.NDArray[numpy.float64]: ...
    @property
    def _diameter(self) -> float: ...
    @property
    def _instance_object_ids(self) -> numpy.typing.NDArray[numpy.int32]: ...
    @property
    def _num_instances(self) -> int: ...
    @property
    def _num_triangles(self) -> int: ...
    @property
    def threads(self) -> int: ...
