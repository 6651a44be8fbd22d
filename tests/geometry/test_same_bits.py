"""The same bits for 1, 2 and 8 threads, for every public function that takes ``threads``."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

import numpy as np
import pytest
from public_calls import FOREIGN, functions, table

from esi_fast import geometry as geo

FUNCTIONS = functions()
THREADED = sorted(
    name
    for name, function in FUNCTIONS.items()
    if name.split(".")[0] not in FOREIGN
    and {"threads", "settings"} & set(inspect.signature(function).parameters)
)


def bits(value: Any) -> Any:
    """Everything in a result that can be compared byte by byte."""
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, value.tobytes())
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        return tuple(bits(getattr(value, name)) for name in names)
    if isinstance(value, (tuple, list)):
        return tuple(bits(item) for item in value)
    if isinstance(value, geo.gridmap.GridMap):
        return (bits(value.free), bits(value.rooms), value.resolution)
    if isinstance(value, geo.fields.DistanceField):
        where = np.random.default_rng(0).uniform(-0.1, 1.1, (500, 3))
        return bits(value.sample(where))
    assert value is None or isinstance(value, (bool, int, float, np.generic)), type(value)
    return repr(value)


def test_every_function_is_in_the_table() -> None:
    wanted = {name for name in FUNCTIONS if name.split(".")[0] not in FOREIGN}
    assert set(table()) == wanted


@pytest.mark.parametrize("name", THREADED)
def test_threads_change_no_bit(name: str) -> None:
    arguments = table()[name]

    def ask(threads: int) -> Any:
        if "settings" in arguments:
            settings = dataclasses.replace(arguments["settings"], threads=threads)
            return bits(FUNCTIONS[name](**{**arguments, "settings": settings}))
        return bits(FUNCTIONS[name](**arguments, threads=threads))

    one = ask(1)
    assert ask(2) == one
    assert ask(8) == one
