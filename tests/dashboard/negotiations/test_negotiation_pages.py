"""The pages of negotiations: start one, follow it, decide, tell it what happened."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.server import configuration
from app.service.negotiation.jobs import plan_negotiation
from app.settings import Settings
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import call_service, create_scope, list_tabs, page_text, start_unplanned
from tests.dashboard.record_tables import read_column, read_metrics, read_notes
from tests.dashboard.seed_data import ACME

OpenPage = Callable[..., AppTest]


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own for each test."""
    return Deployment(service.address, service.key(uuid4().hex))


def started(deployment: Deployment, service: RunningService, **more: Any) -> str:
    """A negotiation whose planning is over."""
    [ident] = start_unplanned(deployment, **more)
    plan_negotiation(service.context, ident)
    return ident


def planned(deployment: Deployment, service: RunningService) -> str:
    return started(deployment, service, scope={"scopeId": create_scope(deployment)})


def status(deployment: Deployment, ident: str) -> str:
    word: str = call_service(deployment, "GET", f"/v1/negotiation/{ident}/summary")["status"]
    return word


def tell(deployment: Deployment, ident: str, kind: str, **payload: object) -> None:
    update = {
        "timestamp": datetime.now(UTC).isoformat(),
        "externalId": kind,
        "source": "test",
        "schema": {"$id": f"urn:svc:{kind}:1", "type": "object"},
        "payload": payload,
    }
    call_service(deployment, "POST", f"/v1/negotiation/{ident}/external-update", update)


def offered(deployment: Deployment, ident: str, amount: float) -> None:
    tell(deployment, ident, "quote", amount=amount, currency="USD")


def agreed(deployment: Deployment, ident: str, **more: Any) -> None:
    """The scope asks for 2,100 USD; it is had for 1,900."""
    tell(deployment, ident, "decision", decision="go_ahead")
    tell(deployment, ident, "agreement", amount=1900, currency="USD", **more)


def test_without_negotiations_the_page_says_how_to_start(open_page: OpenPage) -> None:
    page = open_page("negotiations")
    assert not page.exception
    assert "No negotiations yet" in page_text(page)


