"""Agreements as files over HTTP: what the list shows, as a table and as releases of OCDS."""

import csv
import io
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from openpyxl import load_workbook
from starlette.testclient import TestClient

from app.service.agreements.store import rename_suppliers
from app.service.context import Context
from app.service.database.tables import company
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.agreements.files.ocds_schema import PACKAGE
from tests.service.agreements.test_routes import YEAR, put
from tests.service.migrated_database import provide_schema
from tests.service.negotiation.market_fixture import add_company

NOW = datetime(2026, 7, 15, 9, 30, tzinfo=UTC)
LINES: list[dict[str, Any]] = [
    {"description": "=1+1", "quantity": 12.125, "unit": "user", "unitPrice": 0.1, "recurring": True},
    {"description": "Set-up", "amount": 999_999_999.99, "recurring": False},
]


@pytest.fixture
def app(settings: Settings) -> Any:
    service = create_service(settings.model_copy(update={"ocid_prefix": "ocds-213czf"}), lambda: NOW)
    provide_schema(CONTEXT.get(service).database)
    yield service
    CONTEXT.get(service).close()


def get(api: TestClient, path: str) -> Any:
    answer = api.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"] == f'attachment; filename="{path[4:].partition("?")[0]}"'
    return answer


@pytest.mark.campaign
def test_a_table_has_the_agreements_of_the_list_in_its_order(api: TestClient, stranger: TestClient) -> None:
    put(api, name="Later", termEnd="2027-12-31", totalValue=1_000, lines=LINES)
    first = put(api, name="First, “quoted”\nand long", supplierName="@Home")
    put(api, name="Ended", renewalType="none", termStart="2024-01-01", termEnd="2024-12-31")
    put(stranger, name="Of others")
    text = get(api, "/v1/agreements.csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["name"] for row in rows] == ["First, “quoted”\nand long", "Later", "Later", "Ended"]
    assert rows[0]["supplierName"] == "'@Home"
    assert (rows[0]["noticePeriod"], rows[0]["noticeDeadline"]) == ("3 months", "2026-09-30")
    assert (rows[0]["id"], rows[0]["status"]) == (first["id"], "in_notice_window")
    assert [row["line"] for row in rows] == ["", "1 of 2", "2 of 2", ""]
    assert (rows[1]["lineDescription"], rows[1]["quantity"], rows[1]["unitPrice"]) == (
        "'=1+1",
        "12.1250",
        "0.1",
    )
    assert [row["totalValue"] for row in rows] == ["73000", "1000", "", "73000"]
    assert rows[2]["lineAmount"] == "999999999.99"
    listed = [one["name"] for one in api.get("/v1/agreements?status=expired").json()["data"]]
    filtered = get(api, "/v1/agreements.csv?status=expired").content.decode("utf-8-sig")
    assert [row["name"] for row in csv.DictReader(io.StringIO(filtered))] == listed == ["Ended"]
    sheet = load_workbook(io.BytesIO(get(api, "/v1/agreements.xlsx?name=later").content)).active
    assert sheet is not None
    heading, one, _ = sheet.iter_rows(values_only=True)
    cells = dict(zip(heading, one, strict=True))
    assert (cells["totalValue"], str(cells["termEnd"])) == (1_000, "2027-12-31 00:00:00")
    assert api.head("/v1/agreements.csv").status_code == 200
    for path in ("/v1/agreements.csv", "/v1/agreements.xlsx", "/v1/agreements.ocds.json"):
        refused = api.get(f"{path}?status=nonsense")
        assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "status")
        assert api.get(path, headers={"Authorization": "Bearer none"}).status_code == 401


def test_a_release_that_says_something_else_has_another_id(api: TestClient, context: Context) -> None:
    with context.database.writing() as connection:
        company_id = add_company(connection, "Alder", "alder.example")
    made = put(api, termEnd="2026-12-31", companyId=company_id)

    def read_release(query: str = "") -> dict[str, Any]:
        [release] = get(api, f"/v1/agreements.ocds.json?ids={made['id']}{query}").json()["releases"]
        return release

    first, renewed = read_release(), read_release("&asOf=2027-07-15")
    assert first == read_release()
    put(api, previousAgreementId=made["id"], termStart="2027-01-01", termEnd="2027-12-31")
    followed = read_release()
    assert "relatedProcesses" in followed["contracts"][0]
    with context.database.writing() as connection:
        connection.execute(company.update().values(name="Alder Group"))
        rename_suppliers(connection, None, [company_id])
    renamed = read_release()
    assert renamed["parties"][1]["name"] == "Alder Group"
    assert len({one["id"] for one in (first, renewed, followed, renamed)}) == 4


@pytest.mark.campaign
def test_the_releases_are_valid_and_say_what_was_agreed(api: TestClient) -> None:
    before = put(api, termStart="2024-01-01", termEnd="2024-12-31", reference="C-1", lines=LINES)
    # Imported here: it takes a second, and every process of the tests imports every test.
    from jsonschema import Draft202012Validator

    after = put(api, previousAgreementId=before["id"], totalValue=0.1, maxExtentDate="2030-12-31")
    put(api, name="Nothing known", **dict.fromkeys(set(YEAR) - {"name"}))
    put(api, name="New currency", currency="XCG")
    answer = get(api, "/v1/agreements.ocds.json?ids=" + ",".join((before["id"], after["id"])))
    everything = get(api, "/v1/agreements.ocds.json")
    for content in (answer, everything, get(api, "/v1/agreements.ocds.json?name=nobody")):
        package = json.loads(content.content)
        validator = Draft202012Validator(PACKAGE, format_checker=Draft202012Validator.FORMAT_CHECKER)
        assert [error.message for error in validator.iter_errors(package)] == []
    assert everything.json()["publishedDate"] == "2026-07-15T09:30:00.000Z"
    releases = {one["contracts"][0]["id"]: one for one in answer.json()["releases"]}
    assert releases.keys() == {before["id"], after["id"]}
    old, new = releases[before["id"]], releases[after["id"]]
    assert old["ocid"] == f"ocds-213czf-{before['id']}"
    assert old["contracts"][0] == {
        "id": before["id"],
        "awardID": f"{before['id']}-award",
        "title": "Analytics",
        "description": "Contract number C-1",
        "status": "terminated",
        "period": {
            "startDate": "2024-01-01T00:00:00Z",
            "endDate": "2025-12-31T23:59:59Z",
            "durationInDays": 731,
        },
        "value": {"amount": 73_000, "currency": "USD"},
        "items": [
            {
                "id": "1",
                "description": "=1+1",
                "quantity": 12.125,
                "unit": {"name": "user", "value": {"amount": 0.1, "currency": "USD"}},
            },
            {"id": "2", "description": "Set-up"},
        ],
        "relatedProcesses": [
            {"id": "1", "relationship": ["renewalProcess"], "scheme": "ocid", "identifier": new["ocid"]}
        ],
    }
    assert new["relatedProcesses"][0] | {"id": "1"} == {
        "id": "1", "relationship": ["prior"], "scheme": "ocid", "identifier": old["ocid"]
    }  # fmt: skip
    assert new["contracts"][0]["value"] == {"amount": 0.1, "currency": "USD"}
    [supplier] = new["awards"][0]["suppliers"]
    assert old["awards"][0]["suppliers"] == [supplier]
    assert {party["id"]: party["roles"] for party in new["parties"]} == {
        new["buyer"]["id"]: ["buyer"],
        supplier["id"]: ["supplier"],
    }
