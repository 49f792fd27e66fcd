"""Every value that a caller may send has a bound, and one beyond it is a 400 that names the place."""

import json
import re
from collections.abc import Generator, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from app.service.http.dependencies import CONTEXT
from app.service.http.openapi import load_description
from app.service.main import create_service
from app.settings import Settings
from tests.service.conftest import key_for
from tests.service.migrated_database import provide_schema
from tests.service.running_service import create_one_of_everything, serving
from tests.service.write_calls import write_calls

DESCRIPTION = load_description(with_inbox=True)
FREE_OBJECTS = {"StartNegotiation.metadata", "ExternalUpdate.schema", "ExternalUpdate.payload"}
"""Objects of any content; their bound is in bytes, which JSON Schema cannot say."""
FREE_FIELDS = {"metadata", "any", "more"}
"""Of the bodies below, those that may hold anything."""
BOUNDED_FORMATS = {"uuid", "date", "date-time"}
JSON = {"content-type": "application/json"}
LOWEST, HIGHEST = {"minimum", "exclusiveMinimum"}, {"maximum", "exclusiveMaximum"}


def find_unbounded(schema: dict[str, Any], place: str, seen: set[str]) -> Iterator[str]:
    """The places in a schema where a text, list or number has no bound, or anything is taken."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name not in seen:
            seen.add(name)
            yield from find_unbounded(DESCRIPTION["components"]["schemas"][name], name, seen)
        return
    alternatives = [one for kind in ("anyOf", "oneOf", "allOf") for one in schema.get(kind, ())]
    for one in alternatives:
        yield from find_unbounded(one, place, seen)
    if not alternatives and not schema.keys() & {"enum", "const"} and _is_unbounded(schema, place):
        yield place
    if "items" in schema:
        yield from find_unbounded(schema["items"], f"{place}[]", seen)
    for name, inner in schema.get("properties", {}).items():
        yield from find_unbounded(inner, f"{place}.{name}", seen)
    if "maxProperties" in schema:  # of any names, which are texts
        yield from find_unbounded({"type": "string", **schema["propertyNames"]}, f"{place} names", seen)
        yield from find_unbounded(schema["additionalProperties"], f"{place} values", seen)


def _is_unbounded(schema: dict[str, Any], place: str) -> bool:
    match schema.get("type"):
        case "string":
            bounded = "maxLength" in schema or schema.get("format") in BOUNDED_FORMATS
            return not bounded and "contentMediaType" not in schema
        case "number" | "integer":
            return not (schema.keys() & LOWEST and schema.keys() & HIGHEST)
        case "array":
            return "maxItems" not in schema
        case "object":
            return not schema.keys() & {"properties", "maxProperties"} and place not in FREE_OBJECTS
        case "boolean" | "null":
            return False
        case _:
            return True


def test_every_value_of_every_request_has_a_bound() -> None:
    unbounded: list[str] = []
    seen: set[str] = set()
    for path, operations in DESCRIPTION["paths"].items():
        for method, operation in operations.items():
            for parameter in operation.get("parameters", ()):
                place = f"{method} {path} {parameter['name']}"
                unbounded += find_unbounded(parameter["schema"], place, seen)
            for content in operation.get("requestBody", {}).get("content", {}).values():
                unbounded += find_unbounded(content["schema"], f"{method} {path}", seen)
    assert unbounded == []


class Running:
    """A service with one of everything."""

    def __init__(self, api: httpx.Client, existing: dict[str, Any]) -> None:
        self.api = api
        self.existing = existing


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Generator[Running]:
    folder = tmp_path_factory.mktemp("bounds")
    app = create_service(Settings(data_dir=folder / "data", database_url=None, rate_limit=0, inbox=True))
    context = CONTEXT.get(app)
    provide_schema(context.database)
    headers = {"Authorization": f"Bearer {key_for(context)}"}
    with serving(app) as url, httpx.Client(base_url=url, headers=headers, timeout=60) as api:
        yield Running(api, create_one_of_everything(context, api, Path(folder)))


DIGITS = "9" * 5000
HOSTILE = [
    "1e400", "-1e400", "NaN", "Infinity", "-Infinity", DIGITS, f"0.{DIGITS}", "1e25", "-0.0", "-1", "1e-400",
    '"1e25"',
    '"1e400"', '"\uff11\uff12"', '"\u0661"', '"NaN"', '"-0"', f'"{DIGITS}"', '"' + "x" * 50_000 + '"', '""',
    '"\\u0000"', '"\\ud800"', "null", "true", "[" * 400 + "]" * 400, '{"a":' * 400 + "1" + "}" * 400,
    "[" + "1," * 20_000 + "1]", "{}", "[]",
]  # fmt: skip
"""Values as JSON, put in the place of every value of every body."""


HOSTILE_PARAMETERS = [
    "\uff11\uff12", "\u0661", "1e400", "NaN", "-0", "-1", "9" * 400, "1_0",
    "1.0", " 1", "x" * 5_000, "", "\x00", "true", "%", "'", "[]",
    str(2**63 - 1), str(2**63),
]  # fmt: skip


def _places(value: Any, pointer: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if pointer:
        yield pointer
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from _places(one, (*pointer, key))


def _find(value: Any, place: tuple[str | int, ...]) -> Any:
    for step in place:
        value = value[step]
    return value


def _replaced(body: Any, place: tuple[str | int, ...], text: str) -> bytes:
    changed = deepcopy(body)
    _find(changed, place[:-1])[place[-1]] = "@here@"
    return json.dumps(changed).replace('"@here@"', text).encode("utf-8", "surrogatepass")


def _calls(existing: dict[str, Any]) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Method, path and a valid body of every operation that takes JSON."""
    calls = {
        name: ("POST", path, arguments["json"])
        for name, make in write_calls(existing).items()
        for path, arguments in [make("word")]
        if "json" in arguments
    }
    terms = calls["scope"][2]
    webhook, negotiation = (
        f"/v1/webhooks/{existing['webhookId']}",
        f"/v1/negotiation/{existing['negotiationId']}",
    )
    file = {"fileId": existing["fileId"]}
    dates = {
        "startDate": "2026-01-01",
        "endDate": "2026-12-31",
        "listPrice": 10,
        "discount": 5,
        "finalPrice": 9,
    }
    full = {key: [{**one, **dates} for one in value] for key, value in terms.items()}
    return {
        **calls,
        "full scope": ("POST", "/v1/scope", {**full, "previousScopeId": existing["scopeId"]}),
        "full start": (
            "POST",
            "/v1/negotiation/start",
            {
                **calls["start"][2],
                "metadata": {"a": [1, "b", {"c": 1.5}]},
                "participants": [{"name": "A", "email": "a@example.com", "role": "buyer", "more": 1}],
                "supplier": {
                    "name": "Works",
                    "domain": "example.com",
                    "contactEmail": "a@example.com",
                    "any": 1,
                },
                "file": file,
            },
        ),
        "full entry": (
            "POST",
            "/v1/catalog/entries",
            {
                "supplier": {"name": "S", "domain": "example.com"},
                "product": {
                    "name": "P",
                    "unit": "seat",
                    "dimensions": [{"name": "edition", "type": "select", "options": ["a", "b"]}],
                },
                "confirmNew": True,
            },
        ),
        "confirm": (
            "POST",
            f"/v1/scope/{existing['documentScopeId']}/document/confirm",
            {"scopeTerm": full["scopeTerms"][0], "lines": [{"index": 0, "role": "not_product"}]},
        ),
        "list prices": (
            "POST",
            f"/v1/scope/{existing['documentScopeId']}/document/list-prices",
            {"lines": [{"index": 0, "productId": full["productTerms"][0]["productId"], "per": "month"}]},
        ),
        "preview": ("POST", "/v1/pricing/preview", {**full, "exclude": ["a"], "quoted": 100}),
        "redeliver since": ("POST", f"{webhook}/events/redeliver", {"since": "2026-11-20T09:30:00Z"}),
        "change": ("PATCH", webhook, {"enabled": True}),
        "change scope": (
            "PATCH",
            f"/v1/scope/{existing['scopeId']}",
            {"name": "Seats", "archived": False, "owners": [{"name": "A", "email": "a@example.com"}]},
        ),
        "change negotiation": ("PATCH", negotiation, {"owners": [{"name": "A", "email": "a@example.com"}]}),
        "full agreement": (
            "POST",
            "/v1/agreements",
            {
                **calls["agreement"][2],
                "companyId": existing["companyId"],
                "owners": [{"name": "A", "email": "a@example.com"}],
                "currency": "USD",
                "maxRenewals": 3,
                "maxExtentDate": "2040-12-31",
                "noticeTo": "received",
                "deliveryBufferDays": 3,
                "noticeGivenOn": "2026-09-01",
                "uplift": {
                    "kind": "index",
                    "percent": 1,
                    "index": "CPI",
                    "basis": "year",
                    "compounding": True,
                },
                "totalValue": 100,
                "oneTimeValue": 10,
                "committedSpend": 50,
                "paymentTermsDays": 30,
                "billingFrequency": "annual",
                "costCenter": "IT",
                "tags": ["cloud"],
                "lines": [
                    {
                        "productId": existing["productId"],
                        "description": "Seats",
                        "quantity": 10,
                        "unit": "seat",
                        "unitPrice": 9,
                        "amount": 90,
                        "recurring": True,
                    }
                ],
                "scopeId": existing["scopeId"],
                "fileId": existing["fileId"],
                "previousAgreementId": existing["agreementId"],
            },
        ),
        "agreement of a document": (
            "POST",
            "/v1/agreements/from-document",
            {"scopeId": existing["scopeId"]},
        ),
        "change agreement": ("PATCH", f"/v1/agreements/{existing['agreementId']}", {"totalValue": 100}),
        "renewal": (
            "POST",
            f"/v1/agreements/{existing['agreementId']}/renewal",
            {"contactName": "A", "contactEmail": "a@example.com", "engagementType": "svc_led"},
        ),
        "requirement": (
            "POST",
            "/v1/requirements",
            {
                "name": "Tools",
                "currency": "USD",
                "termMonths": 24,
                "neededBy": "2026-12-31",
                "discountRate": 5,
                "lines": [
                    {
                        "description": "Seats",
                        "quantity": 10,
                        "unit": "seat",
                        "mustHave": True,
                        "productId": existing["productId"],
                    }
                ],
            },
        ),
        "change requirement": ("PATCH", f"/v1/requirements/{existing['requirementId']}", {"discountRate": 5}),
        "quote of a requirement": (
            "POST",
            f"/v1/requirements/{existing['requirementId']}/quotes",
            {
                "supplierName": "A",
                "currency": "USD",
                "validUntil": "2026-12-31",
                "paymentTermsDays": 30,
                "minimumOrder": 10,
                "leadTimeDays": 5,
                "discounts": [{"fromAmount": 10, "percent": 5}],
                "lines": [
                    {
                        "description": "Seats",
                        "quantity": 10,
                        "unitPrice": 9,
                        "recurring": "month",
                        "bundleId": "a",
                        "breaks": [{"fromQuantity": 5, "unitPrice": 8}],
                    }
                ],
            },
        ),
        "alignment": (
            "PUT",
            f"/v1/requirements/{existing['requirementId']}/alignment",
            {"lines": [{"quoteLineId": existing["quoteLineId"]}]},
        ),
        "change quote": (
            "PATCH",
            f"/v1/requirements/{existing['requirementId']}/quotes/{existing['quoteId']}",
            {
                "supplierName": "A",
                "currency": "USD",
                "paymentTermsDays": 30,
                "minimumOrder": 10,
                "leadTimeDays": 5,
                "discounts": [{"fromAmount": 10, "percent": 5}],
                "lines": [
                    {
                        "id": existing["quoteLineId"],
                        "quantity": 10,
                        "unitPrice": 5,
                        "recurring": "year",
                        "breaks": [{"fromQuantity": 5, "unitPrice": 4}],
                        "bundleId": "b",
                    }
                ],
            },
        ),
        "scenario": (
            "POST",
            f"/v1/requirements/{existing['requirementId']}/scenarios",
            {"objective": "cheapest_split", "constraints": {"maxSuppliers": 2, "maxShare": 80}},
        ),
        "award": (
            "POST",
            f"/v1/requirements/{existing['requirementId']}/award",
            {
                "scenarioId": existing["scenarioId"],
                "reason": "The cheapest",
                "decidedBy": "A",
                "contactName": "A",
                "contactEmail": "a@example.com",
                "engagementType": "svc_led",
            },
        ),
        "agent call": (
            "POST",
            "/v1/agents/calls",
            {"tool": "find_products", "outcome": "service_error", "status": 404, "seconds": 1.5},
        ),
        "working days": (
            "PATCH",
            "/v1/working-days",
            {"weekend": ["sunday"], "holidays": [{"date": "2026-12-25", "name": "Christmas"}]},
        ),
        "moved deadlines": ("POST", "/v1/working-days/preview", {"weekend": ["sunday"]}),
        "same purchase": (
            "POST",
            f"/v1/agreements/{existing['agreementId']}/purchases/decision",
            {"line": 0, "purchaseId": existing["scopeId"], "same": True},
        ),
        "approval rules": ("PATCH", "/v1/approval-rules", {"awards": False, "pricesAbove": 1000.5}),
        "refusal": (
            "POST",
            f"/v1/approvals/{existing['approvalId']}/refuse",
            {"reason": "The receiver is not known."},
        ),
        "deadline mail": ("PATCH", "/v1/deadline-mail", {"enabled": True}),
        "second opinion": (
            "PATCH",
            "/v1/second-opinion",
            {
                "enabled": True,
                "address": "https://models.example.com/v1",
                "model": "small",
                "key": "sk-1",
                "callsPerDay": 10,
            },
        ),
        "attach": ("POST", f"{negotiation}/attach", file),
        "strategy": ("POST", f"{negotiation}/strategy", {"scopeId": existing["scopeId"]}),
    }


