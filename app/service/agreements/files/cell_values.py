"""Read cells of a file of agreements: what they say beyond doubt. A value that may be read in two ways, or
that says nothing, raises DoubtfulValue; one that is wrong raises InvalidRow. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from typing import get_args

from app.contract.agreements import (
    EARLIEST_DAY,
    LATEST_DAY,
    BillingFrequency,
    LinePricePer,
    NoticePeriod,
    NoticeTo,
    RenewalType,
    UpliftBasis,
    UpliftKind,
)
from app.contract.values import is_email_address
from app.service.agreements.files.agreement_row import LineNumber
from app.service.documents.values.durations import SPAN, count_days, count_months
from app.service.table_files.cells import describe_ambiguous_date, read_number, read_text
from app.service.tables.table import InvalidRow, format_cell
from app.service.values.dates import DayOrder, NotADate, read_date
from app.service.values.flags import read_flag as read_flag_word
from app.service.values.folding import fold_text
from app.service.values.notation import DateNotation
from app.service.values.periods import Period, Span, read_period, read_span

ONE_DAY = timedelta(days=1)
_TIME = re.compile(r"[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)")
_NUMBER = re.compile(r"[0-9]{1,4}")
_COUNT = re.compile(r"[0-9]{1,4}(?:[.,][0-9]{1,2})?")
_REMARK = re.compile(
    r"\s*\(.*\)$| (?:zum|zur|auf|per|vor|before|prior|to|avant|antes|prima|voor|przed|fore)\b.*$"
    r"|(?<=[月日年週])(?:以上)?前(?:まで)?$"
)
"""What a cell says behind a length: `3 Monate zum Quartalsende`."""
_BUSINESS_DAYS = re.compile(r"([0-9]{1,4}) ?(?:business|working) days?")
_LINE_NUMBER = re.compile(r"([0-9]{1,6})(?: of ([0-9]{1,6}))?")
_WORDS_OF_RENEWAL: Mapping[RenewalType, Sequence[str]] = {
    "auto_renew": (
        *("auto", "auto renew", "auto renewal", "auto renews", "automatic"),
        *("automatically", "automatic renewal", "renews automatically", "rolling", "tacit"),
        *("automatisch", "automatische verlangerung", "stillschweigend", "tacite", "tacita", "tacito"),
        *("automatique", "tacite reconduction", "reconduction tacite", "automatica", "automatico"),
        *("stilzwijgend", "automatyczne", "automatycznie", "automatisk", "automaticky", "otomatik"),
    ),
    "none": (
        *("no renewal", "fixed", "fixed term", "does not renew", "ends", "expires", "non renewing", "manual"),
        *(
            "keine",
            "befristet",
            "manuell",
            "aucune",
            "non reconductible",
            "manuelle",
            "ninguna",
            "sin prorroga",
        ),
        *("nessuno", "nessun rinnovo", "nenhuma", "sem renovacao", "geen", "brak", "ingen", "zadne"),
    ),
    "evergreen": (
        *("evergreen", "until notice", "until cancelled", "until canceled", "unbefristet", "indeterminee"),
        *("bis auf widerruf", "indefinida", "indefinido", "indeterminato", "onbepaalde tijd", "bezterminowa"),
        *("tills vidare", "na dobu neurcitou"),
    ),
    "option": (
        *("option", "optional", "option to renew", "verlangerungsoption", "opcional", "opcion", "opzione"),
        *("opcao", "optioneel", "opcja"),
    ),
}
_RENEWAL_TYPES: Mapping[str, RenewalType] = {
    word: kind for kind, words in _WORDS_OF_RENEWAL.items() for word in words
}
_WORDS_OF: Mapping[str, tuple[str, ...]] = {
    "billing_frequency": get_args(BillingFrequency),
    "price_per": get_args(LinePricePer),
    "notice_to": get_args(NoticeTo),
    "uplift_basis": get_args(UpliftBasis),
    "uplift_kind": get_args(UpliftKind),
}
_FREQUENCIES: Mapping[Period, BillingFrequency] = {
    "month": "monthly",
    "quarter": "quarterly",
    "half year": "semiannual",
    "year": "annual",
    "once": "once",
}
PRICE_PERIODS: Mapping[Period, LinePricePer] = {
    "month": "month",
    "quarter": "quarter",
    "half year": "half_year",
    "year": "year",
    "term": "term",
    "once": "once",
}
"""What a price is for, by the period that a heading or a cell names."""
_UPFRONT = frozenset({"in advance", "up front", "prepaid", "upfront"})
_NO_END = frozenset(
    {"open", "open ended", "ongoing", "perpetual", "indefinite", "never", "no end"}
    | {*_WORDS_OF_RENEWAL["evergreen"]}
)
_NOT_KNOWN = frozenset({"tbd", "tbc", "unknown", "not known", "?", "??", "pending"})


_RENEWAL_STEMS = (
    *("renew", "verlang", "erneuer", "renouvel", "reconduc", "renov", "prorrog", "prorog", "rinnov"),
    *("verleng", "przedluz", "odnaw", "forny", "forlang", "extend", "extension"),
)
_NEGATIONS = frozenset(
    {"no", "not", "non", "without", "never", "kein", "keine", "nicht", "ohne", "pas", "sans", "sin", "sem"}
    | {"nao", "senza", "geen", "niet", "zonder", "bez", "nie", "ingen", "inte", "ikke"}
)


class DoubtfulValue(Exception):
    """A value that nobody should rely on; the text says why and what becomes of it."""


def read_agreement_day(name: str, cell: object, order: DayOrder | None) -> date | None:
    """Read a date. `order` is how the file writes `03/04/2026`, None where nothing shows it."""
    if isinstance(cell, date):
        return _check_day(name, cell.date() if isinstance(cell, datetime) else cell, cell.isoformat())
    text = read_text(name, cell)
    if text is None:
        return None
    word = _fold_words(fold_text(text))
    if word in _NOT_KNOWN:
        raise DoubtfulValue(f"{text[:40]!r} is no date: it is left out.")
    if word in _NO_END:
        raise _no_end(text)
    try:
        readings = read_date(text)
    except NotADate as error:
        raise InvalidRow(name, str(error)) from None
    day = readings.value(order)
    if day is None:
        raise DoubtfulValue(f"{describe_ambiguous_date(readings)} It is left out.")
    return _check_day(name, day, text)


def read_agreement_period(
    name: str, cell: object, order: DayOrder | None
) -> tuple[date | None, date | None] | None:
    """Read the first and the last day of a period: `1 May 2024 - 30 April 2025`, `until 30 April 2025`."""
    text = read_text(name, cell)
    if text is None:
        return None
    bare = _FROM.sub("", text)
    parts = [(bare[: found.start()], bare[found.end() :]) for found in _BETWEEN.finditer(bare)]
    until = _UNTIL.sub("", text)
    parts += [("", until)] if until != text else [(bare, "")] if bare != text else []
    for ends in parts:
        notation = DateNotation()
        with suppress(InvalidRow, NotADate):
            for end in filter(None, ends):
                notation.take(read_date(end.strip()))
            first, last = (read_agreement_day(name, end, order or notation.decided) for end in ends)
            return first, last
    raise DoubtfulValue(f"{text[:40]!r} is no period between two days: it is left out.")


_BETWEEN = re.compile(r"\s*(?:[-–—~～→至]|から)\s*|\s+(?:to|until|till|bis|au|al|a|til|do|tot|through|по)\s+")
_FROM = re.compile(r"^(?:from|von|vom|ab|seit|du|depuis|de|del|desde|dal|van|vanaf|od|fra|från|с)\s+", re.I)
_UNTIL = re.compile(r"^(?:until|till|to|bis zum|bis|jusqu'au|au|hasta|até|fino al|al|tot|do|til|по)\s+", re.I)


def _check_day(name: str, day: date, text: str) -> date:
    if day > LATEST_DAY:
        raise _no_end(text)
    if day < EARLIEST_DAY:
        raise InvalidRow(name, f"{text[:40]!r} is before {EARLIEST_DAY.year}")
    return day


def _no_end(text: str) -> DoubtfulValue:
    return DoubtfulValue(
        f"{text[:40]!r} says that there is no end, or that nobody knows it: no date is made of it. An"
        " agreement that runs until notice is given is of the renewal type evergreen."
    )


def read_last_day_before(name: str, cell: object, order: DayOrder | None) -> date | None:
    """Read the first moment after a term, and return the term's last day: the same one where the moment is
    not midnight."""
    day = read_agreement_day(name, cell, order)
    if day is None:
        return None
    clock = _TIME.search(cell) if isinstance(cell, str) else None
    return day if clock and time.fromisoformat(clock[1]) != time.min else day - ONE_DAY


def read_notice_period(name: str, cell: object, unit: Period | None = None) -> NoticePeriod | None:
    """Read `90 days` or `three months`; a bare number is of the unit that the column's name says."""
    text = read_text(name, cell)
    if text is None:
        return None
    words = _cut_remark(text, unit)
    if business := _BUSINESS_DAYS.fullmatch(words):
        count, found = int(business[1]), "business_day"
    elif (span := _read_length(words)) is not None:
        count, found = span.count, span.unit
    elif _NUMBER.fullmatch(words):
        count, found = int(words), None
    else:
        raise DoubtfulValue(
            f"{text[:40]!r} is no notice period, such as 90 days or 3 months: it is left out."
        )
    if found is not None and unit in ("day", "month") and found != unit:
        raise DoubtfulValue(f"{text[:40]!r} is not in the unit that its column names: it is left out.")
    if found is None:
        raise DoubtfulValue(
            f"{text[:40]!r} names no unit, and 90 days are not 3 months: it is left out. Choose the column as"
            " notice days or notice months where all are in one unit."
        )
    return NoticePeriod(value=count, unit=found)


