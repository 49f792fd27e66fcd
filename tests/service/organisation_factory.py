"""Organisations that have something of everything the interface knows, and the paths to ask for it."""

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.service.catalog.purchase_recount import update_purchase_counts
from app.service.context import Context
from app.service.database.tables import task
from app.service.http.openapi import load_description
from app.service.ids import new_id
from app.service.imports.jobs import check_import
from app.service.imports.operator_files import import_files
from app.service.negotiation import jobs
from app.service.scopes.jobs import extract_document, fetch_document
from app.service.sourcing.document_quotes import read_quote
from tests.service.running_service import add_member, leave_waiting

COLUMNS = (
    *("purchase_date", "supplier", "product", "product_key", "quantity", "unit", "unit_price", "currency"),
    *("product_family", "category", "finish"),
)
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TASKS: dict[str, Callable[[Context, str], None]] = {
    jobs.PLAN: jobs.plan_negotiation,
    jobs.READ_ATTACHMENT: jobs.read_attachment,
    "fetch_document": fetch_document,
    "extract": extract_document,
    "check_import": check_import,
    "read_quote": read_quote,
}


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


def import_rows(context: Context, folder: Path, rows: list[str], organisation: str | None) -> None:
    path = folder / f"{new_id()}.csv"
    path.write_text("\n".join([",".join(COLUMNS), *rows]) + "\n", encoding="utf-8")
    import_files(context, "purchases", [path], organisation=organisation)


