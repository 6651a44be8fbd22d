"""I: candidates stay while some pose of theirs explains every frame, and go when none does."""

from __future__ import annotations

import numpy as np
import pytest

from esi_fast import assets
from esi_fast.generators import views
from esi_fast.generators.observer.identify import Candidate, Fit, candidate_of, differing, fit
from esi_fast.records import CameraSpec, CoatSpec, FrameRecord, ObjectSpec
from esi_fast.sim.masks import class_masks, decode_mask, encode_mask

BOUNDS = {"lower": (-3.0, -3.0), "upper": (3.0, 3.0)}
BOX = np.array([0.45, 0.5, 0.6])
SIZE = 384


def _candidate(category: str) -> Candidate:
    """The first model of a category, in the common box, all but its +X face's parts painted."""
    model = assets.models(category)[0]
    asset = assets.get(category, model)
    scale = BOX / np.asarray(asset.size)
    behind = [k for k, part in enumerate(asset.parts) if part.vertices[:, 0].min() < 0.0]
    spec = ObjectSpec(
        id="target",
        category=category,
        model=model,
        position=(0.0, 0.0, 0.0),
        scale=(float(scale[0]), float(scale[1]), float(scale[2])),
        role="question",
        appearance="object",
        coat=CoatSpec(finish="paint", index=1, parts=tuple(behind)),
    )
    return candidate_of(spec.model_dump_json())


@pytest.fixture(scope="module")
def washer() -> Candidate:
    return _candidate("washer")


@pytest.fixture(scope="module")
def oven() -> Candidate:
    return _candidate("oven")


def _camera(azimuth_deg: float, distance: float = 1.3, height: float = 1.1) -> CameraSpec:
    """Looks at the object at the origin from an azimuth."""
    a = np.radians(azimuth_deg)
    down = np.arctan2(height - 0.3, distance)
    camera = views.camera_at(
        (distance * float(np.cos(a)), distance * float(np.sin(a)), height),
        yaw=float(a + np.pi),
        pitch=-float(down),
        vfov_deg=60.0,
    )
    return camera.model_copy(update={"width": SIZE, "height": SIZE})


def _frame(
    model: Candidate, camera: CameraSpec, pose: Fit, *, hidden_from: int = SIZE
) -> FrameRecord:
    """The model on an endless floor; a screen hides the columns from ``hidden_from`` on."""
    column, row = np.meshgrid(np.arange(SIZE) + 0.5, np.arange(SIZE) + 0.5)
    pixels = np.stack((column.ravel(), row.ravel()), axis=1)
    part = model.parts(views.pinhole(camera), pixels, *pose).reshape(SIZE, SIZE)
    names = sorted({"floor", "screen", *model.likeness.classes})
    classes = np.array([names.index(name) for name in model.likeness.classes])[part]
    classes[part < 0] = names.index("floor")
    classes[:, hidden_from:] = names.index("screen")
    return FrameRecord(camera=camera, masks=class_masks(classes, names))


POSE = Fit(np.array([0.0, 0.0]), 0.1, 1.05)


def test_from_behind_both_stay(washer: Candidate, oven: Candidate) -> None:
    for true in (washer, oven):
        history = [_frame(true, _camera(180.0), POSE)]
        assert fit(history, washer, **BOUNDS) is not None
        assert fit(history, oven, **BOUNDS) is not None


def test_the_front_tells(washer: Candidate, oven: Candidate) -> None:
    for true, other in ((washer, oven), (oven, washer)):
        history = [_frame(true, _camera(a), POSE) for a in (180.0, 120.0, 40.0)]
        found = fit(history, true, **BOUNDS)
        assert found is not None
        np.testing.assert_allclose(found.xy, POSE.xy, atol=0.06)
        assert fit(history, other, **BOUNDS) is None


def test_what_is_hidden_says_nothing(washer: Candidate, oven: Candidate) -> None:
    """A screen over all but a strip of the front's edge leaves both."""
    front = _camera(40.0)
    sides = [_frame(washer, _camera(a), POSE) for a in (180.0, 120.0)]
    whole = _frame(washer, front, POSE)
    left = min(
        int(np.flatnonzero(decode_mask(runs, (SIZE, SIZE)).any(axis=0))[0])
        for name, runs in whole.masks.items()
        if name.startswith("object")
    )
    hidden = _frame(washer, front, POSE, hidden_from=left + 20)
    assert fit([*sides, whole], oven, **BOUNDS) is None
    assert fit([*sides, hidden], oven, **BOUNDS) is not None
    assert fit([*sides, hidden], washer, **BOUNDS) is not None


def test_one_pose_must_explain_all_frames(washer: Candidate) -> None:
    moved = Fit(np.array([0.5, 0.3]), 0.1, 1.05)
    history = [_frame(washer, _camera(180.0), POSE), _frame(washer, _camera(100.0), moved)]
    assert fit(history, washer, **BOUNDS) is None
    assert all(fit([frame], washer, **BOUNDS) is not None for frame in history)


def test_the_truth_is_never_lost(washer: Candidate, oven: Candidate) -> None:
    """Any pose and any three views."""
    rng = np.random.default_rng(4)
    for case in range(8):
        true = (washer, oven)[case % 2]
        pose = Fit(
            rng.uniform(-0.3, 0.3, size=2),
            float(rng.uniform(-3, 3)),
            float(rng.uniform(0.82, 1.18)),
        )
        history = [
            _frame(
                true,
                _camera(float(rng.uniform(0, 360)), rng.uniform(1.2, 2.0), rng.uniform(0.5, 1.4)),
                pose,
            )
            for _ in range(3)
        ]
        assert fit(history, true, **BOUNDS) is not None


def test_nothing_seen_leaves_all(washer: Candidate) -> None:
    floor = np.ones((SIZE, SIZE), dtype=bool)
    empty = FrameRecord(camera=_camera(0.0), masks={"floor": encode_mask(floor)})
    assert fit([], washer, **BOUNDS) is not None
    assert fit([empty], washer, **BOUNDS) is not None


def test_differing_is_nothing_to_itself_and_symmetric(washer: Candidate, oven: Candidate) -> None:
    front, back = (views.pinhole(_camera(a)) for a in (0.0, 180.0))
    assert differing(washer, washer, front, POSE) == (0.0, 0.0)
    there, again = (differing(a, b, front, POSE) for a, b in ((washer, oven), (oven, washer)))
    assert there.share == pytest.approx(again.share, abs=0.02)
    assert there.share > 0.25 > 0.05 > differing(washer, oven, back, POSE).share
