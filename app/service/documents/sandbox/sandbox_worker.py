"""The reading process: `python -m app.service.documents.sandbox.sandbox_worker MEMORY`; see `reader_pool`."""

import os
import resource
import sys
from typing import IO

from app.service.documents.faults import DocumentFault, UnreadableDocument
from app.service.documents.sandbox.messages import ReadRequest, RenderRequest, receive, send

DAMAGED = "Parts of the document cannot be read; it may be damaged."


def main() -> None:
    """Answer requests from standard input until it closes."""
    limit = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    requests, answers = _private_streams()
    while True:
        try:
            request = receive(requests)
        except EOFError:
            return
        if not isinstance(request, ReadRequest | RenderRequest):
            return
        send(answers, answer_request(request))


def _private_streams() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes to the parent; libraries that print must not write into the answers."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return sys.stdin.buffer, answers


def answer_request(request: ReadRequest | RenderRequest) -> object:
    """Return the reading, the picture, or the fault that explains why there is none."""
    # Imported here, so that the limits hold while the libraries load.
    from app.service.documents.formats.rendering import render_page
    from app.service.documents.reading import read_document

    try:
        if isinstance(request, RenderRequest):
            return render_page(request.content, request.filename, request.page, request.width)
        return read_document(
            request.content,
            request.filename,
            ignore_embedded=request.ignore_embedded,
            page_limit=request.page_limit,
        )
    except DocumentFault as fault:
        return fault
    except IndexError as missing:
        return missing if isinstance(request, RenderRequest) else UnreadableDocument(DAMAGED)
    except (MemoryError, RecursionError):
        return UnreadableDocument("The document needs more memory than one document may use.")
    except Exception:  # whatever a hostile file provokes must cost this file only
        return UnreadableDocument(DAMAGED)


if __name__ == "__main__":
    main()
