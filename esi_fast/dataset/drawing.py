"""Small drawings of a row: a plan from above, and a view from the side where things are stacked.

``plan`` and ``side`` turn shapes into SVG texts with a grid, a scale and names, styled by classes
of the page they stand in (``templates/errata.css``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np
from numpy.typing import NDArray

from esi_fast.dataset.findings import Subject
from esi_fast.dataset.relabel import Shape

__all__ = ["drawings", "plan", "shapes_of", "side"]

_WIDTH: Final = 440
_HEIGHT: Final = 320
_MARGIN: Final = 26
# Farther than this from the middle of the rest would make all else a dot.
_LOST_M: Final = 25.0
# A drawing shows at least this much, so that a single thing is not blown up.
_LEAST_M: Final = 0.3
_PATH_POINTS: Final = 240


def shapes_of(subject: Subject) -> tuple[Shape, ...]:
    """What to draw of a row whose verdict brings no drawing: its things and the first camera."""
    shapes: list[Shape] = []
    for thing in subject.things:
        name = thing.category or thing.name
        if thing.box is not None:
            low, high = (tuple(map(float, corner)) for corner in thing.box)
            shapes.append(Shape("box", name, ((*low,), (*high,))))  # type: ignore[arg-type]
        elif thing.position is not None:
            x, y, z = map(float, thing.position)
            shapes.append(Shape("point", name, ((x, y, z),)))
    return tuple(shapes)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Metres to pixels: equal along both axes, the second one upwards."""

    low: NDArray[np.float64]
    scale: float
    offset: tuple[float, float]

    def x(self, value: float) -> float:
        return self.offset[0] + (value - float(self.low[0])) * self.scale

    def y(self, value: float) -> float:
        return _HEIGHT - self.offset[1] - (value - float(self.low[1])) * self.scale


def _flat(shape: Shape, axes: tuple[int, int]) -> NDArray[np.float64]:
    return np.array([[point[axes[0]], point[axes[1]]] for point in shape.points])


def _near(shapes: Sequence[Shape]) -> tuple[list[Shape], list[Shape]]:
    """Shapes that can be drawn together, and those too far off for it."""
    middles = np.array([np.mean(shape.points, axis=0) for shape in shapes])
    center = np.median(middles, axis=0)
    lost = np.linalg.norm(middles - center, axis=1) > _LOST_M
    kept = [shape for shape, far in zip(shapes, lost, strict=True) if not far]
    away = [shape for shape, far in zip(shapes, lost, strict=True) if far]
    return (kept, away) if kept else (list(shapes), [])


def _frame(shapes: Sequence[Shape], axes: tuple[int, int]) -> _Frame:
    # A camera is drawn with a short arrow: how far ahead its second point is does not matter.
    points = np.concatenate(
        [_flat(s, axes)[:1] if s.kind == "camera" else _flat(s, axes) for s in shapes]
    )
    low, high = points.min(axis=0), points.max(axis=0)
    size = np.maximum(high - low, _LEAST_M)
    middle = 0.5 * (low + high)
    size *= 1.12
    low = middle - 0.5 * size
    room = np.array([_WIDTH - 2 * _MARGIN, _HEIGHT - 2 * _MARGIN - 14])
    scale = float((room / size).min())
    offset = (_WIDTH - size[0] * scale) / 2, (_HEIGHT - size[1] * scale) / 2 + 7
    return _Frame(low, scale, (float(offset[0]), float(offset[1])))


def _step(scale: float) -> float:
    """A round distance in metres of 40 pixels or more."""
    least = 40.0 / scale
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if power * factor >= least)


def _metres(value: float) -> str:
    return f"{value:g} m" if value >= 1.0 else f"{100 * value:g} cm"


