"""Drawing categories and models for questions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

import numpy as np
from scipy import ndimage
from scipy.spatial import ConvexHull

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.errors import SceneUnsuitable
from esi_fast.generators.place import stand
from esi_fast.records import SceneSpec
from esi_fast.sim.embedded import EmbeddedSimulator
from esi_fast.types import FloatArray

__all__ = [
    "SizeRange",
    "Suits",
    "crisp",
    "different",
    "measure",
    "model_of",
    "noun",
    "pool",
    "scale_of",
    "stance",
    "stays",
    "steady",
    "symmetry_plane",
    "table",
    "tips_at",
]

SizeRange = tuple[float, float]

# Categories weigh the same, however many models they have; more models only cost start-up time.
MODELS_PER_CATEGORY = 4
# Nothing larger is drawn for a question, metres.
LARGEST = 0.8
# A mirrored outline may differ from the turned one by this share of the model's diagonal: well
# under a pixel at the distances of questions. Checked again on the pictures themselves.
SYMMETRY_TOLERANCE = 0.004
# A model that tips at a smaller tilt than this does so when it is put down.
LEAST_TILT = np.radians(1.5)
# One that stays moves and leans less than half of what a draft may (checks.py).
STILL, STILL_TILT = 0.0005, 0.002
# Of the rays that sample a model's outline: a pixel at 2.5 m and at 4 m.
PITCHES = (0.005, 0.008)
# Points this near the floor carry a settled model: what contacts give way (m).
TOUCHING = 0.0015


def noun(category: str) -> str:
    """The category as a word of a question: ``table_lamp`` -> ``table lamp``."""
    return category.replace("_", " ")


def scale_of(rng: np.random.Generator) -> float:
    """A hidden scale within 20 % of the model's own, so that size does not give depth (TASKS)."""
    return float(rng.uniform(0.82, 1.18))


def model_of(
    kinds: Sequence[tuple[str, str]], category: str, rng: np.random.Generator
) -> tuple[str, str]:
    """A (category, model) of a category, drawn from ``kinds``."""
    models = [model for name, model in kinds if name == category]
    return str(category), models[int(rng.integers(len(models)))]


def different(
    kinds: Sequence[tuple[str, str]], count: int, rng: np.random.Generator
) -> list[tuple[str, str]]:
    """``count`` (category, model) pairs of as many categories, drawn from ``kinds``.

    Raises ``SceneUnsuitable`` where there are too few categories.
    """
    categories = sorted({category for category, _ in kinds})
    if len(categories) < count:
        raise SceneUnsuitable("too_few_categories", found=len(categories))
    chosen = rng.choice(np.array(categories), size=count, replace=False)
    return [model_of(kinds, category, rng) for category in chosen]


@lru_cache(maxsize=64)
def pool(
    footprint: SizeRange, height: SizeRange, *, symmetric: bool = False
) -> tuple[tuple[str, str], ...]:
    """(category, model) pairs that may stand on a floor in a question, in sorted order.

    ``footprint`` and ``height`` are the allowed extents in metres of the longer horizontal side
    and of the height; ``symmetric`` keeps models that look the same in a mirror: of which no
    detail and no print tells left from right. Models whose
    outline is too fine for the observer (see ``crisp``) or that do not stay where they are stood
    (see ``steady``) are left out. Raises ``SceneUnsuitable``
    when nothing is left.
    """
    found = []
    for category, model, (wide, high) in _sizes():
        if footprint[0] <= wide <= footprint[1] and height[0] <= high <= height[1]:
            suits = _measured().get((category, model)) or measure(category, model)
            if suits.stands and (suits.even or not symmetric):
                found.append((category, model))
    if not found:
        raise SceneUnsuitable("no_models", footprint=footprint, height=height)
    return tuple(sorted(found))


class Suits(NamedTuple):
    """What a model is good for: ``stands`` by itself with an outline that masks tell, and is
    ``even``, the same in a mirror."""

    stands: bool
    even: bool