def test_the_walk_has_every_operation_that_takes_json(running: Running) -> None:
    walked = {(method.lower(), path) for method, path, _ in _calls(running.existing).values()}
    for template, operations in DESCRIPTION["paths"].items():
        for method, operation in operations.items():
            if "application/json" in operation.get("requestBody", {}).get("content", {}):
                pattern = re.sub(r"\{\w+\}", "[^/]+", template)
                assert any(one == method and re.fullmatch(pattern, path) for one, path in walked), template


@pytest.mark.campaign
def test_no_hostile_value_in_any_body_is_an_error_of_the_service(running: Running) -> None:
    assert find_failures(running.api, running.existing, share=24) == []


@pytest.mark.campaign
def test_no_hostile_value_of_any_parameter_is_an_error_of_the_service(running: Running) -> None:
    assert find_parameter_failures(running.api, running.existing, share=6) == []


def find_parameter_failures(api: Any, existing: dict[str, Any], *, share: int = 1) -> list[str]:
    """What was answered with 5xx when one of `share` hostile texts is given for each parameter."""
    wrong: list[str] = []
    for template, operations in DESCRIPTION["paths"].items():
        for method, operation in operations.items():
            for number, parameter in enumerate(operation.get("parameters", ())):
                if parameter["in"] != "header":
                    for text in HOSTILE_PARAMETERS[(len(template) + number) % share :: share]:
                        path, query = _address(template, parameter, text, existing)
                        answer = api.request(method, path, params=query)
                        if answer.status_code >= 500:
                            wrong.append(f"{method} {path[:200]} {query} {answer.text[:200]}")
    return wrong


