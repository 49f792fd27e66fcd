"""Quotes that are dropped together: each has its own scope or its own refusal, and none is read twice."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec
from streamlit.testing.v1 import AppTest

from app.dashboard.api.cached_read import clear_reads
from app.dashboard.deployment import Deployment
from app.dashboard.scopes.dropped_quotes import MAX_QUOTES, DroppedQuote, add_dropped_files
from app.service.scopes.jobs import extract_document
from app.settings import Settings
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import call_service, page_text, upload_quote

OpenPage = Callable[..., AppTest]
LONG = "x" * 296 + ".csv"


def quote(number: int, amount: int = 1900) -> bytes:
    head = f"Supplier,Acme Cloud\nQuote number,Q-{number}\nCurrency,USD\n\n"
    line = f"Acme Platform Business,20,{amount / 20:.2f},{amount}.00\n"
    return f"{head}Description,Quantity,Unit price,Amount\n{line}Total,,,{amount}.00\n".encode()


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own for each test."""
    return Deployment(service.address, service.key(uuid4().hex))


def filenames(deployment: Deployment) -> dict[str, str]:
    """The ids of the organisation's scopes by the name of their document."""
    scopes = call_service(deployment, "GET", "/v1/scope?limit=100")["data"]
    return {scope["documentProcessing"]["filename"]: scope["id"] for scope in scopes}


def drop(page: AppTest, *files: tuple[str, bytes]) -> AppTest:
    page.file_uploader[0].set_value([(name, content, "application/octet-stream") for name, content in files])
    return page.run()


def test_each_of_a_drop_has_its_scope_or_its_reason(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    page = open_page("scopes")
    drop(
        page,
        ("first.csv", quote(1)),
        ("copy.csv", quote(1)),
        ("empty.pdf", b""),
        ("setup.pdf", b"MZ\x90\x00\x03\x00\x00\x00"),
        ("../../<b>*two*</b>.csv", quote(2)),
        (LONG, quote(3)),
    )
    assert not page.exception
    made = filenames(deployment)
    assert set(made) == {"first.csv", "b>.csv", LONG[-255:]}
    text = page_text(page)
    for name, reason in (
        ("copy", "It is the same file as first.csv, which is read once."),
        ("empty", "The file is empty."),
        ("setup", "This is a program."),
    ):
        assert f":small[{name}" in text
        assert reason in text, text
    assert not [button for button in page.button if button.label == "Try again"], "it would not help"
    for ident in made.values():
        extract_document(service.context, ident)
    for _ in range(2):
        page.run()
        assert len(call_service(deployment, "GET", "/v1/scope")["data"]) == len(made), "none is sent twice"
    assert page_text(page).count("waits for your review") == len(made)
    drop(page, ("fourth.csv", quote(4)))
    assert len(filenames(deployment)) == len(made) + 1
    waits = {button.key for button in page.button if f"{button.key}".startswith("waiting-")}
    assert waits == {"waiting-review", "waiting-reading"}
    extract_document(service.context, filenames(deployment)["fourth.csv"])
    page.run()
    assert not [button for button in page.button if button.key == "waiting-reading"], "nor in the list below"
    page.button(key="clear-dropped-quotes").click().run()
    assert "waits for your review" not in page_text(page)
    assert len(call_service(deployment, "GET", "/v1/scope")["data"]) == len(made) + 1


def test_a_file_that_was_read_before_is_read_again_only_when_that_is_chosen(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    first = upload_quote(open_page, "quote.csv", quote(7), "text/csv").query_params["id"]
    extract_document(service.context, first)
    page = upload_quote(open_page, "again.csv", quote(7), "text/csv")
    assert "the same file was read on" in page_text(page)
    assert list(filenames(deployment).values()) == [first]
    [again] = [button for button in page.button if button.label == "Read it again"]
    page = again.click().run()
    second = page.query_params["id"]
    assert filenames(deployment) == {"quote.csv": first, "again.csv": second}
    extract_document(service.context, second)
    assert "This file was read before" in page_text(open_page("scope", id=second))
    assert "read before" not in page_text(open_page("scope", id=first)), "it was the first"


@pytest.mark.campaign
def test_another_file_with_the_same_number_says_so_in_its_review(
    open_page: OpenPage, service: RunningService
) -> None:
    contents = {"first.csv": quote(8), "other.csv": quote(8, amount=1800)}
    first, other = (
        upload_quote(open_page, name, content, "text/csv").query_params["id"]
        for name, content in contents.items()
    )
    extract_document(service.context, other)
    assert "read before" not in page_text(open_page("scope", id=other)), "the first is not read yet"
    extract_document(service.context, first)
    clear_reads()
    page = open_page("scope", id=other)
    assert r"A quote with the number Q\-8 from this supplier was read before" in page_text(page)
    assert any(link.proto.label.startswith("first.csv") for link in page.get("page_link"))


def test_no_more_are_taken_than_are_read_at_once() -> None:
    def dropped(number: int) -> UploadedFile:
        content = f"{number % MAX_QUOTES}".encode()
        return UploadedFile(UploadedFileRec(f"{number}", f"{number}.csv", "text/csv", content), FileURLs())

    quotes: list[DroppedQuote] = []
    files = [dropped(number) for number in range(MAX_QUOTES + 1)]
    for _ in range(2):
        add_dropped_files(quotes, files, "renewal")
    assert [one.is_unsent for one in quotes] == [True] * MAX_QUOTES + [False]
    assert "Drop this one again" in (quotes[-1].refusal or "")
    assert {one.purchase_type for one in quotes} == {"renewal"}
