"""PyBullet's worlds against PyBullet's own rays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from esi_fast import geometry as geo
from esi_fast.geometry import interop

bullet = pytest.importorskip("pybullet", reason="PyBullet is not installed")

OBJ = """o wedge
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 2 3 4
f 1 4 3
o far
v 2 0 0
v 3 0 0
v 2 1 0
v 2 0 1
f 5 7 6
f 5 6 8
f 6 7 8
f 5 8 7
"""

URDF = """<robot name="arm">
  <link name="foot">
    <inertial><origin xyz=".1 .2 .3" rpy="0 0 .5"/><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    {shape}
    <{kind}><origin xyz="0 0 2" rpy=".4 0 0"/>
      <geometry><capsule radius=".3" length=".8"/></geometry></{kind}>
    <{kind}><origin xyz="0 2 0"/><geometry><box size=".5 .8 .6"/></geometry></{kind}>
  </link>
  <link name="hand">
    <inertial><origin xyz="0 .3 0" rpy=".2 .3 .4"/><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <{kind}><origin xyz="0 .5 0" rpy="0 .7 0"/>
      <geometry><cylinder radius=".3" length=".9"/></geometry></{kind}>
  </link>
  <joint name="elbow" type="revolute"><parent link="foot"/><child link="hand"/>
    <origin xyz="0 -1.5 .5" rpy="0 0 .6"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="9" velocity="9"/></joint>
</robot>
"""


@pytest.fixture
def client() -> Iterator[int]:
    number = bullet.connect(bullet.DIRECT)
    yield number
    bullet.disconnect(number)


def _urdf(folder: Path, kind: str = "collision", concave: bool = False) -> str:
    (folder / "two.obj").write_text(OBJ)
    start = "<collision concave='yes'>" if concave else f"<{kind}>"
    shape = (
        f"{start}<origin xyz='-1 0 0' rpy='.3 .1 0'/><geometry>"
        f"<mesh filename='{folder}/two.obj' scale='1 .8 1.5'/></geometry></{kind}>"
    )
    path = folder / f"{kind}_{concave}.urdf"
    path.write_text(URDF.format(kind=kind, shape=shape))
    return str(path)


def _agree(world: interop.PybulletScene, client: int, aims: Any, *, by_link: bool = False) -> None:
    """Our rays and Bullet's hit the same bodies at the same distance, all around ``aims``."""
    rng = np.random.default_rng(0)
    targets = np.repeat(np.reshape(aims, (-1, 3)), 40, axis=0)
    targets = targets + rng.normal(scale=0.2, size=targets.shape)
    away = rng.normal(size=targets.shape)
    away[:, 2] = np.abs(away[:, 2]) + 0.2  # from above, where the floor is below
    starts = targets + 6.0 * away / np.linalg.norm(away, axis=1)[:, None]
    ends = starts + 2.0 * (targets - starts)
    rows = bullet.rayTestBatch(starts.tolist(), ends.tolist(), physicsClientId=client)
    body = np.array([row[0] for row in rows])
    link = np.array([row[1] for row in rows])
    length = np.linalg.norm(ends - starts, axis=1)
    expected = np.where(body >= 0, [row[2] for row in rows], np.inf) * length
    hits = geo.raycast.closest(world.scene, starts, ends - starts, tmax=length)
    if by_link:
        names = {pair: k for k, pair in enumerate(world.links)}
        body = np.array([names.get(pair, -1) for pair in zip(body, link, strict=True)])
    same = hits.object_id == body
    assert same.mean() > 0.97  # Bullet's margin and round shapes make the rest
    seen = same & (body >= 0)
    assert set(np.unique(body[seen])) == set(world.scene.instance_object_ids)
    near = np.abs(hits.distance[seen] - expected[seen]) < 0.02
    assert near.mean() > 0.97
    assert np.median(np.abs(hits.distance[seen] - expected[seen])) < 2e-3


