"""How much every vessel of the inventory holds, measured model by model; resumable."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from esi_fast import geometry as geo
from esi_fast import jobs
from esi_fast.assets.base import Asset
from esi_fast.assets.library import categories, get, info, models
from esi_fast.geometry.distance import ContainmentStatus, Mesh
from esi_fast.types import JsonDict

__all__ = ["Measured", "closed_mesh", "measure", "measure_all"]

# Columns across the wider side of a model: the outline is then right to better than a percent.
_COLUMNS = 160.0
_FINEST = 2e-4


class Measured(NamedTuple):
    """How many models were measured now and before, and milliseconds for each of those of now."""

    done: int
    skipped: int
    ms_each: float


def closed_mesh(asset: Asset) -> Mesh:
    """The closed surfaces of a model as one mesh, empty if it has none."""
    closed = (part.vertices[part.faces] for part in asset.parts if part.closed)
    return Mesh.from_triangles(np.concatenate([np.zeros((0, 3, 3)), *closed]))


def measure(payload: JsonDict) -> JsonDict:
    """The capacity of one model, ``{"category": ..., "model": ...}``: a unit of ``jobs``.

    ``litres`` is 0 for what is solid, shut or leaks, and absent where the mesh has no inside;
    ``status`` says which.
    """
    category, model = payload["category"], payload["model"]
    asset = get(category, model)
    spacing = max(max(asset.size[:2]) / _COLUMNS, _FINEST)
    found = geo.vessel.capacity(closed_mesh(asset), spacing=spacing)
    row: JsonDict = {"category": category, "model": model}
    if found.status is not ContainmentStatus.OK:
        return {**row, "status": found.status.name.lower()}
    litres = round(found.volume * 1e3, 6)
    return {**row, "litres": litres, "status": "holds" if litres > 0 else "holds nothing"}


def measure_all(out: Path, *, category: list[str] | None = None, workers: int = 1) -> Measured:
    """Measures the models of all fillable categories (or of those named) into a JSON-lines file.

    Goes on where it stopped, also after a kill; the file ends with the same bytes, whatever
    happened and for any number of workers. ``UnknownName`` for a category that does not exist.
    """
    chosen = category or [name for name in categories() if info(name).fillable]
    units = [
        jobs.Unit(f"{name}/{model}", {"category": name, "model": model}, group=name)
        for name in chosen
        for model in models(name)
    ]
    with jobs.JsonlSink(out, durable=False) as sink:
        summary = jobs.run(units, "esi_fast.assets.capacities:measure", sink, workers=workers)
    each = 1e3 * summary.seconds / summary.done if summary.done else 0.0
    return Measured(summary.done, summary.skipped, each)
