"""The functions that look things up: in the catalogue of drawn categories, then in the inventory.

A category without a row in the catalogue is a *proxy*: a box of its true size with its name on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np

from esi_fast.assets import inner, inventory, plans
from esi_fast.assets.base import Asset, equivalent_radius
from esi_fast.assets.catalogue import ENTRIES
from esi_fast.assets.entries import Entry, Kind, Place, Size
from esi_fast.assets.families import structure
from esi_fast.assets.sketch import Sketch
from esi_fast.errors import UnknownName
from esi_fast.seeding import rng

__all__ = [
    "CategoryInfo",
    "categories",
    "get",
    "info",
    "models",
    "placeable",
    "sizes",
]

# Radii in metres of the equivalent sphere between which the paper (Q.16) takes an object to be
# placeable on the floor before a mirror.
PLACEABLE_RADIUS = (0.02, 0.20)
# A drawn category has at least this many models: where the inventory has fewer, the rest are
# variants of them.
MODELS = 5
# Variants differ from their model by up to these shares, overall and along each axis.
_VARIANT_SIZE, _VARIANT_SHAPE = 0.14, 0.06

_IMPORTED_TAGS = frozenset({"imported"})
# Models of a user's own files, see ``esi_fast.assets.imported``.
_IMPORTED: dict[str, dict[str, Asset]] = {}
_PROXY = Entry(structure.named_box, "proxy", (), tags=frozenset({"proxy"}))


@dataclass(frozen=True)
class CategoryInfo:
    """What generators may ask about a category.

    ``label`` is its name in running text; ``family`` the drawing function; ``rooms`` the room
    types where BEHAVIOR has it, most frequent first; ``uses`` the number of published questions
    in which it occurs; ``variants`` those of its models that are not the inventory's; ``size``
    the mean extents of the inventory's models in metres; ``radius`` the radius of the sphere with
    the mean volume of their boxes; ``placeable`` the paper's floor-object pool (radius 0.02 to
    0.20 m, neither reflective nor structural nor furniture); ``proxy`` whether it is only a named
    box.
    """

    name: str
    label: str
    family: str
    kind: Kind
    rooms: tuple[str, ...]
    places: tuple[Place, ...]
    models: tuple[str, ...]
    variants: tuple[str, ...]
    uses: int
    size: Size
    mass: float
    radius: float
    placeable: bool
    fillable: bool
    openable: bool
    proxy: bool
    tags: frozenset[str]


def _entry(category: str) -> Entry:
    if category in ENTRIES:
        return ENTRIES[category]
    if category in _IMPORTED:
        return Entry(add_imported, "object", ("floor", "table", "shelf"), tags=_IMPORTED_TAGS)
    if category in inventory.rows():
        return _PROXY
    raise UnknownName.among(sorted(all_names()), "category", category)


def all_names() -> set[str]:
    """Every category there is: drawn, imported, proxies."""
    return {*ENTRIES, *_IMPORTED, *inventory.rows()}


def add_imported(models: Mapping[str, Mapping[str, Asset]]) -> None:
    """Adds categories of ready-made assets, by category and model."""
    for name, listed in models.items():
        _IMPORTED[name] = dict(listed)


def _real(category: str) -> dict[str, Size]:
    """The models of BEHAVIOR's inventory, as they are drawn upright (or a user's own)."""
    if category in _IMPORTED:
        return {model: asset.size for model, asset in _IMPORTED[category].items()}
    row = inventory.rows().get(category)
    listed = row.models if row else {}
    return {m: _stood(b) for m, b in listed.items()} if _entry(category).stand else listed


def _stood(box: Size) -> Size:
    """A flat box on its edge: its thickness along x."""
    x, y, z = box
    return (z, y, x) if z < x else box


@cache
def _typical(category: str) -> Size:
    return plans.typical(_entry(category).plan, _real(category).values())


@cache
def _sizes(category: str) -> dict[str, Size]:
    """All models: own ones, usual ones, unusual ones, variants."""
    entry, real = _entry(category), _real(category)
    if entry.kind == "proxy" or category in _IMPORTED:
        return real
    found = dict(entry.own)
    if real:
        middle = _typical(category)
        found |= dict(
            sorted(real.items(), key=lambda item: not plans.usual(entry.plan, item[1], middle))
        )
    return found if entry.own else found | _variants(category, found)


def _variants(category: str, listed: dict[str, Size]) -> dict[str, Size]:
    bases = list(listed)
    found: dict[str, Size] = {}
    for k in range(MODELS - len(bases)):
        base = bases[k % len(bases)]
        name = f"{base}_variant{k // len(bases) + 1}"
        draw = rng("assets", "variant", category, name)
        factor = np.exp(
            draw.uniform(-_VARIANT_SIZE, _VARIANT_SIZE)
            + draw.uniform(-_VARIANT_SHAPE, _VARIANT_SHAPE, 3)
        )
        x, y, z = np.round(np.array(listed[base]) * factor, 5).tolist()
        found[name] = (x, y, z)
    return found


def categories(kind: Kind | None = None) -> tuple[str, ...]:
    """Sorted names of all categories that are drawn, or of one kind.

    ``kind="proxy"`` lists the rest of the inventory, which is boxes with names on them.
    """
    if kind == "proxy":
        return tuple(name for name in inventory.rows() if name not in ENTRIES)
    known = {**ENTRIES, **{name: _entry(name) for name in _IMPORTED}}
    return tuple(sorted(n for n, e in known.items() if kind is None or e.kind == kind))


def models(category: str) -> tuple[str, ...]:
    """Model ids of a category: usual ones first, variants last; ``UnknownName`` lists near ones."""
    return tuple(_sizes(category))


def placeable(*, transparent: bool = True) -> tuple[str, ...]:
    """The pool of small floor objects of the paper's mirror questions (appendix, Q.16)."""
    pool = [name for name in categories() if info(name).placeable]
    return tuple(n for n in pool if transparent or "transparent" not in _entry(n).tags)


