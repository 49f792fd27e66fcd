"""Purchase files into the catalog and the table of purchases, on both stores."""

import gzip
import threading
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import Table

from app.contract.catalog import Company, Product
from app.service.access.keys import UnknownOrganisation
from app.service.context import Context
from app.service.database.tables import article, category, company, product, product_family, purchase
from app.service.database.word_search import search_articles
from app.service.imports.operator_files import import_files
from app.service.purchase_records import Purchase
from app.service.purchases.importing import PurchaseWriter
from app.service.purchases.reading import read_purchases
from app.service.table_files.options import FileOptions
from app.service.tables.table import UnreadableTable
from tests.service.catalog.conformance import assert_conforms

REAL = Path(__file__).parents[4] / "shared/data/usaid-scms/purchases.csv.gz"
HEADER = "purchase_date,supplier,product,product_key,quantity,unit,unit_price,currency"


def written(folder: Path, *rows: str, name: str = "bought.csv", header: str = HEADER) -> Path:
    path = folder / name
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def rows_of(context: Context, table: Table) -> list[Any]:
    with context.database.reading() as connection:
        return list(connection.execute(sa.select(table).order_by(table.c.id)))


def dimensions_of(api: Any, name: str) -> dict[str, Any]:
    companies = api.get("/v1/catalog/companies", params={"limit": 100}).json()["data"]
    for one in companies:
        for sold in api.get(f"/v1/catalog/companies/{one['id']}/products").json()["data"]:
            if sold["name"] == name:
                return {dimension["name"]: dimension for dimension in sold["pricingDimensions"]}
    raise AssertionError(f"no product {name}")


@pytest.mark.campaign
def test_a_file_becomes_suppliers_products_and_purchases(api: Any, context: Context, tmp_path: Path) -> None:
    header = f"{HEADER},product_family,category,Colour,Weight (kg),comment"
    path = written(
        tmp_path,
        '2025-01-05,"Acme, Inc.",Chair,C-1,10,piece,20.50,EUR,Seating,Furniture,red,7,ordered by phone',
        "2025-02-05,ACME Inc,Chair,C1,20,piece,19.50,EUR,Seating,Furniture,blue,7.5,",
        "2025-03-05,Acme,Swivel chair,C-2,5,piece,80,EUR,Seating,Furniture,,,",
        "2025-03-06,Other GmbH,Chair,C-1,1,box,99,EUR,,,red,,",
        header=header,
    )
    report = import_files(context, "purchases", [path], FileOptions(ignored_columns=["comment"]))
    assert (report.result.imported, report.result.repeated, report.result.refused) == (4, 0, 0)
    assert (report.result.companies, report.result.products) == (2, 3)
    assert {row.name: row.legal_name for row in rows_of(context, company)} == {
        "Acme, Inc.": "Acme, Inc.",
        "Other GmbH": "Other GmbH",
    }
    assert [row.name for row in rows_of(context, product_family)] == ["Seating"]
    assert [row.name for row in rows_of(context, category)] == ["Furniture"]
    acme = next(row for row in rows_of(context, company) if row.name == "Acme, Inc.")
    read = api.get(f"/v1/catalog/companies/{acme.id}").json()
    assert_conforms(Company, read)
    assert [sold["name"] for sold in read["products"]] == ["Chair", "Swivel chair"]
    assert read["category"]["name"] == "Furniture"
    dimensions = dimensions_of(api, "Chair")
    assert list(dimensions) == ["Quantity", "Colour", "Weight kg"]
    quantity = dimensions["Quantity"]["formField"]
    assert (quantity["type"], quantity["required"], quantity["label"]) == ("number", True, "piece")
    assert dimensions["Colour"]["formField"]["options"] == [
        {"label": "blue", "value": "1"},
        {"label": "red", "value": "2"},
    ]
    assert dimensions["Weight kg"]["formField"]["type"] == "number"


@pytest.mark.campaign
def test_importing_again_keeps_every_row_once(api: Any, context: Context, tmp_path: Path) -> None:
    path = written(
        tmp_path, "2025-01-05,Acme,Chair,,10,piece,20.50,EUR", "2025-01-06,Acme,Table,,1,piece,200,EUR"
    )
    import_files(context, "purchases", [path])
    before = rows_of(context, company), rows_of(context, product), rows_of(context, purchase)
    again = import_files(context, "purchases", [path, path]).result
    assert (again.imported, again.repeated, again.companies, again.products) == (
        0,
        4,
        0,
        0,
    )
    assert (rows_of(context, company), rows_of(context, product), rows_of(context, purchase)) == before


