"""The routes of files: upload, and download of what was uploaded."""

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, UploadFile
from starlette.responses import FileResponse, Response

from app.contract.files import UploadedFile
from app.contract.values import Id
from app.service.access.capacity import WorkKind, counts_as
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.documents.formats.registry import FORMAT_NAMES
from app.service.files.store import find_file, save_upload
from app.service.http.dependencies import ContextDep
from app.service.http.openapi import problem_responses
from app.service.http.problems import not_found
from app.service.http.responses import NO_STORE, json_response

router = APIRouter(prefix="/v1/files", route_class=GuardedRoute)


@router.post(
    "/upload",
    status_code=201,
    response_model=UploadedFile,
    tags=["Files"],
    description=f"Store a document, recognised by its content: {FORMAT_NAMES}.",
)
@counts_as(WorkKind.UPLOAD)
def upload(file: UploadFile, context: ContextDep, caller: CallerDep) -> Response:
    stored = save_upload(context, caller, file.file, file.filename)
    return json_response(UploadedFile(id=stored.id), 201)


@router.get(
    "/{fileId}",
    tags=["extensions"],
    response_class=Response,
    responses={
        200: {"description": "The bytes as uploaded.", "content": {"application/octet-stream": {}}},
        **problem_responses(404),
    },
)
def content(file_id: Annotated[Id, Path(alias="fileId")], context: ContextDep, caller: CallerDep) -> Response:
    """Return the bytes of a file as uploaded, always as a download: a browser never opens it in this
    origin."""
    with context.database.reading() as connection:
        stored = find_file(connection, caller.organisation_id, file_id)
    if stored is None or not context.files.path(file_id).exists():
        raise not_found("file")
    return FileResponse(
        context.files.path(file_id),
        media_type="application/octet-stream",
        headers={
            "Content-Disposition": f"attachment; filename*=UTF-8''{quote(stored.filename)}",
            "X-Content-Type-Options": "nosniff",
            **NO_STORE,
        },
    )
