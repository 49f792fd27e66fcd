"""Iterators give every record once and come to an end whatever the service says."""

from itertools import islice
from typing import Any

import pytest

from app.client import ApiClient, UnexpectedReply
from app.client.errors import Answer
from app.client.paging import Piece, Walk
from app.client.redaction import Headers
from app.client.request import Call
from tests.client import records
from tests.client.records import ID
from tests.client.scripted import Received, Says, ScriptedService


def company(number: int) -> dict[str, Any]:
    return records.company_in_list(name=f"Company {number}", id=f"018f2c5e-7b1a-7c3d-9e4f-{number:012}")


class Catalog:
    """A list of so many companies, at most `most` to a page."""

    def __init__(self, total: int, most: int = 100, says: int | None = None) -> None:
        self.total = total
        self.most = most
        self.says = total if says is None else says

    def __call__(self, request: Received) -> Says:
        limit = min(self.most, int(request.query["limit"]))
        offset = int(request.query["offset"])
        rows = [company(number) for number in range(offset, min(self.total, offset + limit))]
        return Says(200, records.page(rows, total=self.says, limit=limit, offset=offset))


@pytest.mark.parametrize(
    ("total", "page_size", "requests"), [(0, 10, 1), (7, 10, 1), (10, 10, 1), (25, 10, 3), (30, 10, 3)]
)
def test_every_record_comes_once_in_order(
    service: ScriptedService, parley: ApiClient, total: int, page_size: int, requests: int
) -> None:
    service.reply = Catalog(total)
    names = [company.name for company in parley.catalog.iter_companies(page_size=page_size)]
    assert names == [f"Company {number}" for number in range(total)]
    assert len(service.received) == requests


def test_a_page_is_asked_for_when_its_first_record_is(service: ScriptedService, parley: ApiClient) -> None:
    service.reply = Catalog(1000)
    list(islice(parley.catalog.iter_companies(page_size=10), 10))
    assert len(service.received) == 1


def test_filters_hold_on_every_page(service: ScriptedService, parley: ApiClient) -> None:
    service.reply = Catalog(25)
    list(parley.catalog.iter_companies(name="comp", sort_order="desc", page_size=10))
    assert [request.query["name"] for request in service.received] == ["comp"] * 3
    assert [request.query["sortOrder"] for request in service.received] == ["desc"] * 3


def test_a_service_that_gives_smaller_pages_than_asked_for_is_read_to_the_end(
    service: ScriptedService, parley: ApiClient
) -> None:
    service.reply = Catalog(25, most=10)
    assert len(list(parley.catalog.iter_companies(page_size=100))) == 25


@pytest.mark.parametrize("says", [0, 10, 1_000_000])
def test_a_total_that_is_wrong_keeps_nobody_busy(
    service: ScriptedService, parley: ApiClient, says: int
) -> None:
    service.reply = Catalog(25, says=says)
    assert len(list(parley.catalog.iter_companies(page_size=10))) <= 25
    assert len(service.received) <= 3


def test_a_service_that_ignores_the_offset_is_found_out(service: ScriptedService, parley: ApiClient) -> None:
    rows = [company(number) for number in range(10)]
    service.script(Says(200, records.page(rows, total=1000)))
    with pytest.raises(UnexpectedReply, match="from 10 on"):
        list(parley.catalog.iter_companies(page_size=10))
    assert len(service.received) == 2


def test_a_list_without_end_is_left_after_so_many() -> None:
    def endless(offset: int, _: str | None) -> Call[Piece[int]]:
        return Call("GET", "/", (), lambda _: Piece(range(offset, offset + 7), is_last=False))

    walk = Walk(endless, at_most=100)
    numbers: list[int] = []
    while call := walk.next_call():
        numbers += walk.take(call.read(Answer(200, Headers(), b"")))
    assert numbers == list(range(100))


class AuditLog:
    """A log that gets an entry with each call, as it does when somebody works."""

    def __init__(self, entries: int) -> None:
        self.ids = [f"{number:08}-0000-7000-8000-000000000000" for number in range(entries)]

    def __call__(self, request: Received) -> Says:
        before = request.query.get("before")
        start = self.ids.index(before) + 1 if before else 0
        shown = self.ids[start : start + int(request.query["limit"])]
        more = {"next": shown[-1]} if shown and shown[-1] != self.ids[-1] else {}
        self.ids.insert(0, f"9{len(self.ids):07}-0000-7000-8000-000000000000")
        return Says(200, {"data": [records.audit_entry(id=one) for one in shown], **more})


