"""Small meshes and a furnished room for the tests and benchmarks of the renderer."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from esi_fast import geometry as geo
from esi_fast.geometry.render import Light, Material

Mesh = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64] | None]


def box(size: ArrayLike = (1.0, 1.0, 1.0)) -> Mesh:
    """A closed box about the origin, faces outward."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    faces = np.array(
        [
            [0, 1, 3],
            [0, 3, 2],
            [4, 6, 7],
            [4, 7, 5],
            [0, 4, 5],
            [0, 5, 1],
            [2, 3, 7],
            [2, 7, 6],
            [0, 2, 6],
            [0, 6, 4],
            [1, 5, 7],
            [1, 7, 3],
        ]
    )
    return corners * np.asarray(size, dtype=np.float64), faces, None


def quad(width: float, height: float) -> Mesh:
    """A rectangle in the plane z = 0, facing up."""
    x, y = width / 2, height / 2
    vertices = np.array([[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0]], dtype=np.float64)
    return vertices, np.array([[0, 1, 2], [0, 2, 3]]), None


def lathe(profile: ArrayLike, around: int = 32) -> Mesh:
    """A surface of revolution about z with smooth normals around and creases along."""
    radii, heights = np.asarray(profile, dtype=np.float64).T
    angles = np.arange(around) * (2 * math.pi / around)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    vertices = np.concatenate(
        [
            np.column_stack([r * ring, np.full(around, z)])
            for r, z in zip(radii, heights, strict=True)
        ]
    )
    faces, normals = [], []
    for i in range(len(radii) - 1):
        slope = np.array([heights[i + 1] - heights[i], radii[i] - radii[i + 1]])
        slope /= np.linalg.norm(slope)
        for j in range(around):
            k = (j + 1) % around
            a, b, c, d = i * around + j, i * around + k, (i + 1) * around + j, (i + 1) * around + k
            nj, nk = (np.array([*(ring[m] * slope[0]), slope[1]]) for m in (j, k))
            if radii[i] > 0:
                faces.append([a, b, d])
                normals.append([nj, nk, nk])
            if radii[i + 1] > 0:
                faces.append([a, d, c])
                normals.append([nj, nk, nj])
    return vertices, np.array(faces), np.array(normals)


def sphere(radius: float, rings: int = 24) -> Mesh:
    """A sphere with the normals of the true one."""
    t = np.linspace(-math.pi / 2, math.pi / 2, rings + 1)
    profile = np.column_stack([np.cos(t) * radius, np.sin(t) * radius])
    profile[[0, -1], 0] = 0.0
    vertices, faces, _ = lathe(profile, 2 * rings)
    return vertices, faces, vertices[faces] / radius


class World:
    """A scene together with the material of each instance."""

    def __init__(self, threads: int = 0) -> None:
        self.scene = geo.Scene(threads)
        self.materials: list[Material] = []
        self.lights: list[Light] = []
        self.objects = 0

    def add(
        self,
        mesh: Mesh,
        material: Material,
        position: ArrayLike = (0.0, 0.0, 0.0),
        *,
        yaw: float = 0.0,
        orientation: ArrayLike | None = None,
        scale: ArrayLike = 1.0,
        object_id: int | None = None,
    ) -> int:
        """Adds an instance of its own mesh; returns its object id."""
        vertices, faces, normals = mesh
        if object_id is None:
            object_id = self.objects
        self.objects = max(self.objects, object_id + 1)
        turn = geo.transforms.yaw_quat(yaw) if orientation is None else orientation
        self.scene.add_instance(
            self.scene.add_mesh(vertices, faces, normals=normals),
            object_id=object_id,
            pose=geo.transforms.pose_matrix(position, turn),
            scale=scale,
        )
        self.materials.append(material)
        return object_id


def table(world: World, position: tuple[float, float], yaw: float, material: Material) -> None:
    """Board and legs under one object id."""
    c, s = math.cos(yaw), math.sin(yaw)
    item = world.add(box((1.4, 0.8, 0.04)), material, (*position, 0.72), yaw=yaw)
    for x in (-0.62, 0.62):
        for y in (-0.32, 0.32):
            foot = (position[0] + c * x - s * y, position[1] + s * x + c * y, 0.35)
            world.add(box((0.06, 0.06, 0.7)), material, foot, yaw=yaw, object_id=item)


