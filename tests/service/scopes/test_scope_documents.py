"""Scopes from documents: accepted, read in the background, then completed or failed with a reason."""

import hashlib
import json
from dataclasses import replace
from ipaddress import ip_network
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.database.tables import event, task
from app.service.scopes.jobs import extract_document, fetch_document
from tests.service.webhooks.receivers import serving, status

LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
QUOTE = (
    b"description,quantity,unit price,amount\n"
    b"Analytics Suite,10,100.00,1000.00\nHelp,2,50.00,100.00\nNet total,,,1100.00\n"
)
CUT = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog"


def _started(api: TestClient, content: bytes = QUOTE, name: str = "quote.csv", **form: str) -> str:
    answer = api.post("/v1/scope/from-document", files={"file": (name, content)}, data=form)
    assert answer.status_code == 201, answer.text
    scope_id: str = answer.json()["scopeId"]
    return scope_id


def _events(context: Context) -> list[dict[str, Any]]:
    with context.database.reading() as connection:
        return [json.loads(body) for body in connection.scalars(sa.select(event.c.body))]


def _tasks(context: Context) -> int:
    with context.database.reading() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(task)) or 0


@pytest.mark.parametrize(
    "content",
    [
        b"description,quantity,unit price,amount\n"
        b"Suite,10,EUR 100.00,EUR 1000.00\nHelp,2,USD 50.00,USD 100.00\n",
        b"description,currency,quantity,unit price,amount\n"
        b"Suite,EUR,10,100.00,1000.00\nHelp,GBP,2,50.00,100.00\n",
    ],
    ids=["beside the amounts", "in a column"],
)
def test_lines_in_two_currencies_fail_with_a_reason(
    api: TestClient, context: Context, content: bytes
) -> None:
    scope_id = _started(api, content)
    extract_document(context, scope_id)
    scope = api.get(f"/v1/scope/{scope_id}").json()
    assert scope["documentProcessing"]["status"] == "failed"
    assert "EUR and " in scope["documentProcessing"]["error"]
    assert scope["scopeTerms"] == []
    [event_sent] = _events(context)
    assert event_sent["data"]["status"] == "failed"
    assert "one currency" in event_sent["data"]["errorMessage"]


def test_a_scope_has_no_terms_until_its_document_is_read(api: TestClient, context: Context) -> None:
    scope = api.get(f"/v1/scope/{_started(api)}").json()
    assert scope["source"] == "document"
    assert scope["scopeTerms"] == scope["productTerms"] == []
    assert scope["documentProcessing"]["status"] == "pending"
    assert scope["documentProcessing"]["filename"] == "quote.csv"
    assert scope["documentProcessing"]["mimeType"] == "text/csv"
    assert _tasks(context) == 1


def test_a_read_document_completes_the_scope_with_every_line(api: TestClient, context: Context) -> None:
    scope_id = _started(api, purchaseType="renewal")
    extract_document(context, scope_id)
    scope = api.get(f"/v1/scope/{scope_id}").json()
    assert scope["documentProcessing"]["status"] == "completed"
    assert scope["scopeTerms"] == [
        {"termLength": 12, "termAssumed": True, "purchaseType": "renewal", "finalPrice": 1100}
    ]
    reading = api.get(f"/v1/scope/{scope_id}/document").json()
    assert len(reading["lines"]) == 2
    # Nothing of it is priced by an assumed term before the products are known.
    assert not any("12 months" in warning for warning in reading["warnings"])
    assert _events(context) == [
        {"eventType": "scope.extracted", "data": {"scopeId": scope_id, "status": "completed"}}
    ]
    assert _tasks(context) == 0


def test_reading_twice_emits_one_event(api: TestClient, context: Context) -> None:
    scope_id = _started(api)
    extract_document(context, scope_id)
    extract_document(context, scope_id)
    assert len(_events(context)) == 1


def test_a_document_that_cannot_be_read_fails_with_a_reason(api: TestClient, context: Context) -> None:
    scope_id = _started(api, CUT, "cut.pdf")
    extract_document(context, scope_id)
    processing = api.get(f"/v1/scope/{scope_id}").json()["documentProcessing"]
    assert processing["status"] == "failed"
    assert processing["error"]
    assert _events(context)[0]["data"] == {
        "scopeId": scope_id,
        "status": "failed",
        "errorMessage": processing["error"],
    }
    assert _tasks(context) == 0
    assert api.get(f"/v1/scope/{scope_id}/document").status_code == 404


def test_an_uploaded_file_can_be_given_by_its_address(api: TestClient) -> None:
    file_id = api.post("/v1/files/upload", files={"file": ("q.csv", QUOTE)}).json()["id"]
    answer = api.post("/v1/scope/from-document", json={"fileUrl": f"http://testserver/v1/files/{file_id}"})
    assert answer.status_code == 201