def test_a_log_that_grows_meanwhile_is_read_once_to_its_end(
    service: ScriptedService, parley: ApiClient
) -> None:
    log = AuditLog(25)
    expected = [*log.ids]
    service.reply = log
    assert [entry.id for entry in parley.audit.iter(page_size=10, object_kind="scope")] == expected
    assert [request.query.get("objectKind") for request in service.received] == ["scope"] * 3


def test_a_log_that_names_the_same_place_again_keeps_nobody_busy(
    service: ScriptedService, parley: ApiClient
) -> None:
    service.reply = lambda _: Says(200, {"data": [records.audit_entry()], "next": records.ID})
    assert len(list(parley.audit.iter(page_size=1))) == 2


def test_deliveries_are_read_while_there_is_a_next_page(service: ScriptedService, parley: ApiClient) -> None:
    def deliveries(request: Received) -> Says:
        offset, limit = int(request.query["offset"]), int(request.query["limit"])
        rows = [records.webhook_event(id=f"e{number}") for number in range(offset, min(25, offset + limit))]
        link = {"link": '</v1/webhooks/w1/events?offset=9>; rel="next"'} if offset + limit < 25 else {}
        return Says(200, rows, link)

    service.reply = deliveries
    events = list(parley.webhooks.iter_events("w1", page_size=10))
    assert [event.id for event in events] == [f"e{number}" for number in range(25)]
    assert len(service.received) == 3


def test_deliveries_of_a_service_that_does_not_page_are_read_once(
    service: ScriptedService, parley: ApiClient
) -> None:
    service.script(Says(200, [records.webhook_event()] * 250))
    assert len(list(parley.webhooks.iter_events("w1"))) == 250
    assert len(service.received) == 1


def test_an_empty_page_ends_even_when_it_names_a_next(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(200, [], {"link": '<x>; rel="next"'}))
    assert list(parley.webhooks.iter_events("w1")) == []
    assert len(service.received) == 1


@pytest.mark.parametrize(
    "name", ["scopes", "negotiations", "escalations", "families", "products", "categories", "purchases"]
)
def test_every_list_has_its_iterator(service: ScriptedService, parley: ApiClient, name: str) -> None:
    iterators: dict[str, Any] = {
        "scopes": lambda: parley.scopes.iter(source="manual"),
        "negotiations": lambda: parley.negotiations.iter(status="active"),
        "escalations": lambda: parley.negotiations.iter_escalations(ID),
        "families": lambda: parley.catalog.iter_product_families(ID),
        "products": lambda: parley.catalog.iter_products(ID, sort_by="name"),
        "categories": lambda: parley.catalog.iter_categories(),
        "purchases": lambda: parley.renewals.iter_purchases(ID),
    }
    service.script(Says(200, records.page([], limit=100)))
    assert list(iterators[name]()) == []
    assert service.received[0].query["limit"] == "100"


def entry(number: int) -> dict[str, Any]:
    at = "2026-11-20T09:30:00Z"
    id = f"018f2c5e-7b1a-7c3d-9e4f-{number:012}"
    return {"id": id, "kind": "note", "happenedAt": at, "recordedAt": at, "text": f"Note {number}"}


def timeline_of(total: int, *, with_pages: bool) -> Any:
    """A timeline of so many notes, whose pages are of the newest ones in the order in which they happened."""

    def reply(request: Received) -> Says:
        if not with_pages:
            return Says(200, {**records.timeline(), "entries": [entry(number) for number in range(total)]})
        limit, offset = int(request.query["limit"]), int(request.query["offset"])
        page = [entry(number) for number in range(max(0, total - offset - limit), total - offset)]
        place = {"total": total, "limit": limit, "offset": offset}
        return Says(200, {**records.timeline(), "entries": page, "pagination": place})

    return reply


@pytest.mark.parametrize(("with_pages", "requests"), [(True, 3), (False, 1)])
def test_every_entry_of_a_timeline_comes_once_the_newest_first(
    service: ScriptedService, parley: ApiClient, with_pages: bool, requests: int
) -> None:
    service.reply = timeline_of(25, with_pages=with_pages)
    texts = [one.text for one in parley.negotiations.iter_entries(ID, page_size=10)]
    assert texts == [f"Note {number}" for number in reversed(range(25))]
    assert len(service.received) == requests
