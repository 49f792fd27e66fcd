"""Checks that what is sealed in the database can be opened."""

import base64
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.context import Context
from app.service.database.tables.deployment import fingerprint
from app.service.database.tables.webhooks import webhook
from app.service.doctor.finding import Finding, fail, ok
from app.service.resealing import SEALED
from app.service.start_checks import SECRET_KEY
from app.service.vault import InvalidToken, Vault

_WHAT = {
    "webhook.secret": ("secrets of webhooks", "make new ones (`POST /v1/webhooks/{webhookId}/secret`)"),
    "second_opinion_settings.key": ("keys of second opinions", "enter them again on the settings page"),
    "user_session.id_token": ("tokens of sessions", "let these people sign in again"),
    "idempotent_call.answer": ("answers for repeated calls", "nothing: they go after a day"),
}


def check_secrets(context: Context) -> Iterator[Finding]:
    with context.database.reading() as connection:
        recorded = connection.scalar(sa.select(fingerprint.c.value).where(fingerprint.c.name == SECRET_KEY))
        closed = {name: count for name, count in _count_closed(connection, context.vault) if count}
    if recorded is not None and recorded not in context.vault.fingerprints():
        yield fail(
            "secret key",
            "The secret key is not the one that this database's secrets are sealed with.",
            "Set PARLEY_SECRET_KEY, or secret.key in the data folder, to the deployment's key.",
        )
    for name, count in closed.items():
        what, advice = _WHAT.get(name, (name, "see the log"))
        yield fail("secrets", f"No key opens {count:,} {what}.", f"Name the older key as well, or {advice}.")
    if not closed:
        yield ok("secrets", "The key opens all that is sealed.")


def _count_closed(connection: Connection, vault: Vault) -> Iterator[tuple[str, int]]:
    for column in SEALED:
        sealed = connection.scalars(sa.select(column).where(column.is_not(None)))
        yield f"{column.table.name}.{column.name}", sum(not _opens(vault, one) for one in sealed if one)
    retired = connection.scalars(
        sa.select(webhook.c.retired_secrets).where(webhook.c.retired_secrets.is_not(None))
    )
    values: list[dict[str, Any]] = [one for several in retired for one in several or ()]
    yield "webhook.retired_secrets", sum(not _opens(vault, base64.b64decode(one["secret"])) for one in values)


def _opens(vault: Vault, sealed: bytes) -> bool:
    try:
        vault.open(bytes(sealed))
    except InvalidToken:
        return False
    return True