@pytest.mark.parametrize(
    "url",
    [
        "http://testserver/v1/files/018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f",
        "file:///etc/passwd",
        "gopher://example.com/",
        "http://user:secret@example.com/q.pdf",
        "http://example.com:99999/q.pdf",
        "quote.pdf",
        "",
    ],
)
def test_a_foreign_address_that_cannot_be_fetched_is_400(api: TestClient, url: str) -> None:
    answer = api.post("/v1/scope/from-document", json={"fileUrl": url})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "/fileUrl"


def test_another_organisations_file_is_400(api: TestClient, stranger: TestClient) -> None:
    file_id = api.post("/v1/files/upload", files={"file": ("q.csv", QUOTE)}).json()["id"]
    answer = stranger.post(
        "/v1/scope/from-document", json={"fileUrl": f"http://testserver/v1/files/{file_id}"}
    )
    assert answer.status_code == 400


@pytest.mark.parametrize("body", [{}, {"purchaseType": "renewal"}, {"fileUrl": "http://a.example/", "x": 1}])
def test_a_body_without_a_document_or_with_an_unknown_key_is_400(
    api: TestClient, body: dict[str, Any]
) -> None:
    assert api.post("/v1/scope/from-document", json=body).status_code == 400


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"])
def test_a_document_on_this_machine_is_never_fetched_though_webhooks_may_go_there(
    api: TestClient, context: Context, host: str
) -> None:
    webhooks_only = replace(context, settings=context.settings.model_copy(update={"webhook_allow": LOOPBACK}))
    with serving(status(200, "content-type: text/csv\r\n", QUOTE.decode()), path="/quote.csv") as site:
        url = site.url.replace("127.0.0.1", host)
        scope_id = api.post("/v1/scope/from-document", json={"fileUrl": url}).json()["scopeId"]
        fetch_document(webhooks_only, scope_id)
        assert site.received == []
    processing = api.get(f"/v1/scope/{scope_id}").json()["documentProcessing"]
    assert processing["status"] == "failed"
    assert "could not be fetched" in processing["error"]


def test_a_document_in_a_range_that_the_deployment_names_is_fetched(
    api: TestClient, context: Context
) -> None:
    allowing = replace(context, settings=context.settings.model_copy(update={"fetch_allow": LOOPBACK}))
    with serving(status(200, "content-type: text/csv\r\n", QUOTE.decode()), path="/quote.csv") as site:
        scope_id = api.post("/v1/scope/from-document", json={"fileUrl": site.url}).json()["scopeId"]
        fetch_document(allowing, scope_id)
    extract_document(context, scope_id)
    assert api.get(f"/v1/scope/{scope_id}").json()["documentProcessing"]["status"] == "completed"


def _quote(number: str, *, supplier: str = "Acme Cloud Inc.", amount: int = 100) -> bytes:
    head = f"Supplier,{supplier}\nQuote number,{number}\nCurrency,USD\n\n"
    return f"{head}description,quantity,unit price,amount\nSuite,1,{amount}.00,{amount}.00\n".encode()


@pytest.mark.campaign
def test_a_quote_that_was_read_before_names_the_earlier_scopes(
    api: TestClient, stranger: TestClient, context: Context
) -> None:
    def read(client: TestClient, content: bytes) -> str:
        scope_id = _started(client, content)
        extract_document(context, scope_id)
        return scope_id

    def earlier(client: TestClient, scope_id: str) -> list[tuple[str, bool]]:
        reading = client.get(f"/v1/scope/{scope_id}/document").json()
        assert [set(one) for one in reading["duplicateOf"]] == [
            {"scopeId", "filename", "createdOn", "sameFile"} for _ in reading["duplicateOf"]
        ]
        return [(one["scopeId"], one["sameFile"]) for one in reading["duplicateOf"]]

    read(stranger, _quote("Q-7"))
    first = read(api, _quote("Q-7"))
    assert earlier(api, first) == [], "that of another organisation is not seen"
    again = read(api, _quote("Q-7"))
    other_spelling = read(api, _quote("q-7", supplier="ACME Cloud", amount=90))
    assert earlier(api, again) == [(first, True)]
    assert earlier(api, other_spelling) == [(again, False), (first, False)]
    assert earlier(api, read(api, _quote("Q-8"))) == []
    assert earlier(api, read(api, _quote("Q-7", supplier="Nimbus Works"))) == []
    assert earlier(api, first) == [], "only earlier ones"

    sha256 = hashlib.sha256(_quote("Q-7")).hexdigest()
    listed = api.get("/v1/scope", params={"documentSha256": sha256}).json()
    assert [one["id"] for one in listed["data"]] == [again, first]
    assert api.get("/v1/scope", params={"documentSha256": "7"}).status_code == 400
    read_ones = api.get("/v1/scope", params={"documentSha256": sha256, "status": "completed"}).json()
    assert [one["id"] for one in read_ones["data"]] == [again, first]
    assert api.get("/v1/scope", params={"documentSha256": sha256, "status": "failed"}).json()["data"] == []
