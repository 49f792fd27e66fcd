"""Bring in purchases, catalogs, exchange rates and agreements from files."""

import functools
import inspect
import json
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from typer.core import TyperGroup

from app.commands.session import DatabaseUrl, DataDir, Refused, err, out, read_settings, working_context
from app.contract.imports import BlankCells, DateOrder, ImportKind, NumberFormat, PricePer
from app.service.table_files.options import FileOptions

if TYPE_CHECKING:
    from app.service.context import Context


class _Imports(TyperGroup):
    """The kinds of files are commands; with `--dry-run` a file may stand in their place."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command, its name and its arguments."""
        if "--dry-run" not in args:
            return super().resolve_command(ctx, args)
        if args[0] in get_args(ImportKind):
            args = ["--kind", *args]
        return "look", self.get_command(ctx, "look"), args


app = typer.Typer(help=__doc__, no_args_is_help=True, cls=_Imports)

Files = Annotated[list[Path], typer.Argument(help="Files to bring in.")]


def state_options(
    mapping: Annotated[
        list[str] | None, typer.Option("--map", metavar="NEW=OLD", help="Read column OLD as NEW.")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="A column to leave out.")] = None,
    base: Annotated[str | None, typer.Option(help="The base currency of rates that name none.")] = None,
    date_order: Annotated[
        DateOrder | None, typer.Option(help="How the files write 03/04/2026, where no date shows it.")
    ] = None,
    sheet: Annotated[str | None, typer.Option(help="The sheet of a workbook to read.")] = None,
    encoding: Annotated[str | None, typer.Option(help="The encoding of a text.")] = None,
    number_format: Annotated[
        NumberFormat | None, typer.Option(help="Which mark parts the decimals, where no number shows it.")
    ] = None,
    currency: Annotated[
        str | None, typer.Option(help="The currency of prices that name none; else that of the deployment.")
    ] = None,
    price_per: Annotated[
        PricePer | None, typer.Option(help="What a price with a term is for, where the file does not say.")
    ] = None,
    state: Annotated[
        list[str] | None,
        typer.Option(metavar="WORD=yes|no", help="Whether orders in a state are purchases."),
    ] = None,
    blank_cells: Annotated[
        BlankCells | None, typer.Option(help="Whether blank suppliers and days are those of the row above.")
    ] = None,
) -> FileOptions:
    """Return what somebody says of the files on the command line: the options of every kind of file."""
    return FileOptions(
        pairs(mapping or []),
        ignore or [],
        base.upper() if base else None,
        date_order,
        sheet,
        encoding,
        number_format,
        currency.upper() if currency else None,
        price_per,
        _read_states(state or []),
        blank_cells,
    )


def _with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the parameters of `state_options` in the place of its `said`."""
    own, stated = (inspect.signature(one, eval_str=True).parameters for one in (command, state_options))

    @functools.wraps(command)
    def called(**given: Any) -> None:
        said = state_options(**{name: given.pop(name) for name in stated})
        command(**given, said=said)

    parameters = [one for one in own.values() if one.name != "said"]
    parameters += [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in stated.values()]
    called.__signature__ = inspect.Signature(sorted(parameters, key=lambda one: one.kind))  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in parameters}
    return called


def _read_states(given: list[str]) -> dict[str, bool]:
    """Parse `--state` options. Refused for one that is not WORD=yes or WORD=no."""
    read: dict[str, bool] = {}
    for one in given:
        word, _, counts = one.rpartition("=")
        if not word.strip() or counts not in ("yes", "no"):
            raise Refused(f"--state {one}: write it as WORD=yes or WORD=no")
        read[word.strip()] = counts == "yes"
    return read


Organisation = Annotated[
    str | None, typer.Option(help="The only organisation that sees the rows and their new entries.")
]
Rejects = Annotated[Path | None, typer.Option(help="Write the refused rows to this CSV file.")]


def _add_command(kind: ImportKind, help: str) -> None:
    """Add the command that imports files of a kind, for one organisation or everybody."""

    @app.command(kind, help=help)
    @_with_options
    def command(
        files: Files,
        said: FileOptions,
        organisation: Organisation = None,
        rejects: Rejects = None,
        data_dir: DataDir = None,
        database_url: DatabaseUrl = None,
    ) -> None:
        _import(kind, files, said, organisation, rejects, data_dir, database_url)


_add_command(
    "purchases",
    "Import purchases (CSV, CSV.gz, XLSX, XLS, ODS, Parquet); rows that were imported before are skipped.",
)
_add_command(
    "rates",
    """Import exchange rates (CSV, CSV.gz, XLSX, XLS, ODS, Parquet): purchases in other currencies count then.

    Columns date, base, currency and rate: one unit of base is worth rate units of currency. Or date and a
    column for each currency, as the European Central Bank publishes its reference rates.
    """,
)


@app.command()
@_with_options
def agreements(
    files: Files,
    said: FileOptions,
    organisation: Annotated[str, typer.Option(help="The organisation whose agreements they are.")],
    rejects: Rejects = None,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Import agreements (CSV, CSV.gz, XLSX, XLS, ODS, Parquet), those of all files or of none. What a file
    does not say, or says in two ways, is left out and named."""
    _import("agreements", files, said, organisation, rejects, data_dir, database_url)


