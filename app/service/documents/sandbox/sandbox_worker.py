"""The reading process: `python -m app.service.documents.sandbox.sandbox_worker PARENT MEMORY`; see
`reader_pool`."""

import sys
import time
from collections.abc import Callable

from app.service.documents.faults import UnreadableDocument, UnsupportedDocument
from app.service.documents.sandbox.child_process import enter_isolation
from app.service.documents.sandbox.isolation import limit_processor
from app.service.documents.sandbox.messages import (
    Answer,
    Failure,
    Picture,
    Reading,
    ReadRequest,
    Recognised,
    RecogniseRequest,
    RenderRequest,
    Request,
    Scans,
    receive_request,
    send_answer,
)

FOR_PAGES = 0.8
"""The part of the time of a document in which its pages are read."""
DAMAGED = "Parts of the document cannot be read; it may be damaged."


def serve(parent: int, memory: int) -> None:
    """Answer requests from standard input until it closes. `parent` is the id of the process that started
    this one, `memory` in bytes."""
    requests, answers = enter_isolation(parent, memory)
    while True:
        try:
            request, content = receive_request(requests)
        except EOFError:
            return
        limit_processor(request.processor_seconds)
        send_answer(answers, *answer_request(request, content))


def load_models() -> None:
    """Load, by reading a table of our own, what the first document would otherwise wait for: models and
    the patterns of dates."""
    from app.service.documents.reading import read_document

    read_document(b"Item;Quantity;Price\nSeats until 3 March 2026;2;5.00\nTotal;;10.00\n", "table.csv")


def answer_request(request: Request, content: bytes) -> tuple[Answer, bytes]:
    """Return the reading, the picture with its bytes, or why there is neither."""
    # Imported here, so that the limits hold while the libraries load.
    from app.service.documents.formats.rendering import render_page
    from app.service.documents.reading import ScansFound

    try:
        if isinstance(request, RenderRequest):
            return Picture(), render_page(content, request.filename, request.page, request.width)
        if isinstance(request, RecogniseRequest):
            return _recognise(request, content), b""
        return _read(request, content), b""
    except ScansFound as found:
        return Scans(found.pages), b""
    except UnsupportedDocument as fault:
        return Failure("unsupported", fault.reason), b""
    except UnreadableDocument as fault:
        return Failure("unreadable", fault.reason), b""
    except IndexError as missing:
        if isinstance(request, RenderRequest):
            return Failure("no such page", str(missing)), b""
        return Failure("unreadable", DAMAGED), b""
    except (MemoryError, RecursionError):
        return Failure("unreadable", "The document needs more memory than one document may use."), b""
    except Exception:  # whatever a hostile file provokes must cost this file only
        return Failure("unreadable", DAMAGED), b""


def _read(request: ReadRequest, content: bytes) -> Reading:
    from app.service.documents.reading import read_document
    from app.service.documents.second_opinion.steps import QuestionStep, SettlingStep

    recognised = request.recognised
    asking = QuestionStep() if request.asks_second_opinion else None
    settling = SettlingStep(request.named) if request.named else None
    extraction = read_document(
        content,
        request.filename,
        ignore_embedded=request.ignore_embedded,
        page_limit=request.page_limit,
        is_time_over=_make_clock(request),
        share_scans=request.share_scans,
        recognised=None if recognised is None else {page.number: page for page in recognised},
        after_judge=settling or asking,
    )
    return Reading(extraction, asking.question if asking else None, settling.sentences if settling else ())


def _recognise(request: RecogniseRequest, content: bytes) -> Recognised:
    from app.service.documents.reading import read_scan

    began = time.process_time()
    page = read_scan(content, request.filename, request.page)
    return Recognised(page, time.process_time() - began)


def _make_clock(request: ReadRequest) -> Callable[[], bool]:
    """Whether the time for reading pages is over; what they say is to be found in the rest of the time."""
    processor = time.process_time() + FOR_PAGES * request.processor_seconds
    clock = time.monotonic() + FOR_PAGES * request.clock_seconds
    return lambda: time.process_time() > processor or time.monotonic() > clock


if __name__ == "__main__":
    serve(parent=int(sys.argv[1]), memory=int(sys.argv[2]))
