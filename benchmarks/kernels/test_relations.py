"""What one relation costs when it is asked from Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from measure import call_microseconds

from esi_fast import geometry as geo
from esi_fast.geometry import relations as rel

POINTS = np.array([[2.0, -1, 0], [3, 0.5, 0], [2, 1, 0.5]])
CAMERA = geo.Camera.looking_at((0, 0, 0.5), (1, 0, 0.5))

CALLS: dict[str, Callable[[], Any]] = {
    "collinearity_offset": lambda: rel.collinearity_offset(POINTS),
    "triangle_class": lambda: rel.triangle_class(POINTS),
    "nearest": lambda: rel.nearest(POINTS[0], POINTS),
    "closer_of_two": lambda: rel.closer_of_two(POINTS[0], POINTS[1], POINTS[2], gap=0.1),
    "left_middle_right": lambda: rel.left_middle_right(CAMERA, POINTS, min_pixels=2),
    "turn_direction": lambda: rel.turn_direction(0.1, 1.5),
}


@pytest.mark.benchmark(group="call overhead")
@pytest.mark.parametrize("name", CALLS)
def test_one_item(benchmark: Any, name: str) -> None:
    call = CALLS[name]
    benchmark.pedantic(call, rounds=3, iterations=100)
    spent = call_microseconds(call)
    benchmark.extra_info.update(what=f"relations.{name}", size="1 item", call_us=round(spent, 2))
    assert spent < 5
