"""The `parley` command. Bad input ends in one line and a status that is not zero, never in a traceback."""

import socket
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table
from sqlalchemy.exc import SQLAlchemyError

from app.settings import Settings

app = typer.Typer(
    help="What a purchase should cost, help to get that price, and every event on the way.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
)
keys = typer.Typer(help="API keys: make, list and revoke them.", no_args_is_help=True)
imports = typer.Typer(help="Bring in purchases and catalogs from files.", no_args_is_help=True)
app.add_typer(keys, name="keys")
app.add_typer(imports, name="import")

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="The folder for the database and files; PARLEY_DATA_DIR.")
]
DatabaseUrl = Annotated[
    str | None, typer.Option("--database-url", help="PostgreSQL instead of SQLite; DATABASE_URL.")
]
Host = Annotated[str, typer.Option(help="The address to listen on.")]

DEFAULT_ORGANISATION = "Default"
LINK_KEY = "dashboard link of parley up"
LOOPBACK = "127.0.0.0/8,::1/128"


class Refused(Exception):
    """Bad input of a command, as one line for the person who typed it."""


def read_settings(data_dir: Path | None = None, database_url: str | None = None, **given: Any) -> Settings:
    """The settings of the environment, overridden by options. Raises Refused naming what is wrong."""
    if data_dir is not None:
        given["data_dir"] = data_dir.absolute()
    if database_url is not None:
        given["database_url"] = database_url
    try:
        return Settings(**given)
    except ValidationError as error:
        first = error.errors()[0]
        raise Refused(f"setting {'.'.join(map(str, first['loc']))}: {first['msg']}") from None


@contextmanager
def working_context(settings: Settings) -> Generator[Any]:
    """A context on a database at the newest revision. The embedded SQLite is brought there; another database
    is for `parley migrate`."""
    from app.service.database.schema import migrate, require_current
    from app.service.main import open_context

    context = open_context(settings)
    try:
        if settings.database_url is None:
            migrate(context.database)
        require_current(context.database)
        yield context
    finally:
        context.database.close()


@app.command()
def up(
    data_dir: DataDir = None,
    port: Annotated[int, typer.Option(help="The service's port.")] = 8000,
    dashboard_port: Annotated[int, typer.Option(help="The dashboard's port.")] = 8501,
    host: Host = "127.0.0.1",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the link, open nothing.")] = False,
    empty: Annotated[bool, typer.Option("--empty", help="Start without sample data.")] = False,
) -> None:
    """Start service, worker and dashboard. This is what `parley` alone does."""
    from app.service.access.keys import create_key, revoke_key, revoke_named
    from app.service.sample import ensure_sample
    from app.supervisor import Supervisor, open_browser

    for one in (port, dashboard_port):
        _require_free(host, one)
    shown = "127.0.0.1" if host in {"0.0.0.0", "::"} else host
    settings = _with_defaults(
        read_settings(data_dir),
        public_url=f"http://{shown}:{port}",
        dashboard_url=f"http://{shown}:{dashboard_port}",
        webhook_allow=LOOPBACK,
    )
    with working_context(settings) as context:
        if not empty:
            with err.status("Making sample data …"):
                ensure_sample(context)
        with context.database.writing() as connection:
            revoke_named(connection, LINK_KEY, context.clock())
            key_id, key = create_key(
                connection,
                name=LINK_KEY,
                organisation_name=DEFAULT_ORGANISATION,
                read_only=False,
                now=context.clock(),
            )

        def ready(link: str) -> None:
            out.print(f"Service    {settings.public_url}/v1/openapi")
            out.print(f"Dashboard  {link}  (signs you in once)")
            out.print(f"Data       {settings.data_dir}")
            out.print("Ctrl-C stops all.")
            sys.stdout.flush()
            if not no_browser:
                open_browser(link)

        try:
            Supervisor(settings, host=host, port=port, dashboard_port=dashboard_port, key=key).run(ready)
        finally:
            with context.database.writing() as connection:
                revoke_key(connection, key_id, context.clock())


@app.command()
def serve(
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    port: Annotated[int, typer.Option()] = 8000,
    host: Host = "127.0.0.1",
) -> None:
    """Run the service alone."""
    from app.service.serving import serve_service

    settings = read_settings(data_dir, database_url)
    _require_free(host, port)
    _require_current(settings)
    serve_service(settings, host, port)


