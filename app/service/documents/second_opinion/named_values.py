"""The values that named words hold, as our own parser reads them."""

from bisect import bisect_right
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate

from app.service.documents.extraction import LineItem, Provenance
from app.service.documents.layout.document import Document
from app.service.documents.layout.rows import Row, WordRun
from app.service.documents.second_opinion.question import MOST_NAMED_WORDS, NamedLine, WordIds


@dataclass(frozen=True)
class NamedValue:
    """A figure with the place of its words."""

    value: Decimal
    place: Provenance


class NamedValueReader:
    """Reads the words of a document by their ids."""

    def __init__(self, document: Document) -> None:
        self._rows = document.rows
        self._ends = list(accumulate(len(row.words) for row in document.rows))

    def read_figure(self, ids: WordIds) -> NamedValue | None:
        """The one figure of neighbouring words of a row; None where they hold none or several, or are a part
        of a longer figure."""
        found = self._find_run(ids)
        if found is None:
            return None
        row, run = found
        figures = [one for one in run.figures if not one.percent]
        if len(figures) != 1 or not _stands_whole(row, run, figures[0].value):
            return None
        return NamedValue(figures[0].value, run.locate(0.0))

    def read_line(self, named: NamedLine) -> LineItem | None:
        """The line of these words; None where a word was named for a figure and holds none."""
        parts = {"quantity": named.quantity, "unit_price": named.unit_price, "amount": named.amount}
        read = {name: self.read_figure(ids) for name, ids in parts.items() if ids}
        if not read or any(one is None for one in read.values()):
            return None
        found = {name: one for name, one in read.items() if one is not None}
        provenance = {name: one.place for name, one in found.items()}
        description = self._read_text(named.description)
        if description is not None:
            provenance["description"] = description.locate(0.0)
        return LineItem(
            description=description.text if description else None,
            quantity=found["quantity"].value if "quantity" in found else None,
            unit_price=found["unit_price"].value if "unit_price" in found else None,
            amount=found["amount"].value if "amount" in found else None,
            provenance=provenance,
        )

    def _read_text(self, ids: WordIds) -> WordRun | None:
        """Words of one page as a text; they may stand in several rows."""
        words = [self._find_word(one) for one in sorted(set(ids))[:MOST_NAMED_WORDS]]
        found = [one for one in words if one is not None]
        if not found or len({row.page for row, _ in found}) > 1:
            return None
        row = found[0][0]
        return WordRun(tuple(row.words[at] for row, at in found), row.page, row.number_format)

    def _find_run(self, ids: WordIds) -> tuple[Row, WordRun] | None:
        """The words with their row, where they are neighbours in one."""
        places = [self._find_word(one) for one in sorted(set(ids))]
        if not places or places[0] is None:
            return None
        row, first = places[0]
        for at, place in enumerate(places):
            if place is None or place[0] is not row or place[1] != first + at:
                return None
        return row, WordRun(row.words[first : first + len(places)], row.page, row.number_format)

    def _find_word(self, word: int) -> tuple[Row, int] | None:
        """The row of a word and its place in it."""
        if not 0 <= word < (self._ends[-1] if self._ends else 0):
            return None
        order = bisect_right(self._ends, word)
        return self._rows[order], word - (self._ends[order - 1] if order else 0)


def _stands_whole(row: Row, run: WordRun, value: Decimal) -> bool:
    """Whether a cell of the row shows the same figure: `200.00` of `1 200.00` is none."""
    cells = (cell for cell in row.cells() if run.words[0] in cell.words)
    return any(figure.value == value for cell in cells for figure in cell.figures)
