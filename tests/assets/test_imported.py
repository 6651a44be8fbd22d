"""A user's own meshes: what comes in, and what is refused with which numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from esi_fast import assets
from esi_fast.assets import imported, library, solids
from esi_fast.assets.solids import Solid
from esi_fast.errors import RecordError, UnknownName
from esi_fast.records import ObjectSpec, SceneSpec
from esi_fast.sim.embedded import EmbeddedSimulator


def write(path: Path, solid: Solid, *, drop: int = 0, flip: bool = False) -> Path:
    """An OBJ file of a solid, without its last ``drop`` faces, or turned inside out."""
    path.parent.mkdir(parents=True, exist_ok=True)
    faces = solid.faces[: len(solid.faces) - drop, :: -1 if flip else 1]
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in solid.vertices.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces.tolist()]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """The catalogue of the process, put back afterwards."""
    monkeypatch.setattr(library, "_IMPORTED", {})


def test_two_boxes_become_a_model_that_stands(tmp_path: Path, catalogue: None) -> None:
    foot = solids.box(0.2, 0.3, 0.1)
    tower = solids.joined(foot, solids.box(0.1, 0.1, 0.3).moved(z=0.1))
    write(tmp_path / "gnome_tower" / "first.obj", tower.moved(x=5.0), flip=True)
    assert assets.from_folder(tmp_path) == ("gnome_tower",)
    asset = assets.get("gnome_tower", "first", 2)
    assert asset.size == pytest.approx((0.2, 0.3, 0.4))
    assert asset.mass == pytest.approx(imported.DENSITY * (0.2 * 0.3 * 0.1 + 0.1 * 0.1 * 0.3))
    # Components collide on their own: the step between them stays.
    assert sorted(np.ptp(p, axis=0)[2] for p in asset.convex) == pytest.approx([0.1, 0.3])
    mesh = asset.mesh()
    assert np.allclose(np.stack([mesh.vertices.min(0), mesh.vertices.max(0)]).sum(0), 0.0)
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    assert (
        np.einsum("ij,ij->i", a, np.cross(b, c)).sum() > 0.0
    )  # outwards, although written inwards
    assert "gnome_tower" in assets.categories("object")
    assert assets.info("gnome_tower").placeable
    floor = ObjectSpec(
        id="floor", category="floor", model="box", position=(0, 0, -0.05), scale=(4, 4, 0.1),
        role="structure", fixed=True,
    )  # fmt: skip
    thing = ObjectSpec(
        id="thing", category="gnome_tower", model="first", position=(0, 0, 0.21), role="question"
    )
    simulator = EmbeddedSimulator()
    simulator.load(SceneSpec(name="own", objects=(floor, thing)))
    assert simulator.settle(2.0).at_rest
    assert simulator.poses(["thing"]).positions[0, 2] == pytest.approx(0.2, abs=1e-3)


def test_refusals_say_how_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = solids.box(0.1, 0.1, 0.1)

    def refused(path: Path, match: str) -> None:
        with pytest.raises(RecordError, match=match):
            imported.load_mesh(path, category="x", model="y")

    refused(write(tmp_path / "open.obj", box, drop=2), r"closed surface, got [1-9]\d* edges")
    refused(write(tmp_path / "far.obj", box.scaled(2000.0)), r"0\.0001 to 100\.0 m, got 200 to 200")
    flat = write(tmp_path / "flat.obj", box.scaled(1.0, 1.0, 1e-5))
    refused(flat, r"0\.0001 to 100\.0 m, got 1e-06 to 0\.1")
    broken = tmp_path / "nan.obj"
    broken.write_text(write(tmp_path / "b.obj", box).read_text().replace("v 0.05", "v nan", 1))
    refused(broken, r"finite coordinates, got \d+ vertices")
    (tmp_path / "none.obj").write_text("v 0 0 0\nv 1 0 0\n")
    refused(tmp_path / "none.obj", "none.obj: ")
    (tmp_path / "noise.glb").write_bytes(bytes(range(256)) * 8)
    refused(tmp_path / "noise.glb", "cannot be read as a mesh")
    refused(tmp_path / "absent.obj", "absent.obj: No such file")
    good = write(tmp_path / "good.obj", box)
    monkeypatch.setattr(imported, "MOST_FACES", 10)
    refused(good, f"at most 10 triangles, got {len(box.faces)}")
    monkeypatch.setattr(imported, "MOST_BYTES", 100)
    refused(good, f"at most 100 bytes, got {good.stat().st_size}")


def test_a_bad_file_leaves_the_catalogue_alone(tmp_path: Path, catalogue: None) -> None:
    before = assets.categories()
    write(tmp_path / "gnome" / "good.obj", solids.box(0.1, 0.1, 0.1))
    write(tmp_path / "gnome" / "open.obj", solids.box(0.1, 0.1, 0.1), drop=1)
    with pytest.raises(RecordError, match="closed surface"):
        assets.from_folder(tmp_path)
    assert assets.categories() == before
    with pytest.raises(UnknownName, match="unknown category 'gnome'"):
        assets.models("gnome")


def test_bad_folders(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="folder: expected meshes"):
        assets.from_folder(tmp_path)
    with pytest.raises(RecordError, match="No such file"):
        assets.from_folder(tmp_path / "absent")
    write(tmp_path / "mug" / "mine.obj", solids.box(0.1, 0.1, 0.1))
    with pytest.raises(ValueError, match="names of new categories, got mug"):
        assets.from_folder(tmp_path)
