"""Repeated calls: the first response to an Idempotency-Key is stored for a day and returned again.

The row is written before the call runs, so that two at once do not both run; the answer is sealed, since one
holds a webhook's secret.
"""

import base64
import hashlib
import json
import re
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from app.service.context import Context
from app.service.database.tables.access import idempotent_call
from app.service.http.headers import IDEMPOTENCY_KEY_PATTERN, MAX_IDEMPOTENCY_KEY_LENGTH
from app.service.http.problems import ApiProblem, InvalidField

RETENTION = timedelta(hours=24)
ABANDONED_AFTER = timedelta(minutes=5)
"""A call whose process died leaves no answer; after this long the key may be used again."""
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
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
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


class IdempotentCall:
    """The stored response of a call: one API key, one path, one idempotency key."""

    def __init__(self, context: Context, key_id: str, path: str, idempotency_key: str) -> None:
        self._context = context
        self._identity = {"api_key_id": key_id, "path": path, "idempotency_key": idempotency_key}
        self._row = sa.and_(*(idempotent_call.c[name] == value for name, value in self._identity.items()))

    def begin(self, body_digest: str) -> Response | None:
        """The stored response of an earlier call, or None when this one should run. Raises ApiProblem 409
        while the first still runs and 422 when its body was another."""
        now = self._context.clock()
        try:
            with self._context.database.writing() as connection:
                connection.execute(idempotent_call.delete().where(self._row, self._expired(now)))
                connection.execute(
                    idempotent_call.insert().values(**self._identity, body_digest=body_digest, started_at=now)
                )
        except IntegrityError:
            return self._read_earlier_response(body_digest)
        return None

    def save_response(self, response: Response) -> None:
        """Stores a response of 2xx or 4xx; discards the call otherwise, so that it may be tried again."""
        if response.status_code >= 500 or response.status_code in NOT_STORED_STATUSES:
            self.discard()
            return
        stored = {
            "status": response.status_code,
            "headers": {name: response.headers[name] for name in STORED_HEADERS if name in response.headers},
            "body": base64.b64encode(bytes(response.body)).decode(),
        }
        sealed = self._context.vault.seal(json.dumps(stored).encode())
        with self._context.database.writing() as connection:
            connection.execute(idempotent_call.update().where(self._row).values(answer=sealed))

    def discard(self) -> None:
        with self._context.database.writing() as connection:
            connection.execute(idempotent_call.delete().where(self._row))

    def _expired(self, now: datetime) -> sa.ColumnElement[bool]:
        return sa.or_(
            idempotent_call.c.started_at < now - RETENTION,
            sa.and_(idempotent_call.c.answer.is_(None), idempotent_call.c.started_at < now - ABANDONED_AFTER),
        )

    def _read_earlier_response(self, body_digest: str) -> Response:
        with self._context.database.reading() as connection:
            row = connection.execute(sa.select(idempotent_call).where(self._row)).first()
        if row is not None and row.body_digest != body_digest:
            raise ApiProblem(422, "This Idempotency-Key was used with another body.")
        if row is None or row.answer is None:
            raise ApiProblem(
                409, "The first call with this Idempotency-Key still runs.", headers={"Retry-After": "1"}
            )
        stored = json.loads(self._context.vault.open(row.answer))
        return Response(base64.b64decode(stored["body"]), stored["status"], stored["headers"])
