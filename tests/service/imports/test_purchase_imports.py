"""Purchases over HTTP: checked, confirmed, imported for one organisation alone, and taken back exactly."""

from datetime import timedelta
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from app.service.access.keys import find_organisation
from app.service.context import Context
from app.service.database.tables import (
    article,
    attribute_column,
    category,
    company,
    data_import,
    imported_row,
    organisation_view,
    product,
    product_family,
    purchase,
)
from app.service.imports.operator_files import import_files
from app.service.imports.retention import UNCONFIRMED_TIME, forget_old_imports
from app.service.worker.handlers import HANDLERS
from tests.service.imports.import_driver import ImportDriver, load_rows
from tests.service.interleaving import before_write
from tests.service.organisation_factory import import_rows, make_terms

HEADER = "Order date,Vendor,Item,Qty,UoM,Price,Edition\n"
DATA = (purchase, article, product, product_family, company, category, attribute_column)


def orders(*rows: str) -> bytes:
    return (HEADER + "".join(f"{row}\n" for row in rows)).encode()


def acme(number: int, product: str = "Desk") -> str:
    return f"2026-0{1 + number % 9}-11,Acme,{product},{number + 1},piece,{200 + number},oak"


def companies(api: httpx.Client, name: str) -> list[Any]:
    return api.get("/v1/catalog/companies", params={"name": name}).json()["data"]


def test_a_file_is_shown_before_anything_is_imported(imports: ImportDriver, context: Context) -> None:
    before = load_rows(context, DATA)
    one = imports.check(orders(*(acme(n) for n in range(7)), "soon,Acme,Desk,1,piece,9,oak", acme(0)))
    assert (one["status"], one["kind"], one["filename"]) == ("ready", "purchases", "orders.csv")
    preview = one["preview"]
    assert {column["name"]: (column.get("field"), column["use"]) for column in preview["columns"]} == {
        "Order date": ("purchase_date", "field"),
        "Vendor": ("supplier", "field"),
        "Item": ("product", "field"),
        "Qty": ("quantity", "field"),
        "UoM": ("unit", "field"),
        "Price": ("unit_price", "field"),
        "Edition": (None, "dimension"),
    }
    assert len(preview["rows"]) == 5
    assert preview["rows"][0] == ["2026-01-11", "Acme", "Desk", "1", "piece", "200", "oak"]
    assert [preview[name] for name in ("total", "new", "repeated", "refused")] == [9, 7, 1, 1]
    assert preview["refusals"] == [
        {"line": 9, "column": "Order date", "reason": "Order date 'soon' is not a date"}
    ]
    assert load_rows(context, DATA) == before


@pytest.mark.campaign
def test_columns_that_are_not_recognised_are_named_by_a_mapping(imports: ImportDriver) -> None:
    content = b"when,whom,Item,paid,Colour,Ref\n2026-01-11,Acme,Desk,20,red,7\n"
    one = imports.check(content)
    assert one["status"] == "incomplete"
    assert one["preview"]["missing"] == ["purchase_date", "supplier", "unit_price"]
    assert "total" not in one["preview"]
    assert "columns are missing" in imports.confirm(one["id"], 409)["detail"]
    mapping = {"purchase_date": "when", "supplier": "whom", "unit_price": "paid"}
    again = imports.check(content, mapping=mapping, ignore=["Ref"])
    assert again["status"] == "ready"
    assert again["preview"]["new"] == 1
    uses = {column["name"]: column["use"] for column in again["preview"]["columns"]}
    assert (uses["Colour"], uses["Ref"], uses["paid"]) == ("dimension", "ignored", "field")
    wrong = imports.check(content, mapping={"supplier": "nobody"})
    assert (wrong["status"], wrong["error"]) == (
        "failed",
        "There is no column 'nobody' to map to supplier.",
    )


