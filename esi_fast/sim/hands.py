"""What an agent does to things: pick up, put, fill, pour, open, close, and why it fails.

One thing is held at a time, with all that is in it, in front of the camera. While it is held it
touches nothing (state ``held``). What an action does to the world is left to the simulator; a
physical failure leaves the world as the physics left it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.records import CameraSpec, ObjectSpec
from esi_fast.sim.actions import camera_angles
from esi_fast.sim.base import Capability, Contents, Simulator, Snapshot
from esi_fast.sim.placing import (
    OPEN_ENOUGH,
    Placed,
    contents_of,
    move_together,
    place_inside,
    place_on,
    upright_yaw,
)
from esi_fast.types import FloatArray

__all__ = ["LIFT_LIMIT", "NEEDS", "REACH", "SPILL_NOTICED", "Deed", "Hands"]

REACH = 1.5
"""Metres from the camera to the nearest point of a thing's box that can be handled."""
LIFT_LIMIT = 10.0
"""Kilograms that can be picked up, contents included: what a person lifts with stretched arms."""
SPILL_NOTICED = 0.05
"""The part of the water poured that must run over for anybody to notice (TASKS, liquid_volume)."""
_SETTLE = 3.0  # seconds for what lost its support

NEEDS: dict[str, Capability] = {
    "pick_up": Capability.RIGID,
    "put_on": Capability.RIGID,
    "put_inside": Capability.RIGID,
    "fill_with_water": Capability.LIQUID,
    "pour": Capability.LIQUID,
    "open": Capability.ARTICULATION,
    "close": Capability.ARTICULATION,
}
"""What a backend must be able to do for each action; without it the reason is ``unsupported``."""


class Deed(NamedTuple):
    """What came of an action: an empty reason means that it was done; ``numbers`` say how.

    ``remark`` is what anybody would notice beside, where it was done.
    """

    reason: str = ""
    numbers: Mapping[str, float] = MappingProxyType({})
    remark: str = ""


