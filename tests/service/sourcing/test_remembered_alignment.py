"""What a person decided of a supplier's wording is proposed for the next quote with the same wording."""

from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.contract.dates import format_day
from app.service.context import Context
from app.service.database.tables import remembered_alignment
from app.service.sourcing.document_quotes import read_quote
from tests.service.sourcing.test_routes import quote, state

TEXT = "Insight bundle, tier A"
PERSON = {"X-Svc-End-User-Email": "ann@acme.example"}


def quote_texts(
    api: TestClient, requirement: dict[str, Any], *texts: str, supplier: str = "Delta"
) -> dict[str, Any]:
    lines = [{"description": text, "quantity": 10, "unitPrice": 5, "recurring": "once"} for text in texts]
    return quote(api, requirement, supplier, 0, 0, 1, lines=lines)


def decide(api: TestClient, made: dict[str, Any], line: int, answers: str | None, **others: Any) -> None:
    decided = {"quoteLineId": made["lines"][line]["id"], "requirementLineId": answers, **others}
    path = f"/v1/requirements/{made['requirementId']}/alignment"
    answer = api.put(path, json={"lines": [decided]}, headers=PERSON)
    assert answer.status_code == 200, answer.text


def count(context: Context) -> int:
    with context.database.reading() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(remembered_alignment)) or 0


def test_the_next_quote_with_the_same_wording_is_proposed_as_decided(
    api: TestClient, context: Context
) -> None:
    requirement = state(api)
    first = quote_texts(api, requirement, TEXT)
    assert first["lines"][0]["alignment"] == "none"
    decide(api, first, 0, requirement["lines"][1]["id"])
    other = state(api, name="Next year")
    [line, seats] = quote_texts(api, other, f"  {TEXT.upper()}", "Analytics seats", supplier="DELTA")["lines"]
    today = format_day(context.clock().date())
    assert (line["alignment"], line["requirementLineId"]) == ("proposed", other["lines"][1]["id"])
    assert line["alignmentReason"] == f"Matched as before, by test, on behalf of ann@acme.example on {today}."
    assert "confidence" not in line
    assert (seats["requirementLineId"], seats.get("alignmentReason")) == (other["lines"][0]["id"], None)
    [elsewhere] = quote_texts(api, other, TEXT, supplier="Epsilon")["lines"]
    assert elsewhere["alignment"] == "none", "another supplier may mean another thing"
    [unknown] = quote_texts(api, other, "Insight bundle, tier B")["lines"]
    assert unknown["alignment"] == "none"


@pytest.mark.campaign
def test_a_quote_that_is_read_from_a_file_is_proposed_as_decided(api: TestClient, context: Context) -> None:
    requirement = state(api)
    decide(api, quote_texts(api, requirement, TEXT), 0, requirement["lines"][2]["id"], alternate=True)
    content = f'description,quantity,unit price,amount\n"{TEXT}",10,9.00,90.00\nNet total,,,90.00\n'
    files = {"file": ("a.csv", content.encode())}
    stored = api.post("/v1/files/upload", files=files).json()["id"]
    path = f"/v1/requirements/{requirement['id']}/quotes"
    body = {"fileId": stored, "supplierName": "Delta"}
    begun = api.post(path, json=body).json()
    read_quote(context, begun["scopeId"])
    [read] = (one for one in api.get(path).json()["data"] if one["id"] == begun["id"])
    [line] = read["lines"]
    assert (line["requirementLineId"], line["alternate"]) == (requirement["lines"][2]["id"], True)
    assert line["alignmentReason"].startswith("Matched as before, by test, on behalf of ann@acme.example on ")


def test_a_correction_takes_the_place_of_what_was_decided(api: TestClient, context: Context) -> None:
    requirement = state(api)
    made = quote_texts(api, requirement, TEXT)
    decide(api, made, 0, requirement["lines"][1]["id"])
    decide(api, made, 0, requirement["lines"][2]["id"])
    assert count(context) == 1
    [line] = quote_texts(api, requirement, TEXT)["lines"]
    assert line["requirementLineId"] == requirement["lines"][2]["id"]
    decide(api, made, 0, None)
    assert count(context) == 0
    assert quote_texts(api, requirement, TEXT)["lines"][0]["alignment"] == "none"


def test_what_is_proposed_as_before_is_confirmed_and_loses_its_reason(api: TestClient) -> None:
    requirement = state(api)
    decide(api, quote_texts(api, requirement, TEXT), 0, requirement["lines"][1]["id"])
    again = quote_texts(api, requirement, TEXT)
    decide(api, again, 0, requirement["lines"][0]["id"])
    path = f"/v1/requirements/{requirement['id']}/quotes"
    [line] = next(one for one in api.get(path).json()["data"] if one["id"] == again["id"])["lines"]
    assert (line["alignment"], line.get("alignmentReason")) == ("confirmed", None)


def test_of_two_lines_that_say_the_same_nothing_is_known(api: TestClient) -> None:
    requirement = state(api)
    decide(api, quote_texts(api, requirement, TEXT), 0, requirement["lines"][1]["id"])
    twice = quote_texts(api, requirement, TEXT, TEXT)
    assert [line["alignment"] for line in twice["lines"]] == ["none", "none"]


def test_what_is_answered_as_before_is_no_longer_matched_by_its_text(api: TestClient) -> None:
    requirement = state(api)
    decide(api, quote_texts(api, requirement, TEXT), 0, requirement["lines"][2]["id"])
    lines = quote_texts(api, requirement, "Data storage", TEXT)["lines"]
    answered = [line.get("requirementLineId") for line in lines]
    assert answered == [None, requirement["lines"][2]["id"]]


def test_it_goes_with_the_quote_and_no_other_organisation_sees_it(
    api: TestClient, stranger: TestClient, context: Context
) -> None:
    requirement = state(api)
    made = quote_texts(api, requirement, TEXT)
    decide(api, made, 0, requirement["lines"][1]["id"])
    [line] = quote_texts(stranger, state(stranger), TEXT)["lines"]
    assert line["alignment"] == "none"
    assert api.delete(f"/v1/requirements/{requirement['id']}/quotes/{made['id']}").status_code == 200
    assert count(context) == 0