@pytest.mark.campaign
def test_a_confirmed_import_is_the_callers_alone(imports: ImportDriver, others: ImportDriver) -> None:
    one = imports.bring(orders(*(acme(n) for n in range(12))))
    assert (one["status"], one["rowsDone"]) == ("completed", 12)
    assert one["result"] == {
        **{"imported": 12, "repeated": 0, "refused": 0},
        **{"companies": 1, "products": 1, "categories": 0},
    }
    [seller] = companies(imports.api, "Acme")
    assert seller["realPurchaseCount"] == 12
    assert companies(others.api, "Acme") == []
    assert others.api.get(f"/v1/imports/{one['id']}").status_code == 404
    assert others.api.delete(f"/v1/imports/{one['id']}").status_code == 404
    assert others.api.post(f"/v1/imports/{one['id']}/confirm").status_code == 404
    assert others.api.get("/v1/imports").json()["data"] == []
    refused = others.api.post("/v1/imports", json={"fileId": one["fileId"]})
    assert refused.json()["errors"] == [{"pointer": "/fileId", "detail": "There is no such file."}]
    assert [each["id"] for each in imports.api.get("/v1/imports").json()["data"]] == [one["id"]]
    assert "confirmed before" in imports.confirm(one["id"], 409)["detail"]


@pytest.mark.campaign
def test_undoing_leaves_what_was_there_before(
    imports: ImportDriver, others: ImportDriver, context: Context, tmp_path: Any
) -> None:
    shared = [
        f"2026-0{1 + n}-15,Acme,Chair,C-10010,{n + 1},piece,20,USD,Seating,Furniture,oak" for n in range(8)
    ]
    import_rows(context, tmp_path, shared, None)
    others.bring(orders(acme(1), acme(2, "Chair")))
    before = load_rows(context, DATA)
    seen = imports.api.get(f"/v1/catalog/companies/{companies(imports.api, 'Acme')[0]['id']}").json()
    one = imports.bring(
        orders(
            *(acme(n) for n in range(4)), *(acme(n, "Chair") for n in range(4)), "2026-01-01,New,Lid,1,,5,"
        )
    )
    assert one["result"]["imported"] == 9
    assert load_rows(context, DATA) != before
    undone = imports.undo(one["id"])
    assert undone["status"] == "undone"
    assert undone["removal"] == {"rows": 9, "entries": undone["removal"]["entries"], "kept": []}
    assert load_rows(context, DATA) == before
    assert companies(imports.api, "New") == []
    now = imports.api.get(f"/v1/catalog/companies/{seen['id']}").json()
    assert _without_times(now) == _without_times(seen)
    with context.database.reading() as connection:
        claims = sa.select(sa.func.count()).where(imported_row.c.import_id == one["id"])
        assert connection.scalar(claims) == 0
        view = organisation_view.c
        own = view.organisation_id == find_organisation(connection, "Acme")
        prices = connection.scalars(sa.select(view.default_price).where(own))
        assert {price for price in prices if price} <= {20.0}


def _without_times(record: Any) -> Any:
    if isinstance(record, dict):
        return {key: _without_times(value) for key, value in record.items() if key != "lastUpdatedAt"}
    return [_without_times(each) for each in record] if isinstance(record, list) else record


@pytest.mark.campaign
def test_what_two_imports_brought_stays_until_both_are_undone(
    imports: ImportDriver, context: Context
) -> None:
    before = load_rows(context, DATA)
    first = imports.bring(orders(*(acme(n) for n in range(4))))
    second = imports.bring(orders(*(acme(n) for n in range(2, 6))))
    assert (second["result"]["imported"], second["result"]["repeated"]) == (2, 2)
    undone = imports.undo(first["id"])
    assert undone["removal"]["rows"] == 2
    assert undone["removal"]["kept"][0] == "2 purchases: another import brought them too."
    [seller] = companies(imports.api, "Acme")
    assert seller["realPurchaseCount"] == 4
    undone = imports.undo(second["id"])
    assert undone["removal"]["rows"] == 4
    assert undone["removal"]["kept"] == []
    assert load_rows(context, DATA) == before


def test_what_the_command_brought_too_stays(imports: ImportDriver, context: Context, tmp_path: Any) -> None:
    one = imports.bring(orders(*(acme(n) for n in range(4))))
    path = tmp_path / "orders.csv"
    path.write_bytes(orders(*(acme(n) for n in range(2))))
    assert import_files(context, "purchases", [path], organisation="Acme").result.repeated == 2
    assert imports.undo(one["id"])["removal"]["rows"] == 2
    [seller] = companies(imports.api, "Acme")
    assert seller["realPurchaseCount"] == 2


