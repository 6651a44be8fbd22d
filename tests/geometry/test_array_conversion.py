"""What the compiled core accepts as an array, and how it refuses the rest.

All families convert through one header; a surface takes both real numbers and indices, so it
stands for them here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from esi_fast.geometry import _core

CORNERS = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
FACES = np.array([[0, 1, 2]], dtype=np.int32)


def height(vertices: Any = CORNERS, faces: Any = FACES) -> float:
    """Distance of (0.5, 0.5, 3) from the surface: 3 if everything arrived as it was sent."""
    surface = _core.distance.Surface(vertices, faces)
    distance, _, _ = surface.nearest([[0.5, 0.5, 3.0]], np.inf, 1)
    return float(distance[0])


def shifted() -> Any:
    """The corners at an address that is not a multiple of eight."""
    array = np.zeros(73, np.uint8)[1:].view(np.float64).reshape(3, 3)
    array[:] = CORNERS
    assert not array.flags.aligned
    return array


@pytest.mark.parametrize(
    "vertices",
    [
        CORNERS.tolist(),
        CORNERS.astype(np.float32),
        CORNERS.astype(np.int8),
        CORNERS.astype(np.uint64),
        CORNERS.astype(">f8"),
        np.asfortranarray(CORNERS),
        np.repeat(CORNERS, 2, axis=0)[::2],
        CORNERS[:, ::-1][:, ::-1],
        shifted(),
    ],
    ids=["list", "f4", "i1", "u8", "big endian", "fortran", "strided", "reversed", "unaligned"],
)
def test_real_numbers_arrive_unchanged(vertices: Any) -> None:
    assert height(vertices) == 3.0


@pytest.mark.parametrize(
    "faces",
    [[[0, 1, 2]], FACES.astype(np.int64), FACES.astype(np.uint8), FACES.astype(float), FACES.T.T],
)
def test_whole_numbers_arrive_unchanged(faces: Any) -> None:
    assert height(faces=faces) == 3.0


def test_a_read_only_array_is_accepted_and_kept() -> None:
    vertices = CORNERS.copy()
    vertices.flags.writeable = False
    assert height(vertices) == 3.0
    assert (vertices == CORNERS).all()


@pytest.mark.parametrize(
    ("vertices", "message"),
    [
        (np.zeros((3, 512)), r"^vertices: expected shape \(V, 3\), got \(3, 512\)$"),
        (np.zeros(3), r"^vertices: expected shape \(V, 3\), got \(3,\)$"),
        (1.0, r"^vertices: expected shape \(V, 3\), got \(\)$"),
        ([[0, 1, np.nan]], r"^vertices: expected finite values, got nan at \[0, 2\]$"),
        ([[0, 1, 2], [-np.inf, 1, 2]], r"got -inf at \[1, 0\]$"),
        ([[0, 1, 2], [3]], r"^vertices: expected an array of shape \(V, 3\), got rows of diff"),
    ],
)
def test_wrong_values_name_the_parameter(vertices: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        height(vertices)


@pytest.mark.parametrize(
    ("vertices", "got"),
    [
        (None, "dtype object"),
        ([[0, 1, 2j]], "dtype complex128"),
        ([["0", "1", "2"]], "dtype <U1"),
        ([[True, False, True]], "dtype bool"),
        (np.zeros((1, 3), "m8[s]"), r"dtype timedelta64\[s\]"),
        ([[2**70, 0, 0]], "dtype object"),
    ],
)
def test_wrong_types_name_the_parameter(vertices: Any, got: str) -> None:
    with pytest.raises(TypeError, match=f"^vertices: expected real numbers, got {got}$"):
        height(vertices)


@pytest.mark.parametrize(
    ("faces", "got"),
    [
        ([[0, 1, 1.5]], r"1.5 at \[0, 2\]"),
        ([[0, 1, np.nan]], r"nan at \[0, 2\]"),
        ([[0, 1, np.inf]], r"inf at \[0, 2\]"),
        ([[2**31, 1, 2]], r"2147483648 at \[0, 0\]"),
        ([[2.0**31, 1, 2]], r"2147483648.0 at \[0, 0\]"),
        ([[0, -(2**31) - 1, 2]], r"-2147483649 at \[0, 1\]"),
        (np.array([[2**64 - 1, 0, 0]], np.uint64), r"18446744073709551615 at \[0, 0\]"),
    ],
)
def test_indices_are_never_rounded_or_wrapped(faces: Any, got: str) -> None:
    with pytest.raises(ValueError, match=f"^faces: expected integers within int32, got {got}$"):
        height(faces=faces)


def test_booleans_are_no_indices() -> None:
    with pytest.raises(TypeError, match="^faces: expected integers, got dtype bool$"):
        height(faces=[[False, True, True]])


@pytest.mark.parametrize("faces", [[[0, 1, 3]], [[-1, 1, 2]]])
def test_indices_out_of_range_are_refused(faces: Any) -> None:
    with pytest.raises(ValueError, match="^faces: expected vertex indices from 0 to 2, got"):
        height(faces=faces)


def test_threads_are_counted() -> None:
    assert _core.version.threads(3) == 3
    assert _core.version.threads() >= 1
    with pytest.raises(ValueError, match=r"^threads: expected 0 \(all\) or more, got -1$"):
        _core.version.threads(-1)
    assert _core.version.embree() // 10000 == 4