@pytest.mark.both_stores
def test_rows_stand_by_article_and_date_as_the_indexes_do(context: Context, tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "2025-03-01,Acme,Chair,,1,,20,EUR,25",
        "2025-01-01,Acme,Table,,2,,80,EUR,",
        "2025-02-01,Acme,Chair,,3,,19,EUR,",
        "2025-04-01,Acme,Table,,4,,79,EUR,90",
        header=f"{HEADER},list_price",
    )
    import_files(context, "purchases", [path])
    with context.database.reading() as connection:
        rows = connection.execute(
            sa.select(purchase.c.quantity, purchase.c.list_price, purchase.c.unit)
        ).all()
    assert [(row.quantity, row.list_price) for row in rows] == [(3, None), (1, 25), (2, None), (4, 90)]
    assert {row.unit for row in rows} == {None}


def test_rows_of_another_file_with_the_same_numbers_are_other_rows(context: Context, tmp_path: Path) -> None:
    header = f"row_id,{HEADER}"
    one = written(tmp_path, "1,2025-01-05,Acme,Chair,,10,piece,20,EUR", header=header)
    other = written(tmp_path, "1,2025-01-05,Other,Chair,,10,piece,20,EUR", header=header, name="other.csv")
    report = import_files(context, "purchases", [one, other])
    assert (report.result.imported, report.result.repeated) == (2, 0)


@pytest.mark.campaign
def test_options_keep_their_values_when_new_ones_come(api: Any, context: Context, tmp_path: Path) -> None:
    header = f"{HEADER},colour"
    import_files(
        context,
        "purchases",
        [
            written(
                tmp_path,
                "2025-01-05,Acme,Chair,,1,piece,20,EUR,red",
                "2025-01-06,Acme,Chair,,1,piece,20,EUR,white",
                header=header,
            )
        ],
    )
    before = dimensions_of(api, "Chair")["Colour"]
    import_files(
        context,
        "purchases",
        [written(tmp_path, "2025-02-05,Acme,Chair,,1,piece,20,EUR,amber", header=header, name="b.csv")],
    )
    after = dimensions_of(api, "Chair")["Colour"]
    assert after["id"] == before["id"]
    assert after["formField"]["options"] == [
        *before["formField"]["options"],
        {"label": "amber", "value": "3"},
    ]


def test_a_product_sold_in_two_units_has_the_unit_as_a_choice(
    api: Any, context: Context, tmp_path: Path
) -> None:
    path = written(tmp_path, "2025-01-05,Acme,Pencil,,12,EA,1,EUR", "2025-01-06,Acme,Pencil,,1,DZ,10,EUR")
    import_files(context, "purchases", [path])
    options = dimensions_of(api, "Pencil")["Unit"]["formField"]["options"]
    assert [option["label"] for option in options] == ["DZ", "EA"]


def test_suppliers_of_the_same_article_are_competitors(api: Any, context: Context, tmp_path: Path) -> None:
    path = written(
        tmp_path,
        *(f"2025-01-0{n},Supplier {n},Oak chair,,1,piece,{20 + n},EUR" for n in range(1, 5)),
        "2025-01-05,Supplier 5,Chair of oak,OC-4711,1,piece,20,EUR",
        "2025-01-05,Supplier 6,Seat,OC4711,1,piece,20,EUR",
        "2025-01-05,Supplier 7,Lamp,1,1,piece,20,EUR",
        "2025-01-05,Supplier 8,Door,1,1,piece,20,EUR",
    )
    import_files(context, "purchases", [path])
    listed = api.get("/v1/catalog/companies?limit=100").json()["data"]
    competitors_of = {
        one["name"]: [competitor["name"] for competitor in one.get("competitors", [])] for one in listed
    }
    assert sorted(competitors_of["Supplier 1"]) == ["Supplier 2", "Supplier 3", "Supplier 4"]
    assert competitors_of["Supplier 5"] == ["Supplier 6"]
    assert competitors_of["Supplier 7"] == competitors_of["Supplier 8"] == []
    for one in listed:
        for sold in api.get(f"/v1/catalog/companies/{one['id']}/products").json()["data"]:
            read = api.get(f"/v1/catalog/products/{sold['id']}").json()
            assert_conforms(Product, read)
            assert len(read["competitors"]) == min(2, len(competitors_of[one["name"]]))
    before = rows_of(context, product)
    import_files(context, "purchases", [path])
    assert rows_of(context, product) == before


