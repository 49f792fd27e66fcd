"""Whether an organisation gets the sample story, and how far it is; `app.sample_story` makes it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.access.keys import create_key, ensure_organisation, renew_key, revoke_key
from app.service.context import Context
from app.service.database.dialect import lock_imports
from app.service.database.tables import company, sample_story
from app.service.database.visibility import has_real_data, owned_by
from app.service.sample.removal import remove_records

KEY_NAME = "sample data of parley up"
RESUMABLE_TIME = timedelta(hours=20)
"""A story that was begun longer ago is made anew: answers to repeated calls are stored for a day."""


@dataclass(frozen=True)
class StoryRun:
    """A story to make or to complete with the key, which marks all that it makes as sample data."""

    organisation_id: str
    key_id: str
    key: str
    started_at: datetime


def begin_story(context: Context, organisation_name: str) -> StoryRun | None:
    """Begin or resume the story of an organisation. None where it is complete or was removed, without the
    sample catalog, and where the organisation has data of its own already. Another process that makes it can
    no longer use its key."""
    now = context.clock()
    with context.database.writing() as connection:
        lock_imports(connection)
        owner = ensure_organisation(connection, organisation_name, now)
        row = connection.execute(sa.select(sample_story).where(owned_by(sample_story.c, owner))).first()
        if row is None:
            return _insert_story(connection, organisation_name, owner, now)
        if row.status != "started":
            return None
        changes: dict[str, object] = {"resumed_at": now}
        key_id, key, started_at = row.api_key_id, "", row.started_at
        if now - row.started_at > RESUMABLE_TIME:
            remove_records(connection, owner, now)
            key_id, key = _create_key(connection, organisation_name, now)
            started_at = now
            changes |= {"api_key_id": key_id, "started_at": now}
        else:
            key = renew_key(connection, key_id)
        connection.execute(sample_story.update().where(owned_by(sample_story.c, owner)).values(**changes))
        return StoryRun(owner, key_id, key, started_at)


def finish_story(context: Context, run: StoryRun) -> None:
    """Record that the story is complete, and revoke its key."""
    with context.database.writing() as connection:
        connection.execute(
            sample_story.update()
            .where(
                owned_by(sample_story.c, run.organisation_id),
                sample_story.c.api_key_id == run.key_id,
                sample_story.c.status == "started",
            )
            .values(status="complete")
        )
        revoke_key(connection, run.key_id, context.clock())


def _insert_story(
    connection: Connection, organisation_name: str, owner: str, now: datetime
) -> StoryRun | None:
    sample = sa.select(company.c.id).where(company.c.sample.is_(sa.true())).limit(1)
    if connection.scalar(sample) is None or connection.scalar(sa.select(has_real_data(owner))):
        return None
    key_id, key = _create_key(connection, organisation_name, now)
    connection.execute(
        sample_story.insert().values(
            organisation_id=owner, status="started", api_key_id=key_id, started_at=now, resumed_at=now
        )
    )
    return StoryRun(owner, key_id, key, now)


def _create_key(connection: Connection, organisation_name: str, now: datetime) -> tuple[str, str]:
    return create_key(
        connection,
        name=KEY_NAME,
        organisation_name=organisation_name,
        role="owner",
        sample=True,
        now=now,
    )