def _address(
    template: str, parameter: dict[str, Any], text: str, existing: dict[str, Any]
) -> tuple[str, dict[str, str]]:
    in_path = parameter["in"] == "path"

    def value(match: re.Match[str]) -> str:
        name = match[1]
        return quote(text, safe="") if in_path and name == parameter["name"] else str(existing.get(name, 1))

    path = re.sub(r"\{(\w+)\}", value, template)
    return path, {} if in_path else {parameter["name"]: text}


def find_failures(api: Any, existing: dict[str, Any], *, share: int = 1) -> list[str]:
    """What was answered with 5xx, or with 400 and no place, when one of `share` hostile values is put in the
    place of each value of each body."""
    wrong: list[str] = []
    for name, (method, path, body) in _calls(existing).items():
        for number, place in enumerate(_places(body)):
            for text in HOSTILE[number % share :: share]:
                wrong += _find_failure(api, method, path, _replaced(body, place, text), f"{name} {place}")
    return wrong


def _find_failure(api: Any, method: str, path: str, body: bytes, what: str) -> list[str]:
    answer = api.request(method, path, content=body, headers=JSON)
    if answer.status_code >= 500:
        return [f"{what}: {answer.status_code} {answer.text[:200]} {body[:200]!r}"]
    if answer.status_code == 400 and not answer.json().get("errors"):
        return [f"{what}: no place in {answer.text[:300]}"]
    return []


