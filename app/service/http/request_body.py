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
    the model. (None, file) when the form's other fields are absent. Raises 400 for anything else."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raw = await request.body()
        if not raw:
            raise bad_request("", "A body is required.")
        return _validated(model, json.loads(raw)), None
    form = await request.form()
    upload: UploadFile | None = None
    fields: dict[str, Any] = {}
    for name, value in form.multi_items():
        if not isinstance(value, UploadFile):
            fields[name] = value
        elif name != "file":
            raise bad_request(name, "is not a file of this call; the file's part is named `file`")
        else:
            upload = value
    if upload is None and not fields:
        raise bad_request("file", "A `file` part is required.")
    return (_validated(model, fields) if fields or upload is None else None), upload


def _validated(model: type[Body], value: object) -> Body:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        places = [{**place, "loc": ("body", *place["loc"])} for place in error.errors()]
        raise RequestValidationError(places) from None
