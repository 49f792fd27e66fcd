"""The door for agents on standard input and output."""

from pathlib import Path
from typing import Annotated

import typer

from app.commands.session import Refused


def mcp(
    url: Annotated[
        str, typer.Option(envvar="PARLEY_URL", help="The address of the service; PARLEY_URL.")
    ] = "http://127.0.0.1:8000",
    folder: Annotated[
        Path | None, typer.Option(help="Let the agent check quotes in this folder, and no other file.")
    ] = None,
) -> None:
    """Serve an agent on standard input and output (Model Context Protocol). PARLEY_KEY is its key."""
    import os

    import anyio

    from app.agents.server import serve_stdio
    from app.client import ApiError, AsyncApiClient

    key = os.environ.get("PARLEY_KEY", "").strip()
    if not key:
        raise Refused("set PARLEY_KEY to a key of the service (parley keys create makes one)")
    if folder is not None and not folder.is_dir():
        raise Refused(f"{folder} is no folder")
    try:
        client = AsyncApiClient(url, api_key=key)
    except ValueError as error:
        raise Refused(str(error)) from None
    try:
        anyio.run(serve_stdio, client, folder)
    except ApiError as error:
        raise Refused(str(error)) from None
    except KeyboardInterrupt:
        pass
