"""Checks of a settled draft that hold for every task. Each is named, measured and recorded."""

from __future__ import annotations

import numpy as np

from esi_fast import geometry as geo
from esi_fast.errors import PlacementRejected
from esi_fast.generators.base import Draft, Task
from esi_fast.records import CheckResult, FrameRecord, ObjectSpec
from esi_fast.sim.base import SettleReport, Snapshot
from esi_fast.types import FloatArray, JsonDict

__all__ = ["at_rest", "not_trivial", "require", "settled", "upright"]

# A question object may have moved this far (m) while settling, sunk or risen and leant this much
# (radians): the observer takes it to stand where it was stood (observer/localise.py,
# REST_TOLERANCE).
MAX_DRIFT = 0.01
MAX_TILT = 0.004
MAX_LIFT = 0.001
# Deepest overlap of two bodies at rest, metres.
MAX_PENETRATION = 0.002


def require(check: CheckResult) -> CheckResult:
    """The check itself if it passed; otherwise ``PlacementRejected`` with its name and numbers."""
    if not check.passed:
        raise PlacementRejected(check.name, **check.numbers)
    return check


def at_rest(report: SettleReport) -> CheckResult:
    """Everything came to rest without overlap."""
    return CheckResult(
        name="at_rest",
        passed=bool(report.at_rest) and report.penetration <= MAX_PENETRATION,
        numbers={"max_speed": report.max_speed, "penetration": report.penetration},
    )


def settled(snapshot: Snapshot, draft: Draft) -> CheckResult:
    """Question objects still stand as they were put, about where they were put."""
    drift = lift = tilt = 0.0
    wanted = {obj.id: obj for obj in draft.objects}
    # Targets of the house itself were not put anywhere.
    for name in (name for name in draft.targets if name in wanted):
        index = snapshot.index(name)
        now, put = snapshot.objects[index], wanted[name]
        offset = np.subtract(now.position, put.position)
        drift = max(drift, float(np.hypot(offset[0], offset[1])))
        tilt = max(tilt, _angle(_up(now), _up(put)))
        lift = max(lift, abs(float(offset[2])))
    return CheckResult(
        name="settled",
        passed=drift <= MAX_DRIFT and tilt <= MAX_TILT and lift <= MAX_LIFT,
        numbers={"drift": drift, "tilt": tilt, "lift": lift},
    )


def upright(snapshot: Snapshot, draft: Draft) -> CheckResult:
    """Nothing that the question is about has toppled."""
    vertical = np.array([0.0, 0.0, 1.0])
    objects = (snapshot.objects[snapshot.index(name)] for name in draft.targets)
    tilt = max((_angle(_up(obj), vertical) for obj in objects), default=0.0)
    return CheckResult(name="upright", passed=tilt <= MAX_TILT, numbers={"tilt": tilt})


def _up(obj: ObjectSpec) -> FloatArray:
    return geo.transforms.quat_to_matrix(np.asarray(obj.orientation))[:, 2]


def _angle(a: FloatArray, b: FloatArray) -> float:
    """The angle between two unit vectors (3,), in radians."""
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))


def not_trivial(task: Task, first: FrameRecord, public: JsonDict, answer: str) -> CheckResult:
    """View 0 leaves at least two answers, the label among them."""
    possible = task.still_possible([first], public)
    if answer not in possible:
        # The observer lost the truth: a fault of the program, not of this draft.
        raise RuntimeError(f"observer excludes the label {answer!r} in view 0: {sorted(possible)}")
    return CheckResult(
        name="not_trivial", passed=len(possible) > 1, numbers={"possible": float(len(possible))}
    )
