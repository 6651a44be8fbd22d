"""How an agent that knows the public history only chooses where to look from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from esi_fast.generators import oracle, views
from esi_fast.generators.base import Task
from esi_fast.generators.goals import Goal, viewpoints
from esi_fast.records import CameraSpec, FrameRecord
from esi_fast.sim.actions import MOVE_STEP
from esi_fast.types import FloatArray, JsonDict

TARGET = np.array([1.5, 0.0, 0.1])
# Near views stand 0.7 m off along the floor.
GOAL_X = 1.5 - 0.7


class OnePlace:
    """All that ``next_action`` asks of a task."""

    def goals(
        self, camera: CameraSpec, points: Sequence[FloatArray], public: JsonDict
    ) -> list[Goal]:
        return viewpoints(camera, points, ("near",))

    def places(self, history: Sequence[FrameRecord], public: JsonDict) -> list[FloatArray]:
        return [TARGET]


def seen_from(x: float) -> FrameRecord:
    pitch = float(np.arctan2(0.1 - 1.2, 1.5 - x))
    camera: CameraSpec = views.camera_at((x, 0.0, 1.2), yaw=0.0, pitch=pitch, vfov_deg=60.0)
    return FrameRecord(camera=camera, masks={})


def test_goes_on_until_the_best_route_has_no_step_left() -> None:
    """Most of a step before the goal there is a step to take, however well aimed the view is."""
    task = OnePlace()
    start = seen_from(GOAL_X - 3 * MOVE_STEP)
    before = seen_from(GOAL_X - 0.7 * MOVE_STEP)
    reached = seen_from(GOAL_X - 0.3 * MOVE_STEP)
    for history, name in (
        ([start], "move_forward"),
        ([start, before], "move_forward"),
        # Nothing is left to see: look around.
        ([start, before, reached], "turn_left"),
    ):
        step = oracle.next_action(cast(Task, task), history, {})
        assert step is not None
        assert step.name == name
