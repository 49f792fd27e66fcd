"""Look at documents and estimates without a deployment."""

import sys
from pathlib import Path
from typing import Annotated

import typer


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
