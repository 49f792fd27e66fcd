"""Read documents, measure estimates and receive deliveries without a deployment."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from app.commands.imports import pairs
from app.commands.session import Refused, err, out, require_free


def extract(
    files: Annotated[list[Path], typer.Argument(help="Documents to read.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a line for each file.")
    ] = False,
    ignore_embedded: Annotated[
        bool, typer.Option("--ignore-embedded", help="Read the page and not the embedded XML.")
    ] = False,
) -> None:
    """Read quotes, orders and invoices: each value and its place on the page."""
    from app.service.documents.command import extract_files
    from app.service.documents.sandbox.reader_pool import ReaderPool

    with ReaderPool() as readers:
        failed = extract_files(
            files, readers, ignore_embedded=ignore_embedded, as_json=as_json, out=sys.stdout
        )
    if failed:
        raise typer.Exit(1)


class AsOf(StrEnum):
    """What a purchase is estimated from: the purchases before it (rolling), or all others (frozen)."""

    rolling = "rolling"
    frozen = "frozen"


def backtest(
    file: Annotated[
        Path | None, typer.Argument(help="Purchases, each estimated from those before it.")
    ] = None,
    train: Annotated[Path | None, typer.Option(help="Purchases to estimate from.")] = None,
    test: Annotated[Path | None, typer.Option(help="Purchases to estimate.")] = None,
    as_of: Annotated[
        AsOf, typer.Option(help="Estimate from earlier purchases (rolling) or from all others (frozen).")
    ] = AsOf.rolling,
    predictions: Annotated[Path | None, typer.Option(help="Write each estimate to this CSV file.")] = None,
    mapping: Annotated[
        list[str] | None, typer.Option("--map", metavar="NEW=OLD", help="Read column OLD as NEW.")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="A column to leave out.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure how accurate estimates are on your own purchases: estimate past ones without their prices."""
    from app.service.pricing.backtest.command import NotEnoughPurchases, format_figures
    from app.service.pricing.backtest.command import run_backtest as run
    from app.service.tables.table import UnreadableTable

    if (file is None) == (train is None or test is None):
        raise Refused("give one FILE, or both --train and --test")
    with Progress(console=err, transient=True) as progress:
        task = progress.add_task("estimating", total=None)
        try:
            figures = run(
                file,
                train=train,
                test=test,
                as_of=as_of.value,
                predictions=predictions,
                mapping=pairs(mapping or []),
                ignore=ignore or [],
                progress=lambda done, total: progress.update(task, completed=done, total=total),
            )
        except (UnreadableTable, NotEnoughPurchases) as error:
            raise Refused(str(error)) from None
    out.print(format_figures(figures, as_json=as_json), markup=False)


def listen(
    port: Annotated[int, typer.Option(help="The port to receive deliveries on.")] = 8787,
    secret: Annotated[
        str | None, typer.Option(help="The webhook's secret, to check signatures with.")
    ] = None,
) -> None:
    """Receive webhook deliveries and print each, with whether its signature is valid; Ctrl-C ends."""
    from app.service.webhooks.listen import listen as take

    require_free("127.0.0.1", port)
    take(port, secret, sys.stdout)
