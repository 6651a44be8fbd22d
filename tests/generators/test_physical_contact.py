"""Contact: gaps of known shapes, objects pushed together and apart, what single frames exclude."""

from __future__ import annotations

import numpy as np
import pytest

from esi_fast import geometry as geo
from esi_fast.generators import views
from esi_fast.generators.pick import pool
from esi_fast.generators.place import stand
from esi_fast.generators.spatial_relations import physical_contact as module
from esi_fast.generators.spatial_relations.physical_contact import PhysicalContact
from esi_fast.records import CameraSpec, FrameRecord, ObjectSpec
from esi_fast.sim.masks import encode_mask

KINDS = pool((0.10, 0.26), (0.10, 0.22))
PAIR = [{"category": c, "model": m} for c, m in (KINDS[0], KINDS[-1])]
PUBLIC = {"objects": PAIR, "bounds": [[-3.0, -3.0], [3.0, 3.0]]}
LEVEL = views.camera_at((0.0, 0.0, 0.12), yaw=0.0, pitch=0.0, vfov_deg=60.0)
DOWN = views.camera_at((0.0, 0.0, 1.35), yaw=0.0, pitch=-np.pi / 2, vfov_deg=60.0)


def _square(x: float, y: float, side: float) -> np.ndarray:
    half = side / 2
    return np.array([[x + a * half, y + b * half] for a in (-1, 1) for b in (-1, 1)])


@pytest.mark.parametrize(
    ("x", "y", "gap"),
    [
        (0.30, 0.00, 0.10),
        (0.00, -0.25, 0.05),
        # Corner to corner: along the diagonal.
        (0.30, 0.30, 0.10 * np.sqrt(2.0)),
        (0.20, 0.00, 0.00),
        (0.10, 0.00, -0.10),
    ],
)
def test_the_gap_between_squares(x: float, y: float, gap: float) -> None:
    one, other = (module._support(_square(*at, 0.2)) for at in ((0.0, 0.0), (x, y)))
    assert module._gaps(one, other).max() == pytest.approx(gap, abs=1e-4)


def _distance(pair: tuple[ObjectSpec, ...]) -> float:
    one, other = (module._triangles(obj) for obj in pair)
    return float(geo.distance.mesh_distance(one, other).distance)


@pytest.mark.parametrize("seed", range(3))
def test_pushed_together_moved_apart_and_together_again(seed: int) -> None:
    """Solids meet within a third of a millimetre; their parted twin has the gap; and back."""
    rng = np.random.default_rng(seed)
    kinds = [KINDS[int(k)] for k in rng.integers(len(KINDS), size=2)]
    way = np.array([np.cos(0.5), np.sin(0.5)])
    start = [
        stand(name, *kind, np.array([1.5, 0.0]), float(rng.uniform(-3, 3)))
        for name, kind in zip(module.NAMES, kinds, strict=True)
    ]
    touching = module._touch(start[0], start[1], way)
    assert touching is not None
    assert 0.0 < _distance(touching) <= module._NEAR[1]
    apart = module._part(touching, LEVEL, module._TWIN_PX, rng)
    assert apart is not None
    one, other = (module._triangles(obj).reshape(-1, 3)[:, :2] for obj in apart)
    gap = float(module._gaps(module._support(one), module._support(other)).max())
    assert module._GAP[0] - 1e-6 <= gap <= module._GAP[1] + 1e-6
    # No surface is nearer than the slab between them is wide.
    assert _distance(apart) >= gap - 1e-6
    again = module._join(apart, LEVEL, 2.2, rng)
    assert again is not None
    assert 0.0 < _distance(again) <= module._NEAR[1]