def sizes(category: str) -> dict[str, Size]:
    """Extents in metres of each model of a category, without making any of them."""
    return dict(_sizes(category))


@cache
def info(category: str) -> CategoryInfo:
    """Facts about a category; ``UnknownName`` lists near matches."""
    entry = _entry(category)
    boxes = np.array(list((entry.own or _real(category)).values()))
    radius = equivalent_radius(float(boxes.prod(axis=1).mean()))
    row = inventory.rows().get(category)
    mean = boxes.mean(axis=0)
    return CategoryInfo(
        name=category,
        label=category.replace("_", " "),
        family=entry.draw.__name__,
        kind=entry.kind,
        rooms=row.rooms if row else (),
        places=entry.places,
        models=models(category),
        variants=tuple(m for m in models(category) if "_variant" in m),
        uses=row.uses if row else 0,
        size=(float(mean[0]), float(mean[1]), float(mean[2])),
        mass=entry.mass or (row.mass if row else 0.0) or _guess_mass(category, radius),
        radius=radius,
        placeable=entry.kind == "object"
        and not entry.tags & {"reflective", "structural"}
        and PLACEABLE_RADIUS[0] <= radius <= PLACEABLE_RADIUS[1],
        fillable=bool(row and row.fillable),
        openable=bool(row and row.openable),
        proxy=entry.kind == "proxy",
        tags=entry.tags | {entry.kind},
    )


def _guess_mass(category: str, radius: float) -> float:
    """For categories without a mass: of the meshes, or a fifth of water's density over the box."""
    if category in _IMPORTED:
        return float(np.mean([asset.mass for asset in _IMPORTED[category].values()]))
    return 200.0 * 4.0 / 3.0 * np.pi * radius**3


@lru_cache(maxsize=1024)
def get(category: str, model: str, palette: int = 0) -> Asset:
    """The asset of a model in one colouring: always the same, cached, read-only.

    ``palette`` is any integer of at least 0 and changes colours only. ``UnknownName`` for a
    category or model that does not exist, ``ValueError`` for a false bottom (``inner``) in what
    holds no water.
    """
    base, percent = inner.base_of(model)
    if percent:
        return inner.raise_floor(get(category, base, palette), percent)
    entry = _entry(category)
    sizes = _sizes(category)
    if model not in sizes:
        raise UnknownName.among(sorted(sizes), f"model of {category}", model)
    if palette < 0:
        raise ValueError(f"palette: expected at least 0, got {palette}")
    size = sizes[model]
    if category in _IMPORTED:
        return replace(_IMPORTED[category][model], palette=palette)
    facts = info(category)
    if entry.kind == "mirror":
        mirror: Asset = entry.draw(category, model, palette, size)
        return mirror
    if entry.own or entry.kind == "proxy":
        sketch = Sketch(category, model, palette, size)
    else:
        drawn = plans.fit(entry.plan, size, _typical(category))
        sketch = Sketch(category, model, palette, drawn.size, box=size, turn=drawn.turn)
    entry.draw(sketch, **entry.options)
    # Masses are known per category; a model weighs more or less with the volume of its box.
    mean = 4.0 / 3.0 * np.pi * facts.radius**3
    share = float(np.clip(np.prod(size) / mean, 0.25, 4.0))
    tags = facts.tags | ({"placeable"} if facts.placeable else set())
    if model in facts.variants:
        tags |= {"variant"}
    return sketch.finish(mass=facts.mass * share, friction=entry.friction, tags=frozenset(tags))
