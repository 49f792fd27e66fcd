"""Numbers as people write them, in every notation: all readings of a cell until something decides.

`1.500` is one and a half where a point parts the decimals, and fifteen hundred where a comma does. A number
that one notation alone allows shows which the file is written in.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, NamedTuple, TypeAlias

from app.service.values.blanks import is_error_value
from app.service.values.currencies import agree, read_currency
from app.service.values.folding import unify_letters
from app.service.values.units import read_scale, read_scale_letter, read_unit

DecimalMark: TypeAlias = Literal[".", ","]
"""Which mark parts the decimals; the other one may group thousands."""

PLAIN = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,2})?")
"""How most files write most numbers: of one reading, and what `Decimal` reads."""
_BARE = re.compile(
    r"(?P<point>-?(?:[0-9]{1,15}\.[0-9]{1,2}|(?:0|[0-9]{4,15})\.[0-9]{1,12}))|(?P<whole>-?[0-9]{1,15})"
    r"|(?P<points>[1-9][0-9]{0,2}(?:,[0-9]{3})+\.[0-9]{1,2})"
    r"|(?P<commas>(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]{1,15}),[0-9]{1,2})"
)
"""Numbers of one reading without decoration: most of a file, read at once."""
_MAX_LENGTH, _MAX_DIGITS = 80, 40
_GROUP = r"[1-9][0-9]{0,2}(?P<group>[ '%s])[0-9]{3}(?:(?P=group)[0-9]{3})*"
_LAKH = r"[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}"
_POINT = re.compile(
    rf"(?P<whole>{_GROUP % ','}|{_LAKH}|[0-9]+)(?:\.(?P<decimals>[0-9]+))?|\.(?P<bare>[0-9]+)"
)
_COMMA = re.compile(rf"(?P<whole>{_GROUP % '.'}|[0-9]+)(?:,(?P<decimals>[0-9]+))?|,(?P<bare>[0-9]+)")
_NO_DIGIT = re.compile(r"[^0-9]")
_SHAPE = re.compile(r"(?P<before>[^0-9]*)(?P<core>.*[0-9])(?P<after>[^0-9]*)", re.DOTALL)
_EXPONENT = re.compile(r"(?P<digits>.+?)[eE](?P<power>[+-]?[0-9]{1,3})")
_DASHED = re.compile(r"[.,] ?-{1,3}")
_ONLY = re.compile(r" ?/[-=]")
"""`1,500/-`: nothing follows."""
_CREDIT = re.compile(r"[cd]r\.?", re.IGNORECASE)
_OF = re.compile(r"(?:de|d'|di) ?", re.IGNORECASE)


class NotANumber(ValueError):
    """The text is no number in any notation; the message says why, beginning with the text."""


class NumberReadings(NamedTuple):
    """What a text that is one number may mean.

    `point` is its value where a point parts the decimals, `comma` where a comma does, None where it is no
    number then; they are equal where it has one reading in both. `currency` is an ISO code, or the sign of
    several countries (see `currencies.read_currency`); `percent` says that a percent sign stands there, which
    divides nothing; `unit` is the code of a unit of measure.
    """

    text: str
    point: Decimal | None
    comma: Decimal | None
    currency: str | None = None
    percent: bool = False
    unit: str | None = None

    @property
    def is_ambiguous(self) -> bool:
        """Whether both notations allow it, with two values."""
        return self.point is not None and self.comma is not None and self.point != self.comma

    @property
    def mark(self) -> DecimalMark | None:
        """The decimal mark of the only notation that allows it; None where both do."""
        if self.comma is None:
            return "."
        return "," if self.point is None else None

    def value(self, mark: DecimalMark | None) -> Decimal | None:
        """Return the value where `mark` parts the decimals, or the only one that there is; None for an
        ambiguous number without a mark."""
        if self.point is None or self.comma is None or self.point == self.comma:
            return self.comma if self.point is None else self.point
        return None if mark is None else self.point if mark == "." else self.comma


def describe_readings(number: NumberReadings) -> str:
    """Return a sentence without its end that names both values of an ambiguous number."""
    readings = (value for value in (number.comma, number.point) if value is not None)
    values = " or ".join(f"{value.normalize():f}" for value in readings)
    return f"{_quote(number.text)} is {values}"


def read_number(text: str) -> NumberReadings:
    """Read a text that should be one number, with at most a sign, a currency, a percent sign, a scale word
    and a unit. Raises `NotANumber` where anything of it is left unexplained."""
    found = _BARE.fullmatch(text)
    if found is None:
        return _read_decorated(text)
    match found.lastgroup:
        case "point":
            return NumberReadings(text, Decimal(text), None)
        case "points":
            return NumberReadings(text, Decimal(text.replace(",", "")), None)
        case "commas":
            return NumberReadings(text, None, Decimal(text.replace(".", "").replace(",", ".")))
        case _:
            value = Decimal(text)
            return NumberReadings(text, value, value)


def _read_decorated(text: str) -> NumberReadings:
    if is_error_value(text.strip()):
        raise NotANumber(f"{_quote(text)} is the error of a formula")
    shape = _SHAPE.fullmatch(unify_letters(text)) if len(text) <= _MAX_LENGTH else None
    if shape is None:
        raise NotANumber(f"{_quote(text)} is not a number")
    before, core, after = shape["before"], shape["core"], shape["after"]
    if before[-1:] in (".", ",", "٫") and (
        before in (".", ",", "٫") or read_currency(before.lstrip("-+( ")) is None
    ):
        before, core = before[:-1], before[-1] + core
    if "/" in after:
        after = _ONLY.sub("", after, count=1)
    dashed = _DASHED.match(after) if after[:1] in (".", ",") else None
    if dashed:
        after = after[dashed.end() :]
        point, comma = _read_whole(core)
    else:
        if after[:1] in (".", ",") and not core.isdigit() and read_scale(core) is None:
            raise NotANumber(f"{_quote(text)} is not a number: {after[:1]!r} ends it")
        after = after[1:] if after[:1] in (".", ",") else after
        point, comma = _read_power(core, text)
    if point is None and comma is None:
        raise NotANumber(f"{_quote(text)} is not a number")
    rest = _explain(before, after, text)
    factor = Decimal(rest.factor if not rest.negative else -rest.factor)
    return NumberReadings(
        text,
        None if point is None else point * factor,
        None if comma is None else comma * factor,
        rest.currency,
        rest.percent,
        rest.unit,
    )


def read_digits(digits: str) -> tuple[Decimal | None, Decimal | None]:
    """Return the values of bare digits with their marks, where a point and where a comma parts the
    decimals."""
    if len(digits) > _MAX_DIGITS:
        return None, None
    if "٫" in digits or "٬" in digits:  # marks of their own, which stand for one thing each
        value = _read_in(_POINT, digits.replace("٬", ",").replace("٫", "."))
        return value, value
    return _read_in(_POINT, digits), _read_in(_COMMA, digits)


def _read_in(notation: re.Pattern[str], digits: str) -> Decimal | None:
    found = notation.fullmatch(digits)
    if found is None:
        return None
    whole, decimals = _NO_DIGIT.sub("", found["whole"] or "0"), found["decimals"] or found["bare"]
    return Decimal(f"{whole}.{decimals}" if decimals else whole)


def _read_whole(digits: str) -> tuple[Decimal | None, Decimal | None]:
    """`1.250` of `1.250,-`: what parts its digits are groups."""
    point, comma = read_digits(digits)
    if point is not None and point % 1:
        point = None
    if comma is not None and comma % 1:
        comma = None
    if point is not None and comma is not None and point != comma:
        point, comma = (None, comma) if "." in digits else (point, None)
    return point, comma


def _read_power(core: str, text: str) -> tuple[Decimal | None, Decimal | None]:
    found = _EXPONENT.fullmatch(core) if "e" in core or "E" in core else None
    if found is None:
        return read_digits(core)
    point, comma = read_digits(found["digits"])
    if any(value and not -30 < value.adjusted() + int(found["power"]) < 30 for value in (point, comma)):
        raise NotANumber(f"{_quote(text)} is out of bounds")
    factor = Decimal(1).scaleb(int(found["power"]))
    return None if point is None else point * factor, None if comma is None else comma * factor


@dataclass(slots=True)
class _Rest:
    """What stands around the digits."""

    signs: int = 0
    negative: bool = False
    percent: bool = False
    currency: str | None = None
    factor: int = 1
    unit: str | None = None
    letter: int | None = None


def _explain(before: str, after: str, text: str) -> _Rest:
    rest = _Rest()
    before, after = _strip_signs(before, rest), _strip_signs(after, rest)
    if before.count("(") == 1 and after.count(")") == 1 and ")" not in before and "(" not in after:
        before, after = before.replace("(", " "), after.replace(")", " ")
        rest.signs += 1
        rest.negative = True
        before, after = _strip_signs(before, rest), _strip_signs(after, rest)
    for part in (before, after):
        bare = part[1:-1].strip() if part.startswith("(") and part.endswith(")") else part
        if bare and not _explain_words(bare, rest, behind=part is after):
            if _CREDIT.fullmatch(bare):
                raise NotANumber(f"{_quote(text)}: {bare!r} may say credit, debit or crore")
            raise NotANumber(f"{_quote(text)} is not a number: nothing explains {bare[:20]!r}")
    if rest.signs > 1:
        raise NotANumber(f"{_quote(text)} has two signs")
    if rest.letter is not None:
        if rest.currency is None:
            raise NotANumber(f"{_quote(text)} may be of thousands, millions or a unit")
        rest.factor *= rest.letter
    return rest


def _strip_signs(part: str, rest: _Rest) -> str:
    part = part.strip()
    while part[:1] in ("-", "+") or part[-1:] in ("-", "+"):
        at = 0 if part[:1] in ("-", "+") else -1
        if part.endswith(":-"):
            break  # `50:-` is fifty crowns
        rest.signs += 1
        rest.negative = rest.negative or part[at] == "-"
        part = (part[1:] if at == 0 else part[:-1]).strip()
    return part


def _explain_words(words: str, rest: _Rest, *, behind: bool) -> bool:
    """Take currency, percent sign, scale and unit out of the words at one side of the digits."""
    if words == "%":
        rest.percent = not rest.percent
        return rest.percent
    if currency := read_currency(words):
        rest.currency = currency if rest.currency is None else agree(rest.currency, currency)
        return rest.currency is not None
    if not behind:
        return False
    if factor := read_scale(words):
        rest.factor = factor
        return True
    if letter := read_scale_letter(words):
        rest.letter = letter
        return True
    if unit := read_unit(words):
        rest.unit = unit
        return True
    for at in range(1, min(len(words), 20)):
        scale, currency = words[:at], _OF.sub("", words[at:].strip(), count=1)
        letter = read_scale_letter(scale)
        if (factor := read_scale(scale) or letter) and read_currency(currency):
            rest.factor = factor
            return _explain_words(currency, rest, behind=False)
    return False


def _quote(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
