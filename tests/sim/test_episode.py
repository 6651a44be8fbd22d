"""The episode core in a room of boxes whose views can be worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from box_world import ORACLE, BoxWorld, camera, scene

from esi_fast.records import ActionRecord, FrameRecord, canonical_json, read_record
from esi_fast.sim.actions import action, answer_action
from esi_fast.sim.episode import CAMERA_RADIUS, EpisodeCore, object_handles, sweep_is_free
from esi_fast.sim.masks import decode_mask, mask_pixels


@pytest.fixture
def sim() -> BoxWorld:
    world = BoxWorld()
    world.load(scene())
    return world


def test_masks_are_by_category_and_cover_the_picture(sim: BoxWorld) -> None:
    view = EpisodeCore(sim, camera()).observe()
    # Walls have four ids and one look; the target is hidden by the screen.
    assert set(view.record.masks) == {"floor", "screen", "wall"}
    total = sum(mask_pixels(runs) for runs in view.record.masks.values())
    assert total == 64 * 64
    ids = view.frame.ids
    assert ids is not None
    screen = decode_mask(view.record.masks["screen"], (64, 64))
    np.testing.assert_array_equal(screen, ids == sim.geometry().index("screen"))


def test_masks_follow_what_a_pixel_shows(sim: BoxWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = sim.geometry()
    plain = BoxWorld.render

    def mirrored(self: BoxWorld, *args: object, **options: object) -> object:
        # As if the screen were a mirror that shows the target.
        frames = plain(self, *args, **options)  # type: ignore[arg-type]
        shown = np.where(
            frames[0].ids == snapshot.index("screen"), snapshot.index("target"), frames[0].ids
        )
        return [frames[0]._replace(seen_ids=shown)]

    monkeypatch.setattr(BoxWorld, "render", mirrored)
    view = EpisodeCore(sim, camera()).observe()
    assert set(view.record.masks) == {"floor", "mug", "wall"}
    # A reflection has no handle.
    assert view.handles == {}


def test_moves_stop_at_solids(sim: BoxWorld) -> None:
    core = EpisodeCore(sim, camera((-1.0, 0.0, 0.4)))
    # The screen's face is at x = -0.025: three steps fit (x = -0.25), the fourth would not.
    outcomes = [core.apply(action("move_forward")) for _ in range(4)]
    assert [outcome.ok for outcome in outcomes] == [True, True, True, False]
    assert outcomes[-1].reason == "blocked"
    assert core.camera.position == pytest.approx((-0.25, 0.0, 0.4))
    # Above the screen the way is free.
    for name in ("move_up", "move_up", "move_up", "move_forward"):
        assert core.apply(action(name)).ok
    # And the floor, the ceiling and the walls stop too.
    for name, limit in (("move_up", 2.6), ("move_down", 0.0)):
        other = EpisodeCore(sim, camera((-1.0, 1.0, 1.0)))
        while other.apply(action(name)).ok:
            pass
        assert abs(other.camera.position[2] - limit) >= CAMERA_RADIUS
        assert abs(other.camera.position[2] - limit) < CAMERA_RADIUS + 0.25


def test_the_sphere_counts_not_the_point(sim: BoxWorld) -> None:
    # The screen ends at y = 0.5; its side passes a point at 0.55 but not a sphere of 0.1 m.
    snapshot = sim.geometry()
    starts, ends = [(-0.5, 0.55, 0.4), (-0.5, 0.61, 0.4)], [(0.5, 0.55, 0.4), (0.5, 0.61, 0.4)]
    assert sweep_is_free(snapshot.scene, starts, ends) == [False, True]
    assert sweep_is_free(snapshot.scene, starts, ends, radius=0.04) == [True, True]


def test_failures_leave_everything_as_it_was(sim: BoxWorld) -> None:
    core = EpisodeCore(sim, camera(pitch=np.pi / 2))
    before = core.viewpoint
    assert core.apply(action("turn_up")).reason == "pitch_limit"
    assert core.apply(action("pick_up", "object_100")).reason == "unknown_object"
    (handle,) = core.handles
    # It stands behind the screen.
    assert core.apply(action("pick_up", handle)).reason == "not_in_view"
    assert core.viewpoint == before


def test_wrong_actions_are_wrong_calls(sim: BoxWorld) -> None:
    core = EpisodeCore(sim, camera())
    with pytest.raises(ValueError, match="got 'fly'"):
        core.apply(ActionRecord(name="fly"))
    with pytest.raises(ValueError, match="got answer"):
        core.apply(answer_action("mug"))
    with pytest.raises(ValueError, match="no roll"):
        EpisodeCore(sim, camera().model_copy(update={"orientation": (0.0, 0.6, 0.0, 0.8)}))


def test_history_holds_what_was_seen_with_the_action_that_led_there(sim: BoxWorld) -> None:
    core = EpisodeCore(sim, camera())
    views = core.run(ORACLE)
    assert len(views) == 6
    assert [view.record for view in views] == list(core.history)
    assert core.history[0].action is None
    assert [frame.action for frame in core.history[1:]] == list(ORACLE)
    assert all(frame.outcome is not None and frame.outcome.ok for frame in core.history[1:])
    # From 1.4 m the mug shows over the screen, from 1.15 m not yet.
    assert ["mug" in frame.masks for frame in core.history] == [False] * 4 + [True] * 2
    # It survives being written down.
    for frame in core.history:
        assert read_record(FrameRecord, canonical_json(frame)) == frame


def test_looking_twice_is_looking_once(sim: BoxWorld) -> None:
    core = EpisodeCore(sim, camera())
    plain = core.observe(rgb=False)
    assert plain.frame.rgb is None
    shaded = core.observe()
    assert shaded.frame.rgb is not None
    assert shaded.record is plain.record
    assert core.observe(rgb=False) is shaded
    assert len(core.history) == 1


def test_a_failed_action_shows_the_same_picture(sim: BoxWorld) -> None:
    core = EpisodeCore(sim, camera((-0.25, 0.0, 0.4)))
    first = core.observe()
    renders = BoxWorld.renders
    assert not core.apply(action("move_forward")).ok
    second = core.observe()
    assert BoxWorld.renders == renders
    assert second.frame.rgb is first.frame.rgb
    assert second.record.outcome is not None
    assert second.record.outcome.reason == "blocked"
    assert len(core.history) == 2


def test_peeking_leaves_no_trace(sim: BoxWorld) -> None:
    core = EpisodeCore(sim, camera())
    core.observe()
    there = core.viewpoint
    for step in ORACLE:
        there = there.after(step.name) or there
    assert "mug" in core.peek(there).record.masks
    assert len(core.history) == 1
    assert core.camera == camera()
    assert "mug" not in core.observe().record.masks


def test_handles_name_question_objects_in_direct_view(sim: BoxWorld) -> None:
    core = EpisodeCore(sim, camera())
    views = core.run(ORACLE)
    assert [len(view.handles) for view in views] == [0, 0, 0, 0, 1, 1]
    ((handle, box),) = views[-1].handles.items()
    assert core.handles == {handle: "target"}
    ids = views[-1].frame.ids
    assert ids is not None
    rows, columns = np.nonzero(ids == sim.geometry().index("target"))
    assert box == (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    assert "mug" not in handle


def test_handles_are_stable_and_tell_nothing(sim: BoxWorld) -> None:
    snapshot = sim.geometry()
    handles = object_handles(snapshot, "one")
    assert handles == object_handles(snapshot, "one")
    numbers = {object_handles(snapshot, f"room {k}")["target"] for k in range(300)}
    # One object or many, any number up to 99 may come up.
    assert len(numbers) > 80
    many = scene().with_objects(
        tuple(scene().objects[-1].model_copy(update={"id": f"t{k}"}) for k in range(120))
    )
    world = BoxWorld()
    world.load(many)
    assert len(set(object_handles(world.geometry(), "many").values())) == 120


def test_the_same_actions_give_the_same_history(sim: BoxWorld) -> None:
    one = [view.record for view in EpisodeCore(sim, camera()).run(ORACLE)]
    other = BoxWorld()
    other.load(scene())
    assert one == [view.record for view in EpisodeCore(other, camera()).run(ORACLE, rgb=False)]
