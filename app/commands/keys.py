"""Create, list and revoke API keys."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from typing import Annotated

import typer
from rich.table import Table

from app.commands.session import (
    DEFAULT_ORGANISATION,
    DatabaseUrl,
    DataDir,
    Refused,
    err,
    out,
    read_settings,
    working_context,
)
from app.contract.access import Role

app = typer.Typer(help=__doc__, no_args_is_help=True)


@app.command("create")
def create(
    name: Annotated[str, typer.Option(help="What the key is for.")],
    organisation: Annotated[
        str, typer.Option(help="The organisation of the key, created if new.")
    ] = DEFAULT_ORGANISATION,
    role: Annotated[Role, typer.Option(help="What the key may do.")] = "owner",
    days: Annotated[
        int | None, typer.Option(min=1, help="For how many days it works; without: for good.")
    ] = None,
    network: Annotated[
        list[str] | None,
        typer.Option(help="An address or network that it works from, such as 192.0.2.0/24; may be repeated."),
    ] = None,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Create an API key. The last line is the key; it is shown once."""
    from app.service.access.audit import OPERATOR, Entry, write_entry
    from app.service.access.keys import create_key, find_organisation

    if not name.strip() or not organisation.strip():
        raise Refused("a name may not be empty")
    try:
        networks = [str(ip_network(one, strict=False)) for one in network or ()]
    except ValueError as fault:
        raise Refused(f"--network: {fault}") from None
    with (
        working_context(read_settings(data_dir, database_url)) as context,
        context.database.writing() as connection,
    ):
        key_id, key = create_key(
            connection,
            name=name.strip(),
            organisation_name=organisation.strip(),
            role=role,
            now=context.clock(),
            expires_at=None if days is None else context.clock() + timedelta(days=days),
            networks=networks,
        )
        owner = find_organisation(connection, organisation.strip())
        entry = Entry(owner, OPERATOR, "keys.create", "Make an API key", "key", key_id, name.strip())
        write_entry(connection, entry, context.clock())
    err.print(f"Key {key_id} of {organisation.strip()}. Keep it: it is not shown again.")
    typer.echo(key)


@app.command("list")
def show(data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """List all keys, newest first."""
    from app.service.access.keys import list_keys

    with (
        working_context(read_settings(data_dir, database_url)) as context,
        context.database.reading() as connection,
    ):
        records = list_keys(connection)
    table = Table(box=None, pad_edge=False)
    table.add_column("Id", no_wrap=True, min_width=36)
    for column in ("Organisation", "Name", "Begins", "Role", "Made", "Revoked", "Expires", "Used"):
        table.add_column(column)
    table.add_column("From")
    table.add_column("Networks")
    for record in records:
        table.add_row(
            record.id,
            record.organisation,
            record.name,
            f"{record.hint}…",
            record.role,
            *map(_minute, (record.created_at, record.revoked_at, record.expires_at, record.used_at)),
            record.used_address or "",
            record.networks or "",
        )
    out.print(table)


@app.command("revoke")
def revoke(
    key_id: Annotated[str, typer.Argument(help="The key's id, as `keys list` shows it.")],
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Revoke a key."""
    from app.service.access.audit import OPERATOR, Entry, write_entry
    from app.service.access.keys import list_keys, revoke_key

    with (
        working_context(read_settings(data_dir, database_url)) as context,
        context.database.writing() as connection,
    ):
        done = revoke_key(connection, key_id, context.clock())
        for key in list_keys(connection) if done else ():
            if key.id == key_id:
                told = "keys.revoke", "Revoke an API key", "key", key_id, key.name
                write_entry(connection, Entry(key.organisation_id, OPERATOR, *told), context.clock())
    if not done:
        raise Refused(f"no key in use has the id {key_id}")
    out.print(f"Key {key_id} is revoked.")


@app.command("rotate-secret")
def rotate_secret(data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """Seal all secrets of the database anew with the first key of PARLEY_SECRET_KEY, so that the others are
    needed no more."""
    from app.service.resealing import seal_anew
    from app.service.vault import InvalidToken

    settings = read_settings(data_dir, database_url)
    if len(settings.secret_keys) < 2:
        raise Refused("PARLEY_SECRET_KEY must name the new key and, after a comma, the one before it")
    with working_context(settings) as context:
        try:
            changed = seal_anew(context)
        except InvalidToken:
            raise Refused("a secret of the database was sealed with none of these keys") from None
    out.print(f"{changed:,} secrets are sealed with the new key. The other keys can be left out now.")


def _minute(moment: datetime | None) -> str:
    return "" if moment is None else moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M")
