"""What an asset is: parts to draw, convex pieces to collide, and what a generator may ask of it.

The frame of every asset: origin at the centre of its bounding box, z up, front towards local +X,
metres. All arrays are read-only, because assets are cached and shared.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from esi_fast.geometry.render import Material
from esi_fast.types import FloatArray, IntArray

__all__ = ["Asset", "Cavity", "Hinge", "Mesh", "Part", "Support", "equivalent_radius"]

# A surface counts as mirror-symmetric when reflecting it about some vertical plane moves it by
# no more than this fraction of the box diagonal: about a pixel at the sizes that questions show.
SYMMETRY_TOLERANCE = 0.01
_SYMMETRY_PLANES_DEG = (0.0, 90.0, 45.0, 135.0, 22.5, 67.5, 112.5, 157.5)


def equivalent_radius(volume: float) -> float:
    """Radius in metres of the sphere that has ``volume`` cubic metres."""
    return float((3.0 * volume / (4.0 * np.pi)) ** (1.0 / 3.0))


@dataclass(frozen=True)
class Part:
    """One surface with one material.

    ``vertices`` (V, 3); ``faces`` (F, 3) indices, counter-clockwise seen from outside;
    ``normals`` (F, 3, 3) per face corner, split at creases; ``uv`` (F, 3, 2) where the material
    is an image. ``closed`` says that every edge is shared by exactly two faces.
    """

    vertices: FloatArray
    faces: IntArray
    material: Material
    normals: FloatArray | None = None
    uv: FloatArray | None = None
    closed: bool = True


@dataclass(frozen=True)
class Mesh:
    """All parts in one: ``part`` (F,) says which part a face came from."""

    vertices: FloatArray
    faces: IntArray
    normals: FloatArray
    part: IntArray


@dataclass(frozen=True)
class Support:
    """A level rectangle on which things can stand, in the asset frame.

    ``lower`` and ``upper`` are its corners in x and y, ``z`` its height, ``clearance`` the free
    height above it (``inf`` under the open sky).
    """

    lower: tuple[float, float]
    upper: tuple[float, float]
    z: float
    clearance: float = float("inf")


@dataclass(frozen=True)
class Cavity:
    """The inside of an open vessel, in the asset frame: from its floor to its rim.

    The box ``lower``..``upper``; ``rounded`` says that the true inside is the elliptical cylinder
    in it. A conical or bulging vessel is described by its largest such cylinder at the rim, so
    this is for placing things in it; its capacity is measured on the mesh.
    """

    lower: tuple[float, float, float]
    upper: tuple[float, float, float]
    rounded: bool = True


@dataclass(frozen=True)
class Hinge:
    """A door or lid: which parts and convex pieces turn about which axis, from 0 to ``limit``.

    ``origin`` and ``axis`` (unit) in the asset frame; ``limit`` in radians.
    """

    parts: tuple[int, ...]
    convex: tuple[int, ...]
    origin: tuple[float, float, float]
    axis: tuple[float, float, float]
    limit: float


@dataclass(frozen=True)
class Asset:
    """A model of a category in one colouring: a pure function of the three.

    ``size`` are the full extents in metres; every vertex and every convex piece lies within
    ``size / 2`` of the origin and the mesh touches all six sides. ``convex`` are the corners
    (K, 3) of pieces whose hulls together cover the solid; cavities stay open. ``mass`` in
    kilograms; ``friction`` one coefficient. ``mirror`` is the (width, height) of the reflecting
    rectangle on the +X side, where there is one.
    """

    category: str
    model: str
    palette: int
    parts: tuple[Part, ...]
    convex: tuple[FloatArray, ...]
    size: tuple[float, float, float]
    mass: float
    friction: float
    tags: frozenset[str] = frozenset()
    supports: tuple[Support, ...] = ()
    cavity: Cavity | None = None
    hinges: tuple[Hinge, ...] = ()
    mirror: tuple[float, float] | None = None

    def mesh(self) -> Mesh:
        """The combined mesh (cached, read-only)."""
        return self._mesh

    @cached_property
    def _mesh(self) -> Mesh:
        offsets = np.cumsum([0, *(len(part.vertices) for part in self.parts)])
        mesh = Mesh(
            np.concatenate([part.vertices for part in self.parts]),
            np.concatenate(
                [part.faces + offset for part, offset in zip(self.parts, offsets, strict=False)]
            ),
            np.concatenate([_normals_of(part) for part in self.parts]),
            np.repeat(np.arange(len(self.parts)), [len(part.faces) for part in self.parts]),
        )
        for array in (mesh.vertices, mesh.faces, mesh.normals, mesh.part):
            array.flags.writeable = False
        return mesh

    @property
    def nominal_radius(self) -> float:
        """Radius of the sphere with the volume of the bounding box, metres."""
        return equivalent_radius(float(np.prod(self.size)))

    @cached_property
    def asymmetry(self) -> float:
        """How far the mesh is from its nearest vertical mirror image, over the box diagonal.

        The smallest, over eight vertical planes through the axis of the box, of the 98th
        percentile of the distances from reflected surface points to the surface. Sampling makes
        it an over-estimate by at most about 0.01; colours are not looked at.
        """
        return _asymmetry(self.mesh(), self.size)

    @property
    def symmetric(self) -> bool:
        """Whether a reflection of the object may be taken for the object turned about z.

        Never of an object with print on it: letters tell a mirror at once.
        """
        return not any(map(_has_print, self.parts)) and self.asymmetry <= SYMMETRY_TOLERANCE


def _has_print(part: Part) -> bool:
    """Whether a part carries a picture that is not its own mirror image."""
    image = part.material.image
    return image is not None and not np.array_equal(image, image[:, ::-1])


def _normals_of(part: Part) -> FloatArray:
    if part.normals is not None:
        return part.normals
    a, b, c = (part.vertices[part.faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    return np.repeat(normal[:, None, :], 3, axis=1)


def _asymmetry(mesh: Mesh, size: tuple[float, float, float]) -> float:
    # Vertices reflect onto vertices when a family is built symmetric, whatever its diagonals;
    # midpoints and centres let a vertex that lands inside a large face find it.
    corners = mesh.vertices[mesh.faces]
    edge = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    diagonal = float(np.linalg.norm(size))
    grid = [(i, j, 8 - i - j) for i in range(9) for j in range(9 - i)]
    fine = np.einsum("kc,fcx->fkx", np.array(grid) / 8.0, corners[edge > 0.05 * diagonal])
    target = np.concatenate([mesh.vertices, corners.mean(axis=1), fine.reshape(-1, 3)])
    step = max(1, len(target) // 3000)
    target = np.concatenate([mesh.vertices[:: max(1, len(mesh.vertices) // 2500)], target[::step]])
    probe = mesh.vertices[:: max(1, len(mesh.vertices) // 300)]
    best = np.inf
    norms = (target**2).sum(axis=1)
    for angle in np.deg2rad(_SYMMETRY_PLANES_DEG):
        normal = np.array([np.cos(angle), np.sin(angle), 0.0])
        mirrored = probe - 2.0 * (probe @ normal)[:, None] * normal
        square = (mirrored**2).sum(axis=1)[:, None] - 2.0 * mirrored @ target.T + norms
        gap = np.sqrt(np.maximum(square.min(axis=1), 0.0))
        best = min(best, float(np.quantile(gap, 0.98)) / diagonal)
        if best <= 1e-6:
            break
    return best
