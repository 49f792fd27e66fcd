"""The pages of agreements: entered in a form, watched by its deadline, decided on, changed."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import httpx
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app.contract.agreements import AgreementChange, AgreementLine
from app.dashboard.agreements.agreement_forms import make_line_table, make_lines_form
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import CheckedForm
from app.settings import Settings
from components.elements.table import Row
from tests.components.fixtures import make_id
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import call_service, open_popover, page_text
from tests.dashboard.record_tables import read_column

OpenPage = Callable[..., AppTest]
TODAY = datetime.now(UTC).date()
TEXT, AMOUNT = "What is bought", "For the term, or its part"
MISSING = {"agreements-tab": "All", "agreement-missing": "true"}


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own for each test."""
    return Deployment(service.address, service.key(uuid4().hex))


def put(deployment: Deployment, name: str, ends_in: int, **others: Any) -> dict[str, Any]:
    body = {
        "name": name,
        "termStart": f"{TODAY - timedelta(days=300)}",
        "termEnd": f"{TODAY + timedelta(days=ends_in)}",
        "renewalType": "auto_renew",
        "autoRenewalTermMonths": 12,
        "noticePeriod": {"value": 30, "unit": "day"},
        **others,
    }
    known = {field: value for field, value in body.items() if value is not None}
    made: dict[str, Any] = call_service(deployment, "POST", "/v1/agreements", known)
    return made


def test_a_renewal_needs_no_more_than_who_negotiates(open_page: OpenPage, deployment: Deployment) -> None:
    made = put(deployment, "Analytics", 40, supplierName="Northgate Ltd")
    page = open_page("agreement", id=made["id"], **{"agreement-tab": "Prices"})
    assert "No purchases of yours yet" in page_text(page)
    form = f"renewal-{made['id']}"
    open_popover(page, form)
    page.button(key=f"{form}-button").click().run()
    assert not page.exception
    assert "Enter the address." in page_text(page), "no owner has one"
    page.text_input(key=f"{form}/contactName").set_value("Bea Buyer").run()
    page.text_input(key=f"{form}/contactEmail").set_value("bea@acme.example").run()
    page.button(key=f"{form}-button").click().run()
    assert not page.exception
    begun = call_service(deployment, "GET", f"/v1/agreements/{made['id']}/renewal")
    assert page.query_params["id"] == begun["negotiationId"]


@pytest.mark.parametrize(
    ("terms", "label"),
    [
        ({"uplift": {"kind": "fixed", "percent": 7}}, "Renew: USD 10,700 if nobody acts"),
        (
            {
                "lines": [
                    {"description": "Seats 1", "amount": 4_000, "firstMonth": 0, "months": 6},
                    {"description": "Seats 2", "amount": 6_000, "firstMonth": 6, "months": 6},
                ]
            },
            "Renew: USD 12,000 if nobody acts",  # at the price of the last month
        ),
        ({"uplift": {"kind": "index", "index": "CPI"}}, "Renew"),
        ({"renewalType": "none", "autoRenewalTermMonths": None}, "Renew"),
    ],
)
def test_the_button_of_a_renewal_names_what_the_next_term_costs(
    open_page: OpenPage, deployment: Deployment, terms: dict[str, Any], label: str
) -> None:
    year = {"termStart": f"{TODAY.year}-01-01", "termEnd": f"{TODAY.year}-12-31"}
    owner = {"owners": [{"name": "Bea Buyer", "email": "bea@acme.example"}], "supplierName": "Northgate Ltd"}
    made = put(deployment, "Ledger", 40, currency="USD", totalValue=10_000, **year, **owner, **terms)
    page = open_page("agreement", id=made["id"])
    button = page.button(key=f"renewal-{made['id']}-button")
    assert button.label == label
    assert ("What a next term costs is not known." in button.help) == ("uplift" in terms and label == "Renew")


def test_without_agreements_the_page_says_where_they_come_from(open_page: OpenPage) -> None:
    page = open_page("agreements")
    assert not page.exception
    assert "No contracts yet" in page_text(page)
    assert "A negotiation becomes one when its price is agreed" in page_text(page)


