"""A second opinion is asked once about a document, within its limits, and whatever fails changes nothing."""

import json
from dataclasses import replace
from datetime import date
from ipaddress import ip_network
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.database.tables import scope, scope_document, second_opinion, second_opinion_usage
from app.service.documents.second_opinion.question import AskedPage, AskedWord, NamedWords, Question
from app.service.scopes.jobs import extract_document
from app.service.second_opinion.asking import ask_second_opinion, find_second_opinion
from app.service.second_opinion.settings import load_settings
from tests.service.second_opinion.stand_in import answer_from, draw_quote, wait_a_second
from tests.service.webhooks.receivers import Answering, babble, flood, reset, serving, status

KEY = "sk-the-key-of-acme"
QUESTION = Question(("total",), False, (AskedPage(1, ((AskedWord(29, "2,450.00", 90),),)),))


@pytest.fixture
def allowing(context: Context) -> Context:
    """A deployment that lets second opinions be asked on this machine."""
    allowed = {"second_opinion_allow": (ip_network("127.0.0.0/8"),)}
    return replace(context, settings=context.settings.model_copy(update=allowed))


def turn_on(api: TestClient, url: str, **settings: Any) -> None:
    body = {"enabled": True, "address": url, "model": "small-model", "key": KEY, **settings}
    answer = api.patch("/v1/second-opinion", json=body)
    assert answer.status_code == 200, answer.text


def upload(api: TestClient) -> str:
    answer = api.post("/v1/scope/from-document", files={"file": ("quote.pdf", draw_quote())})
    scope_id: str = answer.json()["scopeId"]
    return scope_id


def find_organisation(context: Context, scope_id: str) -> str:
    with context.database.reading() as connection:
        found: str = connection.scalars(
            sa.select(scope.c.organisation_id).where(scope.c.id == scope_id)
        ).one()
    return found


def read_again(context: Context, scope_id: str, **lost: object) -> None:
    """What a worker does after another one was killed while it read."""
    with context.database.writing() as connection:
        of_scope = scope_document.c.scope_id == scope_id
        connection.execute(scope_document.update().where(of_scope).values(status="processing"))
        if lost:
            connection.execute(second_opinion.update().values(**lost))
    extract_document(context, scope_id)


@pytest.mark.campaign
def test_a_quote_is_read_with_the_words_that_a_second_opinion_names(
    api: TestClient, allowing: Context
) -> None:
    with serving(answer_from("names_the_lines"), path="/v1") as service:
        turn_on(api, service.url, enabled=False)
        alone = upload(api)
        extract_document(allowing, alone)
        assert service.received == []
        before = api.get(f"/v1/scope/{alone}/document").json()
        assert "secondOpinion" not in before

        turn_on(api, service.url)
        scope_id = upload(api)
        extract_document(allowing, scope_id)
        [request] = service.received
        assert request.path == "/v1/chat/completions"
        assert request.headers["authorization"] == f"Bearer {KEY}"
        sent = {"action": "service.askSecondOpinion", "objectId": scope_id}
        [entry] = api.get("/v1/audit", params=sent).json()["data"]
        assert entry["summary"] == "Send pages of a document for a second opinion to 127.0.0.1"
        assert entry["askedBy"]["kind"] == "key"
        [page] = json.loads(json.loads(request.body)["messages"][1]["content"])["pages"]
        assert page["rows"][4] == [["w28", "Total", 50], ["w29", "2,450.00", 284]]

        document = api.get(f"/v1/scope/{scope_id}/document").json()
        assert [len(one["lines"]) for one in (before, document)] == [2, 4]
        added = {value["name"]: value for value in document["lines"][2]["values"]}
        assert added["amount"]["value"] == 300
        assert added["amount"].get("sure") is not True
        opinion = document["secondOpinion"]
        assert opinion.pop("askedAt")
        [sentence] = opinion.pop("sentences")
        assert sentence.startswith("It reads 4 lines instead of 2")
        assert opinion == {
            "status": "answered",
            "address": service.url,
            "model": "small-model",
            "askedAbout": ["net_total", "tax_total", "total", "lines"],
            "pageNumbers": [1],
            "wordCount": 44,
        }

        with serving(answer_from("obeys_the_document"), path="/v1") as obedient:
            turn_on(api, obedient.url)
            directed = upload(api)
            extract_document(allowing, directed)
            assert len(obedient.received) == 1
        turn_on(api, service.url)
        unmoved = api.get(f"/v1/scope/{directed}/document").json()
        assert [unmoved[part] for part in ("values", "lines", "warnings")] == [
            before[part] for part in ("values", "lines", "warnings")
        ]
        assert "which does not add up: the reading was left" in unmoved["secondOpinion"]["sentences"][0]

        # Killed after the answer was stored: it costs nothing. Killed before: it is asked once more.
        read_again(allowing, scope_id)
        assert len(service.received) == 1
        read_again(allowing, scope_id, status="asked", named=None)
        assert len(service.received) == 2
        read_again(allowing, scope_id, status="asked", named=None)
        assert len(service.received) == 2
        assert api.get("/v1/second-opinion").json()["callsToday"] == 3
    again = api.get(f"/v1/scope/{scope_id}/document").json()
    assert len(again["lines"]) == 2
    assert again["secondOpinion"]["sentences"][0] == "It was asked twice, and the answer was lost both times."


