"""Pixel masks as run lengths: what a frame record holds and an observer reads.

A mask over H x W pixels is stored row by row as alternating counts of pixels outside and inside,
starting with outside; the counts sum to H * W and only the first may be zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from esi_fast.types import BoolArray, IntArray

__all__ = ["class_masks", "decode_mask", "encode_mask", "label_image", "mask_box", "mask_pixels"]


def encode_mask(mask: BoolArray) -> tuple[int, ...]:
    """Run lengths of a boolean mask (H, W)."""
    flat = np.asarray(mask, dtype=bool).ravel()
    if flat.size == 0:
        raise ValueError(f"mask: expected at least one pixel, got shape {np.shape(mask)}")
    edges = np.flatnonzero(flat[1:] != flat[:-1]) + 1
    runs = np.diff(np.concatenate(([0], edges, [flat.size])))
    return (*((0,) if flat[0] else ()), *runs.tolist())


def decode_mask(runs: Sequence[int], shape: tuple[int, int]) -> BoolArray:
    """The boolean mask (H, W) of run lengths; ``ValueError`` where they do not fit ``shape``."""
    counts = _counts(runs, shape[0] * shape[1])
    inside = np.zeros(counts.size, dtype=bool)
    inside[1::2] = True
    return np.repeat(inside, counts).reshape(shape)


def mask_pixels(runs: Sequence[int]) -> int:
    """How many pixels are inside, from the run lengths alone."""
    return sum(runs[1::2])


def mask_box(runs: Sequence[int], shape: tuple[int, int]) -> tuple[int, int, int, int] | None:
    """Bounds ``(column0, row0, column1, row1)`` of the inside, upper ends exclusive."""
    return _box(decode_mask(runs, shape))


def class_masks(classes: IntArray, names: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Run lengths of every class present in an image of class indices (H, W).

    ``names[k]`` is the name of class ``k``; negative pixels belong to no class. Keys are sorted.
    One pass over the image for all classes.
    """
    flat = np.asarray(classes).ravel()
    if flat.size == 0:
        raise ValueError(f"classes: expected at least one pixel, got shape {np.shape(classes)}")
    starts = np.concatenate(([0], np.flatnonzero(flat[1:] != flat[:-1]) + 1))
    ends = np.append(starts[1:], flat.size)
    owner = flat[starts]
    masks: dict[str, tuple[int, ...]] = {}
    for k in sorted(set(owner[owner >= 0].tolist()), key=lambda index: names[index]):
        mine = owner == k
        # Runs of one class never touch, so outside and inside alternate as they stand.
        bounds = np.column_stack((starts[mine], ends[mine])).ravel()
        runs = np.diff(bounds, prepend=0).tolist()
        if bounds[-1] < flat.size:
            runs.append(flat.size - int(bounds[-1]))
        masks[names[k]] = tuple(runs)
    return masks


def label_image(
    masks: Mapping[str, Sequence[int]], shape: tuple[int, int]
) -> tuple[IntArray, tuple[str, ...]]:
    """The inverse of ``class_masks``: class indices (H, W), -1 where none, and their names.

    Raises ``ValueError`` where two masks share a pixel.
    """
    names = tuple(sorted(masks))
    image = np.full(shape, -1, dtype=np.int64)
    for k, name in enumerate(names):
        inside = decode_mask(masks[name], shape)
        if bool((image[inside] >= 0).any()):
            raise ValueError(f"masks: {name!r} shares pixels with another class")
        image[inside] = k
    return image, names


def _counts(runs: Sequence[int], size: int) -> IntArray:
    counts = np.asarray(runs, dtype=np.int64)
    if counts.ndim != 1 or bool((counts < 0).any()) or int(counts.sum()) != size:
        raise ValueError(f"runs: expected counts that sum to {size}, got sum {counts.sum()}")
    return counts


def _box(mask: BoolArray) -> tuple[int, int, int, int] | None:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if rows.size == 0:
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
