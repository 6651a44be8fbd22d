"""A wrong call of any public function names the parameter, what was expected and what came."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from public_calls import FOREIGN, functions, scene, table
from rays_reference import box_mesh

from esi_fast import geometry as geo

FUNCTIONS = functions()

# Parameters that may hold NaN: a status, a count or zero comes back for it.
NAN_ALLOWED = {
    ("raycast.all", "origins"),
    ("raycast.all", "directions"),
    ("raycast.any", "origins"),
    ("raycast.any", "directions"),
    ("raycast.closest", "origins"),
    ("raycast.closest", "directions"),
    ("particles.components", "points"),
    ("particles.largest_component", "points"),
    ("particles.radius_graph", "points"),
    ("particles.radius_pairs", "points"),
    ("particles.dip_capacity", "points"),
    ("particles.touch_box", "points"),
    ("gridmap.farthest_pairs", "distance"),
    ("camera.linearise_depth", "buffer"),
    ("render.to_srgb_uint8", "linear"),
}
# Any shape is right.
ANY_SHAPE = {
    ("camera.linearise_depth", "buffer"),
    ("render.to_srgb_uint8", "linear"),
    ("transforms.yaw_quat", "yaw"),
    ("relations.turn_direction", "before"),
    ("relations.turn_direction", "after"),
    ("transforms.normalize", "vectors"),
}


def is_array(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return True
    if not isinstance(value, (tuple, list)) or not value or hasattr(value, "_fields"):
        return False
    flat = value[0] if isinstance(value[0], (tuple, list)) else value
    return all(isinstance(item, (int, float)) for item in flat)


def arrays() -> Iterator[tuple[str, str, Any]]:
    for name, arguments in table().items():
        for parameter, value in arguments.items():
            if is_array(value) and parameter != "cell":
                yield name, parameter, np.asarray(value)


ARRAYS = list(arrays())
# Indices of cells; the points of these two are in metres.
CELLS = [
    case
    for case in ARRAYS
    if case[0].startswith("gridmap")
    and case[0] not in ("gridmap.line_of_sight", "gridmap.line_cells")
    and case[2].dtype.kind == "i"
]
# May be negative.
SIGNED = {
    "boxes.overlap",
    "boxes.overlap_pairs",
    "boxes.overlap_pairs_between",
    "boxes.obb_overlap",
}
IDS = [f"{name}-{parameter}" for name, parameter, _ in ARRAYS]


def refused(name: str, parameter: str, value: Any, *kinds: type[Exception]) -> str:
    """The message of the exception, which starts with the parameter's name."""
    arguments = {**table()[name], parameter: value}
    with pytest.raises(kinds or (ValueError, TypeError)) as caught:
        FUNCTIONS[name](**arguments)
    message = str(caught.value)
    assert re.match(rf"{parameter}(\[\d+\])?: expected .*got ", message, re.DOTALL), message
    assert len(message) < 300, message
    return message


@pytest.mark.parametrize(("name", "parameter", "value"), ARRAYS, ids=IDS)
def test_arrays_of_a_wrong_dtype(name: str, parameter: str, value: Any) -> None:
    refused(name, parameter, np.full(value.shape, "x"), TypeError)
    refused(name, parameter, np.full(value.shape, 1j), TypeError)
    refused(name, parameter, np.full(value.shape, None), TypeError)


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [case for case in ARRAYS if case[:2] not in ANY_SHAPE],
    ids=[f"{n}-{p}" for n, p, _ in ARRAYS if (n, p) not in ANY_SHAPE],
)
def test_arrays_of_a_wrong_shape(name: str, parameter: str, value: Any) -> None:
    refused(name, parameter, np.zeros((2, 3, 5, 7), value.dtype), ValueError)
    refused(name, parameter, np.zeros((1, 1, 1, 512), value.dtype), ValueError)


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [case for case in ARRAYS if case[:2] not in NAN_ALLOWED],
    ids=[f"{n}-{p}" for n, p, _ in ARRAYS if (n, p) not in NAN_ALLOWED],
)
@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_arrays_with_values_that_are_not_finite(
    name: str, parameter: str, value: Any, wrong: float
) -> None:
    broken = value.astype(np.float64)
    broken.flat[-1] = wrong
    refused(name, parameter, broken)


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    CELLS,
    ids=[f"{name}-{parameter}" for name, parameter, _ in CELLS],
)
def test_cells_are_never_rounded(name: str, parameter: str, value: Any) -> None:
    refused(name, parameter, value + 0.5)
    refused(name, parameter, value > 0, TypeError)


