"""Catalog files over HTTP: for one organisation alone, and taken back exactly, with what they changed."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.contract.imports import UNDO_TIME
from app.service.context import Context
from app.service.database.tables import category, company, data_import, product
from app.service.imports.operator_files import import_files
from app.service.imports.retention import forget_old_imports
from app.service.worker.handlers import HANDLERS
from tests.service.imports.dry_reading import look_at
from tests.service.imports.import_driver import ImportDriver, load_rows
from tests.service.interleaving import before_write
from tests.service.organisation_factory import make_terms

campaign = pytest.mark.campaign
FILE = b"""Firma,Domain,Kategorie,Beschreibung,Produkte,Note
Acme,acme.example,Tools,Makes saws,Saw|Hammer,x
Zenith,zenith.example,Tools,,Spoon,y
,nobody.example,,,,
Odd,no domain,,,,
"""


CATALOG = (company, category, product)


def companies(imports: ImportDriver, domain: str = "") -> list[Any]:
    query = f"?domain={domain}" if domain else ""
    return imports.api.get(f"/v1/catalog/companies{query}").json()["data"]


def described(imports: ImportDriver, domain: str = "acme.example") -> Any:
    [one] = companies(imports, domain)
    return one["description"]


def rows(*lines: str, header: str = "name,domain,description") -> bytes:
    return "\n".join([header, *lines]).encode()


def test_a_catalog_is_shown_imported_for_its_organisation_and_undone(
    imports: ImportDriver, others: ImportDriver, context: Context
) -> None:
    before = load_rows(context, CATALOG)
    one = imports.check(FILE, "suppliers.csv")
    preview = one["preview"]
    assert (one["status"], one["kind"]) == ("ready", "catalog")
    assert [(c["name"], c.get("field"), c["use"]) for c in preview["columns"]] == [
        ("Firma", "name", "field"),
        ("Domain", "domain", "field"),
        ("Kategorie", "category", "field"),
        ("Beschreibung", "description", "field"),
        ("Produkte", "products", "field"),
        ("Note", None, "ignored"),
    ]
    counted = ("total", "new", "changed", "repeated", "refused", "companies", "products", "categories")
    assert [preview[name] for name in counted] == [4, 2, 0, 0, 2, 2, 3, 1]
    assert preview["refusals"] == [
        {"line": 4, "column": "Firma", "reason": "Firma is missing"},
        {"line": 5, "column": "Domain", "reason": "Domain 'no domain' is no domain name"},
    ]
    assert load_rows(context, CATALOG) == before
    imports.confirm(one["id"])
    imports.work()
    one = imports.get(one["id"])
    assert one["result"] == {
        **{"imported": 2, "changed": 0, "repeated": 0, "refused": 2},
        **{"companies": 2, "products": 3, "categories": 1},
    }
    assert [each["name"] for each in companies(imports)] == ["Acme", "Zenith"]
    assert companies(others) == []
    undone = imports.undo(one["id"])
    assert (undone["status"], undone["removal"]) == (
        "undone",
        {"rows": 0, "entries": 6, "restored": 0, "kept": []},
    )
    assert load_rows(context, CATALOG) == before


@pytest.mark.campaign
def test_what_a_newer_file_changed_is_as_before_once_it_is_undone(
    imports: ImportDriver, context: Context
) -> None:
    imports.bring(FILE)
    before, shown = load_rows(context, CATALOG), companies(imports)
    newer = rows(
        "Acme Group,acme.example,Makes more,https://acme.example/,Deep,Secret,Saw|Drill",
        "Zenith,zenith.example,,,,Tools,",
        header="name,domain,description,url,parent_category,category,products",
    )
    one = imports.check(newer)
    assert [one["preview"][name] for name in ("new", "changed", "repeated")] == [0, 1, 1]
    assert (one["preview"]["products"], one["preview"]["categories"]) == (1, 2)
    imports.confirm(one["id"])
    imports.work()
    one = imports.get(one["id"])
    assert (one["result"]["changed"], one["result"]["repeated"], one["result"]["products"]) == (1, 1, 1)
    assert described(imports) == "Makes more"
    undone = imports.undo(one["id"])
    assert undone["removal"] == {"rows": 0, "entries": 3, "restored": 1, "kept": []}
    assert load_rows(context, CATALOG) == before
    for now, then in zip(companies(imports), shown, strict=True):
        assert {**now, "lastUpdatedAt": ""} == {**then, "lastUpdatedAt": ""}


@pytest.mark.parametrize(
    "order",
    [*(pytest.param(order, marks=campaign) for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0))), (1, 0, 2)],
)
def test_imports_that_changed_the_same_are_undone_in_any_order(
    order: tuple[int, ...], imports: ImportDriver, context: Context
) -> None:
    imports.bring(rows("Acme,acme.example,first"))
    before = load_rows(context, CATALOG)
    texts = ["second", "second", "third"]  # the one in the middle says the same again
    ids = [imports.bring(rows(f"Acme,acme.example,{text}"))["id"] for text in texts]
    left = dict(enumerate(texts))
    for number in order:
        imports.undo(ids[number])
        del left[number]
        assert described(imports) == (left[max(left)] if left else "first")
    assert load_rows(context, CATALOG) == before


def test_what_another_import_names_too_stays_until_both_are_undone(
    imports: ImportDriver, context: Context
) -> None:
    before = load_rows(context, CATALOG)
    first = imports.bring(FILE)
    second = imports.bring(rows("Acme,acme.example,,Saw", header="name,domain,description,products"))
    undone = imports.undo(first["id"])
    assert undone["removal"]["kept"] == [
        "1 product (Saw): another import brought it too.",
        "1 supplier (Acme): another import brought it too.",
        "1 category (Tools): suppliers or other categories refer to it.",
    ]
    assert [each["name"] for each in companies(imports)] == ["Acme"]
    assert imports.undo(second["id"])["removal"]["kept"] == []
    assert load_rows(context, CATALOG) == before


@pytest.mark.campaign
def test_what_a_scope_refers_to_stays_and_is_said(imports: ImportDriver) -> None:
    one = imports.bring(FILE)
    [seller] = companies(imports, "acme.example")
    [saw] = [each for each in products(imports, seller["id"]) if each["name"] == "Saw"]
    wanted = imports.api.get(f"/v1/catalog/products/{saw['id']}").json()
    assert imports.api.post("/v1/scope", json=make_terms(wanted)).status_code == 201
    assert imports.undo(one["id"])["removal"]["kept"] == [
        "1 product (Saw): scopes, negotiations, agreements, requirements or purchases refer to it.",
        "1 supplier (Acme): scopes, negotiations, agreements, requirements or purchases refer to it.",
        "1 category (Tools): suppliers or other categories refer to it.",
    ]
    assert [each["name"] for each in products(imports, seller["id"])] == ["Saw"]


def products(imports: ImportDriver, company_id: str) -> list[Any]:
    return imports.api.get(f"/v1/catalog/companies/{company_id}/products").json()["data"]


@pytest.mark.campaign
def test_what_everybody_sees_is_not_changed(
    imports: ImportDriver, others: ImportDriver, context: Context, tmp_path: Any
) -> None:
    path = tmp_path / "shared.csv"
    path.write_bytes(FILE)
    import_files(context, "catalog", [path])
    before, seen = load_rows(context, CATALOG), others.api.get("/v1/catalog/companies").content
    one = imports.bring(
        rows("Renamed,acme.example,Mine,Axe", header="name,domain,description,products"), kind="catalog"
    )
    assert (one["result"]["changed"], one["result"]["products"]) == (1, 1)
    assert described(imports) == "Makes saws"
    assert others.api.get("/v1/catalog/companies").content == seen
    imports.undo(one["id"])
    assert load_rows(context, CATALOG) == before


@campaign
def test_a_renamed_supplier_is_called_so_in_its_agreements(imports: ImportDriver) -> None:
    imports.bring(rows("Acme,acme.example,first"))
    [supplier] = companies(imports, "acme.example")
    last = (datetime.now(UTC) + timedelta(days=300)).date().isoformat()
    body = {"name": "Saws", "companyId": supplier["id"], "currency": "USD", "termEnd": last}
    made = imports.api.post("/v1/agreements", json=body).json()
    feed = imports.api.post("/v1/calendar-feeds").json()["url"].removeprefix("http://testserver")

    def name() -> tuple[str, int]:
        named = imports.api.get(f"/v1/agreements/{made['id']}").json()["supplierName"]
        assert f"Saws ({named})" in imports.api.get(feed).text
        groups = imports.api.get("/v1/search", params={"q": "grinders"}).json()["groups"]
        found = [one for group in groups for one in group["hits"] if one["id"] == made["id"]]
        return imports.api.get(f"/v1/agreements/{made['id']}").json()["supplierName"], len(found)

    assert name() == ("Acme", 0)
    renaming = imports.bring(rows("Grinders & Sons,acme.example,first"), kind="catalog")
    assert renaming["result"]["changed"] == 1
    assert name() == ("Grinders & Sons", 1)
    imports.undo(renaming["id"])
    assert name() == ("Acme", 0)


@campaign
def test_an_import_that_is_for_good_takes_no_later_undo_with_it(
    imports: ImportDriver, context: Context
) -> None:
    first = imports.bring(rows("Acme,acme.example,first"))
    second = imports.bring(rows("Acme,acme.example,second"))
    with context.database.writing() as connection:
        late = context.clock() - UNDO_TIME
        connection.execute(
            data_import.update().where(data_import.c.id == first["id"]).values(completed_at=late)
        )
    forget_old_imports(context)
    imports.undo(second["id"])
    assert described(imports) == "first"


def test_a_catalog_import_is_cancelled_while_it_runs(imports: ImportDriver, context: Context) -> None:
    imports.bring(rows("Acme,acme.example,first"))
    before = load_rows(context, CATALOG)
    one = imports.check(rows("Acme,acme.example,second", "New,new.example,"))
    imports.confirm(one["id"])
    with before_write(context, 2, lambda: imports.delete(one["id"])) as met:
        HANDLERS["import"].run(context, one["id"])
    assert met
    assert described(imports) == "second"
    imports.work()
    assert imports.get(one["id"])["status"] == "cancelled"
    assert load_rows(context, CATALOG) == before


@campaign
def test_rows_about_one_supplier_add_up(imports: ImportDriver) -> None:
    lines = [f"Acme,acme.example,Part {number}" for number in range(1_200)]
    one = imports.bring(rows(*lines, "ACME,,Last", header="name,domain,products"))
    assert [one["preview"][name] for name in ("new", "changed", "repeated", "products")] == [1, 0, 1200, 1201]
    assert one["result"] == {
        **{"imported": 1, "changed": 0, "repeated": 1200, "refused": 0},
        **{"companies": 1, "products": 1201, "categories": 0},
    }
    [seller] = companies(imports)
    assert (seller["name"], seller["domain"]) == ("ACME", "acme.example")


@pytest.mark.campaign
def test_entries_have_a_quota(imports: ImportDriver, context: Context) -> None:
    context.settings.max_entries = 4
    one = imports.check(FILE)
    assert "PARLEY_MAX_ENTRIES" in imports.confirm(one["id"], 409)["detail"]
    context.settings.max_entries = 5
    imports.confirm(one["id"])


@pytest.mark.parametrize(
    ("header", "row", "product"),
    [
        ("Vendor,Description,List price", "Acme,Wall socket,6.80", "Wall socket"),
        ("Vendor,Mfr part number,Description", "Acme,HB-5262,Wall socket", "Wall socket"),
        ("供應商,品名,未稅單價(新臺幣)", "Acme,繼電器,92", "繼電器"),
        ("Vendor,Description,Country", "Acme,Tools and more,DE", None),
    ],
)
def test_what_a_price_list_describes_are_products(header: str, row: str, product: str | None) -> None:
    _, [found] = look_at(f"{header}\n{row}\n", "catalog")
    assert [*found.get("products", ())] == ([product] if product else [])