def test_what_a_scope_refers_to_stays_and_is_said(imports: ImportDriver) -> None:
    one = imports.bring(orders(*(acme(n) for n in range(4)), *(acme(n, "Lamp") for n in range(4))))
    [seller] = companies(imports.api, "Acme")
    sold = imports.api.get(f"/v1/catalog/companies/{seller['id']}/products").json()["data"]
    [desk] = [each for each in sold if each["name"] == "Desk"]
    desk = imports.api.get(f"/v1/catalog/products/{desk['id']}").json()
    scope = imports.api.post("/v1/scope", json=make_terms(desk)).json()
    undone = imports.undo(one["id"])
    assert undone["removal"]["rows"] == 8
    assert undone["removal"]["kept"] == [
        "1 product (Desk): scopes, negotiations, agreements, requirements or purchases refer to it.",
        "1 supplier (Acme): scopes, negotiations, agreements, requirements or purchases refer to it.",
    ]
    sold = imports.api.get(f"/v1/catalog/companies/{seller['id']}/products").json()["data"]
    assert [each["name"] for each in sold] == ["Desk"]
    assert "defaultPrice" not in imports.api.get(f"/v1/catalog/products/{desk['id']}").json()
    assert imports.api.get(f"/v1/scope/{scope['id']}").status_code == 200


