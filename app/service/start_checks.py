"""What every process checks before it works: the database's revision, and that key and files are those of the
database. Two hosts with different keys or folders would lose each other's secrets and documents."""

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from app.service.context import Context
from app.service.database.schema import require_supported
from app.service.database.tables import fingerprint

SECRET_KEY = "secret-key"  # noqa: S105 (a name of what is secret)
FILES_FOLDER = "files-folder"
NOT_RESTORED = "not restored to the end"
"""Recorded as the secret key of a database that a restore has loaded and not settled."""
UNFINISHED_RESTORE = (
    "a restore of this database was ended in its middle: sessions of the backup are still open, and letters"
    " that may have left would be sent again. Restore the backup once more: `parley restore FILE --replace`"
)

_ADVICE = {
    SECRET_KEY: (
        "the secret key is not the one that this database's secrets are sealed with: set PARLEY_SECRET_KEY,"
        " or the file secret.key in the data folder, to that of the deployment's other hosts. If the key was"
        " changed on purpose, run `parley migrate --accept secret-key`; secrets of webhooks that the old key"
        " sealed cannot be read any more, so register those webhooks again"
    ),
    FILES_FOLDER: (
        "{place} is not the one that holds this database's files: set PARLEY_FILES_URL, or PARLEY_DATA_DIR"
        " where they are in the data folder, to those of the deployment. If it was replaced on purpose, run"
        " `parley migrate --accept files-folder`; documents that it lacks cannot be shown any more"
    ),
}


class OtherDeployment(Exception):
    """The secret key or the files are not those of the database; the message says what to do."""


def require_ready(context: Context) -> None:
    """Raises OutdatedSchema or OtherDeployment, in one line, unless this process may work on the database."""
    require_supported(context.database)
    require_same_deployment(context)
    context.synchronise_clock()


def require_same_deployment(context: Context, accept: Collection[str] = ()) -> None:
    """Compares the key and the folder of files with those that the database is used with; the first start
    records them, and so does a part to `accept`. Raises OtherDeployment."""
    recorded = _load(context)
    if recorded.get(SECRET_KEY) == NOT_RESTORED:
        raise OtherDeployment(UNFINISHED_RESTORE)
    keys = context.vault.fingerprints()
    known = recorded.get(SECRET_KEY)
    present = {
        # While keys change, the database's may be an older one of several: `resealing` moves it on.
        SECRET_KEY: known if known in keys else keys[0],
        FILES_FOLDER: context.files.identify(may_mark=FILES_FOLDER not in recorded or FILES_FOLDER in accept),
    }
    changed = {name: value for name, value in present.items() if recorded.get(name) != value}
    for name in changed:
        if name in recorded and name not in accept:
            raise OtherDeployment(_ADVICE[name].format(place=context.files.place))
    if changed:
        rows = [{"name": name, "value": value} for name, value in changed.items()]
        try:
            with context.database.writing() as connection:
                connection.execute(fingerprint.delete().where(fingerprint.c.name.in_([*changed])))
                connection.execute(fingerprint.insert(), rows)
        except IntegrityError:  # another host has recorded its own meanwhile
            require_same_deployment(context, accept)


def require_whole_restore(context: Context) -> None:
    """Raises OtherDeployment for a database, of any revision, that a restore did not bring to its end."""
    with context.database.reading() as connection:
        if sa.inspect(connection).has_table(fingerprint.name):
            key = sa.select(fingerprint.c.value).where(fingerprint.c.name == SECRET_KEY)
            if connection.scalar(key) == NOT_RESTORED:
                raise OtherDeployment(UNFINISHED_RESTORE)


def recorded_mark(context: Context) -> str | None:
    """The mark of the store that holds this database's files, as far as any process has started."""
    return _load(context).get(FILES_FOLDER)


def _load(context: Context) -> dict[str, str | None]:
    with context.database.reading() as connection:
        return {row.name: row.value for row in connection.execute(sa.select(fingerprint))}
