"""A read-only key is shown every page, nothing that writes, and why."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import httpx
import pytest
from streamlit.testing.v1 import AppTest

from app.dashboard import navigation
from app.dashboard.deployment import READ_ONLY_REASON, Deployment
from app.dashboard.signing_in import service_sessions
from app.service.imports.jobs import do_import_task
from app.service.negotiation.jobs import plan_negotiation
from app.service.scopes.jobs import extract_document
from tests.dashboard.conftest import OpenPage, RunningService
from tests.dashboard.page_helpers import call_service, create_scope, list_tabs, page_text, start_unplanned
from tests.dashboard.record_tables import read_headings
from tests.dashboard.seed_data import ACME, PLATFORM

ORGANISATION = "Readers"
ORDERS = b"date,vendor,item,price,edition\n2026-01-11,Harbour,Crane,20,gold\nsoon,Harbour,Crane,20,gold\n"
QUOTE = b"description,quantity,amount\nAcme Platform,20,2100\nOak,1,10\n"


class Visit(NamedTuple):
    """A page, its query, and the name of its tabs in the address, where it is not `PAGE-tab`."""

    page: str
    query: dict[str, str]
    tabs: str = ""


def upload(owner: Deployment, path: str, name: str, content: bytes) -> dict[str, str]:
    answer = httpx.post(
        f"{owner.base_url}{path}",
        files={"file": (name, content)},
        headers={"Authorization": f"Bearer {owner.api_key}"},
    )
    assert answer.is_success, answer.text
    return answer.json()


@pytest.fixture
def visits(service: RunningService) -> list[Visit]:
    """Every page, on records of an organisation that has all kinds of them."""
    owner = Deployment(service.address, service.key(ORGANISATION))
    scope = create_scope(owner)
    document = upload(owner, "/v1/scope/from-document", "Quote.csv", QUOTE)["scopeId"]
    extract_document(service.context, document)
    [negotiation] = start_unplanned(owner, scope={"scopeId": scope})
    plan_negotiation(service.context, negotiation)
    call_service(
        owner,
        "POST",
        f"/v1/negotiation/{negotiation}/external-update",
        {
            "timestamp": "2026-11-20T09:00:00Z",
            "externalId": "1",
            "source": "test",
            "schema": {"$id": "urn:svc:quote:1"},
            "payload": {"amount": 3000, "currency": "USD"},
        },
    )
    webhook = call_service(owner, "POST", "/v1/webhooks/inbox")["id"]
    file = upload(owner, "/v1/files/upload", "orders.csv", ORDERS)["id"]
    checked = call_service(owner, "POST", "/v1/imports", {"fileId": file})["id"]
    do_import_task(service.context, checked, "check_import")
    known = [
        Visit("company", {"id": ACME}),
        Visit("product", {"id": PLATFORM}),
        Visit("import_file", {"id": checked}),
        Visit("scopes", {}),
        Visit("scopes", {"product": PLATFORM}),
        Visit("scope", {"id": scope}),
        Visit("scope", {"id": document}),
        Visit("estimates", {"ids": scope}),
        Visit("negotiations", {}),
        Visit("negotiation", {"id": negotiation}),
        Visit("webhook", {"id": webhook}, "view"),
    ]
    pages = {entry.name for entry in navigation.PAGES}
    return known + [Visit(name, {}) for name in sorted(pages - {visit.page for visit in known})]


def walk(open_page: OpenPage, deployment: Deployment, visits: list[Visit]) -> Iterator[tuple[str, AppTest]]:
    """Each tab of each page, with its address."""
    for name, query, tabs in visits:
        page = open_page(name, signed_in_to=deployment, **query)
        yield name, page
        for tab in list_tabs(page)[1:]:
            yield (
                f"{name} {tab}",
                open_page(name, signed_in_to=deployment, **query, **{tabs or f"{name}-tab": tab}),
            )


def list_writes(page: AppTest) -> set[str]:
    """What can be sent on the page: the enabled buttons of `write_button`, and the uploads."""
    sent = {
        button.label
        for button in page.button
        if (button.key or "").endswith("-button") and not button.disabled
    }
    return sent | {uploader.label for uploader in page.file_uploader}


def test_a_read_only_key_is_known_from_the_sign_in_on(open_page: OpenPage, service: RunningService) -> None:
    page = open_page("webhooks", signed_in_to=None)
    page.text_input(key="sign-in-key").set_value(service.key(ORGANISATION, read_only=True))
    page.button[0].click().run()
    assert page.session_state["parley.deployment"].read_only
    assert READ_ONLY_REASON in page_text(page)
    assert list_tabs(page) == []


@pytest.mark.campaign
def test_the_pages_with_most_writes_have_none_for_a_read_only_key(
    open_page: OpenPage, service: RunningService, visits: list[Visit]
) -> None:
    reader = Deployment(service.address, service.key(ORGANISATION, read_only=True), read_only=True)
    for name, query, _ in visits:
        if name in {"imports", "import_file", "negotiation", "webhook"}:
            page = open_page(name, signed_in_to=reader, **query)
            assert read_headings(page)[0] not in {"", "Webhook"}
            assert not list_writes(page), name


@pytest.mark.campaign
def test_empty_pages_ask_a_read_only_key_for_nothing(open_page: OpenPage, service: RunningService) -> None:
    reader = Deployment(service.address, service.key("Newcomers", read_only=True), read_only=True)
    for name in ("imports", "scopes", "estimates", "negotiations", "webhooks"):
        text = page_text(open_page(name, signed_in_to=reader))
        assert not re.search(r"\b(Start|Create|Register) ", text), name


@pytest.mark.campaign
def test_no_page_lets_a_read_only_key_write(
    open_page: OpenPage, service: RunningService, visits: list[Visit]
) -> None:
    key = Deployment(service.address, service.key(ORGANISATION, read_only=True))
    reader = service_sessions.start_session(key)
    assert reader.read_only
    for where, page in walk(open_page, reader, visits):
        assert not page.exception, where
        assert READ_ONLY_REASON in page_text(page), where
        assert not list_writes(page), where
        assert "failure" not in {str(button.key)[:7] for button in page.button}, where


@pytest.mark.campaign
def test_the_same_pages_let_a_full_key_write(
    open_page: OpenPage, service: RunningService, visits: list[Visit]
) -> None:
    owner = service_sessions.start_session(Deployment(service.address, service.key(ORGANISATION)))
    assert not owner.read_only
    writes: set[str] = set()
    for where, page in walk(open_page, owner, visits):
        assert READ_ONLY_REASON not in page_text(page), where
        writes |= list_writes(page)
    assert len(writes) > 15, writes
