"""What the rows of the release say about their things and views, subcategory by subcategory.

One reader per form of metadata; each yields things, views, or both. What a text asks about is
found by the wording of its question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from esi_fast.dataset.findings._subject import (
    Role,
    Subject,
    Thing,
    View,
    boxed,
    flags,
    number_of,
    parts_of,
    thing_of,
    vector,
)
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.errors import RecordError

__all__ = ["subject_of_row"]

Json: TypeAlias = Any
Meta: TypeAlias = Mapping[str, Json]
Found: TypeAlias = Iterator[Thing | View]


def _at(value: Json, *path: str) -> Json:
    """The value under these names, ``None`` where one of them is missing."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _dict(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


# --- views ---------------------------------------------------------------------------------------


def _view(name: str, pose: Json, seen: Mapping[str, float] | None = None) -> View:
    pose = _dict(pose)
    return View(name, vector(pose.get("position"), 3), vector(pose.get("quaternion_xyzw"), 4), seen)


def _posed(poses: Json, seen: Mapping[str, Mapping[str, float]] | None = None) -> Iterator[View]:
    """Cameras by name or in a list; ``seen`` by the name of the view or by its number."""
    seen = seen or {}
    if isinstance(poses, dict):
        pairs = list(poses.items())
    else:
        pairs = [
            (str(_dict(pose).get("filename", number)), pose)
            for number, pose in enumerate(_list(poses))
        ]
    for number, (name, pose) in enumerate(pairs):
        yield _view(name, pose, seen.get(name, seen.get(str(number))))


