# ruff: noqa: E501
"""The dates of a document: when it was made, until when it holds, when the service starts and ends."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeAlias

from app.service.documents.dates import DayOrder, PrintedDate, find_dates, plain
from app.service.documents.extraction import Evidence
from app.service.documents.rows import Cell, Row

Occasion: TypeAlias = Literal["document", "valid", "start", "end", "due", "other"]

# The last words before a date decide; patterns are tried in this order.
_OCCASIONS: tuple[tuple[Occasion, str], ...] = (
    ("valid", r"\b(valid(ity)?( until| through| thru| to| till| date)?|expir\w*|good (until|through|thru|till)|offer (ends|valid|expires|good)|(an)?gebot gultig|gultig\w*( bis)?|bindefrist|valable\w*|validite|geldig\w*( tot)?|valid[eo]z?( hasta)?|vigencia|held until|prices? (held|firm|valid)|accept\w* (by|before)|before|respond by|quote (ends|expiry)|verfalldatum|vervalt op|caduca|vence)\b"),
    ("due", r"\b(due|fallig\w*|zahlbar bis|echeance|verval(datum)?|vencimiento|pay(able|ment)? by|betalen voor|skonto)\b"),
    ("other", r"\b(deliver\w*|liefer\w*|leistung\w*|livraison|lever\w*|entrega|shipp?\w*|ship date|pick-?up|printed|order date|orderdatum|po date|birth|renewal date|last (year|order)|bestellung|commande|delivered|print|bestelldatum|date de commande|requested)\b"),
    ("end", r"\b(end(s|ing)?|until|through|thru|ende|laufzeitende|fin|jusqu\w*|tot( en met)?|t/m|einde\w*|einddatum|hasta|au|bis( zum)?|al|expiry)\b"),
    ("start", r"\b(start\w*|begin\w*|commenc\w*|from|vertragsbeginn|ab( dem)?|von|vom|debut|a (partir|compter) du|du|vanaf|ingangsdatum|aanvang\w*|startdatum|inicio|desde|del|service period|leistungszeitraum|subscription term|term|laufzeit|period\w*|coverage|service dates?)\b"),
    ("document", r"\b(date|dated|datum|fecha|issued?( on| date)?|created|invoice|quote|quotation|made on|made|as of|date of issue|rechnungsdatum|angebotsdatum|le|den|vom|effective|stand|prepared|emision|factuurdatum|offertedatum|day)\b"),
)  # fmt: skip


@dataclass(frozen=True)
class Occurrence:
    """A date on the page with what it is about; `labelled` when words say so."""

    occasion: Occasion
    printed: PrintedDate
    cell: Cell
    order: int
    labelled: bool
    context: str


@dataclass(frozen=True)
class Dates:
    document_date: date | None = None
    valid_until: date | None = None
    start_date: date | None = None
    end_date: date | None = None
    evidence: dict[str, Evidence] | None = None


def occurrences(rows: Sequence[Row], order_of_days: DayOrder) -> list[Occurrence]:
    found: list[Occurrence] = []
    for order, row in enumerate(rows):
        cells = row.cells()
        for index, cell in enumerate(cells):
            printed = find_dates(cell.text, order_of_days)
            for number, one in enumerate(printed):
                begin = printed[number - 1].end if number else 0
                context = cell.text[begin : one.start]
                if number and re.fullmatch(r"\s*[-–—]+\s*", context):
                    context = "until"
                elif not re.search(r"[^\W\d]{2}", context) and number == 0:
                    context = _context(rows, order, cells, index, cell)
                occasion = _occasion(plain(context))
                found.append(
                    Occurrence(occasion or "document", one, cell, order, occasion is not None, context)
                )
    return _ranges(found)


def _context(rows: Sequence[Row], order: int, cells: Sequence[Cell], index: int, cell: Cell) -> str:
    """The label of a date that stands alone in its cell: left of it, else above it."""
    if index:
        left = cells[index - 1]
        if not find_dates(left.text) and (_occasion(plain(left.text)) or left.text.rstrip().endswith(":")):
            return left.text
    for row in reversed(rows[max(0, order - 3) : order]):
        if row.page != cell.page or cell.box.top - row.box.bottom > 2 * cell.size:
            break
        for other in row.cells():
            overlaps = min(other.box.x1, cell.box.x1) - max(other.box.x0, cell.box.x0) > 0
            if overlaps and not find_dates(other.text):
                return other.text
    return ""


def _occasion(context: str) -> Occasion | None:
    near = context[-60:]
    best: tuple[int, Occasion] | None = None
    for occasion, pattern in _OCCASIONS:
        last = None
        for last in re.finditer(pattern, near):
            pass
        if last and (best is None or last.end() > best[0]):
            best = (last.end(), occasion)
    return best[1] if best else None


def _ranges(found: list[Occurrence]) -> list[Occurrence]:
    """`Term 3 May 2024 - 2 May 2025`: the first date of a range starts, whatever its label."""
    ranged: list[Occurrence] = []
    for one, following in zip(found, [*found[1:], None], strict=False):
        if (
            following
            and following.cell is one.cell
            and following.context == "until"
            and one.occasion in ("document", "end", "other", "start")
        ):
            one = Occurrence("start", one.printed, one.cell, one.order, one.labelled, one.context)
        ranged.append(one)
    return ranged


def choose(found: Sequence[Occurrence]) -> Dates:
    """The date for each occasion: labelled before unlabelled, earlier on the page before later."""
    evidence: dict[str, Evidence] = {}

    def pick(occasion: Occasion, name: str) -> date | None:
        fitting = [one for one in found if one.occasion == occasion]
        if not fitting:
            return None
        best = min(fitting, key=lambda one: (not one.labelled, one.cell.page, one.order))
        sure = best.labelled and best.printed.alternative is None
        confidence = (0.95 if sure else 0.7) * best.cell.confidence
        evidence[name] = Evidence(best.cell.page, best.cell.box, confidence, sure)
        return best.printed.value

    document = pick("document", "document_date")
    return Dates(
        document, pick("valid", "valid_until"), pick("start", "start_date"), pick("end", "end_date"), evidence
    )