def furnished_room(rings: int = 20, threads: int = 0) -> World:
    """A room of 6 x 5 m with a mirror, a glass, textures and two lamps; `rings` sets the detail."""
    world = World(threads)
    plaster = Material(color=(0.88, 0.86, 0.80), texture="paper")
    planks = Material(color=(0.72, 0.50, 0.31), texture="planks", texture_scale=0.14, gloss=0.25)
    brick = Material(color=(0.70, 0.33, 0.25), texture="brick", texture_scale=0.24)
    tile = Material(color=(0.95, 0.95, 0.95), texture="tile", texture_scale=0.3)
    world.add(box(), planks, (0, 0, -0.05), scale=(6, 5, 0.1))
    world.add(box(), plaster, (0, 0, 2.65), scale=(6, 5, 0.1))
    world.add(box(), Material(color=(0.80, 0.84, 0.86)), (0, 2.55, 1.3), scale=(6, 0.1, 2.6))
    world.add(box(), brick, (-3.05, 0, 1.3), scale=(0.1, 5, 2.6))
    world.add(box(), plaster, (3.05, 0, 1.3), scale=(0.1, 5, 2.6))
    world.add(box(), tile, (0, -2.55, 1.3), scale=(6, 0.1, 2.6))
    oak = Material(color=(0.62, 0.40, 0.22), texture="wood", gloss=0.3)
    table(world, (-0.6, 0.6), 0.3, oak)
    mirror_yaw = -math.pi / 2 - 0.35
    world.add(box((0.02, 1.0, 1.8)), Material(kind="mirror"), (1.2, 2.2, 0.95), yaw=mirror_yaw)
    rug = Material(color=(0.25, 0.35, 0.55), texture="fabric", color2=(0.8, 0.75, 0.6))
    world.add(box((2.2, 1.5, 0.012)), rug, (-0.5, 0.5, 0.006), yaw=0.3)
    cover = Material(color=(0.35, 0.45, 0.42), texture="fabric")
    sofa = world.add(box((1.8, 0.8, 0.4)), cover, (-1.9, -1.2, 0.2), yaw=math.pi / 2)
    for size, x, y, z in (
        ((1.8, 0.2, 0.8), -2.55, -1.2, 0.4),
        ((0.2, 0.8, 0.6), -1.9, -0.2, 0.3),
        ((0.2, 0.8, 0.6), -1.9, -2.2, 0.3),
    ):
        world.add(box(size), cover, (x, y, z), yaw=math.pi / 2, object_id=sofa)
    world.add(sphere(0.12, rings), Material(color=(0.85, 0.15, 0.1), gloss=0.7), (-0.3, 0.5, 0.86))
    marble = Material(color=(0.2, 0.5, 0.25), texture="noise", texture_scale=0.1, gloss=0.4)
    world.add(sphere(0.15, rings), marble, (0.9, -0.3, 0.15))
    checker = Material(color=(0.9, 0.75, 0.2), texture="checker", texture_scale=0.1)
    world.add(sphere(0.2, rings), checker, (1.7, 0.4, 0.2))
    world.add(sphere(0.18, rings), Material(kind="mirror"), (1.2, 1.0, 0.18))
    tumbler = [(0, 0), (0.033, 0), (0.038, 0.13), (0.035, 0.13), (0.030, 0.008), (0, 0.008)]
    clear = Material(kind="glass", color=(0.97, 0.99, 0.98))
    world.add(lathe(tumbler, 2 * rings), clear, (-0.6, 0.3, 0.7401))
    cup = [(0, 0), (0.04, 0), (0.04, 0.1), (0.036, 0.1), (0.036, 0.006), (0, 0.006)]
    china = Material(color=(0.92, 0.92, 0.9), gloss=0.6)
    world.add(lathe(cup, 2 * rings), china, (-0.95, 0.75, 0.7401))
    body = [(0, 0), (0.06, 0), (0.09, 0.1), (0.07, 0.22), (0.035, 0.30), (0.05, 0.34)]
    rim = [(0.045, 0.34), (0.03, 0.30), (0, 0.05)]
    glaze = Material(color=(0.25, 0.35, 0.6), gloss=0.6)
    world.add(lathe(body + rim, 2 * rings), glaze, (-0.25, 0.95, 0.7401))
    for k, color in enumerate(((0.6, 0.1, 0.1), (0.1, 0.3, 0.5), (0.8, 0.6, 0.2))):
        cloth = Material(color=color, texture="paper")
        place = (-1.0, 0.35, 0.756 + 0.0301 * k)
        world.add(box((0.22, 0.16, 0.03)), cloth, place, yaw=0.3 + 0.3 * k)
    shelf = Material(color=(0.55, 0.36, 0.2), texture="wood", gloss=0.2)
    world.add(box((0.4, 1.0, 1.9)), shelf, (2.75, -1.0, 0.95))
    lamp = Material(kind="emissive", color=(1.0, 0.95, 0.8), emission=3.0)
    world.add(sphere(0.09, 16), lamp, (0, 0, 2.3))
    world.lights = [
        Light("area", position=(0, 0, 2.3), radius=0.12, color=(2.6, 2.4, 2.1)),
        Light("area", position=(-2.2, 1.8, 2.0), radius=0.15, color=(0.9, 0.9, 1.0)),
    ]
    return world


ROOM_CAMERA = ((2.6, -2.0, 1.6), (-0.5, 0.6, 0.7))