def find_notice_period(text: str) -> NoticePeriod | None:
    """Return the only length that a sentence about notice names: `by giving thirty days written notice`; none
    of one that is counted from something else."""
    folded = fold_text(text)
    found = list(SPAN.finditer(folded))
    if len(found) != 1 or _AFTER.search(folded):
        return None
    months = count_months(found[0])
    return (
        NoticePeriod(value=count_days(found[0]), unit="day")
        if months is None
        else NoticePeriod(value=months, unit="month")
    )


_AFTER = re.compile(
    r"\b(?:after|following|from|since|nach|ab|seit|apres|despues|dopo|na|efter|every|each|term)\b"
)


def read_months(name: str, cell: object, unit: Period | None = None) -> int | None:
    """Read `12 months` or `one year`; a bare number is of the unit that the column's name says."""
    text = read_text(name, cell)
    if text is None:
        return None
    span = _read_length(_cut_remark(text, unit))
    if span is None or not span.months:
        raise DoubtfulValue(f"{text[:40]!r} is no length such as 12 months or 1 year: it is left out.")
    return span.months


def _cut_remark(text: str, unit: Period | None) -> str:
    """Return the words of a length without what a cell says behind it; a bare number has its unit."""
    words = _REMARK.sub("", _fold_words(text))
    return f"{words} {unit}" if unit and _COUNT.fullmatch(words) else words


