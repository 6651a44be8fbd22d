"""Pictures against what optics and geometry say they must show."""

from __future__ import annotations

import math

import numpy as np
import pytest
from render_scenes import ROOM_CAMERA, World, box, furnished_room, quad, sphere

from esi_fast import geometry as geo
from esi_fast.geometry.render import Image, Light, Material, Settings, render

WHITE = Material(color=(1.0, 1.0, 1.0))
PLAIN = Settings(samples=1, ao_samples=0, tonemap="srgb", background=(0, 0, 0), zenith=(0, 0, 0))
EVERYTHING = ("rgb", "depth", "ids", "seen_ids", "normals", "through", "radiance")


def picture(world: World, camera: geo.Camera, **options: object) -> Image:
    options.setdefault("settings", PLAIN)
    options.setdefault("ambient", (0.0, 0.0, 0.0))
    options.setdefault("modalities", EVERYTHING)
    options.setdefault("lights", world.lights)
    return render(world.scene, camera, materials=world.materials, **options)  # type: ignore[arg-type]


def looking(position: object, target: object, **options: object) -> geo.Camera:
    options = {"width": 64, "height": 48, "vfov_deg": 60.0, **options}
    return geo.Camera.looking_at(position, target, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def room() -> World:
    return furnished_room(rings=10)


@pytest.fixture(scope="module")
def room_camera() -> geo.Camera:
    return looking(*ROOM_CAMERA, width=160, height=120, vfov_deg=65.0)


# ---- depth, ids, normals ---------------------------------------------------------------------


def test_depth_of_a_plane_is_exact() -> None:
    world = World()
    world.add(quad(100, 100), WHITE)
    camera = looking((0.3, -0.2, 1.25), (1.0, 0.4, 0.0))
    image = picture(world, camera)
    origins, directions = camera.rays()
    assert image.depth is not None
    distance = -origins[..., 2] / directions[..., 2]
    forward = -camera.pose[:3, 2]
    expected = (distance * (directions @ forward)).reshape(48, 64)
    down = expected > 0
    inside = down & (expected < 40)
    assert inside.any()
    np.testing.assert_allclose(image.depth[inside], expected[inside], rtol=1e-12)
    assert np.isinf(image.depth[~down]).all()
    assert image.normals is not None
    assert (image.normals[inside] == [0, 0, 1]).all()


def test_depth_of_a_floor_follows_the_trigonometry(cases: object) -> None:
    case = next(c for c in cases("render") if c["id"] == "render-14")  # type: ignore[operator]
    given, expected = case["input"], case["expected"]
    world = World()
    world.add(quad(100, 100), WHITE)
    pitch = math.radians(given["pitch_down_deg"])
    height = given["camera_height"]
    offsets = np.array(given["vertical_pixel_offsets"])
    # One row per offset: an odd number of rows whose centres are 0.2 apart.
    rows = 7
    vfov = math.degrees(2 * math.atan(0.2 * rows / 2))
    target = (math.cos(pitch), 0.0, height - math.sin(pitch))
    camera = looking((0, 0, height), target, width=1, height=rows, vfov_deg=vfov)
    depth = picture(world, camera).depth
    assert depth is not None
    picked = depth[np.round(3 + offsets / 0.2).astype(int), 0]
    np.testing.assert_allclose(picked, expected["z_depth"], atol=case["tolerance"])


def test_ids_and_depth_agree_with_exact_rays(room: World, room_camera: geo.Camera) -> None:
    image = picture(room, room_camera)
    origins, directions = room_camera.rays()
    hits = geo.raycast.closest(room.scene, origins.reshape(-1, 3), directions.reshape(-1, 3))
    assert image.ids is not None
    assert image.depth is not None
    np.testing.assert_array_equal(image.ids.ravel(), hits.object_id)
    cosine = directions.reshape(-1, 3) @ -room_camera.pose[:3, 2]
    np.testing.assert_allclose(image.depth.ravel(), hits.distance * cosine, rtol=1e-12)
    assert len(np.unique(image.ids)) > 8


def test_ids_far_from_the_origin(room: World) -> None:
    shift = np.array([40000.0, -70000.0, 9000.0])
    near, far = World(), World()
    for world, offset in ((near, 0.0), (far, 1.0)):
        world.add(sphere(0.5, 16), WHITE, offset * shift)
        world.add(box((0.2, 0.2, 3.0)), WHITE, (0.6, 0.5, 0.0) + offset * shift)
    a = picture(near, looking((3, 0.2, 0.4), (0, 0, 0)))
    b = picture(far, looking(shift + np.array([3, 0.2, 0.4]), shift))
    assert a.ids is not None
    assert b.ids is not None
    assert np.mean(a.ids != b.ids) < 0.001
    same = a.ids == b.ids
    np.testing.assert_allclose(a.depth[same], b.depth[same], atol=1e-6)  # type: ignore[index]


def test_ids_are_never_blended(cases: object) -> None:
    case = next(c for c in cases("render") if c["id"] == "render-07")  # type: ignore[operator]
    world = World()
    for item, x in zip(case["input"]["objects"], (-0.4, 0.5), strict=True):
        world.add(sphere(0.5, 12), WHITE, (x, 0, 0), object_id=item["id"])
    image = picture(world, looking((0, -3, 0), (0, 0, 0)), settings=Settings(samples=4))
    assert set(np.unique(image.ids)) == set(case["expected"]["allowed_ids"])


def test_background_is_none_and_infinite(cases: object) -> None:
    case = next(c for c in cases("render") if c["id"] == "render-08")  # type: ignore[operator]
    world = World()
    world.add(quad(1.0, 1.0), WHITE)
    image = picture(world, looking((0, 0, 2), (0, 0, 0), up=(0, 1, 0)))
    assert image.depth is not None
    assert image.ids is not None
    missed = image.ids == -1
    assert missed.any()
    assert not missed.all()
    assert np.isposinf(image.depth[missed]).all()
    np.testing.assert_allclose(image.depth[~missed], case["input"]["depth"][0][0], rtol=1e-12)
    assert not np.isnan(image.depth).any()


def test_rows_go_down_and_columns_right(cases: object) -> None:
    case = next(c for c in cases("render") if c["id"] == "render-10")  # type: ignore[operator]
    given = case["input"]
    camera = geo.Camera.looking_at(
        given["camera"]["pos"], given["camera"]["forward"], width=8, height=8, vfov_deg=90.0
    )
    for point, cell in zip(given["points"], case["expected"]["row_col"], strict=True):
        world = World()
        size = 0.27 * abs(point[0])  # covers the centre of the point's pixel
        world.add(box((0.01, size, size)), WHITE, point)
        ids = picture(world, camera).ids
        assert ids is not None
        if cell is None:
            assert (ids == -1).all()
        else:
            assert ids[tuple(cell)] == 0


def test_empty_scene_is_sky() -> None:
    image = picture(World(), looking((0, 0, 0), (1, 0, 0)), settings=Settings())
    assert (image.ids == -1).all()
    assert np.isposinf(image.depth).all()  # type: ignore[arg-type]
    assert image.rgb is not None
    assert image.rgb.min() > 100


def test_removed_and_moved_instances() -> None:
    world = World()
    world.add(box(), WHITE, (0, 0, 0))
    world.add(box(), WHITE, (0, 2, 0))
    camera = looking((5, 0, 0), (0, 0, 0))
    first = picture(world, camera).ids
    assert first[24, 32] == 0  # type: ignore[index]
    world.scene.set_pose(0, geo.transforms.pose_matrix((0, -30, 0), (0, 0, 0, 1)))
    world.scene.set_pose(1, geo.transforms.pose_matrix((0, 0, 0), (0, 0, 0, 1)))
    assert picture(world, camera).ids[24, 32] == 1  # type: ignore[index]
    world.scene.remove_instance(1)
    assert (picture(world, camera).ids == -1).all()


def test_a_scene_that_shrinks_keeps_its_digits() -> None:
    """Found by fuzzing: what had once been 1e7 m away left all else on a grid of metres."""
    world = World()
    world.add(box(), WHITE, (0.3, 0.2, 0.1))
    world.add(box(), WHITE, (1e7, 0, 0))
    camera = looking((3, 0.4, 0.2), (0.3, 0.2, 0.1))
    picture(world, camera)
    world.scene.set_pose(1, geo.transforms.pose_matrix((-2, 1, 0), (0, 0, 0, 1)))
    moved = picture(world, camera)
    fresh = World()
    fresh.add(box(), WHITE, (0.3, 0.2, 0.1))
    fresh.add(box(), WHITE, (-2, 1, 0))
    expected = picture(fresh, camera)
    np.testing.assert_array_equal(moved.ids, expected.ids)
    np.testing.assert_allclose(moved.depth, expected.depth)


def test_camera_inside_a_solid() -> None:
    world = World()
    world.add(box((2, 2, 2)), WHITE)
    image = picture(world, looking((0, 0, 0), (1, 0, 0), width=1, height=1))
    assert image.ids[0, 0] == 0  # type: ignore[index]
    assert image.depth[0, 0] == pytest.approx(1.0)  # type: ignore[index]


# ---- light -----------------------------------------------------------------------------------


def radiance_at_center(world: World, camera: geo.Camera, **options: object) -> np.ndarray:
    image = picture(world, camera, **options)
    assert image.radiance is not None
    return image.radiance[image.radiance.shape[0] // 2, image.radiance.shape[1] // 2]


FROM_ABOVE = {"width": 3, "height": 3, "vfov_deg": 5.0, "up": (0, 1, 0)}


def test_lambert(cases: object) -> None:
    case = next(c for c in cases("render") if c["id"] == "render-12")  # type: ignore[operator]
    given, expected = case["input"], case["expected"]
    camera = looking((0, 0, 1), (0, 0, 0), **FROM_ABOVE)
    sun = Light("sun", direction=given["light_travel_dir"], color=(1, 1, 1), sun_deg=0.0)
    values = []
    for point in given["points"]:
        world = World()
        world.add(quad(2, 2), WHITE)
        if point["blocked"]:
            world.add(box((0.1, 3.0, 3.0)), WHITE, (-1.2, 0, 0))
        values.append(radiance_at_center(world, camera, lights=[sun])[0])
    np.testing.assert_allclose(values, expected["radiance_factor"], atol=case["tolerance"])
    world = World()
    world.add(quad(2, 2), WHITE)
    back = Light("sun", direction=given["back_light_dir"], color=(1, 1, 1))
    assert radiance_at_center(world, camera, lights=[back])[0] == expected["back_light"]


@pytest.mark.parametrize("distance", [0.5, 1.0, 2.0, 7.0])
@pytest.mark.parametrize("kind", ["point", "area", "spot"])
def test_light_falls_off_with_the_square(kind: str, distance: float) -> None:
    world = World()
    world.add(quad(4, 4), Material(color=(1.0, 0.0, 1.0)))
    lamp = Light(kind, position=(0, 0, distance), color=(3.0, 2.0, 1.0), radius=0.1)  # type: ignore[arg-type]
    camera = looking((0.5, 0, 1), (0, 0, 0), **FROM_ABOVE)
    value = radiance_at_center(world, camera, lights=[lamp])
    np.testing.assert_allclose(value, np.array([3.0, 0.0, 1.0]) / distance**2, rtol=1e-5)


def test_spot_is_dark_outside_its_cone() -> None:
    world = World()
    world.add(quad(20, 20), WHITE)
    spot = Light("spot", position=(0, 0, 1), cone_deg=60.0, blend=0.0, radius=0.0)
    for x, lit in ((0.5, True), (0.65, False)):
        camera = looking((x, 0, 0.5), (x, 0, 0), **FROM_ABOVE)
        assert (radiance_at_center(world, camera, lights=[spot])[0] > 0) == lit


def test_shadow_of_a_sphere_has_its_size() -> None:
    world = World()
    world.add(quad(10, 10), WHITE)
    world.add(sphere(0.5, 48), WHITE, (0, 0, 2))
    lamp = Light("point", position=(0, 0, 4), color=(16, 16, 16))
    # The cone from the lamp that touches the sphere meets the floor in a circle of this radius.
    radius = 4 * math.tan(math.asin(0.5 / 2))
    camera = looking((0, 0, 1.0), (0, 0, 0), width=200, height=200, vfov_deg=110.0, up=(0, 1, 0))
    image = picture(world, camera, lights=[lamp])
    origins, directions = camera.rays()
    points = (origins + directions * (-origins[..., 2:] / directions[..., 2:])).reshape(200, 200, 3)
    from_axis = np.linalg.norm(points[..., :2], axis=-1)
    assert image.radiance is not None
    lit = image.radiance[..., 0] > 0
    assert not lit[from_axis < radius * 0.995].any()
    assert lit[from_axis > radius * 1.005].all()


def test_penumbra_has_its_width() -> None:
    """Half plane 1 m above the floor, lamp of 0.2 m radius 2 m above it: 0.1 m to each side."""
    world = World()
    world.add(quad(10, 10), WHITE)
    world.add(box((4.0, 4.0, 1e-3)), WHITE, (-2.0, 0, 1))
    lamp = Light("area", position=(0, 0, 3), radius=0.2, color=(9, 9, 9))
    camera = looking((0, 0, 0.9), (0, 0, 0), width=128, height=16, vfov_deg=12.0, up=(0, 1, 0))
    settings = Settings(samples=4, ao_samples=0)
    row = picture(world, camera, lights=[lamp], settings=settings).radiance[8, :, 0]  # type: ignore[index]
    origins, directions = camera.rays()
    points = (origins + directions * (-origins[..., 2:] / directions[..., 2:])).reshape(16, 128, 3)
    x = points[8, :, 0]
    cosine3 = (3 / np.sqrt(9 + x**2)) ** 3
    # Share of a disc on one side of a chord.
    share = np.clip(x / 0.1, -1, 1)
    expected = (0.5 + (np.arcsin(share) + share * np.sqrt(1 - share**2)) / math.pi) * cosine3
    np.testing.assert_allclose(row, expected, atol=0.07)
    assert np.all(np.diff(row) > -0.02)


def test_ambient_occlusion_in_a_corner() -> None:
    """Where two large walls meet, half of the hemisphere is close and dark."""
    world = World()
    world.add(quad(20, 20), WHITE)
    world.add(box((1, 20, 20)), WHITE, (-0.5, 0, 10))
    settings = Settings(samples=1, ao_samples=2048, smooth=False, ao_distance=1.0)
    ambient = (1.0, 1.0, 1.0)
    options = {"settings": settings, "ambient": ambient, "lights": []}
    camera = looking((0.001, 0, 2), (0.001, 0, 0), **FROM_ABOVE)
    corner = radiance_at_center(world, camera, **options)[0]
    camera = looking((5.0, 0, 2), (5.0, 0, 0), **FROM_ABOVE)
    free = radiance_at_center(world, camera, **options)[0]
    assert free == pytest.approx(1.0, abs=1e-5)
    # Half the cosine-weighted directions are blocked at once; a bounce of 0.22 replaces them.
    assert corner == pytest.approx(0.5 + 0.5 * 0.22, abs=0.01)


def test_emissive_shows_its_own_light_and_casts_no_shadow() -> None:
    world = World()
    world.add(quad(4, 4), WHITE)
    world.add(sphere(0.1, 12), Material(kind="emissive", color=(1, 1, 1), emission=2.0), (0, 0, 1))
    lamp = Light("point", position=(0, 0, 1), color=(1, 1, 1))
    camera = looking((0, 0, 0.5), (0, 0, 0), **FROM_ABOVE)
    assert radiance_at_center(world, camera, lights=[lamp])[0] == pytest.approx(1.0, rel=1e-5)
    camera = looking((0, 0, 3), (0, 0, 1), **FROM_ABOVE)
    assert radiance_at_center(world, camera, lights=[lamp])[0] == pytest.approx(2.0)


# ---- mirrors and glass -----------------------------------------------------------------------


def test_mirror_shows_what_the_reflected_camera_sees() -> None:
    def contents(world: World) -> None:
        world.add(sphere(0.5, 16), Material(color=(0.9, 0.2, 0.1)), (2.0, 0.6, 0.3))
        checker = Material(color=(0.2, 0.5, 0.9), texture="checker", texture_scale=0.2)
        world.add(box((0.6, 0.6, 1.4)), checker, (2.5, -0.9, 0.1), yaw=0.4)

    lamp = Light("point", position=(1.0, 0.0, 2.0), color=(3, 3, 3))
    eye, target = np.array([2.5, 1.2, 0.6]), np.array([0.0, -0.2, 0.1])
    mirrored, plain = World(), World()
    contents(mirrored)
    contents(plain)
    # The mirror lies behind a plane that reaches beyond the picture; its front is the plane x = 0.
    mirror = mirrored.add(
        box((1.0, 8.0, 8.0)), Material(kind="mirror", reflectance=1.0), (-0.5, 0, 0)
    )
    size = {"width": 96, "height": 72}
    image = picture(mirrored, looking(eye, target, **size), lights=[lamp])
    flip = np.array([-1.0, 1.0, 1.0])
    # The camera behind the glass sees left and right exchanged.
    other = picture(plain, looking(eye * flip, target * flip, **size), lights=[lamp])
    assert image.ids is not None
    assert (image.ids == mirror).mean() > 0.3
    through = image.ids == mirror
    seen, expected = image.seen_ids, other.ids[:, ::-1]  # type: ignore[index]
    np.testing.assert_array_equal(seen[through], expected[through])  # type: ignore[index]
    assert set(np.unique(seen)) >= {-1, 0, 1}  # type: ignore[arg-type]
    assert (image.through[through] == 1).all()  # type: ignore[index]
    assert (image.through[~through] == 0).all()  # type: ignore[index]
    solid = through & (expected >= 0)
    np.testing.assert_allclose(
        image.radiance[solid],
        other.radiance[:, ::-1][solid],
        atol=2e-3,  # type: ignore[index]
    )


def test_nested_mirrors_stop_at_their_depth() -> None:
    world = World()
    mirror = Material(kind="mirror", reflectance=0.5)
    a = world.add(box((0.1, 4, 4)), mirror, (-1.05, 0, 0))
    b = world.add(box((0.1, 4, 4)), mirror, (1.05, 0, 0))
    # Between two facing mirrors a slanted ray wanders until it leaves upwards.
    camera = looking((0, 0, 0), (1, 0, 0.5), width=1, height=1, vfov_deg=1.0)
    counts = {}
    for depth in range(7):
        settings = Settings(samples=1, ao_samples=0, mirror_depth=depth, background=(1, 1, 1))
        image = picture(world, camera, settings=settings)
        counts[depth] = int(image.seen_ids[0, 0])  # type: ignore[index]
        assert image.ids[0, 0] == b  # type: ignore[index]
        assert image.through[0, 0] == (1 if depth else 0)  # type: ignore[index]
    # Reflections at x = 1, -1, 1 happen at heights 0.5, 1.5; 2.5 is above the mirrors' rim at 2.
    assert counts == {0: b, 1: a, 2: -1, 3: -1, 4: -1, 5: -1, 6: -1}


def test_reflectance_multiplies() -> None:
    world = World()
    world.add(box((0.1, 4, 4)), Material(kind="mirror", reflectance=0.5), (-1.05, 0, 0))
    glow = Material(kind="emissive", color=(1, 1, 1), emission=0.8)
    world.add(box((0.1, 9, 9)), glow, (3, 0, 0))
    camera = looking((0, 0, 0), (-1, 0, 0), width=1, height=1)
    image = picture(world, camera)
    assert image.radiance[0, 0, 0] == pytest.approx(0.4, rel=1e-5)  # type: ignore[index]
    assert image.seen_ids[0, 0] == 1  # type: ignore[index]


def test_glass_slab_offsets_by_snell() -> None:
    """A ray at 50 degrees through a slab leaves parallel, shifted as Snell's law says."""
    ior, thickness, angle = 1.5, 0.4, math.radians(50)
    inner = math.asin(math.sin(angle) / ior)
    shift = thickness * math.sin(angle - inner) / math.cos(inner)
    drop = shift / math.cos(angle)  # along the wall behind, parallel to the slab
    world = World()
    slab = world.add(box((thickness, 20, 20)), Material(kind="glass", ior=ior, color=(1, 1, 1)))
    marker_y = 2.0 * math.tan(angle) - drop
    wall = world.add(box((0.1, 40, 40)), WHITE, (1.05, 0, 0))
    for offset, hits in ((0.0, True), (0.02, False), (-0.02, False)):
        with_marker = World()
        with_marker.add(box((thickness, 20, 20)), Material(kind="glass", ior=ior, color=(1, 1, 1)))
        with_marker.add(box((0.1, 40, 40)), WHITE, (1.05, 0, 0))
        marker = with_marker.add(
            box((0.001, 0.02, 0.5)), WHITE, (0.9995, marker_y - math.tan(angle) + offset, 0)
        )
        camera = looking((-1, -math.tan(angle), 0), (0, 0, 0), width=1, height=1, vfov_deg=0.1)
        image = picture(with_marker, camera)
        assert image.ids[0, 0] == slab  # type: ignore[index]
        assert image.through[0, 0] == 2  # type: ignore[index]
        assert image.seen_ids[0, 0] == (marker if hits else wall)  # type: ignore[index]


def test_glass_reflects_as_fresnel_says() -> None:
    world = World()
    world.add(box((0.2, 9, 9)), Material(kind="glass", ior=1.5, color=(1, 1, 1)))
    glow = Material(kind="emissive", color=(1, 1, 1))
    dark = Material(color=(0, 0, 0))
    world.add(box((0.1, 9, 9)), glow, (-3, 0, 0))
    world.add(box((0.1, 9, 9)), dark, (3, 0, 0))
    camera = looking((-1, 0, 0), (0, 0, 0), width=1, height=1, vfov_deg=1.0)
    image = picture(world, camera)
    assert image.radiance[0, 0, 0] == pytest.approx(0.04, rel=1e-3)  # type: ignore[index]
    assert image.seen_ids[0, 0] == 2  # type: ignore[index]


def test_total_reflection_decides_the_id() -> None:
    """From inside glass beyond the critical angle (41.8 degrees) nothing passes."""
    for angle, passes in ((40.0, True), (44.0, False)):
        world = World()
        block = world.add(box((20, 20, 2)), Material(kind="glass", ior=1.5, color=(1, 1, 1)))
        above = world.add(box((90, 90, 0.1)), WHITE, (0, 0, 3))
        below = world.add(box((90, 90, 0.1)), WHITE, (0, 0, -3))
        slope = math.tan(math.radians(angle))
        camera = looking((0, 0, 0), (slope, 0, 1), width=1, height=1, vfov_deg=0.1, up=(0, 1, 0))
        settings = Settings(samples=1, ao_samples=0, mirror_depth=8)
        image = picture(world, camera, settings=settings)
        assert image.ids[0, 0] == block  # type: ignore[index]
        expected = above if passes else block
        found = image.seen_ids[0, 0]  # type: ignore[index]
        assert found == expected if passes else found not in (above, below)


def test_glass_and_mirror_flags_add_up() -> None:
    world = World()
    world.add(box((0.1, 9, 9)), Material(kind="glass", color=(1, 1, 1)))
    world.add(box((0.1, 9, 9)), Material(kind="mirror"), (1, 0, 0))
    target = world.add(box((0.1, 0.4, 0.4)), WHITE, (-2, 0, 0))
    image = picture(world, looking((-1, 0, 0), (0, 0, 0), width=1, height=1))
    assert image.through[0, 0] == 3  # type: ignore[index]
    assert image.seen_ids[0, 0] == target  # type: ignore[index]


# ---- quality and determinism -----------------------------------------------------------------


def test_same_bytes_for_any_number_of_threads(room: World, room_camera: geo.Camera) -> None:
    images = [
        picture(room, room_camera, settings=Settings(threads=n), ambient=(0.3, 0.3, 0.3))
        for n in (1, 2, 5, 2)
    ]
    for name in EVERYTHING:
        first = getattr(images[0], name)
        for other in images[1:]:
            np.testing.assert_array_equal(getattr(other, name), first)


def test_default_quality_is_near_the_reference(room: World, room_camera: geo.Camera) -> None:
    """RMS of the 8-bit picture within 2 % of one with 1,024 samples of everything per pixel."""
    common = {"ambient": (0.3, 0.3, 0.3), "modalities": ("rgb",)}
    reference = Settings(samples=1024, shadow_samples=1024, ao_samples=1024, smooth=False)
    # A crop's worth of pixels keeps the reference affordable.
    camera = looking(*ROOM_CAMERA, width=64, height=48, vfov_deg=40.0)
    exact = picture(room, camera, settings=reference, **common).rgb
    image = picture(room, camera, settings=Settings(), **common).rgb
    difference = (image.astype(float) - exact.astype(float)) / 255.0  # type: ignore[union-attr]
    assert math.sqrt(np.mean(difference**2)) < 0.02
    assert abs(np.mean(difference)) < 0.003


def test_flat_regions_are_free_of_noise() -> None:
    """A wall in a penumbra: neighbouring pixels follow the smooth gradient."""
    world = World()
    world.add(quad(10, 10), WHITE)
    world.add(box((4.0, 4.0, 0.01)), WHITE, (-2.0, 0, 1))
    lamp = Light("area", position=(0.2, 0, 3), radius=0.6, color=(9, 9, 9))
    camera = looking((0, 0, 0.9), (0, 0, 0), width=96, height=96, vfov_deg=25.0, up=(0, 1, 0))
    image = picture(world, camera, lights=[lamp], settings=Settings(ao_samples=0)).radiance
    assert image is not None
    rows = image[4:-4, 4:-4, 0]
    # The penumbra runs along the columns: from row to row nothing changes but the distance.
    assert np.diff(rows, axis=0).std() < 0.001
    assert np.ptp(rows) > 0.2


# ---- wrong calls -----------------------------------------------------------------------------


def test_wrong_number_of_materials(room: World, room_camera: geo.Camera) -> None:
    with pytest.raises(ValueError, match=r"materials: expected \d+ .* got 1"):
        render(room.scene, room_camera, materials=[WHITE])


def test_unknown_modality(room: World, room_camera: geo.Camera) -> None:
    with pytest.raises(ValueError, match="modalities"):
        picture(room, room_camera, modalities=("colour",))


@pytest.mark.parametrize("ambient", [(0, 0), (0, float("nan"), 0), (-1, 0, 0)])
def test_bad_ambient(room: World, room_camera: geo.Camera, ambient: object) -> None:
    with pytest.raises(ValueError, match="ambient"):
        picture(room, room_camera, ambient=ambient)


@pytest.mark.parametrize(
    "options", [{"vfov_deg": 0.0}, {"vfov_deg": 180.0}, {"width": 0}, {"height": -3}]
)
def test_bad_cameras_cannot_be_made(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        looking((0, 0, 0), (1, 0, 0), **options)


def test_only_what_was_asked_for(room: World, room_camera: geo.Camera) -> None:
    image = picture(room, room_camera, modalities=("depth",))
    assert image.depth is not None
    assert [name for name in EVERYTHING if getattr(image, name) is not None] == ["depth"]