def test_negotiations_are_listed(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    planned(deployment, service)
    page = open_page("negotiations", **{"negotiations-tab": "All negotiations"})
    assert not page.exception
    assert read_column(page, "Supplier") == ["Acme Cloud"]


@pytest.mark.campaign
def test_the_board_shows_what_is_at_stake_what_was_saved_and_what_waits(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    agreed(deployment, planned(deployment, service))
    ident = planned(deployment, service)
    offered(deployment, ident, 99_000)
    page = open_page("negotiations")
    assert not page.exception
    figures = read_metrics(page)
    # The offer is one decision, the evidence another: these purchases are years old.
    assert figures == {"At stake": "USD 99,000", "Saved so far": "USD 200", "Open decisions": "2"}
    assert "The quote is above" in page_text(page)
    page.button(key=f"board-open-{ident}").click().run()
    assert page.query_params["id"] == ident


def test_a_column_of_the_board_turns_to_the_list_of_its_state(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    for _ in range(7):
        planned(deployment, service)
    page = open_page("negotiations")
    assert not page.exception
    page.button(key="board-all-pending").click().run()
    assert not page.exception
    assert page.segmented_control(key="negotiations-state").value == "Ready to open"
    assert len(read_column(page, "Supplier")) == 7


@pytest.mark.campaign
@pytest.mark.parametrize("chosen_on", ["the list", "the board"])
def test_another_state_begins_at_the_first_page(
    open_page: OpenPage, deployment: Deployment, chosen_on: str
) -> None:
    start_unplanned(deployment, 26)
    page = open_page("negotiations", **{"negotiations-tab": "All negotiations", "negotiations-page": "2"})
    assert "26 to 26 of 26 negotiations" in page_text(page)
    if chosen_on == "the list":
        page.segmented_control(key="negotiations-state").set_value("Planning").run()
    else:
        page = open_page("negotiations", **{"negotiations-page": "2"})
        page.button(key="board-all-planning").click().run()
    assert not page.exception
    assert "1 to 25 of 26 negotiations" in page_text(page)


def test_a_price_for_another_term_is_divided_by_that(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    """The scope is for 20 users and 12 months."""
    ident = planned(deployment, service)
    tell(deployment, ident, "quote", amount=9600, currency="USD", termLength=24)
    page = open_page("negotiation", id=ident)
    assert not page.exception
    assert "USD 20 per unit and month" in page_text(page), "beside the offer"
    assert "USD 20 per unit and month" in read_notes(page)
    assert "USD 40 per unit and month" not in read_notes(page)
    tell(deployment, ident, "agreement", amount=9600, currency="USD")
    page = open_page("negotiation", id=ident)
    assert "Agreed" in read_metrics(page)
    assert "USD 40 per unit and month" not in [*read_notes(page), *page_text(page).splitlines()]


def test_before_the_first_agreement_the_savings_page_says_what_counts(open_page: OpenPage) -> None:
    assert "No agreed prices yet" in page_text(open_page("savings"))


def test_the_savings_report_is_summed_by_what_one_asks_for(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    for _ in range(2):
        agreed(deployment, planned(deployment, service))
    page = open_page("savings")
    assert not page.exception
    figures = read_metrics(page)
    assert [figures[name] for name in ("Saved", "Starting price", "Agreed")] == [
        "USD 400",
        "USD 4,200",
        "USD 3,800",
    ]
    assert "Acme Cloud" in read_column(page, "Supplier")
    assert read_column(page, "Measured against") == ["first offer"] * 2
    page.radio(key="by").set_value("Category").run()
    assert "USD 400" in read_column(page, "Saved")


def test_a_price_for_another_term_is_said_not_to_be_measured(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    ident = planned(deployment, service)
    agreed(deployment, ident, termLength=60)
    page = open_page("savings")
    assert not page.exception
    assert "1 agreed price has no offer or estimate for its term to compare with" in page_text(page)
    assert read_column(page, "Measured against") == ["nothing for this term"]
    page = open_page("negotiation", id=ident)
    assert not page.exception
    assert "The price was agreed for another term than that of" in page_text(page)


def test_a_scope_becomes_a_negotiation_in_three_steps(open_page: OpenPage, deployment: Deployment) -> None:
    scope_id = create_scope(deployment)
    page = open_page("negotiations", **{"negotiations-tab": "Start a negotiation"})
    page.text_input(key="start/quote-name").set_value("acme").run()
    next(one for one in page.selectbox if one.label == "Choose a quote").set_value(scope_id).run()
    assert page.query_params["scope"] == scope_id
    assert not page.exception
    assert "Supplier: Acme Cloud" in page_text(page)
    page.text_input(key="start/contactName").set_value("Kim Lee").run()
    page.button(key="start-button").click().run()
    assert "This field is required" in page_text(page), "nothing is sent while the address is missing"
    page.text_input(key="start/contactEmail").set_value("kim@example.com").run()
    page.button(key="start-button").click().run()
    assert not page.exception
    assert status(deployment, page.query_params["id"]) in {"planning", "pending"}


def test_a_supplier_that_the_catalog_does_not_know_goes_by_its_name(
    open_page: OpenPage, deployment: Deployment
) -> None:
    page = open_page("negotiations", **{"negotiations-tab": "Start a negotiation"}, about="A supplier")
    page.text_input(key="start/supplier-name").set_value("Nobody Knows Ltd").run()
    page.text_input(key="start/contactName").set_value("Kim Lee").run()
    page.text_input(key="start/contactEmail").set_value("kim@example.com").run()
    page.button(key="start-button").click().run()
    assert not page.exception
    assert "Nobody Knows Ltd" in page_text(page)


@pytest.mark.campaign
def test_a_negotiation_shows_its_three_numbers(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    page = open_page("negotiation", id=planned(deployment, service))
    assert not page.exception
    assert {"Opening", "Target", "Walk-away"} <= read_metrics(page).keys()


@pytest.mark.parametrize(
    ("fold", "content"),
    [
        ("Summaries to send on", "The strategy is ready"),
        ("Letters, files and people", "Our contact: "),
        ("Questions about the supplier", "?"),
        ("History", "started"),
    ],
)
def test_what_is_known_besides_is_behind_a_click(
    open_page: OpenPage, deployment: Deployment, service: RunningService, fold: str, content: str
) -> None:
    page = open_page("negotiation", id=planned(deployment, service), **{"negotiation-tab": "Background"})
    [panel] = [one for one in page.expander if one.label == fold]
    assert not panel.markdown
    page.query_params[f"background-{fold}"] = "true"
    page.run()
    assert not page.exception
    [panel] = [one for one in page.expander if one.label == fold]
    shown = [*(one.value for one in panel.markdown), *(one.label for one in panel.expander)]
    assert content in " ".join(shown)


@pytest.mark.campaign
def test_an_offer_is_put_on_record_and_waits_for_a_decision(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    ident = planned(deployment, service)
    page = open_page("negotiation", id=ident, **{"negotiation-tab": "Updates"})
    page.number_input(key=f"update-{ident}/amount").set_value(99_000.0).run()
    page.button(key=f"update-{ident}-button").click().run()
    assert not page.exception
    assert "Waiting for your decision" in page_text(page), page_text(page)
    assert page.number_input(key=f"update-{ident}/amount").value is None, "the form is ready for the next one"
    assert status(deployment, ident) == "active"


@pytest.mark.campaign
def test_an_amount_of_nothing_is_named_and_not_sent(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    ident = planned(deployment, service)
    page = open_page("negotiation", id=ident, **{"negotiation-tab": "Updates"})
    page.number_input(key=f"update-{ident}/amount").set_value(0.0).run()
    page.button(key=f"update-{ident}-button").click().run()
    assert "More than 0" in page_text(page)
    assert page.number_input(key=f"update-{ident}/amount").value == 0
    assert status(deployment, ident) == "pending"


@pytest.mark.campaign
def test_a_decision_is_one_click(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    ident = planned(deployment, service)
    offered(deployment, ident, 99_000)
    page = open_page("negotiation", id=ident)
    (walk_away,) = [button for button in page.button if str(button.key).endswith("walk_away-button")]
    walk_away.click().run()
    assert not page.exception
    assert "Decided: walk away" in page_text(page)
    assert "settled decision" in " ".join(expander.label for expander in page.expander)


def test_an_accepted_offer_is_put_on_record_by_one_click(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    ident = planned(deployment, service)
    offered(deployment, ident, 99_000)
    page = open_page("negotiation", id=ident)
    (accept,) = [button for button in page.button if str(button.key).endswith("accept-button")]
    accept.click().run()
    page.button(key=f"record-accepted-{ident}-button").click().run()
    assert not page.exception
    assert status(deployment, ident) == "complete"
    entries = call_service(deployment, "GET", f"/v1/negotiation/{ident}/timeline")["entries"]
    assert [one["amount"] for one in entries if one["kind"] == "agreement"] == [99_000]


@pytest.mark.campaign
def test_the_buyer_begins_the_talks(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    ident = planned(deployment, service)
    page = open_page("negotiation", id=ident)
    page.button(key=f"go-ahead-{ident}-button").click().run()
    assert not page.exception
    assert status(deployment, ident) == "active"
    assert f"go-ahead-{ident}-button" not in [button.key for button in page.button]


@pytest.mark.campaign
def test_a_click_on_what_somebody_else_has_changed_is_told_and_comes_to_nothing_later(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    ident = planned(deployment, service)
    offered(deployment, ident, 99_000)
    page = open_page("negotiation", id=ident)
    [walk_away] = [button for button in page.button if str(button.key).endswith("walk_away-button")]
    listed = call_service(deployment, "GET", f"/v1/negotiation/{ident}/escalations")["data"]
    [decided] = [one["id"] for one in listed if one["id"] in str(walk_away.key)]
    tell(deployment, ident, "decision", decision="counter", amount=1800, escalationId=decided)
    queries.load_negotiation.clear()
    queries.load_escalations.clear()
    page = walk_away.click().run()
    [told] = page.toast
    assert told.value.startswith("**Walk away** was not done")
    page = page.run()
    assert not page.toast
    assert "Decided: counter" in page_text(page)
    assert "requested-writes" not in page.session_state or not page.session_state["requested-writes"]


@pytest.mark.campaign
def test_what_was_typed_for_one_negotiation_is_not_in_the_form_of_another(
    open_page: OpenPage, deployment: Deployment
) -> None:
    one, other = start_unplanned(deployment, 2)
    page = open_page("negotiation", id=one, **{"negotiation-tab": "Updates"})
    page.text_input(key=f"update-{one}/note").set_value("For one supplier only").run()
    page.query_params["id"] = other
    page.run()
    assert "For one supplier only" not in [field.value for field in page.text_input]
    page.query_params["id"] = one
    page.run()
    assert page.text_input(key=f"update-{one}/note").value == "For one supplier only"


def test_an_agreement_completes_it_and_the_form_is_gone(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    ident = planned(deployment, service)
    page = open_page("overview")
    assert "No agreed price on record" in read_notes(page)
    page.query_params["id"], page.query_params["negotiation-tab"] = ident, "Updates"
    page.switch_page(str(configuration.ROOT / "pages" / "negotiation.py")).run()
    page.number_input(key=f"update-{ident}/amount").set_value(2000.0).run()
    page.button(key=f"update-{ident}-button").click().run()
    page.radio(key=f"update-{ident}/kind").set_value("agreement").run()
    page.number_input(key=f"update-{ident}/amount").set_value(1900.0).run()
    page.button(key=f"update-{ident}-button").click().run()
    assert not page.exception
    assert status(deployment, ident) == "complete", page_text(page)
    assert "start a new negotiation" in page_text(page)
    page.switch_page(str(configuration.ROOT / "pages" / "overview.py")).run()
    assert "1 agreed price" in " ".join(read_notes(page)), "what the overview showed before is forgotten"


@pytest.mark.campaign
@pytest.mark.parametrize("was_offered", [False, True])
def test_a_cancelled_negotiation_shows_the_steps_that_it_had_done(
    open_page: OpenPage, deployment: Deployment, service: RunningService, was_offered: bool
) -> None:
    ident = planned(deployment, service)
    if was_offered:
        offered(deployment, ident, 99_000)
    tell(deployment, ident, "cancellation", reason="The budget is gone.")
    page = open_page("negotiation", id=ident)
    assert not page.exception
    steps = [line.value for line in page.markdown if ":gray[:material/" in line.value]
    done = [step for step in steps if ":material/check:" in step]
    assert len(done) == (3 if was_offered else 2)
    assert not [step for step in steps if "radio_button_unchecked" in step]
    assert "Ended without an agreed price." in page_text(page)


def test_a_deployment_without_lists_shows_what_was_opened_here(
    open_page: OpenPage, deployment: Deployment, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    ident = planned(deployment, service)
    interface = frozenset(
        {
            "POST /v1/negotiation/start",
            "GET /v1/negotiation/{}/summary",
            "POST /v1/negotiation/{}/external-update",
        }
    )

    def only_these(_: Deployment) -> frozenset[str]:
        return interface

    monkeypatch.setattr(queries, "load_operations", only_these)
    page = open_page("negotiation", id=ident)
    assert not page.exception
    assert list_tabs(page) == []
    page.switch_page(str(configuration.ROOT / "pages" / "negotiations.py")).run()
    assert not page.exception
    assert "Acme Cloud" in read_column(page, "Supplier")


@pytest.mark.campaign
@pytest.mark.parametrize("name", ["negotiations", "negotiation", "savings"])
def test_a_service_that_is_down_is_a_panel(open_page: OpenPage, name: str) -> None:
    page = open_page(name, signed_in_to=Deployment("http://127.0.0.1:9", "parley_x"), id=str(uuid4()))
    assert not page.exception
    assert "cannot be reached" in page_text(page), page_text(page)


def test_an_unknown_negotiation_is_not_there(open_page: OpenPage) -> None:
    page = open_page("negotiation", id=str(uuid4()))
    assert not page.exception
    assert "was not found" in page_text(page)


def test_a_person_sets_the_numbers_with_a_note_and_the_form_empties(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    ident = planned(deployment, service)
    page = open_page("negotiation", id=ident, **{"negotiation-tab": "Background"})
    page.number_input(key=f"numbers-{ident}/target").set_value(10.0).run()
    page.button(key=f"numbers-{ident}-button").click().run()
    assert "Enter a reason" in page_text(page)
    page.number_input(key=f"numbers-{ident}/opening").set_value(5.0).run()
    page.text_input(key=f"numbers-{ident}/note").set_value("The board's budget").run()
    page.button(key=f"numbers-{ident}-button").click().run()
    assert not page.exception
    assert "entered by you" in page_text(page)
    assert "The board's budget" in page_text(page)
    assert page.number_input(key=f"numbers-{ident}/target").value is None
    metrics = read_metrics(page)
    assert metrics["Target"] == "USD 10"


def test_an_offer_is_withdrawn_and_counts_no_more(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    ident = planned(deployment, service)
    offered(deployment, ident, 99_000)
    page = open_page("negotiation", id=ident, **{"negotiation-tab": "Updates"})
    assert "USD 99,000" in read_metrics(page).values()
    page.radio(key=f"correction-{ident}/what").set_value("Withdraw the offer").run()
    page.button(key=f"correction-{ident}-button").click().run()
    assert "Enter a reason" in page_text(page)
    assert "USD 99,000" in read_metrics(page).values()
    page.text_input(key=f"correction-{ident}/note").set_value("For somebody else").run()
    page.button(key=f"correction-{ident}-button").click().run()
    assert not page.exception
    assert "USD 99,000" not in read_metrics(page).values()


def test_a_letter_without_a_mail_server_waits_on_the_overview_until_it_is_sent(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    supplier = {"companyId": ACME, "name": "Acme Cloud", "contactEmail": "sam@acme.example"}
    unquoted = [{"termLength": 12, "purchaseType": "new_purchase"}]
    ident = started(
        deployment,
        service,
        scope={"scopeId": create_scope(deployment, scopeTerms=unquoted)},
        supplier=supplier,
        engagementType="svc_led",
    )
    assert "**Letters to send** · 1" in page_text(open_page("overview"))
    page = open_page("negotiation", id=ident)
    assert "Dear Sir or Madam" in "".join(block.value for block in page.code)
    (sent,) = [button for button in page.button if str(button.key).startswith("sent-")]
    sent.click().run()
    assert not page.exception
    assert "Letters to send" not in page_text(open_page("overview"))


@pytest.mark.campaign
def test_a_start_takes_numbers_of_the_buyer_s_own(open_page: OpenPage, deployment: Deployment) -> None:
    page = open_page("negotiations", **{"negotiations-tab": "Start a negotiation"}, about="A supplier")
    page.text_input(key="start/supplier-name").set_value("Nobody Knows Ltd").run()
    page.text_input(key="start/contactName").set_value("Kim Lee").run()
    page.text_input(key="start/contactEmail").set_value("kim@example.com").run()
    page.number_input(key="start/target").set_value(900.0).run()
    page.number_input(key="start/budget").set_value(1000.0).run()
    page.button(key="start-button").click().run()
    assert not page.exception
    shown = call_service(deployment, "GET", f"/v1/negotiation/{page.query_params['id']}/timeline")["strategy"]
    assert (shown["target"]["amount"], shown["walkAway"]["amount"]) == (900, 1000)
    assert shown["target"]["origin"] == "typed"


def test_a_quote_typed_beside_the_estimate_is_the_first_offer(
    open_page: OpenPage, deployment: Deployment
) -> None:
    ident = create_scope(deployment)
    page = open_page("negotiations", scope=ident, quote="61234.5")
    page.text_input(key="start/contactName").set_value("Kim Lee").run()
    page.text_input(key="start/contactEmail").set_value("kim@example.com").run()
    assert page.number_input(key="start/quote").value == 61_234.5
    page.button(key="start-button").click().run()
    assert not page.exception
    timeline = call_service(deployment, "GET", f"/v1/negotiation/{page.query_params['id']}/timeline")
    assert 61_234.5 in [one.get("amount") for one in timeline["entries"] if one["kind"] == "quote"]
