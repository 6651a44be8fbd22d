"""Checks of a settled draft that hold for every task. Each is named, measured and recorded."""

from __future__ import annotations

import numpy as np

from esi_fast import geometry as geo
from esi_fast.errors import PlacementRejected
from esi_fast.generators.base import Draft, Task
from esi_fast.records import CheckResult, FrameRecord
from esi_fast.sim.base import SettleReport, Snapshot

__all__ = ["at_rest", "not_trivial", "require", "settled"]

# A question object may have moved this far (m) while settling, and lean this much (radians):
# the observer takes it to stand upright on the floor (observer/localise.py, REST_TOLERANCE).
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


def settled(snapshot: Snapshot, draft: Draft, *, floor_z: float = 0.0) -> CheckResult:
    """Question objects still stand upright on the floor, about where they were put."""
    drift = tilt = lift = 0.0
    wanted = {obj.id: obj for obj in draft.objects}
    for name in draft.targets:
        index = snapshot.index(name)
        now, put = snapshot.objects[index], wanted[name]
        offset = np.subtract(now.position, put.position)
        drift = max(drift, float(np.hypot(offset[0], offset[1])))
        up = geo.transforms.quat_to_matrix(np.asarray(now.orientation))[:, 2]
        tilt = max(tilt, float(np.arctan2(np.hypot(up[0], up[1]), up[2])))
        lift = max(lift, abs(float(snapshot.boxes[index, 0, 2]) - floor_z))
    return CheckResult(
        name="settled",
        passed=drift <= MAX_DRIFT and tilt <= MAX_TILT and lift <= MAX_LIFT,
        numbers={"drift": drift, "tilt": tilt, "lift": lift},
    )


def not_trivial(task: Task, first: FrameRecord, draft: Draft, answer: str) -> CheckResult:
    """View 0 leaves at least two answers, the label among them."""
    possible = task.still_possible([first], draft.public)
    if answer not in possible:
        # The observer lost the truth: a fault of the program, not of this draft.
        raise RuntimeError(f"observer excludes the label {answer!r} in view 0: {sorted(possible)}")
    return CheckResult(
        name="not_trivial", passed=len(possible) > 1, numbers={"possible": float(len(possible))}
    )
