"""The page of people and keys: for admins, with each change in the audit log at once."""

from datetime import UTC, datetime, time, timedelta

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from app.client import ApiClient
from app.contract.access import Role
from app.dashboard.deployment import Deployment
from app.service.access.audit import Outcome, Subject, record_outcome
from app.service.access.keys import create_key, find_organisation
from tests.dashboard.conftest import OpenPage, RunningService
from tests.dashboard.page_helpers import open_popover, page_text
from tests.dashboard.record_tables import read_column
from tests.service.running_service import add_member


def sign_in(service: RunningService, organisation: str, role: Role) -> Deployment:
    with service.context.database.writing() as connection:
        key = create_key(
            connection, name=role, organisation_name=organisation, role=role, now=service.context.clock()
        )[1]
    return Deployment(service.address, key, role=role)


@pytest.mark.campaign
def test_an_admin_makes_a_key_which_is_shown_once_and_revokes_it(
    open_page: OpenPage, service: RunningService
) -> None:
    admin = sign_in(service, "Key makers", "admin")
    page = open_page("people", signed_in_to=admin, **{"people-tab": "API keys"})
    assert len(page.selectbox(key="new-key/role").options) == 3  # no owner
    page.button(key="new-key-button").click().run()
    assert "Enter what the key is for" in page_text(page)
    page.text_input(key="new-key/name").set_value("Nightly export")
    last_day = datetime.now(UTC).date() + timedelta(days=300)
    page.text_input(key="new-key/networks").set_value("127.0.0.1, ::1")
    page.date_input(key="new-key/last_day").set_value(last_day)
    page.button(key="new-key-button").click().run()
    [shown] = [code.value for code in page.code if code.value.startswith("parley_")]
    with ApiClient(service.address, api_key=shown) as holder:
        assert holder.access.read().role == "reader"
    assert not page.text_input(key="new-key/name").value
    page.button(key="new-key-shown-stored").click().run()
    assert shown not in page_text(page)
    with ApiClient(service.address, api_key=admin.api_key) as client:
        [made] = [key for key in client.keys.iter() if key.name == "Nightly export"]
        assert (made.expires_at, made.networks) == (
            datetime.combine(last_day + timedelta(days=1), time(), UTC),
            ["127.0.0.1/32", "::1/128"],
        )
        open_popover(page, f"revoke-key-{made.id}")
        page.button(key=f"revoke-key-{made.id}-button").click().run()
        assert [key.revoked_at is None for key in client.keys.iter()] == [True, False]
    assert "revoked" in page_text(page)
    log = open_page("people", signed_in_to=admin, **{"people-tab": "Audit log"})
    assert read_column(log, "What") == [
        "Revoke an API key",
        "Make an API key: expiresAt, name, networks, role",
    ]
    assert read_column(log, "Thing") == ["key Nightly export"] * 2


def test_who_revokes_the_own_key_is_warned_and_signed_out(
    open_page: OpenPage, service: RunningService
) -> None:
    admin = sign_in(service, "Two keys", "owner")
    with ApiClient(service.address, api_key=admin.api_key) as client:
        other = client.keys.create("Other", "owner")
        [own] = [key for key in client.keys.iter() if key.own]
    page = open_page("people", signed_in_to=admin, **{"people-tab": "API keys"})
    open_popover(page, f"revoke-key-{own.id}")
    assert [warning.value[:36] for warning in page.warning] == ["You are signed in with this key. Rev"]
    assert page_text(page).count("your key") == 1
    page.button(key=f"revoke-key-{own.id}-button").click().run()
    assert "You revoked the key that you were signed in with" in page_text(page)
    with ApiClient(service.address, api_key=str(other.key)) as client:
        assert [key.name for key in client.keys.iter() if key.own] == ["Other"]


