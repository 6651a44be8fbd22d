"""The search for oracle trajectories, and how a perfect agent moves.

Both go to the same viewpoints (``Task.goals``). The search knows the world and proves its result
in it; ``next_action`` knows the public history only.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from esi_fast.errors import PlacementRejected
from esi_fast.generators.base import Draft, Task
from esi_fast.generators.goals import WAYS, Goal, free_route, routes
from esi_fast.generators.observer.along import along
from esi_fast.records import ActionRecord, FrameRecord
from esi_fast.sim.actions import ACTIONS, TURN_STEP_DEG, Viewpoint, action, camera_angles
from esi_fast.sim.base import Simulator
from esi_fast.types import JsonDict

__all__ = ["MAX_ORACLE_ACTIONS", "Oracle", "find_oracle", "next_action"]

# TASKS: an oracle trajectory has at most 20 actions.
MAX_ORACLE_ACTIONS = 20
_TURN = np.radians(TURN_STEP_DEG)


@dataclass(frozen=True)
class Oracle:
    """A proved trajectory: its actions and what was still possible at each view."""

    actions: tuple[ActionRecord, ...]
    possible: tuple[tuple[str, ...], ...]


def find_oracle(sim: Simulator, task: Task, draft: Draft, public: JsonDict, answer: str) -> Oracle:
    """A short trajectory after which only ``answer`` is possible, proved in the environment.

    First the goals that the true places of ``draft.targets`` suggest are tried, the nearest
    first; then the way of the perfect agent, which goes from one goal to the next. Leaves the
    world as it was. Raises ``PlacementRejected`` when nothing works within
    ``MAX_ORACLE_ACTIONS``.
    """
    snapshot = sim.geometry()
    points = [snapshot.centers()[snapshot.index(name)] for name in draft.targets]
    start = Viewpoint(draft.camera)
    passed = [snapshot.index(name) for name in draft.hide]
    candidates = [
        (route, goal.then)
        for goal in task.goals(draft.camera, points, public)
        if (route := free_route(snapshot.scene, start, goal, passed=passed)) is not None
        and 0 < len(route) + len(goal.then) <= MAX_ORACLE_ACTIONS
    ]
    scout = draft.core(sim)
    first = scout.observe(rgb=False).record
    token = sim.save()
    try:
        for route, then in sorted(candidates, key=lambda plan: len(plan[0]) + len(plan[1])):
            if not then:
                # One look at the end tells whether walking there is worth it.
                end = start
                for name in route:
                    end = end.after(name) or end
                last = scout.peek(end).record
                if _possible(task, [first, last], public, answer) != frozenset({answer}):
                    continue
            steps = (*(action(name) for name in route), *then)
            found = _prove(sim, task, draft, public, answer, steps)
            if then:
                sim.restore(token)
            if found is not None:
                return found
        tour = _tour(sim, task, draft, public, answer)
    finally:
        sim.restore(token)
    if tour is None:
        raise PlacementRejected("no_oracle", candidates=len(candidates))
    return tour


def _prove(
    sim: Simulator,
    task: Task,
    draft: Draft,
    public: JsonDict,
    answer: str,
    steps: Sequence[ActionRecord],
) -> Oracle | None:
    """The trajectory, if all its moves succeed and its last view leaves only the answer."""
    core = draft.core(sim)
    core.observe(rgb=False)
    for step in steps:
        outcome = core.apply(step)
        # A deed that fails may be what tells.
        if not outcome.ok and ACTIONS[step.name].kind != "manipulate":
            return None
        core.observe(rgb=False)
    history = core.history
    if _possible(task, history, public, answer) != frozenset({answer}):
        return None
    # To the end of the route, even where less is proof enough: its last view is for people too.
    possible = along(lambda n: _possible(task, history[:n], public, answer), len(history))
    return Oracle(tuple(steps), tuple(tuple(sorted(kept)) for kept in possible))


def _tour(sim: Simulator, task: Task, draft: Draft, public: JsonDict, answer: str) -> Oracle | None:
    """The way of the perfect agent, if it is short enough."""
    core = draft.core(sim)
    core.observe(rgb=False)
    possible = [_possible(task, core.history, public, answer)]
    steps: list[ActionRecord] = []
    while possible[-1] != frozenset({answer}):
        step = next_action(task, core.history, public)
        if step is None or len(steps) == MAX_ORACLE_ACTIONS:
            return None
        steps.append(step)
        core.apply(step)
        core.observe(rgb=False)
        possible.append(_possible(task, core.history, public, answer))
    return Oracle(tuple(steps), tuple(tuple(sorted(kept)) for kept in possible))


def _possible(
    task: Task, history: Sequence[FrameRecord], public: JsonDict, answer: str
) -> frozenset[str]:
    """What the observer still holds possible, the label always among it."""
    possible = task.still_possible(history, public)
    if answer not in possible:
        # It lost the truth: a fault of the program, not of this draft.
        seen = f"{len(history)} frames: {sorted(possible)}"
        raise RuntimeError(f"observer excludes the label {answer!r} after {seen}")
    return possible


def next_action(
    task: Task, history: Sequence[FrameRecord], public: JsonDict
) -> ActionRecord | None:
    """What to do next to learn more, from the public history alone; ``None`` to give up.

    Goes to the viewpoints that the places still possible suggest, one after the other, and does
    there what is to be done. A goal is dropped when that is through or has failed, or when
    something unseen blocked the way to it; with none left the camera turns on the spot to find
    more.
    """
    camera = history[-1].camera
    blocked_now = {
        frame.action.name
        for frame in history
        if frame.action is not None
        and frame.outcome is not None
        and not frame.outcome.ok
        and frame.camera == camera
    }
    points = task.places(history, public)
    for goal in task.goals(history[0].camera, points, public):
        if _stopped(goal, history):
            continue
        reached = _reached(goal, history)
        if reached is not None:
            deed = _next_deed(goal, history[reached + 1 :])
            if deed is not None:
                return deed
            continue
        for route in itertools.islice(routes(camera, goal), WAYS):
            if route and route[0] not in blocked_now:
                return action(route[0])
    return action("turn_left")


def _reached(goal: Goal, history: Sequence[FrameRecord]) -> int | None:
    """The first frame from which the best route to a goal has no step."""
    for k, frame in enumerate(history):
        if not next(routes(frame.camera, goal)):
            return k
    return None


def _next_deed(goal: Goal, since: Sequence[FrameRecord]) -> ActionRecord | None:
    """What is still to be done at a goal that has been reached; ``None`` once one has failed."""
    left = list(goal.then)
    for frame in since:
        if left and frame.action == left[0]:
            left.pop(0)
            if frame.outcome is not None and not frame.outcome.ok:
                return None
    return left[0] if left else None


def _stopped(goal: Goal, history: Sequence[FrameRecord]) -> bool:
    """Whether a solid stopped the way towards a near goal's target."""
    if goal.kind != "near":
        return False
    for frame in history:
        if (
            frame.action is not None
            and frame.action.name == "move_forward"
            and frame.outcome is not None
            and frame.outcome.reason == "blocked"
        ):
            yaw, _ = camera_angles(frame.camera)
            flat = (goal.target - np.asarray(frame.camera.position))[:2]
            flat = flat / max(float(np.linalg.norm(flat)), 1e-9)
            if float(flat @ [np.cos(yaw), np.sin(yaw)]) > np.cos(2.5 * _TURN):
                return True
    return False
