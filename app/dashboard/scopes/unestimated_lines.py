"""The lines of a quote that no estimate covers: as the document was read, and as it stands in the review."""

from collections.abc import Sequence
from decimal import Decimal

from app.contract.scope import DocumentReading, ReadLine
from components.documents.line_review import (
    LEFT_OUT,
    NOT_A_PRODUCT,
    ReviewedLine,
    UnestimatedLine,
    describe_line,
)


def find_unestimated_lines(reading: DocumentReading) -> list[UnestimatedLine]:
    """Return the lines of a document that cost something and have no estimate."""
    return [
        _make_line(line, line.term_amount, line.role)
        for line in reading.lines
        if (line.role != "product" or line.product_id is None)
        and line.term_amount != 0
        and not _is_optional(line)
    ]


def list_left_out_lines(lines: Sequence[ReviewedLine]) -> list[UnestimatedLine]:
    """Return what the confirmed scope will not contain, as the review stands."""
    return [
        _make_line(reviewed.line, reviewed.amount, reviewed.role)
        for reviewed in sorted(lines, key=lambda one: one.line.index)
        if not reviewed.is_bought and reviewed.amount != 0 and not _is_optional(reviewed.line)
    ]


def _make_line(line: ReadLine, amount: Decimal | None, role: str) -> UnestimatedLine:
    return UnestimatedLine(describe_line(line), amount, NOT_A_PRODUCT if role == "not_product" else LEFT_OUT)


def _is_optional(line: ReadLine) -> bool:
    return any(value.name == "optional" and value.value is True for value in line.values)