def test_shapes_with_offset_centres_of_mass(client: int) -> None:
    make = bullet.createCollisionShape
    quarter = [0.0, 0.0, 0.5**0.5, 0.5**0.5]
    tetra = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    shapes = [
        make(bullet.GEOM_SPHERE, radius=0.4, collisionFramePosition=[0, 0, 0.5]),
        make(bullet.GEOM_BOX, halfExtents=[0.3, 0.2, 0.5]),
        make(bullet.GEOM_CYLINDER, radius=0.3, height=1.0, collisionFrameOrientation=quarter),
        make(bullet.GEOM_CAPSULE, radius=0.2, height=1.0, collisionFrameOrientation=[0.5] * 4),
        make(bullet.GEOM_MESH, vertices=tetra, collisionFramePosition=[0.2, 0.1, 0]),
        bullet.createCollisionShapeArray(
            shapeTypes=[bullet.GEOM_SPHERE, bullet.GEOM_BOX],
            radii=[0.3, 0],
            halfExtents=[[0] * 3, [0.2, 0.3, 0.4]],
            collisionFramePositions=[[0, 0, 0.6], [0, 0.4, 0]],
        ),
    ]
    for k, shape in enumerate(shapes):
        bullet.createMultiBody(
            1.0,
            shape,
            basePosition=[3.0 * k, 0, 2],
            baseOrientation=[0.2, 0.1, 0.3, 0.9],
            baseInertialFramePosition=[0.1, -0.2, 0.3],
            baseInertialFrameOrientation=quarter,
        )
    world = interop.from_pybullet(bullet, client=client, segments=96)
    assert world.links == tuple((k, -1) for k in range(len(shapes)))
    assert world.scene.num_instances == len(shapes) + 1  # one is made of two
    centers = [bullet.getBasePositionAndOrientation(k)[0] for k in range(len(shapes))]
    _agree(world, client, centers)
    triangles = world.scene.num_triangles
    for k in range(len(shapes)):
        bullet.resetBasePositionAndOrientation(k, [3.0 * k, 1.0, 3.0], [0.4, -0.2, 0.1, 0.8])
    world.update()
    assert world.scene.num_triangles == triangles
    _agree(world, client, [(3.0 * k, 1.0, 3.0) for k in range(len(shapes))])


def test_an_arm_moves_with_its_joint(client: int, tmp_path: Path) -> None:
    arm = bullet.loadURDF(_urdf(tmp_path), [0, 0, 1], [0.1, 0.2, 0.3, 0.9], useFixedBase=True)
    world = interop.from_pybullet(bullet, client=client, ids="link", segments=96)
    assert world.links == ((arm, -1), (arm, 0))
    assert world.scene.num_instances == 5  # two hulls of the file, capsule, box; cylinder
    for angle in (0.0, 1.2, -2.0):
        bullet.resetJointState(arm, 0, angle)
        world.update()
        corners = [world.scene.world_triangles(k).reshape(-1, 3) for k in (0, 1)]
        _agree(world, client, [c.mean(axis=0) for c in corners], by_link=True)
    chosen = interop.from_pybullet(bullet, client=client, bodies=[arm])
    assert set(chosen.scene.instance_object_ids) == {arm}


def test_concave_meshes_of_a_file_are_its_triangles(client: int, tmp_path: Path) -> None:
    bullet.loadURDF(_urdf(tmp_path, concave=True), useFixedBase=True)
    world = interop.from_pybullet(bullet, client=client)
    assert [len(world.scene.mesh_arrays(k)[1]) for k in range(2)] == [4, 4]
    _agree(world, client, [(-0.7, 0.2, 0.3), (1.2, 0.2, 0.3)])


def test_visual_shapes_stand_where_equal_collision_shapes_stand(
    client: int, tmp_path: Path
) -> None:
    solid = bullet.loadURDF(_urdf(tmp_path, concave=True), [1, 2, 3], [0.1, 0.2, 0.3, 0.9])
    drawn = bullet.loadURDF(_urdf(tmp_path, kind="visual"), [1, 2, 3], [0.1, 0.2, 0.3, 0.9])
    for body in (solid, drawn):
        bullet.resetJointState(body, 0, 0.8)
    one = interop.from_pybullet(bullet, client=client, bodies=[solid], ids="link")
    two = interop.from_pybullet(bullet, client=client, bodies=[drawn], ids="link", shapes="visual")
    np.testing.assert_allclose(
        one.scene.world_triangles(0), two.scene.world_triangles(0), atol=1e-6
    )
    # Bullet collides with a prism of 32 corners in place of the cylinder.
    a, b = (np.unique(w.scene.world_triangles(1).reshape(-1, 3), axis=0) for w in (one, two))
    np.testing.assert_allclose(a.mean(axis=0), b.mean(axis=0), atol=2e-3)
    np.testing.assert_allclose(a.min(axis=0), b.min(axis=0), atol=0.01)


