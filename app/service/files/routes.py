"""The routes of files: upload, and download of what was uploaded."""

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Annotated, BinaryIO
from urllib.parse import quote

from fastapi import APIRouter, Depends, Path
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from app.contract.files import DOCUMENT_FORMAT_NAMES, UploadedFile
from app.contract.values import Id
from app.service.access.capacity import WorkKind, counts_as
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.files.store import find_file, save_upload
from app.service.http.conditional_get import matches_tag
from app.service.http.dependencies import ContextDep
from app.service.http.middleware import read_file_part
from app.service.http.operations import (
    FILE_ONLY,
    NOT_MODIFIED,
    extension,
    header_references,
    operation,
    problem_responses,
)
from app.service.http.problems import ApiProblem, InvalidField, not_found, require
from app.service.http.responses import NO_STORE, created_response
from app.service.storage.file_storage import PIECE, FileStorage

router = APIRouter(prefix="/v1/files", tags=["Files"], route_class=GuardedRoute)


@router.post(
    "/upload",
    **operation(
        "files.upload",
        "Upload a file",
        UploadedFile,
        status_code=201,
        description=f"Store a document, recognised by its content: {DOCUMENT_FORMAT_NAMES}."
        " A table to import may also be CSV.gz or Parquet.",
        openapi_extra=FILE_ONLY,
    ),
)
@counts_as(WorkKind.UPLOAD)
def upload(
    file: Annotated[UploadFile, Depends(read_file_part)], context: ContextDep, caller: CallerDep
) -> Response:
    stored = save_upload(context, caller, file.file, file.filename)
    return created_response(UploadedFile(id=stored.id), f"/v1/files/{stored.id}")


@router.get(
    "/{fileId}",
    **extension(
        "files.download",
        "Download a file",
        response_class=Response,
        responses={
            200: {
                "description": "The bytes as uploaded.",
                "content": {"application/octet-stream": {}},
                "headers": header_references("Content-Disposition"),
            },
            206: {
                "description": "The requested range of the bytes.",
                "content": {"application/octet-stream": {}},
                "headers": header_references("Content-Disposition", "Content-Range"),
            },
            **NOT_MODIFIED,
            **problem_responses(404, 416),
        },
    ),
)
def content(
    request: Request, file_id: Annotated[Id, Path(alias="fileId")], context: ContextDep, caller: CallerDep
) -> Response:
    """Return the bytes of a file as uploaded, or a `Range` of them, always as a download: a browser never
    opens it in this origin. A whole file is verified before any of it is sent."""
    with context.database.reading() as connection:
        stored = require(find_file(connection, caller.organisation_id, file_id), "file")
    tag = f'"{stored.sha256}"'
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(stored.filename)}",
        "X-Content-Type-Options": "nosniff",
        "ETag": tag,
        **NO_STORE,
    }
    try:
        if matches_tag(", ".join(request.headers.getlist("if-none-match")), tag):
            if context.files.stat(stored.id) is None:
                raise not_found("file")
            return Response(status_code=304, headers={"ETag": tag, **NO_STORE})
        asked = request.headers.get("range")
        is_current = request.headers.get("if-range", tag) == tag
        parts = _find_ranges(asked, stored.size) if asked is not None and is_current else []
        if len(parts) == 1:
            return _PartResponse(context.files, stored.id, stored.size, parts[0], headers)
        if asked is not None and not parts:
            # The response reads the header by itself.
            request.scope["headers"] = [pair for pair in request.scope["headers"] if pair[0] != b"range"]
        return _WholeFileResponse(context.files, stored.id, stored.sha256, headers)
    except FileNotFoundError:
        raise not_found("file") from None


_RANGES = re.compile(r"bytes\s*=\s*(.*)", re.IGNORECASE)
_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{0,18})|-([0-9]{1,18})")


def _find_ranges(header: str, size: int) -> list[range]:
    """The ranges of a file's bytes that `Range` selects; none where the whole file is the answer: for units
    other than bytes, and for ranges of which only some are in the file. Raises ApiProblem 400 for ranges that
    cannot be read, 416 where none is in the file."""
    ranges = _RANGES.fullmatch(header.strip())
    if ranges is None:
        return []
    found = list(_read_ranges(ranges.group(1), size))
    if not any(found):
        raise ApiProblem(
            416,
            f"The file has {size:,} bytes, none of which is in the requested range.",
            headers={"Content-Range": f"bytes */{size}"},
        )
    return found if all(found) else []


def _read_ranges(ranges: str, size: int) -> Iterator[range]:
    for one in ranges.split(","):
        found = _RANGE.fullmatch(one.strip())
        first, last, suffix = found.groups() if found else (None, None, None)
        if found is None or (first and last and int(last) < int(first)):
            wrong = InvalidField("Range", "must be like bytes=0-499, bytes=500- or bytes=-500")
            raise ApiProblem(400, "A header is not valid.", errors=[wrong])
        if suffix is not None:
            yield range(max(0, size - int(suffix)), size)
        else:
            yield range(int(first or 0), min(int(last) + 1, size) if last else size)


_MEDIA_TYPE = "application/octet-stream"


class _WholeFileResponse(FileResponse):
    """A whole file, or several parts of it, verified before anything is sent. Raises what
    `FileStorage.local_copy` raises."""

    def __init__(self, files: FileStorage, file_id: str, sha256: str, headers: Mapping[str, str]) -> None:
        with ExitStack() as stack:
            path = stack.enter_context(files.local_copy(file_id, sha256))
            super().__init__(path, media_type=_MEDIA_TYPE, headers=headers)
            self._kept = stack.pop_all()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._kept:
            await super().__call__(scope, receive, send)


class _PartResponse(StreamingResponse):
    """A range of a file's bytes. Raises what `FileStorage.open` raises."""

    def __init__(
        self, files: FileStorage, file_id: str, size: int, part: range, headers: Mapping[str, str]
    ) -> None:
        stated = {
            "Accept-Ranges": "bytes",
            "Content-Range": f"bytes {part.start}-{part.stop - 1}/{size}",
            "Content-Length": str(len(part)),
        }
        with ExitStack() as stack:
            file = stack.enter_context(files.open(file_id, part.start, len(part)))
            super().__init__(_read_pieces(file), 206, {**headers, **stated}, _MEDIA_TYPE)
            self._kept = stack.pop_all()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._kept:
            await super().__call__(scope, receive, send)


def _read_pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece
