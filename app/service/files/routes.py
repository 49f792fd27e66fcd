"""The routes of files: upload, and download of what was uploaded."""

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Path
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from app.contract.files import DOCUMENT_FORMAT_NAMES, UploadedFile
from app.contract.values import Id
from app.service.access.capacity import WorkKind, counts_as
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.files.downloads import PartResponse, WholeFileResponse, find_ranges
from app.service.files.store import find_file, save_upload
from app.service.http.conditional_get import matches_tag
from app.service.http.dependencies import ContextDep
from app.service.http.openapi import FILE_ONLY
from app.service.http.operations import extension, operation
from app.service.http.problems import not_found
from app.service.http.request_body import read_file_part
from app.service.http.response_descriptions import NOT_MODIFIED, header_references, problem_responses
from app.service.http.responses import NO_STORE, created_response

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
        stored = find_file(connection, caller.organisation_id, file_id)
    if stored is None:
        raise not_found("file")
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
        parts = find_ranges(asked, stored.size) if asked is not None and is_current else []
        if len(parts) == 1:
            return PartResponse(context.files, stored.id, stored.size, parts[0], headers)
        if asked is not None and not parts:
            # The response reads the header by itself.
            request.scope["headers"] = [pair for pair in request.scope["headers"] if pair[0] != b"range"]
        return WholeFileResponse(context.files, stored.id, stored.sha256, headers)
    except FileNotFoundError:
        raise not_found("file") from None
