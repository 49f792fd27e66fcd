"""Uploaded files: `/v1/files`; and those that are imported: `/v1/imports`, an extension; see
`openapi.offered_operations`."""

import mimetypes
from email.message import Message
from pathlib import Path
from typing import BinaryIO, Unpack

from ...contract.files import UploadedFile
from ...contract.imports import Import, ImportQuery, ImportRows, NewImport
from ...contract.page import MAX_LIMIT, ListPage
from ..errors import Answer
from ..paging import Listing, PagedList
from ..reply import FileContent
from ..request import Call, Query, Upload, escape_path
from .resource import DispatcherT, Resource, delete, get, iteration, operation, post

Content = bytes | Path | BinaryIO
"""The content of an upload. A stream is read to its end at once, because a try may have to be repeated."""


class Files(Resource[DispatcherT]):
    """Files that scopes are read from and negotiations refer to."""

    @operation
    def upload(
        self,
        content: Content,
        *,
        filename: str | None = None,
        mime_type: str | None = None,
        idempotency_key: str | None = None,
    ) -> Call[UploadedFile]:
        """Store a file. TooLarge above the service's limit, UnsupportedMedia for content of another type."""
        upload = as_upload(content, filename, mime_type)
        return post("/v1/files/upload", UploadedFile, upload=upload, key=idempotency_key)

    def address(self, file_id: str) -> str:
        """The address of an uploaded file, as `scopes.from_document` takes it."""
        return self.base_url + escape_path("/v1/files/{}", (file_id,))

    # An extension: a deployment may lack it, see `openapi.offered_operations`.

    @operation
    def content(self, file_id: str) -> Call[FileContent]:
        """The content of an uploaded file. NotFound for another organisation's."""
        return get_file("/v1/files/{}", file_id)


def as_upload(content: Content, filename: str | None, mime_type: str | None) -> Upload:
    """The upload of `content`; without a name and type they are taken from its path."""
    if isinstance(content, Path):
        name = filename or content.name
    else:
        name = filename or Path(str(getattr(content, "name", ""))).name or "document"
        content = content if isinstance(content, bytes) else content.read()
    return Upload(content, name, mime_type or mimetypes.guess_type(name)[0] or "application/octet-stream")


def get_file(template: str, *values: str, query: Query | None = None) -> Call[FileContent]:
    """The call that reads the bytes of a file, with the type and name that the service gives them."""
    return Call("GET", template, values, _read_file, query=query or {}, accept="*/*")


def _read_file(answer: Answer) -> FileContent:
    disposition = Message()
    disposition["content-disposition"] = answer.headers.get("content-disposition", "")
    mime_type = answer.headers.get("content-type", "application/octet-stream").partition(";")[0].strip()
    return FileContent(answer.body, mime_type, disposition.get_filename())


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
    def iter(self, *, page_size: int = MAX_LIMIT, **query: Unpack[ImportQuery]) -> Listing[Import]:
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