def test_people_are_shown_and_their_roles_are_not_changed_here(
    open_page: OpenPage, service: RunningService
) -> None:
    admin = sign_in(service, "Many people", "admin")
    assert "Nobody has signed in yet" in page_text(open_page("people", signed_in_to=admin))
    add_member(service.context, "Many people", "Bea *Buyer*")
    st.cache_resource.clear()
    text = page_text(open_page("people", signed_in_to=admin))
    assert "Bea" in text
    assert "change the groups there" in text


def test_the_log_is_narrowed_by_the_address(open_page: OpenPage, service: RunningService) -> None:
    admin = sign_in(service, "Filtered", "owner")
    with ApiClient(service.address, api_key=admin.api_key) as client:
        client.keys.create("One", "reader")
        client.agreements.create_calendar_feed()
    whole = {"people-tab": "Audit log"}
    both = open_page("people", signed_in_to=admin, **whole)
    assert read_column(both, "Thing") == ["feed", "key One"]
    feeds = open_page("people", signed_in_to=admin, kind="feed", **whole)
    assert read_column(feeds, "Thing") == ["feed"]
    assert "No entry matches" in page_text(open_page("people", signed_in_to=admin, kind="scope", **whole))


@pytest.mark.campaign
def test_what_the_service_did_is_shown_with_who_asked(open_page: OpenPage, service: RunningService) -> None:
    admin = sign_in(service, "Background", "owner")
    with ApiClient(service.address, api_key=admin.api_key) as client:
        feed = client.agreements.create_calendar_feed()
    context = service.context
    with context.database.writing() as connection:
        outcome = Outcome("service.any", "Did it", "feed", ("calendarFeeds.create",))
        subject = Subject(find_organisation(connection, "Background"), feed.id)
        record_outcome(connection, outcome, subject, context.clock())
    by_itself = {"people-tab": "Audit log", "who": "Parley, in the background"}
    page = open_page("people", signed_in_to=admin, **by_itself)
    assert read_column(page, "What") == ["Did it"]
    assert read_column(page, "Who") == ["Parley, in the background, asked by owner (API key)"]
    assert read_column(open_page("people", signed_in_to=admin, **{**by_itself, "who": "owner"}), "Who") == [
        "owner (API key)"
    ]


def test_others_are_told_who_sees_it(open_page: OpenPage, service: RunningService) -> None:
    roles: tuple[Role, ...] = ("reader", "buyer")
    for role in roles:
        other = sign_in(service, "Others", role)
        text = page_text(open_page("people", signed_in_to=other))
        assert "Admins and owners see this page" in text
        assert f"role {role}" in text
        assert not leads_to_people(open_page("settings", signed_in_to=other))
    assert leads_to_people(open_page("settings", signed_in_to=sign_in(service, "Others", "admin")))


def leads_to_people(page: AppTest) -> bool:
    """Whether the settings have a link to the page of people and keys."""
    return any(element.proto.page == "people" for element in page.get("page_link"))


@pytest.mark.campaign
def test_buttons_that_a_role_may_not_use_say_who_may(open_page: OpenPage, service: RunningService) -> None:
    buyer, admin = (sign_in(service, "Roles", role) for role in ("buyer", "admin"))
    with ApiClient(service.address, api_key=admin.api_key) as client:
        webhook = client.webhooks.open_inbox().id
    for name, query in (("webhook", {"id": webhook}), ("webhooks", {}), ("working_days", {})):
        refused = find_write_buttons(open_page(name, signed_in_to=buyer, **query))
        assert all(button.disabled for button in refused), name
        for button in refused:
            assert "takes the role admin, and you have the role buyer" in button.help
            assert "an admin or an owner" in button.help
        allowed = find_write_buttons(open_page(name, signed_in_to=admin, **query))
        assert [button.key for button in allowed] == [button.key for button in refused]
        assert not any(button.disabled for button in allowed)


def find_write_buttons(page: AppTest) -> list[Button]:
    """The buttons that change something."""
    return [button for button in page.button if (button.key or "").endswith("-button")]
