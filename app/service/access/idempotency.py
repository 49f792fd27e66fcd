"""Repeated calls: the first response to an Idempotency-Key is stored for a day and returned again.

The response is stored in the transaction of what the call changes: both are there, or neither. The row is
inserted before anything else is written, so that of two calls at once the second waits for the end of the
first. It is sealed, since one response holds a webhook's secret.
"""

import base64
import hashlib
import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from app.service.context import Context
from app.service.database.faults import StoreFault, find_store_fault
from app.service.database.tables import idempotent_call
from app.service.http.middleware import is_form
from app.service.http.problems import ApiProblem, InvalidField
from app.service.http.request_headers import IDEMPOTENCY_KEY_PATTERN, MAX_IDEMPOTENCY_KEY_LENGTH

RETENTION = timedelta(hours=24)
NOT_STORED_STATUSES = frozenset({409, 429})
STORED_HEADERS = ("content-type", "location", "cache-control", "www-authenticate", "link")


def check_idempotency_key(key: str) -> None:
    """Raises ApiProblem 400 for a key that is too long or not printable."""
    if len(key) > MAX_IDEMPOTENCY_KEY_LENGTH or not re.fullmatch(IDEMPOTENCY_KEY_PATTERN, key):
        raise ApiProblem(
            400,
            "A header is not valid.",
            errors=[
                InvalidField(
                    "Idempotency-Key", f"must be 1 to {MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters"
                )
            ],
        )


async def hash_body(request: Request) -> str:
    """SHA-256 of what the body says: of a form its fields and files, since the boundary differs by call."""
    digest = hashlib.sha256()
    if not is_form(request):
        digest.update(await request.body())
        return digest.hexdigest()
    form = await request.form()
    for name, value in form.multi_items():
        digest.update(json.dumps(name).encode())
        if isinstance(value, UploadFile):
            digest.update(json.dumps(value.filename).encode())
            while chunk := await value.read(1 << 20):
                digest.update(chunk)
            await value.seek(0)
        else:
            digest.update(json.dumps(value).encode())
    return digest.hexdigest()


class _StoredBefore(Exception):
    """Another call with the same Idempotency-Key has stored its response."""


class IdempotentCall:
    """One call with an Idempotency-Key: of one API key, or one person in one organisation, on one path, with
    one body."""

    def __init__(
        self,
        context: Context,
        key_id: str,
        path: str,
        idempotency_key: str,
        body_digest: str,
        request_id: str,
    ) -> None:
        self._context = context
        self._body_digest = body_digest
        self._request_id = request_id
        self._identity = {"api_key_id": key_id, "path": path, "idempotency_key": idempotency_key}
        self._row = sa.and_(*(idempotent_call.c[name] == value for name, value in self._identity.items()))

    def find_response(self) -> Response | None:
        """The stored response of an earlier call, under the id of its request. Raises ApiProblem 422 when its
        body was another."""
        with self._context.database.reading() as connection:
            row = connection.execute(
                sa.select(idempotent_call).where(self._row, ~self._expired(self._context.clock()))
            ).first()
        if row is None:
            return None
        if row.body_digest != self._body_digest:
            raise ApiProblem(422, "This Idempotency-Key was used with another body.")
        stored = json.loads(self._context.vault.open(row.answer))
        headers = {**stored["headers"], "idempotency-replayed": "true"}
        return Response(base64.b64decode(stored["body"]), stored["status"], headers)

    def run(self, endpoint: Callable[[], Response]) -> Response:
        """The endpoint's response, stored in the transaction of what it writes; the stored one where another
        call was first. What it raises leaves nothing behind."""
        try:
            with self._context.database.one_transaction(self._insert_row):
                response = endpoint()
                self._store(response)
        except _StoredBefore:
            stored = self.find_response()
            if stored is None:
                raise _still_runs() from None
            return stored
        return response

    def store_refusal(self, response: Response) -> Response:
        """The response to a call that has written nothing, stored if need be; the stored one where another
        call was first."""
        if _is_stored(response):
            return self.run(lambda: response)
        return self.find_response() or response

    def _store(self, response: Response) -> None:
        with self._context.database.writing() as connection:
            if not _is_stored(response):
                connection.execute(idempotent_call.delete().where(self._row))
                return
            stored = {
                "status": response.status_code,
                "headers": {
                    name: response.headers[name] for name in STORED_HEADERS if name in response.headers
                }
                | {"x-request-id": self._request_id},
                "body": base64.b64encode(bytes(response.body)).decode(),
            }
            sealed = self._context.vault.seal(json.dumps(stored).encode())
            connection.execute(idempotent_call.update().where(self._row).values(answer=sealed))

    def _insert_row(self, connection: Connection) -> None:
        now = self._context.clock()
        try:
            connection.execute(idempotent_call.delete().where(self._row, self._expired(now)))
            connection.execute(
                idempotent_call.insert().values(
                    **self._identity, body_digest=self._body_digest, started_at=now
                )
            )
        except IntegrityError:
            raise _StoredBefore from None
        except DBAPIError as error:
            if find_store_fault(error) is StoreFault.BUSY:
                raise _still_runs() from error
            raise

    def _expired(self, now: datetime) -> sa.ColumnElement[bool]:
        # Without an answer: left by a version that stored the two apart.
        return sa.or_(idempotent_call.c.started_at < now - RETENTION, idempotent_call.c.answer.is_(None))


def _is_stored(response: Response) -> bool:
    """Whether it is of 2xx or 4xx; any other leaves the key free to be used again."""
    return response.status_code < 500 and response.status_code not in NOT_STORED_STATUSES


def _still_runs() -> ApiProblem:
    return ApiProblem(
        409, "The first call with this Idempotency-Key is still running.", headers={"Retry-After": "1"}
    )
