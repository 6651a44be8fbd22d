"""C: how many targets there can be, from the places where one was seen and where none is.

Targets stand on the floor, each at another one of a published list of places. A place is
*cleared* by a frame in which a target there would show itself and does not. Every pixel of the
targets' class, in turn, asks for a target at one of the places that it may show. What follows are
bounds: at least as many targets as it takes to give every such pixel one, at most as many as
there are places not cleared.

A target is known up to its yaw, its scale and where exactly it stands at its place. Two upright
cylinders stand for that: it lies within the outer one, and every line that meets the inner one
(the *core*) meets the target. So pixels are predicted without trying poses:

* through the core, with nothing of the house before the outer cylinder's far side, the target is
  seen, unless something else that is hidden stands before it. Then the pixel does not show what
  the house has there.
* off the outer cylinder, or behind something opaque of the house, it is not seen.

Mask edges are trusted within ``TOLERANCE_PX``: what must be seen is shrunk by that much, what may
be seen and what is seen are grown by it. Through glass and in mirrors nothing is concluded, nor
from what is seen once something has been moved.

References: TASKS, observer kit C; the 32 px are its.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import ndimage

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.generators.observer.localise import SCALE_RANGE, TOLERANCE_PX
from esi_fast.records import CameraSpec, FrameRecord, ObjectSpec
from esi_fast.sim._view import View
from esi_fast.sim.actions import ACTIONS
from esi_fast.sim.lens import pinhole
from esi_fast.sim.masks import decode_mask, label_image
from esi_fast.types import BoolArray, FloatArray, IntArray, JsonDict

__all__ = [
    "MIN_PIXELS",
    "SITE_JITTER",
    "SITE_REACH",
    "Body",
    "House",
    "Sight",
    "Survey",
    "body_of",
    "house_of",
    "sights",
    "survey",
]

# TASKS: a place is cleared when a target there would show at least this many pixels.
MIN_PIXELS = 32
# A target's own centre is at most this far (m) from its place: it is put within ``SITE_JITTER`` and
# may drift by 0.01 while it settles (generators/checks.py, MAX_DRIFT).
SITE_JITTER = 0.005
SITE_REACH = SITE_JITTER + 0.01
# Heights, radii and yaws at which a model is tried for its core, and lines through each point.
_LEVELS, _RINGS, _YAWS, _LINES = 12, 16, 12, 60
# Rounding of distances along rays, metres.
_EPSILON = 1e-4
_DISC = np.hypot(*np.mgrid[-2:3, -2:3]) <= TOLERANCE_PX
_BACKGROUND = frozenset({"floor", "lawn"})


class Body(NamedTuple):
    """What is known of a target at any yaw and scale, about its place: cylinders on the floor.

    ``radius`` and ``height`` enclose it; the core has ``core_radius`` (0 where there is none) and
    reaches from ``core_low`` to ``core_high``. Metres.
    """

    radius: float
    height: float
    core_radius: float
    core_low: float
    core_high: float


@lru_cache(maxsize=512)
def body_of(category: str, model: str) -> Body:
    """The body of a model; raises ``UnknownName`` for a category or model that is not there.

    The core is the largest cylinder of points that belong to the model's visual hull (all lines
    through them meet it) at every yaw and every scale of ``SCALE_RANGE``, as 60 directions tell.
    """
    asset = assets.get(category, model)
    points = np.concatenate([np.asarray(part.vertices, dtype=float) for part in asset.parts])
    base, top = float(points[:, 2].min()), float(points[:, 2].max())
    radius = float(np.hypot(points[:, 0], points[:, 1]).max())
    levels = (np.arange(_LEVELS) + 0.5) / _LEVELS * (top - base)
    rings = np.arange(_RINGS) / _RINGS * radius
    reach = _reach(asset, levels, rings, base)
    # The same at all scales: a point at height h of the scaled model is at h / s of the model.
    heights = levels * SCALE_RANGE[0]
    scales = np.linspace(*SCALE_RANGE, 9)
    scaled = np.array([scale * np.interp(heights / scale, levels, reach) for scale in scales])
    free = np.maximum(scaled.min(axis=0) - SITE_REACH, 0.0)
    best = (0.0, 0.0, 0.0, 0.0)
    for low in range(_LEVELS):
        for high in range(low, _LEVELS):
            r = float(free[low : high + 1].min())
            # What it shows from a steep view: its side and its top.
            worth = 2.0 * r * float(heights[high] - heights[low]) + np.pi * r * r
            if r > 0.0 and worth > best[0]:
                best = (worth, r, float(heights[low]), float(heights[high]))
    return Body(
        radius=radius * SCALE_RANGE[1] + SITE_REACH,
        height=(top - base) * SCALE_RANGE[1] + _EPSILON,
        core_radius=best[1],
        core_low=best[2],
        core_high=best[3],
    )


def _reach(asset: assets.Asset, levels: FloatArray, rings: FloatArray, base: float) -> FloatArray:
    """For each height, the radius up to which all points are in the visual hull at all yaws."""
    scene = geo.Scene()
    for part in asset.parts:
        scene.add_instance(scene.add_mesh(part.vertices, part.faces), object_id=0)
    yaws = np.arange(_YAWS) * 2.0 * np.pi / _YAWS
    level, ring, yaw = np.meshgrid(levels + base, rings, yaws, indexing="ij")
    points = np.stack((ring * np.cos(yaw), ring * np.sin(yaw), level), axis=-1).reshape(-1, 3)
    k = np.arange(_LINES) + 0.5
    up = 1.0 - k / _LINES
    turn = np.pi * (1.0 + 5.0**0.5) * k
    flat = np.sqrt(1.0 - up * up)
    lines = np.column_stack((flat * np.cos(turn), flat * np.sin(turn), up))
    far = 4.0 * float(np.linalg.norm(asset.size))
    hit = np.ones(len(points), dtype=bool)
    for line in lines:
        hit[hit] = geo.raycast.any(scene, points[hit] - far * line, line[None].repeat(hit.sum(), 0))
    held: BoolArray = hit.reshape(len(levels), len(rings), -1).min(axis=2)
    # The first ring that fails ends the core; one ring less, for what lies between the samples.
    count = np.where(held.all(axis=1), len(rings), np.argmin(held, axis=1))
    return np.asarray(rings[np.maximum(count - 1, 0)] * (count > 0))


@dataclass(frozen=True, eq=False)
class House:
    """What the observer knows to stand there: the shell and the furniture.

    ``classes[k]`` is the class of object ``k`` of ``scene``; ``clear[k]`` says that one may see
    something else there: it is glass, a mirror or a door, of which nobody knows how it stands.
    What targets stand on is left out: it hides none of them.
    """

    scene: geo.Scene
    classes: tuple[str, ...]
    clear: BoolArray


def house_of(shell: Sequence[JsonDict]) -> House:
    """The house of the public part's ``shell`` (remembered)."""
    return _house(json.dumps(shell, sort_keys=True))


