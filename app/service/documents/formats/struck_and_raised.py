"""What is said of text that print strikes out, and of the cents of a price that it raises."""

from collections.abc import Iterable, Sequence

from app.service.values.folding import lower_cents

STRUCK_OUT = "The document has text that is struck out, which was not read."
READ_AS_CENTS = "Two raised digits behind a whole number were read as its cents."


def read_cents(rows: Iterable[Sequence[str]]) -> tuple[list[list[str]], list[str]]:
    """The rows with raised cents as others are printed, and a sentence if there were any."""
    raised = [list(row) for row in rows]
    lowered = [[lower_cents(text) for text in row] for row in raised]
    return lowered, [READ_AS_CENTS] if lowered != raised else []
