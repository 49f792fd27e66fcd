"""What is typed into a form is there again for the same person, for a week, and for nobody else."""

import os
import time
from datetime import date
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from app.dashboard.deployment import Deployment
from app.dashboard.kit.drafts import KEPT_SECONDS, MAX_BYTES, MOST_KEPT, DraftStore
from app.dashboard_keys import derive_fernet
from tests.dashboard.conftest import OpenPage, RunningService

ADA = Deployment("https://parley.example", "one", holder_id="ada")
TYPED = {"name": "Nightly export", "last_day": date(2026, 12, 1), "awards": True, "above": 1000.5}


@pytest.fixture
def clock() -> list[float]:
    return [1_800_000_000.0]


@pytest.fixture
def store(tmp_path: Path, clock: list[float]) -> DraftStore:
    return DraftStore(tmp_path, derive_fernet([Fernet.generate_key()], b"drafts"), lambda: clock[0])


def test_a_draft_outlives_the_session_and_the_key(store: DraftStore) -> None:
    store.keep(ADA, "new-key", TYPED)
    later = Deployment(ADA.base_url, "two", holder_id="ada", session="another")
    draft = store.find(later, "new-key")
    assert draft is not None
    assert draft.typed == TYPED


@pytest.mark.parametrize(
    "other",
    [
        Deployment(ADA.base_url, "one", holder_id="abe"),
        Deployment("https://other.example", "one", holder_id="ada"),
        Deployment(ADA.base_url, "one", holder_id="ada", end_user_email="eve@a.example"),
    ],
)
def test_nobody_else_gets_it(store: DraftStore, other: Deployment) -> None:
    store.keep(ADA, "new-key", TYPED)
    assert store.find(other, "new-key") is None
    assert store.find(ADA, "webhook") is None


def test_what_is_stored_says_nothing(store: DraftStore, tmp_path: Path) -> None:
    store.keep(ADA, "new-key", TYPED)
    [file] = tmp_path.iterdir()
    assert b"Nightly" not in file.read_bytes()
    assert "new-key" not in file.name
    file.write_bytes(file.read_bytes()[:-4] + b"AAA=")
    assert store.find(ADA, "new-key") is None


def test_it_is_kept_for_a_week_and_until_it_is_discarded(store: DraftStore, clock: list[float]) -> None:
    store.keep(ADA, "new-key", TYPED)
    clock[0] += KEPT_SECONDS - 1
    assert store.find(ADA, "new-key") is not None
    clock[0] += 2
    assert store.find(ADA, "new-key") is None
    store.keep(ADA, "new-key", TYPED)
    store.discard(ADA, "new-key")
    assert store.find(ADA, "new-key") is None


def test_one_person_or_key_keeps_so_many_and_none_that_is_too_long(tmp_path: Path) -> None:
    store = DraftStore(tmp_path, derive_fernet([Fernet.generate_key()], b"drafts"))
    other = Deployment(ADA.base_url, "two", holder_id="abe")
    store.keep(other, "old", TYPED)
    store.keep(ADA, "old", TYPED)
    for one in tmp_path.iterdir():
        old = time.time() - 60
        os.utime(one, (old, old))
    for at in range(MOST_KEPT):
        claims = Deployment(ADA.base_url, "one", holder_id="ada", end_user_email=f"{at}@a.example")
        store.keep(claims, f"{at}", TYPED)
    assert len([*tmp_path.iterdir()]) == MOST_KEPT + 1
    assert store.find(ADA, "old") is None
    assert store.find(other, "old") is not None
    store.keep(other, "old", {"name": "x" * MAX_BYTES})
    assert store.find(other, "old") is None


def test_a_folder_that_cannot_be_written_to_keeps_none(tmp_path: Path) -> None:
    (tmp_path / "drafts").write_text("a file")
    store = DraftStore(tmp_path / "drafts", derive_fernet([Fernet.generate_key()], b"drafts"))
    store.keep(ADA, "new-key", TYPED)
    assert store.find(ADA, "new-key") is None
    store.discard(ADA, "new-key")


def test_a_form_brings_back_what_was_typed_until_it_is_discarded(
    open_page: OpenPage, service: RunningService
) -> None:
    signed_in = Deployment(service.address, service.key("Drafters"), holder_id="drafter", role="owner")
    tab = {"people-tab": "API keys"}
    page = open_page("people", signed_in_to=signed_in, **tab)
    page.text_input(key="new-key/name").set_value("Nightly export").run()
    page = open_page("people", signed_in_to=signed_in, **tab)
    assert page.text_input(key="new-key/name").value == "Nightly export"
    assert page.selectbox(key="new-key/role").value == "reader"
    page.button(key="new-key-discard").click().run()
    assert not page.text_input(key="new-key/name").value
    assert not open_page("people", signed_in_to=signed_in, **tab).text_input(key="new-key/name").value
    page.text_input(key="new-key/name").set_value("Weekly export").run()
    page.button(key="new-key-button").click().run()
    assert not open_page("people", signed_in_to=signed_in, **tab).text_input(key="new-key/name").value
