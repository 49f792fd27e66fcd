"""A file of several quotes becomes a scope for each of them, once."""

import json
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.database.tables import event, scope
from app.service.scopes import scope_documents
from app.service.scopes.jobs import extract_document
from tests.reader_training.generated import GeneratedDocument
from tests.reader_training.generator import generate


@pytest.fixture(scope="module")
def document() -> GeneratedDocument:
    return generate("several_quotes", 1_000_000)


def _upload(api: TestClient, document: GeneratedDocument) -> str:
    files = {"file": (document.filename, document.content)}
    scope_id: str = api.post("/v1/scope/from-document", files=files).json()["scopeId"]
    return scope_id


def _read(api: TestClient, scope_id: str) -> dict[str, Any]:
    reading: dict[str, Any] = api.get(f"/v1/scope/{scope_id}/document").json()
    return reading


def _count_scopes_and_events(context: Context) -> tuple[int, list[str]]:
    with context.database.reading() as connection:
        scopes = connection.scalar(sa.select(sa.func.count()).select_from(scope)) or 0
        bodies = connection.scalars(sa.select(event.c.body))
        return scopes, sorted(json.loads(body)["data"]["scopeId"] for body in bodies)


@pytest.mark.campaign
def test_each_quote_becomes_a_scope_once(
    api: TestClient, context: Context, document: GeneratedDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _upload(api, document)
    truth = document.truth["quotes"]

    def interrupt(*_: object, **__: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(
            scope_documents, "record_changes", interrupt
        )  # the last thing that is written of a quote
        with pytest.raises(SystemExit):
            extract_document(context, first)
    assert _count_scopes_and_events(context) == (1, [])
    for _ in range(2):
        extract_document(context, first)

    quotes = _read(api, first)["quotes"]
    assert quotes[0]["scopeId"] == first
    assert [(one["documentNumber"], one["total"]) for one in quotes] == [
        (one["document_number"], one["total"]) for one in truth
    ]
    scope_ids = [one["scopeId"] for one in quotes]
    assert _count_scopes_and_events(context) == (len(truth), sorted(scope_ids))
    for quote, stated in zip(quotes, truth, strict=True):
        reading = _read(api, quote["scopeId"])
        assert reading["quotes"] == quotes
        assert len(reading["lines"]) == len(stated["line_items"])
        assert [page["number"] for page in reading["pages"]] == quote["pages"]
        assert reading.get("duplicateOf", []) == []
        read = api.get(f"/v1/scope/{quote['scopeId']}").json()
        assert read["scopeTerms"][0]["finalPrice"] == stated["net_total"]
        assert read["documentProcessing"]["status"] == "completed"
    listed = api.get("/v1/scope").json()["data"]
    for one in listed:
        [number] = [quote["documentNumber"] for quote in quotes if quote["scopeId"] == one["id"]]
        assert one["name"].endswith(f"({number})")

    again = _upload(api, document)
    extract_document(context, again)
    for earlier, later in zip(quotes, _read(api, again)["quotes"], strict=True):
        duplicates = _read(api, later["scopeId"])["duplicateOf"]
        assert [one["scopeId"] for one in duplicates] == [earlier["scopeId"]]
