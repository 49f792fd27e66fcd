"""Walks through all records of a list, page by page. No I/O: it says which call is next."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from ..contract.page import ListPage
from .errors import UnexpectedReply
from .reply import read_as
from .request import Call, list_query

if TYPE_CHECKING:
    from ..contract.webhooks import WebhookEvent

Record = TypeVar("Record")

MAX_RECORDS = 1_000_000
"""The most records of a walk, even where the service has more."""


@dataclass(frozen=True, slots=True)
class EventPage:
    """A page of records of deliveries, newest first; `more` says that older ones follow."""

    data: "list[WebhookEvent]"
    more: bool


@dataclass(frozen=True, slots=True)
class Piece(Generic[Record]):
    """Consecutive records of a list; `is_last` says that none follow, `next` where they begin in a list that
    has places instead of numbers."""

    records: Sequence[Record]
    is_last: bool
    next: str | None = None


Listing = Callable[[int, str | None], Call[Piece[Record]]]
"""All records of a list, to walk through: the call for those after so many, or in a list that grows at its
start for those from a place on, which is None for the first."""


@dataclass(slots=True)
class Walk(Generic[Record]):
    """A walk from the first record on. It ends with the last piece, an empty one, or one that leads back to
    where it began."""

    records: Listing[Record]
    at_most: int = MAX_RECORDS
    seen: int = 0
    place: str | None = None
    has_ended: bool = False

    def next_call(self) -> Call[Piece[Record]] | None:
        """The call for the next piece, None at the end."""
        if self.has_ended or self.seen >= self.at_most:
            return None
        return self.records(self.seen, self.place)

    def take(self, piece: Piece[Record]) -> Sequence[Record]:
        """The records of the piece that the last call brought."""
        left = self.at_most - self.seen
        self.seen += len(piece.records)
        leads_back = piece.next is not None and piece.next == self.place
        self.has_ended = piece.is_last or not piece.records or leads_back
        self.place = piece.next
        return piece.records[:left]


@dataclass(frozen=True, slots=True)
class PagedList(Generic[Record]):
    """A list of the interface, whose pages have a shape."""

    template: str
    shape: type[ListPage[Record]]
    caches_body: bool = False

    def page(
        self,
        query: Mapping[str, object],
        limit: int | None,
        offset: int | None,
        *,
        values: tuple[str, ...] = (),
    ) -> Call[ListPage[Record]]:
        """The call for one page; `values` fill the `{}` of the path."""
        parameters, read = list_query(query, limit, offset), read_as(self.shape)
        return Call("GET", self.template, values, read, query=parameters, caches_body=self.caches_body)

    def all(
        self, query: Mapping[str, object], page_size: int, *, values: tuple[str, ...] = ()
    ) -> Listing[Record]:
        """All its records, by pages."""
        return lambda offset, _: self.page(query, page_size, offset, values=values).then(
            lambda page: piece_of(page, page_size, offset)
        )


def piece_of(page: ListPage[Record], limit: int, offset: int) -> Piece[Record]:
    """The records of the page that was asked for with this limit and offset.

    The last page is one that is not full, or that reaches `total`. A service may put fewer records on a page
    than asked for, and says so in `pagination.limit`. UnexpectedReply when it answers with another page than
    the one asked for, so that a walk always ends.
    """
    place = page.pagination
    if place.offset != offset:
        raise UnexpectedReply(f"Asked for records from {offset} on, got them from {place.offset}.")
    is_full = len(page.data) >= min(limit, place.limit)
    return Piece(page.data, is_last=not is_full or offset + len(page.data) >= place.total)
