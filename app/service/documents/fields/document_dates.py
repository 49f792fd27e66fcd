"""The dates of a document: when it was made, until when it holds, when the service starts and ends."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Literal, TypeAlias

from app.service.documents.extraction import Provenance
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.layout.sentences import Paragraph
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import phrase
from app.service.documents.values.dates import DayOrder, PrintedDate, find_dates
from app.service.documents.values.folding import fold

Occasion: TypeAlias = Literal["document", "valid", "start", "end", "due", "other"]

_WORDS = WORDS.dates
_KINDS = WORDS.documents
# Among the words before a date the last one decides; of two that end alike, the one listed first.
_OCCASIONS: tuple[tuple[Occasion, re.Pattern[str]], ...] = (
    ("valid", phrase(_WORDS.valid_until)),
    ("due", phrase(_WORDS.due)),
    ("other", phrase(_WORDS.other)),
    ("end", phrase(_WORDS.ends)),
    ("start", phrase(_WORDS.starts)),
    ("document", phrase(_WORDS.document_date)),
)
_DAY = timedelta(days=1)
_NUMBERED = f"(?:{_KINDS.quote}|{_KINDS.invoice}|{_KINDS.order_form}|{_KINDS.order_answer_title})"
_OWN_NUMBER = re.compile(
    rf"\b{_NUMBERED}\w*\b.*\d.*\b{_WORDS.of}\s*$"
    rf"|\b{_NUMBERED} {_WORDS.of}\s*$|^{_KINDS.number}\.? ?\S*\d\S* {_WORDS.of}\s*$"
)
# `Ihr Angebot A-7 vom`, `Your order of`: what the other one wrote.
_THEIRS = re.compile(rf"{_WORDS.your} [^.]{{0,50}}$")
_WEEKDAY = re.compile(rf"\b{_WORDS.weekdays}\b[.,]*\s*$")
_ORDERED = phrase(_WORDS.order_date)
# A word that says of its noun only that a date follows: `Version 2.1 of`, `Subscription start date`.
_AFTER_NOUN = re.compile(rf"\s(?:{_WORDS.after_noun}|{_WORDS.date})$")

# `Valid from 1 May until 2 June`: between the two days.
_ENDS_VALIDITY = re.compile(rf"^\W*{_WORDS.until}\b\W*$")
_BETWEEN_DAYS = re.compile(rf"\s*(?:[-–—]+|{_WORDS.until})\s*")
# Before a date on a line of its own, below `Quote no. 7`.
_BARE_OF = re.compile(rf"{_WORDS.of}\b\s*")
_ANY_DATE = re.compile(_WORDS.date)
_CODE = re.compile(r"[A-Z]*-?\d[\w./-]*")  # `AB-501876` says `from` in no language
# The end of a name that goes on in the next line: `Cooperative of`, `Caves du`.
_NAME_PART = re.compile(rf"(?<=\w)\s{_WORDS.of}$")


@dataclass(frozen=True)
class Occurrence:
    """A date on the page with what it is about; `labelled` when words say so."""

    occasion: Occasion
    printed: PrintedDate
    cell: Cell
    order: int
    labelled: bool
    context: str
    prose: bool = False


@dataclass(frozen=True)
class Dates:
    document_date: date | None = None
    valid_until: date | None = None
    start_date: date | None = None
    end_date: date | None = None
    provenance: dict[str, Provenance] = field(default_factory=dict[str, Provenance])


def occurrences(
    rows: Sequence[Row], paragraphs: Sequence[Paragraph], order_of_days: DayOrder
) -> list[Occurrence]:
    """Every date of the rows and, for dates in sentences, of the paragraphs."""
    found: list[Occurrence] = []
    for order, row in enumerate(rows):
        cells = row.cells()
        for index, cell in enumerate(cells):
            if not find_dates(cell.text, order_of_days):
                continue
            alone = _context(rows, order, cells, index, cell)
            if _BARE_OF.match(cell.text):
                alone = f"{_above(rows, order, cell, 2)} {cell.text.split()[0]}"
            inside = _in_text(cell.text, cell, order, order_of_days, alone)
            if index and _THEIRS.match(fold(cells[index - 1].text)):
                inside = [replace(one, occasion="other") for one in inside]
            found.extend(inside)
    for paragraph in paragraphs:
        inside = _in_text(paragraph.text, paragraph.lines[0], len(rows), order_of_days, "")
        said = {one.printed.value for one in inside if one.labelled}
        # What a sentence says of a date goes before what its last line says alone.
        found = [one for one in found if one.printed.value not in said or not paragraph.contains(one.cell)]
        found.extend(replace(one, prose=True) for one in inside if one.labelled)
    return found


def _in_text(text: str, cell: Cell, order: int, order_of_days: DayOrder, alone: str) -> list[Occurrence]:
    found: list[Occurrence] = []
    printed = find_dates(text, order_of_days)
    in_range = occasion_of(fold(alone)) in ("start", "end")  # `Start / end`
    for number, one in enumerate(printed):
        begin = printed[number - 1].end if number else 0
        context = _WEEKDAY.sub("", fold(text[begin : one.start]))
        if number and (_BETWEEN_DAYS.fullmatch(context) or (context.strip() == "/" and in_range)):
            context = "until"
        elif number == 0 and (_BARE_OF.fullmatch(context) or not re.search(r"[^\W\d]{2}", context)):
            context = alone
        occasion = occasion_of(fold(context))
        found.append(Occurrence(occasion or "document", one, cell, order, occasion is not None, context))
    return _ranges(found)


def _context(rows: Sequence[Row], order: int, cells: Sequence[Cell], index: int, cell: Cell) -> str:
    """The label of a date that stands alone in its cell: left of it, else above it."""
    for left in reversed(cells[:index]):
        if find_dates(left.text):
            if index > 1 and occasion_of(fold(cells[index - 2].text)) == "start":
                return "until"
            break
        if _CODE.fullmatch(left.text):
            break
        if occasion_of(_NAME_PART.sub("", fold(left.text))) or left.text.rstrip().endswith(":"):
            return _whole_label(rows, order, left)
        break
    in_column = _in_column(rows[order + 1 : order + 4], cell)
    for row in reversed(rows[max(0, order - 4) : order]):
        if row.page != cell.page or cell.box.top - row.box.bottom > 2.5 * cell.size:
            break
        in_column = in_column or _in_column([row], cell)
        for other in row.cells():
            overlaps = min(other.box.x1, cell.box.x1) - max(other.box.x0, cell.box.x0) > 0
            if overlaps and other.text.endswith("/") and (label := row.cells()[0]) is not other:
                return label.text  # `Number / date` beside a number and a date below it
            if overlaps and not find_dates(other.text):
                of_work = in_column and len(cells) > 2 and _ANY_DATE.fullmatch(fold(other.text))
                return other.text if len(other.text) < 40 and not of_work else ""
    return ""


def _whole_label(rows: Sequence[Row], order: int, label: Cell) -> str:
    """A label with the line above that goes on in it: `Order number / date` in two lines."""
    begun = _above(rows, order, label, 1)
    return f"{begun} {label.text}" if begun.endswith("/") else label.text


def _above(rows: Sequence[Row], order: int, cell: Cell, lines: int) -> str:
    """What stands above a cell."""
    above = [one for row in rows[max(0, order - lines) : order] for one in row.cells()]
    over = [one for one in above if min(one.box.x1, cell.box.x1) > max(one.box.x0, cell.box.x0)]
    return " ".join(one.text for one in over)


def _in_column(rows: Sequence[Row], cell: Cell) -> bool:
    """Whether another date stands over or under a date, as in a list of work done."""
    return any(
        row.page == cell.page and find_dates(other.text) and abs(other.box.x0 - cell.box.x0) < 0.5 * cell.size
        for row in rows
        for other in row.cells()
    )


def occasion_of(context: str) -> Occasion | None:
    """What a date is about, given the words (folded) that stand before it."""
    near = context[-70:].rstrip(" :.-")
    if _THEIRS.match(near):
        return "other"
    if _OWN_NUMBER.search(context[-70:]):
        return "document"
    parts = [part.strip() for part in near.split("/")]
    both: list[Occasion | None] = [_last_said(part) for part in parts]
    if len(both) == 2 and "document" in both and None not in both:
        # `Order no. / date` has one occasion, `Invoice date / delivery date` has two.
        if not _ANY_DATE.fullmatch(parts[1]):
            return "document"
        return both[0]
    bare = _AFTER_NOUN.sub("", near)
    if bare != near and (said := _last_said(bare)):
        return said
    return _last_said(near)


def _last_said(near: str) -> Occasion | None:
    best: tuple[int, Occasion] | None = None
    for occasion, pattern in _OCCASIONS:
        ends = [found.end() for found in pattern.finditer(near)]
        if ends and (best is None or ends[-1] > best[0]):
            best = (ends[-1], occasion)
    return best[1] if best else None


def _ranges(found: list[Occurrence]) -> list[Occurrence]:
    """`Term 3 May 2024 - 2 May 2025`: the first date of a range starts, whatever its label."""
    ranged: list[Occurrence] = []
    found_valid = False
    for one, following in zip(found, [*found[1:], None], strict=False):
        ends = following and (following.context == "until" or following.occasion == "end")
        if (
            ends
            and len(following.context if following else "") < 12
            and one.occasion in ("document", "end", "other", "start")
        ):
            one = replace(one, occasion="start")
        if one.occasion == "valid" and following and _ENDS_VALIDITY.search(fold(following.context)):
            found_valid, one = True, replace(one, occasion="document", labelled=False)
        elif found_valid:
            found_valid, one = False, replace(one, occasion="valid")
        ranged.append(one)
    return ranged


def choose(found: Sequence[Occurrence], *, offer: bool = False) -> Dates:
    """The date for each occasion: labelled before unlabelled, earlier on the page before later.

    An `offer` falls due when it ceases to hold.
    """
    printed, found = found, _last_ends(found)
    if offer and not any(one.occasion == "valid" for one in found):
        found = [replace(one, occasion="valid") if one.occasion == "due" else one for one in found]
    provenance: dict[str, Provenance] = {}

    def pick(occasion: Occasion, name: str) -> date | None:
        fitting = [one for one in found if one.occasion == occasion]
        if not fitting:
            return None
        best = min(fitting, key=lambda one: (not one.labelled, _weak(one), one.cell.page, one.order))
        others = {
            one.printed.value
            for one in (*fitting, *printed)
            if one.occasion == occasion and one.labelled and not one.prose
        }
        verified = (
            best.labelled
            and best.printed.alternative is None
            and len(others) <= 1
            and best.cell.confidence > 0.9
        )
        provenance[name] = Provenance(
            best.cell.page, best.cell.box, (0.95 if verified else 0.7) * best.cell.confidence, verified
        )
        return best.printed.value

    document = pick("document", "document_date")
    if document is None or not any(one.labelled for one in found if one.occasion == "document"):
        # On an order form the day of the order is the day of the document.
        ordered = [replace(one, occasion="document") for one in found if _ORDERED.search(fold(one.context))]
        found = [*found, *ordered]
        document = pick("document", "document_date") if ordered else document
    return Dates(
        document,
        pick("valid", "valid_until"),
        pick("start", "start_date"),
        pick("end", "end_date"),
        provenance,
    )


def _last_ends(found: Sequence[Occurrence]) -> list[Occurrence]:
    """Without the ends of periods that go on in a next one: the years of a term."""
    begins = {one.printed.value for one in found if one.occasion == "start"}
    return [one for one in found if one.occasion != "end" or one.printed.value + _DAY not in begins]


def held_for(dates: Dates, days: int | None, seen: Provenance) -> Dates:
    """The dates of an offer that holds for so many days from its own; a printed last day goes before."""
    if days is None or dates.document_date is None or dates.valid_until is not None:
        return dates
    until = dates.document_date + timedelta(days=days)
    return replace(dates, valid_until=until, provenance={**dates.provenance, "valid_until": seen})


def of_price_list(dates: Dates) -> Dates:
    """The dates of a price list: the prices hold from its own day until its end, and no service runs."""
    seen = dict(dates.provenance)
    for stated, running in (("document_date", "start_date"), ("valid_until", "end_date")):
        if (place := seen.pop(running, None)) is not None:
            seen.setdefault(stated, place)
    return Dates(
        document_date=dates.document_date or dates.start_date,
        valid_until=dates.valid_until or dates.end_date,
        provenance=seen,
    )


def _weak(one: Occurrence) -> bool:
    """A preposition alone says little about what the document's own date is."""
    if _OWN_NUMBER.search(fold(one.context)[-70:]):
        return False
    words = fold(one.context).strip(" :.,").split()
    return one.occasion == "document" and (not words or words[-1] in _WORDS.weak_document_words)