class Hands:
    """The hands of an agent whose camera is at ``camera``. They are empty at first."""

    def __init__(self, sim: Simulator, camera: CameraSpec) -> None:
        self._sim = sim
        self._camera = camera
        self._held: tuple[str, ...] = ()
        self._turned = 0.0  # of the held thing, from the camera's heading
        self._cloth = False  # whether it was spread out
        self._deeds: dict[str, Callable[..., Deed]] = {
            "pick_up": self._pick_up,
            "put_on": self._put_on,
            "put_inside": self._put_inside,
            "fill_with_water": self._fill,
            "pour": self._pour,
            "open": lambda x: self._drive(x, 1.0),
            "close": lambda x: self._drive(x, 0.0),
        }

    @property
    def held(self) -> tuple[str, ...]:
        """Ids of the thing in hand and of what is in it; empty when nothing is."""
        return self._held

    def follow(self, camera: CameraSpec) -> bool:
        """The camera is there now, and what is held comes along; whether anything moved."""
        self._camera = camera
        if not self._held:
            return False
        self._carry()
        return True

    def do(self, name: str, objects: Sequence[str], seen: Callable[[str], bool]) -> Deed:
        """Do ``name`` with object ids; ``seen`` says whether one is well in view.

        Reasons beside those of each action: ``unsupported``, ``same_object``, ``not_in_view``,
        ``too_far`` (with the distance).
        """
        if NEEDS[name] not in self._sim.capabilities:
            return Deed("unsupported")
        if len(set(objects)) < len(objects):
            return Deed("same_object")
        snapshot = self._sim.geometry()
        for thing in objects:
            if thing in self._held:
                continue
            if not seen(thing):
                return Deed("not_in_view")
            distance = self._distance(snapshot, thing)
            if distance > REACH:
                return Deed("too_far", {"distance": distance})
        return self._deeds[name](*objects)

    def _distance(self, snapshot: Snapshot, thing: str) -> float:
        low, high = snapshot.boxes[snapshot.index(thing)]
        here = np.asarray(self._camera.position)
        return float(np.linalg.norm(np.maximum(np.maximum(low - here, here - high), 0.0)))

    # -- picking up and putting down -------------------------------------------------------

    def _pick_up(self, thing: str) -> Deed:
        """``hands_full``, ``fixed``, ``too_heavy`` (with the mass)."""
        if self._held:
            return Deed("hands_full")
        snapshot = self._sim.geometry()
        spec = _spec(snapshot, thing)
        if spec.fixed:
            return Deed("fixed")
        together = (thing, *contents_of(snapshot, thing))
        mass = sum(_mass(_spec(snapshot, name)) for name in together)
        if mass > LIFT_LIMIT:
            return Deed("too_heavy", {"mass": mass})
        self._held = together
        self._cloth = spec.state.get("spread", 0.0) > 0.0
        if self._cloth:
            # Gathered up: what it lay on is bare again.
            self._sim.set_state(thing, "spread", 0.0)
        self._turned = upright_yaw(spec.orientation) - camera_angles(self._camera)[0]
        for name in together:
            self._sim.set_state(name, "held", 1.0)
        self._carry()
        # What stood on it or leant on it has lost its hold.
        self._sim.settle(max_time=_SETTLE)
        return Deed("", {"mass": mass})

    def _carry(self) -> None:
        """Hold the thing upright in the lower middle of the picture, as large as it may be."""
        snapshot = self._sim.geometry()
        spec = _spec(snapshot, self._held[0])
        radius = float(np.linalg.norm(_size(spec))) / 2
        turn = geo.transforms.quat_to_matrix(np.asarray(self._camera.orientation))
        ahead = max(0.4, 2.2 * radius)
        lower = 0.55 * ahead * math.tan(math.radians(self._camera.vfov_deg) / 2)
        at = np.asarray(self._camera.position) - ahead * turn[:, 2] - lower * turn[:, 1]
        yaw = camera_angles(self._camera)[0] + self._turned
        facing = np.array([0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)])
        move_together(self._sim, self._held, at, facing)

    def _take(self, thing: str) -> Deed:
        """Have a thing in hand, picking it up where needed."""
        if self._held and self._held[0] != thing:
            return Deed("hands_full")
        return Deed() if self._held else self._pick_up(thing)

    def _put_on(self, thing: str, target: str) -> Deed:
        """Reasons of picking up and of ``place_on``."""
        return self._put(thing, target, place_on)

    def _put_inside(self, thing: str, target: str) -> Deed:
        """Reasons of picking up and of ``place_inside``."""
        return self._put(thing, target, place_inside)

    def _put(self, thing: str, target: str, place: Callable[[Simulator, str, str], Placed]) -> Deed:
        taken = self._take(thing)
        if taken.reason:
            return taken
        if target in self._held:
            return Deed("same_object")
        if self._cloth and place is place_on:
            self._sim.set_state(thing, "spread", 1.0)
        placed = place(self._sim, thing, target)
        state = _spec(self._sim.geometry(), thing).state
        if not state.get("held", 0.0) > 0.0:
            self._held = ()
        return Deed(placed.reason, placed.numbers)

    # -- water ------------------------------------------------------------------------------

    def _fill(self, thing: str) -> Deed:
        """``closed``, ``no_cavity`` (it holds nothing, or not as it stands), ``already_full``."""
        if self._shut(thing):
            return Deed("closed")
        contents = self._contents(thing)
        if contents is None or not contents.holds > 0.0:
            return Deed("no_cavity")
        if contents.volume >= 0.999 * contents.holds:
            return Deed("already_full", {"volume": contents.volume})
        self._sim.set_state(thing, "fill", min(1.0, contents.holds / contents.capacity))
        return Deed("", {"volume": contents.holds})

    def _shut(self, thing: str) -> bool:
        spec = _spec(self._sim.geometry(), thing)
        hinged = bool(assets.get(spec.category, spec.model).hinges)
        return hinged and spec.state.get("open", 0.0) < OPEN_ENOUGH

    def _contents(self, thing: str) -> Contents | None:
        """What is in a vessel; ``None`` for what is none, which is how the simulator says it."""
        try:
            return self._sim.contents(thing)
        except ValueError:
            return None

    def _pour(self, thing: str, target: str | None = None) -> Deed:
        """``closed`` (one of them), ``no_cavity`` (one is no vessel), ``empty``, and those of
        picking up; ``fell_off`` where something solid did not get into the target.

        Water runs into the target, or away, and ``spilled`` is the remark where more than
        ``SPILL_NOTICED`` of it ran over; things that are in the vessel fall out, into the
        target as ``place_inside`` has it, or before the camera. The numbers are cubic metres.
        """
        if self._shut(thing) or (target is not None and self._shut(target)):
            return Deed("closed")
        snapshot = self._sim.geometry()
        contents = self._contents(thing)
        solids = contents_of(snapshot, thing)
        water = contents is not None and contents.volume > 0.0
        if contents is None and not solids:
            return Deed("no_cavity")
        if not water and not solids:
            return Deed("empty")
        if water and target is not None and self._contents(target) is None:
            return Deed("no_cavity")
        taken = self._take(thing)
        if taken.reason:
            return taken
        if target in self._held:
            return Deed("same_object")
        numbers: dict[str, float] = {}
        remark = ""
        if water:
            report = self._sim.pour(thing, target)
            numbers = {"left": report.left, "target": report.target, "spilled": report.spilled}
            poured = report.target + report.spilled
            if target is not None and report.spilled > SPILL_NOTICED * poured:
                remark = "spilled"
        tipped = self._tip_out(target, numbers)
        return tipped if tipped.reason else tipped._replace(remark=remark)

    def _tip_out(self, target: str | None, numbers: dict[str, float]) -> Deed:
        """Let go of the things in the vessel in hand."""
        thing, *solids = self._held
        self._held = (thing,)
        for solid in solids:
            if target is not None:
                placed = place_inside(self._sim, solid, target)
                if not placed.ok:
                    numbers["outside"] = numbers.get("outside", 0.0) + 1.0
            if _spec(self._sim.geometry(), solid).state.get("held", 0.0) > 0.0:
                # It was not let go into the target: it falls where it is.
                self._sim.set_state(solid, "held", 0.0)
        self._sim.settle(max_time=_SETTLE)
        return Deed("fell_off" if numbers.get("outside") else "", numbers)

    # -- lids and doors ---------------------------------------------------------------------

    def _drive(self, thing: str, aim: float) -> Deed:
        """``nothing_to_open``, ``already_open``, ``already_shut``, ``held``, ``blocked`` (with the
        opening and the angle reached)."""
        spec = _spec(self._sim.geometry(), thing)
        if not ("hinge" in spec.state or assets.get(spec.category, spec.model).hinges):
            return Deed("nothing_to_open")
        if thing in self._held:
            return Deed("held")
        if spec.state.get("open", 0.0) == aim:
            return Deed("already_open" if aim else "already_shut")
        report = self._sim.drive(thing, "open", aim)
        self._sim.settle(max_time=_SETTLE)
        numbers = {"opened": report.opened, "angle_deg": report.angle_deg}
        return Deed("" if report.ok else "blocked", numbers)


def _spec(snapshot: Snapshot, name: str) -> ObjectSpec:
    return snapshot.objects[snapshot.index(name)]


def _size(spec: ObjectSpec) -> FloatArray:
    return np.asarray(assets.get(spec.category, spec.model).size) * spec.scale


def _mass(spec: ObjectSpec) -> float:
    plain = assets.get(spec.category, spec.model).mass * float(np.prod(spec.scale))
    return spec.state.get("mass", plain)