def test_an_agreement_is_entered_decided_on_and_changed(open_page: OpenPage, deployment: Deployment) -> None:
    page = open_page("new_agreement")
    page.text_input(key="agreement/name").set_value("Analytics").run()
    page.date_input(key="agreement/termStart").set_value(date(2026, 1, 1)).run()
    page.date_input(key="agreement/termEnd").set_value(date(2025, 12, 31)).run()
    page.number_input(key="agreement/notice-value").set_value(3).run()
    page.button(key="agreement-button").click().run()
    assert "three months are not 90 days" in page_text(page)
    page.selectbox(key="agreement/notice-unit").set_value("month").run()
    page.selectbox(key="agreement/renewalType").set_value("auto_renew").run()
    page.button(key="agreement-button").click().run()
    assert "is before the term starts" in page_text(page), "what was typed stays, and the refusal is shown"
    page.date_input(key="agreement/termEnd").set_value(date(2028, 12, 31)).run()
    page.button(key="agreement-button").click().run()
    assert not page.exception
    [made] = call_service(deployment, "GET", "/v1/agreements")["data"]
    assert page.query_params["id"] == made["id"]
    assert made["statement"] in page_text(page).replace("\\", "")
    page = open_page("agreement", id=made["id"], **{"agreement-tab": "Decision"})
    page.radio(key=f"decision-{made['id']}/decision").set_value("renegotiate").run()
    page.text_area(key=f"decision-{made['id']}/note").set_value("Two teams left.").run()
    page.button(key=f"decision-{made['id']}-button").click().run()
    assert "Two teams left." in page_text(page)
    page = open_page("agreement", id=made["id"], **{"agreement-tab": "Change"})
    assert "The products of the supplier" not in page_text(page), "what fails; it has no lines yet"
    page.text_input(key=f"agreement-{made['id']}/owner-name").set_value("Bea Buyer").run()
    page.selectbox(key=f"agreement-{made['id']}/renewalType").set_value("none").run()
    page.button(key=f"agreement-{made['id']}-button").click().run()
    assert not page.exception
    changed = call_service(deployment, "GET", f"/v1/agreements/{made['id']}")
    assert changed["owners"] == [{"name": "Bea Buyer"}]
    two = {"owners": [{"name": "Bea Buyer"}, {"name": "Cy Clark", "email": "cy@acme.example"}]}
    call_service(deployment, "PATCH", f"/v1/agreements/{made['id']}", two)
    page = open_page("agreement", id=made["id"], **{"agreement-tab": "Change"})
    page.text_input(key=f"agreement-{made['id']}/owner-email").set_value("bea@acme.example").run()
    page.button(key=f"agreement-{made['id']}-button").click().run()
    changed = call_service(deployment, "GET", f"/v1/agreements/{made['id']}")
    assert changed["owners"] == [{"name": "Bea Buyer", "email": "bea@acme.example"}, two["owners"][1]]
    assert changed["stage"] == "in_progress"
    assert "noticeDeadline" not in changed
    assert "It ends by itself on 31 December 2028" in page_text(page)


@pytest.mark.campaign
def test_a_change_takes_nothing_back_that_somebody_else_has_changed_meanwhile(
    open_page: OpenPage, deployment: Deployment
) -> None:
    one = put(deployment, "Analytics", 100)
    form = f"agreement-{one['id']}"
    page = open_page("agreement", id=one["id"], **{"agreement-tab": "Change"})
    page.text_input(key=f"{form}/reference").set_value("C-7").run()
    call_service(deployment, "PATCH", f"/v1/agreements/{one['id']}", {"costCenter": "4711"})
    queries.load_agreement.clear()
    page.run()
    assert "Saving changes only what you change here" in page_text(page)
    page.button(key=f"{form}-button").click().run()
    assert not page.exception
    changed = call_service(deployment, "GET", f"/v1/agreements/{one['id']}")
    assert (changed["reference"], changed["costCenter"]) == ("C-7", "4711")
    call_service(deployment, "PATCH", f"/v1/agreements/{one['id']}", {"costCenter": "4712"})
    queries.load_agreement.clear()
    assert page.run().text_input(key=f"{form}/costCenter").value == "4712", (
        "nothing was typed that could be lost"
    )