def measure(category: str, model: str) -> Suits:
    """Looks at a model and stands it on a floor, which takes some hundredths of a second."""
    asset = assets.get(category, model)
    # What a transparent object looks like is what stands behind it: it has no mask.
    opaque = "transparent" not in asset.tags
    good = opaque and steady(category, model) and crisp(category, model)
    return Suits(
        stands=good and stays(category, model),
        even=bool(asset.symmetric) and symmetry_plane(category, model) is not None,
    )


def table() -> str:
    """What ``standing.tsv`` holds: every model of an ordinary size, measured.

    It spares each process the half minute that measuring takes; ``scripts/build_standing.py``
    writes it when models have changed. Models that are not in it are measured when needed.
    """
    lines = ["# category\tmodel\tstands\teven"]
    for category, model, (wide, high) in _sizes():
        if wide <= LARGEST and high <= LARGEST:
            suits = measure(category, model)
            lines.append(f"{category}\t{model}\t{suits.stands:d}\t{suits.even:d}")
    return "\n".join(lines) + "\n"


@lru_cache(maxsize=1)
def _measured() -> dict[tuple[str, str], Suits]:
    text = resources.files("esi_fast.generators").joinpath("standing.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return {(row[0], row[1]): Suits(row[2] == "1", row[3] == "1") for row in rows}


@lru_cache(maxsize=1)
def _sizes() -> tuple[tuple[str, str, SizeRange], ...]:
    """Category, model, and its longer horizontal side and height, of all that may be drawn."""
    return tuple(
        (category, model, (float(max(size[:2])), float(size[2])))
        for category in assets.categories()
        if assets.info(category).placeable
        for model, size in list(assets.sizes(category).items())[:MODELS_PER_CATEGORY]
    )


@lru_cache(maxsize=1024)
def symmetry_plane(category: str, model: str) -> float | None:
    """Angle (radians) of the normal of a vertical plane that maps the model's outline to itself.

    ``None`` where no plane of the 36 tried does. Outlines are compared by their support in 360
    directions; the mirror image of such a model is, in outline, the model turned about z.
    """
    # All vertices: the observer's thinned hull leaves out corners whose twins it keeps.
    hull = np.asarray(assets.get(category, model).mesh().vertices)
    diagonal = float(np.linalg.norm(np.ptp(hull, axis=0)))
    azimuth, elevation = np.meshgrid(
        np.linspace(0.0, 2 * np.pi, 72, endpoint=False), np.radians([-60, -30, 0, 30, 60])
    )
    ways = np.stack(
        (
            np.cos(azimuth) * np.cos(elevation),
            np.sin(azimuth) * np.cos(elevation),
            np.sin(elevation),
        ),
        axis=-1,
    )
    support = (ways @ hull.T).max(axis=-1)
    # A plane that contains the direction at 5 k degrees maps azimuth a to 10 k - a degrees.
    column = np.arange(72)
    found = [
        (
            float(np.abs(support[:, (2 * k - column) % 72] - support).max()) / diagonal,
            np.radians(5.0 * k + 90.0),
        )
        for k in range(36)
    ]
    gap, plane = min(found)
    return float(plane) if gap <= SYMMETRY_TOLERANCE else None


def stance(category: str, model: str) -> tuple[FloatArray, FloatArray]:
    """Centre of mass over the lowest point, (3,), and the points that it stands on, (N, 2).

    One density in all collision pieces, as the simulator has it; upright at scale 1, in metres.
    """
    pieces = [np.asarray(piece, dtype=float) for piece in assets.get(category, model).convex]
    volume, moment = 0.0, np.zeros(3)
    for piece in pieces:
        faces = piece[ConvexHull(piece).simplices]
        middle = piece.mean(axis=0)
        # Tetrahedra from the middle to each face.
        volumes = np.abs(np.linalg.det(faces - middle)) / 6.0
        volume += float(volumes.sum())
        moment += volumes @ (faces.sum(axis=1) + middle) / 4.0
    points = np.concatenate(pieces)
    bottom = float(points[:, 2].min())
    return moment / volume - [0.0, 0.0, bottom], points[points[:, 2] < bottom + TOUCHING, :2]


def tips_at(category: str, model: str) -> float:
    """The tangent of the least tilt at which a model that does not slide tips over, any way.

    0 or less for what does not stand at all: on less than three points, or beside them.
    """
    center, feet = stance(category, model)
    if len(feet) < 3 or np.linalg.matrix_rank(feet - feet[0], tol=1e-4) < 2:
        return 0.0
    edges = ConvexHull(feet).equations
    reach = float(-(edges[:, :2] @ center[:2] + edges[:, 2]).max())
    return reach / float(center[2])


@lru_cache(maxsize=1024)
def steady(category: str, model: str) -> bool:
    """Whether a model stands upright on its own: it does not tip when tilted by ``LEAST_TILT``."""
    return tips_at(category, model) >= float(np.tan(LEAST_TILT))


def stays(category: str, model: str) -> bool:
    """Whether a model that is stood on a floor stays as it was put, whatever its scale.

    What ``steady`` cannot tell: a roll of paper on its side settles on one of its facets.
    """
    rows = [
        stand("floor", "floor", "box", (0.0, 0.0), 0.0, role="structure", fixed=True).model_copy(
            update={"scale": (20.0, 4.0, 0.1), "position": (0.0, 0.0, -0.05)}
        )
    ]
    names = []
    for k, scale in enumerate(np.linspace(0.82, 1.18, 5)):
        names.append(f"{k}")
        at = (4.0 * k - 8.0, 0.0)
        rows.append(stand(names[-1], category, model, at, 0.3, scale=float(scale)))
    sim = EmbeddedSimulator()
    sim.load(SceneSpec(name="floor", objects=tuple(rows)))
    rests = sim.settle().at_rest
    now = sim.poses(names)
    sim.close()
    up = geo.transforms.quat_to_matrix(now.orientations)[:, :, 2]
    tilt = np.arctan2(np.hypot(up[:, 0], up[:, 1]), up[:, 2])
    put = np.array([row.position for row in rows[1:]])
    moved = np.linalg.norm(now.positions - put, axis=1)
    return bool(rests and (tilt <= STILL_TILT).all() and (moved <= STILL).all())


@lru_cache(maxsize=1024)
def crisp(category: str, model: str) -> bool:
    """Whether a model's mask tells its outline: one piece that reaches as far as the outline does.

    Thin tips fall between pixel centres, and the observer compares outlines to within 2 px; thin
    stems too, and it takes what they joined for parts with an outline each. The model is sampled
    by parallel rays from 20 directions at the pitch of a pixel 2.5 m away and 4 m away. It is
    crisp when the samples hang together (corners count), and at the finer pitch come within two
    pitches of the exact rectangle on all sides.
    """
    asset = assets.get(category, model)
    scene = geo.Scene()
    for part in asset.parts:
        scene.add_instance(scene.add_mesh(part.vertices, part.faces), object_id=0)
    points = np.concatenate([np.asarray(part.vertices, dtype=float) for part in asset.parts])
    radius = float(np.linalg.norm(points, axis=1).max()) + 0.01
    for elevation in np.radians([5.0, 30.0, 55.0, 80.0]):
        for azimuth in np.radians([0.0, 37.0, 90.0, 143.0, 217.0]):
            forward = -np.array(
                [
                    np.cos(azimuth) * np.cos(elevation),
                    np.sin(azimuth) * np.cos(elevation),
                    np.sin(elevation),
                ]
            )
            right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
            up = np.cross(right, forward)
            flat = np.column_stack((points @ right, points @ up))
            low, high = flat.min(axis=0), flat.max(axis=0)
            for pitch in PITCHES:
                axes = [np.arange(low[k] + pitch / 2, high[k], pitch) for k in (0, 1)]
                if not len(axes[0]) or not len(axes[1]):
                    return False
                grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
                origins = grid[:, :1] * right + grid[:, 1:] * up - 2.0 * radius * forward
                hit = geo.raycast.any(scene, origins, np.broadcast_to(forward, origins.shape))
                mask = hit.reshape(len(axes[0]), len(axes[1]))
                if ndimage.label(mask, structure=np.ones((3, 3)))[1] != 1:
                    return False
                if pitch > PITCHES[0]:
                    continue
                seen = grid[hit]
                short = max((seen.min(axis=0) - low).max(), (high - seen.max(axis=0)).max())
                if short > 2.0 * pitch:
                    return False
    return True