def test_what_agreements_and_requirements_refer_to_stays(imports: ImportDriver) -> None:
    rows = [acme(n, name) for n in range(4) for name in ("Desk", "Lamp", "Chair")]
    others = [f"2026-01-1{n},{seller},Sofa,1,piece,90,oak" for n in range(4) for seller in ("Bolt", "Crane")]
    one = imports.bring(orders(*rows, *others))
    sellers = {name: companies(imports.api, name)[0]["id"] for name in ("Acme", "Bolt", "Crane")}
    sold = imports.api.get(f"/v1/catalog/companies/{sellers['Acme']}/products").json()["data"]
    products = {each["name"]: each["id"] for each in sold}

    def make(path: str, body: Any) -> Any:
        answer = imports.api.post(path, json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    agreement = make(
        "/v1/agreements",
        {
            "name": "Desks",
            "companyId": sellers["Bolt"],
            "lines": [{"description": "Desk", "productId": products["Desk"]}],
        },
    )
    line = {"description": "Lamp", "quantity": 1, "productId": products["Lamp"]}
    body = {"name": "Lamps", "currency": "USD", "termMonths": 1, "lines": [line]}
    requirement = make("/v1/requirements", body)
    quoted = {"description": "Lamp", "quantity": 1, "unitPrice": 9, "recurring": "once"}
    quote = {"companyId": sellers["Crane"], "currency": "USD", "lines": [quoted]}
    make(f"/v1/requirements/{requirement['id']}/quotes", quote)
    kept = imports.undo(one["id"])["removal"]["kept"]
    sold = imports.api.get(f"/v1/catalog/companies/{sellers['Acme']}/products").json()["data"]
    assert {each["name"] for each in sold} == {"Desk", "Lamp"}
    assert [len(companies(imports.api, name)) for name in sellers] == [1, 1, 1]
    assert [sentence.partition(":")[0] for sentence in kept] == [
        "2 products (Desk, Lamp)",
        "3 suppliers (Acme, Bolt, Crane)",
    ]
    changed = imports.api.patch(f"/v1/agreements/{agreement['id']}", json={"tags": ["kept"]})
    assert changed.status_code == 200, changed.text


@pytest.mark.campaign
def test_an_import_is_undone_within_a_day(imports: ImportDriver, context: Context) -> None:
    one = imports.bring(orders(acme(1)))
    assert one["undoUntil"] > one["updatedAt"]
    with context.database.writing() as connection:
        late = data_import.c.completed_at
        row = connection.execute(sa.select(late).where(data_import.c.id == one["id"])).scalar_one()
        connection.execute(data_import.update().values(completed_at=row - timedelta(days=1, seconds=1)))
    assert "for a day" in imports.delete(one["id"], 409)["detail"]
    assert imports.get(one["id"])["status"] == "completed"
    # What it brought stays for good, whatever later imports name it again.
    forget_old_imports(context)
    again = imports.bring(orders(acme(1)))
    assert again["result"]["repeated"] == 1
    assert imports.undo(again["id"])["removal"] == {"rows": 0, "entries": 0, "kept": []}
    [seller] = companies(imports.api, "Acme")
    assert seller["realPurchaseCount"] == 1


@pytest.mark.campaign
def test_an_import_is_cancelled_while_it_runs(imports: ImportDriver, context: Context) -> None:
    before = load_rows(context, DATA)
    one = imports.check(orders(*(acme(n) for n in range(4))))
    imports.confirm(one["id"])
    # Its rows are stored, and what follows from them is not.
    with before_write(context, 2, lambda: imports.delete(one["id"])) as met:
        HANDLERS["import"].run(context, one["id"])
    assert met
    assert load_rows(context, DATA) != before
    assert imports.get(one["id"])["status"] == "undoing"
    imports.work()
    assert imports.get(one["id"])["status"] == "cancelled"
    assert imports.get(one["id"])["removal"]["rows"] == 4
    assert load_rows(context, DATA) == before


def test_what_nobody_confirms_is_cancelled(imports: ImportDriver, context: Context) -> None:
    one = imports.check(orders(acme(1)))
    forget_old_imports(context)
    assert imports.get(one["id"])["status"] == "ready"
    with context.database.writing() as connection:
        connection.execute(data_import.update().values(updated_at=context.clock() - UNCONFIRMED_TIME))
    forget_old_imports(context)
    assert imports.get(one["id"])["status"] == "cancelled"


def test_open_imports_have_a_quota(imports: ImportDriver, context: Context) -> None:
    context.settings.max_imports = 2
    file_id = imports.upload(orders(acme(1)))
    made = [imports.api.post("/v1/imports", json={"fileId": file_id}) for _ in range(3)]
    assert [answer.status_code for answer in made] == [201, 201, 409]
    assert "2 open imports" in made[2].json()["detail"]
    assert "PARLEY_MAX_IMPORTS" in made[2].json()["detail"]
    imports.delete(made[0].json()["id"])
    assert imports.api.post("/v1/imports", json={"fileId": file_id}).status_code == 201


@pytest.mark.campaign
def test_purchases_have_a_quota(imports: ImportDriver, context: Context) -> None:
    context.settings.max_purchases = 3
    imports.bring(orders(acme(1), acme(2)))
    one = imports.check(orders(acme(3), acme(4)))
    assert "PARLEY_MAX_PURCHASES" in imports.confirm(one["id"], 409)["detail"]
    assert imports.get(one["id"])["status"] == "ready"


@pytest.mark.parametrize(
    ("content", "name", "reason"),
    [
        (b"PK\x03\x04" + b"xl/workbook.xml" * 9, "orders.csv", None),
        (b"a," * 300 + b"z\n1\n", "orders.csv", "The file has 301 columns, and 200 are taken at most."),
    ],
)
def test_a_file_that_cannot_be_read_says_why(
    content: bytes, name: str, reason: str | None, imports: ImportDriver
) -> None:
    uploaded = imports.api.post("/v1/files/upload", files={"file": (name, content)})
    if reason is None:
        assert uploaded.status_code in {400, 415}
        return
    made = imports.api.post("/v1/imports", json={"fileId": uploaded.json()["id"]})
    imports.work()
    one = imports.get(made.json()["id"])
    assert (one["status"], one["error"]) == ("failed", reason)


@pytest.mark.campaign
def test_the_preview_names_no_currency_that_nobody_has_said(imports: ImportDriver) -> None:
    table = b"date,supplier,product,quantity,price\n2026-05-01,Acme,Chair,2,3.50\n"
    one = imports.check(table, currency=None)
    assert [asked["name"] for asked in one["preview"]["asks"]] == ["currency"]
    assert "2 × 3.50 = 7" in one["preview"]["sentences"][0]
    said = imports.check(table, currency="EUR")
    assert "2 × EUR 3.50 = EUR 7" in said["preview"]["sentences"][0]