@pytest.mark.parametrize(
    ("name", "place", "text", "pointer"),
    [
        ("scope", ("productTerms", 0, "pricingDimensions", 0, "value"), '"1e25"',
    "value"),
        ("scope", ("productTerms", 0, "pricingDimensions", 0, "value"), '"1e400"', "value"),
        ("scope", ("productTerms", 0, "pricingDimensions", 0, "value"), '"\uff11\uff10"', "value"),
        ("full scope", ("scopeTerms", 0, "endDate"), '"2025-12-31"', "/scopeTerms/0/endDate"),
        ("full scope", ("productTerms", 0, "endDate"), '"2025-12-31"', "/productTerms/0/endDate"),
        ("full scope", ("scopeTerms", 0, "endDate"),
         '"\uff12\uff10\uff12\uff16-12-31"', "/scopeTerms/0/endDate"),
        ("scope", ("scopeTerms", 0, "termLength"), "1e400", "/scopeTerms/0/termLength"),
        ("start", ("contactName",), '"' + "x" * 50_000 + '"', "/contactName"),
        ("full start", ("metadata",), '{"a": "' + "x" * 70_000 + '"}', "/metadata"),
        ("full start", ("metadata",), '{"a":' * 400 + "1" + "}" * 400, "/metadata/a"),
        ("full start", ("supplier", "any"), '"' + "x" * 20_000 + '"', "/supplier"),
        ("note", ("payload",), '{"a": "' + "x" * 70_000 + '"}', "/payload"),
        ("note", ("schema",), '{"description": "' + "x" * 300_000 + '"}', "/schema"),
    ],
)  # fmt: skip
def test_what_is_out_of_bounds_is_named_by_its_place(
    running: Running, name: str, place: tuple[str | int, ...], text: str, pointer: str
) -> None:
    method, path, body = _calls(running.existing)[name]
    content = _replaced(body, place, text)
    answer = running.api.request(method, path, content=content, headers=JSON)
    assert answer.status_code == 400, answer.text
    assert any(pointer in error["pointer"] for error in answer.json()["errors"]), answer.text


def test_a_header_of_the_end_user_has_a_bound(running: Running) -> None:
    for name in ("x-svc-end-user-identifier", "x-svc-end-user-organization-name"):
        answer = running.api.get("/v1/scope", headers={name: "x" * 501})
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["pointer"] == name


def test_no_number_of_any_body_may_be_a_truth_value(running: Running) -> None:
    accepted: list[str] = []
    for name, (method, path, body) in _calls(running.existing).items():
        for place in _places(body):
            if FREE_FIELDS.isdisjoint(place) and type(_find(body, place)) in {int, float}:
                content = _replaced(body, place, "true")
                answer = running.api.request(method, path, content=content, headers=JSON)
                if answer.status_code not in {400, 422}:
                    accepted.append(f"{name} {place} {answer.status_code} {answer.text[:100]}")
    assert accepted == []
