"""Who changed what: `/v1/audit`, an extension; see `openapi.offered_operations`."""

from collections.abc import Mapping
from typing import Unpack

from ...contract.audit import AuditEntry, AuditFilter, AuditListQuery, AuditPage, AuditQuery
from ...contract.page import MAX_LIMIT
from ..paging import ChainedRecords, Piece
from ..reply import FileContent
from ..request import Call, list_query
from .files import get_file
from .resource import DispatcherT, Resource, get, iteration, operation


class Audit(Resource[DispatcherT]):
    """The audit log of the organisation. Its calls take the role admin."""

    @operation
    def list(self, *, limit: int | None = None, **query: Unpack[AuditListQuery]) -> Call[AuditPage]:
        """A page of entries, the newest first; its `next` is the `before` of the one that follows. With
        `after`, entries in the order of their numbers; its `last` is the `after` of the one that follows.
        ValueError for a time without a zone."""
        return _list(query, limit)

    @iteration
    def iter(self, *, page_size: int = MAX_LIMIT, **query: Unpack[AuditFilter]) -> ChainedRecords[AuditEntry]:
        """Every entry, page by page, the newest first. What is added meanwhile is not among them."""

        def piece_from(place: str | None) -> Call[Piece[AuditEntry]]:
            return _list({**query, "before": place}, page_size).then(
                lambda page: Piece(page.data, is_last=page.next is None, next=page.next)
            )

        return ChainedRecords(piece_from)

    @operation
    def export_csv(self, **query: Unpack[AuditQuery]) -> Call[FileContent]:
        """The newest 10,000 entries as CSV. ValueError for a time without a zone."""
        return get_file("/v1/audit.csv", query=list_query(query, None, None))


def _list(query: Mapping[str, object], limit: int | None) -> Call[AuditPage]:
    return get("/v1/audit", AuditPage, query=list_query(query, limit, None))
