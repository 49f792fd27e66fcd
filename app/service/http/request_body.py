"""Bodies that may come as JSON or as a form with a `file` part; the framework reads one kind only."""

import json
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.datastructures import UploadFile
from starlette.requests import Request

from app.contract.model import Request as RequestModel
from app.service.http.problems import bad_request
from app.storable_text import find_text_fault

FORM_TYPE = "multipart/form-data"
Body = TypeVar("Body", bound=RequestModel)


def json_or_form(
    model: type[Body],
) -> Callable[[Request], Coroutine[Any, Any, tuple[Body | None, UploadFile | None]]]:
    """A dependency that reads the body as `read_json_or_form` does."""

    async def read(request: Request) -> tuple[Body | None, UploadFile | None]:
        return await read_json_or_form(request, model)

    return read


async def read_json_or_form(request: Request, model: type[Body]) -> tuple[Body | None, UploadFile | None]:
    """The body as `model`, and the uploaded file if it was a form that has one; fields of a form are those of
    the model. (None, file) when the form has none of them. Raises 400 for anything else."""
    if not is_form(request):
        raw = await request.body()
        if not raw:
            raise bad_request("", "A body is required.")
        return _validated(model, json.loads(raw)), None
    fields, upload = await _read_form(request)
    names = {field.alias or name for name, field in model.model_fields.items()}
    known = {name: value for name, value in fields.items() if name in names}
    if upload is None and not known:
        raise bad_request("file", "A `file` part is required.")
    return (_validated(model, known) if known else None), upload


async def read_file_part(request: Request) -> UploadFile:
    """The `file` part of a form. Raises 400 where there is none."""
    _, upload = await _read_form(request)
    if upload is None:
        raise bad_request("file", "A `file` part is required.")
    return upload


def read_media_type(request: Request) -> str:
    """The media type of the body in lower case, since it has none (RFC 9110, 8.3.1), and without parameters;
    empty where none is stated."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def read_announced_length(request: Request) -> int:
    """The length that the body is announced with; 0 where none is stated."""
    length = request.headers.get("content-length", "")
    return int(length[:18]) if length.isdecimal() else 0


def is_form(request: Request) -> bool:
    return read_media_type(request) == FORM_TYPE


async def _read_form(request: Request) -> tuple[dict[str, str], UploadFile | None]:
    """The filled-in fields of a form and its `file` part. Raises 400 for a second file."""
    form = await request.form()
    uploads = [(name, value) for name, value in form.multi_items() if isinstance(value, UploadFile)]
    for name, _ in uploads:
        if name != "file":
            raise bad_request(name, "is not a file of this call; the file's part is named `file`")
    if len(uploads) > 1:
        raise bad_request("file", "is there more than once; send one file with each call")
    fields = {name: value for name, value in form.multi_items() if isinstance(value, str) and value}
    for name, value in fields.items():
        if fault := find_text_fault(value):
            raise bad_request(name, fault)
    return fields, uploads[0][1] if uploads else None


def _validated(model: type[Body], value: object) -> Body:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        places = [{**place, "loc": ("body", *place["loc"])} for place in error.errors()]
        raise RequestValidationError(places) from None