FAILURES: list[tuple[Answering, str]] = [
    (answer_from("names_words_that_were_not_sent"), "names words that were not sent"),
    (answer_from("states_values"), "names no words of the page"),
    (answer_from("answers_in_prose"), "names no words of the page"),
    (status(200, "", "{}"), "not the one of a chat completion"),
    (status(200, "content-encoding: gzip\r\n", "{}"), "not the one of a chat completion"),
    (status(500, "", "overloaded"), "answered 500"),
    (status(401), "answered 401"),
    (status(302, "location: http://169.254.169.254/\r\n"), "answered 302"),
    (wait_a_second, "No complete answer within 0.3 seconds"),
    (flood, "longer than 512 KiB"),
    (reset, "ended before the answer did"),
    (babble, "not valid HTTP"),
]


def test_what_fails_is_said_and_asked_no_second_time(api: TestClient, allowing: Context) -> None:
    scope_id = upload(api)
    organisation = find_organisation(allowing, scope_id)

    def ask() -> NamedWords | None:
        return ask_second_opinion(allowing, scope_id, organisation, QUESTION, timeout=0.3)

    for answering, reason in FAILURES:
        with serving(answering, path="/v1") as service:
            turn_on(api, service.url)
            assert ask() is None
            assert ask() is None
            assert len(service.received) == 1, reason
        with allowing.database.writing() as connection:
            opinion = find_second_opinion(connection, scope_id)
            connection.execute(second_opinion.delete())
        assert opinion is not None
        assert opinion.status == "failed"
        assert reason in opinion.sentences[0]
        assert opinion.sentences[-1] == "The reading was left as it was."


def test_only_addresses_that_the_deployment_allows_are_asked(api: TestClient, context: Context) -> None:
    scope_id = upload(api)
    organisation = find_organisation(context, scope_id)
    webhooks = context.settings.model_copy(update={"webhook_allow": (ip_network("127.0.0.0/8"),)})
    with serving(answer_from("names_the_lines"), path="/v1") as service:
        turn_on(api, service.url)
        refusing = replace(context, settings=webhooks)
        assert ask_second_opinion(refusing, scope_id, organisation, QUESTION) is None
        assert service.received == []
    with context.database.reading() as connection:
        opinion = find_second_opinion(connection, scope_id)
    assert opinion is not None
    assert "is a loopback address, which is not called" in opinion.sentences[0]


def test_the_calls_of_a_day_are_an_organisations_own(api: TestClient, allowing: Context) -> None:
    first, second = upload(api), upload(api)
    organisation = find_organisation(allowing, first)
    with serving(status(500), path="/v1") as service:
        turn_on(api, service.url, callsPerDay=1)
        for scope_id in (first, second):
            ask_second_opinion(allowing, scope_id, organisation, QUESTION)
        assert len(service.received) == 1
        with allowing.database.reading() as connection:
            opinion = find_second_opinion(connection, second)
        assert opinion is not None
        assert (opinion.status, opinion.asked_at) == ("not_asked", None)
        assert opinion.sentences[0] == "As many calls were made today as the organisation allows (1)."
        with allowing.database.writing() as connection:
            connection.execute(second_opinion_usage.update().values(day=date(2020, 1, 1)))
        ask_second_opinion(allowing, second, organisation, QUESTION)
        assert len(service.received) == 2


def test_a_key_is_sealed_never_shown_and_goes_to_the_host_that_it_is_for(
    api: TestClient, stranger: TestClient, context: Context
) -> None:
    assert api.get("/v1/second-opinion").json() == {
        "enabled": False, "hasKey": False, "callsPerDay": 100, "callsToday": 0,
    }  # fmt: skip
    incomplete = api.patch("/v1/second-opinion", json={"enabled": True})
    assert incomplete.status_code == 400
    assert incomplete.json()["errors"][0]["pointer"] == "/address"
    turn_on(api, "https://models.example.com/v1/")
    shown = api.get("/v1/second-opinion")
    assert KEY not in shown.text
    assert shown.json()["hasKey"] is True
    assert shown.json()["address"] == "https://models.example.com/v1"
    with context.database.reading() as connection:
        organisation = connection.scalars(
            sa.text("SELECT organisation_id FROM second_opinion_settings")
        ).one()
        stored = load_settings(connection, organisation)
    assert stored.key is not None
    assert KEY.encode() not in stored.key
    assert stranger.get("/v1/second-opinion").json()["enabled"] is False

    elsewhere = api.patch("/v1/second-opinion", json={"address": "https://thief.example.com/v1"})
    assert elsewhere.status_code == 400
    assert elsewhere.json()["errors"][0]["pointer"] == "/key"
    assert api.patch("/v1/second-opinion", json={"address": "https://models.example.com/v2"}).is_success
    for address in (
        "ftp://models.example.com",
        "https://u:p@models.example.com",
        "https://m.example.com/?a=1",
    ):
        answer = api.patch("/v1/second-opinion", json={"address": address, "key": None})
        assert answer.json()["errors"][0]["pointer"] == "/address"
    moved = api.patch("/v1/second-opinion", json={"address": "https://other.example.com", "key": None})
    assert moved.json()["hasKey"] is False