def _grid(frame: _Frame) -> list[str]:
    step = _step(frame.scale)
    lines = []
    left = float(frame.low[0]) - frame.offset[0] / frame.scale
    bottom = float(frame.low[1]) - frame.offset[1] / frame.scale
    for k in range(math.ceil(left / step), math.floor((left + _WIDTH / frame.scale) / step) + 1):
        at = frame.x(k * step)
        lines.append(f"<line class='grid' x1='{at:.1f}' x2='{at:.1f}' y1='0' y2='{_HEIGHT}'/>")
    top = math.floor((bottom + _HEIGHT / frame.scale) / step)
    for k in range(math.ceil(bottom / step), top + 1):
        at = frame.y(k * step)
        lines.append(f"<line class='grid' x1='0' x2='{_WIDTH}' y1='{at:.1f}' y2='{at:.1f}'/>")
    long = step * frame.scale
    y = _HEIGHT - 12
    lines.append(
        f"<path class='scale' d='M12,{y - 4} v4 h{long:.1f} v-4'/>"
        f"<text class='small' x='{16 + long:.1f}' y='{y + 1}'>{_metres(step)}</text>"
    )
    return lines


@dataclass(frozen=True, slots=True)
class _Label:
    """A name, and the rectangle in pixels of what it names."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    small: bool = False

    @property
    def middle(self) -> tuple[float, float]:
        return 0.5 * (self.left + self.right), 0.5 * (self.top + self.bottom)

    @property
    def large(self) -> bool:
        """Whether the name fits inside."""
        return self.right - self.left > 90 and self.bottom - self.top > 34


# Alike names nearer to each other than this are written once, with their number.
_TOGETHER: Final = 34.0


def _together(labels: Sequence[_Label]) -> list[_Label]:
    groups: list[list[_Label]] = []
    for label in labels:
        for group in groups:
            x, y = group[0].middle
            same = group[0].text == label.text
            if same and math.hypot(label.middle[0] - x, label.middle[1] - y) < _TOGETHER:
                group.append(label)
                break
        else:
            groups.append([label])
    return [
        _Label(
            group[0].text + (f" × {len(group)}" if len(group) > 1 else ""),
            min(label.left for label in group),
            min(label.top for label in group),
            max(label.right for label in group),
            max(label.bottom for label in group),
            group[0].small,
        )
        for group in groups
    ]


def _meet(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _first_free(
    spots: Sequence[tuple[float, float]], wide: float, taken: Sequence[tuple[float, ...]]
) -> int:
    """The first place for a name in the picture that covers nothing; the first of all if none."""
    for number, (left, base) in enumerate(spots):
        box = (left, base - 10, left + wide, base + 3)
        inside = box[0] >= 2 and box[2] <= _WIDTH - 2 and box[1] >= 2 and box[3] <= _HEIGHT - 20
        if inside and not any(_meet(box, other) for other in taken):
            return number
    return 0


def _write(labels: Sequence[_Label]) -> list[str]:
    """Names beside what they name, so that none covers another name or a small thing."""
    # Paths may be named anywhere along them, so they come last.
    labels = _together(sorted(labels, key=lambda label: label.small))
    taken = [(n.left, n.top, n.right, n.bottom) for n in labels if not n.large]
    parts = []
    for label in labels:
        text = label.text if len(label.text) <= 28 else label.text[:27] + "…"
        wide = 6.2 * len(text)
        x, y = label.middle
        if label.large:
            spots = [(label.left + 6, label.top + 15 + 13 * k) for k in range(4)]
        else:
            side = [(label.right + 5, y + 4), (label.left - 5 - wide, y + 4)]
            over = [(x - wide / 2, label.top - 6), (x - wide / 2, label.bottom + 14)]
            rows = [dy for k in range(1, 8) for dy in (-14.0 * k, 14.0 * k)]
            spots = side + over + [(label.right + 14, y + 4 + dy) for dy in rows]
            spots += [(label.left - 14 - wide, y + 4 + dy) for dy in rows]
        number = _first_free(spots, wide, taken)
        left, base = spots[number]
        box = (left, base - 10, left + wide, base + 3)
        taken.append(box)
        if not label.large and number >= 4:
            end = left - 2 if left > x else left + wide + 2
            parts.append(
                f"<line class='lead' x1='{x:.1f}' y1='{y:.1f}' x2='{end:.1f}' y2='{base - 4:.1f}'/>"
            )
        parts.append(f"<text x='{left:.1f}' y='{base:.1f}'>{escape(text)}</text>")
    return parts


# Pixels around a point that its mark covers.
_RADIUS: Final = {"point": 5.0, "camera": 12.0, "path": 2.0, "mirror": 4.0}


def _label(shape: Shape, points: NDArray[np.float64], frame: _Frame) -> _Label:
    name = shape.name.replace("_", " ")
    if shape.kind == "box":
        (x0, y0), (x1, y1) = points[0], points[1]
        return _Label(name, frame.x(x0), frame.y(y1), frame.x(x1), frame.y(y0))
    if shape.kind == "path":
        # Half way along its first stretch: its ends are where other things are.
        at = points[: max(2, len(points) // 2)].mean(axis=0)
    else:
        at = points.mean(axis=0) if shape.kind == "mirror" else points[0]
    x, y, around = frame.x(at[0]), frame.y(at[1]), _RADIUS[shape.kind]
    return _Label(name, x - around, y - around, x + around, y + around, shape.kind == "path")


def _tints(shapes: Iterable[Shape]) -> dict[str, str]:
    """A colour for each name, the same in every drawing of a row."""
    names = dict.fromkeys(shape.name for shape in shapes if shape.kind in ("box", "point"))
    return {name: f"tint-{number % 6}" for number, name in enumerate(names)}


def _draw(
    shapes: Sequence[Shape], axes: tuple[int, int], title: str, tints: Mapping[str, str]
) -> str:
    frame = _frame(shapes, axes)
    parts = _grid(frame)
    rank = {"box": 0, "path": 1, "mirror": 2, "camera": 3, "point": 4}
    # Large boxes first, so that what stands in them is on top.
    drawn = sorted(
        shapes, key=lambda s: (rank[s.kind], -float(np.prod(np.ptp(_flat(s, axes), axis=0))))
    )
    labels = []
    for shape in drawn:
        points = _flat(shape, axes)
        tint = tints.get(shape.name, "tint-5")
        parts += _DRAW[shape.kind](points, frame, tint)
        labels.append(_label(shape, points, frame))
    label = f"{title}: " + ", ".join(dict.fromkeys(shape.name for shape in shapes))
    return (
        f"<svg class='plan' viewBox='0 0 {_WIDTH} {_HEIGHT}' role='img' "
        f"aria-label='{escape(label)}'>{''.join(parts)}{''.join(_write(labels))}"
        f"<text class='small' x='{_WIDTH - 8}' y='{_HEIGHT - 11}' text-anchor='end'>{title}</text>"
        "</svg>"
    )


def _box(points: NDArray[np.float64], frame: _Frame, tint: str) -> list[str]:
    (x0, y0), (x1, y1) = points[0], points[1]
    left, top = frame.x(x0), frame.y(y1)
    wide, high = max(frame.x(x1) - left, 1.5), max(frame.y(y0) - top, 1.5)
    return [
        f"<rect class='box {tint}' x='{left:.1f}' y='{top:.1f}' width='{wide:.1f}' "
        f"height='{high:.1f}' rx='1'/>"
    ]


def _path(points: NDArray[np.float64], frame: _Frame, tint: str) -> list[str]:
    if len(points) > _PATH_POINTS:
        points = points[np.linspace(0, len(points) - 1, _PATH_POINTS).astype(int)]
    line = " ".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in points)
    return [f"<polyline class='path' points='{line}'/>"]


def _mirror(points: NDArray[np.float64], frame: _Frame, tint: str) -> list[str]:
    a = np.array([frame.x(points[0, 0]), frame.y(points[0, 1])])
    b = np.array([frame.x(points[1, 0]), frame.y(points[1, 1])])
    way = b - a
    length = float(np.linalg.norm(way))
    parts = [
        f"<line class='mirror' x1='{a[0]:.1f}' y1='{a[1]:.1f}' x2='{b[0]:.1f}' y2='{b[1]:.1f}'/>"
    ]
    if length > 1.0:
        # Hatching behind the face: the face is to the left of the way, pixels go downwards.
        back = np.array([-way[1], way[0]]) / length
        for share in np.linspace(0.0, 1.0, max(2, int(length / 9))):
            p = a + share * way
            q = p + 7.0 * back - 4.0 * way / length
            parts.append(
                f"<line class='hatch' x1='{p[0]:.1f}' y1='{p[1]:.1f}' x2='{q[0]:.1f}' "
                f"y2='{q[1]:.1f}'/>"
            )
    return parts


def _camera(points: NDArray[np.float64], frame: _Frame, tint: str) -> list[str]:
    eye = np.array([frame.x(points[0, 0]), frame.y(points[0, 1])])
    ahead = np.array([frame.x(points[-1, 0]), frame.y(points[-1, 1])]) - eye
    length = float(np.linalg.norm(ahead))
    if length < 1e-6:
        return [f"<circle class='camera' cx='{eye[0]:.1f}' cy='{eye[1]:.1f}' r='6'/>"]
    ahead /= length
    across = np.array([-ahead[1], ahead[0]])
    a, b = eye + 17 * ahead + 10 * across, eye + 17 * ahead - 10 * across
    return [
        f"<path class='camera' d='M{eye[0]:.1f},{eye[1]:.1f} L{a[0]:.1f},{a[1]:.1f} "
        f"L{b[0]:.1f},{b[1]:.1f} Z'/>"
    ]


def _point(points: NDArray[np.float64], frame: _Frame, tint: str) -> list[str]:
    x, y = frame.x(points[0, 0]), frame.y(points[0, 1])
    return [f"<circle class='dot {tint}' cx='{x:.1f}' cy='{y:.1f}' r='4.5'/>"]


_DRAW: Final = {"box": _box, "path": _path, "mirror": _mirror, "camera": _camera, "point": _point}


def plan(shapes: Sequence[Shape]) -> str:
    """An SVG from above, x to the right and y up; "" for no shapes."""
    drawn = [shape for shape in shapes if shape.points]
    return _draw(drawn, (0, 1), "from above", _tints(shapes)) if drawn else ""


def _solid(shapes: Iterable[Shape]) -> list[Shape]:
    """Boxes with a height: no rooms, which are flat."""
    boxes = [shape for shape in shapes if shape.kind == "box"]
    return [shape for shape in boxes if abs(shape.points[1][2] - shape.points[0][2]) > 1e-4]


def side(shapes: Sequence[Shape]) -> str:
    """An SVG from the side, z up, along the axis that the boxes spread over less."""
    drawn = _solid(shapes)
    if not drawn:
        return ""
    spread = np.ptp(np.concatenate([_flat(shape, (0, 1)) for shape in drawn]), axis=0)
    axis = int(np.argmax(spread))
    return _draw(drawn, (axis, 2), "from the side", _tints(shapes))


def _stacked(shapes: Iterable[Shape]) -> bool:
    """Whether two boxes share space when seen from above."""
    boxes = [np.array(shape.points) for shape in _solid(shapes)]
    for number, a in enumerate(boxes):
        for b in boxes[:number]:
            shared = np.minimum(a[1], b[1])[:2] - np.maximum(a[0], b[0])[:2]
            if shared.min() > 1e-3:
                return True
    return False


def drawings(shapes: Sequence[Shape]) -> str:
    """The plan, beside it the view from the side where boxes lie over each other, and in words
    what is too far off to be drawn.
    """
    shapes = [shape for shape in shapes if shape.points]
    if not shapes:
        return "<p class='soft'>The row records no place of anything.</p>"
    kept, away = _near(shapes)
    parts = [plan(kept)]
    if _stacked(kept):
        parts.append(side(kept))
    words = ""
    for shape in away:
        x, y, z = np.mean(shape.points, axis=0)
        words += f"<li>{escape(shape.name)} at ({x:.1f}, {y:.1f}, {z:.1f}) m</li>"
    if words:
        parts.append(f"<div class='away'>Too far off to be drawn:<ul>{words}</ul></div>")
    return "".join(parts)