WITH = {
    option: sorted(
        name
        for name, function in FUNCTIONS.items()
        if name.split(".")[0] not in FOREIGN and option in inspect.signature(function).parameters
    )
    for option in ("threads", "ignore", "tolerance", "samples", "radius", "object_id", "scene")
}


@pytest.mark.parametrize("name", WITH["threads"])
def test_threads(name: str) -> None:
    refused(name, "threads", -1, ValueError)


@pytest.mark.parametrize("name", WITH["ignore"])
def test_ignore(name: str) -> None:
    refused(name, "ignore", [1.5], ValueError)
    refused(name, "ignore", [2**40], ValueError)
    refused(name, "ignore", ["chair"], TypeError)
    refused(name, "ignore", [[1, 2], [3, 4]], ValueError)
    refused(name, "ignore", np.zeros((2, 3, 4), np.int32), ValueError)


@pytest.mark.parametrize("name", WITH["tolerance"])
@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf])
def test_tolerance(name: str, wrong: float) -> None:
    if wrong < 0 and name in SIGNED:
        return
    refused(name, "tolerance", wrong, ValueError)


@pytest.mark.parametrize("name", WITH["samples"])
def test_samples(name: str) -> None:
    refused(name, "samples", 0, ValueError)


@pytest.mark.parametrize("name", WITH["radius"])
@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf])
def test_radius(name: str, wrong: float) -> None:
    refused(name, "radius", wrong, ValueError)


@pytest.mark.parametrize("name", WITH["object_id"])
def test_an_object_that_is_not_there(name: str) -> None:
    refused(name, "object_id", 99, ValueError)


@pytest.mark.parametrize("name", ["raycast.closest", "raycast.any", "raycast.all"])
def test_limits_of_rays(name: str) -> None:
    for limit in ("tmin", "tmax"):
        refused(name, limit, -1.0, ValueError)
        refused(name, limit, np.nan, ValueError)
        refused(name, limit, np.zeros(7), ValueError)


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        (name, parameter)
        for name in ("occlusion.visible", "occlusion.first_blocker", "occlusion.visibility_matrix")
        for parameter in ("starts", "ends")
    ]
    + [("mirror.visible_through", "eyes"), ("mirror.visible_through", "points")]
    + [("distance.sweep_sphere", "starts"), ("distance.points_to_mesh", "points")],
)
def test_points_beyond_the_world(name: str, parameter: str) -> None:
    value = np.array(table()[name][parameter])
    value[1, 2] = -2e12
    message = refused(name, parameter, value, ValueError)
    assert message == f"{parameter}: expected coordinates within 1e12 m, got -2e+12 at [1, 2]" or (
        message.endswith("got -2000000000000.0 at [1, 2]")
    )


def test_rays_that_are_no_rays_have_a_status() -> None:
    origins = np.tile((0.0, 0.0, 1.0), (6, 1))
    directions = np.tile((0.0, 0.0, -1.0), (6, 1))
    directions[1] = 0
    directions[2, 0] = np.nan
    origins[3, 1] = np.inf
    origins[4, 0] = 2e12
    found = geo.raycast.closest(scene(), origins, directions)
    assert found.status.tolist() == [0, 1, 1, 1, 1, 0]
    assert found.hit.tolist() == [True, False, False, False, False, True]


def test_vectors_without_a_direction() -> None:
    with pytest.raises(ValueError, match=r"vectors: expected .* got "):
        geo.transforms.normalize(np.zeros((2, 3)))
    with pytest.raises(ValueError, match=r"quaternion: expected .* got "):
        geo.transforms.quat_to_matrix(np.zeros(4))
    with pytest.raises(ValueError, match=r"normal: expected .* got "):
        geo.mirror.Mirror.from_normal((0, 0, 0), (0, 0, 0), 1, 1)
    with pytest.raises(ValueError, match=r"target.*: expected .* got "):
        geo.transforms.look_at((1, 2, 3), (1, 2, 3))


