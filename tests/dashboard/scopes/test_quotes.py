"""A quote becomes a scope: uploaded, followed while it is read, shown with what was read."""

from collections.abc import Callable, Iterator
from datetime import date
from uuid import uuid4

import httpx
import pytest
from streamlit.testing.v1 import AppTest

from app.dashboard.deployment import Deployment
from app.settings import Settings
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import call_service, page_text, upload_quote
from tests.dashboard.worker_fixture import running_worker, wait_until
from tests.reader_training.generator import generate

OpenPage = Callable[..., AppTest]
QUOTE = (
    b"Supplier,Acme Cloud\nQuote number,Q-7\nDate,2026-03-02\nCurrency,USD\n\n"
    b"Description,Quantity,Unit price,Amount\nAcme Platform Business,20,95.00,1900.00\n"
    b"Training day,1,200.00,200.00\n"
    b"Total,,,2100.00\n"
)


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own for each test."""
    return Deployment(service.address, service.key(uuid4().hex))


@pytest.fixture
def uploaded(open_page: OpenPage) -> AppTest:
    """The page that follows after a quote was uploaded."""
    return upload_quote(open_page, "quote.csv", QUOTE, "text/csv")


@pytest.fixture(scope="module")
def worker(service: RunningService) -> Iterator[None]:
    """One worker for the quotes of all tests: each start takes two seconds of the processor."""
    with running_worker(service.settings):
        yield


def reading(deployment: Deployment, ident: str) -> str:
    word: str = call_service(deployment, "GET", f"/v1/scope/{ident}")["documentProcessing"]["status"]
    return word


@pytest.mark.campaign
def test_a_file_of_several_quotes_leads_to_the_scope_of_each(
    open_page: OpenPage, deployment: Deployment, worker: None
) -> None:
    document = generate("several_quotes", 1_000_000)
    page = upload_quote(open_page, document.filename, document.content, "application/pdf")
    ident = page.query_params["id"]
    wait_until(lambda: reading(deployment, ident) in {"completed", "failed"}, 120)
    quotes = call_service(deployment, "GET", f"/v1/scope/{ident}/document")["quotes"]
    for shown in quotes:
        page = open_page("scope", id=shown["scopeId"])
        assert not page.exception
        assert f"This file holds {len(quotes)} quotes." in page_text(page)
        linked = {link.proto.query_string for link in page.get("page_link")}
        for other in quotes:
            assert (f"id={other['scopeId']}" in linked) == (other is not shown)


@pytest.mark.campaign
def test_a_quote_is_shown_with_what_was_read(
    uploaded: AppTest, open_page: OpenPage, deployment: Deployment, worker: None
) -> None:
    ident = uploaded.query_params["id"]
    wait_until(lambda: reading(deployment, ident) in {"completed", "failed"}, 120)
    page = open_page("scope", id=ident)
    assert not page.exception
    read = call_service(deployment, "GET", f"/v1/scope/{ident}/document")
    tables = [table.value for table in page.dataframe]
    [lines] = [table for table in tables if "Line" in table]
    assert len(lines) == len(read["lines"]) > 0
    assert "Training day" in lines["Line"].to_list(), "a line that is no product is kept"
    page.button(key=f"confirm-{ident}-button").click().run()
    assert not page.exception
    made = call_service(deployment, "GET", f"/v1/scope/{page.query_params['id']}")
    assert made["previousScopeId"] == ident
    assert made["scopeTerms"] == call_service(deployment, "GET", f"/v1/scope/{ident}")["scopeTerms"]
    [bought] = made["productTerms"]
    assert [one["value"] for one in bought["pricingDimensions"]] == [20, "2"], "the tier in the line's words"
    labels = [field.label for field in page.number_input]
    assert any(one.startswith("Quote in USD") for one in labels), "the price follows at once"
    after = open_page("scope", id=made["id"])
    assert "In the quote's total, but not in the estimate: Training day" in page_text(after)


SUPPLIER = "Supplier,Acme Cloud\nQuote number,Q-7\nDate,2026-03-02\n"


def scope_of_quote(
    deployment: Deployment, *lines: str, head: str = SUPPLIER, terms: str = "Currency,USD\n"
) -> str:
    """The id of the scope of a quote that was read."""
    content = f"{head}{terms}\n" + "Description,Quantity,Unit price,Amount\n" + "\n".join(lines) + "\n"
    answer = httpx.post(
        f"{deployment.base_url}/v1/scope/from-document",
        files={"file": ("quote.csv", content.encode())},
        headers={"Authorization": f"Bearer {deployment.api_key}"},
    )
    ident: str = answer.json()["scopeId"]
    wait_until(lambda: reading(deployment, ident) in {"completed", "failed"}, 120)
    return ident


def test_what_moves_the_price_and_is_not_stated_is_asked_before_it_is_confirmed(
    open_page: OpenPage, deployment: Deployment, worker: None
) -> None:
    ident = scope_of_quote(deployment, "Acme Platform,20,95.00,1900.00")
    page = open_page("scope", id=ident)
    assert "1 read, :orange[1 to answer]" in page_text(page)
    assert "Team or Business?" in page_text(page)
    assert page.button(key=f"confirm-{ident}-button").disabled
    [tier] = [one for one in page.selectbox if one.label == "Tier"]
    tier.select_index(0).run()
    page.button(key=f"confirm-{ident}-button").click().run()
    assert not page.exception
    made = call_service(deployment, "GET", f"/v1/scope/{page.query_params['id']}")
    assert [one["value"] for one in made["productTerms"][0]["pricingDimensions"]] == [20, "1"]


def test_who_confirms_second_is_told_who_was_first_and_makes_no_other_version(
    open_page: OpenPage, deployment: Deployment, worker: None
) -> None:
    ident = scope_of_quote(deployment, "Acme Platform Business,20,95.00,1900.00")
    first, second = open_page("scope", id=ident), open_page("scope", id=ident)
    first.button(key=f"confirm-{ident}-button").click().run()
    made = first.query_params["id"]
    second.button(key=f"confirm-{ident}-button").click().run()
    assert not second.exception
    told = " ".join([*(one.value for one in second.toast), page_text(second)])
    assert "confirmed it on" in told
    assert "confirmed it on" in page_text(open_page("scope", id=str(made), **{"scope-tab": "History"}))
    assert second.query_params["id"] == ident
    assert call_service(deployment, "GET", f"/v1/scope/{made}").get("nextScopeId") is None


def test_the_currency_and_the_day_that_a_quote_leaves_open_are_asked(
    open_page: OpenPage, deployment: Deployment, worker: None
) -> None:
    stated = "Start date,04/03/2026\nEnd date,03/03/2027\n"
    ident = scope_of_quote(deployment, "Acme Platform Business,20,95.00,1900.00", terms=stated)
    page = open_page("scope", id=ident)
    assert not page.exception
    [currency] = [one for one in page.selectbox if one.label == "Currency"]
    assert (currency.value, currency.options) == (None, ["USD"]), "the usual one is proposed, and not taken"
    confirm = page.button(key=f"confirm-{ident}-button")
    assert confirm.disabled
    assert "Choose the currency" in page_text(page)
    currency.set_value("USD").run()
    assert page.date_input(key=f"review-{ident}-terms/start_date").value == date(2026, 4, 3)
    assert any("or 2026-03-04" in caption.value.replace("\\", "") for caption in page.markdown)
    page.button(key=f"confirm-{ident}-button").click().run()
    assert not page.exception
    made = page.query_params["id"]
    assert made != ident
    assert call_service(deployment, "GET", f"/v1/scope/{made}/document")["currency"] == "USD"


def test_a_supplier_that_is_not_clearly_named_is_asked(
    open_page: OpenPage, deployment: Deployment, worker: None
) -> None:
    lines = ("Harbour Vault,40,5.00,200.00", "Harbour Gate,10,5.00,50.00")
    ident = scope_of_quote(deployment, *lines, head="Price comparison\n")
    page = open_page("scope", id=ident)
    [supplier] = [one for one in page.text_input if one.label == "Supplier"]
    assert not [one for one in page.button if "as products of" in one.label and "Tidewater" in one.label]
    supplier.set_value("Tidewater").run()
    [add] = [one for one in page.button if "as products of" in one.label]
    assert add.label == "Add these 2 lines as products of “Tidewater”"
    add.click().run()
    assert not page.exception
    assert "**From** Tidewater" in page_text(page)
    page.button(key=f"confirm-{ident}-button").click().run()
    assert not page.exception
    confirmed = call_service(deployment, "GET", f"/v1/scope/{page.query_params['id']}/document")
    assert confirmed["supplier"]["companyName"] == "Tidewater"


def test_a_line_that_nothing_matches_is_added_in_one_step(
    open_page: OpenPage, deployment: Deployment, worker: None
) -> None:
    ident = scope_of_quote(deployment, "Harbour Vault (Team),40,5.00,200.00")
    page = open_page("scope", id=ident)
    [add] = [button for button in page.button if button.label.startswith("Add this line as a product of")]
    add.click().run()
    assert not page.exception
    assert "chosen by you" in page_text(page)
    [edition] = [one for one in page.selectbox if one.label == "Edition"]
    assert edition.value == "1", "the edition in the line's own words"
    page.button(key=f"confirm-{ident}-button").click().run()
    assert not page.exception
    made = call_service(deployment, "GET", f"/v1/scope/{page.query_params['id']}")
    [bought] = made["productTerms"]
    assert (bought["productName"], bought["finalPrice"]) == ("Harbour Vault", 200)


def test_what_a_document_leaves_open_is_asked_in_place_and_never_assumed(
    open_page: OpenPage, deployment: Deployment, worker: None
) -> None:
    taxed = "Total incl. VAT,,,121.00"
    ident = scope_of_quote(deployment, "Harbour Vault,1,121.00,121.00", taxed)
    page = open_page("scope", id=ident)
    terms = f"review-{ident}-terms"
    assert page.number_input(key=f"{terms}/term_length").value is None, "the document states no term"
    assert page.number_input(key=f"{terms}/final_price").value is None, "the sum holds a tax"
    page.number_input(key=f"review-{ident}-tax").set_value(21.0).run()
    assert page.number_input(key=f"{terms}/final_price").value == 100
    [add] = [button for button in page.button if button.label.startswith("Add this line as a product of")]
    add.click().run()
    page.button(key=f"confirm-{ident}-button").click().run()
    assert not page.exception
    made = call_service(deployment, "GET", f"/v1/scope/{page.query_params['id']}")
    [term], [bought] = made["scopeTerms"], made["productTerms"]
    assert (term["termAssumed"], term["finalPrice"], bought["finalPrice"]) == (True, 100, 100)
    assert "months" not in page_text(open_page("scope", id=page.query_params["id"]))


def test_a_product_that_is_added_once_is_that_of_each_line_that_proposes_it(
    open_page: OpenPage, deployment: Deployment, worker: None
) -> None:
    ident = scope_of_quote(
        deployment, "Harbour Vault (Team),40,5.00,200.00", "Harbour Vault - Team Edition,10,5.00,50.00"
    )
    page = open_page("scope", id=ident)
    assert not [button for button in page.button if button.label.startswith("Add “Harbour Vault”")]
    page.selectbox(key=f"review-{ident}/0/product").set_value("new").run()
    [add] = [button for button in page.button if button.label.startswith("Add “Harbour Vault”")]
    add.click().run()
    assert not page.exception
    assert not [button for button in page.button if button.label.startswith("Add")]
    page.button(key=f"confirm-{ident}-button").click().run()
    made = call_service(deployment, "GET", f"/v1/scope/{page.query_params['id']}")
    assert [one["productName"] for one in made["productTerms"]] == ["Harbour Vault", "Harbour Vault"]


@pytest.mark.campaign
def test_all_lines_that_nothing_is_like_are_added_at_once(
    open_page: OpenPage, deployment: Deployment, worker: None
) -> None:
    ident = scope_of_quote(
        deployment,
        "Harbour Vault (Team),40,5.00,200.00",
        "Harbour Vault (Enterprise),10,9.00,90.00",
        "Quay Planner,5,20.00,100.00",
        "Onboarding workshop,1,500.00,500.00",
    )
    page = open_page("scope", id=ident)
    [add] = [button for button in page.button if button.label.startswith("Add these 3 lines as products of")]
    add.click().run()
    assert not page.exception
    assert not [button for button in page.button if button.label.startswith("Add")]
    # Another session, such as that of a page which was loaded again, has what was added too.
    page = open_page("scope", id=ident)
    assert "not in the catalog yet" not in page_text(page)
    assert not [button for button in page.button if button.label.startswith("Add")]
    page.button(key=f"confirm-{ident}-button").click().run()
    assert not page.exception
    made = call_service(deployment, "GET", f"/v1/scope/{page.query_params['id']}")
    bought = [(one["productName"], one["pricingDimensions"][1:]) for one in made["productTerms"]]
    assert [name for name, _ in bought] == ["Harbour Vault", "Harbour Vault", "Quay Planner"]
    assert [[one["value"] for one in chosen] for _, chosen in bought] == [["1"], ["2"], []]
    assert made["productTerms"][0]["productId"] == made["productTerms"][1]["productId"]


@pytest.mark.campaign
def test_a_file_that_is_no_document_fails_with_a_reason(
    open_page: OpenPage, deployment: Deployment, worker: None
) -> None:
    page = upload_quote(open_page, "quote.pdf", b"%PDF-1.7 nothing follows", "application/pdf")
    assert not page.exception
    ident = page.query_params["id"]
    wait_until(lambda: reading(deployment, ident) == "failed", 120)
    page = open_page("scope", id=ident)
    assert "No quote was read from quote.pdf." in page_text(page)
    assert {"Upload another file", "Describe the purchase in a form"} <= {one.label for one in page.button}
