"""What all commands share: the options for settings, a context, and the output."""

import socket
import sys
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import ValidationError
from rich.console import Console

from app.settings import Settings

if TYPE_CHECKING:
    from app.service.context import Context

# A table that is written to a file or another program is not cut to the width of a screen.
out = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 1000)
err = Console(stderr=True, highlight=False, soft_wrap=True)

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="The folder for the database and files; PARLEY_DATA_DIR.")
]
DatabaseUrl = Annotated[
    str | None, typer.Option("--database-url", help="PostgreSQL instead of SQLite; DATABASE_URL.")
]
Host = Annotated[str, typer.Option(help="The address to listen on.")]

DEFAULT_ORGANISATION = "Default"


class Refused(Exception):
    """Bad input of a command, as one line for the person who typed it."""


def read_settings(data_dir: Path | None = None, database_url: str | None = None, **given: Any) -> Settings:
    """Read the settings from the environment; options override them. Refused names what is wrong."""
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
def working_context(settings: Settings, *, upgrade: bool = False) -> Generator["Context"]:
    """A context on an up-to-date database. The embedded SQLite is created where there is none, and migrated
    with `upgrade`; any other database is migrated by `parley migrate`."""
    from app.service.context import open_context
    from app.service.database.schema import current_revision, migrate
    from app.service.former_records import describe_former_records
    from app.service.start_checks import require_ready

    with closing(open_context(settings)) as context:
        if settings.database_url is None and (upgrade or current_revision(context.database) is None):
            migrate(context.database)
            describe_former_records(context.database)
        require_ready(context)
        yield context


def require_secret_key(settings: Settings) -> None:
    """Raises Refused on PostgreSQL without PARLEY_SECRET_KEY: hosts that share a database and make a key each
    would not open each other's secrets and cookies."""
    from app.service.vault import kept_key

    if settings.secret_keys or not settings.is_postgresql:
        return
    advice = (
        f"so far it is the content of {settings.data_dir / 'secret.key'}"
        if kept_key(settings.data_dir)
        else "make one with: openssl rand -base64 32 | tr '+/' '-_'"
    )
    raise Refused(f"with PostgreSQL every process needs the same PARLEY_SECRET_KEY; {advice}")


def require_free(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OverflowError:
            raise Refused(f"{port} is no port") from None
        except OSError as error:
            raise Refused(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
