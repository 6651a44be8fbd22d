"""Records turn into JSON and back without loss, and refuse what is not one of them."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from esi_fast import records
from esi_fast.errors import EsiError, RecordError
from esi_fast.records import (
    ActionRecord,
    CameraSpec,
    CheckResult,
    EpisodeRecord,
    Evidence,
    FrameRecord,
    Instance,
    LightSpec,
    ObjectSpec,
    Outcome,
    Question,
    Record,
    RoomSpec,
    SceneSpec,
    StepRecord,
    canonical_json,
    read_record,
)

CUP = ObjectSpec(id="cup_1", category="cup", model="abc", position=(1.0, 2.0, 0.5))
SCENE = SceneSpec(name="room", objects=(CUP,))
CAMERA = CameraSpec(position=(0.0, 0.0, 1.5), orientation=(0.0, 0.0, 0.0, 1.0))
QUESTION = Question(text="Is the cup visible in the mirror?", options=("yes", "no"))
EVIDENCE = Evidence(answer="yes", method="mirror_legs", numbers={"clearance": 0.03})
INSTANCE = Instance(
    id="i0",
    task="specular_reflection/reflection_authoring",
    index=0,
    seed=7,
    backend="embedded",
    scene=SCENE,
    question=QUESTION,
    answer="yes",
    label=EVIDENCE,
    witness=EVIDENCE,
    initial_camera=CAMERA,
)

finite = st.floats(-1e6, 1e6)
vec3 = st.tuples(finite, finite, finite)
name = st.text(min_size=1, max_size=12)
unit = st.floats(-math.pi, math.pi).map(lambda a: (0.0, 0.0, math.sin(a / 2.0), math.cos(a / 2.0)))
objects = st.builds(
    ObjectSpec,
    id=name,
    category=name,
    model=name,
    position=vec3,
    orientation=unit,
    scale=st.tuples(*[st.floats(1e-3, 1e3)] * 3),
    palette=st.integers(0, 99),
    state=st.dictionaries(name, finite, max_size=2),
)
cameras = st.builds(
    CameraSpec,
    position=vec3,
    orientation=unit,
    width=st.integers(1, 8192),
    height=st.integers(1, 8192),
    vfov_deg=st.floats(1.0, 179.0),
)
actions = st.builds(ActionRecord, name=name, args=st.lists(name, max_size=2).map(tuple))
outcomes = st.builds(Outcome, ok=st.booleans(), reason=st.text(max_size=9))
scenes = st.builds(
    SceneSpec,
    name=name,
    seed=st.integers(0, 2**63),
    objects=st.lists(objects, max_size=3, unique_by=lambda o: o.id).map(tuple),
    lights=st.lists(st.builds(LightSpec, position=vec3), max_size=2).map(tuple),
)
steps = st.builds(
    StepRecord,
    camera=cameras,
    raw_reply=st.text(max_size=20),
    action=st.none() | actions,
    outcome=st.none() | outcomes,
    confidence=st.none() | st.floats(0.0, 1.0),
    evidence=finite,
)
frames = st.builds(
    FrameRecord,
    camera=cameras,
    masks=st.dictionaries(name, st.lists(st.integers(0, 999), max_size=4).map(tuple), max_size=2),
    action=st.none() | actions,
    outcome=st.none() | outcomes,
)
episodes = st.builds(
    EpisodeRecord,
    key=name,
    run=name,
    instance=name,
    instance_hash=name,
    task=name,
    paradigm=name,
    agent=name,
    steps=st.lists(steps, max_size=2).map(tuple),
)
instances = st.builds(
    lambda scene, camera, oracle, answer: Instance(
        **{
            **dict(INSTANCE),
            "scene": scene,
            "initial_camera": camera,
            "oracle_actions": oracle,
            "answer": answer,
        }
    ),
    scenes,
    cameras,
    st.lists(actions, max_size=3).map(tuple),
    st.sampled_from(QUESTION.options),
)


@given(st.one_of(objects, cameras, scenes, steps, frames, episodes, instances))
def test_json_and_back_loses_nothing(record: Record) -> None:
    text = canonical_json(record)
    again = read_record(type(record), text)
    assert again == record
    assert canonical_json(again) == text
    assert "\n" not in text


def test_the_text_does_not_depend_on_the_order_of_keys() -> None:
    a = Evidence(answer="x", method="m", numbers={"a": 1.0, "b": 2.0})
    b = Evidence(numbers={"b": 2.0, "a": 1.0}, method="m", answer="x")
    assert canonical_json(a) == canonical_json(b)
    assert canonical_json(a) == '{"answer":"x","method":"m","numbers":{"a":1.0,"b":2.0}}'


def test_records_are_frozen() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        CUP.room = "kitchen"


def changed(record: Record, **changes: Any) -> str:
    """The record's JSON with some fields replaced, unchecked."""
    return json.dumps({**json.loads(canonical_json(record)), **changes})


