"""Export or erase what is on record of a person."""

import json
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import sqlalchemy as sa
import typer

from app.commands.session import DatabaseUrl, DataDir, Refused, err, out, read_settings, working_context

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from app.service.access.personal_data import Person

app = typer.Typer(help=__doc__, no_args_is_help=True)

Who = Annotated[str, typer.Argument(help="The address of the person, or the id of their account.")]


@app.command("export")
def export(who: Who, data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """Print all that is on record of a person, one JSON object a line. Files and documents are not read."""
    from app.service.access.personal_data import list_records

    with (
        working_context(read_settings(data_dir, database_url)) as context,
        context.database.reading() as connection,
    ):
        for row in list_records(connection, _find(connection, who), None):
            content = json.dumps({"place": row.place, **row.content}, default=_write, ensure_ascii=False)
            typer.echo(content)


@app.command("erase")
def erase(
    who: Who,
    yes: Annotated[bool, typer.Option("--yes", help="Do it: nothing brings it back but a backup.")] = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Replace a person by a pseudonym everywhere, and end their access."""
    from app.service.access import personal_data
    from app.service.access.audit import OPERATOR, Entry, write_entry
    from app.service.database.tables import membership

    with (
        working_context(read_settings(data_dir, database_url)) as context,
        context.database.writing() as connection,
    ):
        person = _find(connection, who)
        if not yes:
            found = sum(1 for _ in personal_data.list_records(connection, person, None))
            raise Refused(f"{found:,} rows name this person; erase them with --yes")
        works = sa.select(membership.c.organisation_id).where(membership.c.user_id == person.id)
        organisations = connection.scalars(works).all()
        pseudonym = personal_data.erase(connection, person, None)
        for one in organisations:
            entry = Entry(one, OPERATOR, "members.erase", "Erase a person", "member", person.id)
            write_entry(connection, entry, context.clock())
    out.print(f"Erased: the person is {pseudonym} from now on.")
    err.print("Backups that were made before still name them, until they are removed.")


def _find(connection: "Connection", who: str) -> "Person":
    from app.service.access.personal_data import Person, find_person
    from app.service.database.tables import user_account

    same = sa.or_(user_account.c.id == who, sa.func.lower(user_account.c.email) == who.lower())
    found = connection.scalars(sa.select(user_account.c.id).where(same)).all()
    if len(found) > 1:
        raise Refused(f"{len(found)} accounts have this address: name one by its id: {', '.join(found)}")
    person = find_person(connection, found[0]) if found else None
    if person is None and "@" not in who:
        raise Refused(f"no account has the id {who}; somebody without one is found by an address")
    return person or Person(None, None, who)


def _write(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
