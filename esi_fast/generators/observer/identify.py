"""I: which of a few known models can be what the masks of one object show.

The object stands upright on the floor at an unknown place, yaw and scale. Its masks do not name
its category but the looks of its parts (``sim/looks.py``). A candidate is possible when it
explains every frame from one and the same pose. Two things are compared:

* outlines: ``localise`` (L) encloses all poses from which the candidate's outline is what the
  frames show; a candidate without any is out;
* looks: from the poses left, what the candidate would show where. Pictures are compared after
  stretching the predicted outline to the seen one, which takes out most of what is unknown of
  place and scale. The poses are taken in groups. Within a group no point of the candidate moves by
  more than ``m`` pixels, so a look that fills a disc of radius ``2 m`` in the picture from the
  middle of the group is seen from all its poses within ``m`` of the disc's centre; if the frame
  shows that look nowhere near, the whole group is out. The same holds with frame and prediction
  exchanged. A group that stays is halved.

When in doubt a candidate stays: whatever may hide (any mask but the floor's) speaks for nothing,
and a candidate is only out once every group of its poses is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.spatial import ConvexHull

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.generators.observer.localise import (
    TOLERANCE_PX,
    Shape,
    localise,
    make_shape,
)
from esi_fast.generators.observer.outlines import BACKGROUND, Extent, extents
from esi_fast.records import CameraSpec, FrameRecord, ObjectSpec
from esi_fast.sim.looks import SEPARATOR, Likeness
from esi_fast.sim.masks import decode_mask, encode_mask
from esi_fast.types import BoolArray, FloatArray, IntArray

__all__ = ["Candidate", "Difference", "Fit", "candidate_of", "differing", "fit"]

# Two masks within TOLERANCE_PX of each other, each up to a pixel off the exact outline.
EDGE_PX = TOLERANCE_PX + 1.0
# Frames that are looked at: those from the most different places.
MAX_FRAMES = 6
# A frame is of use when it shows this many pixels of the object.
MIN_PIXELS = 64
# Half size in metres of the cells of poses.
RESOLUTION = 0.003
# Samples along the longer side of the window in which looks are compared.
SAMPLES = 56
# One stray sample on the seam of two parts tells nothing.
MIN_SAMPLES = 4
# Groups of poses that are looked at before a candidate is kept unseen, and the motion in pixels
# within a group that is no longer halved.
MAX_GROUPS = 400
FINE_PX = 5.0
# Points of a box move at most as far as its corners do, but for perspective within the box.
PERSPECTIVE = 1.25

_NOTHING, _HIDDEN, _ANY = -1, -2, -3
# Closer to the eye than this nothing is compared, metres.
_NEAR = 0.05


@dataclass(frozen=True, eq=False)
class Candidate:
    """A model as it would stand at the origin with scale 1: ``spec`` has its stretch and coat."""

    spec: ObjectSpec
    likeness: Likeness
    shape: Shape

    @property
    def half_height(self) -> float:
        """Height of the middle above the floor at scale 1, metres."""
        return self.shape.half_height

    @property
    def radius(self) -> float:
        """Of a sphere around the middle that holds all at scale 1, metres."""
        return self.shape.radius

    @cached_property
    def corners(self) -> FloatArray:
        """Corners (8, 3) of the box in the model's frame, metres."""
        half = np.asarray(assets.get(self.spec.category, self.spec.model).size) / 2
        signs = np.stack(np.meshgrid(*[(-1.0, 1.0)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
        return np.asarray(signs * half * np.asarray(self.spec.scale))

    def parts(
        self, camera: geo.Camera, pixels: FloatArray, xy: FloatArray, yaw: float, scale: float
    ) -> IntArray:
        """The part seen at each pixel (N, 2) when it stands at ``xy``, turned and scaled."""
        origins, directions = camera.rays(pixels)
        c, s = np.cos(yaw), np.sin(yaw)
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        origin = np.array([xy[0], xy[1], self.half_height * scale])
        return self.likeness.parts((origins - origin) @ turn / scale, directions @ turn)


@lru_cache(maxsize=64)
def candidate_of(text: str) -> Candidate:
    """The candidate of an ``ObjectSpec`` in JSON; its position and orientation do not matter.

    Raises ``pydantic.ValidationError`` for anything else.
    """
    spec = ObjectSpec.model_validate_json(text).model_copy(
        update={"position": (0.0, 0.0, 0.0), "orientation": (0.0, 0.0, 0.0, 1.0)}
    )
    parts = assets.get(spec.category, spec.model).parts
    points = np.concatenate([np.asarray(part.vertices, dtype=float) for part in parts])
    points = points * np.asarray(spec.scale)
    hull = points[ConvexHull(points).vertices]
    # All corners: thinning blurs the outline of a box by a centimetre, and poses with it.
    return Candidate(spec, Likeness(spec), replace(make_shape(points), hull=hull, slack=0.0))


@dataclass(frozen=True, eq=False)
class _Sight:
    """One frame that shows the object: its outline, and per pixel of a window the look.

    ``looks`` (H, W) of the whole picture are indices into ``names``, or what hides or may be any.
    """

    extent: Extent
    camera: geo.Camera
    box: tuple[int, int, int, int]
    looks: NDArray[np.int8]
    names: tuple[str, ...]


def _sights(history: Sequence[FrameRecord], appearance: str) -> list[_Sight]:
    """The frames that tell most: from places far from each other, the first among them."""
    seen: dict[CameraSpec, _Sight] = {}
    for frame in history:
        if frame.camera not in seen:
            sight = _sight(frame.camera, tuple(sorted(frame.masks.items())), appearance)
            if sight is not None:
                seen[frame.camera] = sight
    left = list(seen.values())
    chosen = left[:1]
    # The newest one is what the last action was for.
    if len(left) > 1:
        chosen.append(left[-1])
    while len(chosen) < min(MAX_FRAMES, len(left)):
        rest = [sight for sight in left if sight not in chosen]

        def apart(sight: _Sight) -> float:
            return min(
                float(np.linalg.norm(sight.camera.position - other.camera.position))
                for other in chosen
            )

        chosen.append(max(rest, key=apart))
    return chosen


@lru_cache(maxsize=128)
def _sight(
    spec: CameraSpec, masks: tuple[tuple[str, tuple[int, ...]], ...], appearance: str
) -> _Sight | None:
    shape = (spec.height, spec.width)
    looks = np.full(shape, _HIDDEN, dtype=np.int8)
    names: list[str] = []
    behind = {}
    for name, runs in masks:
        if name in BACKGROUND:
            looks[decode_mask(runs, shape)] = _NOTHING
            behind[name] = runs
        elif name == appearance:
            looks[decode_mask(runs, shape)] = _ANY
        elif name.startswith(appearance + SEPARATOR):
            looks[decode_mask(runs, shape)] = len(names)
            names.append(name)
    mine = (looks >= 0) | (looks == _ANY)
    if int(mine.sum()) < MIN_PIXELS:
        return None
    whole = FrameRecord(camera=spec, masks={appearance: encode_mask(mine), **behind})
    parts = extents(whole, appearance)
    if not parts:
        return None
    rows, columns = np.flatnonzero(mine.any(axis=1)), np.flatnonzero(mine.any(axis=0))
    box = (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
    return _Sight(parts[0], parts[0].outline.camera, box, looks, tuple(names))


class Fit(NamedTuple):
    """A pose from which a candidate may be what all frames show: (2,) metres, radians, scale."""

    xy: FloatArray
    yaw: float
    scale: float


def fit(
    history: Sequence[FrameRecord],
    candidate: Candidate,
    *,
    lower: Sequence[float],
    upper: Sequence[float],
) -> Fit | None:
    """A pose that the frames leave open to the candidate; ``None`` when none is left.

    ``lower`` and ``upper`` (2,) bound the floor on which it stands, in metres; the pose of a
    candidate of which nothing has been seen is the middle of the floor.
    """
    sights = _sights(history, candidate.spec.appearance)
    return _fit(tuple(sights), candidate, tuple(lower), tuple(upper))


@lru_cache(maxsize=1024)
def _fit(
    sights: tuple[_Sight, ...],
    candidate: Candidate,
    lower: tuple[float, ...],
    upper: tuple[float, ...],
) -> Fit | None:
    if not sights:
        return Fit((np.asarray(lower) + upper) / 2, 0.0, 1.0)
    cells = localise(
        [sight.extent for sight in sights],
        [candidate.shape],
        lower=lower,
        upper=upper,
        # One view leaves distance and scale open: fine cells would be too many.
        resolution=RESOLUTION if len(sights) > 1 else 2 * RESOLUTION,
        tolerance_px=EDGE_PX,
    )
    if not len(cells):
        return None
    state = np.column_stack((cells.xy, cells.yaw, cells.scale))
    half = (cells.half, cells.half, cells.half_yaw, cells.half_scale)
    # The frame that spoke last against a group is asked first about the next.
    order = [_Prediction(sight, candidate, state, half) for sight in sights]
    groups = [np.arange(len(state))]
    looked_at = 0
    while groups:
        group = groups.pop()
        unwound, middle = _middle(state, group)
        looked_at += 1
        if looked_at <= MAX_GROUPS:
            against = next((p for p in order if p.contradicts(group, middle)), None)
            if against is not None:
                order.remove(against)
                order.insert(0, against)
                continue
            if len(group) > 1 and max(p.motion(group, middle) for p in order) > FINE_PX:
                groups.extend(group[part] for part in _halves(unwound, candidate))
                continue
        x, y, yaw, scale = state[middle].tolist()
        return Fit(np.array([x, y]), yaw, scale)
    return None


def _middle(state: FloatArray, group: IntArray) -> tuple[FloatArray, int]:
    """The poses (n, 4) of a group with yaws that do not jump, and which is nearest the middle."""
    unwound = state[group]
    turn = unwound[:, 2] - unwound[0, 2]
    unwound[:, 2] = unwound[0, 2] + (turn + np.pi) % (2 * np.pi) - np.pi
    center = (unwound.min(axis=0) + unwound.max(axis=0)) / 2
    spread = np.maximum(np.ptp(unwound, axis=0), 1e-9)
    nearest = np.argmin((((unwound - center) / spread) ** 2).sum(axis=1))
    return unwound, int(group[nearest])


def _halves(unwound: FloatArray, candidate: Candidate) -> list[IntArray]:
    """The two halves of a group, cut where its poses differ most in metres."""
    reach = np.ptp(unwound, axis=0) * [1.0, 1.0, candidate.radius, candidate.radius]
    order = np.argsort(unwound[:, int(np.argmax(reach))], kind="stable")
    return np.array_split(order, 2)


class _Prediction:
    """What a candidate would show in one frame from each of the poses ``state`` (N, 4).

    Pixels are *placed*: stretched and moved as the outline at that pose to the one that was seen,
    where that is free on all sides.
    """

    def __init__(
        self,
        sight: _Sight,
        candidate: Candidate,
        state: FloatArray,
        half: tuple[float, float, float, float],
    ) -> None:
        self._sight, self._candidate, self._state, self._half = sight, candidate, state, half
        self._seen = (np.array(sight.box[:2], float), np.array(sight.box[2:], float))
        self._corners, self._rects, self._near = self._place(state)
        self._known: dict[int, float] = {}

    def _place(self, state: FloatArray) -> tuple[FloatArray, FloatArray, bool]:
        """Placed box corners (n, 8, 2), outlines (n, 2, 2) as low and high, and if too near."""
        camera = self._sight.camera
        corners, depth = _pixels(self._candidate, self._candidate.corners, camera, state)
        near = bool(depth.min() < _NEAR)
        if self._sight.extent.free_edges == 4:
            hull, _ = _pixels(self._candidate, self._candidate.shape.hull, camera, state)
            rects = np.stack((hull.min(axis=1), hull.max(axis=1)), axis=1)
            low, high = self._seen
            share = (corners - rects[:, None, 0]) / (rects[:, 1] - rects[:, 0])[:, None]
            corners = low + share * (high - low)
        else:
            rects = np.broadcast_to(np.stack(self._seen), (len(state), 2, 2))
        return corners, rects, near

    def motion(self, group: IntArray, middle: int) -> float:
        """The most, in pixels, that a point is off its place at the middle of a group."""
        if self._near:
            return np.inf
        spread = np.linalg.norm(self._corners[group] - self._corners[middle], axis=-1).max()
        return PERSPECTIVE * (float(spread) + self._inside(middle))

    def _inside(self, middle: int) -> float:
        """The same within the cell of one pose."""
        if middle not in self._known:
            steps = np.concatenate((np.diag(self._half), -np.diag(self._half)))
            moved, _, _ = self._place(self._state[middle] + steps)
            off = np.linalg.norm(moved - self._corners[middle], axis=-1).max(axis=1)
            self._known[middle] = float(np.maximum(off[:4], off[4:]).sum())
        return self._known[middle]

    def contradicts(self, group: IntArray, middle: int) -> bool:
        """Whether the frame shows what the candidate cannot show from any pose of the group."""
        sight, camera = self._sight, self._sight.camera
        motion = self.motion(group, middle)
        center = self._corners[middle]
        low = np.minimum(center.min(axis=0), self._seen[0])
        high = np.maximum(center.max(axis=0), self._seen[1])
        # Nothing is as large as what would tell.
        if not 4.0 * motion < float((high - low).max()):
            return False
        margin = motion + 2.0 * EDGE_PX
        first = np.maximum(np.floor(low - margin), 0).astype(int)
        last = np.minimum(np.ceil(high + margin), (camera.width, camera.height)).astype(int)
        stride = max(1, int(np.ceil((last - first).max() / SAMPLES)))
        columns = np.arange(first[0] + stride // 2, last[0], stride)
        rows = np.arange(first[1] + stride // 2, last[1], stride)
        if len(columns) < 3 or len(rows) < 3:
            return False
        grid = np.stack(np.meshgrid(columns + 0.5, rows + 0.5), axis=-1).reshape(-1, 2)
        rect, (seen_low, seen_high) = self._rects[middle], self._seen
        grid = rect[0] + (grid - seen_low) / (seen_high - seen_low) * (rect[1] - rect[0])
        x, y, yaw, scale = self._state[middle].tolist()
        part = self._candidate.parts(camera, grid, np.array([x, y]), yaw, scale)
        shown = sight.looks[np.ix_(rows, columns)]
        names = [*sight.names]
        classes = self._candidate.likeness.classes
        names.extend(dict.fromkeys(name for name in classes if name not in names))
        numbers = np.array([names.index(name) for name in classes] + [_NOTHING])
        meant = numbers[part].reshape(shown.shape)
        unsure = (shown == _HIDDEN) | (shown == _ANY)
        reach = (2.0 * EDGE_PX + motion) / stride + 1.0
        disc = (2.0 * EDGE_PX + 2.0 * motion) / stride + 1.0
        for look in range(len(names)):
            here, there = meant == look, shown == look
            if _missing(here, there | unsure, disc, reach) or _missing(there, here, disc, reach):
                return True
        return False


def _pixels(
    candidate: Candidate, points: FloatArray, camera: geo.Camera, state: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Pixels (n, P, 2) and depths (n, P) of points (P, 3) of the model at poses (n, 4)."""
    c, s = np.cos(state[:, 2])[:, None], np.sin(state[:, 2])[:, None]
    x, y, z = points.T
    scale = state[:, 3:4]
    world = np.stack(
        (
            state[:, :1] + scale * (c * x - s * y),
            state[:, 1:2] + scale * (s * x + c * y),
            scale * (z + candidate.half_height),
        ),
        axis=-1,
    )
    local = (world - camera.position) @ camera.pose[:3, :3]
    depth = -local[..., 2]
    safe = np.maximum(depth, 1e-3)
    pixels = np.stack(
        (
            camera.width / 2 + camera.fy * local[..., 0] / safe,
            camera.height / 2 - camera.fy * local[..., 1] / safe,
        ),
        axis=-1,
    )
    return pixels, depth


def _missing(region: BoolArray, found: BoolArray, disc: float, reach: float) -> bool:
    """Whether discs of radius ``disc`` fit into a region, and ``found`` is nowhere near.

    Both lengths in samples; beyond the picture the region goes on.
    """
    if int(region.sum()) < max(MIN_SAMPLES, disc**2):
        return False
    deep = region if region.all() else ndimage.distance_transform_edt(region) > disc
    if not deep.any():
        return False
    if found.any():
        deep = deep & (ndimage.distance_transform_edt(~found) > reach)
    return int(deep.sum()) >= MIN_SAMPLES


class Difference(NamedTuple):
    """How two candidates at one pose differ in a picture.

    ``share`` of the union of their outlines, 0 to 1, shows different looks; ``outline_px`` is the
    largest distance from one outline to the other, in pixels, to one sample.
    """

    share: float
    outline_px: float


def differing(
    one: Candidate, other: Candidate, camera: geo.Camera, pose: Fit, *, samples: int = 40
) -> Difference:
    """How two candidates differ from a camera, by the looks of parts alone, without shading.

    Compared in a grid of ``samples`` along the longer side of what they fill in the picture. Too
    near to see anything they do not differ.
    """
    state = np.array([[*pose.xy, pose.yaw, pose.scale]])
    pixels, depth = _pixels(one, one.corners, camera, state)
    if float(depth.min()) < _NEAR:
        return Difference(0.0, 0.0)
    low, high = pixels[0].min(axis=0), pixels[0].max(axis=0)
    step = float((high - low).max()) / samples
    axes = [np.arange(low[k] - step / 2, high[k] + step, step) for k in (0, 1)]
    grid = np.stack(np.meshgrid(*axes), axis=-1)
    names: list[str] = []
    seen = []
    for candidate in (one, other):
        names.extend(n for n in candidate.likeness.classes if n not in names)
        numbers = np.array([names.index(n) for n in candidate.likeness.classes] + [_NOTHING])
        part = candidate.parts(camera, grid.reshape(-1, 2), *pose)
        seen.append(numbers[part].reshape(grid.shape[:2]))
    a, b = seen[0] >= 0, seen[1] >= 0
    share = float((seen[0] != seen[1]).sum() / max(int((a | b).sum()), 1))
    gap = 0.0
    if a.any() and b.any():
        gap = max(
            float(ndimage.distance_transform_edt(~inside)[outside].max()) * step
            for inside, outside in ((a, b), (b, a))
        )
    return Difference(share, gap)
