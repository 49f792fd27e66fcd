"""The page of estimates: side by side, the quote judged, what is behind it."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any
from urllib.parse import parse_qsl
from uuid import uuid4

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.session_values import LeftOut
from app.service.pricing.backtest.figures import BacktestFigures, LevelFigures
from app.service.pricing.calibration_store import describe_measured, store_calibration
from app.service.pricing.estimator.calibration import Calibration
from app.settings import Settings
from components.formatting import escape_markdown
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import (
    USERS,
    call_service,
    create_scope,
    list_tabs,
    open_popover,
    page_text,
    scope_body,
)
from tests.dashboard.record_tables import read_column, read_metrics, read_notes
from tests.dashboard.seed_data import PRODUCT_WITHOUT_DETAILS, stable_id

OpenPage = Callable[..., AppTest]


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own for each test."""
    return Deployment(service.address, service.key(uuid4().hex))


def test_without_a_choice_the_page_leads_to_one(open_page: OpenPage) -> None:
    page = open_page("estimates")
    assert not page.exception
    assert "No quote chosen" in page_text(page)


@pytest.mark.campaign
def test_a_scope_shows_its_range_and_the_verdict_on_its_quote(
    open_page: OpenPage, deployment: Deployment
) -> None:
    ident = create_scope(deployment)
    page = open_page("estimates", ids=ident)
    assert not page.exception
    assert page.number_input(key=f"quote-{ident}").value == 2100
    estimate = call_service(deployment, "GET", f"/v1/pricing/advanced/{ident}")["estimate"]
    median = f"USD {estimate['percentile50']:,.2f}".removesuffix(".00")
    assert read_metrics(page)["Median"] == median
    judged = call_service(deployment, "GET", f"/v1/pricing/explanation/{ident}")["verdict"]
    assert judged["judgedAmount"] == 2100
    assert escape_markdown(judged["reasons"][0]) in page_text(page)


def scope_of_a_tier(deployment: Deployment) -> str:
    """A scope that leaves nothing open that decides the price."""
    terms: list[dict[str, Any]] = scope_body()["productTerms"]  # type: ignore[assignment]
    terms[0]["pricingDimensions"].append({"id": stable_id("dimension tier"), "value": 1})
    return create_scope(deployment, productTerms=terms)


def median(deployment: Deployment, ident: str) -> float:
    middle: float = call_service(deployment, "GET", f"/v1/pricing/advanced/{ident}")["estimate"][
        "percentile50"
    ]
    return middle


@pytest.mark.campaign
def test_a_typed_quote_is_judged_anew(open_page: OpenPage, deployment: Deployment) -> None:
    ident = scope_of_a_tier(deployment)
    page = open_page("estimates", ids=ident)
    typed = round(1.9 * median(deployment, ident), 2)
    page.number_input(key=f"quote-{ident}").set_value(typed).run()
    assert not page.exception
    said = escape_markdown("A very high price: more than nine in ten comparable purchases cost less")
    assert said in page_text(page)
    (step,) = (each for each in page.button if each.label.startswith("Ask for USD "))
    assert step.key == f"next-step-{ident}"
    page.number_input(key=f"quote-{ident}").set_value(900_000.0).run()
    assert "**No verdict.**" in page_text(page)
    assert "it may be for something else" in page_text(page)
    page.number_input(key=f"quote-{ident}").set_value(typed).run()
    page.button(key=f"next-step-{ident}").click().run()
    assert not page.exception
    assert (page.query_params["scope"], page.query_params["quote"]) == (ident, str(typed))


def test_a_quote_in_the_address_is_restored(open_page: OpenPage, deployment: Deployment) -> None:
    ident = scope_of_a_tier(deployment)
    page = open_page("estimates", ids=ident, **{f"quote-{ident}": "900000"})
    assert page.number_input(key=f"quote-{ident}").value == 900_000
    assert "it may be for something else" in page_text(page)


@pytest.mark.campaign
def test_four_stand_side_by_side_and_a_fifth_does_not(open_page: OpenPage, deployment: Deployment) -> None:
    idents = [create_scope(deployment, users=10 * number) for number in range(1, 6)]
    page = open_page("estimates", ids=",".join(idents))
    assert not page.exception
    assert [box.key for box in page.number_input if box.key] == [f"quote-{ident}" for ident in idents[:4]]
    assert "lowest median" not in page_text(page), "the quantities differ"


def test_a_scope_without_comparables_is_explained_and_the_others_stand(
    open_page: OpenPage, deployment: Deployment
) -> None:
    lonely = scope_body(
        product=PRODUCT_WITHOUT_DETAILS, dimension=stable_id(f"quantity of {PRODUCT_WITHOUT_DETAILS}")
    )
    unpriced = call_service(deployment, "POST", "/v1/scope", lonely)["id"]
    ident = create_scope(deployment)
    page = open_page("estimates", ids=f"{unpriced},{ident}")
    assert not page.exception
    assert "No estimate" in page_text(page)
    (onward,) = (
        link.proto for link in page.get("page_link") if link.proto.label.startswith("Negotiate with")
    )
    assert dict(parse_qsl(onward.query_string)) == {"scope": unpriced, "numbers": "typed"}
    start = open_page(onward.page, **dict(parse_qsl(onward.query_string)))
    (numbers,) = (each.proto for each in start.expander if each.label == "Your own numbers")
    assert numbers.expanded
    assert page.number_input(key=f"quote-{ident}").value == 2100


