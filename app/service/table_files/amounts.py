"""Read numbers as people write them: grouped thousands of two locales, currency signs, brackets."""

import re
from collections.abc import Iterable
from decimal import Decimal

from app.service.documents.values.numbers import DecimalMark

_PLAIN = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,12})?")
_DECORATION = re.compile(r"[\s\u00a0\u202f'’]|[$€£¥₹]|\b[A-Z]{3}\b")
_COMMA_GROUPS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_POINT_GROUPS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?")
_ONE_COMMA = re.compile(r"[0-9]+,[0-9]+")
_DIGITS = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
_EXPONENT = re.compile(r"[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]{1,3}")


class NotANumber(ValueError):
    """The text is not a number in any notation that we read."""


def read_amount(text: str, mark: DecimalMark = ".") -> Decimal:
    """Read one number. `mark` decides only where the text is ambiguous, such as `1.234` or `1,234`."""
    if _PLAIN.fullmatch(text) and (mark == "." or not _POINT_GROUPS.fullmatch(text)):
        return Decimal(text)
    return _read_decorated(text, mark)


def _read_decorated(text: str, mark: DecimalMark) -> Decimal:
    bare = _DECORATION.sub("", text.strip())
    negative = bare.startswith(("-", "−")) or (bare.startswith("(") and bare.endswith(")"))
    bare = bare.strip("()").lstrip("+-−").rstrip("-")
    if _EXPONENT.fullmatch(bare):
        value = Decimal(bare)
        if value and not -30 < value.adjusted() < 30:
            raise NotANumber(f"{_quote_text(text)} is out of bounds")
    else:
        value = Decimal(_remove_groups(bare, mark, text))
    return -value if negative else value


def _remove_groups(bare: str, mark: DecimalMark, text: str) -> str:
    comma_groups, point_groups = bool(_COMMA_GROUPS.fullmatch(bare)), bool(_POINT_GROUPS.fullmatch(bare))
    if comma_groups and ("." in bare or bare.count(",") > 1 or mark == "."):
        return bare.replace(",", "")
    if point_groups and ("," in bare or bare.count(".") > 1 or mark == ","):
        return bare.replace(".", "").replace(",", ".")
    if _ONE_COMMA.fullmatch(bare):
        return bare.replace(",", ".")
    if _DIGITS.fullmatch(bare) and len(bare) <= 40:
        return bare
    raise NotANumber(f"{_quote_text(text)} is not a number")


def _quote_text(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


def guess_decimal_mark(samples: Iterable[str]) -> DecimalMark:
    """Guess which mark a column writes its decimals with from the values that are unambiguous.

    `1.234,50` and `12,5` count for the comma, `1,234.50` and `12.5` for the point; a tie is a point.
    """
    commas = points = 0
    for text in samples:
        bare = _DECORATION.sub("", text.strip()).strip("()+-−")
        if "," in bare and "." in bare:
            if bare.rfind(",") > bare.rfind("."):
                commas += 1
            else:
                points += 1
        elif (_ONE_COMMA.fullmatch(bare) and not _COMMA_GROUPS.fullmatch(bare)) or (
            _POINT_GROUPS.fullmatch(bare) and bare.count(".") > 1
        ):
            commas += 1
        elif "." in bare and not _POINT_GROUPS.fullmatch(bare):
            points += 1
    return "," if commas > points else "."
