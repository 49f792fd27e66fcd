"""An unchanged body is confirmed, not sent again, and never given to another identity."""

import pytest

from app.client import ApiClient, Credentials, EndUser, UnexpectedReply
from app.client.errors import Answer
from app.client.etags import BodyCache
from app.client.redaction import Headers
from tests.client import records
from tests.client.conftest import API_KEY
from tests.client.flavours import Connect
from tests.client.records import ID, OTHER_ID
from tests.client.scripted import Received, Says, ScriptedService


class Versioned:
    """Each identity's own company, with an ETag and 304 while it is unchanged."""

    def __init__(self) -> None:
        self.version = 1

    def __call__(self, request: Received) -> Says:
        whose = request.headers.get("authorization", "") + request.headers.get(
            "x-svc-end-user-identifier", ""
        )
        # One tag for everybody: a client that mixed identities up would show the first one's body.
        tag = f'"v{self.version}"'
        headers = {"etag": tag, "cache-control": "private, max-age=60"}
        if request.headers.get("if-none-match") == tag:
            return Says(304, b"", headers)
        return Says(200, records.company(whose=whose, version=self.version), headers)


def test_an_unchanged_body_is_not_sent_again(service: ScriptedService, parley: ApiClient) -> None:
    service.reply = Versioned()
    first = parley.catalog.company(ID)
    second = parley.catalog.company(ID)
    assert first == second
    assert [request.headers.get("if-none-match") for request in service.received] == [None, '"v1"']
    assert parley.calls[-1].unchanged
    assert parley.calls[-1].bytes == 0


def test_a_changed_body_replaces_the_remembered_one(service: ScriptedService, parley: ApiClient) -> None:
    service.reply = versioned = Versioned()
    parley.catalog.company(ID)
    versioned.version = 2
    assert (parley.catalog.company(ID).model_extra or {})["version"] == 2
    assert (parley.catalog.company(ID).model_extra or {})["version"] == 2
    assert service.received[-1].headers["if-none-match"] == '"v2"'


def test_one_identity_never_gets_what_another_received(service: ScriptedService, parley: ApiClient) -> None:
    service.reply = Versioned()
    other_key = parley.acting_for(Credentials("another-key"))
    other_user = parley.acting_for(Credentials(API_KEY, EndUser(identifier="u-8")))
    for _ in range(2):
        assert (parley.catalog.company(ID).model_extra or {})["whose"] == f"Bearer {API_KEY}"
        assert (other_key.catalog.company(ID).model_extra or {})["whose"] == "Bearer another-key"
        assert (other_user.catalog.company(ID).model_extra or {})["whose"] == f"Bearer {API_KEY}u-8"
    tags = [request.headers.get("if-none-match") for request in service.received]
    assert tags == [None] * 3 + ['"v1"'] * 3


def test_another_query_is_another_body(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(200, records.page([]), {"etag": '"1"'}))
    parley.catalog.companies(limit=5)
    parley.catalog.companies(limit=6)
    assert "if-none-match" not in service.received[1].headers


def test_two_clients_remember_nothing_of_each_other(
    service: ScriptedService, parley: ApiClient, connect: Connect
) -> None:
    service.reply = Versioned()
    parley.catalog.company(ID)
    with connect(service.address, api_key=API_KEY) as other:
        other.catalog.company(ID)
    assert "if-none-match" not in service.received[1].headers


def test_what_must_not_be_stored_is_not(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(200, records.company(), {"etag": '"1"', "cache-control": "No-Store"}))
    parley.catalog.company(ID)
    parley.catalog.company(ID)
    assert "if-none-match" not in service.received[1].headers


def test_an_answer_that_could_not_be_read_is_not_remembered(
    service: ScriptedService, parley: ApiClient
) -> None:
    service.script(Says(200, {"not": "a company"}, {"etag": '"1"'}), Says(200, records.company()))
    with pytest.raises(UnexpectedReply):
        parley.catalog.company(ID)
    parley.catalog.company(ID)
    assert "if-none-match" not in service.received[1].headers


def test_a_304_that_was_not_asked_for_is_no_answer(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(304, b"", {"etag": '"1"'}))
    with pytest.raises(UnexpectedReply, match="304"):
        parley.catalog.company(ID)


def answer(size: int, tag: str = '"1"') -> Answer:
    return Answer(200, Headers({"etag": tag}), b"x" * size)


def test_only_so_many_answers_are_kept_and_the_one_used_longest_ago_goes() -> None:
    bodies = BodyCache(entries=2)
    bodies.store(("me", ID), answer(1))
    bodies.store(("me", OTHER_ID), answer(2))
    assert bodies.get(("me", ID))
    bodies.store(("me", "third"), answer(3))
    assert bodies.get(("me", OTHER_ID)) is None
    assert bodies.get(("me", ID))


def test_only_so_many_bytes_are_kept() -> None:
    bodies = BodyCache(total_bytes=100)
    for number in range(10):
        bodies.store(("me", str(number)), answer(30))
    kept = [number for number in range(10) if bodies.get(("me", str(number)))]
    assert kept == [7, 8, 9]
    bodies.store(("me", "huge"), answer(101))
    assert not any(bodies.get(("me", name)) for name in ("7", "8", "9", "huge"))
    bodies.store(("me", "small"), answer(100))
    assert bodies.get(("me", "small"))