@pytest.mark.campaign
def test_an_unknown_scope_is_a_panel_and_the_others_stand(
    open_page: OpenPage, deployment: Deployment
) -> None:
    ident = create_scope(deployment)
    page = open_page("estimates", ids=f"{stable_id('no such scope')},{ident}")
    assert not page.exception
    assert "was not found" in page_text(page)
    assert page.number_input(key=f"quote-{ident}").value == 2100


@pytest.mark.parametrize("tab", ["Products", "Similar purchases", "Price drivers", "What if"])
def test_every_part_of_the_evidence_has_an_address(
    open_page: OpenPage, deployment: Deployment, tab: str
) -> None:
    page = open_page("estimates", ids=create_scope(deployment), **{"estimates-tab": tab})
    assert not page.exception
    assert "failed" not in page_text(page)


def test_another_quantity_is_asked_about_without_being_stored(
    open_page: OpenPage, deployment: Deployment
) -> None:
    ident = create_scope(deployment)
    page = open_page("estimates", ids=ident, **{"estimates-tab": "What if"})
    page.number_input(key=f"what-if-{ident}/0/{USERS}").set_value(60.0).run()
    assert not page.exception
    assert read_notes(page)
    assert call_service(deployment, "GET", "/v1/scope")["pagination"]["total"] == 1


def test_what_if_asks_for_every_dimension_and_for_months(open_page: OpenPage, deployment: Deployment) -> None:
    ident = scope_of_a_tier(deployment)
    page = open_page("estimates", ids=ident, **{"estimates-tab": "What if"})
    tier = f"what-if-{ident}/0/{stable_id('dimension tier')}"
    assert "Change the term or a dimension" in page_text(page)
    page.selectbox(key=tier).select_index(1).run()
    assert not page.exception
    assert read_notes(page)
    page.number_input(key=f"what-if-{ident}/term").set_value(24).run()
    text = page_text(page).replace("\\", "")
    assert re.search("Median per month: USD [0-9.]+ instead of USD", text), text
    page.button(key=f"what-if-{ident}/reset").click().run()
    assert "Change the term or a dimension" in page_text(page)


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("typed", "said"),
    [(0, "At least 1"), (-3, "Must not be below 0"), (10**15, "below one trillion"), (None, "required")],
)
def test_what_if_refuses_what_is_no_quantity(
    open_page: OpenPage, deployment: Deployment, typed: float | None, said: str
) -> None:
    ident = create_scope(deployment)
    page = open_page("estimates", ids=ident, **{"estimates-tab": "What if"})
    page.session_state[f"what-if-{ident}/0/{USERS}"] = typed
    page.run()
    assert not page.exception
    assert said in page_text(page).replace("\\", "")
    page.number_input(key=f"quote-{ident}").set_value(5e12).run()
    assert not page.exception
    assert "less than one trillion" in page_text(page)


def test_scopes_are_compared_per_unit_or_not_at_all(open_page: OpenPage, deployment: Deployment) -> None:
    small, large = create_scope(deployment, users=10), create_scope(deployment, users=200)
    page = open_page("estimates", ids=f"{small},{large}")
    assert not page.exception
    assert read_column(page, "Quantity") == ["10 Users", "200 Users"]
    assert all(" per Users and month" in price for price in read_column(page, "Median per unit"))
    assert "Not comparable" not in page_text(page)
    several = scope_body()
    several["productTerms"] = [*several["productTerms"], *scope_body(40)["productTerms"]]  # type: ignore[misc]
    both = call_service(deployment, "POST", "/v1/scope", several)["id"]
    page = open_page("estimates", ids=f"{small},{both}")
    assert "Not comparable per unit" in page_text(page)


def test_a_scope_is_found_by_its_name_however_old_it_is(open_page: OpenPage, deployment: Deployment) -> None:
    old = create_scope(deployment, users=33)
    call_service(deployment, "PATCH", f"/v1/scope/{old}", {"name": "The old one"})
    for _ in range(3):
        create_scope(deployment)
    page = open_page("estimates")
    page.text_input(key="estimates/quote-name").set_value("old one").run()
    [choice] = [field for field in page.selectbox if field.label == "Choose a quote"]
    [name] = choice.options
    assert name.startswith("The old one (New purchase")
    choice.set_value(old).run()
    assert not page.exception
    assert page.query_params["ids"] == old
    assert page.number_input(key=f"quote-{old}").value == 2100


