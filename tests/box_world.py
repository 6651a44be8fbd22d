"""A tiny world for tests: boxes in a box room, seen by the ray kernel, without physics.

One question: which of three things stands behind the screen? The observer of its task is a look
at the masks, so every expectation in the tests can be worked out by hand.
"""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from esi_fast import geometry as geo
from esi_fast.eval.agents import Observation, Reply
from esi_fast.generators.base import Draft, Task, World
from esi_fast.records import (
    CameraSpec,
    Evidence,
    FrameRecord,
    Instance,
    ObjectSpec,
    Question,
    RoomSpec,
    SceneSpec,
)
from esi_fast.registry import register
from esi_fast.sim.actions import action, camera_orientation, passive_actions
from esi_fast.sim.base import (
    Capability,
    Contacts,
    Frame,
    GridFloor,
    Poses,
    SettleReport,
    Simulator,
    Snapshot,
)

TASK = "test/behind_the_screen"
THINGS = ("mug", "bowl", "vase")
SIZE = 64
_CORNERS = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
# Two triangles per side of the unit cube, corners numbered 4x + 2y + z.
_FACES = np.array(
    [
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
        (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    ]
)  # fmt: skip


@register("backend", "box_world")
class BoxWorld(Simulator):
    """Every object is a box of the size given by its scale; nothing moves by itself."""

    name = "box_world"
    version = "1"
    capabilities = frozenset({Capability.RIGID})
    renders: ClassVar[int] = 0

    def __init__(self) -> None:
        self._spec = SceneSpec(name="empty")

    def load(self, scene: SceneSpec) -> None:
        self._spec = scene

    def spec(self) -> SceneSpec:
        return self._spec

    def add(self, objects: Sequence[ObjectSpec]) -> None:
        self._spec = self._spec.with_objects((*self._spec.objects, *objects))

    def remove(self, ids: Sequence[str]) -> None:
        self._spec = self._spec.with_objects(
            tuple(obj for obj in self._spec.objects if obj.id not in ids)
        )

    def poses(self, ids: Sequence[str]) -> Poses:
        by_id = {obj.id: obj for obj in self._spec.objects}
        return Poses(
            np.array([by_id[i].position for i in ids]),
            np.array([by_id[i].orientation for i in ids]),
        )

    def set_poses(self, ids: Sequence[str], positions: Any, orientations: Any) -> None:
        raise NotImplementedError

    def geometry(self) -> Snapshot:
        scene = geo.Scene()
        mesh = scene.add_mesh(_CORNERS, _FACES)
        boxes = []
        for k, obj in enumerate(self._spec.objects):
            pose = np.eye(4)
            pose[:3, 3] = obj.position
            scene.add_instance(mesh, object_id=k, pose=pose, scale=obj.scale)
            half = np.array(obj.scale) / 2
            boxes.append((np.array(obj.position) - half, np.array(obj.position) + half))
        return Snapshot(
            scene=scene,
            ids=tuple(obj.id for obj in self._spec.objects),
            objects=self._spec.objects,
            boxes=np.array(boxes),
            rooms=self._spec.rooms,
        )

    def settle(self, max_time: float = 3.0, tol: float = 1e-3) -> SettleReport:
        return SettleReport(True, 0.0, 0.0, 0.0, (), np.zeros(0))

    def step(self, seconds: float) -> None:
        pass

    def contacts(self) -> Contacts:
        return Contacts((), np.zeros((0, 2), dtype=np.int64), np.zeros(0))

    def set_state(self, object_id: str, key: str, value: float) -> None:
        raise ValueError(f"key: {object_id} has no {key}")

    def set_lights(self, scene: SceneSpec) -> None:
        self._spec = self._spec.model_copy(update={"lights": scene.lights})

    def traversability(self, floor: int = 0) -> GridFloor:
        raise NotImplementedError

    def room_map(self, floor: int = 0) -> GridFloor:
        raise NotImplementedError

    def save(self) -> object:
        return self._spec

    def restore(self, token: object) -> None:
        assert isinstance(token, SceneSpec)
        self._spec = token

    def render(
        self,
        cameras: Sequence[CameraSpec],
        modalities: Sequence[str] = ("rgb",),
        *,
        hide: Sequence[str] = (),
    ) -> list[Frame]:
        return [self._render(camera, modalities, hide) for camera in cameras]

    def _render(self, spec: CameraSpec, modalities: Sequence[str], hide: Sequence[str]) -> Frame:
        BoxWorld.renders += 1
        camera = geo.Camera(
            position=spec.position,
            orientation=spec.orientation,
            width=spec.width,
            height=spec.height,
            vfov_deg=spec.vfov_deg,
        )
        snapshot = self.geometry()
        passed = [snapshot.index(name) for name in hide] or None
        hits = geo.raycast.closest(snapshot.scene, *camera.rays(), ignore=passed)
        ids = np.asarray(hits.object_id).reshape(spec.height, spec.width).astype(np.int32)
        # Flat colours by object, darker with distance.
        shade = 1.0 / (1.0 + 0.2 * np.where(hits.hit, hits.distance, 0.0)).reshape(ids.shape)
        hue = np.stack([(ids * 67 + 40) % 200 + 40, (ids * 131) % 200 + 40, (ids * 29) % 200], -1)
        return Frame(
            rgb=(hue * shade[..., None]).astype(np.uint8) if "rgb" in modalities else None,
            depth=None,
            ids=ids if "ids" in modalities else None,
            seen_ids=ids if "seen_ids" in modalities else None,
            normals=None,
        )


@register("task", TASK)
class BehindTheScreen(Task):
    """Which thing is behind the screen? Whoever sees a thing knows."""

    answers = THINGS
    vantages = ("above",)

    def build(self, world: World, want: str) -> Draft:
        raise NotImplementedError

    def label(self, snapshot: Snapshot, draft: Draft) -> Evidence:
        raise NotImplementedError

    def witness(self, sim: Simulator, snapshot: Snapshot, draft: Draft) -> Evidence:
        raise NotImplementedError

    def still_possible(self, history: Sequence[FrameRecord], public: Any) -> frozenset[str]:
        seen = {name for frame in history for name in frame.masks} & set(THINGS)
        return frozenset(seen or THINGS)

    def places(self, history: Sequence[FrameRecord], public: Any) -> list[Any]:
        return [np.array([1.0, 0.0, 0.2])]


@register("agent", "stubborn")
class StubbornAgent:
    """Never replies anything valid."""

    def __init__(self, *, seed: int) -> None:
        del seed

    def act(self, observation: Observation) -> Reply:
        return Reply(None, text="done")


@register("agent", "broken")
class BrokenAgent:
    """Fails at its third view."""

    def __init__(self, *, seed: int) -> None:
        del seed

    def act(self, observation: Observation) -> Reply:
        if observation.must_answer or len(observation.looks) > 2:
            raise ZeroDivisionError("broken on purpose")
        return Reply(action("turn_left"))


@register("agent", "suicidal")
class SuicidalAgent:
    """Takes its process with it."""

    def __init__(self, *, seed: int) -> None:
        del seed

    def act(self, observation: Observation) -> Reply:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("still alive")


def camera(
    position: tuple[float, float, float] = (-1.0, 0.0, 0.4),
    heading: float = 0.0,
    pitch: float = 0.0,
    size: int = SIZE,
) -> CameraSpec:
    return CameraSpec(
        position=position,
        orientation=camera_orientation(heading, pitch),
        width=size,
        height=size,
        vfov_deg=60.0,
    )


def scene(thing: str = "mug", name: str = "box_room") -> SceneSpec:
    """A room of 4 m x 4 m x 2.6 m, a screen of 1 m x 0.8 m, the thing behind it."""

    def box(object_id: str, position: Any, scale: Any, **more: Any) -> ObjectSpec:
        category = more.pop("category", object_id.split("_")[0])
        return ObjectSpec(
            id=object_id, category=category, model="box", position=position, scale=scale, **more
        )

    thin = 0.1
    objects = (
        box("floor", (0, 0, -thin / 2), (4, 4, thin), role="structure", fixed=True),
        box("ceiling", (0, 0, 2.6 + thin / 2), (4, 4, thin), role="structure", fixed=True),
        box("wall_e", (2 + thin / 2, 0, 1.3), (thin, 4, 2.6), role="structure", fixed=True),
        box("wall_w", (-2 - thin / 2, 0, 1.3), (thin, 4, 2.6), role="structure", fixed=True),
        box("wall_n", (0, 2 + thin / 2, 1.3), (4, thin, 2.6), role="structure", fixed=True),
        box("wall_s", (0, -2 - thin / 2, 1.3), (4, thin, 2.6), role="structure", fixed=True),
        box("screen", (0, 0, 0.4), (0.05, 1.0, 0.8)),
        box("target", (1.0, 0, 0.2), (0.3, 0.3, 0.4), role="question", category=thing),
    )
    room = RoomSpec(id="room_0", type="bedroom", lower=(-2, -2), upper=(2, 2))
    return SceneSpec(name=name, rooms=(room,), objects=objects)


# Up until the thing shows over the screen (it does from 1.18 m on), then a look down.
ORACLE = tuple(action(name) for name in (*["move_up"] * 4, "turn_down"))


def instance(index: int = 0, *, size: int = SIZE) -> Instance:
    """Index k asks about thing k modulo 3."""
    thing = THINGS[index % 3]
    evidence = Evidence(answer=thing, method="construction", numbers={"index": index})
    options = THINGS[index % 2 :] + THINGS[: index % 2]
    return Instance(
        id=f"behind-{index}",
        task=TASK,
        index=index,
        seed=0,
        backend="box_world",
        scene=scene(thing, name=f"box_room_{index}"),
        question=Question(text="What is behind the screen?", options=options),
        answer=thing,
        label=evidence,
        witness=evidence,
        initial_camera=camera(size=size),
        passive_actions=passive_actions(index),
        oracle_actions=ORACLE,
        oracle_possible=(THINGS,) * 4 + ((thing,),) * 2,
    )
