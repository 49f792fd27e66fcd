"""Catalog files into the catalog."""

import gzip
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.contract.catalog import Company, CompanyInList
from app.service.access.keys import UnknownOrganisation
from app.service.context import Context
from app.service.database.tables import company
from app.service.imports.operator_files import import_files
from app.service.tables.table import UnreadableTable
from tests.service.catalog.conformance import assert_conforms

REAL = Path(__file__).parents[4] / "shared/data/catalog/companies.csv.gz"

GOOD = """name,Domain,website,category,parent_category,description,fiscal year end,ticker,product_names
Acme,www.ACME.example,https://acme.example/,CMS,Content,Makes pages,--01-31,XETR:ACM|NYSE:AC,Pages|Sites
Zenith,,zenith.example/start,Content,Content,,,,
"Nameless, Inc.",,,,,,,,
"""


def companies(api: Any, query: str = "") -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = api.get(f"/v1/catalog/companies?limit=100{query}").json()["data"]
    return data


def written(folder: Path, text: str, name: str = "catalog.csv") -> Path:
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


def test_companies_come_with_their_categories_and_products(
    api: Any, context: Context, tmp_path: Path
) -> None:
    report = import_files(context, "catalog", [written(tmp_path, GOOD)])
    assert (
        report.result.companies,
        report.result.categories,
        report.result.products,
        report.result.refused,
    ) == (3, 2, 2, 0)
    acme, nameless, zenith = companies(api)
    for record in (acme, nameless, zenith):
        assert_conforms(CompanyInList, record)
    assert acme["domain"] == "acme.example"
    assert acme["fiscalYearEnd"] == "--01-31"
    assert acme["stockSymbols"] == [
        {"symbol": "ACM", "exchange": "XETR"},
        {"symbol": "AC", "exchange": "NYSE"},
    ]
    assert acme["category"]["name"] == "CMS"
    assert zenith["category"]["id"] == acme["category"]["parentCategoryId"]
    assert (zenith["domain"], zenith["url"]) == ("zenith.example", "https://zenith.example/start")
    assert (nameless["name"], nameless["domain"]) == ("Nameless, Inc.", "")
    read = api.get(f"/v1/catalog/companies/{acme['id']}").json()
    assert_conforms(Company, read)
    assert [product["name"] for product in read["products"]] == ["Pages", "Sites"]
    top = api.get("/v1/catalog/categories").json()["data"]
    assert [child["name"] for child in top[0]["childCategories"]] == ["CMS"]


@pytest.mark.both_stores
def test_importing_again_changes_nothing_and_a_newer_file_only_what_differs(
    api: Any, context: Context, tmp_path: Path
) -> None:
    path = written(tmp_path, GOOD)
    import_files(context, "catalog", [path])
    before = companies(api)
    again = import_files(context, "catalog", [path]).result
    assert (again.companies, again.changed, again.repeated, again.products) == (
        0,
        0,
        3,
        0,
    )
    assert companies(api) == before
    newer = written(tmp_path, "name,domain,description\nAcme Group,acme.example,Makes more\n", "newer.csv.gz")
    assert import_files(context, "catalog", [newer]).result.changed == 1
    acme = companies(api, "&domain=acme.example")[0]
    assert (acme["name"], acme["description"]) == ("Acme Group", "Makes more")
    assert acme["category"]["name"] == "CMS"
    assert acme["id"] == before[0]["id"]


def test_a_bad_row_is_reported_by_its_line_and_the_rest_imported(
    api: Any, context: Context, tmp_path: Path
) -> None:
    path = written(
        tmp_path,
        "name,domain,url,fiscal_year_end,stock_symbols\n"
        ",nobody.example,,,\n"
        "Spaced,not a domain,,,\n"
        "Dated,dated.example,,31.12.,\n"
        "Script,script.example,javascript://alert,,\n"
        f"{'x' * 300},long.example,,,\n"
        "Listed,listed.example,,,ACM\n"
        "Fine,fine.example,,,\n",
    )
    rejects = tmp_path / "rejects.csv"
    report = import_files(context, "catalog", [path], rejects=rejects)
    assert [line for _, line, _ in report.refusals] == [2, 3, 4, 5, 6, 7]
    assert report.result.refused == 6
    assert "domain 'not a domain'" in report.refusals[1][2]
    assert len(rejects.read_text().splitlines()) == 7
    assert [record["name"] for record in companies(api)] == ["Fine"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "catalog.csv: the file is empty"),
        (b"title,domain\nx,y\n", "catalog.csv: no column for name"),
        (gzip.compress(b"name\nAcme\n" * 2_000, mtime=0)[:-6], "catalog.csv: the gzip file is damaged"),
        (b"\x00\x01\x02", "catalog.csv: the file is neither"),
    ],
)
def test_a_file_that_is_no_catalog_is_refused_with_one_sentence(
    context: Context, tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "catalog.csv"
    path.write_bytes(content)
    with pytest.raises(UnreadableTable, match=reason) as refused:
        import_files(context, "catalog", [path])
    assert "\n" not in str(refused.value)
    with context.database.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(company)) == 0


@pytest.mark.skipif(not REAL.exists(), reason="the shared data is not beside the repository")
@pytest.mark.campaign
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_real_catalog_of_thousands_is_imported_completely(api: TestClient, context: Context) -> None:
    read: list[int] = []
    report = import_files(context, "catalog", [REAL], progress=read.append)
    assert report.result.refused == 0
    assert report.result.companies == read[-1] == 8862
    records = companies(api, "&name=wordpress")
    assert records
    for record in records:
        assert_conforms(CompanyInList, record)


def test_an_organisations_import_is_private(
    api: Any, stranger: Any, context: Context, tmp_path: Path
) -> None:
    everybodys = tmp_path / "everybodys.csv"
    everybodys.write_text("name,domain,category,products\nAcme,acme.com,Tools,Saw\n")
    import_files(context, "catalog", [everybodys])
    before = [stranger.get(f"/v1/catalog/{path}?limit=100").content for path in ("companies", "categories")]
    own = tmp_path / "own.csv"
    own.write_text(
        "name,domain,parent_category,category,products\n"
        "Acme Renamed,acme.com,,Secret tools,Saw|Hammer\nHidden,hidden.com,Tools,Odd tools,Spoon\n"
    )
    with pytest.raises(UnknownOrganisation):
        import_files(context, "catalog", [own], organisation="Nobody")
    report = import_files(context, "catalog", [own], organisation="Acme")
    assert (report.result.companies, report.result.changed, report.result.repeated) == (1, 0, 1)
    assert (report.result.categories, report.result.products) == (2, 2)
    again = import_files(context, "catalog", [own], organisation="Acme")
    assert (again.result.companies, again.result.categories, again.result.products) == (0, 0, 0)
    after = [stranger.get(f"/v1/catalog/{path}?limit=100").content for path in ("companies", "categories")]
    assert after == before
    listed = api.get("/v1/catalog/companies").json()["data"]
    assert [one["name"] for one in listed] == ["Acme", "Hidden"]
    sold = api.get(f"/v1/catalog/companies/{listed[0]['id']}").json()["products"]
    assert [one["name"] for one in sold] == ["Saw", "Hammer"]
    tools = next(one for one in api.get("/v1/catalog/categories").json()["data"] if one["name"] == "Tools")
    assert [child["name"] for child in tools["childCategories"]] == ["Odd tools"]
    # The same for everybody is made beside it.
    assert import_files(context, "catalog", [own]).result.companies == 1
    assert stranger.get("/v1/catalog/companies").json()["pagination"]["total"] == 2
