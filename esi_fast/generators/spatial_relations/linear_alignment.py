"""Are three objects in a line? (appendix Q.9)

Three objects stand in a row on the floor, evenly spaced; the middle one is in line with the
others or off it. The first view looks across the row at grazing height, where depth, and so the
offset, cannot be told from outlines; a view from above can.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.errors import PlacementRejected
from esi_fast.generators import pick, slide, views
from esi_fast.generators.base import Draft, Task, World
from esi_fast.generators.observer.localise import Cells
from esi_fast.generators.observer.standing import middles, standing, thin
from esi_fast.generators.place import FreeFloor, draw_room, stand
from esi_fast.generators.topview import spots_from_above
from esi_fast.records import Evidence, FrameRecord, ObjectSpec, Question
from esi_fast.registry import register
from esi_fast.sim.base import Simulator, Snapshot
from esi_fast.types import BoolArray, FloatArray, JsonDict

__all__ = ["LinearAlignment"]

NAMES = ("first", "second", "third")
# TASKS: offset of the middle box centre from the line of the outer two.
IN_LINE, OFF_LINE = 0.02, 0.10
# TASKS: threshold of the witness, between the two.
WITNESS_THRESHOLD = 0.06
# Grazing: just above the 0.1 m sphere that the camera is.
EYE_HEIGHT = 0.12

# Masks of twins are equal within 2 px, of which rounding to pixels takes some.
_TWIN_PX = 1.7

TEXTS = (
    "Are the {a}, the {b} and the {c} in a straight line?",
    "Do the {a}, the {b} and the {c} stand in one straight line?",
    "Would a straight line on the floor pass under the {a}, the {b} and the {c}?",
)


@register("task", "spatial_relations/linear_alignment")
class LinearAlignment(Task):
    """Collinear or not; answers ``yes`` and ``no``."""

    answers = ("yes", "no")
    vantages = ("steep", "above")

    def build(self, world: World, want: str) -> Draft:
        """Draw a row on free floor and a camera across it."""
        models = world.models((0.07, 0.26), (0.10, 0.36))
        pair = world.pair_rng("objects")
        kinds = pick.different(models, len(NAMES), pair)
        palette = int(pair.integers(4))
        room = draw_room(world.home, pair, radius=0.8)
        floor = FreeFloor(world.home, room)

        rng = world.rng
        scales = [pick.scale_of(rng) for _ in kinds]
        radii = [
            float(np.linalg.norm(assets.get(*kind).size[:2])) / 2 * scale
            for kind, scale in zip(kinds, scales, strict=True)
        ]
        # Appendix Q.9: evenly spaced; the published sets leave 0.25 to 0.30 m between objects.
        spacing = float(rng.uniform(0.25, 0.30)) + 2.0 * float(np.mean(radii))
        side = float(rng.choice([-1.0, 1.0]))
        offset = 0.0 if want == "yes" else side * float(rng.uniform(0.12, 0.17))
        spots, eye = _draw_row(floor, rng, spacing, offset, max(radii) + 0.02)
        ahead = spots.mean(axis=0) - eye
        camera = views.camera_at(
            (float(eye[0]), float(eye[1]), EYE_HEIGHT),
            yaw=float(np.arctan2(ahead[1], ahead[0])),
            pitch=0.0,
            vfov_deg=60.0,
        )
        tops = np.column_stack((spots, [0.1] * 3))
        if not geo.occlusion.visible(world.home.scene, [camera.position], tops).all():
            raise PlacementRejected("row_hidden")

        objects = tuple(
            stand(
                name,
                *kind,
                spot,
                float(rng.uniform(-np.pi, np.pi)),
                scale=scale,
                room=room.id,
                palette=palette,
            )
            for name, kind, spot, scale in zip(NAMES, kinds, spots, scales, strict=True)
        )
        words = [pick.noun(kinds[k][0]) for k in rng.permutation(3)]
        text = TEXTS[int(rng.integers(len(TEXTS)))].format(a=words[0], b=words[1], c=words[2])
        return Draft(
            want=want,
            question=Question(
                text=text, options=tuple(str(o) for o in rng.permutation(self.answers))
            ),
            camera=camera,
            objects=objects,
            targets=NAMES,
            public={
                "objects": [{"category": c, "model": m} for c, m in sorted(kinds)],
                "bounds": views.floor_bounds(world.home, margin=0.0),
            },
        )

    def label(self, snapshot: Snapshot, draft: Draft) -> Evidence:
        """Offset of the middle box centre from the line of the outer two."""
        centers = np.stack([snapshot.centers()[snapshot.index(name)] for name in draft.targets])
        centers[:, 2] = 0.0
        offset = float(geo.relations.collinearity_offset(centers).offset)
        numbers = {"offset": offset}
        if offset <= IN_LINE:
            return Evidence(answer="yes", method="box_centers", numbers=numbers)
        if offset >= OFF_LINE:
            return Evidence(answer="no", method="box_centers", numbers=numbers)
        raise PlacementRejected("offset_between", **numbers)

    def witness(self, sim: Simulator, snapshot: Snapshot, draft: Draft) -> Evidence:
        """The same offset from a picture taken from above: depth and ids, back-projected."""
        a, b, c = spots_from_above(sim, snapshot, draft.targets)
        # Twice the triangle's area over its longest side is the offset of the vertex between.
        longest = max(float(np.hypot(*(p - q))) for p, q in ((a, b), (b, c), (a, c)))
        area = abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
        offset = float(area) / longest
        answer = "yes" if offset <= WITNESS_THRESHOLD else "no"
        return Evidence(answer=answer, method="view_from_above", numbers={"offset": offset})

    def still_possible(self, history: Sequence[FrameRecord], public: JsonDict) -> frozenset[str]:
        """The answers of all triples of places that explain the outlines."""
        found = [standing(history, kind, public) for kind in public["objects"]]
        if any(cells is None for cells in found):
            return frozenset(self.answers)
        low, high = _offset_range([cells for cells in found if cells is not None])
        return frozenset(
            answer for answer, holds in (("yes", low <= IN_LINE), ("no", high >= OFF_LINE)) if holds
        )

    def places(self, history: Sequence[FrameRecord], public: JsonDict) -> list[FloatArray]:
        """The middle of what each object's outlines allow."""
        return middles(history, public)

    def twin(
        self, snapshot: Snapshot, draft: Draft, rng: np.random.Generator
    ) -> tuple[ObjectSpec, ...] | None:
        """The objects slid along the rays of the first view, into line or out of it."""
        now = [snapshot.objects[snapshot.index(name)] for name in draft.targets]
        centers, ranges = slide.freedom(snapshot, draft.camera, draft.targets, _TWIN_PX)
        low, high = np.array(ranges).T
        tried = rng.uniform(low, high, size=(4096, len(now)))
        places = slide.moved(draft.camera, centers, tried)
        flat = np.concatenate((places, np.zeros((*places.shape[:2], 1))), axis=-1)
        offset = geo.relations.collinearity_offset(flat).offset
        in_line = self.label(snapshot, draft).answer == "yes"
        found = tried[(offset >= OFF_LINE) if in_line else (offset <= IN_LINE)]
        if not len(found):
            return None
        return tuple(
            slide.slid(obj, draft.camera, float(k)) for obj, k in zip(now, found[0], strict=True)
        )


