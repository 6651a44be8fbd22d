"""The contract between rules and whoever reads their verdicts."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from esi_fast.dataset.official import SUBCATEGORIES, OfficialQuestion, parse_row
from esi_fast.dataset.relabel import REASONS, RELABELLED, relabel
from esi_fast.dataset.relabel._reading import Stored, body, metadata, model_box
from esi_fast.dataset.relabel._registry import judged, rule
from esi_fast.errors import RecordError

sys.path.insert(0, str(Path(__file__).parent))
from mirror_rows import mirror_question
from official_rows import row


def question(**more: Any) -> OfficialQuestion:
    item = parse_row(row(**more))
    assert isinstance(item, OfficialQuestion), item
    return item


def test_rules_are_registered_once_and_for_subcategories_that_exist() -> None:
    assert set(RELABELLED) <= set(SUBCATEGORIES.values())
    with pytest.raises(ValueError, match="'spatial_relations/line' is not a subcategory"):
        rule("spatial_relations/line", reasons={})
    with pytest.raises(ValueError, match="has a rule already"):
        rule("specular_reflection/correspondence", reasons={})
    with pytest.raises(ValueError, match="'tie' means something else"):
        rule(reasons={"tie": "what goes around the neck"})


def test_a_verdict_needs_a_known_reason_and_units() -> None:
    with pytest.raises(ValueError, match="reason: 'because' has no meaning"):
        judged(question(), "agrees", "because")
    with pytest.raises(ValueError, match="unit: a margin needs one"):
        judged(question(), "agrees", "as_labelled", margin=0.1)


def test_robust_means_an_answer_that_no_other_threshold_changes() -> None:
    def robust(derived: str, **others: str) -> bool:
        return judged(question(), "agrees", "as_labelled", derived=derived, others=others).robust

    assert robust("yes", low="yes", high="yes")
    assert not robust("yes", low="yes", high="")
    assert not robust("", low="", high="")


def test_a_record_is_json_without_what_is_drawn() -> None:
    verdict = relabel_of(mirror_question("Reflection Authoring", "Yes", [(3.0, 0.3)]))
    kinds = [shape.kind for shape in verdict.shapes]
    assert kinds == ["camera", "mirror", "point"]
    # The mirror faces +x: from its first end to the second, +x is to the left, so the way is -y.
    (_, y0, _), (_, y1, _) = verdict.shapes[1].points
    assert y0 - y1 == pytest.approx(0.968324, abs=1e-5)
    assert verdict.shapes[0].points[1] == pytest.approx((1.0, 0.0, 0.8))
    values = json.loads(json.dumps(verdict.record()))
    assert "shapes" not in values
    assert values["margin"] == pytest.approx(0.484162 - 0.3 * (2 - 0.003) / (5 - 0.006), abs=1e-4)
    assert (values["unit"], values["robust"], values["level"]) == ("m", True, "geometry")
    assert values["reason"] in REASONS


def relabel_of(columns: dict[str, Any]) -> Any:
    item = parse_row(columns)
    assert isinstance(item, OfficialQuestion), item
    return relabel(item)


def test_objects_are_read_with_their_boxes_and_scales() -> None:
    # A mirror, 0.005843 x 0.968324 x 2.262657 m, turned by a quarter and twice as large in y.
    item = question(
        metadata={
            "thing": {
                "category": "mirror",
                "model": "tytkbq",
                "position": [1.0, 2.0, 3.0],
                "quaternion_xyzw": [0.0, 0.0, 0.5**0.5, 0.5**0.5],
                "scale": [1.0, 2.0, 1.0],
                "aabb_min": [0.0, 0.0, 0.0],
                "aabb_max": [1.0, 1.0, 2.0],
            }
        }
    )
    found = body("thing", metadata(item).at("thing"))
    assert found.span == pytest.approx([1.936648, 0.005843, 2.262657])
    assert found.up == pytest.approx(1.0)
    assert found.box is not None
    assert found.box.tolist() == [[0, 0, 0], [1, 1, 2]]
    assert model_box("nothing") is None


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"aabb_min": [0, 0, 1], "aabb_max": [1, 1, 0]}, "a.aabb_min: expected the least corner"),
        ({"aabb_min": [0, 0, 1]}, "a.aabb_max: missing"),
        (None, "a: missing"),
    ],
)
def test_wrong_boxes_are_named(value: Any, message: str) -> None:
    fields = metadata(question(metadata={"a": value} if value else {}))
    with pytest.raises(RecordError, match=message):
        fields.at("a").box()


def test_stored_numbers_are_compared_and_not_corrected() -> None:
    fields = metadata(question(metadata={"gap": 0.25, "at": [1.0, 2.0]}))
    stored = Stored()
    stored.compare(fields.find("gap"), 0.2500005)
    stored.compare(fields.find("missing"), 1.0)
    stored.compare_vector(fields.find("at"), np.array([1.0, 2.5]))
    assert stored.count == 3
    (difference,) = stored.differences
    assert (difference.field, difference.stored, difference.derived) == ("at.1", 2.0, 2.5)
    assert difference.size == 0.5