@lru_cache(maxsize=8)
def _house(text: str) -> House:
    objects = [ObjectSpec.model_validate(data) for data in json.loads(text)]
    standing = [obj for obj in objects if obj.category not in _BACKGROUND]
    view = View()
    view.sync(
        {obj.id: obj for obj in standing},
        np.array([obj.position for obj in standing]).reshape(-1, 3),
        np.array([obj.orientation for obj in standing]).reshape(-1, 4),
        (),
    )
    return House(
        scene=view.scene,
        classes=tuple(obj.category for obj in standing),
        clear=np.array([_may_show_others(obj) for obj in standing], dtype=bool),
    )


def _may_show_others(obj: ObjectSpec) -> bool:
    parts = assets.get(obj.category, obj.model).parts
    return "hinge" in obj.state or any(part.material.kind in ("glass", "mirror") for part in parts)


@dataclass(frozen=True, eq=False)
class Sight:
    """What a camera would see of a target at one place, over a ``window`` of its picture.

    ``outer`` are pixels on the outer cylinder, ``seen`` those of them that nothing opaque hides,
    ``sure`` those where a target must show. ``cut`` says that the picture's border cuts it.
    """

    window: tuple[slice, slice]
    outer: BoolArray
    seen: BoolArray
    sure: BoolArray
    cut: bool


