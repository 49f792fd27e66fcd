"""Numbers as people print them: 1,234.56  1.234,56  1 234,56  1'234.56  (1,234.56)  1.234,56-."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Literal, TypeAlias

DecimalMark: TypeAlias = Literal[".", ","]

# Spaces group thousands only in blocks of exactly three digits.
_GROUPED = r"\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?:[.,]\d{1,6})?"
_PLAIN = r"\d[\d.,'’]*"
NUMBER = re.compile(rf"(?:{_GROUPED}|{_PLAIN}|[.,]\d+)(?<![.,'’])")
_GROUPING = re.compile(r"[ \u00a0\u202f\u2009'’]")
_DECIMAL = re.compile(r"\d{0,18}(?:\.\d{0,12})?")
_NUMBERED = re.compile(r"\d+\.\d")
_LAKH = re.compile(r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?")


def find_decimal_mark(texts: Iterable[str], *, in_cells: bool = False) -> DecimalMark | None:
    """The decimal mark that the numbers of a document agree on; None when nothing tells.

    It matters for numbers like `214.956` alone, which `undecided_numbers` knows. In text one decimal after a
    dot says nothing, for sections and versions are numbered so; cells hold numbers alone.
    """
    votes = {".": 0.0, ",": 0.0}
    for text in texts:
        for found in NUMBER.finditer(text):
            mark, weight = _vote(found.group())
            if mark and (in_cells or not _NUMBERED.fullmatch(found.group())):
                votes[mark] += weight
    if votes["."] == votes[","]:
        return None
    return "." if votes["."] > votes[","] else ","


def _vote(digits: str) -> tuple[DecimalMark | None, float]:
    dot, comma = digits.rfind("."), digits.rfind(",")
    if dot >= 0 and comma >= 0:
        return (".", 3.0) if dot > comma else (",", 3.0)
    mark, at = (".", dot) if dot >= 0 else (",", comma)
    if at < 0:
        return None, 0.0
    decimals = len(digits) - at - 1
    if digits.count(mark) > 1:
        other: DecimalMark = "," if mark == "." else "."
        return (other, 1.0) if decimals == 3 else (None, 0.0)  # 1.2.2024 is a date
    if decimals == 3:
        return (mark, 2.0) if digits[:at] == "0" else (None, 0.0)  # 0,184 is no thousand
    return mark, 2.0 if decimals == 2 else 0.5


def parse_number(digits: str, number_format: DecimalMark | None) -> Decimal | None:
    """The value of one printed number without its sign; None when the digits are no number."""
    digits = _GROUPING.sub("", digits)
    dot, comma = digits.rfind("."), digits.rfind(",")
    if dot >= 0 and comma >= 0:
        decimal = max(dot, comma)
        whole, part = re.sub(r"[.,]", "", digits[:decimal]), digits[decimal + 1 :]
        return _decimal(f"{whole}.{part}")
    at = max(dot, comma)
    if at < 0:
        return _decimal(digits)
    sign = digits[at]
    if digits.count(sign) > 1:
        groups = digits.split(sign)
        if all(len(group) == 3 for group in groups[1:]) or _LAKH.fullmatch(digits):
            return _decimal("".join(groups))
        return None
    decimals = len(digits) - at - 1
    groups_thousands = decimals == 3 and 1 <= at <= 3 and digits[0] != "0" and sign != number_format
    return _decimal(digits.replace(sign, "" if groups_thousands else "."))


def _decimal(text: str) -> Decimal | None:
    return Decimal(text) if _DECIMAL.fullmatch(text) and text.strip(".") else None