def _draw_row(
    floor: FreeFloor, rng: np.random.Generator, spacing: float, offset: float, radius: float
) -> tuple[FloatArray, FloatArray]:
    """Three places (3, 2) on free floor and a free place (2,) to look across the row from."""
    count = 256
    low, high = np.asarray(floor.room.lower), np.asarray(floor.room.upper)
    centers = rng.uniform(low, high, size=(count, 1, 2))
    angles = rng.uniform(-np.pi, np.pi, size=count)
    along = np.column_stack((np.cos(angles), np.sin(angles)))[:, None]
    across = np.column_stack((-np.sin(angles), np.cos(angles)))[:, None]
    steps = np.array([-1.0, 0.0, 1.0])[None, :, None]
    spots = centers + spacing * steps * along + offset * (steps == 0.0) * across
    eyes = (centers - rng.uniform(1.9, 2.5, size=(count, 1, 1)) * across)[:, 0]
    good = floor.is_free(spots.reshape(-1, 2), radius).reshape(count, 3).all(axis=1)
    good &= floor.is_free(eyes, 0.2)
    if not good.any():
        raise PlacementRejected("row_blocked", spacing=spacing)
    k = int(np.argmax(good))
    return np.asarray(spots[k]), np.asarray(eyes[k])


def _offset_range(found: Sequence[Cells]) -> tuple[float, float]:
    """Bounds of the middle one's offset from the line of the outer two over all triples.

    Moving the middle point by r changes its offset by at most r, moving an outer one by at most
    r while the foot of the offset lies between the outer two (a convex combination).
    """
    if any(not len(cells) for cells in found):
        return np.inf, -np.inf
    (a, ra), (b, rb), (c, rc) = (thin(cells) for cells in found)
    slack = sum(sorted((ra, rb, rc))[1:])
    p = a[:, None, None]
    q = b[None, :, None]
    r = c[None, None, :]
    area = np.abs((q - p)[..., 0] * (r - p)[..., 1] - (q - p)[..., 1] * (r - p)[..., 0])
    longest = np.maximum(
        np.maximum(np.linalg.norm(q - p, axis=-1), np.linalg.norm(r - q, axis=-1)),
        np.linalg.norm(r - p, axis=-1),
    )
    degenerate: BoolArray = longest < 1e-6
    offset = np.where(degenerate, 0.0, area / np.maximum(longest, 1e-6))
    return float(offset.min()) - slack, float(offset.max()) + slack
