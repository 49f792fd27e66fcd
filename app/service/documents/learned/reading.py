"""The learned reader: lines and totals from geometry and arithmetic first and words last.

Each printed figure gets a probability for each role (`features`, `model`); lines (`lines`) and totals
(`totals`) are what is most probable and adds up (`closure`). The model is trained by
`python -m tests.reader_training.train`; `model.md` says with what and how well it reads.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from app.service.documents.extraction import LineItem, Provenance
from app.service.documents.layout.document import Document
from app.service.documents.learned.closure import close_lines
from app.service.documents.learned.features import FigureFeatures
from app.service.documents.learned.lines import find_lines
from app.service.documents.learned.model import Model, load_model
from app.service.documents.learned.printed_figures import MOST_FIGURES, find_printed_figures
from app.service.documents.learned.roles import RoleScores


@dataclass(frozen=True)
class LearnedReading:
    """Lines and totals, each with the probability that it was read right as its confidence.

    `provenance` is keyed by `net_total`, `tax_total` and `total`; a line carries its own. `margins` says by
    how much the best reading is more probable than the next, from 0 to 1, for each total that was read and
    for `line_items`. Nothing is read of a document with more than `MOST_FIGURES`.
    """

    line_items: tuple[LineItem, ...]
    net_total: Decimal | None
    tax_total: Decimal | None
    total: Decimal | None
    provenance: Mapping[str, Provenance]
    margins: Mapping[str, float]


_NOTHING = LearnedReading((), None, None, None, {}, {})


def read_learned(document: Document) -> LearnedReading:
    """The lines and totals of a document as the trained model reads them."""
    if len(find_printed_figures(document)) > MOST_FIGURES:
        return _NOTHING
    return read_figures(document, FigureFeatures(document), load_model())


def read_figures(document: Document, features: FigureFeatures, model: Model) -> LearnedReading:
    """The reading of the figures of a document by a model."""
    if not features.figures:
        return _NOTHING
    measured = [index for index, one in enumerate(features.figures) if one.figure.measured]
    scores = RoleScores(model.find_roles(features), measured)
    lines = find_lines(document.rows, features, scores)
    closed = close_lines(features.figures, scores, lines)
    totals = closed.totals
    return LearnedReading(
        line_items=closed.items,
        net_total=totals.net,
        tax_total=totals.tax,
        total=totals.total,
        provenance=totals.provenance,
        margins={**totals.margins, **({"line_items": closed.margin} if closed.items else {})},
    )