def check_lines(
    rows: Sequence[Row], lines: Sequence[AgreementLine], labels: Mapping[str, str]
) -> CheckedForm[AgreementChange]:
    nobody = Deployment("https://parley.example", "key")
    known = len(lines)
    edits: dict[str, Any] = {"edited_rows": dict(enumerate(rows[:known])), "added_rows": rows[known:]}
    edits["deleted_rows"] = range(len(rows), known)
    with patch.object(st, "session_state", {"lines": edits}):
        return make_lines_form(nobody, "form", make_line_table("lines", lines, labels)).check_values({})


@pytest.mark.parametrize(
    ("edited", "sent"),
    [
        ({"Quantity": 20, "Product": "Suite"}, {"quantity": 20, "productId": make_id(2)}),
        ({AMOUNT: None, "Paid": "once"}, {"amount": None, "recurring": False}),
        ({"Price of a unit": 10, "Is for": "a month"}, {"unitPrice": 10, "pricePer": "month"}),
    ],
)
def test_a_cell_of_a_line_is_changed_and_the_others_stay(
    edited: dict[str, Any], sent: dict[str, Any]
) -> None:
    line = {"description": "Seats", "quantity": 10, "unit": "user", "amount": 1200, "recurring": True}
    lines = [AgreementLine.model_validate(line)]
    labels = {make_id(2): "Suite"}
    [row] = make_line_table("lines", lines, labels).rows
    changed = check_lines([{**row, **edited}], lines, labels).body
    assert changed is not None
    assert changed.lines == [AgreementLine.model_validate({**line, **sent})]


def test_lines_are_added_and_removed_and_say_what_is_bought() -> None:
    lines = [AgreementLine(description="Seats"), AgreementLine(description="Training")]
    first, second = make_line_table("lines", lines, {}).rows
    added = check_lines([first, second, {TEXT: "Support", AMOUNT: 5}, {}], lines, {}).body
    assert added is not None
    assert [line.description for line in added.lines or ()] == ["Seats", "Training", "Support"]
    assert check_lines([first, second], lines, {}).faults == {"": "Nothing was changed."}
    assert check_lines([{**first, TEXT: " "}], lines, {}).faults == {"lines": "Line 1: Say what is bought."}
    removed = check_lines([], lines, {}).body
    assert removed is not None
    assert (removed.lines, removed.model_fields_set) == (None, {"lines"})


def test_an_agreement_is_deleted_after_a_question(open_page: OpenPage, deployment: Deployment) -> None:
    one = put(deployment, "Entered twice", 100)
    page = open_page("agreement", id=one["id"])
    open_popover(page, f"delete-{one['id']}")
    assert "gone for good" in page_text(page)
    page.button(key=f"delete-{one['id']}-button").click().run()
    assert not page.exception
    assert call_service(deployment, "GET", "/v1/agreements")["data"] == []


def test_what_must_be_done_comes_first_and_is_done_on_its_row(
    open_page: OpenPage, deployment: Deployment
) -> None:
    money = {"currency": "GBP", "totalValue": 7_800}
    owner = {"owners": [{"name": "Bea Buyer", "email": "bea@acme.example"}]}
    put(deployment, "Later", 200, **money)
    sooner = put(deployment, "Sooner", 50, **money, supplierName="Northgate Ltd", **owner)
    put(deployment, "Missed", 10, **money)
    unknown = put(deployment, "Unknown", 8, noticePeriod=None, **money)
    page = open_page("agreements")
    assert not page.exception
    rows = [str(one.key).removesuffix("-button") for one in page.button if "renewal-" in str(one.key)]
    assert rows == [f"renewal-{sooner['id']}"], "the others ask who negotiates first"
    text = page_text(page).replace("\\", "")
    places = [text.index(one["action"]) for one in (unknown, sooner)]
    assert places == sorted(places)
    assert "Later" not in text
    page.button(key=f"put-off-{unknown['id']}-button").click().run()
    assert not page.exception
    after = call_service(deployment, "GET", f"/v1/agreements/{unknown['id']}")
    assert after["putOffUntil"] == f"{TODAY + timedelta(days=7)}"
    assert unknown["action"] not in page_text(page).replace("\\", "")
    page.button(key=f"renewal-{sooner['id']}-button").click().run()
    assert not page.exception
    begun = call_service(deployment, "GET", f"/v1/agreements/{sooner['id']}/renewal")
    assert page.query_params["id"] == begun["negotiationId"]