VERTICES, FACES = box_mesh((0, 0, 0), (1, 1, 1))


@pytest.mark.parametrize(
    ("vertices", "faces", "name"),
    [
        (VERTICES[:, :2], FACES, "vertices"),
        (np.where(VERTICES == 1, np.nan, VERTICES), FACES, "vertices"),
        (VERTICES * 1e300, FACES, "vertices"),
        (VERTICES, FACES + 1, "faces"),
        (VERTICES, FACES - 1, "faces"),
        (VERTICES, FACES + 0.5, "faces"),
        (VERTICES, FACES.astype(np.int64) + 2**32, "faces"),
        (VERTICES, FACES[:, :2], "faces"),
        (np.zeros((0, 3)), FACES, "faces"),
    ],
)
def test_meshes(vertices: Any, faces: Any, name: str) -> None:
    for ask in (
        lambda: geo.Scene().add_mesh(vertices, faces),
        lambda: geo.distance.points_to_mesh((vertices, faces), [[0, 0, 0]]),
    ):
        with pytest.raises((ValueError, TypeError), match=rf"^{name}: expected .*got "):
            ask()


def test_meshes_without_area_or_anything() -> None:
    made = geo.Scene()
    for vertices, faces in [
        (np.zeros((0, 3)), np.zeros((0, 3), int)),
        (np.zeros((3, 3)), [[0, 1, 2]]),
        ([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]]),
        (VERTICES * 1e-200, FACES),
    ]:
        mesh = made.add_mesh(vertices, faces)
        made.add_instance(mesh, object_id=0)
        assert made.degenerate_faces(mesh) == len(faces)
    assert made.num_triangles == 0
    assert np.isnan(made.bounds).all()
    assert made.diameter == 0
    assert not geo.raycast.any(made, [[0, 0, 5]], [[0, 0, -1]])[0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.add_instance(9, object_id=0), r"^mesh: expected .* got 9$"),
        (lambda s: s.add_instance(-1, object_id=0), r"^mesh: expected .* got -1$"),
        (lambda s: s.add_instance(0, object_id=-1), r"^object_id: expected .* got -1$"),
        (lambda s: s.add_instance(0, object_id=0, scale=0), r"^scale: expected .* got 0"),
        (lambda s: s.add_instance(0, object_id=0, scale=np.nan), r"^scale: expected .* got nan"),
        (lambda s: s.add_instance(0, object_id=0, pose=np.zeros((4, 4))), r"^pose: expected .*got"),
        (lambda s: s.add_instance(0, object_id=0, pose=np.eye(3)), r"^pose: expected shape \(4, 4"),
        (lambda s: s.add_instance(0, object_id=0, scale=1e13), r"^pose: expected world coord"),
        (lambda s: s.set_pose(5, np.eye(4)), r"^instance: expected .* got 5$"),
        (lambda s: s.set_poses([0], np.eye(4)), r"^poses: expected shape \(1, 4, 4\), got"),
        (lambda s: s.set_poses([0], np.full((1, 4, 4), "x")), r"^poses: expected .*got"),
        (lambda s: s.remove_instance(7), r"^instance: expected .* got 7$"),
        (lambda s: s.degenerate_faces(3), r"^mesh: expected .* got 3$"),
        (lambda s: s.mesh_arrays(3), r"^mesh: expected .* got 3$"),
        (lambda s: s.surface_samples(7), r"^object_id: expected .* got 7$"),
        (lambda s: s.surface_samples(0, 0), r"^samples: expected .* got 0$"),
        (lambda s: geo.Scene(threads=-1), r"^threads: expected .* got -1$"),
    ],
)
def test_scenes(call: Any, message: str) -> None:
    made = geo.Scene()
    made.add_instance(made.add_mesh(VERTICES, FACES), object_id=0)
    with pytest.raises((ValueError, TypeError), match=message):
        call(made)
    assert geo.raycast.any(made, [[0.5, 0.4, 5]], [[0, 0, -1]])[0]
