"""`parley extract`: several files at a time through the reader pool, one JSON object a line."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TextIO

from app.service.documents.extraction import Extraction, JsonValue
from app.service.documents.faults import DocumentFault
from app.service.documents.sandbox.reader_pool import ReaderPool

LARGEST_FILE = 100 * 1024 * 1024
_LOCAL = ""  # the files of whoever runs the command are one organisation's


def extract_files(
    paths: Sequence[Path],
    readers: ReaderPool,
    *,
    ignore_embedded: bool = False,
    as_json: bool = True,
    out: TextIO,
) -> int:
    """Read the files in their order and write each as soon as it is its turn.

    A file that fails yields an object with `file` and `error`. Returns the exit status: 0 when all
    files were read, 1 otherwise.
    """
    failed = 0
    for wire in _read_all(paths, readers, ignore_embedded):
        failed += "error" in wire
        out.write((json.dumps(wire, ensure_ascii=False) if as_json else _format_for_people(wire)) + "\n")
        out.flush()
    return 1 if failed else 0


def _read_all(
    paths: Iterable[Path], readers: ReaderPool, ignore_embedded: bool
) -> Iterator[dict[str, JsonValue]]:
    def read_one(path: Path) -> dict[str, JsonValue]:
        try:
            return _read_file(path, readers, ignore_embedded).to_json()
        except DocumentFault as fault:
            return {"file": path.name, "error": fault.reason}
        except OSError as fault:
            return {"file": path.name, "error": f"The file cannot be opened: {fault.strerror or fault}."}

    with ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as threads:
        yield from threads.map(read_one, paths)


def _read_file(path: Path, readers: ReaderPool, ignore_embedded: bool) -> Extraction:
    if path.stat().st_size > LARGEST_FILE:
        raise DocumentFault("The file is larger than 100 MB.")
    return readers.read_document(
        path.read_bytes(), path.name, organisation_id=_LOCAL, ignore_embedded=ignore_embedded
    )


def _format_for_people(wire: dict[str, JsonValue]) -> str:
    if "error" in wire:
        return f"{wire['file']}: {wire['error']}"
    shown = [f"{wire['file']}"]
    for key, value in wire.items():
        if key not in ("file", "evidence", "line_items", "warnings"):
            shown.append(f"  {key.replace('_', ' ')}: {value}")
    lines = wire.get("line_items")
    shown.extend(
        "  - " + ", ".join(f"{key} {value}" for key, value in line.items())
        for line in (lines if isinstance(lines, list) else [])
        if isinstance(line, Mapping)
    )
    warnings = wire.get("warnings")
    shown.extend(f"  ! {warning}" for warning in (warnings if isinstance(warnings, list) else []))
    return "\n".join(shown)