@pytest.mark.parametrize(
    ("record", "changes", "message"),
    [
        (CUP, {"colour": "red"}, "ObjectSpec.colour: Extra inputs are not permitted"),
        (CUP, {"position": [1, 2]}, "ObjectSpec.position.2: Field required"),
        (CUP, {"position": [1, 2, math.nan]}, "ObjectSpec.position.2: Input should be a finite"),
        (CUP, {"position": [1, 2, math.inf]}, "ObjectSpec.position.2: Input should be a finite"),
        (CUP, {"scale": [1, 0, 1]}, "ObjectSpec.scale: Value error, expected positive factors"),
        (
            CUP,
            {"orientation": [0, 0, 0, 2]},
            "ObjectSpec.orientation: Value error, expected a unit",
        ),
        (CUP, {"id": ""}, "ObjectSpec.id: String should have at least 1"),
        (CUP, {"role": "villain"}, "ObjectSpec.role: Input should be"),
        (CAMERA, {"width": 0}, "CameraSpec.width: Input should be greater"),
        (CAMERA, {"vfov_deg": 180}, "CameraSpec.vfov_deg: Input should be less"),
        (INSTANCE, {"answer": "maybe"}, "got 'maybe'"),
        (INSTANCE, {"index": -1}, "Instance.index: Input should be greater"),
        (INSTANCE, {"schema_version": 99}, "a newer esi-fast is needed"),
        (INSTANCE, {"scene": None}, "Instance.scene: Input should be"),
    ],
)
def test_a_wrong_field_is_named(record: Record, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_record(type(record), changed(record, **changes), where="shard.jsonl:12")
    assert str(caught.value).startswith(f"shard.jsonl:12: {type(record).__name__}.")
    assert message in str(caught.value)
    assert isinstance(caught.value, EsiError)


@pytest.mark.parametrize("text", ["", "{", canonical_json(INSTANCE)[:-20], "[]", "null", "3"])
def test_truncated_and_foreign_lines_are_record_errors(text: str) -> None:
    with pytest.raises(RecordError, match=r"^row 3: Instance\.\(whole\): "):
        read_record(Instance, text, where="row 3")


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(RecordError):
        read_record(Instance, text)


def test_object_ids_are_unique() -> None:
    with pytest.raises(ValidationError, match="id 'cup_1' occurs twice"):
        SCENE.with_objects((CUP, CUP))


def test_with_objects_replaces_only_the_objects() -> None:
    other = ObjectSpec(id="mug", category="mug", model="m", position=(0.0, 0.0, 0.0))
    assert SCENE.with_objects((other,)) == SceneSpec(name="room", objects=(other,))


def test_a_room_has_an_extent() -> None:
    with pytest.raises(ValidationError, match="lower: expected below upper"):
        RoomSpec(id="r", type="kitchen", lower=(0.0, 0.0), upper=(0.0, 3.0))


def test_checks_and_public_names_are_complete() -> None:
    assert CheckResult(name="at_rest", passed=True).numbers == {}
    kinds = {
        key
        for key, value in vars(records).items()
        if isinstance(value, type) and issubclass(value, Record)
    }
    assert kinds <= set(records.__all__)
