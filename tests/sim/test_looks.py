"""Objects that are asked for by what they are: masks by looks, coats over the parts."""

from __future__ import annotations

import numpy as np
import pytest
from sim_worlds import ground, world

from esi_fast import assets
from esi_fast.assets.coats import FINISHES, coat_of
from esi_fast.errors import UnknownName
from esi_fast.geometry.render import Material
from esi_fast.records import CameraSpec, CoatSpec, ObjectSpec, canonical_json, read_record
from esi_fast.sim.actions import camera_orientation
from esi_fast.sim.base import Simulator
from esi_fast.sim.episode import EpisodeCore
from esi_fast.sim.looks import Likeness, look_of
from esi_fast.sim.masks import decode_mask

MODEL = assets.models("microwave")[0]
EYE = CameraSpec(
    position=(1.2, 0.3, 0.3), orientation=camera_orientation(np.pi + 0.2, -0.1), width=96, height=96
)


def _thing(*, appearance: str = "", coat: CoatSpec | None = None) -> ObjectSpec:
    height = assets.sizes("microwave")[MODEL][2]
    return ObjectSpec(
        id="thing",
        category="microwave",
        model=MODEL,
        position=(0.0, 0.0, height / 2),
        role="question",
        appearance=appearance,
        coat=coat,
    )


def test_masks_go_by_the_looks_of_parts(backend: Simulator) -> None:
    backend.load(world(ground(), _thing()))
    plain = EpisodeCore(backend, EYE).observe(rgb=False)
    whole = decode_mask(plain.record.masks["microwave"], (96, 96))
    backend.load(world(ground(), _thing(appearance="object")))
    view = EpisodeCore(backend, EYE).observe(rgb=False)
    assert not any("microwave" in name for name in view.record.masks)
    mine = [name for name in view.record.masks if name.startswith("object:")]
    assert len(mine) > 2
    parts = sum(decode_mask(view.record.masks[name], (96, 96)).astype(int) for name in mine)
    np.testing.assert_array_equal(parts, whole.astype(int))
    assert set(view.record.masks) == {"floor", *mine}


def test_parts_of_one_look_share_a_mask_and_a_coat_unites_them(backend: Simulator) -> None:
    count = len(assets.get("microwave", MODEL).parts)
    coat = CoatSpec(finish="wood", index=2, parts=tuple(range(count)))
    backend.load(world(ground(), _thing(appearance="object", coat=coat)))
    view = EpisodeCore(backend, EYE).observe(rgb=True)
    wood = look_of(FINISHES["wood"][2])
    assert set(view.record.masks) == {"floor", f"object:{wood}"}


def test_a_coat_changes_the_picture_where_it_is(backend: Simulator) -> None:
    backend.load(world(ground(), _thing()))
    before = backend.render([EYE], ("rgb", "ids"))[0]
    backend.load(world(ground(), _thing(coat=CoatSpec(finish="plastic", index=0, parts=(0,)))))
    after = backend.render([EYE], ("rgb", "ids"))[0]
    assert before.rgb is not None
    assert after.rgb is not None
    assert before.ids is not None
    thing = before.ids == backend.geometry().index("thing")
    # Red plastic: bluer and greener parts lose, none of the floor far from it changes.
    red = after.rgb.astype(int)[thing] - before.rgb.astype(int)[thing]
    assert (np.abs(red).max(axis=1) > 20).mean() > 0.2
    assert np.abs(after.rgb.astype(int) - before.rgb.astype(int))[-3:].max() <= 3


def test_likeness_meets_the_parts_that_the_world_shows(backend: Simulator) -> None:
    backend.load(world(ground(), _thing(appearance="object")))
    snapshot = backend.geometry()
    likeness = Likeness(snapshot.objects[snapshot.index("thing")])
    np.testing.assert_allclose(
        likeness.scene.world_triangles(0),
        snapshot.scene.world_triangles(snapshot.index("thing")),
        atol=1e-12,
    )
    rays = np.array([[3.0, 0.0, 0.1], [3.0, 0.0, 5.0]])
    part = likeness.parts(rays, np.array([[-1.0, 0.0, 0.0]] * 2))
    assert part[0] >= 0
    assert part[1] == -1


def _print(value: int) -> Material:
    return Material(texture="image", image=np.full((2, 2, 3), value, dtype=np.uint8))


def test_looks_tell_colour_kind_and_print() -> None:
    assert look_of(Material(color=(1.0, 0.0, 0.5))) == "#ff0080"
    assert look_of(Material(color=(1.0, 1.0, 1.0), kind="glass")) == "glass-#ffffff"
    prints = [look_of(_print(value)) for value in (3, 3, 9)]
    assert prints[0] == prints[1] != prints[2]


def test_coats_are_records_and_count_round() -> None:
    thing = _thing(coat=CoatSpec(finish="enamel", index=1, parts=(0, 2)), appearance="object")
    assert read_record(ObjectSpec, canonical_json(thing)) == thing
    palette = FINISHES["enamel"]
    assert coat_of(CoatSpec(finish="enamel", index=len(palette) + 1, parts=())) == palette[1]
    with pytest.raises(UnknownName, match="enamel"):
        coat_of(CoatSpec(finish="enamal", parts=()))
