"""The embedded simulator: MuJoCo for rigid bodies, our kernels for geometry and pictures.

Loading, adding, moving and looking never touch the physics engine; it is built when something has
to fall, slide or touch. One scene serves visibility, maps and pictures.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import mujoco
import numpy as np
from numpy.typing import NDArray

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.assets.houses import door_pose
from esi_fast.records import CameraSpec, ObjectSpec, SceneSpec
from esi_fast.registry import register
from esi_fast.sim import _liquid as liquid
from esi_fast.sim._cloth import Cloths
from esi_fast.sim._drive import STILL, swings_of
from esi_fast.sim._lights import (
    dazzled,
    is_lamp,
    lamp_reach,
    lamps_for,
    light_of,
    lights_of,
    rooms_of,
)
from esi_fast.sim._maps import RESOLUTION, free_cells, grid_frame, room_cells
from esi_fast.sim._rigid import RigidWorld, Saved
from esi_fast.sim._soft import SPREAD, Skin, is_cloth
from esi_fast.sim._states import FAR, body_of, check_rooms, check_value, with_state
from esi_fast.sim._view import View, world_box
from esi_fast.sim.base import (
    Capability,
    Contacts,
    Contents,
    DriveReport,
    Frame,
    GridFloor,
    Poses,
    PourReport,
    SettleReport,
    Simulator,
    Snapshot,
)
from esi_fast.sim.lens import pinhole
from esi_fast.types import BoolArray, FloatArray

__all__ = ["EmbeddedSimulator"]

_MODALITIES: tuple[geo.render.Modality, ...] = ("rgb", "depth", "ids", "seen_ids", "normals")


@dataclass(frozen=True)
class _Token:
    scene: SceneSpec
    objects: dict[str, ObjectSpec]
    rigid: Saved
    cloths: dict[str, FloatArray]


@register("backend", "embedded")
class EmbeddedSimulator(Simulator):
    """Rigid worlds on this machine's CPU, without display, GPU or download.

    ``threads`` for pictures and BVH builds (0: one per core); ``settings`` of the renderer.
    The same calls give the same bits, whatever the number of threads.
    """

    name = "embedded"
    version = f"mujoco-core {mujoco.__version__}"
    capabilities = frozenset(
        {
            Capability.RIGID,
            Capability.ARTICULATION,
            Capability.LIQUID,
            Capability.CLOTH,
            Capability.LIGHTS,
            Capability.MIRROR,
            Capability.TRANSPARENCY,
            Capability.ROBOT,
            Capability.ROOMS,
        }
    )
    approximations = (
        "friction: one coefficient per object; a pair takes the larger, or that of the object "
        "whose friction was set",
        "friction_dynamic: a sliding object takes the coefficient of its fastest contact for all "
        "its contacts, until it stops",
        "restitution: no parameter; things come up by at most a hundredth of their fall, and not "
        "at all from less than 0.25 m",
        "articulation: doors and lids move only while they are driven, and stay where they stop",
        "cloth: rigid bodies hold it up, it pushes none; it is simulated after they have moved",
        "liquid: at rest it stands level at once, weighs nothing and pushes nothing",
    )

    def __init__(self, *, threads: int = 0, settings: geo.render.Settings | None = None) -> None:
        self._threads = threads
        self._settings = settings or geo.render.Settings(threads=threads)
        self._scene = SceneSpec(name="empty")
        self._objects: dict[str, ObjectSpec] = {}
        self._rows: dict[str, int] = {}
        self._rigid = RigidWorld()
        self._view: View | None = None
        self._snapshot: Snapshot | None = None
        self._floor: tuple[Snapshot, GridFloor] | None = None
        self._reach: tuple[object, BoolArray] | None = None
        self._partial: tuple[Snapshot, frozenset[str], View] | None = None
        self._boxes: dict[str, FloatArray] = {}
        self._moved: set[str] = set()
        self._closed = False
        self._fillings = liquid.Fillings()
        self._cloths = Cloths()

    # -- content ---------------------------------------------------------------------------

    def load(self, scene: SceneSpec) -> None:
        """Replace the world; nothing changes where ``UnknownName`` (a model that does not exist),
        ``ObjectTooLarge`` (for its room) or ``ValueError`` says what is wrong."""
        self._check_open()
        bodies = [body_of(spec) for spec in scene.objects]
        check_rooms(scene.objects, bodies, scene.rooms)
        cloths = Cloths()
        cloths.load({spec.id: spec for spec in scene.objects})
        self._cloths = cloths
        self._scene = scene.with_objects(())
        self._objects = {spec.id: spec for spec in scene.objects}
        self._index()
        self._rigid = RigidWorld()
        self._rigid.replace(
            bodies,
            _array([s.position for s in scene.objects], 3),
            _array([s.orientation for s in scene.objects], 4),
            np.zeros((len(bodies), 6)),
        )
        self._view = self._partial = None
        self._boxes = {}
        self._moved = set()
        self._snapshot = None

    def spec(self) -> SceneSpec:
        """The world now, as plain data."""
        self._check_open()
        return self._scene.with_objects(self._posed())

    def add(self, objects: Sequence[ObjectSpec]) -> None:
        """Add objects at the end of the order of ids; the same errors as ``load``."""
        self._check_open()
        fresh: dict[str, ObjectSpec] = {}
        for spec in objects:
            if spec.id in self._objects or spec.id in fresh:
                raise ValueError(f"objects: id {spec.id!r} exists already")
            fresh[spec.id] = spec
        bodies = [body_of(spec) for spec in fresh.values()]
        check_rooms(objects, bodies, self._scene.rooms)
        self._cloths.load(fresh)
        if not fresh:
            return
        self._rigid.append(
            bodies,
            _array([s.position for s in objects], 3),
            _array([s.orientation for s in objects], 4),
        )
        self._rows.update({name: len(self._objects) + k for k, name in enumerate(fresh)})
        self._objects.update(fresh)
        # One of that name may have been drawn before, elsewhere.
        self._moved.update(fresh)
        self._snapshot = None

    def remove(self, ids: Sequence[str]) -> None:
        """Remove objects; kernel ids behind them move up."""
        rows = self._rows_of(ids)
        keep = np.ones(len(self._objects), dtype=bool)
        keep[rows] = False
        rigid = self._rigid
        rigid.replace(
            [b for b, kept in zip(rigid.bodies, keep, strict=True) if kept],
            rigid.positions[keep],
            rigid.orientations[keep],
            rigid.velocities[keep],
        )
        for name in set(ids):
            del self._objects[name]
            self._cloths.forget({name})
            self._boxes.pop(name, None)
            self._moved.discard(name)
        self._index()
        self._snapshot = None

    # -- poses and states ------------------------------------------------------------------

    def poses(self, ids: Sequence[str]) -> Poses:
        """World poses of the named objects."""
        rows = self._rows_of(ids)
        return Poses(self._rigid.positions[rows], self._rigid.orientations[rows])

    def set_poses(
        self, ids: Sequence[str], positions: FloatArray, orientations: FloatArray
    ) -> None:
        """Put objects at poses, at rest; fixed objects too."""
        rows = self._rows_of(ids)
        if len(set(ids)) != len(ids):
            raise ValueError(f"ids: expected each id once, got {list(ids)}")
        positions = _checked("positions", positions, (len(rows), 3))
        if not np.abs(positions).max(initial=0.0) <= FAR:
            raise ValueError(
                f"positions: expected within {FAR:g} m, got {np.abs(positions).max():g} m"
            )
        orientations = _checked("orientations", orientations, (len(rows), 4))
        norm = np.linalg.norm(orientations, axis=1)
        if len(norm) and not np.all(np.abs(norm - 1.0) < 1e-6):
            raise ValueError(
                f"orientations: expected unit quaternions xyzw, got norms {norm.tolist()}"
            )
        if len(rows) == 0:
            return
        self._rigid.place(rows, positions, orientations)
        self._cloths.disturb({name for name in ids if is_cloth(self._objects[name])})
        self._touch(ids)

    def set_state(self, object_id: str, key: str, value: float) -> None:
        """``open`` (0 to 1) of doors and hinged assets, ``friction`` and ``friction_dynamic``
        (0 to 10), ``mass`` (kg), ``held`` (0 or 1), ``light`` of lamps and ``spot`` (0 to 100,
        irradiance at one metre): a lamp above the object that shines on it alone; ``fill`` (0 to
        1, the share of its capacity) of vessels, ``false_bottom`` (0 to 0.9) the share that a
        raised floor takes of its volume; ``spread`` of cloth: 1 spreads it out flat where it is,
        to fall, 0 folds it."""
        row = int(self._rows_of([object_id])[0])
        value = check_value(key, value)
        spec = self._objects[object_id]
        if key == "open":
            self._open(row, spec, value)
            return
        if key == "light" and not is_lamp(spec):
            raise ValueError(f"key: {object_id!r} ({spec.category}) is no lamp")
        if key == "fill":
            liquid.check_fill(spec, value, self._rigid.orientations[row])
        if key == "spread" and spec.category not in SPREAD:
            raise ValueError(f"key: {object_id!r} ({spec.category}) is no cloth")
        changed = with_state(spec, key, value)
        if key == "spread":
            changed = changed.model_copy(update={"points": ()})
            self._cloths.disturb({object_id})
            self._touch([object_id])
        if key not in ("light", "spot", "fill"):
            self._replace_body(row, changed)
        self._objects[object_id] = changed
        self._snapshot = None

    def set_lights(self, scene: SceneSpec) -> None:
        """Take over lights, ambient light, sky and the preset's name; objects stay."""
        self._check_open()
        names = ("lights", "ambient", "sky", "lighting")
        self._scene = SceneSpec(**{**dict(self._scene), **{n: getattr(scene, n) for n in names}})

    def drive(self, object_id: str, key: str, value: float) -> DriveReport:
        """Open or close by force: at most 30 N at the far edge, all hinges of an object together.

        Structure is not in the way of a door, nor what of it a chest or cabinet stands at of its
        lids: frames, floors and walls leave them no room to spare.
        """
        row = int(self._rows_of([object_id])[0])
        if key != "open":
            raise ValueError(f"key: expected 'open', got {key!r}")
        value = check_value(key, value)
        spec = self._objects[object_id]
        swings, angles = swings_of(spec, assets.get(spec.category, spec.model), value)
        if not swings:
            raise ValueError(f"key: {spec.id!r} ({spec.category}) has nothing to open")
        opened, full = spec.state.get("open", 0.0), swings[0].high - swings[0].low
        if np.abs(angles).max() < STILL:
            if value != opened:
                self._open(row, spec, value)
            return DriveReport(True, value, math.degrees(value * full), 0.0, ())
        structure = [obj.role == "structure" for obj in self._objects.values()]
        leaf = "hinge" in spec.state
        with self._physics() as rigid:
            driven = rigid.drive(
                row, swings, angles, lambda k, meets: structure[k] and (leaf or meets)
            )
        # A hinge that stayed behind holds the others.
        share = float(np.clip(driven.angles / angles, 0.0, 1.0).min())
        reached = value if driven.there else opened + share * (value - opened)
        self._open(row, spec, reached)
        names = tuple(self._objects)
        return DriveReport(
            ok=driven.there,
            opened=reached,
            angle_deg=math.degrees(reached * full),
            seconds=driven.seconds,
            blocked_by=() if driven.there else tuple(names[k] for k in driven.against.tolist()),
        )

    def contents(self, object_id: str) -> Contents:
        """What is in a vessel; ``ValueError`` for what holds nothing even upright."""
        row = int(self._rows_of([object_id])[0])
        rigid = self._rigid
        spec = self._objects[object_id]
        return liquid.contents(spec, rigid.positions[row], rigid.orientations[row])

    def pour(
        self, source: str, target: str | None = None, *, tilt_deg: float = 110.0
    ) -> PourReport:
        """Tilt a vessel over another one or where it is, and put it back."""
        self._rows_of([source] if target is None else [source, target])
        result = liquid.pour(self._posed_dict(), source, target, tilt_deg)
        for name, share in result.fills.items():
            self._objects[name] = with_state(self._objects[name], "fill", share)
        if result.puddle is not None:
            number = 1
            while f"water_{number}" in self._objects:
                number += 1
            self.add([result.puddle.model_copy(update={"id": f"water_{number}"})])
        self._snapshot = None
        return result.report

    def _open(self, row: int, spec: ObjectSpec, value: float) -> None:
        if "hinge" in spec.state:
            posed = door_pose(self._posed_one(row, spec), value)
            self._objects[spec.id] = posed
            self._rigid.place(
                np.array([row]), _array([posed.position], 3), _array([posed.orientation], 4)
            )
        elif assets.get(spec.category, spec.model).hinges:
            changed = with_state(spec, "open", value)
            self._replace_body(row, changed)
            self._objects[spec.id] = changed
        else:
            raise ValueError(f"key: {spec.id!r} ({spec.category}) has nothing to open")
        self._touch([spec.id])

    def _replace_body(self, row: int, spec: ObjectSpec) -> None:
        rigid = self._rigid
        bodies = list(rigid.bodies)
        bodies[row] = body_of(spec)
        rigid.replace(bodies, rigid.positions, rigid.orientations, rigid.velocities)

    # -- geometry --------------------------------------------------------------------------

    def geometry(self) -> Snapshot:
        """The meshes as posed now; cheap when little moved since the last call."""
        self._check_open()
        if self._snapshot is not None:
            return self._snapshot
        rigid = self._rigid
        if self._view is None:
            self._view = View(threads=self._threads)
        objects, skins = self._drawn()
        moved = self._moved | {n for n in skins if n.rpartition("/")[0] in self._moved}
        positions, orientations = self._poses_of(objects)
        self._view.sync(objects, positions, orientations, sorted(moved & set(objects)), skins)
        for name in self._moved:
            self._boxes.pop(name, None)
        self._moved = set()
        for name, row in self._rows.items():
            if name not in self._boxes:
                position, turn = rigid.positions[row], rigid.orientations[row]
                self._boxes[name] = (
                    skins[name].box(geo.transforms.pose_matrix(position, turn))
                    if name in skins
                    else world_box(self._objects[name], position, turn)
                )
        added = [name for name in objects if name not in self._objects]
        all_boxes = [self._boxes[name] for name in self._objects]
        all_boxes += [
            skins[n].box(geo.transforms.pose_matrix(objects[n].position, objects[n].orientation))
            for n in added
        ]
        boxes = np.stack(all_boxes) if all_boxes else None
        self._snapshot = Snapshot(
            scene=self._view.scene,
            ids=tuple(objects),
            objects=(*self._posed(), *(objects[name] for name in added)),
            boxes=np.zeros((0, 2, 3)) if boxes is None else boxes,
            rooms=self._scene.rooms,
        )
        return self._snapshot

    def _drawn(self) -> tuple[dict[str, ObjectSpec], dict[str, Skin]]:
        """All that is drawn, the water in vessels last, and the skins of what is soft."""
        rigid = self._rigid
        objects = dict(self._objects)
        skins = {**self._cloths.skins(self._objects), **liquid.loose_skins(self._objects)}
        waters = self._fillings.objects(self._objects, rigid.positions, rigid.orientations)
        for spec, skin in waters:
            objects[spec.id] = spec
            skins[spec.id] = skin
        return objects, skins

    def _poses_of(self, objects: dict[str, ObjectSpec]) -> tuple[FloatArray, FloatArray]:
        """Poses of the world's objects and of those that are only drawn."""
        rigid = self._rigid
        added = [spec for name, spec in objects.items() if name not in self._objects]
        if not added:
            return rigid.positions, rigid.orientations
        return (
            np.concatenate([rigid.positions, _array([s.position for s in added], 3)]),
            np.concatenate([rigid.orientations, _array([s.orientation for s in added], 4)]),
        )

    # -- physics ---------------------------------------------------------------------------

    def settle(self, max_time: float = 3.0, tol: float = 1e-3) -> SettleReport:
        """Run until for 0.1 s nothing has come farther than ``tol`` would take it."""
        self._check_open()
        _positive("max_time", max_time)
        _positive("tol", tol)
        rows = self._rigid.movable
        before = self._rigid.positions[rows].copy()
        with self._physics() as rigid:
            at_rest, seconds, speed, depth = rigid.settle(max_time, tol)
        still, taken, top = self._drape(max_time, to_rest=True)
        at_rest, seconds, speed = at_rest and still, max(seconds, taken), max(speed, top)
        return SettleReport(
            at_rest=at_rest,
            seconds=seconds,
            max_speed=speed,
            penetration=depth,
            ids=tuple(self._rigid.bodies[int(k)].id for k in rows),
            drift=np.linalg.norm(self._rigid.positions[rows] - before, axis=1),
        )

    def step(self, seconds: float) -> None:
        """Run the physics for ``seconds``, rounded to whole steps of 1/240 s, at least one."""
        self._check_open()
        _positive("seconds", seconds)
        with self._physics() as rigid:
            rigid.advance(max(1, round(seconds * 240.0)))
        self._drape(seconds, to_rest=False)

    def _drape(self, seconds: float, *, to_rest: bool) -> tuple[bool, float, float]:
        """Lets cloth fall: whether all is at rest, seconds simulated, top speed of what is not."""
        at_rest, time, speed = True, 0.0, 0.0
        for name in self._cloths.restless(self._objects):
            spec = self._posed_dict()[name]
            done = self._cloths.advance(spec, self.geometry(), seconds, to_rest=to_rest)
            self._objects[name] = done.spec
            rows = np.array([self._rows[name]])
            self._rigid.positions[rows] = done.spec.position
            self._rigid.orientations[rows] = done.spec.orientation
            self._touch([name])
            at_rest, time = at_rest and done.at_rest, max(time, done.seconds)
            speed = speed if done.at_rest else max(speed, done.speed)
        return at_rest, time, speed

    def contacts(self) -> Contacts:
        """Pairs that touch now (gaps up to 0.5 mm count); pairs of fixed objects are left out."""
        self._check_open()
        pairs, depth = self._rigid.touching()
        return Contacts(tuple(self._objects), pairs, depth)

    @contextmanager
    def _physics(self) -> Iterator[RigidWorld]:
        """Notes what moved, also when the physics gives up."""
        rigid = self._rigid
        positions, orientations = rigid.positions.copy(), rigid.orientations.copy()
        try:
            yield rigid
        finally:
            moved = (rigid.positions != positions).any(axis=1)
            moved |= (rigid.orientations != orientations).any(axis=1)
            if moved.any():
                self._touch([rigid.bodies[int(k)].id for k in np.flatnonzero(moved)])

    # -- maps ------------------------------------------------------------------------------

    def traversability(self, floor: int = 0) -> GridFloor:
        """Cells of 0.05 m over the floors, free of everything between 0.05 and 2 m height."""
        origin, rows, columns = self._grid(floor)
        snapshot = self.geometry()
        if self._floor is not None and self._floor[0] is snapshot:
            return self._floor[1]
        cells = free_cells(snapshot, origin, rows, columns)
        cells.flags.writeable = False
        self._floor = (snapshot, GridFloor(cells, RESOLUTION, origin))
        return self._floor[1]

    def room_map(self, floor: int = 0) -> GridFloor:
        """Which room each cell's centre lies in, on the grid of ``traversability``."""
        origin, rows, columns = self._grid(floor)
        return GridFloor(room_cells(self._scene.rooms, origin, rows, columns), RESOLUTION, origin)

    def _grid(self, floor: int) -> tuple[tuple[float, float], int, int]:
        self._check_open()
        if floor != 0:
            raise ValueError(f"floor: expected 0, got {floor}")
        snapshot = self.geometry()
        floors = [k for k, spec in enumerate(snapshot.objects) if spec.category == "floor"]
        if not floors:
            raise ValueError("floor: the scene has no object of category 'floor'")
        return grid_frame(
            snapshot.boxes[floors, 0].min(axis=0), snapshot.boxes[floors, 1].max(axis=0)
        )

    # -- state -----------------------------------------------------------------------------

    def save(self) -> object:
        """A token of everything; it stays valid whatever happens to the world."""
        self._check_open()
        objects = dict(self._objects)
        return _Token(self._scene, objects, self._rigid.save(), self._cloths.save())

    def restore(self, token: object) -> None:
        """Back to a token: poses, speeds, states and the solver's memory, to the bit."""
        self._check_open()
        if not isinstance(token, _Token):
            raise TypeError(f"token: expected one from save(), got {type(token).__name__}")
        old_objects, old_rows, old = self._objects, self._rows, self._rigid.save()
        self._scene = token.scene
        self._objects = dict(token.objects)
        self._index()
        self._rigid.restore(token.rigid)
        self._cloths.restore(token.cloths)
        for name, spec in self._objects.items():
            row, was = self._rows[name], old_rows.get(name)
            if (
                was is None
                or old_objects[name] is not spec
                or (old.positions[was] != self._rigid.positions[row]).any()
                or (old.orientations[was] != self._rigid.orientations[row]).any()
            ):
                self._moved.add(name)
        for name in self._moved | (set(self._boxes) - set(self._objects)):
            self._boxes.pop(name, None)
        self._moved &= set(self._objects)
        self._snapshot = None

    # -- pictures --------------------------------------------------------------------------

    def render(
        self,
        cameras: Sequence[CameraSpec],
        modalities: Sequence[str] = ("rgb",),
        *,
        hide: Sequence[str] = (),
    ) -> list[Frame]:
        """Frames of the world under the scene's lights and its lamps that are on."""
        unknown = sorted(set(modalities) - set(_MODALITIES))
        if unknown or not modalities:
            raise ValueError(f"modalities: expected some of {_MODALITIES}, got {list(modalities)}")
        snapshot = self.geometry()
        missing = sorted(set(hide) - set(snapshot.ids))
        if missing:
            raise KeyError(f"hide: no objects {missing} in this world")
        scene, materials, index = self._shown(snapshot, frozenset(hide))
        lights = [light_of(light) for light in self._scene.lights]
        lights.extend(lights_of(snapshot))
        settings = self._settings
        if self._scene.sky != 1.0:
            dark = (self._scene.sky * np.array([settings.background, settings.zenith])).tolist()
            settings = replace(settings, background=tuple(dark[0]), zenith=tuple(dark[1]))
        rooms = rooms_of(snapshot)
        glaring = any(light.glare > 0.0 for light in self._scene.lights)
        frames = []
        for spec in cameras:
            camera = pinhole(spec)
            # What is shown decides which lamps are needed, and is cheap to find out.
            wanted = {*modalities, "seen_ids", *(("depth",) if glaring else ())}
            image = geo.render.render(
                scene,
                camera,
                materials=materials,
                settings=self._settings,
                modalities=[m for m in _MODALITIES if m in wanted and m != "rgb"],
            )
            if index is not None:
                image = image._replace(
                    ids=None if image.ids is None else index[image.ids],
                    seen_ids=None if image.seen_ids is None else index[image.seen_ids],
                )
            rgb = None
            if "rgb" in modalities and image.seen_ids is not None:
                reach = self._lamp_reach(snapshot, lights)
                rows = lamps_for(image.seen_ids.astype(np.int64), rooms, reach)
                rgb = geo.render.render(
                    scene,
                    camera,
                    materials=materials,
                    lights=[lights[int(k)] for k in rows],
                    ambient=self._scene.ambient,
                    settings=settings,
                    modalities=["rgb"],
                ).rgb
                if rgb is not None and image.depth is not None:
                    rgb = dazzled(rgb, image.depth, camera, self._scene.lights, scene)
            frames.append(
                Frame(
                    rgb,
                    image.depth if "depth" in modalities else None,
                    image.ids,
                    image.seen_ids if "seen_ids" in modalities else None,
                    image.normals,
                )
            )
        return frames

    def _shown(
        self, snapshot: Snapshot, hidden: frozenset[str]
    ) -> tuple[geo.Scene, list[geo.render.Material], NDArray[np.int32] | None]:
        """Scene and materials without the hidden objects, and the index of its kernel ids.

        The index (K + 1,) holds places in ``snapshot.ids``, last -1 for nothing; ``None`` where
        nothing is hidden and ids stand for themselves.
        """
        if self._view is None:
            raise RuntimeError("geometry() left no view")
        if not hidden:
            return snapshot.scene, self._view.materials(), None
        rows = [k for k, name in enumerate(snapshot.ids) if name not in hidden]
        kept = {snapshot.ids[k]: snapshot.objects[k] for k in rows}
        if self._partial is None or self._partial[0] is not snapshot or self._partial[1] != hidden:
            same = self._partial is not None and self._partial[1] == hidden
            view = self._partial[2] if self._partial and same else View(threads=self._threads)
            objects, skins = self._drawn()
            positions, orientations = self._poses_of(objects)
            skins = {name: skin for name, skin in skins.items() if name in kept}
            view.sync(kept, positions[rows], orientations[rows], list(kept), skins)
            self._partial = (snapshot, hidden, view)
        view = self._partial[2]
        return view.scene, view.materials(), np.array([*rows, -1], dtype=np.int32)

    def _lamp_reach(self, snapshot: Snapshot, lights: list[geo.render.Light]) -> BoolArray:
        """Which lamps reach which rooms, kept as long as walls, doors and lamps stay."""
        shell = [k for k, spec in enumerate(snapshot.objects) if spec.role == "structure"]
        rigid = self._rigid
        where = rigid.positions[shell].tobytes() + rigid.orientations[shell].tobytes()
        key = (where, tuple(lights), self._scene.rooms)
        if self._reach is None or self._reach[0] != key:
            self._reach = (key, lamp_reach(snapshot, lights))
        return self._reach[1]

    def close(self) -> None:
        """Release engine and scene; further calls raise ``RuntimeError``."""
        self._closed = True
        self._rigid = RigidWorld()
        self._objects = {}
        self._index()
        self._view = self._partial = None
        self._snapshot = None
        self._floor = None

    # -- helpers ---------------------------------------------------------------------------

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("the simulator is closed")

    def _index(self) -> None:
        self._rows = {name: row for row, name in enumerate(self._objects)}

    def _rows_of(self, ids: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        self._check_open()
        if isinstance(ids, str):
            raise TypeError("ids: expected a sequence of ids, got a string")
        missing = [name for name in ids if name not in self._rows]
        if missing:
            raise KeyError(f"ids: no objects {missing} in this world")
        return np.array([self._rows[name] for name in ids], dtype=np.int64)

    def _touch(self, ids: Iterable[str]) -> None:
        self._moved.update(ids)
        self._snapshot = None

    def _posed_one(self, row: int, spec: ObjectSpec) -> ObjectSpec:
        rigid = self._rigid
        return _at(spec, rigid.positions[row].tolist(), rigid.orientations[row].tolist())

    def _posed_dict(self) -> dict[str, ObjectSpec]:
        return {spec.id: spec for spec in self._posed()}

    def _posed(self) -> tuple[ObjectSpec, ...]:
        rigid = self._rigid
        poses = zip(rigid.positions.tolist(), rigid.orientations.tolist(), strict=True)
        return tuple(_at(s, *pose) for s, pose in zip(self._objects.values(), poses, strict=True))


def _at(spec: ObjectSpec, position: list[float], orientation: list[float]) -> ObjectSpec:
    """The object at a pose; itself where it is there already."""
    where, turn = tuple(position), tuple(orientation)
    if where == spec.position and turn == spec.orientation:
        return spec
    return spec.model_copy(update={"position": where, "orientation": turn})


def _array(values: Sequence[Sequence[float]], width: int) -> FloatArray:
    return np.asarray(values, dtype=np.float64).reshape(len(values), width)


def _checked(name: str, value: FloatArray, shape: tuple[int, int]) -> FloatArray:
    array = np.asarray(value, dtype=np.float64)
    if array.shape != shape:
        raise ValueError(f"{name}: expected shape {shape}, got {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name}: expected finite numbers")
    return array


def _positive(name: str, value: float) -> None:
    if not (math.isfinite(value) and value > 0.0):
        raise ValueError(f"{name}: expected a positive number, got {value}")