def test_planes_face_their_normal(client: int) -> None:
    slope = np.array([0.6, 0.0, 0.8])
    shape = bullet.createCollisionShape(bullet.GEOM_PLANE, planeNormal=slope.tolist())
    bullet.createMultiBody(0, shape, basePosition=[0, 0, 1])
    world = interop.from_pybullet(bullet, client=client, plane_size=20.0)
    hits = geo.raycast.closest(world.scene, [(0, 0, 5), (1, 2, 5)], [(0, 0, -1)])
    np.testing.assert_allclose(hits.distance, [4.0, 4.0 + 0.75])
    np.testing.assert_allclose(hits.normal, [slope, slope], atol=1e-12)


def test_what_pybullet_keeps_to_itself_is_asked_for(client: int) -> None:
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    faces = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
    concave = bullet.createCollisionShape(
        bullet.GEOM_MESH,
        vertices=corners,
        indices=faces.ravel().tolist(),
        flags=bullet.GEOM_FORCE_CONCAVE_TRIMESH,
    )
    bullet.createMultiBody(0, concave, basePosition=[5, 0, 0])
    heights = [0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]
    field = bullet.createCollisionShape(
        bullet.GEOM_HEIGHTFIELD,
        meshScale=[1, 1, 1],
        heightfieldData=heights,
        numHeightfieldRows=3,
        numHeightfieldColumns=3,
    )
    bullet.createMultiBody(0, field, basePosition=[-5, 0, 0])
    with pytest.raises(ValueError, match=r"mesh 0 of link -1 of body 0 .*pass it in meshes\[0, -1"):
        interop.from_pybullet(bullet, client=client)
    x, y = np.meshgrid([-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0])
    # Bullet sets the middle of the heights to the origin.
    surface = np.stack([x.ravel(), y.ravel(), np.array(heights) - 0.5], axis=1)
    cells = [(0, 1, 4), (0, 4, 3), (1, 2, 5), (1, 5, 4), (3, 4, 7), (3, 7, 6), (4, 5, 8), (4, 8, 7)]
    given = {(0, -1): (corners, faces), (1, -1): (surface, cells)}
    world = interop.from_pybullet(bullet, client=client, meshes=given)
    _agree(world, client, [(5.2, 0.2, 0.2), (-5, 0, 0)])
    with pytest.raises(ValueError, match=r"meshes: expected links with a mesh .*\(7, -1\)"):
        interop.from_pybullet(bullet, client=client, meshes={**given, (7, -1): (corners, faces)})


def test_wrong_calls(client: int) -> None:
    for wrong in ({"shapes": "drawn"}, {"ids": "geom"}, {"segments": 2}):
        with pytest.raises(ValueError, match=f"^{next(iter(wrong))}: expected"):
            interop.from_pybullet(bullet, client=client, **wrong)  # type: ignore[arg-type]


def test_an_empty_world_and_a_client_object() -> None:
    from pybullet_utils.bullet_client import BulletClient

    own = BulletClient(bullet.DIRECT)
    world = interop.from_pybullet(own)
    assert world.links == ()
    assert world.scene.num_instances == 0
    world.update()
    ball = own.createCollisionShape(bullet.GEOM_SPHERE, radius=0.5)
    own.createMultiBody(1.0, ball, basePosition=[0, 0, 4])
    world = interop.from_pybullet(own)
    hits = geo.raycast.closest(world.scene, [(0, 0, 9)], [(0, 0, -1)])
    np.testing.assert_allclose(hits.distance, 4.5)
    own.disconnect()
