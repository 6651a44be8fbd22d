"""The actions of an agent: names, arguments, text form, and how they move the camera.

The vocabulary and the step sizes are the paper's (section on the action space); ``open`` and
``close``, for lids and doors, are ours and marked so. Positions and angles live on a lattice
counted in whole steps from the start, so two action sequences that lead to the same place give
the same camera to the last bit, in whatever order they ran, and errors never add up.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from esi_fast.records import ActionRecord, CameraSpec
from esi_fast.seeding import rng

__all__ = [
    "ACTIONS",
    "MOVE_STEP",
    "PASSIVE_VIEWS",
    "PITCH_LIMIT_DEG",
    "SIMPLE_ACTIONS",
    "TURN_STEP_DEG",
    "ActionSpec",
    "Viewpoint",
    "action",
    "answer_action",
    "camera_angles",
    "camera_orientation",
    "check_action",
    "format_action",
    "move_camera",
    "parse_action",
    "passive_actions",
    "read_answer",
]

MOVE_STEP = 0.25
"""Metres per move."""
TURN_STEP_DEG = 15.0
"""Degrees per turn."""
PITCH_LIMIT_DEG = 90.0
"""The camera looks at most straight up or straight down."""
PASSIVE_VIEWS = 30
"""Views of the passive multi-view paradigm, the initial one included."""

Kind: TypeAlias = Literal["move", "turn", "manipulate", "answer"]


@dataclass(frozen=True)
class ActionSpec:
    """One action of the vocabulary: how many arguments it takes and what they are."""

    name: str
    kind: Kind
    params: tuple[str, ...] = ()
    optional: int = 0
    """How many of the last ``params`` may be left out."""
    ours: bool = False
    """True where the paper does not have it."""

    @property
    def signature(self) -> str:
        """For people and prompts, for example ``pour(x[, y])``."""
        required = self.params[: len(self.params) - self.optional]
        rest = "".join(f"[, {name}]" for name in self.params[len(required) :])
        return f"{self.name}({', '.join(required)}{rest})" if self.params else self.name


ACTIONS: dict[str, ActionSpec] = {
    spec.name: spec
    for spec in (
        ActionSpec("move_forward", "move"),
        ActionSpec("move_backward", "move"),
        ActionSpec("move_left", "move"),
        ActionSpec("move_right", "move"),
        ActionSpec("move_up", "move"),
        ActionSpec("move_down", "move"),
        ActionSpec("turn_left", "turn"),
        ActionSpec("turn_right", "turn"),
        ActionSpec("turn_up", "turn"),
        ActionSpec("turn_down", "turn"),
        ActionSpec("pick_up", "manipulate", ("x",)),
        ActionSpec("put_inside", "manipulate", ("x", "y")),
        ActionSpec("put_on", "manipulate", ("x", "y")),
        ActionSpec("fill_with_water", "manipulate", ("x",)),
        ActionSpec("pour", "manipulate", ("x", "y"), optional=1),
        ActionSpec("open", "manipulate", ("x",), ours=True),
        ActionSpec("close", "manipulate", ("x",), ours=True),
        ActionSpec("answer", "answer", ("y", "c"), optional=1),
    )
}
"""Every action by name, in the order in which people and prompts see them."""

SIMPLE_ACTIONS: tuple[str, ...] = tuple(name for name, spec in ACTIONS.items() if not spec.params)
"""The actions without arguments: moves and turns of the camera."""

_TURNS = round(360.0 / TURN_STEP_DEG)
_QUARTER = _TURNS // 4
_HALF = _TURNS // 2
# A direction is a heading in whole turns; the opposite one is counted with a minus sign.
_MOVE_HEADING = {
    "move_forward": 0,
    "move_left": _QUARTER,
    "move_backward": _HALF,
    "move_right": 3 * _QUARTER,
}
# Plain characters that an argument may hold without quotes in the text form.
_BARE = re.compile(r"[^\s\"(),](?:[^\"(),]*[^\s\"(),])?")
_CALL = re.compile(r"\s*([A-Za-z_]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_ROLL_TOLERANCE = 1e-6


def check_action(record: ActionRecord) -> ActionSpec:
    """The specification of an action; ``ValueError`` for an unknown name or wrong arguments."""
    spec = ACTIONS.get(record.name)
    if spec is None:
        raise ValueError(f"action: expected one of {', '.join(ACTIONS)}, got {record.name!r}")
    low, high = len(spec.params) - spec.optional, len(spec.params)
    if not low <= len(record.args) <= high:
        expected = f"{low}" if low == high else f"{low} to {high}"
        raise ValueError(
            f"action: {spec.signature} takes {expected} arguments, got {len(record.args)}"
        )
    if spec.kind == "answer":
        read_answer(record)
    return spec


def action(name: str, *args: str) -> ActionRecord:
    """A checked action, for example ``action("pick_up", "object_3")``."""
    record = ActionRecord(name=name, args=args)
    check_action(record)
    return record


def answer_action(answer: str, confidence: float | None = None) -> ActionRecord:
    """``answer(y)`` or ``answer(y, c)``; ``ValueError`` for a confidence outside 0 to 1."""
    args = (answer,) if confidence is None else (answer, repr(float(confidence)))
    return action("answer", *args)


def read_answer(record: ActionRecord) -> tuple[str, float | None]:
    """Answer and confidence of an ``answer`` action; ``ValueError`` when it is malformed."""
    if record.name != "answer" or not 1 <= len(record.args) <= 2:
        raise ValueError(f"action: expected answer(y[, c]), got {format_action(record)}")
    if len(record.args) == 1:
        return record.args[0], None
    try:
        confidence = float(record.args[1])
    except ValueError:
        confidence = math.nan
    if not 0.0 <= confidence <= 1.0:
        raise ValueError(f"confidence: expected a number in 0 to 1, got {record.args[1]!r}")
    return record.args[0], confidence


def format_action(record: ActionRecord) -> str:
    """The text form, ``name`` or ``name(x, y)``; arguments with ``,()"`` are quoted as in JSON."""
    if not record.args:
        return record.name
    args = (
        arg if _BARE.fullmatch(arg) else json.dumps(arg, ensure_ascii=False) for arg in record.args
    )
    return f"{record.name}({', '.join(args)})"