def sights(
    camera: CameraSpec, house: House, places: FloatArray, body: Body
) -> tuple[list[Sight | None], IntArray]:
    """What ``camera`` would see at each of ``places`` (N, 2), and what of the house is there.

    ``None`` for a place out of the picture. The second is, for each pixel (H, W), the object of
    ``house`` that it shows, -1 for the background and for pixels that are in no window.
    """
    lens = pinhole(camera)
    windows = [_window(lens, place, body) for place in places]
    asked = np.zeros((camera.height, camera.width), dtype=bool)
    for window in windows:
        if window is not None:
            asked[window[0]] = True
    shown = np.full(asked.shape, -1, dtype=np.int64)
    rows, columns = np.nonzero(asked)
    if not len(rows):
        return [None] * len(places), shown
    origin, rays = lens.rays(np.column_stack((columns + 0.5, rows + 0.5)))
    hits = geo.raycast.closest(house.scene, origin[:1], rays, threads=1)
    shown[rows, columns] = hits.object_id
    distance = np.full(asked.shape, np.inf)
    distance[rows, columns] = hits.distance
    directions = np.zeros((*asked.shape, 3))
    directions[rows, columns] = rays
    found: list[Sight | None] = []
    for place, window in zip(places, windows, strict=True):
        if window is None:
            found.append(None)
            continue
        box, cut = window
        way, limit = directions[box], distance[box]
        eye = np.asarray(camera.position) - np.append(place, 0.0)
        enter, leave = _cylinder(eye, way, body.radius, 0.0, body.height)
        outer = enter < leave
        first, last = _cylinder(eye, way, body.core_radius, body.core_low, body.core_high)
        opaque = ~np.append(house.clear, False)[shown[box]]
        found.append(
            Sight(
                window=box,
                outer=outer,
                seen=outer & ((limit > enter - _EPSILON) | ~opaque),
                sure=(first < last) & (limit > leave - _EPSILON),
                cut=cut,
            )
        )
    return found, shown


def _window(
    lens: geo.Camera, place: FloatArray, body: Body
) -> tuple[tuple[slice, slice], bool] | None:
    """The part of a picture that the outer cylinder falls into, and whether the border cuts it."""
    turn = np.arange(16) * np.pi / 8.0
    # Around the circle: the corners of a regular polygon with 16 sides.
    around = body.radius / np.cos(np.pi / 16.0) * np.column_stack((np.cos(turn), np.sin(turn)))
    rim = np.concatenate(
        [np.column_stack((place + around, np.full(16, z))) for z in (0.0, body.height)]
    )
    seen = lens.project(rim)
    if not seen.in_front.any():
        return None
    if not seen.in_front.all():
        # Beside or under the camera: it may fill any part of the picture.
        return (slice(0, lens.height), slice(0, lens.width)), True
    low = np.floor(seen.pixels.min(axis=0)).astype(int) - 3
    high = np.ceil(seen.pixels.max(axis=0)).astype(int) + 3
    size = np.array([lens.width, lens.height])
    if (low >= size).any() or (high <= 0).any():
        return None
    cut = bool((low + 3 < 0).any() or (high - 3 > size).any())
    low, high = np.maximum(low, 0), np.minimum(high, size)
    return (slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))), cut


def _cylinder(
    eye: FloatArray, way: FloatArray, radius: float, low: float, high: float
) -> tuple[FloatArray, FloatArray]:
    """Where rays (..., 3) from ``eye`` enter and leave an upright cylinder about the z axis.

    Those that miss it leave before they enter.
    """
    a = way[..., 0] ** 2 + way[..., 1] ** 2
    b = eye[0] * way[..., 0] + eye[1] * way[..., 1]
    c = eye[0] ** 2 + eye[1] ** 2 - radius**2
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(b * b - a * c)
        enter, leave = (-b - root) / a, (-b + root) / a
        # A vertical ray is inside for ever or never.
        upright = a < 1e-12
        enter = np.where(upright, -np.inf if c < 0.0 else np.inf, enter)
        leave = np.where(upright, np.inf if c < 0.0 else -np.inf, leave)
        slabs = np.stack(((low - eye[2]) / way[..., 2], (high - eye[2]) / way[..., 2]))
    level = np.abs(way[..., 2]) < 1e-12
    inside = low <= eye[2] <= high
    slabs = np.where(level, np.array([-np.inf, np.inf])[:, None, None], slabs)
    first = np.where(level & (not inside), np.inf, slabs.min(axis=0))
    enter = np.nan_to_num(np.maximum(enter, first), nan=np.inf)
    leave = np.nan_to_num(np.minimum(leave, slabs.max(axis=0)), nan=-np.inf)
    return np.maximum(enter, 0.0), leave


class _Seen(NamedTuple):
    """What one frame tells: places it clears, and the choices of places that it asks for.

    Sets of places are bits of a number: place ``k`` is ``1 << k``.
    """

    cleared: int
    choices: tuple[int, ...]


