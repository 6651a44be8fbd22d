"""Contact sheets: one small picture per category, to be looked at by a person."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from esi_fast import geometry as geo
from esi_fast.assets.base import Asset
from esi_fast.assets.library import categories as all_categories
from esi_fast.assets.library import get, models
from esi_fast.geometry.render import Light, Material, Settings, render
from esi_fast.types import UInt8Array

__all__ = ["contact_sheet", "portrait"]

_LABEL = 14
_BACKDROP = Material(color=(0.80, 0.79, 0.77))
# Unit boxes stand for walls and doors of any size: shown at a usual one (metres).
_USUAL = {
    "baseboard": (0.02, 1.5, 0.1),
    "ceiling": (2.5, 2.5, 0.1),
    "door": (0.12, 0.85, 2.05),
    "door_frame": (0.16, 1.0, 2.12),
    "floor": (2.5, 2.5, 0.1),
    "hedge": (0.5, 2.5, 1.2),
    "lawn": (2.5, 2.5, 0.05),
    "wall": (0.1, 2.5, 2.0),
    "window": (0.14, 1.3, 1.2),
}


def portrait(asset: Asset, size: int = 160, *, samples: int = 8, threads: int = 0) -> UInt8Array:
    """A picture (size, size, 3) of one asset on a pale floor, three quarters from the front.

    Things that are long towards +X are shown from their side. ``samples`` are camera rays per
    pixel.
    """
    scale = np.array(_USUAL.get(asset.category, (1.0, 1.0, 1.0)))
    extent = np.array(asset.size) * scale
    reach = float(np.linalg.norm(extent)) / 2.0
    scene = geo.Scene(threads)
    materials = []
    for part in asset.parts:
        mesh = scene.add_mesh(part.vertices, part.faces, normals=part.normals, uv=part.uv)
        scene.add_instance(mesh, object_id=0, scale=tuple(scale))
        materials.append(part.material)
    wide, low = 60.0 * reach, -extent[2] / 2.0 - 1e-4 * reach
    corners = [(-wide, -wide, low), (wide, -wide, low), (wide, wide, low), (-wide, wide, low)]
    floor = scene.add_mesh(np.array(corners), np.array([(0, 1, 2), (0, 2, 3)]))
    scene.add_instance(floor, object_id=1)
    materials.append(_BACKDROP)

    azimuth = math.radians(62.0 if extent[0] > 1.45 * extent[1] else 32.0)
    elevation = math.radians(24.0)
    vfov = 26.0
    away = np.array(
        [
            math.cos(elevation) * math.cos(azimuth),
            math.cos(elevation) * math.sin(azimuth),
            math.sin(elevation),
        ]
    )
    eye = away * reach / math.sin(math.radians(vfov) / 2.0)
    camera = geo.Camera(eye, geo.transforms.look_at(eye, np.zeros(3)), size, size, vfov)
    # Over the photographer's left shoulder, soft enough to keep the shadow side readable.
    light = Light(
        "area",
        position=tuple(reach * np.array([6.0, -1.5, 7.0])),
        radius=1.5 * reach,
        color=(95.0 * reach**2, 92.0 * reach**2, 86.0 * reach**2),
    )
    settings = Settings(samples=samples, ao_distance=0.8 * reach, threads=threads)
    image = render(
        scene,
        camera,
        materials=materials,
        lights=[light],
        ambient=(0.42, 0.43, 0.45),
        settings=settings,
        modalities=["rgb"],
    )
    return np.asarray(image.rgb, np.uint8)


def contact_sheet(
    categories: Sequence[str] | None,
    path: str | Path,
    columns: int = 8,
    size: int = 160,
    *,
    model: int = 0,
    palette: int = 0,
    threads: int = 0,
) -> Path:
    """Writes a PNG of the categories (default: all), each with its name below.

    ``model`` is the index of the model shown (counted round), ``palette`` its colouring, ``size``
    the edge of a picture in pixels. Returns the path written.
    """
    names = list(all_categories() if categories is None else categories)
    if not names:
        raise ValueError("categories: expected at least one, got none")
    if columns < 1:
        raise ValueError(f"columns: expected at least 1, got {columns}")
    if size < 16:
        raise ValueError(f"size: expected at least 16, got {size}")
    rows = math.ceil(len(names) / columns)
    sheet = Image.new("RGB", (min(columns, len(names)) * size, rows * (size + _LABEL)), "white")
    draw = ImageDraw.Draw(sheet)
    for k, name in enumerate(names):
        ids = models(name)
        asset = get(name, ids[model % len(ids)], palette)
        x, y = (k % columns) * size, (k // columns) * (size + _LABEL)
        sheet.paste(Image.fromarray(portrait(asset, size, threads=threads)), (x, y))
        draw.text((x + 3, y + size + 1), name, fill="black", font=_font(name, size - 6))
    out = Path(path)
    sheet.save(out, optimize=True)
    return out


def _font(text: str, width: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The font in which ``text`` fits ``width`` pixels, of ten pixels at most."""
    font = ImageFont.load_default(10)
    length = font.getlength(text)
    return font if length <= width else ImageFont.load_default(10 * width / length)