def _merged(*tables: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for table in tables:
        for view, seen in table.items():
            found.setdefault(view, {}).update(seen)
    return found


def _named(table: Mapping[str, Mapping[str, float]], name: str) -> dict[str, dict[str, float]]:
    """Flags of the one thing of a table, under its name."""
    return {view: {name: max(seen.values())} for view, seen in table.items()}


# --- things --------------------------------------------------------------------------------------


def _things(entries: Json, **fixed: Any) -> Iterator[Thing]:
    """Things from an object of entries, or from a list with names in it."""
    if isinstance(entries, dict):
        pairs = list(entries.items())
    else:
        pairs = [
            (str(_dict(entry).get("name", number)), entry)
            for number, entry in enumerate(_list(entries))
        ]
    for name, entry in pairs:
        thing = thing_of(name, entry, **fixed)
        if thing is not None:
            yield thing


_TARGET_ROLES: Final[Mapping[str, Role]] = {"target": "question", "support": "support"}


def _alternatives(meta: Meta) -> Found:
    """One thing on a support, seen from around: view hallucination and partial occlusion."""
    for thing in _things(meta.get("objects")):
        yield replace(thing, role=_TARGET_ROLES.get(thing.name, "other"))
    table = meta.get("views")
    for name, pose in _dict(table).items():
        visible = _dict(_at(pose, "visibility"))
        seen = {
            thing.removesuffix("_obj"): float(value)
            for thing, value in visible.items()
            if isinstance(value, bool)
        }
        yield _view(name, pose, seen)


def _transparent(meta: Meta) -> Found:
    for thing in _things(meta.get("objects")):
        holder = thing.name == "obj_container"
        yield replace(
            thing,
            role="holder" if holder else "question",
            within="" if holder else "obj_container",
        )
    seen = _merged(
        _named(flags(meta.get("exist_obj_small"), r"exist_obj_small_(?P<view>\d+)"), "obj_small"),
        _named(
            flags(meta.get("exist_obj_container"), r"exist_obj_container_(?P<view>\d+)"),
            "obj_container",
        ),
    )
    yield from _posed(meta.get("camera_poses"), seen)


def _contact(meta: Meta) -> Found:
    boxes = _dict(meta.get("obj_aabb"))
    for thing in _things(meta.get("objects")):
        entry = boxes.get(f"{thing.name}_aabb")
        yield replace(thing, box=boxed(_at(entry, "min"), _at(entry, "max")))
    seen = flags(meta.get("exist_obj"), r"exist_(?P<thing>obj\d+)_(?P<view>\d+)")
    yield from _posed(meta.get("camera_poses"), seen)


def _size(meta: Meta) -> Found:
    low, high = _dict(meta.get("task_obj_aabb_min")), _dict(meta.get("task_obj_aabb_max"))
    for thing in _things(meta.get("objects")):
        box = boxed(low.get(f"{thing.name}_aabb_min"), high.get(f"{thing.name}_aabb_max"))
        yield replace(thing, box=box)
    seen = _merged(
        flags(meta.get("exist_ref_obj"), r"exist_(?P<thing>ref_obj\d+)_(?P<view>\d+)"),
        flags(meta.get("exist_task_obj"), r"exist_(?P<thing>task_obj\d+)_(?P<view>\d+)"),
    )
    yield from _posed(meta.get("camera_poses"), seen)


def _distance(meta: Meta) -> Found:
    yield from _things(meta.get("objects"))
    seen = _merged(
        *(
            _named(flags(meta.get(f"exist_{end}"), rf"exist_{end}_(?P<view>\d+)"), f"obj_{end}")
            for end in ("near", "far", "ref")
        )
    )
    yield from _posed(meta.get("camera_poses"), seen)


def _group(meta: Meta) -> Found:
    """Three things on the floor: lines and triangles."""
    yield from _things(meta.get("objects"))
    yield from _posed(meta.get("camera_poses"))


def _slope(meta: Meta) -> Found:
    for name, entry in _dict(meta.get("objects")).items():
        if isinstance(entry, dict):
            start = {
                "category": entry.get("category"),
                "model": entry.get("model"),
                "position": entry.get("pos_init"),
                "aabb_min": entry.get("aabb_min_init"),
                "aabb_max": entry.get("aabb_max_init"),
            }
            yield from _things({name: start}, within="slope")
    yield from _things({"slope": meta.get("slope")}, role="support")
    seen = flags(meta.get("exist_step_view"), r"exist_step0*1_view(?P<view>\d+)")
    yield from _posed(meta.get("camera_poses"), _named(seen, "task_obj"))


def _stack(meta: Meta) -> Found:
    pairs = zip(_list(meta.get("object_names")), _list(meta.get("object_categories")), strict=False)
    kinds = {name: category for name, category in pairs if isinstance(name, str)}
    for thing in _things(meta.get("initial_poses")):
        category = kinds.get(thing.name)
        yield replace(thing, category=category if isinstance(category, str) else "")
    seen = flags(
        meta.get("initial_exist_flags"), r"exist_(?P<thing>stack_obj\d+)_(?P<view>initial_.*)"
    )
    yield from _posed(meta.get("initial_cam_poses"), seen)


def _cloth(meta: Meta) -> Found:
    item = _dict(meta.get("small_item"))
    pose, box = _dict(item.get("pose_after_cover")), _dict(item.get("bbox_after_cover"))
    yield from _things({"small_item": {**item, **pose, **box}})
    yield _view("main_view", _at(meta, "render", "main_view", "camera_pose"))
    for view in _list(_at(meta, "render", "room_view", "views")):
        yield _view(str(_at(view, "image_path")), _at(view, "camera_pose"))


def _pour(meta: Meta) -> Found:
    yield from _things(meta.get("obj"))


def _storage(meta: Meta) -> Found:
    poses = _dict(meta.get("initial_poses"))
    named: dict[str, str] = {}
    for entry in _dict(meta.get("containers")).values():
        index, category = _at(entry, "idx"), _at(entry, "cat")
        if isinstance(category, str):
            named[f"obj_container_{index}"] = category
    for key, entry in _dict(meta.get("extras")).items():
        category = _at(entry, "cat")
        named[f"obj_{key}"] = category if isinstance(category, str) else ""
    category = _at(meta, "containee", "cat")
    named["obj_containee"] = category if isinstance(category, str) else ""
    for thing in _things(poses):
        yield replace(thing, category=named.get(thing.name, ""))
    visible = _dict(meta.get("visibility"))
    flat = {**visible, **_dict(visible.get("obj_container")), **_dict(visible.get("obj_extra"))}
    yield View("first", None, None, {k: float(v) for k, v in flat.items() if isinstance(v, bool)})


def _mirror(meta: Meta) -> Found:
    for entry in _list(_at(meta, "question_data", "placement")):
        yield from _things({str(_at(entry, "alias")): entry})
    data = meta.get("question_data")
    pose = _at(data, "render", "camera_pose") or _at(data, "scene_setup", "camera")
    yield _view("single_view", pose)


def _rooms(meta: Meta) -> Found:
    data = _dict(meta.get("question_data"))
    names = set(_dict(data.get("room_views"))) | set(_dict(_at(data, "render", "room_views")))
    for key in ("required_regions", "region_sequence", "shortest_path_regions"):
        names |= {name for name in _list(data.get(key)) if isinstance(name, str)}
    for key in ("source_region", "target_region", "start_region", "goal_region"):
        names |= {data[key]} if isinstance(data.get(key), str) else set()
    for name in sorted(names):
        yield Thing(name, name, role="room")
    for entry in _list(data.get("required_objects")):
        if isinstance(entry, str):
            yield Thing(entry, re.sub(r"_[a-z]{6}_\d+$", "", entry), role="other")
    for name in _dict(data.get("object_views")).values():
        category = _at(name, "object_category")
        if isinstance(category, str):
            yield Thing(str(_at(name, "object_name")), category, role="other")
    for name in ("initial_view", "overview_view"):
        if _at(data, name, "camera_pose") is not None:
            yield _view(name, _at(data, name, "camera_pose"))


def _rooms_and_closeups(render: Meta, closeups: str) -> Iterator[View]:
    """The further cameras of a row: the room from its corners, each thing from close by."""
    for entry in (*_list(_at(render, "multi_image_input", "views")), *_list(render.get(closeups))):
        yield _view(str(_at(entry, "image_path")), _at(entry, "camera_pose"))


def _counting(meta: Meta) -> Found:
    render = _dict(_at(meta, "question_data", "render"))
    resolved = _dict(render.get("resolved_objects"))
    for entry in _list(resolved.get("targets")):
        within = _at(entry, "container_name")
        name = str(_at(entry, "name"))
        yield from _things({name: entry}, within=within if isinstance(within, str) else "")
    yield from _things(resolved.get("confusers"), role="other")
    yield from _things(resolved.get("containers"), role="holder")
    seen: dict[str, float] = {}
    for shot in _list(render.get("target_closeups")):
        pixels = number_of(_at(shot, "visibility", "visible_pixels"))
        name = _at(shot, "target_name")
        if pixels is not None and isinstance(name, str):
            seen[name] = max(pixels, seen.get(name, 0.0))
    for name, pose in _dict(render.get("camera_poses")).items():
        yield _view(name, pose)
    yield from _rooms_and_closeups(render, "target_closeups")
    if seen:
        yield View("closeups", None, None, seen)


def _change(meta: Meta) -> Found:
    data = _dict(meta.get("question_data"))
    for entry in _list(data.get("boxes")):
        holder = _at(entry, "container")
        place = _dict(_at(holder, "placement"))
        yield from _things([{**_dict(holder), **place}], role="holder")
    phases = _dict(_at(data, "render", "image"))
    for phase, entry in phases.items():
        for name, pose in _dict(_at(entry, "camera_poses")).items():
            seen: dict[str, float] = {}
            for metric in _list(_at(pose, "target_metrics")):
                pixels = number_of(_at(metric, "visible_pixels"))
                if pixels is not None:
                    seen[str(_at(metric, "target_name"))] = pixels
            yield _view(f"{phase}/{name}", pose, seen)
        for kind, entries in (("room_view", "views"), ("gt_view", "images")):
            for view in _list(_at(entry, kind, entries)):
                yield _view(str(_at(view, "image_path")), _at(view, "camera_pose"))


def _walk(meta: Meta) -> Found:
    for name, entry in _dict(meta.get("objects_meta")).items():
        placed = _at(entry, "placed_on") != "failed"
        yield from _things({name: entry}, placed=placed)
    for name, pose in _dict(meta.get("observer_poses")).items():
        visible = _dict(_at(pose, "visibility"))
        seen = {k: float(v) for k, v in visible.items() if isinstance(v, bool)}
        yield _view(name, pose, seen)


def _actions(meta: Meta) -> Found:
    poses, kinds = _dict(meta.get("initial_poses")), _dict(meta.get("objects"))
    for name, pose in poses.items():
        yield from _things({name: {**_dict(kinds.get(name)), **_dict(pose)}})
    for entry in _list(meta.get("stage0_initial_views")):
        seen = {
            name.removeprefix("exist_"): float(value)
            for name, value in _dict(entry).items()
            if name.startswith("exist_") and isinstance(value, bool)
        }
        yield _view(str(_at(entry, "filename")), _at(entry, "pose"), seen)


_READERS: Final[Mapping[str, Callable[[Meta], Found]]] = {
    "perceptual_grounding/view_hallucination": _alternatives,
    "perceptual_grounding/partial_occlusion": _alternatives,
    "perceptual_grounding/material_transparency": _transparent,
    "physical_structure/rigid_containment": _storage,
    "physical_structure/liquid_volume": _pour,
    "physical_structure/deformable": _cloth,
    "physical_dynamics/inclined_plane": _slope,
    "physical_dynamics/stacking_stability": _stack,
    "specular_reflection/reflection_authoring": _mirror,
    "specular_reflection/spatial_relations": _mirror,
    "specular_reflection/correspondence": _mirror,
    "spatial_relations/linear_alignment": _group,
    "spatial_relations/geometric_configuration": _group,
    "spatial_relations/physical_contact": _contact,
    "metric_comparison/dimensional_size": _size,
    "metric_comparison/spatial_distance": _distance,
    "cognitive_mapping/connectivity": _rooms,
    "cognitive_mapping/traversable_passage": _rooms,
    "cognitive_mapping/regional_boundary": _rooms,
    "cognitive_mapping/long_term_navigation": _rooms,
    "enumerative_perception/counting_occlusion": _counting,
    "enumerative_perception/spatial_segmentation": _counting,
    "enumerative_perception/merged_observation": _counting,
    "enumerative_perception/category_ambiguity": _counting,
    "enumerative_perception/structural_enclosure": _counting,
    "enumerative_perception/illumination_variability": _counting,
    "temporal_understanding/unobserved_change": _change,
    "temporal_understanding/agent_observation": _walk,
    "action_sequencing/action_order_inference": _actions,
}

# --- what a text asks about ----------------------------------------------------------------------

_WORDINGS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r'objects of category "(.+?)"',
        r"How many '(.+?)' objects",
        r"How many (.+?) objects did the robot pass",
        r"Is the (.+?) inside the (.+?)\?",
        r"Are the (.+?) and (.+?) touching",
        r"Are the (.+?), (.+?) and (.+?) in a line",
        r"Do the (.+?), (.+?) and (.+?) form an",
        r"closer to the (.+?): the (.+?) or the (.+?)\?",
        r"Which (.+?) is larger: the one near the (.+?), or the one near the (.+?)\?",
        r"larger volume: the (.+?) or the (.+?)\?",
        r"which of the three (.+?)s in the same image",
        r"you can see an? (.+?)\. Are you",
        r"object A \((.+?)\) and object B \((.+?)\)",
        r"does the (.+?) best fit inside: the (.+?) or the (.+?)(?: or the (.+?))?\?",
        r"stack (.+?), (.+?), (.+?) to maximize",
        r"Do you think the (.+?) will stay stable",
        r"Which (.+?) should go \w+ the (.+?) .*?which (.+?) should go",
        r"^Are (\S+) and (\S+) adjacent",
        r"^Are (\S+) and (\S+) in the same region",
        r"shortest path from (\S+) to (\S+),",
        r"beginning in the (.+?)(?: standing at .+?)?\. You want to navigate to the (.+?)\.",
        r"^Which room is (\S+) closest to",
        r"^Which room does (\S+) belong to",
    )
)


