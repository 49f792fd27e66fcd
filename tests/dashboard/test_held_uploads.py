"""The memory that uploads take in a dashboard: of one person or key in all of their sessions, and of all."""

from contextlib import ExitStack
from dataclasses import replace

import pytest

from app.dashboard.deployment import Deployment
from app.dashboard.server import held_uploads
from app.dashboard.server.held_uploads import MAX_USERS, HeldUploads

BUYER = Deployment("http://one.example", "session-1", holder_id="k1")


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The bytes that each page holds."""
    held: dict[str, int] = {}
    monkeypatch.setattr(held_uploads, "_sizes_by_page", lambda: held)
    return held


def send(uploads: HeldUploads, pages: dict[str, int], user: Deployment, page: str, size: int) -> bool:
    with uploads.receive(user.holder, page, size) as is_accepted:
        if is_accepted:
            pages[page] = pages.get(page, 0) + size
    return is_accepted


@pytest.mark.parametrize(
    ("other", "is_accepted"),
    [
        (replace(BUYER, api_key="session-2"), False),
        (replace(BUYER, api_key="session-2", session="b", user_name="A", end_user="x"), False),
        (replace(BUYER, holder_id="k2"), True),
        (replace(BUYER, base_url="http://two.example"), True),
    ],
)
def test_all_sessions_of_one_holder_share_a_bound(
    pages: dict[str, int], other: Deployment, is_accepted: bool
) -> None:
    uploads = HeldUploads(100)
    assert send(uploads, pages, BUYER, "a", 60)
    assert send(uploads, pages, other, "b", 60) is is_accepted
    pages.clear()
    assert send(uploads, pages, other, "b", 60), "the pages were closed"


def test_all_together_have_a_bound(pages: dict[str, int]) -> None:
    uploads = HeldUploads(100)
    people = [replace(BUYER, holder_id=f"k{number}") for number in range(20)]
    sent = [send(uploads, pages, person, person.holder_id, 90) for person in people]
    assert sum(sent) * 90 <= MAX_USERS * 100 < (sum(sent) + 1) * 90
    pages.clear()
    with ExitStack() as arriving:
        began = [arriving.enter_context(uploads.receive(one.holder, one.holder_id, 90)) for one in people]
        assert sum(began) * 90 <= MAX_USERS * 100 < (sum(began) + 1) * 90
