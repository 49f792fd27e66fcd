"""Lists and objects that an agent sends as their JSON text."""

import json
from decimal import Decimal
from typing import Any

import pytest
from pydantic import Field, ValidationError

from app.agents.failures import describe_arguments
from app.agents.tool import Arguments
from app.agents.tools.estimates import Purchase
from app.agents.tools.proposals import Proposal
from app.agents.tools.sourcing import Award


class Nested(Arguments):
    label: str
    amounts: list[Decimal] = Field(default_factory=list[Decimal])


class Deep(Arguments):
    rows: list[list[str]] | None = None
    by_name: dict[str, list[int]] = Field(default_factory=dict[str, list[int]])
    parts: list[Nested] = Field(default_factory=list[Nested])
    words: list[str] | str = "none"
    anything: Any = None
    count: int = 3


@pytest.mark.parametrize(
    ("model", "given", "expected"),
    [
        (Award, {"exclude_suppliers": '["Bags"]'}, {"exclude_suppliers": ["Bags"]}),
        (Award, {"keep_suppliers": ' [ "A", "[B]" ]\n'}, {"keep_suppliers": ["A", "[B]"]}),
        (Award, {"keep_suppliers": ["[1]", "null"]}, {"keep_suppliers": ["[1]", "null"]}),
        (Award, {"keep_suppliers": None, "exclude_suppliers": "null"}, {"keep_suppliers": []}),
        (Award, {"max_suppliers": None, "whole_bundles": None, "objective": None}, {"whole_bundles": False}),
        (Award, {"max_suppliers": "2", "whole_bundles": "true"}, {"max_suppliers": 2, "whole_bundles": True}),
        (Award, {"requirement": "[1, 2]"}, {"requirement": "[1, 2]"}),
        (Purchase, {"options": '{"Edition": "Gold"}'}, {"options": {"Edition": "Gold"}}),
        (Purchase, {"options": {"Edition": '{"a": 1}'}}, {"options": {"Edition": '{"a": 1}'}}),
        (Purchase, {"options": None, "term_months": "24"}, {"options": {}, "term_months": 24}),
        (Purchase, {"product": '{"id": 1}'}, {"product": '{"id": 1}'}),
        (Deep, {"rows": '[["a"], ["b", "c"]]'}, {"rows": [["a"], ["b", "c"]]}),
        (Deep, {"rows": ['["a"]', ["b"]]}, {"rows": [["a"], ["b"]]}),
        (Deep, {"by_name": {"x": "[1, 2]"}}, {"by_name": {"x": [1, 2]}}),
        (Deep, {"words": '["a"]', "anything": "[1]"}, {"words": '["a"]', "anything": "[1]"}),
        (Deep, {"rows": None, "count": None}, {"rows": None, "count": 3}),
    ],
)  # fmt: skip
def test_lists_and_objects_may_come_as_json_text(
    model: type[Arguments], given: dict[str, object], expected: dict[str, object]
) -> None:
    needed = {Award: {"requirement": "any"}, Purchase: {"product": "Suite", "quantity": 1}, Deep: {}}[model]
    read = model.model_validate({**needed, **given})
    assert {name: getattr(read, name) for name in expected} == expected


def test_parts_of_a_list_may_come_as_json_text_too() -> None:
    parts = [{"label": "a", "amounts": "[1.5]"}, '{"label": "b", "amounts": [2]}']
    for given in (parts, json.dumps(parts)):
        read = Deep.model_validate({"parts": given}).parts
        assert [(one.label, one.amounts) for one in read] == [("a", [Decimal("1.5")]), ("b", [Decimal(2)])]


@pytest.mark.parametrize(
    ("model", "given", "place"),
    [
        (Award, {"requirement": "any", "exclude_suppliers": "Bags"}, "exclude_suppliers"),
        (Award, {"requirement": "any", "exclude_suppliers": "['Bags']"}, "exclude_suppliers"),
        (Award, {"requirement": "any", "keep_suppliers": ""}, "keep_suppliers"),
        (Award, {"requirement": "any", "keep_suppliers": '{"a": 1}'}, "keep_suppliers"),
        (Award, {"requirement": "any", "keep_suppliers": "[" * 100_000}, "keep_suppliers"),
        (Award, {"requirement": "any", "keep_suppliers": f"[{'9' * 5000}]"}, "keep_suppliers"),
        (Award, {"requirement": "any", "keep_suppliers": "[NaN]"}, "keep_suppliers"),
        (Award, {"requirement": "any", "keep_suppliers": "[1]"}, "keep_suppliers.0"),
        (Award, {"requirement": None}, "requirement"),
        (Purchase, {"product": "Suite", "quantity": 1, "options": "[]"}, "options"),
        (Purchase, {"product": "Suite", "quantity": 1, "options": '{"a": "b"'}, "options"),
        (Award, {"requirement": "a\ud800"}, "requirement"),
        (Award, {"requirement": "any", "keep_suppliers": '["\\u0000"]'}, "keep_suppliers.0"),
        (Deep, {"rows": ["a"]}, "rows.0"),
        (Deep, {"by_name": {"x": "1"}}, "by_name.x"),
        (Proposal, {"decision": None, "reason": "long enough a reason"}, "decision"),
    ],
)
def test_what_is_no_such_json_is_refused_at_its_place(
    model: type[Arguments], given: dict[str, object], place: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        model.model_validate(given)
    assert [".".join(map(str, one["loc"])) for one in refused.value.errors()] == [place]
    said = describe_arguments(refused.value)
    assert place in said
    assert len(said) < 600
