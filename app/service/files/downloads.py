"""A stored file as a response: the whole of it, or the bytes that are asked for (RFC 9110, 14)."""

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import BinaryIO

from starlette.responses import FileResponse, StreamingResponse
from starlette.types import Receive, Scope, Send

from app.service.http.problems import ApiProblem, InvalidField
from app.service.storage.file_storage import PIECE, FileStorage

_RANGES = re.compile(r"bytes\s*=\s*(.*)", re.IGNORECASE)
_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{0,18})|-([0-9]{1,18})")


def find_ranges(header: str, size: int) -> list[range]:
    """The ranges of a file's bytes that `Range` selects; none where the whole file is the answer: for units
    other than bytes, and for ranges of which only some are in the file. Raises ApiProblem 400 for ranges that
    cannot be read, 416 where none is in the file."""
    ranges = _RANGES.fullmatch(header.strip())
    if ranges is None:
        return []
    found = list(_read_ranges(ranges.group(1), size))
    if not any(found):
        raise ApiProblem(
            416,
            f"The file has {size:,} bytes, none of which is in the requested range.",
            headers={"Content-Range": f"bytes */{size}"},
        )
    return found if all(found) else []


def _read_ranges(ranges: str, size: int) -> Iterator[range]:
    for one in ranges.split(","):
        found = _RANGE.fullmatch(one.strip())
        first, last, suffix = found.groups() if found else (None, None, None)
        if found is None or (first and last and int(last) < int(first)):
            wrong = InvalidField("Range", "must be like bytes=0-499, bytes=500- or bytes=-500")
            raise ApiProblem(400, "A header is not valid.", errors=[wrong])
        if suffix is not None:
            yield range(max(0, size - int(suffix)), size)
        else:
            yield range(int(first or 0), min(int(last) + 1, size) if last else size)


MEDIA_TYPE = "application/octet-stream"


class WholeFileResponse(FileResponse):
    """A whole file, or several parts of it, verified before anything is sent. Raises what
    `FileStorage.local_copy` raises."""

    def __init__(self, files: FileStorage, file_id: str, sha256: str, headers: Mapping[str, str]) -> None:
        with ExitStack() as stack:
            path = stack.enter_context(files.local_copy(file_id, sha256))
            super().__init__(path, media_type=MEDIA_TYPE, headers=headers)
            self._kept = stack.pop_all()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._kept:
            await super().__call__(scope, receive, send)


class PartResponse(StreamingResponse):
    """A range of a file's bytes. Raises what `FileStorage.open` raises."""

    def __init__(
        self, files: FileStorage, file_id: str, size: int, part: range, headers: Mapping[str, str]
    ) -> None:
        stated = {
            "Accept-Ranges": "bytes",
            "Content-Range": f"bytes {part.start}-{part.stop - 1}/{size}",
            "Content-Length": str(len(part)),
        }
        with ExitStack() as stack:
            file = stack.enter_context(files.open(file_id, part.start, len(part)))
            super().__init__(_read_pieces(file), 206, {**headers, **stated}, MEDIA_TYPE)
            self._kept = stack.pop_all()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._kept:
            await super().__call__(scope, receive, send)


def _read_pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece
