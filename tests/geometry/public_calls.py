"""Every public function of the geometry package with arguments that are right.

Tests that must hold for all of them go through this table; one that is missing in it fails.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from rays_reference import add_box, box_mesh

from esi_fast import geometry as geo

Arguments = dict[str, Any]


def functions() -> dict[str, Callable[..., Any]]:
    """``"raycast.closest"`` and so on: all functions in the families' ``__all__``."""
    found = {}
    for family in geo.__all__:
        module = getattr(geo, family)
        if isinstance(module, ModuleType):
            for name in module.__all__:
                if inspect.isfunction(getattr(module, name)):
                    found[f"{family}.{name}"] = getattr(module, name)
    return found


@cache
def scene() -> geo.Scene:
    """A floor, a wall of many triangles and two boxes; object 3 is a mirror's body."""
    made = geo.Scene(threads=2)
    add_box(made, (-5, -5, -0.1), (5, 5, 0), object_id=0)
    add_box(made, (1, 1, 0), (2, 2, 1), object_id=1)
    add_box(made, (-2, -1, 0), (-1, 1, 2), object_id=2)
    add_box(made, (4.9, -1, 0), (5, 1, 2), object_id=3)
    grid = np.stack(np.meshgrid(np.arange(41), np.arange(41), indexing="ij"), -1).reshape(-1, 2)
    vertices = np.column_stack([grid[:, 0] * 0.2 - 4, np.full(len(grid), 4.5), grid[:, 1] * 0.05])
    vertices[:, 1] += 0.1 * np.sin(7 * vertices[:, 0]) * np.cos(9 * vertices[:, 2])
    corner = (np.arange(40)[:, None] * 41 + np.arange(40)).ravel()
    faces = np.concatenate(
        [
            np.stack([corner, corner + 41, corner + 42], axis=1),
            np.stack([corner, corner + 42, corner + 1], axis=1),
        ]
    )
    made.add_instance(made.add_mesh(vertices, faces), object_id=4)
    return made


def points(count: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).uniform((-4, -4, 0.1), (4, 4, 2), (count, 3))


@cache
def grid_map() -> geo.gridmap.GridMap:
    """Two rooms of 0.1 m cells with a door and a pillar."""
    free = np.ones((40, 60), bool)
    free[:, 30] = False
    free[18:22, 30] = True
    free[10:14, 10:14] = False
    rooms = np.zeros((40, 60), np.int32)
    rooms[:, :30], rooms[:, 31:] = 1, 2
    rooms[~free] = 0
    values = np.where(free, 255, 0).astype(np.uint8)
    return geo.gridmap.GridMap.load(values, 0.1, rooms=rooms)


def camera(width: int = 40) -> geo.Camera:
    return geo.Camera.looking_at((-3.0, -3.0, 1.5), (2.0, 1.0, 0.5), width=width, height=30)


def mirror() -> geo.mirror.Mirror:
    return geo.mirror.Mirror.from_normal((4.89, 0, 1), (-1, 0, 0), 1.8, 1.6, object_id=3)


def outlines() -> list[geo.outline.Outline]:
    free = (True, True)
    return [geo.outline.Outline(camera(), (10.0, 8.0), (25.0, 20.0), free, free)]


def materials() -> list[geo.render.Material]:
    kinds = [
        geo.render.Material(texture="tile"),
        geo.render.Material((0.7, 0.3, 0.2), texture="wood"),
        geo.render.Material(kind="glass"),
        geo.render.Material(kind="mirror"),
        geo.render.Material(texture="brick", gloss=0.4),
    ]
    return kinds


