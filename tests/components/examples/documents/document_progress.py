from datetime import UTC, datetime

from app.contract.scope import DocumentProcessing
from components.documents.document_review import draw_document_progress
from tests.components.fixtures import NOON


def example() -> None:
    for status in ("pending", "processing", "completed", "failed"):
        draw_document_progress(
            DocumentProcessing(
                status=status,
                filename="quote_7.pdf",
                document_type="other",
                mime_type="application/pdf",
                error="The file is encrypted." if status == "failed" else None,
                updated_at=NOON,
            ),
            datetime(2026, 3, 2, 12, 5, tzinfo=UTC),
        )
