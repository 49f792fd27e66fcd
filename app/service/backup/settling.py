"""What is changed in a restored database before anybody works on it.

Sessions end: what happened since the backup, such as a removal from the company, is not known. Letters to
suppliers that were still to be sent become drafts: they may have left after the backup, and a supplier who
gets an offer twice is worse than one that a person sends. Deliveries stay due: they carry the same
`webhook-id` again, by which receivers drop doubles. Reminders to colleagues stay due as well: one too many
does less harm than one missed, and its Message-ID is the same."""

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.access.audit import tell_everybody
from app.service.backup.manifest import Manifest
from app.service.database.letters import DEADLINE_LETTERS, SUPPLIER_LETTERS
from app.service.database.tables import (
    delivery,
    fingerprint,
    idempotent_call,
    letter,
    second_opinion_settings,
    user_session,
    webhook,
    worker,
)
from app.service.start_checks import FILES_FOLDER, SECRET_KEY
from app.service.vault import Vault
from app.service.webhooks.signing import new_secret

SECRET_LOST = "Restored without its secret: make a new one, give it to the receiver and turn it on."  # noqa: S105


@dataclass(frozen=True, slots=True)
class Settled:
    """What was changed, and what is due again."""

    sessions: int
    letters: int
    deliveries: int
    reminders: int
    webhooks_without_secret: int


def settle(
    connection: Connection,
    vault: Vault,
    files_mark: str | None,
    now: datetime,
    *,
    manifest: Manifest,
    without_secrets: bool,
) -> Settled:
    """Make a restored database one that processes may work on, in the caller's transaction. The audit log of
    each organisation says as of when it is again."""
    sessions = connection.execute(user_session.delete()).rowcount
    connection.execute(worker.delete())
    # A call that was running is not running any more.
    connection.execute(idempotent_call.delete().where(idempotent_call.c.answer.is_(None)))
    letters = connection.execute(
        letter.update()
        .where(letter.c.kind == SUPPLIER_LETTERS.name, letter.c.status.in_(["queued", "sending"]))
        .values(status="draft", next_at=None)
    ).rowcount
    webhooks = _replace_secrets(connection, vault) if without_secrets else 0
    # While keys change, the backup's may be an older one of several; the files are those restored into.
    keys = vault.fingerprints()
    is_sealed_with = manifest.key_fingerprint in keys and not without_secrets
    connection.execute(fingerprint.delete())
    rows = [{"name": SECRET_KEY, "value": manifest.key_fingerprint if is_sealed_with else keys[0]}]
    if files_mark is not None:
        rows.append({"name": FILES_FOLDER, "value": files_mark})
    connection.execute(fingerprint.insert(), rows)
    made_at = f"{manifest.created_at:%Y-%m-%d %H:%M} UTC"
    tell_everybody(
        connection,
        "deployment.restore",
        f"Restore the backup of {made_at}; what happened after it is gone",
        now,
    )
    return Settled(
        sessions=sessions,
        letters=letters,
        deliveries=_count(connection, delivery.c.next_at.is_not(None)),
        reminders=_count(
            connection, (letter.c.kind == DEADLINE_LETTERS.name) & letter.c.next_at.is_not(None)
        ),
        webhooks_without_secret=webhooks,
    )


def _replace_secrets(connection: Connection, vault: Vault) -> int:
    """Nothing stays that no key opens: webhooks are turned off and get secrets that nobody knows."""
    connection.execute(idempotent_call.delete())
    connection.execute(second_opinion_settings.update().values(key=None, enabled=False))
    ids = connection.scalars(sa.select(webhook.c.id).where(webhook.c.deleted_at.is_(None))).all()
    for one in ids:
        connection.execute(
            webhook.update()
            .where(webhook.c.id == one)
            .values(
                secret=vault.seal(new_secret().encode()),
                retired_secrets=None,
                enabled=False,
                disabled_reason=SECRET_LOST,
            )
        )
    return len(ids)


def _count(connection: Connection, condition: sa.ColumnElement[bool]) -> int:
    return connection.execute(sa.select(sa.func.count()).where(condition)).scalar_one()
