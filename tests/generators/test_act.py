"""Which action was tried on what: words, handles that the boxes settle, and those they do not."""

from __future__ import annotations

import numpy as np

from esi_fast.generators.observer.act import deeds, tried
from esi_fast.records import CameraSpec, FrameRecord, Outcome
from esi_fast.sim.actions import action
from esi_fast.sim.masks import class_masks

CAMERA = CameraSpec(
    position=(0.0, 0.0, 1.0),
    orientation=(0.0, 0.0, 0.0, 1.0),
    width=16,
    height=16,
    vfov_deg=60.0,
)
THINGS = {"cup": "coffee_cup", "ramp": "ramp"}
CUP, RAMP = (2, 3, 6, 8), (8, 2, 15, 12)


def frame(handles: dict[str, tuple[int, int, int, int]], *, over: bool = False) -> FrameRecord:
    """The cup beside the ramp, or where ``over`` a copy of the cup in each corner of the ramp."""
    ids = np.full((16, 16), -1, dtype=np.int64)
    ids[2:12, 8:15] = 1
    ids[3:8, 2:6] = 0
    if over:
        ids[2, 8] = ids[11, 14] = 0
    return FrameRecord(
        camera=CAMERA, masks=class_masks(ids, ("coffee_cup", "ramp")), handles=handles
    )


def after(name: str, *args: str, reason: str = "") -> FrameRecord:
    return frame({}).model_copy(
        update={
            "action": action(name, *args),
            "outcome": Outcome(ok=not reason, reason=reason),
        }
    )


def test_words_name_things_and_moves_are_no_deeds() -> None:
    history = [
        frame({}),
        after("move_forward"),
        after("pick_up", "cup"),
        after("put_on", "cup", "ramp", reason="fell_off"),
    ]
    assert [deed.name for deed in deeds(history, THINGS)] == ["pick_up", "put_on"]
    (deed,) = tried(history, THINGS, "put_on", "cup", "ramp")
    assert deed == (3, "put_on", ("cup", "ramp"), False, "fell_off")
    assert not tried(history, THINGS, "put_on", "ramp", "cup")


def test_a_handle_is_the_thing_whose_mask_fills_its_box() -> None:
    history = [frame({"object_3": CUP, "object_9": RAMP}), after("put_on", "object_3", "object_9")]
    assert [deed.things for deed in deeds(history, THINGS)] == [("cup", "ramp")]
    assert len(tried(history, THINGS, "put_on", "cup", "ramp")) == 1


def test_what_two_things_may_be_stays_unknown_until_another_frame_tells() -> None:
    both = [frame({"object_9": RAMP}, over=True), after("pick_up", "object_9")]
    assert [deed.things for deed in deeds(both, THINGS)] == [(None,)]
    told = [*both, frame({"object_9": RAMP})]
    assert [deed.things for deed in deeds(told, THINGS)] == [("ramp",)]


def test_a_handle_never_seen_is_unknown() -> None:
    assert [deed.things for deed in deeds([after("pick_up", "object_5")], THINGS)] == [(None,)]
