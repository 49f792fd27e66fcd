"""Read cells of a file of agreements: what they say beyond doubt. A value that may be read in two ways, or
that says nothing, raises DoubtfulValue; one that is wrong raises InvalidRow. Pure."""

import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import get_args

from app.contract.agreements import (
    EARLIEST_DAY,
    LATEST_DAY,
    BillingFrequency,
    NoticePeriod,
    NoticeTo,
    NoticeUnit,
    RenewalType,
    UpliftBasis,
    UpliftKind,
)
from app.service.agreements.files.agreement_row import LineNumber
from app.service.table_files.cells import read_text
from app.service.table_files.dates import (
    NotADate,
    SlashOrder,
    describe_ambiguity,
    find_slash_order,
    is_ambiguous,
    parse_date,
)
from app.service.tables.table import InvalidRow

ONE_DAY = timedelta(days=1)
_TIME = re.compile(r"[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)")
_PERIOD = re.compile(r"([0-9]{1,4})\s*([a-zäöü ]*?)\.?(?:\s*\(.*\))?")
_LINE_NUMBER = re.compile(r"([0-9]{1,6})(?: of ([0-9]{1,6}))?")
_UNITS: Mapping[str, tuple[int, NoticeUnit]] = {
    **dict.fromkeys(("d", "day", "days", "calendar day", "calendar days", "tag", "tage"), (1, "day")),
    **dict.fromkeys(("w", "week", "weeks", "woche", "wochen"), (7, "day")),
    **dict.fromkeys(("m", "mo", "month", "months", "monat", "monate"), (1, "month")),
    **dict.fromkeys(("y", "year", "years", "jahr", "jahre"), (12, "month")),
    **dict.fromkeys(("business day", "business days", "working day", "working days"), (1, "business_day")),
}
_RENEWAL_TYPES: Mapping[str, RenewalType] = {
    **dict.fromkeys(("auto", "auto renew", "auto renewal", "auto renews", "automatic"), "auto_renew"),
    **dict.fromkeys(("automatically", "automatic renewal", "renews automatically"), "auto_renew"),
    **dict.fromkeys(("no renewal", "fixed term", "does not renew", "ends", "expires"), "none"),
    **dict.fromkeys(("evergreen", "until notice", "until cancelled", "until canceled"), "evergreen"),
    **dict.fromkeys(("option", "optional", "option to renew"), "option"),
}
_WORDS_OF: Mapping[str, tuple[str, ...]] = {
    "billing_frequency": get_args(BillingFrequency),
    "notice_to": get_args(NoticeTo),
    "uplift_basis": get_args(UpliftBasis),
    "uplift_kind": get_args(UpliftKind),
}
_OTHER_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("yearly", "annually", "per year", "year", "jährlich"), "annual"),
    **dict.fromkeys(("per month", "month", "monatlich"), "monthly"),
    **dict.fromkeys(("per quarter", "quarter", "vierteljährlich"), "quarterly"),
    **dict.fromkeys(("half yearly", "semi annual", "semi annually", "halbjährlich"), "semiannual"),
    **dict.fromkeys(("one time", "one off"), "once"),
    **dict.fromkeys(("in advance", "up front", "prepaid"), "upfront"),
}
_NO_END = frozenset(
    {"open", "open ended", "ongoing", "evergreen", "perpetual", "indefinite", "never", "no end"}
)
_NOT_KNOWN = frozenset({"tbd", "tbc", "unknown", "not known", "?", "??", "pending"})
_YES = frozenset({"yes", "y", "true", "1", "x", "ja", "oui"})
_NO = frozenset({"no", "n", "false", "0", "nein", "non"})


class DoubtfulValue(Exception):
    """A value that nobody should rely on; the text says why and what becomes of it."""


def read_agreement_day(name: str, cell: object, order: SlashOrder | None) -> date | None:
    """Read a date. `order` is how the file writes `03/04/2026`, None where nothing shows it."""
    if isinstance(cell, date):
        return _check_day(name, cell.date() if isinstance(cell, datetime) else cell, cell.isoformat())
    text = read_text(name, cell)
    if text is None:
        return None
    word = _fold_words(text)
    if word in _NOT_KNOWN:
        raise DoubtfulValue(f"{text[:40]!r} is no date: it is left out.")
    if word in _NO_END:
        raise _no_end(text)
    try:
        day = _check_day(name, parse_date(text, order or find_slash_order([text]) or "day first"), text)
        if order is None and is_ambiguous(text):
            raise DoubtfulValue(
                f"{describe_ambiguity(text)}: it is left out. Say whether the day or the month comes first."
            )
    except NotADate as error:
        raise InvalidRow(name, str(error)) from None
    return day


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


