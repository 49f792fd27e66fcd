"""Everything in the database that is sealed with the secret key, sealed anew with the newest of several."""

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from app.service.access.audit import tell_everybody
from app.service.context import Context
from app.service.database.tables import (
    approval,
    fingerprint,
    idempotent_call,
    second_opinion_settings,
    user_session,
    webhook,
)
from app.service.start_checks import SECRET_KEY
from app.service.vault import Vault

SEALED: tuple[sa.Column[Any], ...] = (
    webhook.c.secret,
    second_opinion_settings.c.key,
    user_session.c.id_token,
    idempotent_call.c.answer,
    approval.c.body,
)
"""The columns whose whole value is sealed."""
_AT_ONCE = 500


def seal_anew(context: Context) -> int:
    """Seal with the newest key what another of the deployment's keys sealed, and return how many values that
    were. May be interrupted and done again, and service and workers go on meanwhile, as long as they have all
    of the keys. Raises InvalidToken for what none of the keys opens."""
    sealed = sum(_seal_column(context, column) for column in SEALED) + _seal_retired_secrets(context)
    with context.database.writing() as connection:
        connection.execute(
            fingerprint.update()
            .where(fingerprint.c.name == SECRET_KEY)
            .values(value=context.vault.fingerprints()[0])
        )
        # The deployment has one key, so its change concerns every organisation.
        tell_everybody(connection, "keys.rotateSecret", "Seal all secrets with a new key", context.clock())
    return sealed


def _seal_column(context: Context, column: sa.Column[Any]) -> int:
    # The secret of a deleted webhook is empty.
    return _change_rows(context, column, lambda value: context.vault.seal_anew(value) if value else value)


def _seal_retired_secrets(context: Context) -> int:
    def change(stored: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
        return [_seal_retired(context.vault, one) for one in stored]

    return _change_rows(context, webhook.c.retired_secrets, change)


def _seal_retired(vault: Vault, one: Mapping[str, str]) -> dict[str, str]:
    sealed = vault.seal_anew(base64.b64decode(one["secret"]))
    return {**one, "secret": base64.b64encode(sealed).decode()}


def _change_rows(context: Context, column: sa.Column[Any], change: Callable[[Any], Any]) -> int:
    """Change a column of all rows that have it, some hundred in a transaction that locks them, and return how
    many changed."""
    table = column.table
    assert isinstance(table, sa.Table)
    keys = list(table.primary_key.columns)
    after: tuple[Any, ...] | None = None
    changed = 0
    while True:
        query = sa.select(*keys, column).where(column.is_not(None)).order_by(*keys).limit(_AT_ONCE)
        if after is not None:
            query = query.where(sa.tuple_(*keys) > sa.tuple_(*map(sa.literal, after)))
        with context.database.writing() as connection:
            rows = connection.execute(query.with_for_update()).mappings().all()
            for row in rows:
                value = change(row[column.name])
                if value != row[column.name]:
                    this = [key == row[key.name] for key in keys]
                    connection.execute(table.update().where(*this).values({column.name: value}))
                    changed += 1
        if len(rows) < _AT_ONCE:
            return changed
        after = tuple(rows[-1][key.name] for key in keys)
