"""Two organisations with entries, imports, scopes, negotiations, files and webhooks of their own, searched
through every path of the interface: neither sees anything of the other's, nor what it changed."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service.catalog.denormalise import update_purchase_counts
from app.service.context import Context
from app.service.database.schema import migrate
from app.service.database.tables.workers import task
from app.service.http.dependencies import CONTEXT
from app.service.ids import new_id
from app.service.main import build_openapi, create_service
from app.service.negotiation import jobs
from app.service.purchases.importing import import_purchases
from app.service.scopes.jobs import extract_document, fetch_document
from app.settings import Settings
from tests.service.conftest import key_for

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
COLUMNS = (
    *("purchase_date", "supplier", "product", "product_key", "quantity", "unit", "unit_price", "currency"),
    *("product_family", "category", "finish"),
)
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
WOODS = ("oak", "ash")
OPEN = ("/v1/health", "/v1/openapi")
TASKS: dict[str, Callable[[Context, str], None]] = {
    jobs.PLAN: jobs.plan_negotiation,
    jobs.READ_ATTACHMENT: jobs.read_attachment,
    "fetch_document": fetch_document,
    "extract": extract_document,
}


@pytest.fixture
def app(settings: Settings) -> Iterator[FastAPI]:
    """The time stands still, so that two answers differ only where what they say does."""
    service = create_service(settings, lambda: NOW)
    migrate(CONTEXT.get(service).database)
    yield service
    CONTEXT.get(service).database.close()


@dataclass
class Organisation:
    """A caller with all that is its own: ids by the name of the path's parameter that takes them. `word` is
    in every name that it gives, `amount` in what it paid and was asked for."""

    api: Any
    context: Context
    name: str
    word: str
    amount: int
    ids: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def get(self, path: str) -> Any:
        answer = self.api.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, status: int = 201, **request: Any) -> Any:
        answer = self.api.post(path, **request)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    def company(self, name: str) -> Any:
        [found] = self.get(f"/v1/catalog/companies?name={name}")["data"]
        return self.get(f"/v1/catalog/companies/{found['id']}")

    def own(self) -> set[str]:
        return {one for ids in self.ids.values() for one in ids}

    def has(self, name: str, *ids: str) -> None:
        self.ids.setdefault(name, []).extend(ids)


@pytest.fixture
def shared_chair(app: FastAPI, tmp_path: Path) -> None:
    """What everybody may know: a supplier whose chair was bought twelve times."""
    rows = [
        f"2026-0{1 + n % 9}-15,Acme,Chair,C-10010,{n + 1},piece,{20 + n % 3},USD,"
        f"Seating,Furniture,{WOODS[n % 2]}"
        for n in range(12)
    ]
    _import(CONTEXT.get(app), tmp_path, rows, None)


@pytest.fixture
def organisations(app: FastAPI, api: TestClient, shared_chair: None) -> tuple[Organisation, Organisation]:
    """Acme and another; neither has anything yet."""
    callers: list[Organisation] = []
    for name, word, amount in (("Quokka Traders", "quokka", 7654321), ("Axolotl Mills", "axolotl", 8765432)):
        client = TestClient(app, follow_redirects=False, raise_server_exceptions=False)
        client.headers["Authorization"] = f"Bearer {key_for(CONTEXT.get(app), name)}"
        callers.append(Organisation(client, CONTEXT.get(app), name, word, amount))
    return callers[0], callers[1]


def _import(context: Context, folder: Path, rows: list[str], organisation: str | None) -> None:
    path = folder / f"{new_id()}.csv"
    path.write_text("\n".join([",".join(COLUMNS), *rows]) + "\n", encoding="utf-8")
    import_purchases(context, [path], organisation=organisation)


def _work(context: Context) -> None:
    while True:
        with context.database.reading() as connection:
            rows = connection.execute(task.select().where(task.c.kind.in_(TASKS))).all()
        if not rows:
            return
        for row in rows:
            TASKS[row.kind](context, row.subject_id)


def furnish(one: Organisation, folder: Path) -> None:
    """Gives it something of everything that the interface knows."""
    word, amount, name = (
        one.word,
        one.amount,
        {"quokka": "Quokka Traders", "axolotl": "Axolotl Mills"}[one.word],
    )
    seats = ("Chair", f"{word} seat")
    rows = [
        f"2026-0{1 + n % 9}-20,Acme,{seats[n % 2]},C-10010,{n + 1},{word} crate,"
        f"{amount},USD,Seating,Furniture,{word} red"
        for n in range(8)
    ]
    rows += [
        f"2026-05-0{n + 1},{word} Holding,{word} engine,,{n + 1},piece,{amount},USD,"
        f"{word} line,{word} goods,{word} blue"
        for n in range(8)
    ]
    rows.append(f"2026-05-20,Acme,{word} stool,,2,piece,{amount},USD,{word} seats,Furniture,oak")
    _import(one.context, folder, rows, name)
    acme, holding = one.company("acme"), one.company(word)
    labs = one.post(
        "/v1/catalog/entries",
        json={
            "supplier": {"name": f"{word} Labs", "domain": f"{word}.example"},
            "product": {
                "name": f"{word} notebook",
                "unit": f"{word} page",
                "dimensions": [{"name": f"{word} rule", "type": "select", "options": [f"{word} wide"]}],
            },
        },
    )
    desk = one.post(
        "/v1/catalog/entries",
        json={"supplier": {"companyId": acme["id"]}, "product": {"name": f"{word} desk"}},
    )
    one.has("companyId", holding["id"], labs["companyId"])
    one.has("productId", labs["productId"], desk["productId"])
    for seller in (acme, holding):
        theirs = [sold["id"] for sold in seller["products"] if word in sold["name"]]
        one.has("productId", *theirs)
        one.has("productFamilyId", *(f["id"] for f in seller["productFamilies"] if word in f["name"]))
    one.has("categoryId", *_ids_of(one.get("/v1/catalog/categories?limit=100")["data"], word))
    engine = one.get(f"/v1/catalog/products/{one.ids['productId'][2]}")
    chair = one.get(f"/v1/catalog/products/{_shared_chair(one)}")
    mine = _scope(one, engine)
    one.has("scopeId", mine, _scope(one, chair))
    uploaded = one.post("/v1/files/upload", files={"file": (f"{word}.csv", _quote(one, "Acme"))})["id"]
    one.has("fileId", uploaded)
    read = one.post(
        "/v1/scope/from-document", files={"file": (f"{word}-quote.csv", _quote(one, holding["name"]))}
    )["scopeId"]
    one.has("scopeId", read)
    started = one.post(
        "/v1/negotiation/start",
        json={
            "supplier": {"companyId": holding["id"], "name": f"{word} Holding"},
            "contactEmail": f"buyer@{word}.example",
            "contactName": f"{word} buyer",
            "engagementType": "svc_led",
            "scope": {"scopeId": mine},
        },
    )["negotiationId"]
    attached = one.post(f"/v1/negotiation/{started}/attach", json={"fileId": uploaded})
    _work(one.context)
    one.has("negotiationId", started)
    one.has("attachmentId", attached["id"])
    escalations = one.get(f"/v1/negotiation/{started}/escalations")["data"]
    one.has("escalationId", *(each["id"] for each in escalations))
    one.has("mailId", _letter(one, started))
    hook = one.post(
        "/v1/webhooks", json={"url": f"https://{word}.example/hook", "events": ["scope.extracted"]}
    )
    one.has("webhookId", hook["id"])
    one.has("eventId", one.post(f"/v1/webhooks/{hook['id']}/test")["eventId"])
    one.has(
        "scopeId", one.post(f"/v1/scope/{read}/document/confirm", json=_confirmed(one, engine, chair))["id"]
    )
    update_purchase_counts(one.context)
    one.has("sampleId", *(each["id"] for each in holding["learningDataSamples"]))
    assert all(one.ids.values()), one.ids


def _ids_of(records: list[Any], word: str) -> list[str]:
    return [record["id"] for record in records if word in record["name"]]


def _shared_chair(one: Organisation) -> str:
    [chair] = [sold["id"] for sold in one.company("acme")["products"] if sold["name"] == "Chair"]
    return chair


def _letter(one: Organisation, negotiation_id: str) -> str:
    """A draft that offers something to the supplier."""
    update = {
        "timestamp": "2026-11-20T12:00:00Z",
        "externalId": "counter",
        "source": one.word,
        "schema": {"$id": "urn:svc:decision:1"},
        "payload": {"decision": "counter", "amount": 90},
    }
    told = one.api.post(f"/v1/negotiation/{negotiation_id}/external-update", json=update)
    assert told.status_code == 204, told.text
    return one.get(f"/v1/negotiation/{negotiation_id}/timeline")["mails"][0]["id"]


def _quote(one: Organisation, supplier: str) -> bytes:
    head = f"Supplier,{supplier}\nQuote number,Q-7\nDate,2026-11-02\nCurrency,USD\n\n"
    lines = [
        f"{wording},1,piece,{one.amount},{one.amount}"
        for wording in (f"{one.word} engine", f"{one.word} seat", "Chair", f"{one.word} desk")
    ]
    return (head + "\n".join(("Description,Quantity,Unit,Unit price,Amount", *lines)) + "\n").encode()


def _terms(sold: Any) -> dict[str, Any]:
    values: list[dict[str, Any]] = []
    for dimension in sold["pricingDimensions"]:
        field_ = dimension["formField"]
        last = field_["options"][-1]["value"] if field_["type"] == "select" else 2
        values.append({"id": dimension["id"], "value": last})
    return {
        "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase", "finalPrice": 100}],
        "productTerms": [{"productId": sold["id"], "pricingDimensions": values}],
    }


def _confirmed(one: Organisation, engine: Any, chair: Any) -> dict[str, Any]:
    """The lines of its quote as it confirms them."""
    terms = [_terms(sold)["productTerms"][0] for sold in (engine, chair)]
    return {
        "scopeTerm": {"termLength": 12, "purchaseType": "new_purchase"},
        "lines": [
            {"index": 0, "role": "product", "productTerm": {**terms[0], "finalPrice": one.amount}},
            {"index": 1, "role": "left_aside"},
            {"index": 2, "role": "product", "productTerm": {**terms[1], "finalPrice": one.amount}},
            {"index": 3, "role": "left_aside"},
        ],
    }


def _scope(one: Organisation, sold: Any) -> str:
    return one.post("/v1/scope", json=_terms(sold))["id"]


def _filled(template: str, ids: dict[str, list[str]]) -> list[str]:
    """The path with each of the ids in its first parameter, and the first of each kind in the others."""
    names = re.findall(r"{(\w+)}", template)
    if not names:
        return [template]
    paths: list[str] = []
    for first in ids[names[0]]:
        path = template
        for name in names:
            path = path.replace(f"{{{name}}}", first if name == names[0] else ids[name][0])
        paths.append(path)
    return paths


def _get_paths() -> list[str]:
    return [path for path, operations in build_openapi(True)["paths"].items() if "get" in operations]


def _writing_paths(one: Organisation) -> Iterator[tuple[str, str]]:
    """Each way to change something of its own, with its ids."""
    for template, operations in build_openapi(True)["paths"].items():
        for method in operations.keys() & {"post", "patch", "delete"}:
            if "{" in template:
                yield from ((method.upper(), path) for path in _filled(template, one.ids))


def _snapshot(one: Organisation, ids: dict[str, list[str]]) -> dict[str, Any]:
    """What every path says to it, without the ids of the requests."""
    found: dict[str, Any] = {}
    for template in _get_paths():
        for path in _filled(template, ids):
            if path in OPEN:
                continue
            answer = one.api.get(path)
            found[path] = answer.status_code, _said(answer)
    for query in ("name=a", "name=acme", "domain=acme.example", "limit=100", "limit=1&offset=1"):
        found[query] = _said(one.api.get(f"/v1/catalog/companies?{query}"))
    chair = one.get(f"/v1/catalog/products/{_shared_chair(one)}")
    found["preview"] = _said(one.api.post("/v1/pricing/preview", json=_terms(chair)))
    return found


def _said(answer: Any) -> Any:
    if "json" not in answer.headers.get("content-type", ""):
        return answer.content
    said = answer.json()
    if answer.status_code >= 400:
        # The path that was asked for is no news, nor when it was.
        said = {key: value for key, value in said.items() if key not in {"instance", "trace"}}
    return said


def _assert_nothing_of(other: Organisation, answer: Any, asked: str) -> None:
    said = _said(answer)
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
    ids = {**other.ids, "page": ["1"]}
    ids["companyId"] = [*ids["companyId"], acme["id"]]
    ids["productId"] = [*ids["productId"], _shared_chair(other)]
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
        for template in _get_paths():
            for path in _filled(template, {**other.ids, "page": ["1"]}):
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
    chair = caller.get(f"/v1/catalog/products/{_shared_chair(caller)}")
    start = {
        "supplier": {"name": "Anybody"},
        "contactEmail": "a@b.example",
        "contactName": "A",
        "engagementType": "strategy_only",
    }
    engine = other.get(f"/v1/catalog/products/{other.ids['productId'][2]}")
    others_chair = other.get(f"/v1/catalog/products/{chair['id']}")
    for path, body in (
        ("/v1/scope", _terms(engine)),
        ("/v1/scope", _terms(others_chair)),
        ("/v1/scope", {**_terms(chair), "previousScopeId": other.ids["scopeId"][0]}),
        ("/v1/pricing/preview", _terms(engine)),
        ("/v1/pricing/preview", _terms(others_chair)),
        ("/v1/pricing/preview", {**_terms(chair), "previousScopeId": other.ids["scopeId"][0]}),
        ("/v1/negotiation/start", {**start, "supplier": {"companyId": other.ids["companyId"][0]}}),
        ("/v1/negotiation/start", {**start, "scope": {"scopeId": other.ids["scopeId"][0]}}),
        ("/v1/negotiation/start", {**start, "scope": _terms(engine)}),
        ("/v1/negotiation/start", {**start, "file": {"fileId": other.ids["fileId"][0]}}),
        (f"/v1/negotiation/{caller.ids['negotiationId'][0]}/attach", {"fileId": other.ids["fileId"][0]}),
        (
            "/v1/scope/from-document",
            {"fileUrl": f"http://testserver/v1/files/{other.ids['fileId'][0]}"},
        ),
        (
            "/v1/catalog/entries",
            {"supplier": {"companyId": other.ids["companyId"][0]}, "product": {"name": "Lid"}},
        ),
    ):
        answer = caller.api.post(path, json=body)
        assert answer.status_code == 400, (path, answer.text)
        _assert_nothing_of(other, answer, path)
    confirmed = _confirmed(caller, chair, chair)
    for scope_id in other.ids["scopeId"]:
        answer = caller.api.post(f"/v1/scope/{scope_id}/document/confirm", json=confirmed)
        assert answer.status_code == 404, answer.text
    for supplier, matched in ((f"{other.word} Holding", []), ("Acme", [2])):
        theirs = {"file": ("theirs.csv", _quote(other, supplier))}
        read = [one.post("/v1/scope/from-document", files=theirs)["scopeId"] for one in (caller, other)]
        _work(caller.context)
        for path in (f"/v1/scope/{read[0]}", f"/v1/scope/{read[0]}/document"):
            assert not other.own() & set(UUID.findall(json.dumps(caller.get(path)))), path
        assert _matched(caller, read[0]) == matched
        assert _matched(other, read[1]) == ([0] if not matched else [1, 2, 3])
    made = caller.post(
        "/v1/catalog/entries",
        json={"supplier": {"name": f"{other.word} Labs"}, "product": {"name": f"{other.word} notebook"}},
    )
    assert not other.own() & set(made.values())
