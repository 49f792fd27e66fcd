"""The `parley` command. Bad input ends in one line and a status that is not zero, never in a traceback."""

import os
import sys
from contextlib import suppress

import typer
from sqlalchemy.exc import SQLAlchemyError

from app.commands import (
    agents,
    analysis,
    backup,
    deployment,
    doctor,
    files,
    imports,
    keys,
    people,
    sample,
    sbom,
)
from app.commands.session import Refused, err
from app.service.process import spare_startup

OWNER_ONLY = 0o077
"""What is written (database, files, keys) is for the user who runs the command, and nobody else."""

app = typer.Typer(
    help="What a purchase should cost, help to get that price, and every event on the way.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (
    deployment.up,
    deployment.serve,
    deployment.work,
    deployment.dashboard,
    deployment.migrate,
    backup.backup,
    backup.restore,
    doctor.doctor,
    analysis.extract,
    analysis.backtest,
    analysis.listen,
    agents.mcp,
    sbom.sbom,
):
    app.command()(command)
app.add_typer(keys.app, name="keys")
app.add_typer(people.app, name="people")
app.add_typer(files.app, name="files")
app.add_typer(imports.app, name="import")
app.add_typer(sample.app, name="sample")


def main() -> None:
    """The entry point: `parley` alone, or with options only, is `parley up`."""
    spare_startup()
    os.umask(OWNER_ONLY)  # of this process and of those that it starts
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
    """The message for an error of the input or the machine; None for a bug, whose traceback is shown."""
    from app.service.background.worker_slot import NoWorkerSlot
    from app.service.database.schema import OutdatedSchema
    from app.service.start_checks import OtherDeployment
    from app.service.storage.file_storage import StorageFault
    from app.supervisor import StartFailed

    if isinstance(error, Refused | NoWorkerSlot | OutdatedSchema | OtherDeployment | StartFailed):
        return str(error)
    if isinstance(error, StorageFault):
        return f"the files cannot be used: {error}"
    if isinstance(error, SQLAlchemyError):
        reason = str(getattr(error, "orig", None) or error).strip()
        return f"the database cannot be used: {reason.splitlines()[0]}"
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}"
    return None


if __name__ == "__main__":
    main()