def test_free_text_is_stored_but_is_no_choice(api: Any, context: Context, tmp_path: Path) -> None:
    rows = [f"2025-01-05,Acme,Chair,,{n},piece,20,EUR,remark number {n},{n}" for n in range(1, 31)]
    report = import_files(
        context, "purchases", [written(tmp_path, *rows, header=f"{HEADER},remark,line_number")]
    )
    assert set(report.ignored_columns) == {"remark", "line_number"}
    assert "30 different values in 30 rows" in report.ignored_columns["remark"]
    assert list(dimensions_of(api, "Chair")) == ["Quantity"]
    assert rows_of(context, purchase)[0].attributes["remark"].startswith("remark number")


def test_dimensions_that_move_the_price_are_found_from_purchases(
    api: Any, context: Context, tmp_path: Path
) -> None:
    rows = [
        f"2025-01-{1 + n % 28:02d},Acme,Seat,,{1 + n % 7},user,{(10 + n % 3) * (2 if n % 2 else 1)},EUR,"
        f"{'Plus' if n % 2 else 'Basic'},{'north' if n % 5 else 'south'}"
        for n in range(60)
    ]
    import_files(context, "purchases", [written(tmp_path, *rows, header=f"{HEADER},edition,region")])
    known = {name: one["priceImpactKnown"] for name, one in dimensions_of(api, "Seat").items()}
    assert known == {"Quantity": True, "Edition": True, "Region": False}
    sold = rows_of(context, product)[0]
    read = api.get(f"/v1/catalog/products/{sold.id}").json()
    assert_conforms(Product, read)
    assert read["currency"] == "EUR"
    assert 10 <= read["defaultPrice"] <= 24


def test_another_currency_is_no_effect_on_the_price(api: Any, context: Context, tmp_path: Path) -> None:
    rows = [
        f"2025-01-{1 + n % 28:02d},Acme,Seat,,{1 + n % 7},user,"
        + (f"{10 + n % 3},EUR,north" if n % 3 else f"{1500 + n % 5},JPY,south")
        for n in range(60)
    ]
    import_files(context, "purchases", [written(tmp_path, *rows, header=f"{HEADER},region")])
    known = {name: one["priceImpactKnown"] for name, one in dimensions_of(api, "Seat").items()}
    assert known == {"Quantity": True, "Region": False}


def test_a_usual_price_is_of_one_unit(api: Any, context: Context, tmp_path: Path) -> None:
    boxes = [f"2025-0{month}-05,Acme,Screw,,10,box,250,EUR" for month in range(1, 7)]
    pieces = [f"2025-0{month}-05,Acme,Screw,,10,piece,{month},EUR" for month in range(1, 8)]
    import_files(context, "purchases", [written(tmp_path, *boxes, *pieces)])
    assert rows_of(context, product)[0].default_price == 4


def test_a_usual_price_stays_in_its_currency(api: Any, context: Context, tmp_path: Path) -> None:
    listed = "2025-01-05,Acme,Seat,,10,user,8,USD,10"
    import_files(context, "purchases", [written(tmp_path, listed, header=f"{HEADER},list_price")])
    paid = [f"2025-0{month}-05,Acme,Seat,,10,user,7,EUR," for month in (2, 3)]
    import_files(
        context, "purchases", [written(tmp_path, *paid, name="more.csv", header=f"{HEADER},list_price")]
    )
    sold = rows_of(context, product)[0]
    assert (sold.default_price, sold.currency) == (10, "USD")
    company_id = rows_of(context, company)[0].id
    read = api.get(f"/v1/catalog/companies/{company_id}").json()
    assert read["defaultPriceRange"] == {"min": 10, "max": 10, "currency": "USD"}
    # A purchase without its buyer names no currency: it is one of the company's prices.
    assert [one["negotiatedPrice"] for one in read["learningDataSamples"]] == [80]


def test_an_organisation_must_be_known(context: Context, tmp_path: Path) -> None:
    path = written(tmp_path, "2025-01-05,Acme,Chair,,10,piece,20.50,EUR")
    with pytest.raises(UnknownOrganisation, match="'Nobody'"):
        import_files(context, "purchases", [path], organisation="Nobody")
    assert rows_of(context, company) == []


def test_bad_rows_are_reported_by_line_and_the_rest_imported(context: Context, tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "2025-01-05,Acme,Chair,,10,piece,20.50,EUR",
        "2025-13-05,Acme,Chair,,10,piece,20.50,EUR",
        "2025-01-05,Acme,Chair,,0,piece,20.50,EUR",
        "2025-01-05,Acme,Chair,,1,piece,-3,EUR",
        "2025-01-05,,Chair,,1,piece,3,EUR",
    )
    rejects = tmp_path / "rejects.csv"
    report = import_files(context, "purchases", [path], rejects=rejects)
    assert (report.result.imported, report.result.refused) == (1, 4)
    assert [line for _, line, _ in report.refusals] == [3, 4, 5, 6]
    assert len(rejects.read_text().splitlines()) == 5


