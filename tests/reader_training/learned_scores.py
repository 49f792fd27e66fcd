"""What the learned reader alone reads right."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.service.documents.learned.reading import LearnedReading
from tests.service.documents.reading_scores import lines_right, same_money

_SUMS = ("total", "net_total", "tax_total")


@dataclass
class LearnedScore:
    """Counts of one class of layout."""

    documents: int = 0
    complete: int = 0
    lines: int = 0
    lines_read: int = 0
    lines_right: int = 0
    stated: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_SUMS, 0))
    right: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_SUMS, 0))

    def as_row(self) -> str:
        """The cells of a table: documents, lines, precision, totals, nets, taxes, documents all right."""
        shares = [
            (self.lines_right, self.lines), (self.lines_right, self.lines_read),
            *((self.right[name], self.stated[name]) for name in _SUMS), (self.complete, self.documents),
        ]  # fmt: skip
        cells = [f"{part / whole:.3f}" if whole else "-" for part, whole in shares]
        return " | ".join([str(self.documents), *cells])


def score_reading(score: LearnedScore, truth: Mapping[str, Any], reading: LearnedReading) -> None:
    """Add one document to a score."""
    read = [item.to_json() for item in reading.line_items]
    pairs = len(lines_right(truth["line_items"], read))
    right = pairs == len(truth["line_items"]) == len(read)
    score.documents += 1
    score.lines += len(truth["line_items"])
    score.lines_read += len(read)
    score.lines_right += pairs
    for name in _SUMS:
        if truth.get(name) is None:
            continue
        value = getattr(reading, name)
        agrees = same_money(truth[name], None if value is None else float(value))
        score.stated[name] += 1
        score.right[name] += agrees
        right = right and agrees
    score.complete += right
