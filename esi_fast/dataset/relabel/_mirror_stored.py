"""Recomputes what mirror questions store: distances, images and where lines of sight meet mirrors.

The stored plane goes through the recorded middle of the mirror; the reflecting face of its box is
3 mm before it. ``distance_from_camera_m`` is measured in the plan, the others in space.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._reading import Fields, Stored, metadata

__all__ = ["stored_numbers"]

# Stored in double precision, so rounding is all that may differ.
EXACT_M: Final = 1e-9
# The stored plane has no edges.
ENDLESS_M: Final = 1e4


def stored_numbers(question: OfficialQuestion) -> Stored:
    """Compare every stored distance, image and hit point of a mirror question."""
    data = metadata(question).at("question_data")
    setup = data.at("scene_setup")
    eye = setup.at("camera", "position").vector(3)
    plane = geo.mirror.Mirror(
        setup.at("mirror", "position").vector(3),
        setup.at("mirror", "quaternion_xyzw").quaternion(),
        ENDLESS_M,
        ENDLESS_M,
    )
    stored = Stored()
    placement = data.at("placement").items()
    for item in placement:
        position = item.at("real_position").vector(3)
        depth = float(plane.depth(position))
        along = float(plane.axes[1] @ (position - plane.center))
        image = geo.mirror.reflect_points(position[None], plane)[0]
        hit = geo.mirror.hit_point(eye[None], position[None], plane).point[0]
        places = [item]
        if len(placement) == 1:
            places += [found for found in (data.find("evidence"),) if found is not None]
        for place in places:
            stored.compare(
                place.find("distance_from_camera_m"),
                float(np.linalg.norm((position - eye)[:2])),
                tolerance=EXACT_M,
            )
            stored.compare(place.find("distance_from_mirror_m"), depth, tolerance=EXACT_M)
            stored.compare_vector(place.find("mirror_hit_xy"), hit[:2], tolerance=EXACT_M)
            stored.compare_vector(place.find("mirror_position"), image, tolerance=EXACT_M)
            stored.compare(place.find("real_u"), along, tolerance=EXACT_M)
            stored.compare(place.find("mirror_u"), along, tolerance=EXACT_M)
        alias = item.at("alias").text().lower()
        stored.compare(
            data.find("evidence", f"{alias}_distance_to_observer"),
            float(np.linalg.norm(position - eye)),
            tolerance=EXACT_M,
        )
    _correspondence(data, placement, plane, stored)
    return stored


def _correspondence(
    data: Fields, placement: list[Fields], plane: geo.mirror.Mirror, stored: Stored
) -> None:
    """Distances in the plan from the object that was meant to be reflected."""
    target = data.find("scene_setup", "correspondence_geometry", "target_xy")
    if target is None or len(placement) != 3:
        return
    points = np.stack([item.at("real_position").vector(3)[:2] for item in placement])
    which = int(np.linalg.norm(points - target.vector(2), axis=1).argmin())
    scale = float(np.abs(points).max())
    stored.compare(
        data.find("evidence", "target_distance_from_mirror_m"),
        float(np.linalg.norm(points[which] - plane.center[:2])),
        scale=scale,
    )
    others = np.sort(np.linalg.norm(np.delete(points, which, axis=0) - points[which], axis=1))
    kept = data.find("evidence", "other_object_distances_from_target_m")
    if kept is not None:
        for n, (value, derived) in enumerate(zip(np.sort(kept.vector(2)), others, strict=True)):
            stored.compare_value(f"{kept.path}.{n}", float(value), float(derived), scale=scale)
