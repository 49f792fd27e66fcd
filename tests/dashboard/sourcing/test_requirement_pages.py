"""The pages that compare quotes: the list, and the table of a requirement with its filters."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import httpx
import pytest
from streamlit.testing.v1 import AppTest

from app.contract.dates import format_day
from app.dashboard.api import queries
from app.dashboard.api.cached_read import clear_own_reads
from app.dashboard.deployment import Deployment
from app.service.scopes.jobs import extract_document
from app.service.sourcing.document_quotes import read_quote
from app.settings import Settings
from tests.browser.full_organisation import QUOTE
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import call_service, create_scope, list_tabs, open_popover, page_text
from tests.dashboard.record_tables import ADDRESS, read_column, read_record_tables
from tests.dashboard.sourcing.quote_tables import read_quote_table
from tests.dashboard.sourcing.requirement_factory import (
    AWKWARD,
    add_quote,
    add_rate,
    make_line,
    state_requirement,
)

OFFER = b"description,quantity,unit price,amount\nAnalytics seats,10,90.00,900.00\nNet total,,,900.00\n"
OpenPage = Callable[..., AppTest]


@pytest.fixture
def owner() -> str:
    """An organisation of its own for each test."""
    return uuid4().hex


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings, owner: str) -> Deployment:
    return Deployment(service.address, service.key(owner))


@pytest.fixture
def requirement(deployment: Deployment) -> dict[str, Any]:
    """Two lines, a complete quote, one with a gap and an alternate, and one in a currency without a rate."""
    made = state_requirement(deployment, "Analytics seats", AWKWARD, discountRate=10)
    terms: dict[str, Any] = {"validUntil": "2020-01-31", "leadTimeDays": 14}
    lines = [make_line(made, 0, 100, description=AWKWARD), make_line(made, 1, 50, recurring="once")]
    add_quote(deployment, made, "Alpha", *lines, **terms)
    add_quote(deployment, made, "Beta", make_line(made, 0, 90), make_line(made, 0, 80, alternate=True))
    add_quote(deployment, made, "Gamma", make_line(made, 1, 20), currency="EUR")
    return made


def test_without_requirements_the_page_says_what_they_are_for(open_page: OpenPage) -> None:
    page = open_page("requirements")
    assert not page.exception
    assert "No comparisons yet" in page_text(page)


def test_a_gap_is_not_called_unquoted_where_lines_of_the_quote_were_not_matched(
    open_page: OpenPage, deployment: Deployment
) -> None:
    made = state_requirement(deployment, "Analytics seats", "Training day")
    stray = {**make_line(made, 1, 50), "description": "Zeppelin", "requirementLineId": None}
    add_quote(deployment, made, "Alpha", make_line(made, 0, 100), stray)
    table = read_quote_table(open_page("requirement", id=made["id"]))
    assert table.cells["Training day", "Alpha"].texts == ["nothing matched"]


def test_requirements_are_listed_and_lead_to_their_quotes(
    open_page: OpenPage, requirement: dict[str, Any]
) -> None:
    [[row]] = read_record_tables(open_page("requirements"))
    assert (row["What is needed"], row["Quotes"], row["Lines"]) == ("Tools", "3", "2")
    assert row[ADDRESS] == f"comparison?id={requirement['id']}"


def test_the_table_shows_what_the_service_says_and_never_a_gap_as_0(
    open_page: OpenPage, requirement: dict[str, Any]
) -> None:
    table = read_quote_table(open_page("requirement", id=requirement["id"]))
    assert table.suppliers == ["Market", "Alpha", "Beta", "Gamma"]
    market = table.cells["Analytics seats", "Market"]
    assert market.texts == ["not known", "Not known which product: the line names none of the catalog."]
    assert table.cells["Whole term", "Market"].texts == ["—"]
    assert table.cells["Analytics seats", "Gamma"].kind == "gap"
    assert table.cells["Analytics seats", "Gamma"].texts == ["not quoted"]
    alpha, beta = (table.cells["Analytics seats", name] for name in ("Alpha", "Beta"))
    assert alpha.texts == ["2,000.00", "USD 100 a year"]
    assert beta.kind == "lowest"
    assert beta.texts == ["1,800.00", "USD 90 a year", "lowest", "1,600.00", "USD 80 a year", "alternate"]
    assert "An alternative offer: another way to answer the line." in beta.notes
    assert "By years: year 1 1,000.00, year 2 1,000.00." in alpha.notes
    assert table.cells[AWKWARD, "Gamma"].texts == ["no amount", "EUR 20 a year", "no rate"]
    assert "expired" in table.cells["", "Alpha"].texts
    assert "It was valid until 31 January 2020." in table.cells["", "Alpha"].notes
    sums = {name: table.cells[name, "Alpha"].texts for name in table.lines[2:]}
    assert sums["One-off"] == ["500.00"]
    assert sums["Recurring or for the term"] == ["2,000.00"]
    assert sums["Whole term"] == ["2,500.00", "not ranked"], "it has expired"
    assert sums["Present value"] == ["2,409.09"]
    assert table.cells["Whole term", "Beta"].texts == ["1,800.00", "1 of 2 lines"]
    assert table.cells["", "Beta"].texts[1] == "1,800.00, 1 of 2 lines"
    assert table.cells["Whole term", "Gamma"].texts == ["—"], "nothing of it can be compared"


def test_the_lowest_total_is_that_of_all_lines_with_its_discount(
    open_page: OpenPage, deployment: Deployment
) -> None:
    made = state_requirement(deployment, "Analytics seats", "Support desk", "Storage")
    part = [make_line(made, place, 100) for place in range(2)]
    whole = [make_line(made, place, 80) for place in range(3)]
    add_quote(deployment, made, "Part", *part)
    add_quote(deployment, made, "Discounted", *whole, discounts=[{"fromAmount": 4_000, "percent": 10}])
    add_quote(deployment, made, "Plain", *whole[:2], make_line(made, 2, 70))
    page = open_page("requirement", id=made["id"])
    table = read_quote_table(page)
    totals = {name: table.cells["Whole term", name] for name in ("Part", "Discounted", "Plain")}
    assert {name: (cell.kind, cell.texts) for name, cell in totals.items()} == {
        "Part": ("", ["4,000.00", "2 of 3 lines"]),
        "Discounted": ("ranked", ["4,320.00", "lowest"]),
        "Plain": ("ranked", ["4,600.00"]),
    }
    assert table.cells["Volume discount", "Discounted"].texts == ["−480.00"]
    assert any("“Storage”" in note for note in totals["Part"].notes)
    assert "Discounted costs the least of 2 quotes" in page_text(page)


def test_what_suppliers_write_is_shown_as_it_is(open_page: OpenPage, requirement: dict[str, Any]) -> None:
    table = read_quote_table(open_page("requirement", id=requirement["id"]))
    assert AWKWARD in table.lines
    assert any(AWKWARD in note for note in table.cells["Analytics seats", "Alpha"].notes)
    assert "img" not in table.tags


def test_a_converted_amount_names_the_rate_and_its_day(
    open_page: OpenPage, deployment: Deployment, service: RunningService, owner: str
) -> None:
    add_rate(service, owner, "EUR", "USD", 1.25)
    made = state_requirement(deployment, "Analytics seats")
    add_quote(deployment, made, "Alpha", make_line(made, 0, 100), currency="EUR")
    page = open_page("requirement", id=made["id"])
    cell = read_quote_table(page).cells["Analytics seats", "Alpha"]
    assert cell.texts == ["2,500.00", "EUR 100 a year"]
    day = format_day(service.context.clock().date())
    assert f"EUR 1 = USD 1.25, the rate on {day}." in cell.notes
    body = {"objective": "cheapest_split"}
    solved = call_service(deployment, "POST", f"/v1/requirements/{made['id']}/scenarios", body)
    assert f"EUR 1 is USD 1.25, the rate on {day}." in solved["assumptions"]


def test_the_address_restores_the_filters(open_page: OpenPage, requirement: dict[str, Any]) -> None:
    page = open_page(
        "requirement",
        id=requirement["id"],
        **{"compare-suppliers": "Beta", "compare-lines": "With a gap", "compare-text": "ANALYTICS"},
    )
    assert not page.exception
    table = read_quote_table(page)
    assert table.suppliers == ["Market", "Beta"]
    assert "Analytics seats" in table.lines
    assert AWKWARD not in table.lines
    assert table.cells["Analytics seats", "Beta"].kind == "lowest", "among all quotes, also the hidden ones"
    page = open_page("requirement", id=requirement["id"], **{"compare-text": "no such line"})
    assert "No line matches" in page_text(page)
    page.button(key="compare-page-clear").click().run()
    assert AWKWARD in read_quote_table(page).lines


def test_a_requirement_needs_its_fields(open_page: OpenPage) -> None:
    page = open_page("requirements", **{"requirements-tab": "New comparison"})
    assert not page.exception
    page.text_input(key="requirement-new/name").set_value("Tools").run()
    page.button(key="requirement-new-button").click().run()
    text = page_text(page).replace("\\", "")
    assert "Enter the currency in which quotes are compared" in text
    assert "Enter at least one line: what is needed, and how many." in text
    assert "Give it a name." not in text


def test_a_dropped_quote_begins_a_requirement_and_is_added_to_another(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    page = open_page("requirements", **{"requirements-tab": "New comparison"})
    page.file_uploader[0].upload("q.pdf", QUOTE, "application/pdf").run()
    [button] = [one for one in page.button if one.label == "Compare 1 quote"]
    button.click().run()
    assert not page.exception
    scope_id = page.query_params["from"]
    assert "New comparison" not in [one.label for one in page.button]
    extract_document(service.context, scope_id)
    page.run()
    assert not page.exception
    assert "2 lines of the chosen quote" in page_text(page)
    page.button(key=f"requirement-of-{scope_id}-button").click().run()
    assert not page.exception
    [made] = call_service(deployment, "GET", "/v1/requirements")["data"]
    assert (len(made["lines"]), made["quoteCount"], page.query_params["id"]) == (2, 1, made["id"])
    assert made["name"] == f"{made['lines'][0]['description']} and 1 more"
    other = state_requirement(deployment, "Acme Platform Business", "Training day")
    page = open_page("requirement", id=other["id"], scope=scope_id, **{"requirement-tab": "Quotes"})
    assert "No quotes yet" in page_text(page)
    page.button(key=f"quote-of-{scope_id}-button").click().run()
    assert not page.exception
    [quote] = call_service(deployment, "GET", f"/v1/requirements/{other['id']}/quotes")["data"]
    assert quote["scopeId"] == scope_id
    assert "scope" not in page.query_params
    assert "1 quote" in page_text(page)


def test_quotes_dropped_together_are_compared_once_the_first_was_read(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    page = open_page("requirements", **{"requirements-tab": "New comparison"})
    files = [("broken.pdf", b"%PDF-broken", "application/pdf"), ("q.pdf", QUOTE, "application/pdf")]
    for file in [*files, ("offer.csv", OFFER, "text/csv")]:
        page.file_uploader[0].upload(*file)
    page.run()
    [button] = [one for one in page.button if one.label == "Compare 3 quotes"]
    button.click().run()
    assert not page.exception
    assert len(page.query_params["with"].split(",")) == 2
    extract_document(service.context, page.query_params["from"])
    page.run()
    [button] = [one for one in page.button if one.label == "Begin with the next quote"]
    button.click().run()
    scope_id = page.query_params["from"]
    extract_document(service.context, scope_id)
    page.run()
    assert not page.exception
    [made] = call_service(deployment, "GET", "/v1/requirements")["data"]
    assert page.query_params == {"id": made["id"]}
    first, second = call_service(deployment, "GET", f"/v1/requirements/{made['id']}/quotes")["data"]
    assert (len(made["lines"]), first["scopeId"], second["status"]) == (2, scope_id, "reading")
    page = open_page("requirement", id=made["id"])
    assert "offer.csv is being read" in page_text(page).replace("\\", "")
    read_quote(service.context, second["scopeId"])
    page.run()
    assert "is being read" not in page_text(page)
    assert len(read_quote_table(page).suppliers) == 3


@pytest.mark.campaign
def test_the_form_begins_with_what_the_quote_is_for(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    """With the unit and the corrected quantity, without credits, and with options as such."""
    head = b"description,quantity,unit,unit price,amount\n"
    rows = [
        b"Analytics seats,10,box of 100,90.00,900.00\n",
        b"Loyalty credit,1,,-100.00,-100.00\n",
        b"Support desk (optional),1,,50.00,50.00\n",
    ]
    content = head + b"".join(rows) + b"Net total,,,,800.00\n"
    headers = {"Authorization": f"Bearer {deployment.api_key}"}
    address = f"{deployment.base_url}/v1/scope/from-document"
    scope_id = httpx.post(address, files={"file": ("o.csv", content)}, headers=headers).json()["scopeId"]
    extract_document(service.context, scope_id)
    seller = {"supplier": {"name": "Works"}, "product": {"name": "Analytics seats", "unit": "box"}}
    product_id = call_service(deployment, "POST", "/v1/catalog/entries", seller)["productId"]

    def read_lines(scope_id: str) -> list[Any]:
        page = open_page("requirements", **{"requirements-tab": "New comparison", "from": scope_id})
        assert not page.exception
        [table] = [one.value for one in page.dataframe if "Must have" in one.value]
        shown = table[["Description", "Quantity", "Unit", "Must have"]]
        return [tuple(row) for row in shown.astype(object).fillna("").values]

    option = ("Support desk (optional)", 1, "", False)
    assert read_lines(scope_id) == [("Analytics seats", 10, "box of 100", True), option]
    [boxes] = call_service(deployment, "GET", f"/v1/catalog/products/{product_id}")["pricingDimensions"]
    term = {"productId": product_id, "pricingDimensions": [{"id": boxes["id"], "value": 25}]}
    body = {
        "scopeTerm": {"termLength": 12, "purchaseType": "new_purchase"},
        "currency": "USD",
        "lines": [
            {"index": 0, "role": "product", "productTerm": {**term, "finalPrice": 900}},
            {"index": 1, "role": "not_product"},
            {"index": 2, "role": "left_aside"},
        ],
    }
    made = call_service(deployment, "POST", f"/v1/scope/{scope_id}/document/confirm", body)
    assert read_lines(made["id"]) == [("Analytics seats", 25, "", True), option]


@pytest.mark.campaign
def test_an_address_alone_creates_nothing_until_somebody_clicks(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    def send(path: str, name: str, content: bytes) -> Any:
        headers = {"Authorization": f"Bearer {deployment.api_key}"}
        return httpx.post(deployment.base_url + path, files={"file": (name, content)}, headers=headers).json()

    scope_id = send("/v1/scope/from-document", "q.pdf", QUOTE)["scopeId"]
    extract_document(service.context, scope_id)
    others = [send("/v1/files/upload", "o.csv", OFFER)["id"]]
    address = {"from": scope_id, "with": ",".join([*others * 2_000, "../../keys"])}
    page = open_page("requirements", **{"requirements-tab": "New comparison", **address})
    assert not page.exception
    assert call_service(deployment, "GET", "/v1/requirements")["data"] == []
    [button] = [one for one in page.button if one.label == "Take the quote as it is"]
    button.click().run()
    assert not page.exception
    [made] = call_service(deployment, "GET", "/v1/requirements")["data"]
    quotes = call_service(deployment, "GET", f"/v1/requirements/{made['id']}/quotes")["data"]
    assert [one["supplierName"] for one in quotes if one["status"] == "reading"] == ["o.csv"]


def test_a_dropped_quote_is_followed_until_it_was_read(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    made = state_requirement(deployment, "Analytics seats")
    page = open_page("requirement", id=made["id"], **{"requirement-tab": "Quotes"})
    page.file_uploader[0].upload("offer.csv", OFFER, "text/csv").run()
    [button] = [one for one in page.button if one.label == "Read 1 quote"]
    button.click().run()
    assert not page.exception
    assert "offer.csv is being read" in page_text(page).replace("\\", "")
    compared = read_quote_table(open_page("requirement", id=made["id"]))
    assert "being read" in compared.cells["", "offer.csv"].texts
    path = f"/v1/requirements/{made['id']}/quotes"
    read_quote(service.context, call_service(deployment, "GET", path)["data"][0]["scopeId"])
    page.run()
    assert not page.exception
    assert "is being read" not in page_text(page)
    [quote] = call_service(deployment, "GET", path)["data"]
    assert (read_column(page, "Lines"), read_column(page, "From")) == (["1"], ["a file"]), quote


@pytest.mark.campaign
def test_a_scope_without_amounts_is_refused(open_page: OpenPage, deployment: Deployment) -> None:
    made, scope_id = state_requirement(deployment, "Seats"), create_scope(deployment)
    page = open_page("requirement", id=made["id"], scope=scope_id, **{"requirement-tab": "Quotes"})
    page.button(key=f"quote-of-{scope_id}-button").click().run()
    assert "No line of this scope states an amount." in page_text(page).replace("\\", "")


def test_a_quote_by_hand_needs_a_supplier_and_a_price(
    open_page: OpenPage, requirement: dict[str, Any]
) -> None:
    page = open_page("requirement", id=requirement["id"], **{"requirement-tab": "Quotes"})
    assert not page.exception
    form = f"quote-{requirement['id']}-3"
    assert page.text_input(key=f"{form}/currency").value == "USD"
    page.button(key=f"{form}-button").click().run()
    text = page_text(page).replace("\\", "")
    assert "Say whose quote it is." in text
    assert "Enter at least one price." in text


@pytest.mark.campaign
def test_a_reader_sees_quotes_and_adds_none(
    open_page: OpenPage, requirement: dict[str, Any], owner: str, service: RunningService
) -> None:
    reader = Deployment(service.address, service.key(owner, read_only=True), read_only=True)
    query = {"id": requirement["id"], "requirement-tab": "Quotes"}
    page = open_page("requirement", signed_in_to=reader, **query)
    assert not page.exception
    assert not [button for button in page.button if (button.key or "").startswith("quote-")]
    assert "New comparison" not in list_tabs(open_page("requirements", signed_in_to=reader))


@pytest.mark.campaign
def test_the_discount_rate_is_changed_and_removed(
    open_page: OpenPage, deployment: Deployment, requirement: dict[str, Any]
) -> None:
    form, path = f"change-{requirement['id']}", f"/v1/requirements/{requirement['id']}"
    page = open_page("requirement", id=requirement["id"], **{"requirement-tab": "Change"})
    page.button(key=f"{form}-button").click().run()
    assert "Nothing was changed." in page_text(page)
    page.number_input(key=f"{form}/discountRate").set_value(7.5).run()
    page.button(key=f"{form}-button").click().run()
    assert not page.exception
    assert call_service(deployment, "GET", path)["discountRate"] == 7.5
    assert "present values at 7.5" in page_text(page).replace("\\", "")
    page.number_input(key=f"{form}/discountRate").set_value(None).run()
    page.button(key=f"{form}-button").click().run()
    assert "discountRate" not in call_service(deployment, "GET", path)


def test_a_change_takes_nothing_back_that_somebody_else_has_changed_meanwhile(
    open_page: OpenPage, deployment: Deployment, requirement: dict[str, Any]
) -> None:
    form, path = f"change-{requirement['id']}", f"/v1/requirements/{requirement['id']}"
    page = open_page("requirement", id=requirement["id"], **{"requirement-tab": "Change"})
    page.number_input(key=f"{form}/discountRate").set_value(7.5).run()
    call_service(deployment, "PATCH", path, {"name": "Renamed by another"})
    queries.load_requirement.clear()
    page.run()
    assert "Somebody has changed this requirement meanwhile" in page_text(page)
    page.button(key=f"{form}-button").click().run()
    assert not page.exception
    changed = call_service(deployment, "GET", path)
    assert (changed["name"], changed["discountRate"]) == ("Renamed by another", 7.5)


def test_a_quote_is_corrected_and_removed(
    open_page: OpenPage, deployment: Deployment, requirement: dict[str, Any]
) -> None:
    path = f"/v1/requirements/{requirement['id']}/quotes"
    alpha, beta, _ = call_service(deployment, "GET", path)["data"]
    page = open_page("requirement", id=requirement["id"], **{"requirement-tab": "Quotes"})
    page.selectbox(key="correct-quote").set_value(alpha["id"]).run()
    assert not page.exception
    keys = [one.key or "" for one in page.text_input]
    [form] = {key.rpartition("/")[0] for key in keys if key.startswith("correct-")}
    assert page.text_input(key=f"{form}/supplierName").value == "Alpha"
    page.button(key=f"{form}-button").click().run()
    assert "Nothing was changed." in page_text(page)
    page.date_input(key=f"{form}/validUntil").set_value(None)
    page.number_input(key=f"{form}/minimumOrder").set_value(250.5)
    page.button(key=f"{form}-button").click().run()
    assert not page.exception
    corrected = call_service(deployment, "GET", path)["data"][0]
    assert "validUntil" not in corrected
    assert corrected == {name: value for name, value in alpha.items() if name != "validUntil"} | {
        "minimumOrder": 250.5
    }
    page.selectbox(key="correct-quote").set_value(beta["id"]).run()
    open_popover(page, f"remove-quote-{beta['id']}")
    page.button(key=f"remove-quote-{beta['id']}-button").click().run()
    assert not page.exception
    assert beta["id"] not in [one["id"] for one in call_service(deployment, "GET", path)["data"]]


@pytest.mark.campaign
def test_a_quote_that_somebody_else_has_corrected_meanwhile_is_not_corrected_back(
    open_page: OpenPage, deployment: Deployment, requirement: dict[str, Any]
) -> None:
    path = f"/v1/requirements/{requirement['id']}/quotes"
    alpha = call_service(deployment, "GET", path)["data"][0]
    page = open_page("requirement", id=requirement["id"], **{"requirement-tab": "Quotes"})
    page.selectbox(key="correct-quote").set_value(alpha["id"]).run()
    [form] = {str(one.key).rpartition("/")[0] for one in page.text_input if "correct-" in str(one.key)}
    field = f"{form}/minimumOrder"
    page.number_input(key=field).set_value(250.5).run()
    call_service(deployment, "PATCH", f"{path}/{alpha['id']}", {"supplierName": "Alpha Ltd"})
    clear_own_reads()
    page.run()
    assert page.number_input(key=field).value == 250.5
    assert "Somebody has changed this quote meanwhile." in page_text(page)
    page.button(key=f"{form}-button").click().run()
    assert not page.exception
    corrected = call_service(deployment, "GET", path)["data"][0]
    assert corrected == alpha | {"supplierName": "Alpha Ltd", "minimumOrder": 250.5}


def test_what_was_awarded_cannot_be_corrected(open_page: OpenPage, deployment: Deployment) -> None:
    made = state_requirement(deployment, "Analytics seats")
    quote = add_quote(deployment, made, "Alpha", make_line(made, 0, 100))
    body = {"award": [quote["lines"][0]["id"]], "reason": "The only one.", "make": "agreements"}
    call_service(deployment, "POST", f"/v1/requirements/{made['id']}/award", body)
    page = open_page("requirement", id=made["id"], **{"requirement-tab": "Quotes"})
    page.selectbox(key="correct-quote").set_value(quote["id"]).run()
    assert "it stays as it was decided on" in page_text(page)
    assert not [one for one in page.button if "quote" in (one.label or "").lower() and "Remove" in one.label]
    page = open_page("requirement", id=made["id"], **{"requirement-tab": "Matching"})
    assert "What was awarded stays as it was decided on." in page_text(page)