@dataclass(frozen=True)
class Survey:
    """What a history leaves open about ``count`` places.

    ``open`` are those not cleared (bits of a number), ``choices`` sets of open places of which
    one at least holds a target.
    """

    count: int
    open: int
    choices: tuple[int, ...]

    @property
    def most(self) -> int:
        """The most targets there can be."""
        return self.open.bit_count()

    @property
    def least(self) -> int:
        """The fewest targets there can be."""
        return _fewest(self.choices)

    @property
    def undecided(self) -> tuple[int, ...]:
        """The places that may hold a target or not."""
        held = {choice for choice in self.choices if choice.bit_count() == 1}
        return tuple(k for k in range(self.count) if self.open >> k & 1 and 1 << k not in held)


def _fewest(choices: Iterable[int]) -> int:
    """The size of the smallest set of places that meets every choice."""
    left = sorted(set(choices), key=int.bit_count)
    # A choice that contains another one is met with it.
    least = [one for k, one in enumerate(left) if not any(o & one == o for o in left[:k])]
    alone = [one for one in least if one.bit_count() == 1]
    rest = frozenset(one for one in least if one.bit_count() > 1)
    return len(alone) + _cover(rest)


@lru_cache(maxsize=4096)
def _cover(choices: frozenset[int]) -> int:
    if not choices:
        return 0
    first = min(choices, key=lambda choice: (choice.bit_count(), choice))
    bits = (1 << k for k in range(first.bit_length()) if first >> k & 1)
    return 1 + min(_cover(frozenset(c for c in choices if not c & bit)) for bit in bits)


def survey(
    history: Sequence[FrameRecord],
    appearance: str,
    *,
    house: House,
    places: Sequence[Sequence[float]],
    body: Body,
) -> Survey:
    """What a history tells of targets of the class ``appearance`` at ``places`` (N, 2)."""
    spots = tuple((float(x), float(y)) for x, y in places)
    cleared = 0
    asked: set[int] = set()
    for frame in _untouched(history):
        masks = tuple((name, frame.masks[name]) for name in sorted(frame.masks))
        # Places cleared before need no second look.
        seen = _look(frame.camera, masks, appearance, house, spots, body, cleared)
        cleared |= seen.cleared
        asked.update(seen.choices)
    left = (1 << len(spots)) - 1 & ~cleared
    # A choice that has been cleared altogether was a mirror's or something else's.
    choices = {choice & left for choice in asked} - {0}
    return Survey(count=len(spots), open=left, choices=tuple(sorted(choices)))


def _untouched(history: Sequence[FrameRecord]) -> Iterator[FrameRecord]:
    """The frames before anything was handled: what stands at a place may be elsewhere then."""
    for frame in history:
        if frame.action is not None and ACTIONS[frame.action.name].kind == "manipulate":
            return
        yield frame


@lru_cache(maxsize=256)
def _look(
    camera: CameraSpec,
    masks: tuple[tuple[str, tuple[int, ...]], ...],
    appearance: str,
    house: House,
    spots: tuple[tuple[float, float], ...],
    body: Body,
    skip: int,
) -> _Seen:
    shape = (camera.height, camera.width)
    by_class = dict(masks)
    mine = decode_mask(by_class.get(appearance, (shape[0] * shape[1],)), shape)
    asked = [k for k in range(len(spots)) if not skip >> k & 1]
    places = np.array([spots[k] for k in asked]).reshape(-1, 2)
    found, shown = sights(camera, house, places, body)
    image, names = label_image(by_class, shape)
    # Pixels that show what the house has there: nothing hidden stands before it.
    number = {name: k for k, name in enumerate(names)}
    expected = np.array([number.get(name, -2) for name in house.classes] + [-3])[shown]
    floors = np.array([name in _BACKGROUND for name in names] + [False])
    bare = (image == expected) | ((shown < 0) & floors[image])
    near = ndimage.binary_dilation(mine, _DISC)
    glassy = np.append(house.clear, False)[shown]
    cleared = 0
    # One bit for each place: 62 of them fit a number.
    claims = np.zeros(shape, dtype=np.int64)
    for k, sight in zip(asked, found, strict=True):
        if sight is None:
            continue
        box = sight.window
        inner = _shrink(sight.sure) & bare[box] & ~near[box]
        if np.count_nonzero(inner) >= MIN_PIXELS:
            cleared |= 1 << k
        claims[box] |= ndimage.binary_dilation(sight.seen, _DISC).astype(np.int64) << k
    told = np.unique(claims[mine & ~glassy])
    return _Seen(cleared, tuple(int(choice) for choice in told if choice))


def _shrink(mask: BoolArray) -> BoolArray:
    """A mask without the pixels that are within the tolerance of others."""
    return np.asarray(ndimage.binary_erosion(mask, _DISC))
