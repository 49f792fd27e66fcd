"""What print does to text: it strikes it out, or raises the number of a footnote and the cents of a price."""

import re
from collections.abc import Iterable, Sequence

STRUCK_OUT = "The document has text that is struck out, which was not read."
_PLAIN, _RAISED = "0123456789()[]", "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾⁽⁾"
_TO_RAISED = str.maketrans(_PLAIN, _RAISED)
_TO_PLAIN = str.maketrans(_RAISED[:10], _PLAIN[:10])
_DIGITS = re.compile(r"[\d\s.,;()\[\]*–-]*")
_CENTS = re.compile(
    r"(?<![\d.,])(?P<whole>\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3}){1,4}|\d+)(?P<mark>[.,]?)(?P<unit>\s?[€$£]|)\s?"
    r"(?P<cents>[⁰¹²³⁴-⁹]{2})(?![⁰¹²³⁴-⁹⁾]|,[⁰¹²³⁴-⁹])"
)
_READ_AS_CENTS = "Two raised digits behind a whole number were read as its cents."


def raise_digits(text: str) -> str:
    """A text that is printed raised, its digits as ¹²³ where it has nothing but digits and signs: small print
    that is raised as a whole is what it is anywhere."""
    return text.translate(_TO_RAISED) if _DIGITS.fullmatch(text) else text


def read_cents(rows: Iterable[Sequence[str]]) -> tuple[list[list[str]], list[str]]:
    """The rows with raised cents as others are printed, `€855⁰⁰` as `€855.00`, and a sentence if there were
    any."""
    found = False

    def print_cents(price: re.Match[str]) -> str:
        nonlocal found
        found = True
        mark = price["mark"] or ("," if "." in price["whole"] else ".")
        return f"{price['whole']}{mark}{price['cents'].translate(_TO_PLAIN)}{price['unit']}"

    read = [[_CENTS.sub(print_cents, text) for text in row] for row in rows]
    return read, [_READ_AS_CENTS] if found else []