@pytest.mark.campaign
def test_a_renewal_asks_for_what_is_not_known_and_offers_the_last_contact(
    open_page: OpenPage, deployment: Deployment
) -> None:
    """An imported contract: a name and a value."""
    first = put(deployment, "First", 50, supplierName="Northgate Ltd")
    contact = {"contactName": "Bea Buyer", "contactEmail": "bea@acme.example"}
    call_service(deployment, "POST", f"/v1/agreements/{first['id']}/renewal", contact)
    bare = call_service(deployment, "POST", "/v1/agreements", {"name": "Imported", "totalValue": 900})
    page = open_page("agreement", id=bare["id"])
    form = f"renewal-{bare['id']}"
    open_popover(page, form)
    assert page.text_input(key=f"{form}/contactEmail").value == "bea@acme.example"
    page.button(key=f"{form}-button").click().run()
    assert not call_service(deployment, "GET", f"/v1/agreements/{bare['id']}")["decisions"]
    page.text_input(key=f"{form}/supplierName").set_value("Northgate Ltd").run()
    page.button(key=f"{form}-button").click().run()
    assert not page.exception
    begun = call_service(deployment, "GET", f"/v1/agreements/{bare['id']}/renewal")
    assert page.query_params["id"] == begun["negotiationId"]


def test_the_list_is_filtered_by_its_address(open_page: OpenPage, deployment: Deployment) -> None:
    put(deployment, "Sooner", 100)
    put(deployment, "Missed", 10)
    put(deployment, "Unknown", 50, noticePeriod=None, renewalType=None, autoRenewalTermMonths=None)
    page = open_page("agreements", **{"agreements-tab": "All", "agreement-status": "Deadline missed"})
    assert read_column(page, "Contract") == ["Missed"]
    page = open_page("agreements", **{"agreements-tab": "All", "agreement-name": "unkn"})
    assert read_column(page, "Contract") == ["Unknown"]


@pytest.mark.campaign
def test_what_is_missing_is_filled_in_where_it_is_listed(open_page: OpenPage, deployment: Deployment) -> None:
    put(deployment, "Small", 100, totalValue=10, currency="USD", supplierName="Acme")
    large = put(deployment, "Large", 100, noticePeriod=None, totalValue=900, currency="USD", supplierName="B")
    page = open_page("agreements", **MISSING)
    assert "1 deadline cannot be computed" in page_text(page)
    assert "notice period (1)" in page_text(page)
    form = f"missing-{large['id']}"
    assert next(button.key for button in page.button if button.label == "Save") == f"{form}-button"
    page.number_input(key=f"{form}/notice-value").set_value(2).run()
    page.button(key=f"{form}-button").click().run()
    assert "three months are not 90 days" in page_text(page)
    page.selectbox(key=f"{form}/notice-unit").set_value("month").run()
    page.button(key=f"{form}-button").click().run()
    after = call_service(deployment, "GET", f"/v1/agreements/{large['id']}")
    assert after["noticePeriod"] == {"value": 2, "unit": "month"}
    assert after["missing"] == ["owners"]
    assert (after["totalValue"], after["supplierName"]) == (900, "B"), "nothing else is changed"
    assert "Every deadline can be computed" in page_text(page)
    page.text_input(key=f"{form}/owner-name").set_value("Ann").run()
    page.button(key=f"{form}-button").click().run()
    page = open_page("agreements", **MISSING, **{"missing-field": "Notice period"})
    assert "This is known of every contract" in page_text(page)


def test_what_is_known_is_neither_asked_for_nor_removed(open_page: OpenPage, deployment: Deployment) -> None:
    made = put(deployment, "Tools", 100, renewalType=None, autoRenewalTermMonths=None)
    page = open_page("agreements", **MISSING)
    form = f"missing-{made['id']}"
    assert f"{form}/notice-value" not in [field.key for field in page.number_input]
    page.selectbox(key=f"{form}/renewalType").set_value("none").run()
    page.button(key=f"{form}-button").click().run()
    after = call_service(deployment, "GET", f"/v1/agreements/{made['id']}")
    assert (after["renewalType"], after["noticePeriod"]) == ("none", {"value": 30, "unit": "day"})


