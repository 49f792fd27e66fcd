"""A page of a document is drawn once, and drawing says what is wrong in the interface's words."""

import hashlib
import io
import threading
import time

import pytest

from app.service.context import Context
from app.service.documents.faults import ReadingCancelled
from app.service.http.problems import ApiProblem
from app.service.ids import new_id
from app.service.scopes.page_pictures import draw_page
from app.service.scopes.scope_documents import ScopeDocument
from tests.service.documents import pdf_builder

PDF = pdf_builder.pdf([pdf_builder.Text(50, 60, "Hello")])
HEAVY = pdf_builder.drawing(b"0.5 g 0 0 5000 5000 re f\n" * 60_000, (5000, 5000))


def stored(context: Context, content: bytes) -> ScopeDocument:
    file_id = new_id()
    sha256 = hashlib.sha256(content).hexdigest()
    context.files.save(file_id, io.BytesIO(content), sha256)
    return ScopeDocument(
        new_id(),
        "o",
        file_id,
        None,
        None,
        "completed",
        "quote.pdf",
        sha256,
        None,
    )


def test_a_page_is_drawn_once(context: Context) -> None:
    document = stored(context, PDF)
    picture = draw_page(context, document, 1, 300)
    assert picture.startswith(b"\x89PNG")
    context.files.delete(document.file_id or "")
    assert draw_page(context, document, 1, 300) == picture
    with pytest.raises(ApiProblem) as refusal:
        draw_page(context, document, 1, 301)
    assert refusal.value.status_code == 404


def test_a_page_that_is_not_there_is_not_found(context: Context) -> None:
    with pytest.raises(ApiProblem) as refusal:
        draw_page(context, stored(context, PDF), 2, 300)
    assert refusal.value.status_code == 404


def test_a_drawing_that_nobody_waits_for_is_not_kept(context: Context) -> None:
    gone = threading.Event()
    threading.Timer(0.5, gone.set).start()
    began = time.monotonic()
    document = stored(context, HEAVY)
    with pytest.raises(ReadingCancelled):
        draw_page(context, document, 1, 3000, gone)
    assert time.monotonic() - began < 15
    assert context.pictures.find(document.file_id or "", 1, 3000) is None
