"""The story of an organisation is made once: begun, resumed by the next start, complete, or removed."""

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.access.keys import find_key_holder, hash_key
from app.service.catalog.entries import company_row
from app.service.context import Context
from app.service.database.tables import company, sample_story, scope
from app.service.ids import new_id
from app.service.sample import ensure_sample
from app.service.sample.story_state import RESUMABLE_TIME, begin_story, finish_story
from tests.service.conftest import key_for

ORGANISATION = "Acme"


@pytest.fixture
def supplier(context: Context) -> None:
    with context.database.writing() as connection:
        row = company_row(new_id(), "Invented", context.clock(), sample=True, details={})
        connection.execute(company.insert().values(**row))


def _is_in_use(context: Context, key: str) -> bool:
    with context.database.reading() as connection:
        found = find_key_holder(connection, hash_key(key), context.clock())
    return found is not None and found[0].sample


def test_without_sample_suppliers_there_is_no_story(context: Context) -> None:
    assert begin_story(context, ORGANISATION) is None


@pytest.mark.usefixtures("supplier")
def test_a_story_that_was_interrupted_is_resumed_with_its_dates(api: TestClient, context: Context) -> None:
    first = begin_story(context, ORGANISATION)
    assert first is not None
    answer = api.delete("/v1/sample")
    assert (answer.status_code, answer.headers["retry-after"]) == (409, "60")
    second = begin_story(context, ORGANISATION)
    assert second is not None
    assert (second.key_id, second.started_at) == (first.key_id, first.started_at), "answers repeat by the key"
    assert not _is_in_use(context, first.key), "the start that was there before is over"
    assert _is_in_use(context, second.key)
    finish_story(context, second)
    assert not _is_in_use(context, second.key)
    assert begin_story(context, ORGANISATION) is None
    assert api.delete("/v1/sample").json()["suppliers"] == 1
    assert begin_story(context, ORGANISATION) is None
    assert not ensure_sample(context), "the catalog does not come back either"


@pytest.mark.usefixtures("supplier")
def test_a_story_whose_answers_are_forgotten_is_made_anew(api: Any, context: Context) -> None:
    first = begin_story(context, ORGANISATION)
    assert first is not None
    api.headers["Authorization"] = f"Bearer {first.key}"
    api.post("/v1/scope/from-document", json={"fileUrl": "https://invented.example/quote.pdf"})
    long_ago = context.clock() - RESUMABLE_TIME - timedelta(minutes=1)
    with context.database.writing() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(scope)) == 1
        connection.execute(sample_story.update().values(started_at=long_ago))
    second = begin_story(context, ORGANISATION)
    assert second is not None
    assert second.key_id != first.key_id
    assert second.started_at > long_ago + RESUMABLE_TIME
    with context.database.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(scope)) == 0


@pytest.mark.usefixtures("supplier")
def test_an_organisation_with_data_of_its_own_gets_no_story(api: TestClient, context: Context) -> None:
    key_for(context, ORGANISATION)
    api.post("/v1/scope/from-document", json={"fileUrl": "https://invented.example/quote.pdf"})
    assert begin_story(context, ORGANISATION) is None