def test_an_address_for_calendars_is_shown_once_and_revoked(
    open_page: OpenPage, deployment: Deployment
) -> None:
    put(deployment, "Analytics", 100)
    page = open_page("agreements")
    page.button(key="calendar-feed-button").click().run()
    [address] = [code.value for code in page.code if "renewals.ics?token=" in code.value]
    path = address.partition("/v1/")[2]
    assert httpx.get(f"{deployment.base_url}/v1/{path}").status_code == 200
    page.button(key="calendar-added").click().run()
    assert not [code for code in page.code if "token=" in code.value]
    [feed] = call_service(deployment, "GET", "/v1/calendar-feeds")["data"]
    page.button(key=f"revoke-{feed['id']}-button").click().run()
    assert not page.exception
    assert httpx.get(f"{deployment.base_url}/v1/{path}").status_code == 404


def test_holidays_are_stated_with_the_deadlines_that_they_move(
    open_page: OpenPage, deployment: Deployment
) -> None:
    day = TODAY + timedelta(days=50 - (TODAY + timedelta(days=50)).weekday())  # a Monday
    made = put(deployment, "Analytics", (day - TODAY).days + 30)
    assert made["noticeDeadline"] == f"{day}"
    page = open_page("working_days")
    assert "no mail server" in page_text(page)
    page.text_area(key="working-days/holidays").set_value("soon Christmas").run()
    page.button(key="working-days-button").click().run()
    assert "Each line begins with a day" in page_text(page)
    page.text_area(key="working-days/holidays").set_value(f"{day}, Founders' day").run()
    assert "1 deadline would move" in page_text(page)
    page.button(key="working-days-button").click().run()
    assert not page.exception
    stored = call_service(deployment, "GET", "/v1/working-days", None)
    assert stored["holidays"] == [{"date": f"{day}", "name": "Founders' day"}]
    moved = call_service(deployment, "GET", f"/v1/agreements/{made['id']}", None)
    assert moved["noticeDeadline"] == f"{day - timedelta(days=3)}"
    assert page.text_area(key="working-days/holidays").value == f"{day} Founders' day"


@pytest.mark.campaign
def test_holidays_that_two_people_add_at_once_are_all_kept(
    open_page: OpenPage, deployment: Deployment
) -> None:
    call_service(deployment, "PATCH", "/v1/working-days", {"holidays": [{"date": "2027-05-01"}]})
    page = open_page("working_days")
    mine = "2027-10-03, Unity, and more\n2027-12-25\tChristmas Day"
    page.text_area(key="working-days/holidays").set_value(mine).run()
    page.checkbox(key="working-days/friday").check().run()
    theirs = {"holidays": [{"date": "2027-05-01"}, {"date": "2027-12-26"}], "weekend": ["sunday"]}
    call_service(deployment, "PATCH", "/v1/working-days", theirs)
    queries.load_working_days.clear()
    page.run()
    assert "Somebody has changed this list meanwhile" in page_text(page)
    page.button(key="working-days-button").click().run()
    assert not page.exception
    stored = call_service(deployment, "GET", "/v1/working-days", None)
    assert [(one["date"], one.get("name")) for one in stored["holidays"]] == [
        ("2027-10-03", "Unity, and more"),
        ("2027-12-25", "Christmas Day"),
        ("2027-12-26", None),
    ]
    assert set(stored["weekend"]) == {"friday", "sunday"}


def test_spend_and_market_have_a_tab_each(open_page: OpenPage, deployment: Deployment) -> None:
    put(deployment, "Analytics", 100, currency="USD", totalValue=36_500, supplierName="Northgate Ltd")
    put(deployment, "Nothing known", 100)
    page = open_page("agreements", **{"agreements-tab": "Benchmark"})
    assert not page.exception
    assert "Nothing to compare yet" in page_text(page)
    page = open_page("agreements", **{"agreements-tab": "Spend"})
    assert not page.exception
    text = page_text(page)
    assert "1 contract without a price, dates or a currency left out." in text
    page.selectbox(key="spend-by").select("Month").run()
    assert not page.exception
