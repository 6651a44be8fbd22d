"""The core of an episode: an agent's camera in a world, its actions, and what it may know.

Generators prove their oracle trajectories with it and evaluation runs agents on it, so both obey
the same rules: the camera is a small sphere that does not pass through solids, objects are named
by handles, and the history is plain data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from esi_fast import geometry as geo
from esi_fast.records import ActionRecord, CameraSpec, FrameRecord, Outcome
from esi_fast.seeding import rng
from esi_fast.sim.actions import Viewpoint, check_action
from esi_fast.sim.base import Frame, Simulator, Snapshot
from esi_fast.sim.masks import class_masks
from esi_fast.types import IntArray

__all__ = [
    "CAMERA_RADIUS",
    "MIN_HANDLE_PIXELS",
    "EpisodeCore",
    "PixelBox",
    "View",
    "object_handles",
    "sweep_is_free",
]

CAMERA_RADIUS = 0.1
"""Radius in metres of the sphere that the camera is to obstacles."""
MIN_HANDLE_PIXELS = 32
"""An object has a handle in a view that shows at least this many of its own pixels."""
_HANDLE_NUMBERS = 99


class PixelBox(NamedTuple):
    """A box in the picture: columns and rows, upper ends exclusive."""

    column0: int
    row0: int
    column1: int
    row1: int


class View(NamedTuple):
    """What one look gives.

    ``frame`` is the picture (with ids, never for agents), ``record`` what an observer may know,
    ``handles`` the names of the objects in direct view with their pixel boxes.
    """

    frame: Frame
    record: FrameRecord
    handles: dict[str, PixelBox]


class EpisodeCore:
    """A camera that acts in the world of ``sim``, starting at ``camera``.

    Nothing here knows the question or the answer: ``answer`` is not an action of the core. The
    world must not be changed by others while the core is in use.
    """

    def __init__(self, sim: Simulator, camera: CameraSpec) -> None:
        self._sim = sim
        self._here = Viewpoint(camera)
        _ = self._here.camera  # a camera with roll is a wrong call now, not at the first turn
        self._snapshot = sim.geometry()
        objects = self._snapshot.objects
        self._classes = tuple(sorted({spec.category for spec in objects}))
        self._class_of = np.array(
            [self._classes.index(spec.category) for spec in objects] + [-1], dtype=np.int64
        )
        self._handles = object_handles(self._snapshot, sim.spec().name)
        self._history: list[FrameRecord] = []
        self._last: tuple[ActionRecord, Outcome] | None = None
        self._view: View | None = None
        self._looked: tuple[Viewpoint, View] | None = None

    @property
    def camera(self) -> CameraSpec:
        """The camera now."""
        return self._here.camera

    @property
    def viewpoint(self) -> Viewpoint:
        """The camera now, as a place on the lattice of actions."""
        return self._here

    @property
    def history(self) -> tuple[FrameRecord, ...]:
        """The observed frames in order, each with the action that led to it."""
        return tuple(self._history)

    @property
    def handles(self) -> Mapping[str, str]:
        """Object id by handle. For the simulator's side only: agents see handles, not ids."""
        return {handle: object_id for object_id, handle in self._handles.items()}

    def apply(self, action: ActionRecord) -> Outcome:
        """Carry out one action; a failure leaves everything as it was and gives its reason.

        Reasons: ``blocked`` (a solid is in the way), ``pitch_limit`` (the camera looks straight
        up or down already), ``unknown_object`` (no such handle), ``unsupported`` (this world
        cannot do it). Raises ``ValueError`` for an action outside the vocabulary, with wrong
        arguments, or for ``answer``, which ends an episode and changes no world.
        """
        spec = check_action(action)
        if spec.kind == "answer":
            raise ValueError("action: expected an action on the world, got answer")
        outcome = self._manipulate(action) if spec.kind == "manipulate" else self._go(action)
        self._last = (action, outcome)
        self._view = None
        return outcome

    def _go(self, action: ActionRecord) -> Outcome:
        there = self._here.after(action.name)
        if there is None:
            return Outcome(ok=False, reason="pitch_limit")
        start, end = self._here.camera.position, there.camera.position
        if start != end and not sweep_is_free(self._snapshot, [start], [end])[0]:
            return Outcome(ok=False, reason="blocked")
        self._here = there
        return Outcome(ok=True)

    def _manipulate(self, action: ActionRecord) -> Outcome:
        if action.args[0] not in self._handles.values():
            return Outcome(ok=False, reason="unknown_object")
        return Outcome(ok=False, reason="unsupported")

    def observe(self, *, rgb: bool = True) -> View:
        """Look. The first look after each action adds its record to the history.

        ``rgb=False`` skips the shading, for searches that only need masks. Looking again gives
        the same view and adds nothing.
        """
        if self._view is not None and (self._view.frame.rgb is not None or not rgb):
            return self._view
        view = self.peek(self._here, rgb=rgb)
        if self._view is None:
            action, outcome = self._last or (None, None)
            record = view.record.model_copy(update={"action": action, "outcome": outcome})
            self._history.append(record)
        else:
            record = self._view.record
        self._view = view._replace(record=record)
        return self._view

    def peek(self, viewpoint: Viewpoint, *, rgb: bool = False) -> View:
        """What the camera would see at ``viewpoint``; the episode does not notice.

        For the search of oracle trajectories. Agents never get it.
        """
        # A failed action shows the same picture: nothing moved.
        if self._looked is not None:
            where, view = self._looked
            if where == viewpoint and (view.frame.rgb is not None or not rgb):
                return view
        modalities = ("rgb", "ids", "seen_ids") if rgb else ("ids", "seen_ids")
        camera = viewpoint.camera
        frame = self._sim.render([camera], modalities)[0]
        if frame.ids is None or frame.seen_ids is None:
            raise RuntimeError(f"backend {self._sim.name!r} rendered no ids")
        # Index -1, where nothing is seen, falls on the last entry, which is no class.
        masks = class_masks(self._class_of[frame.seen_ids], self._classes)
        record = FrameRecord(camera=camera, masks=masks)
        view = View(frame, record, self._visible_handles(frame.ids.astype(np.int64)))
        self._looked = (viewpoint, view)
        return view

    def _visible_handles(self, ids: IntArray) -> dict[str, PixelBox]:
        counts = np.bincount(ids[ids >= 0], minlength=len(self._snapshot.ids))
        boxes: dict[str, PixelBox] = {}
        for object_id, handle in self._handles.items():
            k = self._snapshot.index(object_id)
            if counts[k] >= MIN_HANDLE_PIXELS:
                rows, columns = np.nonzero(ids == k)
                boxes[handle] = PixelBox(
                    int(columns.min()),
                    int(rows.min()),
                    int(columns.max()) + 1,
                    int(rows.max()) + 1,
                )
        return dict(sorted(boxes.items(), key=lambda item: (item[1], item[0])))

    def run(self, actions: Iterable[ActionRecord], *, rgb: bool = True) -> list[View]:
        """The view now and after each action: ``n`` actions give ``n + 1`` views."""
        views = [self.observe(rgb=rgb)]
        for action in actions:
            self.apply(action)
            views.append(self.observe(rgb=rgb))
        return views


def object_handles(snapshot: Snapshot, scene: str) -> dict[str, str]:
    """Handle by id of the question objects, such as ``object_37``.

    The numbers are drawn from the scene's name, so they are the same in every episode and tell
    neither category nor order nor, up to 99 objects, how many there are.
    """
    ids = sorted(spec.id for spec in snapshot.objects if spec.role == "question")
    numbers = rng("handles", scene).permutation(max(_HANDLE_NUMBERS, len(ids))) + 1
    return {object_id: f"object_{number}" for object_id, number in zip(ids, numbers, strict=False)}


def sweep_is_free(
    snapshot: Snapshot,
    starts: ArrayLike,
    ends: ArrayLike,
    *,
    radius: float = CAMERA_RADIUS,
) -> list[bool]:
    """Whether a sphere of ``radius`` metres gets from each start to its end, both (N, 3)."""
    sweep = geo.distance.sweep_sphere(snapshot.scene, starts, ends, radius)
    return [not blocked for blocked in sweep.blocked.tolist()]
