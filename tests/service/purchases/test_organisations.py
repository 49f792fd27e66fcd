"""An import of an organisation is private; the organisation sees it together with the shared catalog."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.contract.catalog import Company, Product, ProductInList
from app.service.catalog.purchase_recount import update_purchase_counts
from app.service.context import Context
from app.service.database.tables import article, attribute_column, category, company, product, product_family
from app.service.imports.operator_files import import_files
from tests.service.catalog.conformance import assert_conforms

HEADER = "purchase_date,supplier,product,quantity,unit,unit_price,currency,product_family,category,colour"
COLOURS = ("blue", "red")
SHARED_TABLES = (category, company, product_family, product, article, attribute_column)


def written(folder: Path, name: str, *rows: str, header: str = HEADER) -> Path:
    path = folder / f"{name}.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def year(context: Context) -> int:
    return context.clock().year


@pytest.fixture
def everybodys(api: Any, context: Context, tmp_path: Path, year: int) -> Path:
    """Six purchases that every caller may know."""
    rows = [
        f"{year}-01-{n:02d},Acme,Chair,{n},piece,{20 + n % 2},EUR,Seating,Furniture,{COLOURS[n % 2]}"
        for n in range(1, 7)
    ]
    path = written(tmp_path, "everybodys", *rows)
    import_files(context, "purchases", [path])
    return path


@pytest.fixture
def own(api: TestClient, stranger: TestClient, everybodys: Path, tmp_path: Path, year: int) -> Path:
    """Purchases of the organisation Acme: of the shared product, and of what only it bought."""
    return written(
        tmp_path,
        "own",
        f"{year}-02-01,Acme,Chair,7,dozen,19,EUR,Seating,Furniture,amber",
        f"{year}-02-02,Acme,Throne,1,piece,900,EUR,Royal,Curiosities,gold",
        f"{year}-02-03,Hidden Hand,Lamp,2,piece,30,EUR,,,green",
    )


def everything(api: Any) -> list[Any]:
    """All that the catalog says to a caller."""
    responses = [get(api, "/companies?limit=100"), get(api, "/categories?limit=100")]
    for one in responses[0]["data"]:
        place = f"/companies/{one['id']}"
        products, families = get(api, f"{place}/products"), get(api, f"{place}/product-families")
        responses += [get(api, place), products, families]
        responses += [get(api, f"/products/{sold['id']}") for sold in products["data"]]
        responses += [get(api, f"/product-families/{family['id']}") for family in families["data"]]
    return responses


def get(api: Any, path: str) -> Any:
    answer = api.get(f"/v1/catalog{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def company_of(api: Any, name: str) -> Any:
    [listed] = get(api, f"/companies?name={name}")["data"]
    return get(api, f"/companies/{listed['id']}")


def product_of(api: Any, name: str) -> Any:
    for listed in get(api, "/companies?limit=100")["data"]:
        for sold in get(api, f"/companies/{listed['id']}/products")["data"]:
            if sold["name"] == name:
                return get(api, f"/products/{sold['id']}")
    return None


def options(sold: Any, name: str) -> dict[str, str]:
    [dimension] = [one for one in sold["pricingDimensions"] if one["name"] == name]
    return {option["label"]: option["value"] for option in dimension["formField"]["options"]}


def rows_of(context: Context, table: sa.Table) -> list[Any]:
    everybodys = sa.select(table)
    owner = table.c.organisation_id
    with context.database.reading() as connection:
        shared = everybodys.where(sa.or_(owner.is_(None), owner == "")).order_by(*table.primary_key)
        return list(connection.execute(shared))


@pytest.mark.campaign
def test_other_organisations_see_nothing_of_a_private_import(
    api: Any, stranger: Any, context: Context, own: Path
) -> None:
    before = everything(stranger)
    rows = [rows_of(context, table) for table in SHARED_TABLES]
    report = import_files(context, "purchases", [own], organisation="Acme")
    assert (report.result.imported, report.result.companies, report.result.products) == (3, 1, 2)
    assert everything(stranger) == before
    assert [rows_of(context, table) for table in SHARED_TABLES] == rows
    for name in ("Hidden", "hand"):
        assert get(stranger, f"/companies?name={name}")["pagination"]["total"] == 0
        assert get(api, f"/companies?name={name}")["pagination"]["total"] == 1


def test_its_organisation_sees_the_shared_catalog_with_it(
    api: Any, stranger: Any, context: Context, own: Path
) -> None:
    import_files(context, "purchases", [own], organisation="Acme")
    acme = company_of(api, "acme")
    assert_conforms(Company, acme)
    assert acme["realPurchaseCount"] == 8
    assert [sold["name"] for sold in acme["products"]] == ["Chair", "Throne"]
    assert [family["name"] for family in acme["productFamilies"]] == ["Seating", "Royal"]
    assert {900, 133} <= {sample["negotiatedPrice"] for sample in acme["learningDataSamples"]}
    assert get(api, "/categories")["pagination"]["total"] == 2
    chair = product_of(api, "Chair")
    assert_conforms(Product, chair)
    assert options(chair, "Colour") == {"blue": "1", "red": "2", "amber": "3"}
    assert set(options(chair, "Unit")) == {"piece", "dozen"}
    listed = get(api, f"/companies/{acme['id']}/products")
    assert listed["pagination"]["total"] == 2
    for one in listed["data"]:
        assert_conforms(ProductInList, one)
    assert get(api, f"/companies?ids={acme['id']}")["data"][0]["realPurchaseCount"] == 8
    assert company_of(api, "hidden")["realPurchaseCount"] == 1
    assert options(product_of(api, "Lamp"), "Colour") == {"green": "1"}
    for path in (
        f"/companies/{company_of(api, 'hidden')['id']}",
        f"/companies/{company_of(api, 'hidden')['id']}/products",
        f"/companies/{company_of(api, 'hidden')['id']}/product-families",
        f"/products/{product_of(api, 'Throne')['id']}",
        f"/product-families/{acme['productFamilies'][1]['id']}",
    ):
        assert stranger.get(f"/v1/catalog{path}").status_code == 404


@pytest.mark.campaign
def test_options_keep_their_values_when_a_shared_import_adds_others(
    api: Any, stranger: Any, context: Context, own: Path, tmp_path: Path, year: int
) -> None:
    import_files(context, "purchases", [own], organisation="Acme")
    later = written(
        tmp_path,
        "later",
        f"{year}-03-01,Acme,Chair,7,piece,19,EUR,Seating,Furniture,white",
        f"{year}-03-01,Acme,Chair,7,piece,19,EUR,Seating,Furniture,aqua",
    )
    import_files(context, "purchases", [later])
    own_options = options(product_of(api, "Chair"), "Colour")
    assert own_options == {"blue": "1", "red": "2", "amber": "3", "aqua": "4", "white": "5"}
    assert options(product_of(stranger, "Chair"), "Colour") == {
        "blue": "1",
        "red": "2",
        "aqua": "3",
        "white": "4",
    }
    assert company_of(api, "acme")["realPurchaseCount"] == 10
    assert company_of(stranger, "acme")["realPurchaseCount"] == 8


@pytest.mark.campaign
def test_a_shared_import_creates_shared_entries_beside_private_ones_of_the_same_name(
    api: Any, stranger: Any, context: Context, own: Path
) -> None:
    import_files(context, "purchases", [own], organisation="Acme")
    report = import_files(context, "purchases", [own])
    assert (report.result.imported, report.result.companies, report.result.products) == (3, 1, 2)
    assert company_of(stranger, "hidden")["realPurchaseCount"] == 1
    assert get(api, "/companies?name=hidden")["pagination"]["total"] == 2
    # Its next import finds what is its own.
    again = import_files(context, "purchases", [own], organisation="Acme")
    assert (again.result.repeated, again.result.companies, again.result.products) == (3, 0, 0)


@pytest.mark.campaign
def test_an_import_cut_off_by_a_crash_is_completed_by_a_repeat(
    api: Any, context: Context, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("app.service.purchases.importing.refresh_stale_products", lambda *_: 0)
        import_files(context, "purchases", [own], organisation="Acme")
    assert "amber" not in options(product_of(api, "Chair"), "Colour")
    import_files(context, "purchases", [own], organisation="Acme")
    assert "amber" in options(product_of(api, "Chair"), "Colour")
    before = everything(api)
    import_files(context, "purchases", [own], organisation="Acme")
    assert everything(api) == before


@pytest.mark.campaign
def test_counts_of_an_organisation_leave_the_past_two_years(
    api: Any, stranger: Any, context: Context, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_files(context, "purchases", [own], organisation="Acme")
    assert update_purchase_counts(context) == 0
    now = context.clock()
    later = replace(context, clock=lambda: now.replace(year=now.year + 3, day=1))
    assert update_purchase_counts(later) == 2
    assert company_of(api, "acme")["realPurchaseCount"] == 0
    assert company_of(api, "hidden")["realPurchaseCount"] == 0
    assert update_purchase_counts(later) == 0


@pytest.mark.campaign
def test_columns_are_classified_for_each_organisation(
    api: Any, stranger: Any, context: Context, everybodys: Path, tmp_path: Path, year: int
) -> None:
    rows = [
        f"{year}-02-01,Acme,Chair,{n},piece,19,EUR,Seating,Furniture,shade number {n}" for n in range(1, 300)
    ]
    report = import_files(context, "purchases", [written(tmp_path, "many", *rows)], organisation="Acme")
    assert "colour" in report.ignored_columns
    assert set(options(product_of(api, "Chair"), "Colour")) == {"red", "blue"}
    more = [f"{year}-02-01,Acme,Chair,1,piece,19,EUR,Seating,Furniture,white"]
    import_files(context, "purchases", [written(tmp_path, "more", *more)])
    assert set(options(product_of(stranger, "Chair"), "Colour")) == {"red", "blue", "white"}
