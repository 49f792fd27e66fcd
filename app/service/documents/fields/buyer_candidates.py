"""Who may have bought: the names behind labels like `Bill to`."""

import re
from collections.abc import Iterator, Mapping, Sequence

from app.service.documents.fields.candidates import Candidate
from app.service.documents.fields.party_labels import PERSON, find_labelled_names
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.party_words import (
    ATTENTION,
    BUYER,
    CLERK,
    COMPANY_TITLE,
    HONORIFIC,
    LABEL_ENDS,
    SALUTATION,
    TITLED,
)
from app.service.documents.values.company_names import COMPANY, looks_like_name
from app.service.values.folding import fold

_WEIGHTS = {
    "label": 3.0, "weak label": 1.8, "legal form": 1.0, "low on the page": -1.5, "clerk": -2.0,
    "person": -1.0, "head of the address": 0.5, "joined to its label": -0.5, "joined to a weak label": -1.5,
}  # fmt: skip
ADDRESSED = "addressed"
"""The reason of a name to which a paper is sent, as on an envelope; whom an order is sent to sells."""
_ENDS_AS_STREET = re.compile(rf"\b{WORDS.names.street}$", re.IGNORECASE)
_PER_LABEL_DISTANCE, _PER_ROW = -0.25, -0.001
_HEAD_ROWS = 30


def buyer_candidates(rows: Sequence[Row], heights: Mapping[int, float]) -> Iterator[Candidate[str]]:
    """Buyers that labels name, given the height of each page."""
    for label, found in find_labelled_names(rows, BUYER):
        strong = bool(label["strong"])
        company = COMPANY.search(found.value)
        if not strong and not company and _ENDS_AS_STREET.search(found.value):
            continue  # `Address: King Street`
        reasons = {
            "distance": _PER_LABEL_DISTANCE * found.distance,
            "row": _PER_ROW * found.order,
            **_weighed("label" if strong else "weak label"),
        }
        if company:
            reasons |= _weighed("legal form")
        if SALUTATION.fullmatch(fold(found.label).strip(" :")):
            reasons[ADDRESSED] = 0.0
        if not strong and found.cell.box.middle > 0.5 * heights[found.cell.page]:
            reasons |= _weighed("low on the page")  # on a payment slip, `To` is the supplier
        if CLERK.match(fold(found.label)) and (PERSON.fullmatch(found.value) or TITLED.match(found.value)):
            reasons |= _weighed("clerk")  # who buys may be the clerk
        if ATTENTION.match(fold(found.label)) and not company:
            reasons |= _weighed("person")  # the buyer heads the address above
            if head := _head_above(rows, found.order, found.label_cell):
                titled = {ADDRESSED: 0.0} if COMPANY_TITLE.match(head.text) else {}
                heads = reasons | titled | _weighed("head of the address")
                yield Candidate(head.text, heads, head.locate(1.0))
        if found.unseparated and not company:
            if not LABEL_ENDS.search(fold(found.label)):
                continue  # `Customer portal` is a product
            reasons |= _weighed("joined to its label" if strong else "joined to a weak label")
        yield Candidate(found.value, reasons, found.cell.locate(1.0))


def find_honoured(rows: Sequence[Row]) -> Iterator[Candidate[str]]:
    """Who a letter is to, as a title beside the name says: `株式会社ミドリ商会 御中`, `M/s Example`."""
    for row in rows[:_HEAD_ROWS]:
        cells = row.cells(1.2)
        for at, cell in enumerate(cells):
            alone = at + 1 < len(cells) and HONORIFIC.fullmatch(cells[at + 1].text)
            titled = COMPANY_TITLE.search(cell.text)
            name = HONORIFIC.sub(
                "", cell.text[titled.end() :].split(", ")[0] if titled else cell.text
            ).strip()
            if len(name) > 1 and (alone or name != cell.text):
                yield Candidate(name, _weighed("label") | _weighed("legal form"), cell.locate(1.0))


def _weighed(reason: str) -> dict[str, float]:
    return {reason: _WEIGHTS[reason]}


def _head_above(rows: Sequence[Row], order: int, cell: Cell) -> Cell | None:
    """The name that opens the block of lines above a cell."""
    head: Cell | None = None
    top = cell.box.top
    for row in reversed(rows[max(0, order - 12) : order]):
        cells = row.cells()
        at = next((at for at, one in enumerate(cells) if abs(one.box.x0 - cell.box.x0) < cell.size), None)
        if row.page != cell.page or top - row.box.bottom > 1.2 * cell.size:
            break
        if at is not None:
            beside = cells[at]
            top = beside.box.top
            head = beside if looks_like_name(beside.text) or COMPANY.fullmatch(beside.text) else head
    return head
