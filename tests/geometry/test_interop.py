"""Adapters: trimesh's own rays and MuJoCo's own rays as second opinion."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
import trimesh

from esi_fast import geometry as geo
from esi_fast.geometry import interop
from esi_fast.geometry.distance import Mesh

MODEL = """
<mujoco>
  <asset>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <hfield name="hills" nrow="3" ncol="4" size="1 1.5 0.5 0.1"
      elevation="0 1 0 1  1 0 1 0  0 1 0 1"/>
  </asset>
  <worldbody>
    <geom name="ground" type="plane" size="0 0 1" pos="0 0 -2"/>
    <body name="crate" pos="0 0 1"><freejoint/>
      <geom type="box" size=".3 .2 .1"/>
      <geom type="mesh" mesh="wedge" pos="1 0 0" euler="20 30 40" group="3"/>
    </body>
    <body name="twin" pos="0 3 1"><freejoint/><geom type="mesh" mesh="wedge"/></body>
    <body name="round" pos="-3 0 1"><freejoint/>
      <geom type="sphere" size=".4"/>
      <geom type="capsule" size=".2 .5" pos="0 1.5 0"/>
      <geom type="cylinder" size=".3 .4" pos="0 -1.5 0"/>
      <geom type="ellipsoid" size=".3 .4 .5" pos="0 3 0"/>
    </body>
    <geom type="hfield" hfield="hills" pos="4 0 0"/>
  </worldbody>
</mujoco>
"""


def _loaded() -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def _rays(seed: int, count: int = 300) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    origins = rng.uniform((-5, -4, 2.5), (6, 5, 4), size=(count, 3))
    spots = [(0, 0, 1), (1, 0, 1), (0, 3, 1), (-3, 0, 1), (-3, 1.5, 1), (-3, -1.5, 1), (-3, 3, 1)]
    aims = rng.choice([*spots, (4, 0, 0)], size=count) + rng.normal(scale=0.3, size=(count, 3))
    return origins, (aims - origins) / np.linalg.norm(aims - origins, axis=1)[:, None]


def _mujoco_rays(
    model: mujoco.MjModel, data: mujoco.MjData, origins: np.ndarray, directions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    geom = np.zeros((1, 1), dtype=np.int32)
    found = []
    for origin, direction in zip(origins, directions, strict=True):
        distance = mujoco.mj_ray(model, data, origin, direction, None, 1, -1, geom)
        found.append((distance, geom[0, 0]))
    distances, geoms = np.array(found).T
    return distances, geoms.astype(int)


def test_mujoco_scene_agrees_with_mujocos_rays_before_and_after_a_move() -> None:
    model, data = _loaded()
    got = interop.from_mujoco(model, data, ids="geom", segments=128)
    flat = [0, 1, 6, 7]  # plane, height field, box, mesh
    for turn in range(2):
        if turn:
            rng = np.random.default_rng(9)
            data.qpos[:] += rng.normal(scale=0.1, size=model.nq)
            mujoco.mj_forward(model, data)
            got.update(data)
        origins, directions = _rays(turn)
        expected, geoms = _mujoco_rays(model, data, origins, directions)
        hits = geo.raycast.closest(got.scene, origins, directions)
        same = hits.object_id == geoms
        assert same.mean() > 0.98  # a polyhedron is a little smaller than what it stands for
        exact = same & np.isin(model.geom_type[geoms], flat)
        np.testing.assert_allclose(hits.distance[exact], expected[exact], atol=1e-9)
        np.testing.assert_allclose(hits.distance[same], expected[same], atol=0.01)
        assert set(geoms[same]) == set(range(model.ngeom))


def test_round_shapes_are_closed_and_nearly_full() -> None:
    model, data = _loaded()
    got = interop.from_mujoco(model, data, ids="geom", segments=64)
    volumes = {
        mujoco.mjtGeom.mjGEOM_SPHERE: 4 / 3 * math.pi * 0.4**3,
        mujoco.mjtGeom.mjGEOM_CAPSULE: math.pi * 0.2**2 * (1.0 + 4 / 3 * 0.2),
        mujoco.mjtGeom.mjGEOM_CYLINDER: math.pi * 0.3**2 * 0.8,
        mujoco.mjtGeom.mjGEOM_ELLIPSOID: 4 / 3 * math.pi * 0.3 * 0.4 * 0.5,
        # six cells of a checkerboard of heights 0 and 0.5: a mean of 0.25, and the base below
        mujoco.mjtGeom.mjGEOM_HFIELD: 2.0 * 3.0 * 0.1 + 2.0 * 3.0 * 0.25,
        mujoco.mjtGeom.mjGEOM_BOX: 0.6 * 0.4 * 0.2,
    }
    for kind, volume in volumes.items():
        geom = int(np.flatnonzero(model.geom_type == kind)[0])
        mesh = Mesh.from_triangles(got.scene.world_triangles(geom))
        assert mesh.closed
        assert volume * 0.99 < mesh.volume <= volume * (1 + 1e-9)


def test_mujoco_ids_groups_and_planes() -> None:
    model, data = _loaded()
    bodies = interop.from_mujoco(model, data)
    np.testing.assert_array_equal(bodies.scene.instance_object_ids, model.geom_bodyid)
    third = interop.from_mujoco(model, data, groups=(3,))
    assert third.geoms.tolist() == [3]  # the geoms of the world come first
    wide = interop.from_mujoco(model, data, plane_size=7.0)
    np.testing.assert_allclose(wide.scene.bounds[:, :2], [(-7, -7), (7, 7)])
    with pytest.raises(ValueError, match="ids"):
        interop.from_mujoco(model, data, ids="joint")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="segments"):
        interop.from_mujoco(model, data, segments=2)


def test_trimesh_scene_with_shared_turned_and_scaled_nodes() -> None:
    source = trimesh.Scene()
    ball = trimesh.creation.icosphere(2)
    move = trimesh.transformations.translation_matrix
    turned = move((3, 0, 0)) @ trimesh.transformations.rotation_matrix(0.7, (1, 2, 3))
    squeezed = move((0, 3, 0)) @ np.diag([0.5, 1.0, -2.0, 1.0])
    source.add_geometry(ball, node_name="a", geom_name="ball", transform=move((0, 0, 1)))
    source.add_geometry(ball, node_name="b", geom_name="ball", transform=turned)
    source.add_geometry(ball, node_name="c", geom_name="ball", transform=squeezed)
    got = interop.from_trimesh(source)
    assert got.names == ("a", "b", "c")
    np.testing.assert_allclose(got.scene.bounds, source.bounds, atol=1e-9)
    origins, directions = _rays(4)
    hits = geo.raycast.closest(got.scene, origins, directions)
    everything = source.to_mesh()
    where, rays, _ = everything.ray.intersects_location(origins, directions, multiple_hits=False)
    expected = np.full(len(origins), np.inf)
    expected[rays] = np.linalg.norm(where - origins[rays], axis=1)
    assert (hits.hit == np.isfinite(expected)).mean() > 0.99
    both = hits.hit & np.isfinite(expected)
    assert both.sum() > 20
    np.testing.assert_allclose(hits.distance[both], expected[both], atol=1e-4)


def test_a_single_trimesh() -> None:
    box = trimesh.creation.box((1, 2, 3))
    got = interop.from_trimesh(box)
    assert got.names == ("mesh",)
    np.testing.assert_allclose(got.scene.bounds, box.bounds)


def test_not_a_mesh() -> None:
    with pytest.raises(TypeError, match="source: expected a trimesh"):
        interop.from_trimesh([1, 2, 3])


def test_a_trimesh_scene_moves_without_a_rebuild() -> None:
    """Shared, scaled and mirrored nodes follow the scene graph."""
    ball, box = trimesh.creation.icosphere(radius=0.5), trimesh.creation.box((1, 2, 3))
    source = trimesh.Scene()
    turned = trimesh.transformations.rotation_matrix(0.7, (1, 2, 3))
    for k, scale in enumerate((np.ones(3), np.array([1.0, 2.0, 0.5]), np.array([-1.0, 1.0, 1.0]))):
        place = turned @ np.diag([*scale, 1.0])
        place[:3, 3] = (3.0 * k, 0.0, 0.0)
        source.add_geometry(ball, node_name=f"ball{k}", geom_name="ball", transform=place)
    source.add_geometry(
        box, node_name="box", transform=trimesh.transformations.translation_matrix((0, 5, 0))
    )
    got = interop.from_trimesh(source)
    assert got.names == ("ball0", "ball1", "ball2", "box")
    move = trimesh.transformations.rotation_matrix(1.1, (0, 1, 1), (1, 1, 1))
    for name in got.names:
        source.graph[name] = move @ source.graph[name][0]
    got.update(source)
    for k, name in enumerate(got.names):
        matrix, key = source.graph[name]
        expected = trimesh.transform_points(source.geometry[key].triangles.reshape(-1, 3), matrix)
        np.testing.assert_allclose(
            got.scene.world_triangles(k).reshape(-1, 3), expected, atol=1e-12
        )
    source.graph["box"] = np.diag([2.0, 1.0, 1.0, 1.0])
    with pytest.raises(ValueError, match="source: expected node 'box' to keep its scale and shear"):
        got.update(source)
    source.graph["box"] = np.diag([1.0, 1.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="source: expected node 'box' to keep its mesh solid"):
        interop.from_trimesh(source)


def test_mujoco_groups_and_scaled_meshes() -> None:
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><asset><mesh name="w" scale="2 1 .5"
              vertex="0 0 0  1 0 0  0 1 0  0 0 1"/></asset>
           <worldbody><geom type="mesh" mesh="w" group="1"/>
             <geom type="sphere" size=".5" group="2" pos="0 0 9"/>
             <geom type="plane" size="3 2 1" group="4" pos="0 0 -1"/></worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    scaled = interop.from_mujoco(model, data, groups=(1,), ids="geom").scene
    np.testing.assert_allclose(scaled.bounds, [(0, 0, 0), (2, 1, 0.5)], atol=1e-6)
    two = interop.from_mujoco(model, data, groups=(2, 4), ids="geom")
    assert two.geoms.tolist() == [1, 2]
    assert two.scene.instance_object_ids.tolist() == [1, 2]
    np.testing.assert_allclose(two.scene.bounds[:, :2], [(-3, -2), (3, 2)])
