"""What frames tell of a list of places, in hand-made houses with known answers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.generators.observer.clear import (
    MIN_PIXELS,
    SITE_REACH,
    Body,
    House,
    Survey,
    _fewest,
    body_of,
    house_of,
    sights,
    survey,
)
from esi_fast.generators.observer.tour import plan_tour
from esi_fast.generators.place import stand
from esi_fast.generators.views import camera_at
from esi_fast.records import CameraSpec, FrameRecord, ObjectSpec
from esi_fast.sim.actions import action
from esi_fast.sim.masks import encode_mask

SIDE = 512
BODY = Body(radius=0.12, height=0.2, core_radius=0.06, core_low=0.01, core_high=0.14)
# One beside the cabinet, one behind it, one far to the side.
PLACES = [[0.0, 0.75], [0.55, 0.0], [0.2, -0.8]]
CABINET = stand("cabinet", "bottom_cabinet", "rvpunw", (0.0, 0.0), 0.0, role="furniture")


def _house(*objects: ObjectSpec) -> House:
    return house_of([obj.model_dump(mode="json") for obj in objects])


def _camera(height: float = 1.25, pitch: float = -30.0, x: float = -1.9) -> CameraSpec:
    return camera_at((x, 0.0, height), yaw=0.0, pitch=np.radians(pitch), vfov_deg=75.0).model_copy(
        update={"width": SIDE, "height": SIDE}
    )


def _frame(camera: CameraSpec, house: House, taken: tuple[int, ...]) -> FrameRecord:
    """What is seen when the targets at ``taken`` fill their outer cylinders."""
    found, shown = sights(camera, house, np.array(PLACES), BODY)
    mine = np.zeros(shown.shape, dtype=bool)
    for k in taken:
        sight = found[k]
        assert sight is not None
        mine[sight.window] |= sight.seen
    masks = {"floor": ~mine & (shown < 0)}
    for k, name in enumerate(house.classes):
        masks[name] = ~mine & (shown == k)
    masks["mug"] = mine
    return FrameRecord(
        camera=camera,
        masks={name: encode_mask(mask) for name, mask in sorted(masks.items()) if mask.any()},
    )


def _survey(*frames: FrameRecord, house: House) -> Survey:
    return survey(frames, "mug", house=house, places=PLACES, body=BODY)


def test_what_the_cabinet_hides_stays_open_and_the_rest_is_cleared() -> None:
    house = _house(CABINET)
    found = _survey(_frame(_camera(), house, ()), house=house)
    assert (found.least, found.most, found.undecided) == (0, 1, (1,))


def test_a_view_over_the_cabinet_decides_the_place_behind_it() -> None:
    house = _house(CABINET)
    low, high = _camera(), _camera(2.3, -60.0, -0.8)
    for taken in ((), (1,), (0, 1), (0, 2), (0, 1, 2)):
        frames = (_frame(low, house, taken), _frame(high, house, taken))
        found = _survey(*frames, house=house)
        assert found.least == found.most == len(taken)
        assert found.undecided == ()
        assert found.open == sum(1 << k for k in taken)


def test_two_sights_of_one_place_are_one_target() -> None:
    house = _house()
    frames = [_frame(_camera(x=x), house, (0,)) for x in (-1.9, -1.5, -1.2)]
    assert _survey(*frames, house=house).least == 1


def test_seen_in_part_at_one_of_two_places_counts_once() -> None:
    """Two places behind each other: what shows may be at either."""
    house = _house()
    places = [[0.0, 0.0], [0.3, 0.0]]
    camera = _camera(0.3, 0.0)
    found, shown = sights(camera, house, np.array(places), BODY)
    first, second = found
    assert first is not None
    assert second is not None
    both = np.zeros(shown.shape, dtype=bool)
    both[second.window] = second.seen
    only = np.zeros_like(both)
    only[first.window] = first.seen
    mask = both & only
    frame = FrameRecord(
        camera=camera, masks={"mug": encode_mask(mask), "floor": encode_mask(~mask)}
    )
    result = survey([frame], "mug", house=house, places=places, body=BODY)
    assert result.least == 1
    assert (1 << 0) | (1 << 1) in result.choices or result.choices == ((1 << 0) | (1 << 1),)


def test_something_unknown_before_a_place_does_not_clear_it() -> None:
    """A class that the house does not have there may hide a target."""
    house = _house()
    frame = _frame(_camera(), house, ())
    assert _survey(frame, house=house).most == 0
    strange = frame.model_copy(update={"masks": {"parasol": frame.masks["floor"]}})
    assert _survey(strange, house=house).most == len(PLACES)


def test_nothing_is_concluded_once_something_was_handled() -> None:
    house = _house()
    frame = _frame(_camera(), house, ())
    handled = frame.model_copy(update={"action": action("pick_up", "object_3")})
    assert _survey(handled, house=house).most == len(PLACES)
    assert _survey(frame, handled, house=house).most == 0


def test_a_glass_before_a_place_clears_nothing() -> None:
    glass = next(
        (category, model)
        for category in ("water_glass", "wineglass", "wine_glass")
        if category in assets.categories()
        for model in assets.models(category)
    )
    size = assets.get(*glass).size
    pane = stand("pane", *glass, (-1.0, 0.75), 0.0, role="furniture", scale=1.2 / float(max(size)))
    house = _house(pane)
    assert house.clear.tolist() == [True]
    camera = _camera()
    behind, _ = sights(camera, house, np.array([[-0.3, 0.75]]), BODY)
    assert behind[0] is not None
    assert behind[0].sure.sum() < behind[0].seen.sum()


def test_a_place_out_of_the_picture_stays_open() -> None:
    house = _house()
    away = camera_at((-1.9, 0.0, 1.25), yaw=np.pi, pitch=0.0, vfov_deg=60.0)
    frame = FrameRecord(camera=away, masks={})
    assert _survey(frame, house=house).most == len(PLACES)


def test_the_fewest_by_brute_force() -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        choices = [int(c) for c in rng.integers(1, 1 << 7, size=int(rng.integers(1, 8)))]
        brute = min(
            number
            for number in range(1, 8)
            if any(
                all(choice & sum(1 << k for k in some) for choice in choices)
                for some in itertools.combinations(range(7), number)
            )
        )
        assert _fewest(choices) == brute
    assert _fewest([]) == 0


@pytest.mark.parametrize("category", ["kettle", "vase", "bowl"])
def test_every_line_through_the_core_meets_the_model(category: str) -> None:
    """At random yaws, scales and offsets, tried with rays of their own."""
    model = next(iter(assets.sizes(category)))
    body = body_of(category, model)
    asset = assets.get(category, model)
    rng = np.random.default_rng(5)
    assert body.core_radius > 0.0
    missed = tried = 0
    for _ in range(12):
        scale, yaw = rng.uniform(0.8, 1.2), rng.uniform(-np.pi, np.pi)
        away = rng.uniform(-np.pi, np.pi)
        spot = SITE_REACH * np.array([np.cos(away), np.sin(away)])
        pose = geo.transforms.pose_matrix(
            np.append(spot, asset.size[2] / 2 * scale), geo.transforms.yaw_quat(yaw)
        )
        scene = geo.Scene()
        for part in asset.parts:
            mesh = scene.add_mesh(part.vertices, part.faces)
            scene.add_instance(mesh, object_id=0, pose=pose, scale=scale)
            points = (np.asarray(part.vertices) * scale) @ pose[:3, :3].T + pose[:3, 3]
            assert np.hypot(points[:, 0], points[:, 1]).max() <= body.radius
            assert points[:, 2].max() <= body.height
        angle, radius = rng.uniform(0, 2 * np.pi, 200), body.core_radius * np.sqrt(rng.random(200))
        level = rng.uniform(body.core_low, body.core_high, 200)
        core = np.column_stack((radius * np.cos(angle), radius * np.sin(angle), level))
        ways = rng.normal(size=(200, 3))
        ways[:, 2] = np.abs(ways[:, 2])
        ways /= np.linalg.norm(ways, axis=1)[:, None]
        missed += int((~geo.raycast.any(scene, core + 2.0 * ways, -ways)).sum())
        tried += 200
    # Slits between the 60 directions that were tried.
    assert missed <= 0.002 * tried


def test_a_core_narrower_than_the_tolerance_clears_nothing() -> None:
    house = _house()
    thin = BODY._replace(core_radius=0.006)
    found, _ = sights(_camera(), house, np.array(PLACES), thin)
    assert any(sight is not None and sight.sure.any() for sight in found)
    frame = _frame(_camera(), house, ())
    kept = survey([frame], "mug", house=house, places=PLACES, body=thin)
    assert kept.most == len(PLACES)
    assert MIN_PIXELS == 32


def test_a_tour_sees_what_the_first_view_does_not() -> None:
    house = _house(CABINET)
    camera = _camera()
    spots = tuple((x, y) for x, y in PLACES)
    tour = plan_tour(camera, house, spots, BODY, 18)
    assert tour.start & 0b010 == 0
    assert tour.sees == 0b111
    assert 0 < tour.length <= 18
    assert len({stop.goal.kind for stop in (*tour.stops, *tour.spare)}) == len(
        (*tour.stops, *tour.spare)
    )
    # No way is short enough for one who may take three actions.
    assert plan_tour(camera, house, spots, BODY, 3).sees & 0b010 == 0
