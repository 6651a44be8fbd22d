"""Actions: the text form, the lattice of camera poses, the passive walks."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from esi_fast.records import ActionRecord, CameraSpec
from esi_fast.sim import actions as act


def facing(heading_deg: float, pitch_deg: float = 0.0) -> CameraSpec:
    """A camera made by an independent route: scipy rotations of the camera axes."""
    # Camera axes at heading 0, level: right -Y, up +Z, looking along +X (its -Z).
    level = Rotation.from_matrix(np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    turn = Rotation.from_euler("z", heading_deg, degrees=True)
    # Positive pitch looks up: about the right-hand side of the camera, its own x axis.
    tilt = Rotation.from_euler("x", pitch_deg, degrees=True)
    x, y, z, w = (turn * level * tilt).as_quat().tolist()
    return CameraSpec(position=(1.0, 2.0, 1.5), orientation=(x, y, z, w))


def forward(camera: CameraSpec) -> np.ndarray:
    return -Rotation.from_quat(camera.orientation).as_matrix()[:, 2]


def test_vocabulary_is_the_papers_with_two_of_ours() -> None:
    assert [name for name, spec in act.ACTIONS.items() if spec.ours] == ["open", "close"]
    assert len(act.ACTIONS) == 18
    assert len(act.SIMPLE_ACTIONS) == 10
    assert act.ACTIONS["pour"].signature == "pour(x[, y])"
    assert act.ACTIONS["put_inside"].signature == "put_inside(x, y)"


@pytest.mark.parametrize(
    ("name", "delta"),
    [
        ("move_forward", (0.0, 0.25, 0.0)),
        ("move_backward", (0.0, -0.25, 0.0)),
        ("move_left", (-0.25, 0.0, 0.0)),
        ("move_right", (0.25, 0.0, 0.0)),
        ("move_up", (0.0, 0.0, 0.25)),
        ("move_down", (0.0, 0.0, -0.25)),
    ],
)
@pytest.mark.parametrize("pitch", [-90.0, -40.0, 0.0, 40.0, 90.0])
def test_moves_are_horizontal_and_relative_to_the_heading(
    name: str, delta: tuple[float, ...], pitch: float
) -> None:
    camera = facing(90.0, pitch)  # looking along +Y: left is -X
    moved = act.move_camera(camera, [name])
    assert np.subtract(moved.position, camera.position) == pytest.approx(delta, abs=1e-9)
    assert moved.orientation == camera.orientation


@pytest.mark.parametrize(
    ("name", "heading", "pitch"),
    [
        ("turn_left", 45.0, -10.0),
        ("turn_right", 15.0, -10.0),
        ("turn_up", 30.0, 5.0),
        ("turn_down", 30.0, -25.0),
    ],
)
def test_turns_are_fifteen_degrees(name: str, heading: float, pitch: float) -> None:
    turned = act.move_camera(facing(30.0, -10.0), [name])
    assert forward(turned) == pytest.approx(forward(facing(heading, pitch)), abs=1e-12)
    assert turned.position == (1.0, 2.0, 1.5)


def test_pitch_stops_at_ninety_degrees() -> None:
    here: act.Viewpoint | None = act.Viewpoint(facing(10.0))
    for _ in range(6):
        assert here is not None
        here = here.after("turn_up")
    assert here is not None
    assert here.pitch_deg == pytest.approx(90.0)
    assert here.after("turn_up") is None
    assert forward(here.camera) == pytest.approx([0.0, 0.0, 1.0], abs=1e-12)
    # The heading is not lost when looking straight up.
    assert act.camera_angles(here.camera)[0] == pytest.approx(math.radians(10.0))


@given(st.lists(st.sampled_from(act.SIMPLE_ACTIONS), max_size=25), st.integers(0, 2**32 - 1))
def test_a_place_has_one_camera_whatever_the_way(names: list[str], seed: int) -> None:
    camera = facing(33.0, 3.0)
    moves = [name for name in names if name.startswith("move")]
    shuffled = np.random.default_rng(seed).permutation(np.array(moves, dtype=object)).tolist()
    assert act.move_camera(camera, moves) == act.move_camera(camera, shuffled)
    opposite = {
        "forward": "backward", "backward": "forward", "left": "right", "right": "left",
        "up": "down", "down": "up",
    }  # fmt: skip
    here = act.Viewpoint(camera)
    done = []
    for name in names:
        there = here.after(name)
        if there is not None:
            here, done = there, [*done, name]
    for name in reversed(done):
        kind, way = name.split("_")
        undone = here.after(f"{kind}_{opposite[way]}")
        assert undone is not None
        here = undone
    assert here.camera == camera


@given(st.floats(-180.0, 180.0), st.floats(-90.0, 90.0))
def test_angles_are_read_back(heading: float, pitch: float) -> None:
    got = act.camera_angles(facing(heading, pitch))
    assert math.degrees(got[1]) == pytest.approx(pitch, abs=1e-5)
    assert math.cos(got[0] - math.radians(heading)) == pytest.approx(1.0, abs=1e-12)
    turned = Rotation.from_quat(act.camera_orientation(*got))
    assert (
        turned.inv() * Rotation.from_quat(facing(heading, pitch).orientation)
    ).magnitude() < 1e-6


def test_a_rolled_camera_is_refused() -> None:
    x, y, z, w = (
        Rotation.from_quat(facing(0.0).orientation) * Rotation.from_euler("z", 0.1)
    ).as_quat()
    with pytest.raises(ValueError, match="camera: expected no roll"):
        act.camera_angles(CameraSpec(position=(0, 0, 0), orientation=(x, y, z, w)))
    with pytest.raises(ValueError, match="unit quaternion"):
        act.camera_angles(CameraSpec(position=(0, 0, 0), orientation=(0, 0, 0, 2)))


ARGUMENT = st.text('ab_3 ,()"\\\n\u00e9', min_size=1, max_size=8)


@given(st.data())
def test_text_form_is_read_back(data: st.DataObject) -> None:
    spec = data.draw(st.sampled_from(list(act.ACTIONS.values())))
    if spec.kind == "answer":
        record = act.answer_action(
            data.draw(ARGUMENT), data.draw(st.none() | st.floats(0.0, 1.0, allow_nan=False))
        )
    else:
        count = data.draw(st.integers(len(spec.params) - spec.optional, len(spec.params)))
        record = act.action(spec.name, *(data.draw(ARGUMENT) for _ in range(count)))
    assert act.parse_action(act.format_action(record)) == record


def test_text_form_examples() -> None:
    assert act.format_action(act.action("put_on", "object_3", "table")) == "put_on(object_3, table)"
    assert act.format_action(act.answer_action("a, b", 0.5)) == 'answer("a, b", 0.5)'
    assert act.parse_action(" Pick_Up( object_3 ) ") == act.action("pick_up", "object_3")
    assert act.parse_action("turn_left()") == act.action("turn_left")
    assert act.read_answer(act.parse_action("answer(left of the sofa, 0.25)")) == (
        "left of the sofa",
        0.25,
    )


@pytest.mark.parametrize(
    "text",
    [
        "", "fly", "turn_left(x)", "pick_up", "pick_up(a, b)", "pick_up(a", "pick_up(a,)",
        'pick_up("a)', 'pick_up("a" b)', "turn_left turn_right", "answer", "answer(a, b, c)",
        "answer(a, 2)", "answer(a, nan)", "put_on(a b)", "pick_up(a) ; pick_up(b)",
    ],
)  # fmt: skip
def test_wrong_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"action|confidence"):
        act.parse_action(text)


def test_wrong_records_are_refused() -> None:
    with pytest.raises(ValueError, match="got 'fly'"):
        act.check_action(ActionRecord(name="fly"))
    with pytest.raises(ValueError, match="takes 1 to 2 arguments, got 0"):
        act.check_action(ActionRecord(name="pour"))
    with pytest.raises(ValueError, match="name: expected one of"):
        act.Viewpoint(facing(0.0)).after("pour")


def test_passive_walk_is_a_function_of_the_seed() -> None:
    walk = act.passive_actions(7)
    assert walk == act.passive_actions(7)
    assert len(walk) == 29
    assert walk[:10] == act.passive_actions(7, 10)
    assert len({act.passive_actions(seed) for seed in range(20)}) == 20
    with pytest.raises(ValueError, match="n: expected at least 0"):
        act.passive_actions(7, -1)


def test_passive_walk_covers_ground_and_never_steps_straight_back() -> None:
    undo = {"forward": "backward", "left": "right", "up": "down"}
    undo |= {second: first for first, second in undo.items()}
    seen = set()
    for seed in range(50):
        names = [record.name for record in act.passive_actions(seed)]
        seen |= set(names)
        for before, after in itertools.pairwise(names):
            kind, way = before.split("_")
            assert after != f"{kind}_{undo[way]}"
    assert seen == set(act.SIMPLE_ACTIONS)
