"""Move uploaded files from one store to another."""

from contextlib import closing
from typing import Annotated

import typer

from app.commands.session import DatabaseUrl, DataDir, Refused, err, out, read_settings
from app.files_url import FilesUrl

app = typer.Typer(help="Uploaded files.", no_args_is_help=True)


@app.callback()
def files() -> None:
    """Uploaded files."""


@app.command()
def copy(
    source: Annotated[
        str, typer.Option("--from", metavar="URL", help="s3://bucket/prefix or file:///folder.")
    ],
    target: Annotated[str, typer.Option("--to", metavar="URL", help="The same for where they are to be.")],
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Copy all files to another store and verify each. May be ended and begun again; copies only what is not
    there."""
    from app.service.context import open_context
    from app.service.database.schema import require_supported
    from app.service.files.copying import CopyReport, OtherStore, copy_files
    from app.service.storage.folder import open_storage

    settings = read_settings(data_dir, database_url)
    places = [_parse(source, "--from"), _parse(target, "--to")]
    if places[0] == places[1]:
        raise Refused("--from and --to are the same")
    with closing(open_context(settings)) as context, err.status("Copying files …") as status:
        require_supported(context.database)
        stores = [open_storage(place, settings.files_timeout) for place in places]

        def advance(report: CopyReport) -> None:
            status.update(f"Copying files … {report.files:,}")

        try:
            report = copy_files(context, stores[0], stores[1], advance)
        except OtherStore as error:
            raise Refused(str(error)) from None
    out.print(
        f"{report.copied:,} files copied ({report.copied_bytes:,} bytes), {report.there:,} were there"
        " already; each was read again and is as it was uploaded."
    )
    for lost in report.lost:
        err.print(lost, markup=False)
    if report.lost:
        raise Refused(f"{len(report.lost):,} files could not be copied: there is nothing right to copy")
    out.print(f"Now set PARLEY_FILES_URL={places[1]} for all processes.")


def _parse(text: str, option: str) -> FilesUrl:
    try:
        return FilesUrl.parse(text)
    except ValueError as error:
        raise Refused(f"{option}: {error}") from None
