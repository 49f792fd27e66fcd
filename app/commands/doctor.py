"""Examine a deployment and say what to do."""

import json
from contextlib import closing
from dataclasses import asdict
from typing import Annotated

import typer

from app.commands.session import DatabaseUrl, DataDir, Refused, out, read_settings, require_secret_key

COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


def doctor(
    deep: Annotated[
        bool, typer.Option("--deep", help="Read every file and all of the database, which takes long.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one object with all findings.")] = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Examine the deployment, change nothing, and say what to do. Ends with 1 where something fails."""
    from app.service.context import open_context
    from app.service.doctor import Finding, Level, examine, fail
    from app.service.vault import kept_key

    settings = read_settings(data_dir, database_url)
    findings: list[Finding] = []
    try:
        require_secret_key(settings)
    except Refused as refused:
        findings.append(fail("secret key", str(refused), "Set it for every process."))
    from app.service.backup.sqlite_file import database_file

    file = None if settings.is_postgresql else database_file(settings.resolved_database_url)
    if file is not None and not file.exists():
        findings.append(
            fail("database", f"There is no database {file}.", "Name the data folder with --data-dir.")
        )
    elif not settings.secret_keys and kept_key(settings.data_dir) is None:
        findings.append(
            fail(
                "secret key",
                "There is no secret key: neither PARLEY_SECRET_KEY nor secret.key in the data folder.",
                "Bring back the deployment's key; without it secrets of webhooks are lost.",
            )
        )
    else:
        with closing(open_context(settings)) as context:
            findings += examine(context, deep=deep)
    worst = Level.FAIL if any(one.level is Level.FAIL for one in findings) else Level.OK
    if as_json:
        typer.echo(json.dumps({"healthy": worst is Level.OK, "findings": [asdict(one) for one in findings]}))
    else:
        for one in findings:
            out.print(f"[{COLOURS[one.level]}]{one.level:<4}[/]  ", end="")
            out.print(f"{one.name}: {one.message}", markup=False)
            if one.advice:
                out.print(f"      {one.advice}", markup=False)
    if worst is Level.FAIL:
        raise typer.Exit(1)
