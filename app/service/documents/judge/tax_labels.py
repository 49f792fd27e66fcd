"""Whether words contradict that a figure, which arithmetic takes for the tax of a total, is a tax."""

import re
from decimal import Decimal
from itertools import pairwise

from app.service.documents.extraction import Provenance
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.layout.rows import Row
from app.service.documents.lexicon.languages import LANGUAGES, WORDS
from app.service.documents.lexicon.phrases import phrase
from app.service.documents.lexicon.vocabulary import DISCOUNT, total_kind
from app.service.values.folding import fold
from app.service.values.tax import TAX_WORD

_TAX = re.compile(rf"{TAX_WORD}|(?<![a-z]){WORDS.totals.tax}")
_WORD = re.compile(r"[^\W\d_]{4}")  # longer than the code of a currency
_ROLES = WORDS.line_roles
_NO_TAXES = (
    *(phrase(one) for one in (_ROLES.shipping, _ROLES.charge, _ROLES.service, WORDS.totals.adjustment)),
    DISCOUNT,
)
_KNOWN_LANGUAGES = frozenset(one.code for one in LANGUAGES)


def without_misnamed_tax(figures: PrintedFigures, totals: Totals, language: str | None) -> Totals:
    """The sums, with all of the total before tax where words say that what was taken for the tax is a charge.

    The total has the label of a net, or the figure that of a charge; or it has one without a tax and without
    a rate, in a language that is known.
    """
    label = _find_other_label(figures, totals)
    place = totals.provenance.get("total")
    if label is None or totals.total is None or place is None:
        return totals
    contradicted = (
        total_kind(_read_row(figures, place)) == "net"
        or any(one.search(label) for one in _NO_TAXES)
        or (language in _KNOWN_LANGUAGES and _WORD.search(label) and "%" not in label)
    )
    if not contradicted:
        return totals
    charge = totals.tax or Decimal(0)
    places = {"net_total": place, "total": place}
    return Totals(totals.total, None, totals.total, totals.discount - charge, places)


def is_tax_unnamed(figures: PrintedFigures, totals: Totals, language: str | None) -> bool:
    """Whether the tax has a label in a language that is known, and none of its words is one for a tax."""
    label = _find_other_label(figures, totals) if language in _KNOWN_LANGUAGES else None
    return label is not None and _WORD.search(label) is not None


def _find_other_label(figures: PrintedFigures, totals: Totals) -> str | None:
    """What stands beside the tax, folded; in a sentence, the words before it. None where a word for a tax
    stands there or in a row of words next to it, and in a table of taxes, whose row holds another sum too."""
    place = totals.provenance.get("tax_total")
    order = figures.order_of(place) if totals.tax and place else None
    if order is None:
        return None
    if (clause := _find_clause(figures.rows[order], totals.tax)) is not None:
        return None if _TAX.search(clause) else clause
    others = (totals.provenance.get(name) for name in ("net_total", "total"))
    if order in [figures.order_of(one) for one in others if one]:
        return None
    label = fold(figures.rows[order].text)
    wrapped = [row for row in figures.rows[max(order - 1, 0) : order + 2] if not row.figures]
    named = any(_TAX.search(text) for text in (label, *(fold(row.text) for row in wrapped)))
    return None if named else label


def _find_clause(row: Row, value: Decimal | None) -> str | None:
    """The words between a figure and the sum of money before it, folded, where a sentence holds both."""
    for cell in row.cells():
        money = [one for one in cell.figures if one.currency and not one.percent]
        for before, one in pairwise(money):
            if one.value == value:
                return fold(cell.text[before.end : one.start])
    return None


def _read_row(figures: PrintedFigures, place: Provenance) -> str:
    order = figures.order_of(place)
    return "" if order is None else fold(figures.rows[order].text)
