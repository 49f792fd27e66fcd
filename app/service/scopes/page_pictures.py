"""The pages of a scope's document as pictures, each drawn once."""

import threading

from app.service.access.capacity import RETRY_SECONDS
from app.service.context import Context
from app.service.documents.faults import DocumentFault, ReadersBusy
from app.service.http.problems import ApiProblem, not_found
from app.service.scopes.scope_documents import ScopeDocument


def draw_page(
    context: Context,
    document: ScopeDocument,
    page: int,
    width: int,
    cancelled: threading.Event | None = None,
) -> bytes:
    """Return a page as PNG or SVG, as it was drawn before or drawn now.

    Setting `cancelled` ends the drawing, with ReadingCancelled. Raises ApiProblem 404 for a page that is not
    there, 422 for one that cannot be drawn, 503 when no process became free.
    """
    if document.file_id is None or document.sha256 is None:
        raise not_found("page")
    if (drawn := context.pictures.find(document.file_id, page, width)) is not None:
        return drawn
    try:
        picture = context.readers.render_page(
            context.files.read(document.file_id, document.sha256),
            document.filename,
            page,
            width,
            organisation_id=document.organisation_id,
            cancelled=cancelled,
        )
    except (IndexError, FileNotFoundError):
        raise not_found("page") from None
    except DocumentFault as fault:
        raise ApiProblem(422, fault.reason) from None
    except ReadersBusy:
        detail = "All processes that draw pages are busy. Try again in a moment."
        raise ApiProblem(503, detail, headers={"Retry-After": str(RETRY_SECONDS)}) from None
    context.pictures.save(document.file_id, page, width, picture)
    return picture