def run_tasks(context: Context) -> None:
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
        for n in range(12)  # enough to be learnt from
    ]
    rows += [
        f"2026-05-0{n + 1},{word} Holding,{word} engine,,{n + 1},piece,{amount},USD,"
        f"{word} line,{word} goods,{word} blue"
        for n in range(8)
    ]
    rows.append(f"2026-05-20,Acme,{word} stool,,2,piece,{amount},USD,{word} seats,Furniture,oak")
    import_rows(one.context, folder, rows, name)
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
    chair = one.get(f"/v1/catalog/products/{find_shared_chair(one)}")
    mine = _scope(one, engine)
    one.has("scopeId", mine, _scope(one, chair))
    uploaded = one.post("/v1/files/upload", files={"file": (f"{word}.csv", make_quote(one, "Acme"))})["id"]
    one.has("fileId", uploaded)
    one.has("importId", one.post("/v1/imports", json={"fileId": uploaded})["id"])
    read = one.post(
        "/v1/scope/from-document", files={"file": (f"{word}-quote.csv", make_quote(one, holding["name"]))}
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
    run_tasks(one.context)
    one.has("negotiationId", started)
    one.has("attachmentId", attached["id"])
    escalations = one.get(f"/v1/negotiation/{started}/escalations")["data"]
    one.has("escalationId", *(each["id"] for each in escalations))
    one.has("mailId", _letter(one, started))
    agreement = {
        "name": f"{word} agreement",
        "companyId": holding["id"],
        "owners": [{"name": f"{word} owner", "email": f"owner@{word}.example"}],
        "termStart": "2026-01-01",
        "termEnd": "2026-12-31",
        "renewalType": "auto_renew",
        "autoRenewalTermMonths": 12,
        "noticePeriod": {"value": 3, "unit": "month"},
        "currency": "USD",
        "totalValue": amount,
        "scopeId": mine,
        "fileId": uploaded,
    }
    agreed = one.post("/v1/agreements", json=agreement)["id"]
    one.has("agreementId", agreed)
    for path in (f"/v1/scope/{mine}", f"/v1/negotiation/{started}", f"/v1/agreements/{agreed}"):
        if "agreements" not in path:
            owner = {"name": f"{word} owner", "email": f"owner@{word}.example"}
            assert one.api.patch(path, json={"owners": [owner]}).status_code == 200
        one.has("commentId", one.post(f"{path}/comments", json={"text": f"{word} comment"})["id"])
    needed = {"description": f"{word} line", "quantity": 1}
    requirement = one.post(
        "/v1/requirements",
        json={"name": f"{word} requirement", "currency": "USD", "termMonths": 12, "lines": [needed]},
    )
    one.has("requirementId", requirement["id"])
    path = f"/v1/requirements/{requirement['id']}"
    offered = needed | {"unitPrice": amount, "recurring": "year"}
    quoted = one.post(
        f"{path}/quotes",
        json={"supplierName": f"{word} Supplier", "currency": "USD", "lines": [offered]},
    )
    one.has("quoteId", quoted["id"])
    one.has("scenarioId", one.post(f"{path}/scenarios", json={"objective": "cheapest_split"})["id"])
    one.has("keyId", one.post("/v1/keys", json={"name": f"{word} key", "role": "reader"})["id"])
    one.post("/v1/agents/calls", json={"tool": f"{word}_tool", "outcome": "answered", "seconds": 1})
    one.has("memberId", add_member(one.context, name, f"{word} member"))
    one.has("feedId", one.post("/v1/calendar-feeds")["id"])
    hook = one.post(
        "/v1/webhooks", json={"url": f"https://{word}.example/hook", "events": ["scope.extracted"]}
    )
    one.has("webhookId", hook["id"])
    one.has("approvalId", leave_waiting(one.context, one.api, name, f"https://{word}.example/waiting"))
    one.has("eventId", one.post(f"/v1/webhooks/{hook['id']}/test")["eventId"])
    one.has(
        "scopeId",
        one.post(f"/v1/scope/{read}/document/confirm", json=confirmed_lines(one, engine, chair))["id"],
    )
    update_purchase_counts(one.context)
    one.has("sampleId", *(each["id"] for each in holding["learningDataSamples"]))
    assert all(one.ids.values()), one.ids


def _ids_of(records: list[Any], word: str) -> list[str]:
    return [record["id"] for record in records if word in record["name"]]


def find_shared_chair(one: Organisation) -> str:
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


def make_quote(one: Organisation, supplier: str) -> bytes:
    head = f"Supplier,{supplier}\nQuote number,Q-7\nDate,2026-11-02\nCurrency,USD\n\n"
    lines = [
        f"{wording},1,piece,{one.amount},{one.amount}"
        for wording in (f"{one.word} engine", f"{one.word} seat", "Chair", f"{one.word} desk")
    ]
    return (head + "\n".join(("Description,Quantity,Unit,Unit price,Amount", *lines)) + "\n").encode()


def make_terms(sold: Any) -> dict[str, Any]:
    values: list[dict[str, Any]] = []
    for dimension in sold["pricingDimensions"]:
        field_ = dimension["formField"]
        last = field_["options"][-1]["value"] if field_["type"] == "select" else 2
        values.append({"id": dimension["id"], "value": last})
    return {
        "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase", "finalPrice": 100}],
        "productTerms": [{"productId": sold["id"], "pricingDimensions": values}],
    }


def confirmed_lines(one: Organisation, engine: Any, chair: Any) -> dict[str, Any]:
    """The lines of its quote as it confirms them."""
    terms = [make_terms(sold)["productTerms"][0] for sold in (engine, chair)]
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
    return one.post("/v1/scope", json=make_terms(sold))["id"]


NOBODYS_IDS = {"page": ["1"], "quoteNumber": ["Q-0000"]}
"""Of the parameters that name nothing of an organisation."""


def fill_path(template: str, ids: dict[str, list[str]]) -> list[str]:
    """The path with each of the ids in its first parameter, and the first of each kind in the others."""
    ids = {**NOBODYS_IDS, **ids}
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


def list_get_paths() -> list[str]:
    return [
        path for path, operations in load_description(with_inbox=True)["paths"].items() if "get" in operations
    ]


def read_answer(answer: Any) -> Any:
    kind = answer.headers.get("content-type", "")
    if "spreadsheetml" in kind:
        with zipfile.ZipFile(io.BytesIO(answer.content)) as workbook:
            return b"".join(workbook.read(name) for name in workbook.namelist())
    if "json" not in kind:
        return answer.content
    said = answer.json()
    if answer.status_code >= 400:
        # The path that was asked for is no news, nor when it was.
        said = {key: value for key, value in said.items() if key not in {"instance", "trace"}}
    return said
