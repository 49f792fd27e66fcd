"""Two organisations with entries, imports, scopes, negotiations, files and webhooks of their own, searched
through every path of the interface: neither sees anything of the other's, nor what it changed."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service.http.dependencies import CONTEXT
from app.service.http.openapi import load_description
from app.service.main import create_service
from app.settings import Settings
from tests.service.conftest import key_for
from tests.service.migrated_database import provide_schema
from tests.service.organisation_factory import (
    UUID,
    Organisation,
    confirmed_lines,
    fill_path,
    find_shared_chair,
    furnish,
    import_rows,
    list_get_paths,
    make_quote,
    make_terms,
    read_answer,
    run_tasks,
)

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
WOODS = ("oak", "ash")
OPEN = ("/v1/health", "/v1/openapi")
RECORDED = ("/v1/audit", "/v1/audit.csv", "/v1/members/{memberId}/data")
"""What tells of each file that is read, so also of those that a snapshot reads."""


@pytest.fixture
def app(settings: Settings) -> Iterator[FastAPI]:
    """The time stands still, so that two answers differ only where what they say does."""
    service = create_service(settings, lambda: NOW)
    provide_schema(CONTEXT.get(service).database)
    yield service
    CONTEXT.get(service).database.close()


@pytest.fixture
def shared_chair(app: FastAPI, tmp_path: Path) -> None:
    """What everybody may know: a supplier whose chair was bought twelve times."""
    rows = [
        f"2026-0{1 + n % 9}-15,Acme,Chair,C-10010,{n + 1},piece,{20 + n % 3},USD,"
        f"Seating,Furniture,{WOODS[n % 2]}"
        for n in range(12)
    ]
    import_rows(CONTEXT.get(app), tmp_path, rows, None)


@pytest.fixture
def organisations(app: FastAPI, api: TestClient, shared_chair: None) -> tuple[Organisation, Organisation]:
    """Acme and another; neither has anything yet."""
    callers: list[Organisation] = []
    for name, word, amount in (("Quokka Traders", "quokka", 7654321), ("Axolotl Mills", "axolotl", 8765432)):
        client = TestClient(app, follow_redirects=False, raise_server_exceptions=False)
        client.headers["Authorization"] = f"Bearer {key_for(CONTEXT.get(app), name)}"
        callers.append(Organisation(client, CONTEXT.get(app), name, word, amount))
    return callers[0], callers[1]


def _writing_paths(one: Organisation) -> Iterator[tuple[str, str]]:
    """Each way to change something of its own, with its ids."""
    for template, operations in load_description(with_inbox=True)["paths"].items():
        for method in operations.keys() & {"post", "patch", "delete"}:
            if "{" in template:
                yield from ((method.upper(), path) for path in fill_path(template, one.ids))


def _snapshot(one: Organisation, ids: dict[str, list[str]]) -> dict[str, Any]:
    """What every path says to it, without the ids of the requests."""
    found: dict[str, Any] = {}
    for template in list_get_paths():
        for path in fill_path(template, ids):
            if path in OPEN or template in RECORDED:
                continue
            answer = one.api.get(path)
            found[path] = answer.status_code, read_answer(answer)
    for query in ("name=a", "name=acme", "domain=acme.example", "limit=100", "limit=1&offset=1"):
        found[query] = read_answer(one.api.get(f"/v1/catalog/companies?{query}"))
    chair = one.get(f"/v1/catalog/products/{find_shared_chair(one)}")
    found["preview"] = read_answer(one.api.post("/v1/pricing/preview", json=make_terms(chair)))
    return found


def _assert_nothing_of(other: Organisation, answer: Any, asked: str) -> None:
    said = read_answer(answer)
    text = (said.decode("latin-1") if isinstance(said, bytes) else json.dumps(said)).lower()
    assert other.word not in text, asked
    assert str(other.amount) not in text, asked
    assert not other.own() & set(UUID.findall(text)), asked


def test_what_one_does_changes_nothing_for_the_other(
    api: TestClient, organisations: tuple[Organisation, Organisation], tmp_path: Path
) -> None:
    one, other = organisations
    furnish(other, tmp_path)
    acme = other.company("acme")
    ids = dict(other.ids)
    ids["companyId"] = [*ids["companyId"], acme["id"]]
    ids["productId"] = [*ids["productId"], find_shared_chair(other)]
    # Who has nothing is given what everybody is given.
    bystander = Organisation(api, other.context, "Acme", "bystander", 0)
    before, shown = _snapshot(other, ids), _snapshot(bystander, ids)
    assert before[f"/v1/pricing/advanced/{ids['scopeId'][1]}"][0] == 200
    furnish(one, tmp_path)
    after, still_shown = _snapshot(other, ids), _snapshot(bystander, ids)
    assert {path for path in before if before[path] != after[path]} == set()
    assert {path for path in shown if shown[path] != still_shown[path]} == set()
    assert other.word in json.dumps(after, default=str)
    assert not {one.word, other.word} & set(re.findall(r"\w+", json.dumps(still_shown, default=str)))


def test_every_path_keeps_the_others_entries_to_itself(
    organisations: tuple[Organisation, Organisation], tmp_path: Path
) -> None:
    for one in organisations:
        furnish(one, tmp_path)
    for caller, other in (organisations, organisations[::-1]):
        for template in list_get_paths():
            for path in fill_path(template, other.ids):
                answer = caller.api.get(path)
                assert answer.status_code == (404 if "{" in template else answer.status_code), path
                _assert_nothing_of(other, answer, path)
        for method, path in _writing_paths(other):
            answer = caller.api.request(method, path, json={})
            assert answer.status_code in {400, 404}, (method, path, answer.text)
            _assert_nothing_of(other, answer, path)
        _assert_nothing_is_found(caller, other)
        _assert_nothing_is_taken(caller, other)


def _assert_nothing_is_found(caller: Organisation, other: Organisation) -> None:
    """Through lists, by ids, words, domains and kinds."""
    acme = caller.company("acme")["id"]
    products, families = (f"/v1/catalog/companies/{acme}/{part}" for part in ("products", "product-families"))
    searches = [
        f"/v1/catalog/companies?name={other.word}",
        f"/v1/catalog/companies?domain={other.word}.example",
        f"/v1/catalog/companies?ids={','.join(other.ids['companyId'])}",
        f"{products}?ids={','.join(other.ids['productId'])}",
        f"{families}?ids={','.join(other.ids['productFamilyId'])}",
        *(f"{products}?productFamilyId={family}" for family in other.ids["productFamilyId"]),
        *(f"/v1/catalog/companies?categoryId={one}" for one in other.ids["categoryId"]),
        *(f"/v1/catalog/categories?parentCategoryId={one}" for one in other.ids["categoryId"]),
    ]
    for search in searches:
        page = caller.get(search)
        assert (page["data"], page["pagination"]["total"]) == ([], 0), search
    for listed in ("companies", "categories"):
        _assert_nothing_of(other, caller.api.get(f"/v1/catalog/{listed}?limit=100"), listed)
    for path in (products, families, f"/v1/catalog/companies/{acme}", f"/v1/negotiation/faqs/{acme}"):
        _assert_nothing_of(other, caller.api.get(path), path)


def _matched(one: Organisation, scope_id: str) -> list[int]:
    """The lines of a quote for which a product was found."""
    lines = one.get(f"/v1/scope/{scope_id}/document")["lines"]
    return [line["index"] for line in lines if "productId" in line]


def _assert_nothing_is_taken(caller: Organisation, other: Organisation) -> None:
    """No body may name what is the other's, and a document does not find it."""
    chair = caller.get(f"/v1/catalog/products/{find_shared_chair(caller)}")
    start = {
        "supplier": {"name": "Anybody"},
        "contactEmail": "a@b.example",
        "contactName": "A",
        "engagementType": "strategy_only",
    }
    engine = other.get(f"/v1/catalog/products/{other.ids['productId'][2]}")
    others_chair = other.get(f"/v1/catalog/products/{chair['id']}")
    for path, body in (
        ("/v1/scope", make_terms(engine)),
        ("/v1/scope", make_terms(others_chair)),
        ("/v1/scope", {**make_terms(chair), "previousScopeId": other.ids["scopeId"][0]}),
        ("/v1/pricing/preview", make_terms(engine)),
        ("/v1/pricing/preview", make_terms(others_chair)),
        ("/v1/pricing/preview", {**make_terms(chair), "previousScopeId": other.ids["scopeId"][0]}),
        ("/v1/negotiation/start", {**start, "supplier": {"companyId": other.ids["companyId"][0]}}),
        ("/v1/negotiation/start", {**start, "scope": {"scopeId": other.ids["scopeId"][0]}}),
        ("/v1/negotiation/start", {**start, "scope": make_terms(engine)}),
        ("/v1/negotiation/start", {**start, "file": {"fileId": other.ids["fileId"][0]}}),
        (f"/v1/negotiation/{caller.ids['negotiationId'][0]}/attach", {"fileId": other.ids["fileId"][0]}),
        (
            "/v1/scope/from-document",
            {"fileUrl": f"http://testserver/v1/files/{other.ids['fileId'][0]}"},
        ),
        ("/v1/agreements", {"name": "Any", "companyId": other.ids["companyId"][0]}),
        ("/v1/agreements", {"name": "Any", "scopeId": other.ids["scopeId"][0]}),
        ("/v1/agreements", {"name": "Any", "fileId": other.ids["fileId"][0]}),
        ("/v1/agreements", {"name": "Any", "previousAgreementId": other.ids["agreementId"][0]}),
        (
            f"/v1/agreements/{caller.ids['agreementId'][0]}/decision",
            {"decision": "replace", "nextAgreementId": other.ids["agreementId"][0]},
        ),
        (
            "/v1/catalog/entries",
            {"supplier": {"companyId": other.ids["companyId"][0]}, "product": {"name": "Lid"}},
        ),
    ):
        answer = caller.api.post(path, json=body)
        assert answer.status_code == 400, (path, answer.text)
        _assert_nothing_of(other, answer, path)
    confirmed = confirmed_lines(caller, chair, chair)
    for scope_id in other.ids["scopeId"]:
        answer = caller.api.post(f"/v1/scope/{scope_id}/document/confirm", json=confirmed)
        assert answer.status_code == 404, answer.text
        answer = caller.api.post(f"/v1/scope/{scope_id}/document/list-prices", json={"lines": []})
        assert answer.status_code == 404, answer.text
    for supplier, matched in ((f"{other.word} Holding", []), ("Acme", [2])):
        theirs = {"file": ("theirs.csv", make_quote(other, supplier))}
        read = [one.post("/v1/scope/from-document", files=theirs)["scopeId"] for one in (caller, other)]
        run_tasks(caller.context)
        for path in (f"/v1/scope/{read[0]}", f"/v1/scope/{read[0]}/document"):
            assert not other.own() & set(UUID.findall(json.dumps(caller.get(path)))), path
        assert _matched(caller, read[0]) == matched
        assert _matched(other, read[1]) == ([0] if not matched else [1, 2, 3])
    made = caller.post(
        "/v1/catalog/entries",
        json={"supplier": {"name": f"{other.word} Labs"}, "product": {"name": f"{other.word} notebook"}},
    )
    assert not other.own() & set(made.values())
