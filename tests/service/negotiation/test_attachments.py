"""A file that is a quote becomes an offer with its clauses; the same file makes one offer only."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pytest
from docx import Document

from app.service.access.keys import find_organisation
from tests.service.negotiation.market_fixture import add_purchases
from tests.service.negotiation.negotiation_driver import NegotiationDriver

UNKNOWN = "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"


RISE = "At renewal the price may increase by 7 %."


def quote_document(
    users: int = 10,
    unit_price: float = 105.0,
    item: str = "Suite 365",
    more: Sequence[tuple[str, int, float]] = (),
    clause: str = RISE,
    notice: str = "90 days",
) -> bytes:
    """A supplier's quote for the market's product: 1,050 USD. `more` are further lines, each a description, a
    quantity and a unit price; `notice` is how long before the end notice is to be given."""
    document: Any = Document()
    document.add_heading("Quotation", 0)
    for line in (
        "Supplier: Seller 24",
        "Quote number: Q-2026-001",
        "Date: November 10, 2026",
        "Valid until: December 31, 2026",
        "Currency: USD",
    ):
        document.add_paragraph(line)
    lines = [(item, users, unit_price), *more]
    total = sum(quantity * price for _, quantity, price in lines)
    rows = (
        ("Description", "Quantity", "Unit price", "Amount"),
        *((what, str(count), f"${price:,.2f}", f"${count * price:,.2f}") for what, count, price in lines),
        ("Total", "", "", f"${total:,.2f}"),
    )
    table = document.add_table(rows=0, cols=4)
    for row in rows:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    document.add_paragraph(
        "The subscription term is 12 months. This order renews automatically unless either party gives notice"
        f" at least {notice} before the end. {clause}"
    )
    content = BytesIO()
    document.save(content)
    return content.getvalue()


@pytest.fixture
def quote() -> bytes:
    return quote_document()


def attach(
    driver: NegotiationDriver, negotiation_id: str, content: bytes, expect: int = 201
) -> dict[str, Any]:
    path = f"/v1/negotiation/{negotiation_id}/attach"
    answer = driver.api.post(path, files={"file": ("quote.docx", content)})
    assert answer.status_code == expect, answer.text
    return answer.json()


def offers(driver: NegotiationDriver, negotiation_id: str) -> list[float]:
    entries = driver.timeline(negotiation_id)["entries"]
    return [entry["amount"] for entry in entries if entry["kind"] == "quote"]


def renewal_lever(driver: NegotiationDriver, negotiation_id: str) -> str:
    levers = driver.timeline(negotiation_id)["strategy"]["levers"]
    (statement,) = (one["statement"] for one in levers if one["kind"] == "auto_renewal")
    return statement


@pytest.mark.campaign
def test_an_attached_quote_becomes_an_offer_with_its_clauses_once(
    driver: NegotiationDriver, quote: bytes
) -> None:
    negotiation_id = driver.start_planned()
    attached = attach(driver, negotiation_id, quote)
    assert set(attached) == {"id", "fileId"}
    again = driver.api.post(f"/v1/negotiation/{negotiation_id}/attach", json={"fileId": attached["fileId"]})
    assert again.status_code == 201
    assert again.json() == attached
    attach(driver, negotiation_id, quote)  # uploaded a second time: another file, the same content
    driver.run_tasks()
    assert offers(driver, negotiation_id) == [1050]
    assert driver.status(negotiation_id) == "active"
    waiting = {one["reason"]: one for one in driver.escalations(negotiation_id)}
    assert "contract_clause" in waiting
    assert "7 %" in waiting["contract_clause"]["description"]
    documents = driver.timeline(negotiation_id)["documents"]
    assert [(one["filename"], one["status"]) for one in documents] == [("quote.docx", "completed")] * 2


def test_the_lines_of_an_attached_quote_are_compared_with_the_scope(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    attach(driver, negotiation_id, quote_document(users=7))
    driver.run_tasks()
    (entry,) = (one for one in driver.timeline(negotiation_id)["entries"] if one["kind"] == "quote")
    (line,) = entry["payload"]["lines"]
    assert (line["productId"], line["quantity"], line["amount"]) == (driver.market.product_id, 7, 735)
    assert entry["text"] == "read in quote.docx"
    waiting = {one["reason"]: one["description"] for one in driver.escalations(negotiation_id)}
    assert "a quantity of 7, the scope for 10" in waiting["scope_mismatch"]
    assert not {"quote_above_walk_away", "quote_within_target"} & set(waiting)


def test_a_line_without_a_known_product_may_be_any_product_of_the_scope(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    attach(driver, negotiation_id, quote_document(item="Zyxwv onboarding, first wave"))
    driver.run_tasks()
    assert offers(driver, negotiation_id) == [1050]
    assert "scope_mismatch" not in [one["reason"] for one in driver.escalations(negotiation_id)]


def test_a_start_with_a_quote_file_alone_makes_scope_offer_and_strategy(
    driver: NegotiationDriver, quote: bytes
) -> None:
    file_id = driver.api.post("/v1/files/upload", files={"file": ("q.docx", quote)}).json()["id"]
    negotiation_id = driver.start(scope=None, file={"fileId": file_id}, supplier={"note": "none"})
    driver.run_tasks()
    assert driver.status(negotiation_id) == "planning"
    driver.clock.advance(seconds=1)
    driver.fire_timers()
    driver.run_tasks()
    assert driver.status(negotiation_id) == "pending"
    summary = driver.summary(negotiation_id)
    assert summary["scope"]["productNames"] == ["Suite 365"]
    assert summary["supplier"]["companyId"] == driver.market.company_id
    assert offers(driver, negotiation_id) == [1050]
    assert driver.timeline(negotiation_id)["strategy"]["walkAway"]["amount"] <= 1050


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("notice", "due"),
    [
        ("three months", "notice is due by 30 September 2027, three months before the end."),
        ("91 days", "notice is due by 1 October 2027, 91 days before the end."),
        (
            "three months (90 days)",
            "a notice period of 90 days was read, but not whether the document counts it in days or in"
            " months.",
        ),
    ],
)
def test_the_last_day_for_notice_is_counted_back_in_the_unit_of_the_document(
    driver: NegotiationDriver, notice: str, due: str
) -> None:
    """Three months before 31 December is another day than 90 days before it."""
    scope = driver.market.scope()
    scope["scopeTerms"][0] |= {"startDate": "2027-01-01", "endDate": "2027-12-31"}
    negotiation_id = driver.start_planned(scope=scope)
    attach(driver, negotiation_id, quote_document(notice=notice))
    driver.run_tasks()
    assert driver.api.post(f"/v1/negotiation/{negotiation_id}/strategy", json={}).status_code == 200
    driver.run_tasks()
    assert renewal_lever(driver, negotiation_id) == f"The contract renews automatically; {due}"
    waiting = {one["reason"]: one["description"] for one in driver.escalations(negotiation_id)}
    without_day = due.replace("by 30 September 2027, ", "").replace("by 1 October 2027, ", "")
    assert f"The contract renews automatically; {without_day}" in waiting["contract_clause"]


@pytest.mark.campaign
def test_the_last_day_for_notice_follows_from_the_document_of_the_scope(driver: NegotiationDriver) -> None:
    dates = "Start date: 1 January 2027. End date: 31 December 2027."
    content = quote_document(notice="three months", clause=dates)
    file_id = driver.api.post("/v1/files/upload", files={"file": ("q.docx", content)}).json()["id"]
    negotiation_id = driver.start(scope=None, file={"fileId": file_id})
    driver.run_tasks()
    driver.clock.advance(seconds=1)
    driver.fire_timers()
    driver.run_tasks()
    assert "by 30 September 2027, three months before the end." in renewal_lever(driver, negotiation_id)


def test_an_attachment_gives_a_negotiation_its_scope(driver: NegotiationDriver, quote: bytes) -> None:
    negotiation_id = driver.start_planned(scope=None)
    assert [one["reason"] for one in driver.escalations(negotiation_id)] == ["scope_needed"]
    attach(driver, negotiation_id, quote)
    driver.run_tasks()
    driver.clock.advance(seconds=1)
    driver.fire_timers()
    driver.run_tasks()
    assert driver.status(negotiation_id) == "active"
    assert "scope_needed" not in [one["reason"] for one in driver.escalations(negotiation_id)]
    assert offers(driver, negotiation_id) == [1050]


@pytest.mark.campaign
def test_planning_waits_while_the_document_of_the_scope_is_being_read(
    driver: NegotiationDriver, quote: bytes
) -> None:
    answer = driver.api.post("/v1/scope/from-document", files={"file": ("q.docx", quote)})
    scope_id = answer.json()["scopeId"]
    negotiation_id = driver.start(scope={"scopeId": scope_id})
    driver.run_tasks()
    driver.clock.advance(seconds=1)
    driver.fire_timers()
    driver.run_tasks()
    assert driver.status(negotiation_id) == "pending"
    assert offers(driver, negotiation_id) == [1050]
    attach(driver, negotiation_id, quote)
    driver.run_tasks()
    assert offers(driver, negotiation_id) == [1050]


def test_an_unreadable_file_changes_nothing(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    before = driver.summary(negotiation_id)["executiveSummaries"]
    attach(driver, negotiation_id, b"%PDF-1.4 not really a document")
    driver.run_tasks()
    timeline = driver.timeline(negotiation_id)
    assert [one["status"] for one in timeline["documents"]] == ["failed"]
    assert offers(driver, negotiation_id) == []
    assert driver.summary(negotiation_id)["executiveSummaries"] == before


def test_an_invalid_attachment_is_refused_with_its_pointer(driver: NegotiationDriver, quote: bytes) -> None:
    negotiation_id = driver.start_planned()
    path = f"/v1/negotiation/{negotiation_id}/attach"
    unknown = driver.api.post(path, json={"fileId": UNKNOWN})
    assert (unknown.status_code, unknown.json()["errors"][0]["pointer"]) == (400, "/fileId")
    assert driver.api.post(path, json={}).status_code == 400
    assert driver.api.post(path).status_code == 400
    attach(driver, negotiation_id, b"", 400)
    attach(driver, negotiation_id, b"\x7fELF\x02\x01\x01", 415)
    driver.update(negotiation_id, "cancellation")
    attach(driver, negotiation_id, quote, 409)
    assert driver.timeline(negotiation_id)["documents"] == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_file_in_another_currency_than_the_offers_measures_none_of_them(
    driver: NegotiationDriver, quote: bytes
) -> None:
    with driver.context.database.writing() as connection:
        organisation_id = find_organisation(connection, "Acme")
        market = driver.market
        add_purchases(connection, market.product_id, [10], organisation_id)
    body = {name: value for name, value in driver.body().items() if name != "scope"}
    negotiation_id = driver.api.post("/v1/negotiation/start", json=body).json()["negotiationId"]
    driver.run_tasks()
    driver.quote(negotiation_id, 2000, currency="EUR", termLength=24)
    attach(driver, negotiation_id, quote)
    driver.run_tasks()
    driver.clock.advance(minutes=1)
    driver.fire_timers()
    driver.run_tasks()
    timeline = driver.timeline(negotiation_id)
    assert (timeline["currency"], timeline["termMonths"]) == ("EUR", 12)
    assert "previous" not in timeline, "dollars were paid"
    levers = {one["kind"]: one for one in timeline["strategy"]["levers"]}
    assert "worth" not in levers["auto_renewal"]
    (asked,) = [one for one in driver.escalations(negotiation_id) if one["reason"] == "scope_mismatch"]
    assert "walk-away" not in asked["description"], "without a rate no estimate is in euros"
    driver.update(negotiation_id, "agreement", amount=900, currency="EUR")
    measures = driver.timeline(negotiation_id)["measures"]
    assert [one["against"] for one in measures] in ([], ["first_offer"])


def test_an_attached_quote_that_prints_no_total_is_an_offer_of_its_lines(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    head = "Supplier,Seller 24\nQuote number,Q-1\nDate,2026-11-10\nCurrency,USD\n\n"
    table = "Description,Quantity,Unit price,Amount\nSuite 365,10,105.00,1050.00\nShipping,1,20.00,20.00\n"
    path = f"/v1/negotiation/{negotiation_id}/attach"
    answer = driver.api.post(path, files={"file": ("quote.csv", (head + table).encode())})
    assert answer.status_code == 201, answer.text
    driver.run_tasks()
    assert offers(driver, negotiation_id) == [1070]
