"""Which categories look alike: properties of the measure, and what a person would say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from esi_fast import assets
from esi_fast.assets import confusables as cf
from esi_fast.errors import BackendUnavailable, UnknownName
from esi_fast.types import FloatArray, UInt8Array

SOME = ("apple", "bowl", "hammer", "mug", "orange", "plate")


@pytest.fixture(scope="module")
def table() -> FloatArray:
    names, table = cf.similarity(SOME)
    assert names == SOME
    return table


def test_the_measure_is_a_similarity(table: FloatArray) -> None:
    np.testing.assert_allclose(np.diag(table), 1.0)
    np.testing.assert_allclose(table, table.T)
    assert ((table >= 0.0) & (table <= 1.0)).all()
    off = table[~np.eye(len(SOME), dtype=bool)]
    assert off.max() < 0.97


def test_the_measure_does_not_depend_on_what_else_is_asked(table: FloatArray) -> None:
    _, two = cf.similarity(("apple", "mug"))
    assert two[0, 1] == pytest.approx(table[0, 3], abs=1e-12)


def test_looks_alike_as_a_person_would_say(table: FloatArray) -> None:
    place = {name: k for k, name in enumerate(SOME)}

    def alike(a: str, b: str) -> float:
        return float(table[place[a], place[b]])

    assert alike("apple", "orange") > alike("apple", "mug") > alike("apple", "hammer")
    assert alike("bowl", "mug") > alike("bowl", "hammer")
    assert alike("plate", "bowl") > alike("plate", "hammer")


def test_the_look_of_a_known_shape() -> None:
    """A ball fills pi / 4 of the square around it, from all sides."""
    look = cf.look_of("baseball")
    np.testing.assert_allclose((look.relief > 0).mean(axis=(2, 3)), np.pi / 4, atol=0.03)
    # A hemisphere stands 2/3 of its radius high, on average over the disc below it.
    nearness = look.relief[look.relief > 0].mean()
    assert nearness == pytest.approx(0.5 + (2 / 3) / 2, abs=0.05)
    # Distances of random points of a sphere: density proportional to the distance, up to 3/2 of
    # the mean, 4/3 of the radius.
    edges = np.linspace(0.0, 3.0, len(look.shape) + 1)
    expected = np.diff(np.minimum(edges / 1.5, 1.0) ** 2)
    np.testing.assert_allclose(look.shape, expected, atol=0.02)
    assert look.colour.sum() == pytest.approx(1.0)


def test_the_stored_table_is_fresh_and_whole() -> None:
    stored = {name: cf.confusables(name) for name in assets.categories()}
    compared = {name for name, best in stored.items() if best}
    assert compared == {n for n in assets.categories() if assets.info(n).kind != "structure"}
    for name in ("mug", "apple", "hammer", "sofa"):
        best = stored[name]
        assert len(best) == cf.TOP
        assert list(best.values()) == sorted(best.values(), reverse=True)
        _, table = cf.similarity((name, *best))
        np.testing.assert_allclose(table[0, 1:], list(best.values()), atol=0.005)
    assert any("cup" in other or "mug" in other for other in stored["mug"])


def test_unknown_categories_and_structure() -> None:
    with pytest.raises(UnknownName, match="mug"):
        cf.confusables("mugg")
    assert cf.confusables("wall") == {}


def test_an_encoder_of_ones_own() -> None:
    def encoder(pictures: Sequence[UInt8Array]) -> FloatArray:
        assert all(picture.shape == (224, 224, 3) for picture in pictures)
        # The first two alike, the third opposite.
        return np.array([[1.0, 0.0], [2.0, 0.0], [-1.0, 0.0]])

    names = ("apple", "orange", "mug")
    _, seen = cf.similarity(names, encoder=encoder)
    assert seen[0, 1] > 0.75 > 0.25 >= seen[0, 2]
    np.testing.assert_allclose(np.diag(seen), 1.0)
    with pytest.raises(ValueError, match=r"encoder: expected shape \(3, D\)"):
        cf.similarity(names, encoder=lambda pictures: np.zeros(3))


def test_clip_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "open_clip", None)
    with pytest.raises(BackendUnavailable, match="open_clip"):
        cf.clip_encoder(weights="none")