_add_command(
    "catalog",
    "Import companies, categories and products (CSV, CSV.gz, XLSX, XLS, ODS, Parquet); known ones are"
    " updated.",
)


def _import(
    kind: ImportKind,
    files: list[Path],
    said: FileOptions,
    organisation: str | None,
    rejects: Path | None,
    data_dir: Path | None,
    database_url: str | None,
) -> None:
    """Import files and say what became of their rows."""
    from app.service.imports.operator_files import MAX_LISTED, import_files

    with _importing(data_dir, database_url) as context, _count_rows() as progress:
        report = import_files(
            context, kind, files, said, organisation=organisation, rejects=rejects, progress=progress
        )
    result = report.result
    changed = "" if result.changed is None else f" {result.changed:,} changed,"
    entries = {"suppliers": result.companies, "products": result.products, "categories": result.categories}
    more = [f"{number:,} new {name}" for name, number in entries.items() if number is not None]
    more += [f"{report.doubtful:,} values left out or doubtful"] if kind == "agreements" else []
    out.print(
        f"{result.imported:,} {'suppliers' if kind == 'catalog' else kind} imported,{changed}"
        f" {result.repeated:,} there already, {result.refused:,} refused{'; ' * bool(more)}{', '.join(more)}."
    )
    for column, reason in report.ignored_columns.items():
        err.print(f"Column {column} became no pricing dimension: {reason}", markup=False)
    for assumption in report.assumptions:
        err.print(assumption, markup=False)
    for name, line, reason in (*report.refusals, *report.doubts):
        err.print(f"{name}, line {line}: {reason}", markup=False)
    if result.refused > MAX_LISTED:
        err.print(f"… and {result.refused - MAX_LISTED:,} more; --rejects FILE keeps all.")


@app.command(hidden=True)
@_with_options
def look(
    file: Annotated[Path, typer.Argument(help="The file.")],
    said: FileOptions,
    kind: Annotated[ImportKind | None, typer.Option(help="What it holds, where not recognised.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Import nothing.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Say what importing a file would put on record, what it does not say, and which rows are refused."""
    from app.service.imports.dry_run import read_dry
    from app.service.table_files.isolated_reading import open_table_file
    from app.service.table_files.reading import name_file_in_errors
    from app.service.tables.table import UnreadableTable

    try:
        opened = open_table_file(file, said)
        with name_file_in_errors(file), opened as table:
            found = read_dry(table, said, read_settings(), kind)
            for record in (found.file.wire(), *found.rows):
                if as_json:
                    sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
                else:
                    out.print(record, markup=False)
    except UnreadableTable as error:
        raise Refused(str(error)) from None


@contextmanager
def _importing(data_dir: Path | None, database_url: str | None) -> "Generator[Context]":
    """Open the context of an import. What it refuses ends the command in one line."""
    from app.service.access.keys import UnknownOrganisation
    from app.service.http.problems import ApiProblem
    from app.service.tables.table import UnreadableTable

    with working_context(read_settings(data_dir, database_url)) as context:
        try:
            yield context
        except (UnreadableTable, UnknownOrganisation) as error:
            raise Refused(str(error)) from None
        except ApiProblem as problem:
            raise Refused(problem.detail) from None


@contextmanager
def _count_rows() -> Generator[Callable[[int], None]]:
    """Show how many rows were read: what is given says so."""
    columns = (SpinnerColumn(), TextColumn("{task.completed:,} {task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task("rows", total=None)
        yield lambda rows: progress.update(task, completed=rows)


def pairs(given: list[str]) -> dict[str, str]:
    """Parse `--map` options into {new: old}. Refused for one that is not NEW=OLD."""
    read: dict[str, str] = {}
    for pair in given:
        new, equals, old = pair.partition("=")
        if not equals or not new.strip() or not old.strip():
            raise Refused(f"--map {pair}: write it as NEW=OLD")
        read[new.strip()] = old.strip()
    return read
