"""A stored file as a response: the whole of it, or a part."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import BinaryIO

from starlette.responses import FileResponse, StreamingResponse
from starlette.types import Receive, Scope, Send

from app.service.storage.file_storage import PIECE, FileStorage

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
