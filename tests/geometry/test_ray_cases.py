"""The recorded cases about rays and lines of sight: faults reported of other software."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rays_reference import add_box, box_mesh, pose

from esi_fast import geometry as geo

DATA = Path(__file__).parents[1] / "data"
CASES = [case for n in ("rays", "los") for case in json.loads((DATA / f"{n}.json").read_text())]

Case = dict[str, Any]


def number(value: Any) -> float:
    return np.inf if value is None else float(value)


def mesh_scene(mesh: Case) -> geo.Scene:
    scene = geo.Scene()
    scene.add_instance(scene.add_mesh(mesh["vertices"], mesh["faces"]), object_id=0)
    return scene


def first_hit(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    scene = mesh_scene(given["mesh"])
    if "rays" in given:
        origins = np.array([[float(x) for x in ray["o"]] for ray in given["rays"]])
        directions = np.array([[float(x) for x in ray["d"]] for ray in given["rays"]])
    else:
        origins = np.array([given["origin"]], float)
        directions = np.array(given.get("directions", [given.get("direction")]), float)
    found = geo.raycast.closest(scene, origins, directions, tmin=given.get("tmin", 0.0))
    if "hit" in expected:
        assert found.hit.tolist() == np.atleast_1d(expected["hit"]).tolist()
    distance = expected.get("metric_distance", expected.get("t"))
    if distance is not None:
        metres = np.array([number(t) for t in np.atleast_1d(distance)])
        if "metric_distance" not in expected:
            finite = np.where(np.isfinite(directions), directions, 0)
            metres = metres * np.where(found.hit, np.linalg.norm(finite, axis=1), 1)
        np.testing.assert_allclose(found.distance, metres, atol=case["tolerance"])
    if "point" in expected:
        unit = directions / np.linalg.norm(directions, axis=1, keepdims=True)
        points = origins + found.distance[:, None] * unit
        wanted = np.broadcast_to(expected["point"], points.shape)
        np.testing.assert_allclose(points, wanted, atol=1e-12)
    if "min_barycentric" in expected:
        assert found.barycentric.min() == pytest.approx(expected["min_barycentric"], abs=1e-3)
    if "face" in expected:
        assert found.face.tolist() == [expected["face"]]


def first_hit_batch(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    scene = mesh_scene(given["mesh"])
    directions = given.get("directions", [given.get("direction")])
    found = geo.raycast.closest(scene, given["origins"], directions)
    assert len(found.hit) == expected.get("rows", len(given["origins"]))
    if isinstance(expected["hit" if "hit" in expected else "hits"], int):
        assert found.hit.sum() == expected["hits"]
        np.testing.assert_allclose(found.distance, expected["t"], atol=1e-6)
        return
    assert found.hit.tolist() == expected["hit"]
    distance = [number(t) for t in expected["t"]]
    np.testing.assert_allclose(found.distance, distance, atol=case["tolerance"])
    for face, allowed in zip(found.face, expected["face_in"], strict=True):
        assert face == -1 if allowed is None else face in allowed


def all_hits(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    scene = mesh_scene(given["mesh"])
    ray = [given["origin"]], [given["direction"]]
    found = geo.raycast.all(scene, *ray)
    np.testing.assert_allclose(found.distinct(0), expected["distinct_t"], atol=1e-9)
    closest = geo.raycast.closest(scene, *ray)
    assert geo.raycast.any(scene, *ray)[0] == closest.hit[0] == (len(found.distance) > 0)
    assert closest.distance[0] == pytest.approx(expected.get("first_t", expected["distinct_t"][0]))
    if "crossings" in expected:
        assert len(found.distinct(0)) == expected["crossings"]


def first_hit_and_contains(case: Case) -> None:
    """The ray half; geometry.distance answers for containment."""
    rays = case["input"]["rays"]
    for name, mesh in case["input"]["meshes"].items():
        origins, directions = [ray["o"] for ray in rays], [ray["d"] for ray in rays]
        found = geo.raycast.closest(mesh_scene(mesh), origins, directions)
        np.testing.assert_allclose(found.distance, case["expected"]["t"][name], atol=1e-12)


def move_then_cast(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    half = np.array(given["object"]["box_half"])
    scene = geo.Scene()
    instance = scene.add_instance(scene.add_mesh(*box_mesh(-half, half)), object_id=0)
    for position, hit, t in zip(given["poses"], expected["hit"], expected["t"], strict=True):
        scene.set_pose(instance, pose(position=position))
        found = geo.raycast.closest(scene, [given["ray"]["o"]], [given["ray"]["d"]])
        assert found.hit[0] == hit
        assert found.distance[0] == number(t)


def first_hit_with_exclude(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    scene = geo.Scene()
    for item in given["objects"]:
        add_box(scene, *item["aabb"], object_id=item["id"])
    for ignore, wanted, t in zip(given["excludes"], expected["id"], expected["t"], strict=True):
        ray = [given["ray"]["o"]], [given["ray"]["d"]]
        found = geo.raycast.closest(scene, *ray, ignore=ignore)
        assert found.object_id[0] == (-1 if wanted is None else wanted)
        assert found.distance[0] == number(t)


def line_of_sight(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    if isinstance(given.get("queries"), list) and isinstance(given["queries"][0], dict):
        separate = "eye" in given["queries"][0]
    else:
        separate = False
    if separate:
        for query, free in zip(given["queries"], expected["visible"], strict=True):
            scene = geo.Scene()
            for box in query["blockers"]:
                add_box(scene, *box["aabb"], object_id=0)
            found = geo.occlusion.visible(scene, [query["eye"]], [query["target"]])
            assert found.tolist() == [free]
        return
    scene = geo.Scene()
    boxes = given.get("blockers", given.get("objects"))
    ids = {box.get("id", k): k for k, box in enumerate(boxes)}
    for k, box in enumerate(boxes):
        add_box(scene, *box["aabb"], object_id=k)
    eye, target = [given["eye"]], [given.get("target", given.get("target_point"))]
    if "unobstructed" in expected:
        # What light passes is a matter of the caller, who ignores what is transparent.
        clear = [ids[box["id"]] for box in boxes if box["transparent"]]
        assert geo.occlusion.visible(scene, eye, target, ignore=clear)[0] == expected["visible"]
        assert geo.occlusion.visible(scene, eye, target)[0] == expected["unobstructed"]
        return
    if isinstance(expected["visible"], list):
        for query, free in zip(given["queries"], expected["visible"], strict=True):
            ignore = [ids[name] for name in query["ignore"]]
            assert geo.occlusion.visible(scene, eye, target, ignore=ignore)[0] == free
        return
    assert geo.occlusion.visible(scene, eye, target)[0] == expected["visible"]
    if "visible_swapped" in expected:
        assert geo.occlusion.visible(scene, target, eye)[0] == expected["visible_swapped"]


def line_of_sight_batch(case: Case) -> None:
    scene = geo.Scene()
    for box in case["input"]["blockers"]:
        add_box(scene, *box["aabb"], object_id=0)
    starts, ends = np.array(case["input"]["segments"], float).swapaxes(0, 1)
    assert geo.occlusion.visible(scene, starts, ends).tolist() == case["expected"]["visible"]


def visible_fraction(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    scene = geo.Scene()
    for box in given["blockers"]:
        add_box(scene, *box["aabb"], object_id=0)
    free = geo.occlusion.visible(scene, [given["eye"]], given["samples"])
    assert free.tolist() == expected["per_sample"]
    assert free.mean() == expected["fraction"]
    assert [free.mean() >= limit for limit in given["thresholds"]] == expected["passes"]


def contains(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    mesh = (np.array(given["mesh"]["vertices"], float), np.array(given["mesh"]["faces"]))
    found = geo.distance.contains(mesh, given["points"])
    if "contains" in expected:
        assert found.status == geo.distance.ContainmentStatus.OK
        assert found.inside.tolist() == expected["contains"]
    else:
        assert not expected["watertight"]
        assert found.status == geo.distance.ContainmentStatus.OPEN


def distance(case: Case) -> None:
    """The names say which distance is meant: of points in space, of shadows on the floor."""
    given, expected = case["input"], case["expected"]
    ends = [given["eye"]], [given["target"]]
    space = float(np.linalg.norm(np.subtract(*ends)))
    assert space == pytest.approx(expected["distance_3d"], abs=1e-12)
    assert (space <= given["threshold"]) == expected["within_3d"]
    flat = [np.array(end)[..., None, :] * (1, 1, 0) for end in ends]
    planar = geo.relations.nearest(flat[0][0, 0], flat[1][0]).distances[0]
    assert planar == pytest.approx(expected["distance_xy"], abs=1e-12)
    assert (planar <= given["threshold"]) == expected["within_xy"]


def grid_line_of_sight(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    values = np.array(given["grid"], np.uint8) * 255
    grid_map = geo.gridmap.GridMap.load(values, given["cell_size"])
    # From centre to centre, as (x, y).
    starts = np.array([segment["from_rc"][::-1] for segment in given["segments"]]) + 0.5
    ends = np.array([segment["to_rc"][::-1] for segment in given["segments"]]) + 0.5
    free = geo.gridmap.line_of_sight(grid_map, starts, ends)
    assert free.tolist() == expected["visible"]
    cells = geo.gridmap.line_cells(grid_map, starts[1], ends[1])
    assert sorted(map(tuple, cells.tolist())) == sorted(map(tuple, expected["cells_of_second"]))


CHECKS: dict[str, Callable[[Case], None]] = {
    "contains": contains,
    "distance": distance,
    "grid_line_of_sight": grid_line_of_sight,
    "first_hit": first_hit,
    "first_hit_and_distance": first_hit,
    "first_hit_batch": first_hit_batch,
    "all_hits": all_hits,
    "all_hits_and_contains": all_hits,
    "any_hit_first_hit_all_hits": all_hits,
    "first_hit_and_contains": first_hit_and_contains,
    "move_then_cast": move_then_cast,
    "first_hit_with_exclude": first_hit_with_exclude,
    "line_of_sight": line_of_sight,
    "line_of_sight_batch": line_of_sight_batch,
    "visible_fraction": visible_fraction,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: Case) -> None:
    CHECKS[case["input"]["op"]](case)
