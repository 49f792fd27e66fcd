"""The dates of a document: when it was made, until when it holds, when the service starts and ends."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from app.service.charges.months import add_months, count_months_between
from app.service.documents.extraction import Provenance
from app.service.documents.fields.candidates import Candidate, best
from app.service.documents.fields.date_roles import (
    ANY_DATE,
    OF_CONTRACT,
    OF_THE_READER,
    DateRole,
    belongs_to_another,
    find_label,
    is_preposition,
    names_other_thing,
    names_own_number,
    names_what_runs,
    role_of_date,
)
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.layout.sentences import Paragraph
from app.service.documents.lexicon.further_languages import BETWEEN_DAYS, fold_phrases
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import either, phrase
from app.service.documents.values.dates import PrintedDate, find_dates
from app.service.values.cldr import cut_weekday
from app.service.values.dates import DayOrder
from app.service.values.folding import fold

_WORDS = WORDS.dates
# A labelled date goes before others, a weak label after, and one whose words name another thing; a day alone
# in the head goes before what a sentence says. Then what stands higher goes first; the day of the contract
# that an annex goes with comes behind all days of the first twenty rows.
_WEIGHTS = {
    "labelled": 1_000_000.0, "weak label": -100_000.0, "of another thing": -100_000.0, "alone": 950_000.0,
    "of another document": -1_000_000.02, "page": -100.0, "row": -0.001,
}  # fmt: skip
_WEAK = frozenset(_WORDS.weak_document_words)
_CONFIDENCE = {True: 0.95, False: 0.7}
_DAY = timedelta(days=1)
_ORDERED = phrase(_WORDS.order_date)
# `Order no. 118  5 May 2025`
_ORDERED_OR_TITLED = re.compile(
    rf"{_ORDERED.pattern}|^(?:{WORDS.documents.order})(?: ?{WORDS.documents.number}[.:]?)? ?\S*\d\S*$"
)
# `Valid from 1 May until 2 June`: between the two days.
_ENDS_VALIDITY = re.compile(rf"^\W*{_WORDS.until}\b\W*$")
# `Valid from 1 May` alone, which ends nothing.
_BEGINS_VALIDITY = re.compile(rf"(?<!\w)(?:{either(' | '.join(_WORDS.since))})\W*$")
_LONGEST_BETWEEN = 12
_HEAD_ROWS, _LONGEST_ALONE = 20, 12
"""Rows of the head of a document, and letters beside a day that stands alone: `Town, the 5 May`."""
ROLES: Mapping[str, DateRole] = {
    "document_date": "document",
    "valid_until": "valid",
    "start_date": "start",
    "end_date": "end",
}
"""The role of the date of each field."""
_BEGINNINGS = ("document", "end", "start")
_BETWEEN_TWO = re.compile(rf"\b{WORDS.parties.between}\b[^.]*\d[^.]*\b{WORDS.parties.and_}\b[^\d.]*$")
_ENDS_SENTENCE = re.compile(r"[.;]\s")
_BETWEEN_DAYS = re.compile(rf"\s*(?:[-–—]+|{_WORDS.until}|{fold_phrases(BETWEEN_DAYS)})\s*")
# `Order no. 118 Date: `, the label of the day behind another field.
_OWN_LABEL = re.compile(r"\d\S*\s+(?P<label>(?:[^\W\d]+\.? ){0,2}[^\W\d]+ ?: ?)$")
# Before a date on a line of its own, below `Quote no. 7`.
_BARE_OF = re.compile(rf"{_WORDS.of}\b\s*")
_CODE = re.compile(r"[A-Z]*-?\d[\w./-]*")  # `AB-501876` says `from` in no language
# The end of a name that goes on in the next line: `Cooperative of`, `Caves du`.
_NAME_PART = re.compile(rf"(?<=\w)\s{_WORDS.of}$")


@dataclass(frozen=True)
class DateCandidate:
    """A date on the page and its role; `labelled` tells that words beside it name the role."""

    role: DateRole
    printed: PrintedDate
    cell: Cell
    row: int
    labelled: bool
    context: str
    clear: bool
    """Whether these words name what begins or ends."""
    prose: bool = False
    alone: bool = False
    """Whether it stands in the head with hardly a word in its cell, and no figure in its row."""


@dataclass(frozen=True)
class Dates:
    document_date: date | None = None
    valid_until: date | None = None
    start_date: date | None = None
    end_date: date | None = None
    provenance: dict[str, Provenance] = field(default_factory=dict[str, Provenance])


def find_date_candidates(
    rows: Sequence[Row], paragraphs: Sequence[Paragraph], order_of_days: DayOrder
) -> list[DateCandidate]:
    """Every date of the rows and, for dates in sentences, of the paragraphs."""
    found: list[DateCandidate] = []
    for order, row in enumerate(rows):
        cells = row.cells()
        for index, cell in enumerate(cells):
            if not find_dates(cell.text, order_of_days):
                continue
            alone = _context(rows, order, cells, index, cell)
            if _BARE_OF.match(cell.text):
                alone = f"{_above(rows, order, cell, 2)} {cell.text.split()[0]}"
            inside = _in_text(cell.text, cell, order, order_of_days, alone)
            if index and OF_THE_READER.match(fold(cells[index - 1].text)):
                inside = [replace(one, role="other") for one in inside]
            if index and OF_CONTRACT.fullmatch(fold(label := cells[index - 1].text)):
                inside = [replace(one, context=f"{label} {one.context}", clear=False) for one in inside]
            figures = sum(one.is_figure for one in cells if one is not cell)
            if figures == 0 and order < _HEAD_ROWS:
                beside = len(cell.text) - _LONGEST_ALONE
                inside = [replace(one, alone=one.printed.end - one.printed.start > beside) for one in inside]
            found.extend(inside)
    orders = {id(word): order for order, row in enumerate(rows) for word in row.words}
    in_prose: list[DateCandidate] = []
    labelled_in_prose: dict[int, set[date]] = {}  # by the identity of each word of the paragraph
    for paragraph in paragraphs:
        row = orders.get(id(paragraph.lines[0].words[0]), len(rows))
        inside = _in_text(paragraph.text, paragraph.lines[0], row, order_of_days, "")
        if labelled := {one.printed.value for one in inside if one.labelled}:
            labelled_in_prose |= {id(word): labelled for line in paragraph.lines for word in line.words}
            in_prose.extend(replace(one, prose=True) for one in inside if one.labelled)
    # What a sentence says of a date goes before what its last line says alone.
    alone = (
        one for one in found if one.printed.value not in labelled_in_prose.get(id(one.cell.words[0]), ())
    )
    return [*alone, *in_prose]


def _in_text(text: str, cell: Cell, order: int, order_of_days: DayOrder, alone: str) -> list[DateCandidate]:
    found: list[DateCandidate] = []
    printed = find_dates(text, order_of_days)
    in_range = role_of_date(fold(alone)) in ("start", "end")  # `Start / end`
    for number, one in enumerate(printed):
        begin = printed[number - 1].end if number else 0
        context = cut_weekday(fold(text[begin : one.start]))
        if own := _OWN_LABEL.search(context):
            context = own["label"]
        if number and (_BETWEEN_DAYS.fullmatch(context) or (context.strip() == "/" and in_range)):
            context = "until"
        elif number == 0 and (_BARE_OF.fullmatch(context) or not re.search(r"[^\W\d]{2}", context)):
            context = alone
        role = role_of_date(fold(context))
        clear = role is not None and (role not in ("start", "end") or names_what_runs(fold(context)))
        clear = clear and not (role == "document" and names_other_thing(fold(context)))
        if role == "unclear" and found and found[-1].role == "start" and not _ENDS_SENTENCE.search(context):
            role, clear = "end", found[-1].clear  # `begins on 1 May 2026 and runs until 30 April 2027`
        elif role == "document" and _BETWEEN_TWO.search(fold(context)):
            role = "other"  # `between the 3 and the 21 November`
        elif role == "end" and not alone and context != "until" and is_preposition(fold(context)):
            role = "unclear"  # `Until 31 May 2026 without deduction`
        found.append(DateCandidate(role or "document", one, cell, order, role is not None, context, clear))
    return _with_ranges(found)


def _context(rows: Sequence[Row], order: int, cells: Sequence[Cell], index: int, cell: Cell) -> str:
    """The label of a date that stands alone in its cell: left of it, else above it."""
    for left in reversed(cells[:index]):
        if find_dates(left.text):
            break
        if _CODE.fullmatch(left.text):
            if ANY_DATE.search(fold(both := _above(rows, order, left, 1))):
                return both  # `No. & date of invoice` over the two
            break
        if role_of_date(_NAME_PART.sub("", fold(left.text))) or left.text.rstrip().endswith(":"):
            return left.text
        break
    in_column = _in_column(rows[order + 1 : order + 4], cell)
    for row in reversed(rows[max(0, order - 4) : order]):
        if row.page != cell.page or cell.box.top - row.box.bottom > 2.5 * cell.size:
            break
        in_column = in_column or _in_column([row], cell)
        for other in row.cells():
            overlaps = min(other.box.x1, cell.box.x1) - max(other.box.x0, cell.box.x0) > 0
            if overlaps and not find_dates(other.text):
                of_work = in_column and len(cells) > 2 and ANY_DATE.fullmatch(fold(other.text))
                return other.text if len(other.text) < 40 and not of_work else ""
    return ""


def _above(rows: Sequence[Row], order: int, cell: Cell, lines: int) -> str:
    """The text of the cells above a cell."""
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


def _with_ranges(found: list[DateCandidate]) -> list[DateCandidate]:
    """The dates with the first of each range as a start: `Term 3 May 2024 - 2 May 2025`."""
    ranged: list[DateCandidate] = []
    found_valid = False
    for number, one in enumerate(found):
        following = found[number + 1] if number + 1 < len(found) else None
        if number and _ends_range(one):
            begun = found[number - 1]
            one = replace(one, clear=begun.clear and begun.role != "document")
            if begun.labelled and begun.role in ("other", "due"):
                one = replace(one, role="other")  # a time of delivery
        elif following and _ends_range(following) and one.role in _BEGINNINGS:
            one = replace(one, role="start", clear=one.clear and one.role != "document")
        if one.role == "valid" and following and _ENDS_VALIDITY.search(fold(following.context)):
            found_valid, one = True, replace(one, role="document", labelled=False, clear=False)
        elif found_valid:
            found_valid, one = False, replace(one, role="valid")
        elif one.role == "valid" and _BEGINS_VALIDITY.search(fold(one.context)):
            one = replace(one, role="unclear")
        ranged.append(one)
    return ranged


def _ends_range(one: DateCandidate) -> bool:
    """Whether a date is the last of a range that begins with the one before."""
    return one.context == "until" or (one.role == "end" and len(one.context) < _LONGEST_BETWEEN)


def choose_dates(found: Sequence[DateCandidate], *, is_offer: bool = False, is_order: bool = False) -> Dates:
    """The best date for each role. An offer falls due when it ceases to hold; the day of an order is that of
    the document that orders."""
    printed, found = found, _without_inner_ends(found)
    if is_offer and not any(one.role == "valid" for one in found):
        found = [replace(one, role="valid", clear=False) if one.role == "due" else one for one in found]
    own = _ORDERED_OR_TITLED if is_order else _ORDERED
    ordered = [replace(one, role="document", clear=True) for one in found if own.search(fold(one.context))]
    if is_order and ordered:
        found = [*ordered, *(one for one in found if one.role != "document")]
    elif not any(one.labelled for one in found if one.role == "document"):
        # On an order form the day of the order is the day of the document.
        found = [*found, *ordered]
    chosen = {name: _best_date(found, printed, role) for name, role in ROLES.items()}
    values = {name: one.value if one else None for name, one in chosen.items()}
    return Dates(**values, provenance={name: one.provenance for name, one in chosen.items() if one})


def find_days_of_others(found: Sequence[DateCandidate], role: DateRole) -> set[date]:
    """The days to which labels give other roles, and none gives this one."""
    labelled = [one for one in found if one.labelled and one.clear and not _has_weak_label(one)]
    own = {one.printed.value for one in labelled if one.role == role}
    return {one.printed.value for one in labelled if one.role in ("document", "due", "other")} - own


def _best_date(
    found: Sequence[DateCandidate], printed: Sequence[DateCandidate], role: DateRole
) -> Candidate[date] | None:
    """The best date for a role. It is verified when labels name one day that can be read in one way."""
    fitting = [one for one in found if one.role == role]
    others = {
        one.printed.value
        for one in (*fitting, *printed)
        if one.role == role and one.labelled and not one.prose
    }
    return best(
        Candidate(one.printed.value, _reasons(one), _provenance(one, alone=len(others) <= 1))
        for one in fitting
    )


def _reasons(one: DateCandidate) -> dict[str, float]:
    reasons = {"page": _WEIGHTS["page"] * one.cell.page, "row": _WEIGHTS["row"] * one.row}
    if one.labelled:
        reasons["labelled"] = _WEIGHTS["labelled"]
        if not one.clear:
            reasons["of another thing"] = _WEIGHTS["of another thing"]
    elif one.alone:
        reasons["alone"] = _WEIGHTS["alone"]
    if belongs_to_another(fold(one.context)):
        reasons["of another document"] = _WEIGHTS["of another document"]
    elif _has_weak_label(one):
        reasons["weak label"] = _WEIGHTS["weak label"]
    return reasons


def _provenance(one: DateCandidate, *, alone: bool) -> Provenance:
    seen = one.cell.locate(1.0)
    verified = (
        one.clear
        and alone
        and not _has_weak_label(one)
        and one.printed.alternative is None
        and seen.confidence > 0.9
    )
    return replace(seen, confidence=_CONFIDENCE[verified] * seen.confidence, verified=verified)


def _without_inner_ends(found: Sequence[DateCandidate]) -> list[DateCandidate]:
    """The dates without the ends of periods that another one follows, as the years of a term do."""
    begins = {one.printed.value for one in found if one.role == "start"}
    return [one for one in found if one.role != "end" or one.printed.value + _DAY not in begins]


def with_validity_period(dates: Dates, days: int | None, months: int | None, seen: Provenance) -> Dates:
    """The dates of an offer that is valid for `days` from its own date, or for `months` where it counts them,
    unless a last day is printed."""
    if days is None or dates.document_date is None or dates.valid_until is not None:
        return dates
    made = dates.document_date
    until = made + timedelta(days=days) if months is None else add_months(made, months)
    derived = replace(seen, verified=False)
    return replace(dates, valid_until=until, provenance={**dates.provenance, "valid_until": derived})


def as_dates_of_price_list(dates: Dates) -> Dates:
    """The dates of a price list: a period on it is that in which its prices are valid. From when they are is
    only likely to be its own day."""
    places = dict(dates.provenance)
    if "start_date" in places:
        places["start_date"] = places["start_date"].doubted()
    dates = replace(dates, provenance=places)
    return _with_moved(_with_moved(dates, "start_date", "document_date"), "end_date", "valid_until")


def without_validity(dates: Dates) -> Dates:
    """The dates of an invoice, which is to be paid by a day and not to be accepted."""
    places = {name: place for name, place in dates.provenance.items() if name != "valid_until"}
    return replace(dates, valid_until=None, provenance=places)


def has_validity_of_term(dates: Dates) -> bool:
    """Whether what is valid until a day is what starts whole months before, and no offer."""
    start, until = dates.start_date, dates.valid_until
    return start is not None and until is not None and (count_months_between(start, until) or 0) > 1


def as_dates_of_contract(dates: Dates) -> Dates:
    """The dates of a contract, which is valid until it ends."""
    if dates.end_date not in (None, dates.valid_until):
        return dates
    return _with_moved(dates, "valid_until", "end_date")


def _with_moved(dates: Dates, origin: str, target: str) -> Dates:
    """The dates without one of them, which is that of another field unless that has one."""
    day, places = getattr(dates, target) or getattr(dates, origin), dict(dates.provenance)
    if (place := places.pop(origin, None)) is not None:
        places.setdefault(target, place)
    return replace(dates, **{origin: None, target: day}, provenance=places)


def _has_weak_label(one: DateCandidate) -> bool:
    """Whether no more than prepositions say that a date is the document's own: `as of`, but `issued on`."""
    context = fold(one.context)
    label = find_label(context) or context.strip(" :.,").split()[-1:]
    return (
        one.role == "document" and bool(label) and _WEAK.issuperset(label) and not names_own_number(context)
    )