# Each on a line of its own, then the containers.
_EACH: Final = re.compile(r"does each object best fit inside\?((?:\s*- .+)+)\s*Containers: (.+)")


def _asked(text: str) -> tuple[str, ...]:
    match = _EACH.search(text)
    if match:
        lines = [line.strip().removeprefix("- ") for line in match[1].strip().splitlines()]
        return (*lines, *match[2].split(", "))
    for pattern in _WORDINGS:
        match = pattern.search(text)
        if match:
            return tuple(part for part in match.groups() if part)
    return ()


# Subcategories whose options name things, one of which is there.
_ONE_IS_THERE: Final = frozenset(
    {
        "perceptual_grounding/view_hallucination",
        "perceptual_grounding/partial_occlusion",
        "physical_structure/deformable",
    }
)


def _copy_of(meta: Meta, name: str) -> str:
    """A copy of the answer or the text that the metadata keep."""
    for place in ("question_data", "qa"):
        value = _at(meta, place, name)
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            return str(value)
    return ""


def _floor(meta: Meta, things: tuple[Thing, ...]) -> float | None:
    """Height of what the things stand on, where the row records it."""
    for thing in things:
        if thing.role == "support" and thing.name == "support" and thing.box is not None:
            return float(thing.box[1, 2])
    return number_of(_at(meta, "question_data", "floor_z"))


def subject_of_row(question: OfficialQuestion) -> Subject:
    """A published row as a subject; one whose metadata cannot be read has no things or views."""
    try:
        meta: Meta = question.metadata()
    except RecordError:
        meta = {}
    found = list(_READERS[question.task](meta))
    things = tuple(item for item in found if isinstance(item, Thing))
    choices = question.slots[0].options if question.task in _ONE_IS_THERE else ()
    fov = number_of(_at(meta, "camera_poses", "fov_deg"))
    return Subject(
        row=question.row,
        id=question.id,
        task=question.task,
        source=question.source,
        scene=question.scene,
        room=question.room,
        text=question.text,
        answer_type=question.answer_type,
        slots=question.slots,
        answers=question.answers,
        answer_parts=parts_of(question),
        content=question.content,
        asked=_asked(question.text),
        alternatives=tuple(option.text for option in choices),
        things=things,
        views=tuple(item for item in found if isinstance(item, View)),
        recorded_answer=_copy_of(meta, "answer"),
        recorded_asked=_asked(_copy_of(meta, "question")),
        hfov_deg=fov,
        floor=_floor(meta, things),
        repaired="esi_fast" in meta,
    )