@app.command()
def work(data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """Run a worker alone: it reads documents, plans negotiations and delivers events."""
    from app.service.worker import run_worker

    settings = read_settings(data_dir, database_url)
    _require_current(settings)
    run_worker(settings)


@app.command()
def dashboard(
    data_dir: DataDir = None,
    port: Annotated[int, typer.Option()] = 8501,
    host: Host = "127.0.0.1",
) -> None:
    """Run the dashboard alone, on the deployments that PARLEY_DEPLOYMENTS names."""
    from app.dashboard.serving import serve_dashboard

    settings = read_settings(data_dir)
    _require_free(host, port)
    serve_dashboard(host, port, settings)


@app.command()
def migrate(data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """Bring the database to the revision of this version."""
    from app.service.database.schema import migrate as bring_up
    from app.service.main import open_context

    context = open_context(read_settings(data_dir, database_url))
    try:
        bring_up(context.database)
    finally:
        context.database.close()
    out.print("The database is at the newest revision.")


@keys.command("create")
def create_key_command(
    name: Annotated[str, typer.Option(help="What the key is for.")],
    organisation: Annotated[
        str, typer.Option(help="Whose data the key opens; made if new.")
    ] = DEFAULT_ORGANISATION,
    read_only: Annotated[bool, typer.Option("--read-only", help="The key may only read.")] = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Make an API key. The last line is the key; it is shown once."""
    from app.service.access.keys import create_key

    if not name.strip() or not organisation.strip():
        raise Refused("a name may not be empty")
    with (
        working_context(read_settings(data_dir, database_url)) as context,
        context.database.writing() as connection,
    ):
        key_id, key = create_key(
            connection,
            name=name.strip(),
            organisation_name=organisation.strip(),
            read_only=read_only,
            now=context.clock(),
        )
    err.print(f"Key {key_id} of {organisation.strip()}. Keep it: it is not shown again.")
    print(key)


@keys.command("list")
def list_keys_command(data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """Every key, newest first."""
    from app.service.access.keys import list_keys

    with (
        working_context(read_settings(data_dir, database_url)) as context,
        context.database.reading() as connection,
    ):
        records = list_keys(connection)
    table = Table("Id", "Organisation", "Name", "Begins", "Rights", "Made", "Revoked", box=None)
    for record in records:
        table.add_row(
            record.id,
            record.organisation,
            record.name,
            f"{record.hint}…",
            "read only" if record.read_only else "full",
            _minute(record.created_at),
            _minute(record.revoked_at),
        )
    out.print(table)


@keys.command("revoke")
def revoke_key_command(
    key_id: Annotated[str, typer.Argument(help="The key's id, as `keys list` shows it.")],
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Take a key out of use."""
    from app.service.access.keys import revoke_key

    with (
        working_context(read_settings(data_dir, database_url)) as context,
        context.database.writing() as connection,
    ):
        done = revoke_key(connection, key_id, context.clock())
    if not done:
        raise Refused(f"no key in use has the id {key_id}")
    out.print(f"Key {key_id} is revoked.")


@app.command()
def extract(
    files: Annotated[list[Path], typer.Argument(help="Documents to read.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a file, on a line.")] = False,
    ignore_embedded: Annotated[
        bool, typer.Option("--ignore-embedded", help="Read the page, not the XML inside.")
    ] = False,
) -> None:
    """Read quotes, orders, invoices: what is on them and where."""
    from app.service.documents.command import extract_files

    failed = extract_files(files, ignore_embedded=ignore_embedded, as_json=as_json, out=sys.stdout)
    if failed:
        raise typer.Exit(1)


def _with_defaults(settings: Settings, **defaults: Any) -> Settings:
    """`settings` with values for what neither the environment nor an option said."""
    said = {name: getattr(settings, name) for name in settings.model_fields_set}
    return read_settings(**{**defaults, **said})


def _require_current(settings: Settings) -> None:
    with working_context(settings):
        return


def _require_free(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OverflowError:
            raise Refused(f"{port} is no port") from None
        except OSError as error:
            raise Refused(f"cannot listen on {host} port {port}: {error.strerror or error}") from None


def _minute(moment: datetime | None) -> str:
    return "" if moment is None else moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def main() -> None:
    """The entry point: `parley` alone, or with options only, is `parley up`."""
    arguments = sys.argv[1:]
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in {"--help", "-h"}):
        arguments = ["up", *arguments]
    try:
        app(arguments, prog_name="parley")
    except Exception as error:
        message = _one_line(error)
        if message is None:
            raise
        with suppress(OSError):
            err.print(f"parley: {message}", markup=False)
        raise SystemExit(1) from None


def _one_line(error: Exception) -> str | None:
    """What to say of an error that is the input's or the machine's; None for a bug, which shows its trace."""
    from app.service.database.schema import OutdatedSchema
    from app.supervisor import StartFailed

    if isinstance(error, Refused | OutdatedSchema | StartFailed):
        return str(error)
    if isinstance(error, SQLAlchemyError):
        reason = str(getattr(error, "orig", None) or error).strip()
        return f"the database cannot be used: {reason.splitlines()[0]}"
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}"
    return None


if __name__ == "__main__":
    main()
