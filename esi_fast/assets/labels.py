"""Printed labels: lettering and simple pictures as images, and the surfaces that carry them.

The letters are a 5 x 7 dot font of our own, so that labels are the same pixels everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from esi_fast.assets.solids import Profile, Solid, box, loft
from esi_fast.geometry.render import Material
from esi_fast.types import FloatArray, UInt8Array

__all__ = ["label_aspect", "lettering", "panel", "printed", "wrap"]

# Seven rows of five dots each, two hexadecimal digits a row, from the top.
_FONT = {
    "A": "0e11111f111111", "B": "1e11111e11111e", "C": "0e11101010110e", "D": "1e11111111111e",
    "E": "1f10101e10101f", "F": "1f10101e101010", "G": "0e11101711110f", "H": "1111111f111111",
    "I": "0e04040404040e", "J": "0702020202120c", "K": "11121418141211", "L": "1010101010101f",
    "M": "111b1515111111", "N": "11111915131111", "O": "0e11111111110e", "P": "1e11111e101010",
    "Q": "0e11111115120d", "R": "1e11111e141211", "S": "0f10100e01011e", "T": "1f040404040404",
    "U": "1111111111110e", "V": "11111111110a04", "W": "1111111515150a", "X": "11110a040a1111",
    "Y": "11110a04040404", "Z": "1f01020408101f", "0": "0e11131519110e", "1": "040c040404040e",
    "2": "0e11010204081f", "3": "1f02040201110e", "4": "02060a121f0202", "5": "1f101e0101110e",
    "6": "0608101e11110e", "7": "1f010204080808", "8": "0e11110e11110e", "9": "0e11110f01020c",
    "+": "0004041f040400", "-": "0000001f000000", "&": "0c12140815120d", "%": "18190204081303",
    " ": "00000000000000",
}  # fmt: skip
_WIDE, _HIGH = 5, 7
# Pixels per dot: enough that a letter's edge is sharper than a camera pixel at arm's length.
_SCALE = 4


@lru_cache(maxsize=512)
def lettering(text: str) -> UInt8Array:
    """The dots (7, 6 n - 1) of one line of capitals, 1 where there is ink."""
    unknown = sorted(set(text) - set(_FONT))
    if unknown or not text:
        raise ValueError(f"text: expected letters among {''.join(_FONT)!r}, got {text!r}")
    columns = []
    for letter in text:
        rows = [int(_FONT[letter][2 * k : 2 * k + 2], 16) for k in range(_HIGH)]
        bits = [[row >> (_WIDE - 1 - k) & 1 for k in range(_WIDE)] for row in rows]
        columns.append(np.pad(np.array(bits, np.uint8), ((0, 0), (0, 1))))
    return np.asarray(np.concatenate(columns, axis=1)[:, :-1])


def _rgb(color: str) -> UInt8Array:
    return np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)], np.uint8)


@lru_cache(maxsize=512)
def printed(
    text: str,
    *,
    ground: str = "#f4efe2",
    ink: str = "#2a2622",
    accent: str = "#b9402f",
    aspect: float = 1.0,
    picture: str = "disc",
    repeat: int = 1,
) -> Material:
    """A label ``aspect`` times as wide as high: words one below the other, a picture above.

    ``repeat`` prints it so often side by side, each ``aspect / repeat`` wide. ``picture``:
    ``disc`` (fruit, drops: what is in it), ``cross``, ``bands`` (lines of small print), or
    ``none``. Colours are ``#rrggbb``.
    """
    lines = [lettering(word) for word in text.upper().split("_")]
    aspect /= repeat
    across = max(line.shape[1] for line in lines) + 6
    block = len(lines) * (_HIGH + 2)
    down = max(round(across / aspect), block + 4)
    # A label too low for its words gets room beside them instead.
    across = max(across, round(down * aspect))
    dots = np.zeros((down, across), np.uint8)
    spare = down - block
    top = round(spare * (0.78 if picture == "disc" else 0.42))
    for k, line in enumerate(lines):
        row, column = top + k * (_HIGH + 2), (across - line.shape[1]) // 2
        dots[row : row + _HIGH, column : column + line.shape[1]] = line
    image = np.where(
        np.kron(dots, np.ones((_SCALE, _SCALE), np.uint8))[..., None] > 0, _rgb(ink), _rgb(ground)
    )
    high, wide = image.shape[:2]
    v, u = np.mgrid[0:high, 0:wide] + 0.5
    middle, room = top * _SCALE / 2.0, top * _SCALE
    if picture == "disc" and room > 3 * _SCALE:
        radius = min(0.38 * room, 0.3 * wide)
        for at, share in ((-0.55, 0.7), (0.55, 0.7), (0.0, 1.0)):
            gap = np.hypot(u - wide / 2 - at * 1.6 * radius, v - middle - 0.2 * (1 - share) * room)
            image[gap < share * radius + _SCALE / 2] = _rgb(ground)
            image[gap < share * radius] = _rgb(accent)
    elif picture == "cross":
        arm, bar = 0.34 * min(high, wide), 0.12 * min(high, wide)
        across_u, across_v = np.abs(u - wide / 2), np.abs(v - high / 2)
        image[(np.maximum(across_u, across_v) < arm) & (np.minimum(across_u, across_v) < bar)] = (
            _rgb(accent)
        )
    elif picture == "bands":
        for k in range(2):
            image[round((0.05 + 0.86 * k) * high) : round((0.09 + 0.86 * k) * high)] = _rgb(accent)
    image = np.ascontiguousarray(np.tile(image, (1, repeat, 1)))
    return Material(color=(1.0, 1.0, 1.0), texture="image", image=image, gloss=0.1)


def wrap(profile: Profile, *, arc_deg: float = 179.0, lift: float = 0.012) -> Solid:
    """A label round a turned body, with uv: ``profile`` is (radius, z) upwards, its middle at +x.

    It reaches ``arc_deg`` to both sides and stands off by ``lift`` times the radius; it has no
    convex piece.
    """
    arc = np.deg2rad(arc_deg)
    turns = np.linspace(-arc, arc, max(7, round(arc_deg / 5.0)))
    z = np.array([h for _, h in profile])

    def section(angle: float) -> FloatArray:
        out = [(r * (1.0 + lift), h) for r, h in profile]
        inside = [(r * (1.0 - lift), h) for r, h in profile[::-1]]
        line = (out + inside)[::-1]
        return np.array([(r * np.cos(angle), r * np.sin(angle), h) for r, h in line])

    solid = loft([section(a) for a in turns])
    corners = solid.vertices[solid.faces]
    u = (np.arctan2(corners[..., 1], corners[..., 0]) + arc) / (2.0 * arc)
    v = (corners[..., 2] - z[0]) / (z[-1] - z[0])
    faces, uv = solid.faces, np.stack([u, v], axis=-1)
    return Solid(solid.vertices, faces, (), uv)


def panel(width: float, height: float, *, axis: str = "x", thickness: float = 0.0006) -> Solid:
    """A flat label (no convex piece), lower edge on z = 0, facing ``axis``: x front, z top.

    On the front it is ``width`` wide along y; on the top it is read from +x.
    """
    plate = box(thickness, width, height) if axis == "x" else box(height, width, thickness)
    return plate.projected(axis).with_convex(())


def label_aspect(profile: Sequence[tuple[float, float]], arc_deg: float = 179.0) -> float:
    """Width over height of ``wrap(profile, arc_deg=...)`` laid flat."""
    radius = max(r for r, _ in profile)
    return 2.0 * math.radians(arc_deg) * radius / (profile[-1][1] - profile[0][1])