def _frame(
    camera: CameraSpec, first: tuple[slice, slice], second: tuple[slice, slice], **more: slice
) -> FrameRecord:
    """Rectangles (rows, columns) of the two and of others on a floor; later ones on top."""
    masks = {}
    names = [PAIR[0]["category"], PAIR[1]["category"], *more]
    taken = np.zeros((512, 512), dtype=bool)
    places = [first, second, *((rows, slice(0, 512)) for rows in more.values())]
    for name, where in reversed(list(zip(names, places, strict=True))):
        mask = np.zeros((512, 512), dtype=bool)
        mask[where] = True
        masks[name] = encode_mask(mask & ~taken)
        taken |= mask
    return FrameRecord(camera=camera, masks={**masks, "floor": encode_mask(~taken)})


ROWS = slice(226, 286)


def _possible(*frames: FrameRecord) -> frozenset[str]:
    return PhysicalContact().still_possible(frames, PUBLIC)


@pytest.mark.parametrize(
    ("start", "possible"),
    [(262, {"no"}), (261, {"yes", "no"}), (258, {"yes", "no"})],
)
def test_background_wider_than_two_edges_may_err_excludes_contact(
    start: int, possible: set[str]
) -> None:
    frame = _frame(LEVEL, (ROWS, slice(200, 256)), (ROWS, slice(start, 320)))
    assert _possible(frame) == possible


def test_what_may_be_hidden_decides_nothing() -> None:
    """A board before both may hide the contact; the picture's border may, too."""
    first, second = (ROWS, slice(200, 256)), (ROWS, slice(280, 320))
    assert _possible(_frame(LEVEL, first, second)) == {"no"}
    assert _possible(_frame(LEVEL, first, second, board=slice(270, 290))) == {"yes", "no"}
    assert _possible(_frame(LEVEL, first, (ROWS, slice(280, 512)))) == {"yes", "no"}


def test_masks_that_adjoin_straight_below_leave_no_room_for_a_gap() -> None:
    first, second = (ROWS, slice(200, 256)), (ROWS, slice(256, 320))
    assert _possible(_frame(DOWN, first, second)) == {"yes"}
    # The same picture from the side: one may be behind the other.
    assert _possible(_frame(LEVEL, first, second)) == {"yes", "no"}
    # And at the side of a picture from above, where the ray is slanted.
    aside = _frame(DOWN, (ROWS, slice(400, 456)), (ROWS, slice(456, 500)))
    assert _possible(aside) == {"yes", "no"}


def test_the_bound_of_a_slanted_border_holds_for_real_points() -> None:
    """Points on the two rays, anywhere between floor and tops, lie within what is stated."""
    rng = np.random.default_rng(4)
    frame = _frame(DOWN, (ROWS, slice(230, 286)), (ROWS, slice(286, 320)))
    stated = module._most_apart(frame, PUBLIC)
    lens = views.pinhole(DOWN)
    tops = [
        2.0 * module.shape_of(kind["category"], kind["model"]).half_height * 1.2 for kind in PAIR
    ]
    # The border is a column of pixel pairs; the best of them is at the middle row.
    worst = 0.0
    for _ in range(500):
        points = []
        for column, top in zip((285.5, 286.5), tops, strict=True):
            pixel = np.array([[column + rng.uniform(-1.4, 1.4), 256.0 + rng.uniform(-1.4, 1.4)]])
            origins, rays = lens.rays(pixel)
            origin, ray = np.asarray(origins).reshape(-1, 3)[0], rays[0]
            points.append((origin + ray * (rng.uniform(0.0, top) - origin[2]) / ray[2])[:2])
        worst = max(worst, float(np.linalg.norm(points[0] - points[1])))
    assert 0.3 * stated < worst <= stated


def test_borders_and_gaps_of_masks() -> None:
    first, second = np.zeros((8, 8), dtype=bool), np.zeros((8, 8), dtype=bool)
    first[2:5, 1:3] = True
    second[2:4, 3:6] = True
    border = module._border(first, second)
    assert sorted(map(tuple, border.first)) == [(2.5, 2.5), (2.5, 3.5)]
    assert sorted(map(tuple, border.second)) == [(3.5, 2.5), (3.5, 3.5)]
    assert module._apart_px(first, second) == 0.0
    assert module._apart_px(first, np.roll(second, 2, axis=1)) == 2.0