def parse_action(text: str) -> ActionRecord:
    """The exact inverse of ``format_action``; case of the name and spaces do not matter.

    Raises ``ValueError`` for anything else: free text of a model is not its business.
    """
    call = _CALL.fullmatch(text)
    if call is None:
        raise ValueError(f"action: expected name or name(x, y), got {text!r}")
    return action(call[1].lower(), *(_split_args(call[2], text) if call[2] else ()))


def _split_args(inner: str, text: str) -> list[str]:
    """Arguments of the text between the brackets; ``text`` is the whole, for the message."""
    args: list[str] = []
    decoder = json.JSONDecoder()
    position = 0
    while True:
        while position < len(inner) and inner[position].isspace():
            position += 1
        if inner[position : position + 1] == '"':
            try:
                value, position = decoder.raw_decode(inner, position)
            except json.JSONDecodeError as error:
                raise ValueError(f"action: quotes do not close in {text!r}") from error
            args.append(str(value))
        else:
            bare = _BARE.match(inner, position)
            if bare is None:
                raise ValueError(f"action: expected an argument in {text!r}")
            args.append(bare[0])
            position = bare.end()
        while position < len(inner) and inner[position].isspace():
            position += 1
        if position == len(inner):
            return args
        if inner[position] != ",":
            raise ValueError(f"action: expected a comma between arguments in {text!r}")
        position += 1


def camera_angles(camera: CameraSpec) -> tuple[float, float]:
    """Heading (radians, 0 along +X, counter-clockwise from above) and pitch of a camera.

    The heading comes from the camera's right-hand side, so it is defined straight up and down
    too. Raises ``ValueError`` for a camera that leans to one side: actions cannot undo a roll.
    """
    x, y, z, w = camera.orientation
    norm = math.sqrt(x * x + y * y + z * z + w * w)
    if not abs(norm - 1.0) < 1e-6:
        raise ValueError(f"camera: expected a unit quaternion, got norm {norm:.6g}")
    right = (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w))
    forward_z = -(1.0 - 2.0 * (x * x + y * y))
    up_z = 2.0 * (y * z + x * w)
    if abs(right[2]) > _ROLL_TOLERANCE or up_z < -_ROLL_TOLERANCE:
        raise ValueError(f"camera: expected no roll, got a right side that rises by {right[2]:.3g}")
    return math.atan2(right[0], -right[1]), math.atan2(forward_z, max(up_z, 0.0))


