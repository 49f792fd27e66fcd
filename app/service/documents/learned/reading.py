"""What the learned reader read of a document."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from app.service.documents.extraction import LineItem, Provenance


@dataclass(frozen=True)
class LearnedReading:
    """Lines and totals, each with the probability that it was read right as its confidence.

    `provenance` is keyed by `net_total`, `tax_total` and `total`; a line carries its own. `margins` says by
    how much the best reading is more probable than the next, from 0 to 1, for each total that was read and
    for `line_items`.
    """

    line_items: tuple[LineItem, ...]
    net_total: Decimal | None
    tax_total: Decimal | None
    total: Decimal | None
    provenance: Mapping[str, Provenance]
    margins: Mapping[str, float]