def table() -> dict[str, Arguments]:
    """Right arguments of every function. Big enough for several pieces of parallel work."""
    n = 9000
    eye, other = points(n, 1), points(n, 2)
    rays = {"scene": scene(), "origins": eye, "directions": other - eye}
    segments = {"scene": scene(), "starts": eye, "ends": other}
    mesh = box_mesh((0, 0, 0), (1, 1, 1))
    some = points(2000, 3)
    boxes = np.stack([some[:200], some[:200] + 0.5], axis=1)
    obb = geo.boxes.Obb((0, 0, 0), (0, 0, 0, 1), (1, 2, 3))
    pair = {"a": boxes, "b": boxes[::-1]}
    quaternion = np.array([[0, 0, 0.6, 0.8], [0.5, 0.5, 0.5, 0.5]])
    pose = geo.transforms.pose_matrix((1, 2, 3), quaternion[0])
    cells = np.array([[2, 2], [30, 50], [5, 45], [35, 5]])
    gm = {"grid_map": grid_map()}
    cloud = {"points": some, "radius": 0.25}
    calls: dict[str, Arguments] = {
        "boxes.aabb": {"points": some},
        "boxes.center": {"boxes": boxes},
        "boxes.contact": pair,
        "boxes.contains": {"outer": boxes, "inner": boxes},
        "boxes.contains_points": {"box": boxes[0], "points": some},
        "boxes.corners": {"boxes": boxes},
        "boxes.distance": pair,
        "boxes.fit_ratio": {"size": (1, 2, 3), "interior": (2, 4, 6)},
        "boxes.gap": pair,
        "boxes.iou": pair,
        "boxes.iou_xy": pair,
        "boxes.obb_contains": {"outer": obb, "inner": obb},
        "boxes.obb_contains_points": {"box": obb, "points": some},
        "boxes.obb_corners": {"box": obb},
        "boxes.obb_overlap": {"a": obb, "b": obb},
        "boxes.obb_separation": {"a": obb, "b": obb},
        "boxes.overlap": pair,
        "boxes.overlap_pairs": {"boxes": boxes},
        "boxes.containment_pairs": {"outer": boxes, "inner": boxes},
        "boxes.overlap_pairs_between": pair,
        "boxes.overlap_volume": pair,
        "boxes.size": {"boxes": boxes},
        "boxes.support": {"lower": boxes, "upper": boxes},
        "boxes.union": {"boxes": boxes},
        "boxes.world_aabb": {"points": some, "pose": pose},
        "camera.linearise_depth": {"buffer": np.full((4, 4), 0.5), "near": 0.1, "far": 10.0},
        "camera.vfov_from_hfov": {"hfov_deg": 60.0, "width": 40, "height": 30},
        "cloth.sheet": {"size": (1.0, 0.5), "counts": (5, 4)},
        "distance.contains": {"mesh": mesh, "points": some},
        "distance.mesh_distance": {"a": mesh, "b": box_mesh((3, 0, 0), (4, 1, 1))},
        "distance.object_distance": {"scene": scene(), "object_a": 1, "object_b": 2},
        "distance.points_to_mesh": {"mesh": mesh, "points": some},
        "distance.points_to_scene": {"scene": scene(), "points": some},
        "distance.signed_distance": {"mesh": mesh, "points": some},
        "distance.sweep_sphere": {
            "scene": scene(),
            "starts": eye[:300],
            "ends": other[:300],
            "radius": 0.1,
        },
        "fields.mesh_field": {"mesh": mesh, "spacing": 0.1},
        "fields.plane_rows": {"planes": [geo.fields.Plane()]},
        "fields.rigid_pose": {"pose": pose},
        "fluid.lattice": {"lower": (0, 0, 0), "upper": (0.2, 0.2, 0.2), "radius": 0.05},
        "gridmap.collapse_rooms": {"ids": np.array([1, 1, 0, 2, 2])},
        "gridmap.components": gm,
        "gridmap.distance_field": gm,
        "gridmap.distances_between": {**gm, "cells": cells},
        "gridmap.doors": gm,
        "gridmap.erode": {**gm, "radius": 0.15},
        "gridmap.farthest_pairs": {"distance": np.array([[0.0, 1.0], [1.0, 0.0]]), "keep": 1},
        "gridmap.line_cells": {**gm, "start": cells[0], "end": cells[1]},
        "gridmap.line_of_sight": {**gm, "starts": cells, "ends": cells[::-1]},
        "gridmap.nearest_free": {**gm, "cells": np.array([[11, 11], [0, 30]])},
        "gridmap.resample": {**gm, "resolution": 0.2},
        "gridmap.room_distances": {**gm, "points": np.array([[1.0, 1.0], [4.0, 2.0]])},
        "gridmap.room_margins": {**gm, "points": np.array([[1.0, 1.0], [4.0, 2.0]])},
        "gridmap.room_points": gm,
        "gridmap.room_sequence": {**gm, "cells": cells},
        "gridmap.rooms_at": {**gm, "points": np.array([[1.0, 1.0], [4.0, 2.0]])},
        "gridmap.rooms_between": gm,
        "gridmap.sample_free": {**gm, "count": 5, "seed": 1},
        "gridmap.shortest_path": {**gm, "start": cells[0], "goal": cells[1]},
        "gridmap.shortest_paths": {**gm, "starts": cells, "goals": cells[::-1]},
        "gridmap.spread_rooms": gm,
        "gridmap.walk_from": {**gm, "sources": cells[:1]},
        "mirror.hit_point": {"eyes": eye, "points": other, "mirror": mirror()},
        "mirror.image_point": {"camera": camera(), "points": some, "mirror": mirror()},
        "mirror.reflect_camera": {"camera": camera(), "mirror": mirror()},
        "mirror.reflect_directions": {"directions": some, "mirror": mirror()},
        "mirror.reflect_plane": {"point": (0, 0, 1), "normal": (0, 1, 0), "mirror": mirror()},
        "mirror.reflect_points": {"points": some, "mirror": mirror()},
        "mirror.sees": {"scene": scene(), "camera": camera(), "mirrors": [mirror()]},
        "mirror.visible_fraction_through": {
            "scene": scene(),
            "eye": (-3.0, -3.0, 1.5),
            "object_id": 1,
            "mirror": mirror(),
            "samples": 6000,
        },
        "mirror.visible_through": {
            "scene": scene(),
            "eyes": eye,
            "points": other,
            "mirror": mirror(),
        },
        "occlusion.first_blocker": segments,
        "occlusion.recheck_count": {},
        "occlusion.reset_recheck_count": {},
        "occlusion.visibility_matrix": {
            "scene": scene(),
            "starts": eye[:100],
            "ends": other[:100],
        },
        "occlusion.visible": segments,
        "occlusion.visible_fraction": {"scene": scene(), "eyes": eye[:40], "object_id": 1},
        "outline.explains": {
            "hull": box_mesh((-0.3, -0.3, -0.3), (0.3, 0.3, 0.3))[0],
            "states": np.column_stack([some[:, :2], some[:, 2], np.ones(len(some))]),
            "outlines": outlines(),
            "base": 0.3,
            "max_scale": 2.0,
            "tolerance_px": 3.0,
            "cell": (0.5, 0.5, 0.1),
        },
        "particles.components": cloud,
        "particles.dip_capacity": {"points": some, "particle_radius": 0.05},
        "particles.largest_component": cloud,
        "particles.radius_graph": cloud,
        "particles.radius_pairs": cloud,
        "particles.touch_box": {
            "points": some,
            "box": [(0, 0, 0), (1, 1, 1)],
            "particle_radius": 0.05,
        },
        "raycast.all": rays,
        "raycast.any": rays,
        "raycast.closest": rays,
        "raycast.recheck_count": {},
        "raycast.reset_recheck_count": {},
        "relations.closer_of_two": {"reference": (0, 0, 0), "a": (1, 0, 0), "b": (0, 3, 0)},
        "relations.collinearity_offset": {"points": some[:3]},
        "relations.left_middle_right": {"camera": camera(), "points": [(1, 0, 1), (2, 1, 1)]},
        "relations.nearest": {"reference": (0, 0, 0), "candidates": some[:5]},
        "relations.triangle_class": {"points": some[:3]},
        "relations.turn_direction": {"before": np.array([0.0]), "after": np.array([1.5])},
        "render.render": {
            "scene": scene(),
            "camera": camera(90),
            "materials": materials(),
            "lights": [geo.render.Light(position=(0, 0, 3))],
            "settings": geo.render.Settings(samples=2, shadow_samples=2, ao_samples=2),
        },
        "render.to_srgb_uint8": {"linear": np.linspace(0, 1, 9)},
        "transforms.invert_pose": {"pose": pose},
        "transforms.look_at": {"position": (0, 0, 0), "target": (1, 2, 3)},
        "transforms.matrix_to_quat": {"matrix": pose[:3, :3]},
        "transforms.normalize": {"vectors": some},
        "transforms.pose_matrix": {"position": (1, 2, 3), "orientation": quaternion[0]},
        "transforms.quat_multiply": {"a": quaternion, "b": quaternion},
        "transforms.quat_to_matrix": {"quaternion": quaternion},
        "transforms.rotate": {"quaternion": quaternion[0], "vectors": some},
        "transforms.transform_directions": {"pose": pose, "directions": some},
        "transforms.transform_points": {"pose": pose, "points": some},
        "transforms.yaw_of": {"quaternion": quaternion},
        "transforms.yaw_quat": {"yaw": np.array([0.5])},
        "surface.closed": {
            "values": np.pad(np.ones((2, 2, 2)), 1, constant_values=-1.0),
            "origin": (0, 0, 0),
            "spacing": 0.1,
        },
        "vessel.fill": {"mesh": mesh, "volume": 0.1, "up": (0.0, 0.6, 0.8), "spacing": 0.05},
        "vessel.capacity": {"mesh": mesh, "up": (0.0, 0.6, 0.8), "spacing": 0.05},
    }
    return calls


# Asked with other libraries' objects: tests/geometry/test_interop.py.
FOREIGN = {"interop"}