def _read_length(words: str) -> Span | None:
    """Read a length in figures or in words: `90 days`, `ninety (90) days`, `drei Monate`."""
    found = read_span(words)
    if found is None and (match := SPAN.fullmatch(fold_text(words))) is not None:
        months = count_months(match)
        found = Span(count_days(match), "day") if months is None else Span(months, "month")
    return found


def read_renewal_type(name: str, cell: object, yes: RenewalType | None = None) -> RenewalType | None:
    """Read what follows the end of a term. A column of yes and no says less: `yes` is what its yes means."""
    if isinstance(cell, str) and cell.strip().lower() == "none":
        return "none"  # a blank anywhere else
    text = "yes" if cell is True else "no" if cell is False else read_text(name, cell)
    if text is None:
        return None
    renewal = _find_renewal(_fold_words(fold_text(text)), yes)
    if renewal is None:
        raise DoubtfulValue(
            f"{text[:40]!r} does not say what happens at the end (auto_renew, none, evergreen or option): it"
            " is left out."
        )
    return renewal


def _find_renewal(words: str, yes: RenewalType | None) -> RenewalType | None:
    """Return what words say of the end of a term; those before a length are enough: `automatisch um 12
    Monate`, `yes, successive terms of 1 year`."""
    length = SPAN.search(words)
    said = words[: length.start()].split() if length else [words]
    for end in range(len(said), 0, -1):
        start = " ".join(said[:end]).strip(" ,;:.")
        flag = read_flag_word(start)
        if (known := _RENEWAL_TYPES.get(start) if flag is None else yes if flag else "none") is not None:
            return known
    stems = [word for word in words.split() if word.startswith(("auto", *_RENEWAL_STEMS))]
    if len({stem.startswith("auto") for stem in stems}) == 2:
        return "auto_renew" if _NEGATIONS.isdisjoint(words.split()) else "none"
    return None