def test_nothing_of_any_file_is_written_when_one_cannot_be_read(context: Context, tmp_path: Path) -> None:
    good = written(tmp_path, "2025-01-05,Acme,Chair,,10,piece,20.50,EUR")
    damaged = tmp_path / "damaged.csv.gz"
    rows = "\n".join([HEADER, *(f"2025-01-05,Acme,Chair,,{n},piece,20,EUR" for n in range(1, 9000))])
    damaged.write_bytes(gzip.compress(rows.encode())[:-4])
    headless = written(tmp_path, "1,2", header="a,b", name="headless.csv")
    for bad in (damaged, headless, tmp_path / "missing.csv", tmp_path):
        with pytest.raises(UnreadableTable, match=bad.name) as refused:
            import_files(context, "purchases", [good, bad])
        assert "\n" not in str(refused.value)
    assert rows_of(context, purchase) == []
    assert rows_of(context, company) == []


@pytest.mark.campaign
def test_an_import_cut_off_by_a_crash_is_valid_and_completed_by_a_repeat(
    api: Any, context: Context, tmp_path: Path
) -> None:
    rows = [f"2025-01-0{n},Acme,Chair,,{n},piece,{20 + n},EUR,red" for n in range(1, 9)]
    path = written(tmp_path, *rows, header=f"{HEADER},colour")
    bought = [row for row in read_purchases(path) if isinstance(row, Purchase)]
    # Batches written, then the process is gone before it could finish.
    PurchaseWriter(context.database, None, context.clock()).write(bought[:6])
    assert list(dimensions_of(api, "Chair")) == ["Quantity"]
    report = import_files(context, "purchases", [path])
    assert (report.result.imported, report.result.repeated) == (2, 6)
    assert list(dimensions_of(api, "Chair")) == ["Quantity", "Colour"]
    assert not any(row.stale for row in rows_of(context, product))


@pytest.mark.campaign
def test_two_concurrent_imports_create_each_entry_once(context: Context, tmp_path: Path) -> None:
    files = [
        written(
            tmp_path,
            *(
                f"2025-01-{1 + n % 28:02d},Supplier {n % 9},Product {n % 50},,{n + 1},piece,{20 + turn},EUR"
                for n in range(1500)
            ),
            name=f"{turn}.csv",
        )
        for turn in range(2)
    ]
    threads = [threading.Thread(target=import_files, args=(context, "purchases", [path])) for path in files]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(rows_of(context, purchase)) == 3_000
    assert sorted(row.name for row in rows_of(context, company)) == [f"Supplier {n}" for n in range(9)]
    names = [(row.company_id, row.name) for row in rows_of(context, product)]
    assert len(names) == len(set(names)) == len({(n % 9, n % 50) for n in range(1500)})


@pytest.mark.both_stores
def test_articles_are_found_by_words_of_their_texts(context: Context, tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '2025-01-05,Acme,"Café chair, oak, 45 cm",C-1,1,piece,20,EUR',
        '2025-01-05,Acme,"Chair of oak (45cm) for cafés",C-1,1,piece,20,EUR',
        "2025-01-05,Acme,Steel table,T-1,1,piece,20,EUR",
    )
    import_files(context, "purchases", [path])
    assert len(rows_of(context, product)) == 2
    wording = {row.id: row.text for row in rows_of(context, article)}
    with context.database.reading() as connection:
        matches = [wording[key] for key in search_articles(connection, "OAK chair; 'quoted\" (x)")]
        assert search_articles(connection, "…!") == []
        assert search_articles(connection, "nothing") == []
    assert sorted(matches) == sorted(text for text in wording.values() if "oak" in text)


@pytest.mark.campaign
@pytest.mark.skipif(not REAL.exists(), reason="the shared data is not beside the repository")
def test_real_purchases_become_a_catalog(api: Any, context: Context) -> None:
    read: list[int] = []
    report = import_files(context, "purchases", [REAL], progress=read.append)
    assert (report.result.imported, report.result.refused, report.ignored_columns) == (5279, 0, {})
    assert read[-1] == 5279
    assert import_files(context, "purchases", [REAL]).result.repeated == 5279
    page = api.get("/v1/catalog/companies?limit=100").json()
    assert page["pagination"]["total"] == report.result.companies
    for listed in page["data"][:10]:
        whole = api.get(f"/v1/catalog/companies/{listed['id']}").json()
        assert_conforms(Company, whole)
        assert whole["learningDataSamples"]
        for sold in whole["products"][:3]:
            assert_conforms(Product, api.get(f"/v1/catalog/products/{sold['id']}").json())
