"""Comments and histories on the pages of a scope, a negotiation and an agreement."""

from uuid import uuid4

import pytest

from app.dashboard.deployment import READ_ONLY_REASON, Deployment
from app.settings import Settings
from tests.dashboard.conftest import OpenPage, RunningService
from tests.dashboard.page_helpers import call_service, create_scope, page_text, start_unplanned

ORGANISATION = uuid4().hex


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own."""
    return Deployment(service.address, service.key(ORGANISATION))


def test_each_page_takes_a_comment_and_tells_the_history(open_page: OpenPage, deployment: Deployment) -> None:
    [negotiation] = start_unplanned(deployment)
    agreement = call_service(deployment, "POST", "/v1/agreements", {"name": "Analytics"})["id"]
    for kind, called, one in (
        ("scope", "quote", create_scope(deployment)),
        ("negotiation", "negotiation", negotiation),
        ("agreement", "contract", agreement),
    ):
        comments = {"updates-Comments": "true"} if kind == "negotiation" else {f"{kind}-tab": "Comments"}
        page = open_page(kind, id=one, **comments)
        assert "who is named with @ gets no mail" in page_text(page), "there is no mail server"
        assert f"Nobody has written anything on this {called}." in page_text(page)
        page.button(key=f"comment-{one}-button").click().run()
        assert "The comment must" in page_text(page), "nothing was typed"
        page.text_area(key=f"comment-{one}/text").set_value("Finance *has*\n\n1. <b>agreed</b>.").run()
        page.button(key=f"comment-{one}-button").click().run()
        assert not page.exception
        assert "Finance \\*has\\*  \n\n1\\. \\<b\\>agreed\\</b\\>." in page_text(page)
        assert not page.text_area(key=f"comment-{one}/text").value
        place = {"negotiation-tab": "Background", "background-History": "true"}
        told = open_page(kind, id=one, **place if kind == "negotiation" else {f"{kind}-tab": "History"})
        assert "commented\\: “Finance \\*has\\*" in page_text(told)
        [delete] = [each for each in page.button if each.label == "Delete" and "comment" not in str(each.key)]
        delete.click().run()
        assert "Nobody has written anything" in page_text(page)


def test_who_may_only_read_sees_comments_and_cannot_write(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    one = call_service(deployment, "POST", "/v1/agreements", {"name": "Analytics"})["id"]
    call_service(deployment, "POST", f"/v1/agreements/{one}/comments", {"text": "Finance has agreed."})
    reader = Deployment(service.address, service.key(ORGANISATION, read_only=True), read_only=True)
    page = open_page("agreement", signed_in_to=reader, id=one, **{"agreement-tab": "Comments"})
    assert "Finance has agreed." in page_text(page)
    field, button = page.text_area(key=f"comment-{one}/text"), page.button(key=f"comment-{one}-button")
    assert (field.disabled, field.help) == (True, READ_ONLY_REASON)
    assert (button.disabled, button.help) == (True, READ_ONLY_REASON)
    assert not [each for each in page.button if "delete-" in str(each.key) and not each.disabled]