def read_renewal_months(name: str, cell: object) -> int | None:
    """Read for how long an agreement renews, where the cell that says whether it does names that too."""
    length = SPAN.search(_fold_words(fold_text(format_cell(cell))))
    return None if length is None else count_months(length)


def read_word(name: str, cell: object) -> str | None:
    """Read one of the words that the field `name` has: how often is billed, what of a notice counts, how the
    price rises."""
    text = read_text(name, cell)
    if text is None:
        return None
    known, word = _WORDS_OF[name], _fold_words(text)
    if name == "billing_frequency" and word not in known:
        period = read_period(text)
        word = "upfront" if word in _UPFRONT else _FREQUENCIES.get(period, word) if period else word
    if name == "price_per" and (period := read_period(text)) is not None:
        word = PRICE_PERIODS.get(period, word)
    if word not in known:
        raise DoubtfulValue(f"{text[:40]!r} is none of {', '.join(known)}: it is left out.")
    return word


def read_flag(name: str, cell: object) -> bool | None:
    text = "yes" if cell is True else "no" if cell is False else read_text(name, cell)
    if text is None:
        return None
    flag = read_flag_word(fold_text(text))
    if flag is None:
        raise DoubtfulValue(f"{text[:40]!r} is neither yes nor no: it is left out.")
    return flag


def read_line_number(name: str, cell: object) -> LineNumber | None:
    """Read `2 of 3` or `20`, which line of the agreement a row holds."""
    text = read_text(name, cell)
    match = _LINE_NUMBER.fullmatch(text) if text else None
    return LineNumber(int(match[1]), int(match[2]) if match[2] else None) if match else None


def _fold_words(text: str) -> str:
    return " ".join(text.lower().replace("-", " ").replace("_", " ").split())


_PIECE = re.compile(r"\\[\\|]|\||[^\\|]+|\\")


def join_texts(texts: Iterable[str]) -> str:
    r"""Return texts as one cell; a `|` or backslash in one of them is written `\|` or `\\`."""
    return " | ".join(re.sub(r"([\\|])", r"\\\1", text) for text in texts)


def split_texts(cell: str) -> list[str]:
    """Return the texts of a cell, an empty one where nothing stands between two separators."""
    parts = [""]
    for piece in _PIECE.findall(cell):
        if piece == "|":
            parts.append("")
        else:
            parts[-1] += piece[1:] if len(piece) == 2 and piece[0] == "\\" else piece
    return [part.strip() for part in parts]


def read_addresses(name: str, cell: object) -> str | None:
    text = read_text(name, cell)
    if text and not all(is_email_address(one) for one in split_texts(text) if one):
        raise DoubtfulValue(f"{text[:60]!r} is no e-mail address: it is left out.")
    return text


def read_whole_number(name: str, cell: object) -> int | None:
    try:
        number = read_number(name, cell, ".")
    except InvalidRow as error:
        if not isinstance(cell, str):
            raise
        raise DoubtfulValue(f"{error.problem[:1].upper()}{error.problem[1:]}: it is left out.") from None
    if number is None:
        return None
    if number < 0 or number % 1:
        raise InvalidRow(name, f"{format_cell(cell)[:40]!r} is no whole number")
    return int(number)


_DAYS_TO_PAY = re.compile(
    r"(?:net|netto|within|innerhalb von)?\s*([0-9]{1,3})"
    r"\s*(?:d|days?|tagen?|jours?|d[ií]as|giorni|dagen|dni)?(?:\s+(?:net|netto))?"
)


_WORD = re.compile(r"[^\W\d_]{2,}")


def is_in_words(cell: object) -> bool:
    return isinstance(cell, str) and not cell.lstrip().startswith("=") and _WORD.search(cell) is not None


def read_days_to_pay(name: str, cell: object) -> int | None:
    """Read `30`, `net 30` or `30 days`."""
    text = format_cell(cell) if isinstance(cell, str) else ""
    match = _DAYS_TO_PAY.fullmatch(" ".join(text.lower().split()).rstrip("."))
    return int(match[1]) if match else read_whole_number(name, cell)


def find_cell(cells: Sequence[object], at: int | None) -> object:
    return cells[at] if at is not None and at < len(cells) else None
