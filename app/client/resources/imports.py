"""Files to import: `/v1/imports`, an extension; see `openapi.offered_operations`."""

from typing import Unpack

from ...contract.imports import Import, ImportQuery, ImportRows, NewImport
from ...contract.page import MAX_LIMIT, ListPage
from ..paging import AllRecords, PagedList
from ..request import Call
from .resource import DispatcherT, Resource, delete, get, iteration, operation, post

_imports = PagedList("/v1/imports", ListPage[Import])


class Imports(Resource[DispatcherT]):
    """A file is checked, confirmed, imported in the background, and can be undone for a day."""

    @operation
    def create(self, new: NewImport, *, idempotency_key: str | None = None) -> Call[Import]:
        """Check an uploaded file. It imports nothing; `get` shows when its status is `ready`."""
        return post("/v1/imports", Import, body=new, key=idempotency_key)

    @operation
    def get(self, import_id: str) -> Call[Import]:
        """An import of the caller's organisation. NotFound for any other."""
        return get("/v1/imports/{}", Import, import_id)

    @operation
    def list(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[ImportQuery]
    ) -> Call[ListPage[Import]]:
        """A page of the organisation's imports, newest first."""
        return _imports.page(query, limit, offset)

    @iteration
    def iter(self, *, page_size: int = MAX_LIMIT, **query: Unpack[ImportQuery]) -> AllRecords[Import]:
        """Every import of the organisation, page by page."""
        return _imports.all(query, page_size)

    @operation
    def rows(self, import_id: str) -> Call[ImportRows]:
        """What importing the file would put on record, its first 1,000 rows. Nothing is stored."""
        return get("/v1/imports/{}/rows", ImportRows, import_id)

    @operation
    def confirm(self, import_id: str, *, idempotency_key: str | None = None) -> Call[Import]:
        """Import the rows of a file that was checked. Conflict unless its status is `ready`."""
        return post("/v1/imports/{}/confirm", Import, import_id, key=idempotency_key)

    @operation
    def withdraw(self, import_id: str) -> Call[Import]:
        """Cancel an import that is not completed, or undo one that is. Conflict when it is too late."""
        return delete("/v1/imports/{}", Import, import_id)
