"""PyBullet's worlds as scenes: see ``interop.from_pybullet``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry import _shapes
from esi_fast.geometry._arrays import FloatArray, IntArray
from esi_fast.geometry._shapes import Shape
from esi_fast.geometry.scene import Scene
from esi_fast.geometry.transforms import invert_pose, pose_matrix

__all__ = ["PybulletScene", "from_pybullet"]

Link = tuple[int, int]


@dataclass(frozen=True)
class PybulletScene:
    """``scene`` has an instance per shape of the ``links`` (body, link), -1 for a base.

    ``update`` moves them. Object ids are body ids, or positions in ``links``, as asked.
    """

    scene: Scene
    links: tuple[Link, ...]
    _bullet: _Bullet = field(repr=False)
    _link_of: IntArray = field(repr=False)  # of each instance, a position in links
    _local: FloatArray = field(repr=False)  # (I, 4, 4) poses of the instances in their links

    def update(self) -> None:
        """Moves every shape to where its link is now; no mesh is built anew."""
        poses = self._bullet.poses(self.links)[self._link_of] @ self._local
        self.scene.set_poses(range(len(poses)), poses)


def from_pybullet(
    bullet: Any,
    *,
    client: int | None = None,
    bodies: Iterable[int] | None = None,
    shapes: Literal["collision", "visual"] = "collision",
    ids: Literal["body", "link"] = "body",
    meshes: Mapping[Link, tuple[ArrayLike, ArrayLike]] | None = None,
    segments: int = 32,
    plane_size: float = 50.0,
    threads: int = 0,
) -> PybulletScene:
    """A scene of the rigid bodies of a PyBullet world.

    ``bullet`` is the module ``pybullet`` or a ``BulletClient``; ``client`` its physics client, the
    first by default. ``bodies`` chooses body ids, all by default. Boxes and planes are exact, and
    planes reach ``plane_size`` metres to each side; spheres, capsules and cylinders become
    inscribed polyhedra with ``segments`` corners around. Meshes are what PyBullet collides with:
    convex hulls without Bullet's margin, or the triangles of the file where the shape is concave;
    those of ``visual`` shapes are the triangles of their files.

    PyBullet does not give back every mesh: neither concave ones made from vertices, nor height
    fields, which it does not even report. ``meshes`` holds vertices (V, 3) and faces (F, 3) for the
    link (body, link), in the coordinates of that shape (of the link's centre of mass for a height
    field). Reading a mesh needs trimesh.

    ``ValueError`` for a wrong option, a shape that cannot be read and is not in ``meshes``, or an
    entry of ``meshes`` without a use.
    """
    if shapes not in ("collision", "visual"):
        raise ValueError(f"shapes: expected 'collision' or 'visual', got {shapes!r}")
    if ids not in ("body", "link"):
        raise ValueError(f"ids: expected 'body' or 'link', got {ids!r}")
    if segments < 3:
        raise ValueError(f"segments: expected 3 or more, got {segments}")
    world = _Bullet(bullet, client)
    given = dict(meshes or {})
    unused = set(given)
    scene = Scene(threads)
    links: list[Link] = []
    link_of: list[int] = []
    local: list[FloatArray] = []

    def place(link: Link, shape: Shape | tuple[ArrayLike, ArrayLike], frame: FloatArray) -> None:
        if not links or links[-1] != link:
            links.append(link)
        object_id = link[0] if ids == "body" else len(links) - 1
        scene.add_instance(scene.add_mesh(*shape), object_id=object_id)
        link_of.append(len(links) - 1)
        local.append(frame)

    for body in world.bodies() if bodies is None else bodies:
        for link in world.links_of(body):
            found = world.collision(link) if shapes == "collision" else world.visual(link)
            for entry in found:
                if entry.kind == world.mesh and link in given:
                    place(link, given[link], entry.frame)
                    unused.discard(link)
                    continue
                for shape, frame in world.triangles(entry, segments, plane_size):
                    place(link, shape, frame)
            if link in unused and not found:
                place(link, given[link], np.eye(4))
                unused.discard(link)
    if unused:
        raise ValueError(f"meshes: expected links with a mesh or without a shape, got {unused}")
    made = PybulletScene(
        scene,
        tuple(links),
        world,
        np.array(link_of, dtype=np.int64),
        np.reshape(local, (-1, 4, 4)),
    )
    made.update()
    return made


@dataclass(frozen=True)
class _BulletShape:
    link: Link
    index: int  # among the shapes of the link
    kind: int
    size: tuple[float, ...]
    file: str
    frame: FloatArray  # (4, 4) in the link's centre of mass
    collides: bool


class _Bullet:
    """The part of PyBullet's interface that is read here.

    Frames: PyBullet places a link by its centre of mass (the inertial frame). Collision shapes are
    given relative to that, visual ones relative to the link's own frame.
    """

    def __init__(self, bullet: Any, client: int | None) -> None:
        self._bullet = bullet
        self._client = {} if client is None else {"physicsClientId": client}
        self.mesh: int = bullet.GEOM_MESH

    def _ask(self, name: str, *arguments: Any, **options: Any) -> Any:
        return getattr(self._bullet, name)(*arguments, **options, **self._client)

    def bodies(self) -> list[int]:
        return [self._ask("getBodyUniqueId", k) for k in range(self._ask("getNumBodies"))]

    def links_of(self, body: int) -> list[Link]:
        return [(body, link) for link in range(-1, self._ask("getNumJoints", body))]

    def poses(self, links: Iterable[Link]) -> FloatArray:
        """World poses (L, 4, 4) of the centres of mass."""
        positions, turns = [], []
        for body, link in links:
            if link < 0:
                position, turn = self._ask("getBasePositionAndOrientation", body)
            else:
                state = self._ask("getLinkState", body, link, computeForwardKinematics=True)
                position, turn = state[:2]
            positions.append(position)
            turns.append(turn)
        return pose_matrix(np.reshape(positions, (-1, 3)), np.reshape(turns, (-1, 4)))

    def collision(self, link: Link) -> list[_BulletShape]:
        # The body and link that come with all but the first shape of a link are wrong in PyBullet.
        return [
            _BulletShape(link, k, kind, size, _text(file), pose_matrix(at, turn), True)
            for k, (_, _, kind, size, file, at, turn) in enumerate(
                self._ask("getCollisionShapeData", *link)
            )
        ]

    def visual(self, link: Link) -> list[_BulletShape]:
        center = self._ask("getDynamicsInfo", *link)[3:5]
        to_center = invert_pose(pose_matrix(*center))
        rows = (row for row in self._ask("getVisualShapeData", link[0]) if row[1] == link[1])
        return [
            _BulletShape(
                link, k, row[2], row[3], _text(row[4]), to_center @ pose_matrix(*row[5:7]), False
            )
            for k, row in enumerate(rows)
        ]

    def triangles(
        self, entry: _BulletShape, n: int, reach: float
    ) -> list[tuple[Shape, FloatArray]]:
        """The surfaces of a shape, each with its frame in the link's centre of mass."""
        bullet, size = self._bullet, entry.size
        if entry.kind == bullet.GEOM_SPHERE:
            return [(_shapes.ellipsoid(np.full(3, size[0]), n), entry.frame)]
        if entry.kind == bullet.GEOM_BOX:
            return [(_shapes.box(0.5 * np.array(size)), entry.frame)]
        if entry.kind == bullet.GEOM_CYLINDER:
            return [(_shapes.cylinder(size[1], 0.5 * size[0], n), entry.frame)]
        if entry.kind == bullet.GEOM_CAPSULE:
            return [(_shapes.capsule(size[1], 0.5 * size[0], n), entry.frame)]
        if entry.kind == bullet.GEOM_PLANE:
            return [(_facing(_shapes.plane(reach, reach), size), entry.frame)]
        if entry.kind == self.mesh:
            return self._meshes(entry)
        body, link = entry.link
        raise ValueError(
            f"bullet: link {link} of body {body} has a shape of type {entry.kind}, "
            "which has no surface here"
        )

    def _meshes(self, entry: _BulletShape) -> list[tuple[Shape, FloatArray]]:
        body, link = entry.link
        count, points = 0, ()
        if entry.collides:  # vertices of a hull, none for a concave mesh
            count, points = self._ask("getMeshData", body, link, collisionShapeIndex=entry.index)
        if Path(entry.file).is_file():
            parts = _read(entry.file, convex=count > 0)
            scale = np.array(entry.size)
            return [((vertices * scale, faces), entry.frame) for vertices, faces in parts]
        if count > 0:  # these are in the frame of the centre of mass already
            return [(_hull(np.array(points)), np.eye(4))]
        raise ValueError(
            f"bullet: PyBullet does not give back mesh {entry.index} of link {link} of body {body} "
            f"(file {entry.file!r}); pass it in meshes[{body}, {link}]"
        )


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value


def _facing(shape: Shape, normal: ArrayLike) -> Shape:
    """A shape turned so that its +z points along a normal."""
    z = np.asarray(normal, dtype=np.float64)
    z = z / np.linalg.norm(z)
    x = np.cross((0.0, 1.0, 0.0) if abs(z[1]) < 0.9 else (1.0, 0.0, 0.0), z)
    x = x / np.linalg.norm(x)
    return shape[0] @ np.stack([x, np.cross(z, x), z]), shape[1]


def _hull(points: FloatArray) -> Shape:
    from trimesh import convex

    hull = convex.convex_hull(points)
    return np.array(hull.vertices), np.array(hull.faces, dtype=np.int32)


def _read(file: str, *, convex: bool) -> list[Shape]:
    """The meshes of a file, or the hull of each of its objects."""
    import trimesh

    shapes: list[Any] = trimesh.load_scene(file, split_objects=True, process=False).dump()
    if convex:
        return [_hull(np.asarray(shape.vertices)) for shape in shapes]
    return [(np.array(s.vertices), np.array(s.faces, dtype=np.int32)) for s in shapes]