def test_the_report_is_offered_with_the_verdict_on_the_quote_as_typed(
    open_page: OpenPage, deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    files: dict[str, bytes] = {}

    def taken_at_once(_: str, make: Callable[[], bytes], name: str, *__: Any, **___: Any) -> None:
        files[name] = make()

    monkeypatch.setattr(st, "download_button", taken_at_once)
    ident = scope_of_a_tier(deployment)
    quote = round(1.9 * median(deployment, ident))
    page = open_page("estimates", ids=ident, **{f"quote-{ident}": f"{quote}"})
    open_popover(page, "download")
    assert not page.exception
    report = files["evidence.html"].decode()
    assert "<b>Ask for USD " in report
    assert f"Quote <b>USD {quote:,}</b>" in report
    assert "How close? The closest are" in report
    assert "<circle" in report
    assert f"{quote}".encode() in files["estimates.csv"]
    assert "Supplier: <b>Acme Cloud</b>" in report
    assert "Tier" in report
    estimate = call_service(deployment, "GET", f"/v1/pricing/advanced/{ident}")
    first = estimate["realSimilarPurchases"][0]["id"]
    page.session_state["left-out-purchases"] = {ident: LeftOut(frozenset({first}), "An emergency order")}
    page.run()
    report = files["evidence.html"].decode()
    assert "Left out by the reader: 1 purchase" in report
    assert "Reason: An emergency order." in report
    assert "Estimate without them: A tenth pay less USD" in report


def test_the_report_has_the_quote_on_record_where_its_evidence_is_opened_first(
    open_page: OpenPage, deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    files: dict[str, bytes] = {}

    def taken_at_once(_: str, make: Callable[[], bytes], name: str, *__: Any, **___: Any) -> None:
        files[name] = make()

    monkeypatch.setattr(st, "download_button", taken_at_once)
    page = open_page("scope", id=create_scope(deployment), **{"scope-tab": "Evidence"})
    open_popover(page, "download")
    assert not page.exception
    assert "Quote <b>USD 2,100</b>" in files["evidence.html"].decode()
    assert b",2100" in files["estimates.csv"]


@pytest.mark.campaign
def test_downloads_are_buttons(open_page: OpenPage, deployment: Deployment) -> None:
    page = open_page("estimates", ids=create_scope(deployment))
    open_popover(page, "download")
    assert [button.label for button in page.download_button] == [
        "Download CSV",
        "Download XLSX",
        "Download evidence report",
    ]


def test_how_right_the_estimates_were_is_told_once_it_was_measured(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    ident = create_scope(deployment)
    assert "Nothing was learnt from past purchases" in page_text(open_page("estimates", ids=ident))
    figures = {"n": 40, "pinball": 0.05, "coverage80": 0.81, "coverage50": 0.5, "width": 1.4}
    measured = BacktestFigures(
        refused=0,
        mdape=0.04,
        ms=1.0,
        by_similarity=(LevelFigures(level="repeat", **figures),),  # type: ignore[arg-type]
        **figures,  # type: ignore[arg-type]
    )
    learnt = Calibration(learnt_on=120, learnt_until=date(2026, 3, 1))
    with service.context.database.writing() as connection:
        for sample in (False, True):
            store_calibration(
                connection,
                learnt,
                describe_measured(measured, None),
                service.context.clock(),
                sample=sample,
            )
    page = open_page("estimates", ids=ident)
    assert not page.exception
    assert "Nothing was learnt" not in page_text(page)
    assert [one.label for one in page.expander] == ["How sure is this?"]
    assert "40 past prices" not in page_text(page), "drawn when it is opened"
    page.session_state[f"sureness-{ident}"] = True
    page.run()
    assert "median error of 4 % over 40 past prices; our 80 % range contained 81 %" in page_text(page)


@pytest.mark.campaign
def test_each_product_has_a_quantity_to_change(open_page: OpenPage, deployment: Deployment) -> None:
    twice = scope_body()
    twice["productTerms"] = [*twice["productTerms"], *scope_body(40)["productTerms"]]  # type: ignore[misc]
    ident = call_service(deployment, "POST", "/v1/scope", twice)["id"]
    page = open_page("estimates", ids=ident, **{"estimates-tab": "What if"})
    page.number_input(key=f"what-if-{ident}/1/{USERS}").set_value(400.0).run()
    assert not page.exception
    assert any(note.startswith("+USD") for note in read_notes(page))


@pytest.mark.campaign
def test_a_key_that_may_only_read_can_ask_what_if(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    organisation = uuid4().hex
    ident = create_scope(Deployment(service.address, service.key(organisation)))
    reader = Deployment(service.address, service.key(organisation, read_only=True))
    page = open_page("estimates", signed_in_to=reader, ids=ident, **{"estimates-tab": "What if"})
    page.number_input(key=f"what-if-{ident}/0/{USERS}").set_value(60.0).run()
    assert not page.exception
    assert "not allowed" not in page_text(page)
    assert read_notes(page)


def test_a_deployment_without_the_extension_gives_no_verdict_and_says_so(
    open_page: OpenPage, deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    ident = create_scope(deployment)
    monkeypatch.setattr(queries, "load_operations", lambda _: frozenset[str]())
    page = open_page("estimates", ids=ident)
    assert not page.exception
    assert list_tabs(page) == ["Products", "Similar purchases"]
    assert page.number_input(key=f"quote-{ident}").value == 2100
    assert not page.expander
    assert "gives no verdicts" in page_text(page)