def read_last_day_before(name: str, cell: object, order: SlashOrder | None) -> date | None:
    """Read the first moment after a term, and return the term's last day: the same one where the moment is
    not midnight."""
    day = read_agreement_day(name, cell, order)
    if day is None:
        return None
    clock = _TIME.search(cell) if isinstance(cell, str) else None
    return day if clock and time.fromisoformat(clock[1]) != time.min else day - ONE_DAY


def read_notice_period(name: str, cell: object, unit: NoticeUnit | None = None) -> NoticePeriod | None:
    """Read `90 days` or `3 months`; a bare number is of the unit that the column's name says."""
    text = read_text(name, cell)
    if text is None:
        return None
    match = _PERIOD.fullmatch(_fold_words(text))
    if match is None:
        raise DoubtfulValue(
            f"{text[:40]!r} is no notice period, such as 90 days or 3 months: it is left out."
        )
    times, found = _UNITS.get(match[2].strip(), (1, None))
    if match[2].strip() and found is None:
        raise DoubtfulValue(f"{text[:40]!r} names no unit of a notice period: it is left out.")
    if found is not None and unit is not None and found != unit:
        raise DoubtfulValue(f"{text[:40]!r} is not in the unit that its column names: it is left out.")
    found = found or unit
    if found is None:
        raise DoubtfulValue(
            f"{text[:40]!r} names no unit, and 90 days are not 3 months: it is left out. Choose the column as"
            " notice days or notice months where all are in one unit."
        )
    return NoticePeriod(value=int(match[1]) * times, unit=found)


def read_months(name: str, cell: object, *, bare: bool) -> int | None:
    """Read `12 months` or `1 year`; with `bare` also `12`, where the column's name says that it has
    months."""
    text = read_text(name, cell)
    if text is None:
        return None
    match = _PERIOD.fullmatch(_fold_words(text))
    times, unit = _UNITS.get(match[2].strip(), (1, None)) if match else (1, None)
    if match is None or int(match[1]) == 0 or (unit != "month" and (match[2].strip() or not bare)):
        raise DoubtfulValue(f"{text[:40]!r} is no length such as 12 months or 1 year: it is left out.")
    return int(match[1]) * times


def read_renewal_type(name: str, cell: object) -> RenewalType | None:
    """Read what follows the end of a term. A column of yes and no says less, see `read_auto_renewal`."""
    if isinstance(cell, str) and cell.strip().lower() == "none":
        return "none"  # a blank anywhere else
    text = read_text(name, cell)
    if text is None:
        return None
    renewal = _RENEWAL_TYPES.get(_fold_words(text))
    if renewal is None:
        raise DoubtfulValue(
            f"{text[:40]!r} does not say what happens at the end (auto_renew, none, evergreen or option): it"
            " is left out."
        )
    return renewal


def read_auto_renewal(name: str, cell: object) -> RenewalType | None:
    """Read whether an agreement renews by itself, or else ends by itself."""
    text = "yes" if cell is True else "no" if cell is False else read_text(name, cell)
    if text is None:
        return None
    word = _fold_words(text)
    if word in _YES:
        return "auto_renew"
    if word in _NO:
        return "none"
    return read_renewal_type(name, text)


def read_word(name: str, cell: object) -> str | None:
    """Read one of the words that the field `name` has: how often is billed, what of a notice counts, how the
    price rises."""
    text = read_text(name, cell)
    if text is None:
        return None
    known, word = _WORDS_OF[name], _fold_words(text)
    word = word if word in known else _OTHER_WORDS.get(word)
    if word not in known:
        raise DoubtfulValue(f"{text[:40]!r} is none of {', '.join(known)}: it is left out.")
    return word


def read_flag(name: str, cell: object) -> bool | None:
    """Read yes or no."""
    text = "yes" if cell is True else "no" if cell is False else read_text(name, cell)
    if text is None:
        return None
    word = _fold_words(text)
    if word not in _YES | _NO:
        raise DoubtfulValue(f"{text[:40]!r} is neither yes nor no: it is left out.")
    return word in _YES


def read_line_number(name: str, cell: object) -> LineNumber | None:
    """Read `2 of 3` or `20`, which line of the agreement a row holds."""
    text = read_text(name, cell)
    match = _LINE_NUMBER.fullmatch(text) if text else None
    return LineNumber(int(match[1]), int(match[2]) if match[2] else None) if match else None


def _fold_words(text: str) -> str:
    return " ".join(text.lower().replace("-", " ").replace("_", " ").split())
