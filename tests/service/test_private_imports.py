"""A private import whose every column holds something that stands nowhere else: no answer to another
organisation shows any of it, whatever was imported before or after."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service.catalog.purchase_recount import update_purchase_counts
from app.service.context import Context
from app.service.http.dependencies import CONTEXT
from app.service.ids import new_id
from app.service.imports.operator_files import import_files
from app.service.pricing.relearning import learn_and_store
from app.service.table_files.heading_words import load_heading_words
from tests.service.conftest import key_for
from tests.service.organisation_factory import (
    UUID,
    Organisation,
    fill_path,
    find_shared_chair,
    furnish,
    list_get_paths,
    make_quote,
    make_terms,
    run_tasks,
)

OWNER = "Zqx Traders"
Row = Mapping[str, object]
PRIVATE = {
    "purchase_date": "2026-07-19",
    "supplier": "Zqxsupplier Holding",
    "product": "Zqxproduct engine",
    "product_key": "ZQX-770077",
    "product_family": "Zqxfamily",
    "brand": "Zqxbrand",
    "category": "Zqxcategory",
    "unit": "zqxunit",
    "currency": "NOK",
    "description": "Zqxdescription",
    "buyer": "Zqxbuyer",
    "order_id": "ZQX-5",
    "term_months": 119,
    "approval": "CEO-approved zqxlabel 43 % off list",
    "zqxcolumn": "zqxvalue",
    "finish": "zqxfinish",
}
"""What only the private import says, by column. `approval` is a shared column, `zqxcolumn` is not."""
AMOUNTS = {"quantity": 918273, "unit_price": "7461.53", "list_price": "8361.47"}
MARKERS = re.compile(r"zqx\w*|7461\.53|8361\.47|91827\d|2026-07-19|nok\b|termMonths\W+119\b", re.IGNORECASE)
COLUMNS = (*load_heading_words("purchases").fields, "approval", "zqxcolumn", "finish")


def shared_rows(first: int) -> list[Row]:
    """Twelve purchases that everybody may know, by three buyers; and one of the same article elsewhere."""
    common = {
        **{"supplier": "Acme", "product": "Chair", "product_key": "C-10010", "product_family": "Seating"},
        **{"brand": "Sitwell", "category": "Furniture", "unit": "piece", "currency": "USD"},
        **{"approval": "manager", "description": "To sit on", "list_price": 30, "price_period": "once"},
    }
    rows: list[Row] = [
        common
        | {"purchase_date": f"2026-0{1 + n % 6}-15", "quantity": n + 1, "unit_price": 20 + n % 3}
        | {"buyer": f"Buyer {n % 3}", "order_id": f"O-{first + n}", "finish": ("oak", "ash")[n % 2]}
        for n in range(12)
    ]
    return [*rows, {**rows[0], "supplier": "Bolt", "order_id": f"O-{first + 12}"}]


def private_rows() -> list[Row]:
    """The shared article with one private column at a time, with all of them, and private purchases."""
    article = {**shared_rows(0)[0], **AMOUNTS, "purchase_date": PRIVATE["purchase_date"]}
    rows: list[Row] = [{**article, "row_id": f"zqx-{name}", name: PRIVATE[name]} for name in PRIVATE]
    alike = {**PRIVATE, **{name: article[name] for name in ("supplier", "product", "product_key")}}
    for n in range(8):
        amounts = {**AMOUNTS, "quantity": 918270 + n, "currency": "USD"}
        rows += [{**alike, **amounts, "row_id": f"zqx-a{n}"}, {**PRIVATE, **amounts, "row_id": f"zqx-b{n}"}]
    return rows


def bring_in(context: Context, folder: Path, rows: Sequence[Row], organisation: str | None) -> None:
    path = folder / f"{new_id()}.csv"
    lines = [",".join(str(row.get(name, "")) for name in COLUMNS) for row in rows]
    path.write_text("\n".join([",".join(COLUMNS), *lines]) + "\n", encoding="utf-8")
    report = import_files(context, "purchases", [path], organisation=organisation)
    assert report.result.imported == len(rows), report


def caller_of(app: FastAPI, name: str) -> Organisation:
    client = TestClient(app, follow_redirects=False, raise_server_exceptions=False)
    client.headers["Authorization"] = f"Bearer {key_for(CONTEXT.get(app), name)}"
    return Organisation(client, CONTEXT.get(app), name, name.lower(), 8_765_432)


def read_companies(one: Organisation) -> list[Any]:
    listed = one.get("/v1/catalog/companies?limit=100")["data"]
    return [one.get(f"/v1/catalog/companies/{each['id']}") for each in listed]


def answers_to(one: Organisation) -> Iterator[tuple[str, str]]:
    """Yield every path of a GET, with the ids that the organisation has or can find, and its answer; then the
    answers to some searches and to a preview."""
    details = read_companies(one)
    found = {
        "companyId": [each["id"] for each in details],
        "productId": [sold["id"] for each in details for sold in each.get("products", ())],
        "productFamilyId": [kind["id"] for each in details for kind in each.get("productFamilies", ())],
        "categoryId": [each["id"] for each in one.get("/v1/catalog/categories?limit=100")["data"]],
    }
    ids = {
        name: [*dict.fromkeys([*found.get(name, ()), *one.ids.get(name, ())])] for name in {*found, *one.ids}
    }
    for template in list_get_paths():
        if set(re.findall(r"{(\w+)}", template)) <= ids.keys():
            for path in fill_path(template, ids):
                yield path, one.api.get(path).text
    for query in (
        "name=e&sortOrder=desc&limit=100",
        f"domain=zqx.example&ids={','.join(found['companyId'])}",
    ):
        yield query, one.api.get(f"/v1/catalog/companies?{query}").text
    chair = one.get(f"/v1/catalog/products/{find_shared_chair(one)}")
    yield "preview", one.api.post("/v1/pricing/preview", json=make_terms(chair)).text


def assert_no_words_lead_anywhere(one: Organisation, private_ids: set[str]) -> None:
    """A search, a document and an entry with the private words find nothing."""
    assert one.get("/v1/catalog/companies?name=zqx")["pagination"]["total"] == 0
    lines = [
        f"{PRIVATE[name]},1,{PRIVATE['unit']},10,10" for name in ("product", "description", "product_key")
    ]
    head = f"Supplier,{PRIVATE['supplier']}\nQuote number,Q-7\nDate,2026-11-02\nCurrency,USD\n\n"
    quote = head + "\n".join(["Description,Quantity,Unit,Unit price,Amount", *lines]) + "\n"
    read = one.post("/v1/scope/from-document", files={"file": ("quote.csv", quote.encode())})["scopeId"]
    run_tasks(one.context)
    entry = {"supplier": {"name": PRIVATE["supplier"]}, "product": {"name": PRIVATE["product"]}}
    for record in (
        one.get(f"/v1/scope/{read}"),
        one.get(f"/v1/scope/{read}/document"),
        one.post("/v1/catalog/entries", json=entry),  # not 409: nothing alike is on record
    ):
        assert not private_ids & set(UUID.findall(json.dumps(record)))


def negotiate(one: Organisation, chair: Any) -> None:
    """Read a quote of the supplier from which the private purchases are too, and negotiate about it."""
    files = {"file": ("quote.csv", make_quote(one, "Acme"))}
    read = one.post("/v1/scope/from-document", files=files)["scopeId"]
    start = {
        "supplier": {"companyId": one.company("acme")["id"]},
        "contactEmail": "buyer@axolotl.example",
        "contactName": "A. Buyer",
        "engagementType": "svc_led",
        "scope": {"scopeId": one.post("/v1/scope", json=make_terms(chair))["id"]},
    }
    negotiation_id = one.post("/v1/negotiation/start", json=start)["negotiationId"]
    run_tasks(one.context)
    one.has("scopeId", read)
    one.ids["negotiationId"].insert(0, negotiation_id)
    one.ids["escalationId"] = [
        each["id"] for each in one.get(f"/v1/negotiation/{negotiation_id}/escalations")["data"]
    ]


def check(app: FastAPI, folder: Path, order: str, *, thoroughly: bool) -> None:
    """Import in this order, then ask as an organisation that has nothing, and as one that has a purchase of
    its own; `thoroughly`, as one that has something of everything, with prices learnt from the imports."""
    context: Context = CONTEXT.get(app)
    owner = caller_of(app, OWNER)
    for step, kind in enumerate(order.split(", ")):
        if kind == "shared":
            bring_in(context, folder, shared_rows(100 * step), None)
        else:
            # Twice would be the same purchases: then each is of another order.
            rows = [{**row, "row_id": f"{row['row_id']}-{step}"} for row in private_rows()]
            bring_in(context, folder, rows, OWNER)
    bystander, furnished = caller_of(app, "Bystander"), caller_of(app, "Axolotl Mills")
    if thoroughly:
        furnished.word = "axolotl"
        furnish(furnished, folder)
        learn_and_store(context)
    else:
        bring_in(context, folder, [{**shared_rows(900)[0], "finish": "axolotl red"}], furnished.name)
    chair = furnished.get(f"/v1/catalog/products/{find_shared_chair(furnished)}")
    furnished.has("scopeId", furnished.post("/v1/scope", json=make_terms(chair))["id"])
    if thoroughly:
        negotiate(furnished, chair)
    update_purchase_counts(context)
    theirs = json.dumps(read_companies(owner))
    assert MARKERS.search(theirs), "its owner sees it"
    private_ids = {*UUID.findall(theirs)} - {*UUID.findall(json.dumps(read_companies(bystander)))}
    assert len(private_ids) > 10
    for one in (bystander, furnished):
        answers = dict(answers_to(one))
        assert len(answers) > 20
        shown = {path: sorted(set(MARKERS.findall(UUID.sub("", text)))) for path, text in answers.items()}
        assert {path: words for path, words in shown.items() if words} == {}
        assert not private_ids & set(UUID.findall(" ".join(answers.values())))
        assert_no_words_lead_anywhere(one, private_ids)
    # The examples of the description are of the sample data.
    records = " ".join(text for path, text in answers_to(bystander) if path != "/v1/openapi")
    counts = re.findall(r'"realPurchaseCount":(\d+)', records)
    shared = order.count("shared")
    assert set(counts) == {"0", str(12 * shared), str(shared)}  # 0 of the entry that it has just made


def test_no_answer_shows_what_another_organisation_imported(app: FastAPI, api: Any, tmp_path: Path) -> None:
    check(app, tmp_path, "shared, private, shared", thoroughly=False)


@pytest.mark.campaign
@pytest.mark.parametrize(
    "order", ["shared, private", "private, shared", "shared, private, shared", "private, shared, private"]
)
def test_no_answer_shows_it_in_whatever_order_it_came(
    app: FastAPI, api: Any, tmp_path: Path, order: str
) -> None:
    check(app, tmp_path, order, thoroughly=True)
