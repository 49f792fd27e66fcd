"""What importing a table would put on record, without a database."""

import io
from pathlib import Path
from typing import Any

from app.contract.imports import ImportKind
from app.service.imports.dry_run import read_dry
from app.service.table_files.options import FileOptions
from app.service.tables.reading import open_table
from app.settings import Settings


def look_at(
    content: Path | bytes | str, kind: ImportKind | None = None, **said: Any
) -> tuple[dict[str, Any], list[Any]]:
    """The object about a file, and those of its rows. A text is the file's own."""
    if isinstance(content, Path):
        content = content.read_bytes()
    options = FileOptions(**said)
    stream = io.BytesIO(content.encode() if isinstance(content, str) else content)
    found = read_dry(
        open_table(stream, sheet=options.sheet, encoding=options.encoding), options, Settings(), kind
    )
    return found.file.wire(), found.rows


def list_asked(about: dict[str, Any]) -> list[str]:
    """The names of the questions about a file."""
    return [question["name"] for question in about["asks"]]
