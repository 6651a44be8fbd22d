"""A user's own meshes as models: ``<folder>/<category>/<model>.obj`` (or ply, stl, glb ...).

Files are untrusted: what is no closed surface of a sensible size is refused with numbers, and the
catalogue stays as it was.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import ConvexHull, QhullError

from esi_fast._files import os_errors
from esi_fast.assets import library
from esi_fast.assets.base import Asset, Part
from esi_fast.assets.solids import corner_normals
from esi_fast.errors import RecordError
from esi_fast.geometry.render import Material
from esi_fast.types import FloatArray, IntArray

__all__ = ["DENSITY", "FORMATS", "MOST_BYTES", "MOST_FACES", "from_folder", "load_mesh"]

FORMATS = (".obj", ".ply", ".stl", ".glb", ".off")
# A scan of this many triangles is finer than any picture of a question; more slows every query.
MOST_FACES = 200_000
MOST_BYTES = 256 * 1024 * 1024
# Between a sheet of paper and a house (m): outside, the file is most likely in other units.
_EXTENTS = (1e-4, 100.0)
# Masses are not in such files: half the density of water over the volume, kg per m3.
DENSITY = 500.0


def load_mesh(path: str | Path, *, category: str, model: str, friction: float = 0.5) -> Asset:
    """One model from a mesh file in metres, z up, front towards +X; moved to the centre of its box.

    Faces that edges join collide as their convex hull. ``RecordError`` names the file and says
    with numbers what is wrong: its size, no triangles, coordinates that are not finite, more than
    ``MOST_FACES`` triangles, edges that do not have two faces, extents outside 0.1 mm to 100 m.
    """
    file = Path(path)
    with os_errors(file):
        size = file.stat().st_size
    if size > MOST_BYTES:
        raise RecordError(f"{file}: expected at most {MOST_BYTES} bytes, got {size}")
    vertices, faces = _read(file)
    if not len(faces):
        raise RecordError(f"{file}: expected triangles, got {len(vertices)} vertices and none")
    if len(faces) > MOST_FACES:
        raise RecordError(f"{file}: expected at most {MOST_FACES} triangles, got {len(faces)}")
    bad = int(np.count_nonzero(~np.isfinite(vertices).all(axis=1)))
    if bad:
        raise RecordError(f"{file}: expected finite coordinates, got {bad} vertices that are not")
    loose = _loose_edges(faces)
    if loose:
        raise RecordError(
            f"{file}: expected a closed surface, got {loose} edges that do not join two faces"
        )
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    extent = high - low
    if extent.min() < _EXTENTS[0] or extent.max() > _EXTENTS[1]:
        raise RecordError(
            f"{file}: expected extents of {_EXTENTS[0]} to {_EXTENTS[1]} m,"
            f" got {extent.min():.4g} to {extent.max():.4g}"
        )
    vertices = vertices - (low + high) / 2.0
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    volume = float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6.0
    if volume < 0.0:
        # All faces look inwards: they are turned round.
        faces = faces[:, ::-1].copy()
    normals = corner_normals(vertices, faces)
    pieces = _hulls(file, vertices, faces)
    for array in (vertices, faces, normals, *pieces):
        array.flags.writeable = False
    return Asset(
        category=category,
        model=model,
        palette=0,
        parts=(Part(vertices, faces, Material(color=(0.7, 0.68, 0.64)), normals),),
        convex=pieces,
        size=(float(extent[0]), float(extent[1]), float(extent[2])),
        mass=max(DENSITY * abs(volume), 1e-3),
        friction=friction,
        tags=frozenset({"object", "imported"}),
    )


def _read(file: Path) -> tuple[FloatArray, IntArray]:
    """Vertices and triangles of all that a file holds, equal vertices joined."""
    import trimesh

    try:
        loaded: Any = trimesh.load_mesh(file, process=False)
        if isinstance(loaded, trimesh.Scene):
            loaded = loaded.to_geometry()
        points, faces = np.asarray(loaded.vertices, float), np.asarray(loaded.faces, np.int64)
    except Exception as error:
        # The readers of a dozen formats raise whatever comes up in a broken file.
        raise RecordError(f"{file}: cannot be read as a mesh ({type(error).__name__})") from error
    if points.ndim != 2 or points.shape[1:] != (3,) or faces.ndim != 2 or faces.shape[1:] != (3,):
        raise RecordError(
            f"{file}: expected vertices (V, 3) and faces (F, 3),"
            f" got {points.shape} and {faces.shape}"
        )
    if len(faces) and (faces.min() < 0 or faces.max() >= len(points)):
        raise RecordError(
            f"{file}: expected vertex numbers of 0 to {len(points) - 1},"
            f" got {faces.min()} to {faces.max()}"
        )
    unique, place = np.unique(points, axis=0, return_inverse=True)
    faces = place.reshape(-1)[faces]
    solid = (np.diff(np.sort(faces, axis=1), axis=1) > 0).all(axis=1)
    return unique, faces[solid]


def _edges(faces: IntArray) -> tuple[IntArray, IntArray]:
    """A number for each directed edge (3 F,), and the numbers of the same edges the other way."""
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    most = int(faces.max()) + 1
    return edges[:, 0] * most + edges[:, 1], edges[:, 1] * most + edges[:, 0]


def _loose_edges(faces: IntArray) -> int:
    """Edges that do not run once in each direction."""
    forward, backward = _edges(faces)
    known, count = np.unique(forward, return_counts=True)
    return int(np.count_nonzero(~np.isin(backward, known)) + (count - 1).sum())


def _hulls(file: Path, vertices: FloatArray, faces: IntArray) -> tuple[FloatArray, ...]:
    """The corners of the convex hull of each set of faces joined by edges (a corner joins none)."""
    forward, backward = _edges(faces)
    order = np.argsort(forward)
    there = order[np.searchsorted(forward, backward, sorter=order)]
    count = len(faces)
    pairs = (np.arange(3 * count) % count, there % count)
    graph = coo_matrix((np.ones(3 * count), pairs), shape=(count, count))
    parts, label = connected_components(graph, directed=False)
    pieces = []
    for part in range(parts):
        points = vertices[np.unique(faces[label == part])]
        try:
            pieces.append(points[ConvexHull(points).vertices])
        except QhullError as error:
            raise RecordError(
                f"{file}: expected solid components, got a flat one of {len(points)} vertices"
            ) from error
    return tuple(pieces)


def from_folder(folder: str | Path) -> tuple[str, ...]:
    """Adds every ``<category>/<model>`` mesh of a folder to the catalogue of this process.

    All files are read first: one that is refused (``RecordError``, see ``load_mesh``) leaves the
    catalogue as it was. Returns the categories. ``ValueError`` for a category that exists already
    and for a folder without meshes. Worker processes need the same call.
    """
    root = Path(folder)
    with os_errors(root):
        files = sorted(p for p in root.iterdir() if p.is_dir())
        found = [f for d in files for f in sorted(d.iterdir()) if f.suffix.lower() in FORMATS]
    if not found:
        raise ValueError(f"folder: expected meshes {FORMATS} in {root}/<category>, got none")
    taken = sorted({f.parent.name for f in found} & library.all_names())
    if taken:
        raise ValueError(f"folder: expected names of new categories, got {', '.join(taken)}")
    models: dict[str, dict[str, Asset]] = {}
    for file in found:
        name = file.parent.name
        models.setdefault(name, {})[file.stem] = load_mesh(file, category=name, model=file.stem)
    library.add_imported(models)
    return tuple(models)
