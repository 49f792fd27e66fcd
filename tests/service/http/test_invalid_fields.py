"""A refusal says in its `detail` what is wrong and where, in words of our own."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core.core_schema import ErrorType
from starlette.testclient import TestClient

import app.service
from app.contract.validation_messages import describe_fault
from app.contract.values import Email
from app.service.context import Context
from app.service.http.problems import ApiProblem
from app.service.negotiation.updates.schema_validation import check_payload
from tests.service.running_service import create_one_of_everything

LIBRARY = re.compile(
    r"Input |Field required|should (be|have|match|contain)|String should|Value error|is not permitted"
    r"|valid email|is a required property|is not of type|Expecting |is not one of|Unable to|line \d+ column"
)
"""How the validation libraries begin or build their sentences."""


@pytest.fixture
def database_url() -> None:
    """SQLite alone: nothing here depends on the store."""
    return


def _broken_bodies() -> Iterator[tuple[str, Any]]:
    scope_term = {"termLength": 12, "purchaseType": "new_purchase"}
    yield "/v1/scope", {}
    yield "/v1/scope", []
    yield "/v1/scope", {"scopeTerms": [scope_term], "productTerms": {}, "other": 1}
    yield "/v1/scope", {"scopeTerms": [{"termLength": "x", "purchaseType": "gift"}], "productTerms": []}
    yield "/v1/scope", {"scopeTerms": [{**scope_term, "discount": 101, "autoRenew": 3}], "productTerms": [7]}
    yield "/v1/webhooks", {"url": 7, "events": ["a", "b", "c", "d"]}
    yield "/v1/webhooks", {"url": "x" * 3000, "events": []}
    yield "/v1/negotiation/start", {"contactEmail": "nobody", "engagementType": 3, "participants": {}}
    yield "/v1/catalog/entries", {"supplier": None, "product": {"name": ""}}


def test_detail_names_the_first_errors_in_our_words(api: TestClient) -> None:
    for path, body in _broken_bodies():
        answer = api.post(path, json=body)
        assert answer.status_code == 400
        problem = answer.json()
        for wrong in problem["errors"][:3]:
            place = wrong["pointer"].removeprefix("/") or "The body"
            assert f"{place} {wrong['detail']}" in problem["detail"]
        assert not LIBRARY.search(answer.text), answer.text


def test_detail_names_a_parameter(api: TestClient) -> None:
    for query in ("limit=0", "limit=x", "sortOrder=up", "parentCategoryId=7", "offset=-1"):
        answer = api.get(f"/v1/catalog/categories?{query}")
        assert answer.status_code == 400
        assert f" {query.partition('=')[0]} must " in answer.json()["detail"]
        assert not LIBRARY.search(answer.text), answer.text


@pytest.mark.campaign
def test_detail_names_a_dimension_that_is_missing(api: TestClient, context: Context, tmp_path: Path) -> None:
    existing = create_one_of_everything(context, api, tmp_path)
    body = {
        "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
        "productTerms": [
            {
                "productId": existing["productId"],
                "pricingDimensions": [{"id": existing["scopeId"], "value": 1}],
            }
        ],
    }
    detail = api.post("/v1/scope", json=body).json()["detail"]
    assert re.search(r"productTerms/0/pricingDimensions: “[^”]+” \([\w-]+\) is required", detail), detail


def test_a_place_is_the_subject_of_what_is_said_about_it(api: TestClient) -> None:
    for address, sentence in (
        ("?Limit=5", "Limit is not a parameter of this call; it is written limit."),
        (f"?ids={'x,' * 30}x", "ids takes at most 30 ids; 31 were given."),
        ("?ids=x", "ids: 'x' is not a UUID."),
        ("?domain=%00", "domain must not contain a NUL character."),
    ):
        detail = api.get(f"/v1/catalog/companies{address}").json()["detail"]
        assert detail == f"The request is not valid. {sentence}"
    answer = api.post("/v1/scope", json=[])
    assert answer.json()["detail"] == "The request is not valid. The body must be an object."


SERVICE = Path(app.service.__file__).parent
VERBS = {"is", "are", "has", "must", "takes"}


@pytest.mark.campaign
def test_what_is_wrong_is_a_sentence_or_the_end_of_one() -> None:
    """So that a place before it makes a sentence: `detail` is read where nothing else is."""
    described = [
        each for path in SERVICE.rglob("*.py") for each in _read_details(ast.parse(path.read_text()))
    ]
    assert len(described) > 60
    assert not [text for text in described if text[:1].islower() and text.split(" ")[0] not in VERBS]


def _read_details(module: ast.Module) -> Iterator[str]:
    """What the fields that are wrong begin with, as far as it is written where they are made."""
    for node in ast.walk(module):
        named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id
        if (
            not isinstance(node, ast.Call)
            or named not in {"InvalidField", "bad_request"}
            or len(node.args) < 2
        ):
            continue
        detail = node.args[1]
        match detail.values[0] if isinstance(detail, ast.JoinedStr) else detail:
            case ast.Constant(value=str(text)):
                yield text
            case ast.FormattedValue(value=value, conversion=conversion):
                yield "'" if conversion == ord("r") else ast.unparse(value)
            case _:
                pass


def test_many_errors_are_counted(api: TestClient) -> None:
    terms = [{"termLength": 0, "purchaseType": "new_purchase"}] * 9
    problem = api.post("/v1/scope", json={"scopeTerms": terms, "productTerms": []}).json()
    assert problem["detail"].endswith(f"; and {len(problem['errors']) - 3} more.")


def test_a_response_has_the_first_errors_and_is_short(api: TestClient) -> None:
    unknown = {f"{at}{'x' * 1_500}": 1 for at in range(300)}
    response = api.post("/v1/agreements", json={"name": "Pages", **unknown})
    problem = response.json()
    assert (response.status_code, len(problem["errors"])) == (400, 100)
    assert problem["detail"].endswith("; and 297 more.")
    assert len(response.content) < 250_000


def test_a_payload_that_breaks_its_own_schema_is_described_in_our_words() -> None:
    cases: list[tuple[dict[str, Any], dict[str, Any], str]] = [
        ({"required": ["a", "b"]}, {"b": 1}, "must have “a”"),
        ({"properties": {"a": {"type": "integer"}}}, {"a": "x"}, 'must be of type "integer"'),
        ({"properties": {"a": {"enum": [1, 2]}}}, {"a": 3}, "must be one of [1, 2]"),
        ({"additionalProperties": False}, {"a": 3}, "a field that the schema does not allow: “a”"),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 3}, "must have at most 1 characters"),
        ({"properties": {"a": {"contains": {"const": 1}}}}, {"a": [2]}, "does not fit “contains”"),
        ({"type": "banana"}, {}, "fits none of the alternatives"),
    ]
    for schema, payload, sentence in cases:
        with pytest.raises(ApiProblem) as caught:
            check_payload(schema, payload)
        assert sentence in caught.value.errors[0].detail
        assert not any(LIBRARY.search(wrong.detail) for wrong in caught.value.errors)


@pytest.mark.parametrize("kind", get_args(ErrorType))
def test_no_sentence_of_the_library_is_passed_on(kind: str) -> None:
    sentence = "a sentence of the library"
    names = "gt ge lt le multiple_of min_length max_length pattern expected discriminator expected_tags error"
    context = dict.fromkeys(names.split(), 7)
    error: Any = {"type": kind, "loc": ("x",), "msg": sentence, "input": None, "ctx": context}
    assert sentence not in describe_fault(error)
    assert describe_fault(error).startswith(("must ", "is "))


class _Part(BaseModel):
    email: Email
    kind: Literal["a", "b"]


def test_an_email_address_and_a_choice() -> None:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(_Part).validate_python({"email": "@", "kind": "c"})
    assert [describe_fault(error) for error in caught.value.errors()] == [
        "must be an e-mail address such as buyer@example.com",
        "must be 'a' or 'b'",
    ]


def test_what_is_no_json_and_no_form_is_described_in_our_words(api: TestClient) -> None:
    for content, words in (
        (b'{"url": }', "no JSON from line 1, character 9"),
        (b'{"url": "\xff"}', "no text in UTF-8"),
        (b"", "is required"),
    ):
        answer = api.post("/v1/webhooks", content=content)
        assert answer.status_code == 400
        assert words in answer.json()["detail"]
        assert not LIBRARY.search(answer.text), answer.text
    form = api.post("/v1/files/upload", content=b"--x\r\n", headers={"Content-Type": "multipart/form-data"})
    assert form.status_code == 400
    assert "The form cannot be read" in form.json()["detail"]
