"""The core of an episode: an agent's camera in a world, its actions, and what it may know.

Generators prove their oracle trajectories with it and evaluation runs agents on it, so both obey
the same rules: the camera is a small sphere that does not pass through solids, objects are named
by handles, and the history is plain data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from esi_fast import geometry as geo
from esi_fast.records import ActionRecord, CameraSpec, FrameRecord, Instance, Outcome
from esi_fast.seeding import rng
from esi_fast.sim.actions import Viewpoint, check_action
from esi_fast.sim.base import Frame, Simulator, Snapshot
from esi_fast.sim.hands import Hands
from esi_fast.sim.lens import pinhole
from esi_fast.sim.looks import Likeness
from esi_fast.sim.masks import class_masks
from esi_fast.types import BoolArray, IntArray

__all__ = [
    "CAMERA_RADIUS",
    "MIN_HANDLE_PIXELS",
    "EpisodeCore",
    "PixelBox",
    "View",
    "core_of",
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

    Nothing here knows the question or the answer: ``answer`` is not an action of the core. Its
    actions change the world; others must not while the core is in use. ``nouns`` are words of the
    question that name an object as well as its handle does, by word: ``{"table": "table_1"}``.
    ``hide`` are ids of objects that are neither drawn nor in the camera's way.
    """

    def __init__(
        self,
        sim: Simulator,
        camera: CameraSpec,
        *,
        nouns: Mapping[str, str] | None = None,
        hide: Sequence[str] = (),
    ) -> None:
        self._sim = sim
        self._hide = tuple(hide)
        self._here = Viewpoint(camera)
        _ = self._here.camera  # a camera with roll is a wrong call now, not at the first turn
        self._take(sim.geometry())
        self._nouns = dict(nouns or {})
        for object_id in (*self._nouns.values(), *self._hide):
            self._snapshot.index(object_id)
        self._hands = Hands(sim, camera)
        self._numbers: Mapping[str, float] = {}
        self._handles = object_handles(self._snapshot, sim.spec().name)
        self._history: list[FrameRecord] = []
        self._last: tuple[ActionRecord, Outcome] | None = None
        self._view: View | None = None

    def _look_around(self) -> None:
        """Notice what has changed in the world."""
        snapshot = self._sim.geometry()
        if snapshot is not self._snapshot:
            self._take(snapshot)

    def _take(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        objects = snapshot.objects
        # What is asked for by what it is has masks by the looks of its parts instead.
        self._likenesses = {k: Likeness(spec) for k, spec in enumerate(objects) if spec.appearance}
        looks = {look for one in self._likenesses.values() for look in one.classes}
        plain = {spec.appearance or spec.category for spec in objects}
        self._classes = tuple(sorted(plain | looks))
        self._class_of = np.array(
            [self._classes.index(spec.appearance or spec.category) for spec in objects] + [-1],
            dtype=np.int64,
        )
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
        """Carry out one action; a failure gives its reason.

        Moves and turns fail with ``blocked`` (a solid is in the way) or ``pitch_limit`` (the camera
        looks straight up or down already). What is done to objects fails, and then nothing has
        changed, with ``unknown_object`` (no such handle or noun), ``unsupported`` (this world
        cannot do it), ``same_object``, ``not_in_view`` (fewer than 32 pixels), ``too_far`` (over
        1.5 m), ``hands_full``, ``fixed``, ``too_heavy``, ``no_room``, ``no_cavity``, ``closed``,
        ``nothing_to_open``, ``already_open``, ``already_shut``, ``already_full``, ``empty`` and
        ``held``. It fails as a matter
        of physics, and the world is as the physics left it, with ``blocked`` (a lid or door came
        only so far), ``fell_off`` and ``does_not_fit``. What was picked up to be put somewhere
        stays in hand where that fails before it is let go. A ``pour`` that succeeds has the reason
        ``spilled`` where over 5 % ran over. ``numbers`` has what was measured.

        Raises ``ValueError`` for an action outside the vocabulary, with wrong arguments, or for
        ``answer``, which ends an episode and changes no world.
        """
        spec = check_action(action)
        if spec.kind == "answer":
            raise ValueError("action: expected an action on the world, got answer")
        self._numbers = {}
        outcome = self._manipulate(action) if spec.kind == "manipulate" else self._go(action)
        self._last = (action, outcome)
        self._view = None
        return outcome

    def _go(self, action: ActionRecord) -> Outcome:
        there = self._here.after(action.name)
        if there is None:
            return Outcome(ok=False, reason="pitch_limit")
        start, end = self._here.camera.position, there.camera.position
        passed = [self._snapshot.index(name) for name in (*self._hands.held, *self._hide)]
        if (
            start != end
            and not sweep_is_free(self._snapshot.scene, [start], [end], ignore=passed)[0]
        ):
            return Outcome(ok=False, reason="blocked")
        self._here = there
        if self._hands.follow(there.camera):
            self._look_around()
        return Outcome(ok=True)

    def _manipulate(self, action: ActionRecord) -> Outcome:
        named = {**self._nouns, **self.handles}
        if any(arg not in named for arg in action.args):
            return Outcome(ok=False, reason="unknown_object")
        deed = self._hands.do(action.name, [named[arg] for arg in action.args], self._is_seen)
        self._numbers = deed.numbers
        self._look_around()
        return Outcome(ok=deed.reason == "", reason=deed.reason or deed.remark)

    def _is_seen(self, object_id: str) -> bool:
        """Whether enough pixels of an object itself are in the view of now."""
        ids = self.peek(self._here).frame.ids
        k = self._snapshot.index(object_id)
        return ids is not None and int(np.count_nonzero(ids == k)) >= MIN_HANDLE_PIXELS

    @property
    def held(self) -> tuple[str, ...]:
        """Ids of what is held, with what is in it. For the simulator's side only."""
        return self._hands.held

    @property
    def numbers(self) -> Mapping[str, float]:
        """What was measured in the last action on objects. For the simulator's side only."""
        return dict(self._numbers)

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

        For the search of oracle trajectories. Agents never get it. What is held stays where it is.
        """
        # A failed action shows the same picture: nothing moved.
        if self._looked is not None:
            where, view = self._looked
            if where == viewpoint and (view.frame.rgb is not None or not rgb):
                return view
        modalities = ("rgb", "ids", "seen_ids") if rgb else ("ids", "seen_ids")
        camera = viewpoint.camera
        frame = self._sim.render([camera], modalities, hide=self._hide)[0]
        if frame.ids is None or frame.seen_ids is None:
            raise RuntimeError(f"backend {self._sim.name!r} rendered no ids")
        # Index -1, where nothing is seen, falls on the last entry, which is no class.
        classes = self._class_of[frame.seen_ids]
        for k, likeness in self._likenesses.items():
            self._tell_parts(camera, frame.seen_ids == k, likeness, classes)
        masks = class_masks(classes, self._classes)
        handles = self._visible_handles(frame.ids.astype(np.int64))
        record = FrameRecord(
            camera=camera, masks=masks, handles={name: tuple(box) for name, box in handles.items()}
        )
        view = View(frame, record, handles)
        self._looked = (viewpoint, view)
        return view

    def _tell_parts(
        self, camera: CameraSpec, inside: BoolArray, likeness: Likeness, classes: IntArray
    ) -> None:
        """Writes the looks of an object's parts into the pixels that show it."""
        rows, columns = np.nonzero(inside)
        if not len(rows):
            return
        lens = pinhole(camera)
        part = likeness.parts(*lens.rays(np.column_stack((columns + 0.5, rows + 0.5))))
        look = np.array([self._classes.index(name) for name in likeness.classes])
        # What a mirror or a glass shows is off the straight ray: the object, of whatever look.
        straight = part >= 0
        classes[rows[straight], columns[straight]] = look[part[straight]]

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


def core_of(sim: Simulator, instance: Instance) -> EpisodeCore:
    """An episode of an instance from its start, in ``sim``, which holds its scene."""
    return EpisodeCore(sim, instance.initial_camera, nouns=instance.nouns, hide=instance.hide)


def object_handles(snapshot: Snapshot, scene: str) -> dict[str, str]:
    """Handle by id of the question objects, such as ``object_37``.

    The numbers are drawn from the scene's name, so they are the same in every episode and tell
    neither category nor order nor, up to 99 objects, how many there are.
    """
    # Water is named by its vessel.
    ids = sorted(
        spec.id for spec in snapshot.objects if spec.role == "question" and spec.category != "water"
    )
    numbers = rng("handles", scene).permutation(max(_HANDLE_NUMBERS, len(ids))) + 1
    return {object_id: f"object_{number}" for object_id, number in zip(ids, numbers, strict=False)}


def sweep_is_free(
    scene: geo.Scene,
    starts: ArrayLike,
    ends: ArrayLike,
    *,
    radius: float = CAMERA_RADIUS,
    ignore: Sequence[int] = (),
) -> list[bool]:
    """Whether a sphere of ``radius`` metres gets from each start to its end, both (N, 3).

    Objects with the kernel ids ``ignore`` are not in the way.
    """
    skip = np.asarray(ignore, dtype=np.int64) if ignore else None
    sweep = geo.distance.sweep_sphere(scene, starts, ends, radius, ignore=skip)
    return [not blocked for blocked in sweep.blocked.tolist()]
