"""An answer is kept for a moment, and never longer than what it says is true in this process."""

import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.catalog.remembered import KEPT_SECONDS, MOST_ANSWERS, MOST_BYTES, RecentAnswers
from app.service.context import Context
from app.service.database.tables.access import organisation

HERE = b"/v1/catalog/companies?limit=1"


class Clock:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def keep(recent: RecentAnswers, address: bytes = HERE, body: bytes = b"{}", writes: int = 0) -> None:
    recent.keep(address, body, '"tag"', made_at=recent.now(), writes=writes)


def test_an_answer_is_given_again_until_its_moment_is_over() -> None:
    clock = Clock()
    recent = RecentAnswers(clock)
    keep(recent)
    clock.time += KEPT_SECONDS
    kept = recent.recall(HERE, 0)
    assert kept
    assert (kept.body, kept.tag) == (b"{}", '"tag"')
    clock.time += 0.01
    assert recent.recall(HERE, 0) is None


def test_an_answer_made_before_a_write_is_not_given_after_it() -> None:
    recent = RecentAnswers(Clock())
    keep(recent, writes=4)
    assert recent.recall(HERE, 5) is None
    assert recent.recall(HERE, 4) is None


def test_only_so_much_is_kept() -> None:
    recent = RecentAnswers(Clock())
    for number in range(MOST_ANSWERS + 10):
        keep(recent, str(number).encode())
    assert recent.recall(b"9", 0) is None
    assert recent.recall(b"10", 0)
    keep(recent, b"large", bytes(MOST_BYTES))
    assert recent.recall(b"large", 0)
    assert recent.recall(b"10", 0) is None
    keep(recent, b"too large", bytes(MOST_BYTES + 1))
    assert recent.recall(b"too large", 0) is None


def test_a_page_read_again_is_the_same_page(api: TestClient) -> None:
    first = api.get("/v1/catalog/companies", params={"limit": 1})
    again = api.get("/v1/catalog/companies", params={"limit": 1})
    assert again.content == first.content
    assert {**again.headers, "x-request-id": ""} == {**first.headers, "x-request-id": ""}
    unchanged = {"If-None-Match": first.headers["etag"]}
    assert api.get("/v1/catalog/companies", params={"limit": 1}, headers=unchanged).status_code == 304


def test_a_kept_page_is_still_guarded(api: TestClient) -> None:
    assert api.get("/v1/catalog/companies").status_code == 200
    assert api.get("/v1/catalog/companies", headers={"Authorization": "Bearer none"}).status_code == 401
    assert api.get("/v1/catalog/companies", headers={"x-svc-end-user-ip": "nowhere"}).status_code == 400


def test_an_error_is_not_kept(api: TestClient) -> None:
    unknown = "/v1/catalog/companies/018f2c5e-7b1a-7c3d-9e4f-000000000001"
    assert api.get(unknown).json()["trace"] != api.get(unknown).json()["trace"]


def test_every_writing_transaction_is_counted(context: Context) -> None:
    before = context.database.writes
    with context.database.writing() as connection:
        connection.execute(sa.select(organisation.c.id))
    with context.database.reading() as connection:
        connection.execute(sa.select(organisation.c.id))
    assert context.database.writes == before + 1