@dataclass(frozen=True)
class Viewpoint:
    """A camera on the lattice of actions that begins at ``start``.

    Hashable and exact: equal viewpoints have bit-equal cameras, which makes it the key of a
    search. ``along`` counts steps along each of half the headings (the other half are its
    negatives), ``rise`` steps upwards, ``turn`` and ``tilt`` steps to the left and upwards.
    """

    start: CameraSpec
    turn: int = 0
    tilt: int = 0
    rise: int = 0
    along: tuple[int, ...] = (0,) * _HALF

    def after(self, name: str) -> Viewpoint | None:
        """The viewpoint after a move or turn, obstacles ignored; ``None`` past the pitch limit.

        Raises ``ValueError`` for an action that is neither a move nor a turn.
        """
        if name == "turn_left":
            return replace(self, turn=(self.turn + 1) % _TURNS)
        if name == "turn_right":
            return replace(self, turn=(self.turn - 1) % _TURNS)
        if name in ("turn_up", "turn_down"):
            tilted = replace(self, tilt=self.tilt + (1 if name == "turn_up" else -1))
            return tilted if abs(tilted.pitch_deg) <= PITCH_LIMIT_DEG + 1e-9 else None
        if name in ("move_up", "move_down"):
            return replace(self, rise=self.rise + (1 if name == "move_up" else -1))
        if name in _MOVE_HEADING:
            heading = (self.turn + _MOVE_HEADING[name]) % _TURNS
            along = list(self.along)
            along[heading % _HALF] += 1 if heading < _HALF else -1
            return replace(self, along=tuple(along))
        raise ValueError(f"name: expected one of {', '.join(SIMPLE_ACTIONS)}, got {name!r}")

    @property
    def pitch_deg(self) -> float:
        """Pitch in degrees, positive upwards."""
        return math.degrees(camera_angles(self.start)[1]) + self.tilt * TURN_STEP_DEG

    @property
    def camera(self) -> CameraSpec:
        """The camera here; exactly ``start`` where no step remains."""
        heading, pitch = camera_angles(self.start)
        x, y, z = self.start.position
        dx = dy = 0.0
        for k, count in enumerate(self.along):
            if count:
                angle = heading + math.radians(k * TURN_STEP_DEG)
                dx += count * math.cos(angle)
                dy += count * math.sin(angle)
        position = (x + MOVE_STEP * dx, y + MOVE_STEP * dy, z + MOVE_STEP * self.rise)
        if not self.turn and not self.tilt:
            return self.start.model_copy(update={"position": position})
        yaw = heading + math.radians(self.turn * TURN_STEP_DEG)
        orientation = camera_orientation(yaw, pitch + math.radians(self.tilt * TURN_STEP_DEG))
        return self.start.model_copy(update={"position": position, "orientation": orientation})


def camera_orientation(heading: float, pitch: float) -> tuple[float, float, float, float]:
    """Quaternion xyzw of a camera without roll; the inverse of ``camera_angles``, in radians."""
    # About z to the heading (the camera's right is -Y at heading 0), then up from straight down.
    a, b = (heading - math.pi / 2.0) / 2.0, (pitch + math.pi / 2.0) / 2.0
    ca, sa, cb, sb = math.cos(a), math.sin(a), math.cos(b), math.sin(b)
    return (sb * ca, sb * sa, cb * sa, cb * ca)


def move_camera(camera: CameraSpec, actions: Iterable[ActionRecord | str]) -> CameraSpec:
    """The camera after moves and turns with nothing in the way; turns past the limit do nothing."""
    here = Viewpoint(camera)
    for item in actions:
        here = here.after(item if isinstance(item, str) else item.name) or here
    return here.camera


# Mostly forward and sideways, so that a random walk covers ground instead of spinning in place.
_PASSIVE_WEIGHTS = {
    "move_forward": 6,
    "move_backward": 2,
    "move_left": 3,
    "move_right": 3,
    "move_up": 1,
    "move_down": 1,
    "turn_left": 4,
    "turn_right": 4,
    "turn_up": 1,
    "turn_down": 1,
}
_OPPOSITE = {
    first: second
    for pair in (
        ("move_forward", "move_backward"),
        ("move_left", "move_right"),
        ("move_up", "move_down"),
        ("turn_left", "turn_right"),
        ("turn_up", "turn_down"),
    )
    for first, second in (pair, pair[::-1])
}


def passive_actions(seed: int, n: int = PASSIVE_VIEWS - 1) -> tuple[ActionRecord, ...]:
    """``n`` random moves and turns, a function of ``seed`` alone; none undoes the one before.

    With the initial view they give ``n + 1`` views: 30 by default, as in the paper.
    """
    if n < 0:
        raise ValueError(f"n: expected at least 0, got {n}")
    generator = rng("passive_actions", seed)
    sequence: list[ActionRecord] = []
    for _ in range(n):
        undo = _OPPOSITE[sequence[-1].name] if sequence else ""
        names = [name for name in SIMPLE_ACTIONS if name != undo]
        pool = [name for name in names for _ in range(_PASSIVE_WEIGHTS[name])]
        sequence.append(action(pool[int(generator.integers(len(pool)))]))
    return tuple(sequence)
