"""Digits that print raises: the numbers of footnotes, and the cents of a price."""

import re

_PLAIN, _RAISED = "0123456789()[]", "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾⁽⁾"
_TO_RAISED = str.maketrans(_PLAIN, _RAISED)
_TO_PLAIN = str.maketrans(_RAISED[:10], _PLAIN[:10])
_DIGITS = re.compile(r"[\d\s.,;()\[\]*–-]*")
_CENTS = re.compile(
    r"(?<![\d.,])(?P<whole>\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3}){1,4}|\d+)(?P<mark>[.,]?)(?P<unit>\s?[€$£]|)\s?"
    r"(?P<cents>[⁰¹²³⁴-⁹]{2})(?![⁰¹²³⁴-⁹⁾]|,[⁰¹²³⁴-⁹])"
)


def raise_digits(text: str) -> str:
    """Return a text that is printed raised, its digits as ¹²³ where it has nothing but digits and signs:
    small print that is raised as a whole is what it is anywhere."""
    return text.translate(_TO_RAISED) if _DIGITS.fullmatch(text) else text


def lower_cents(text: str) -> str:
    """Return the text with raised cents as others are printed: `€855⁰⁰` as `€855.00`."""
    return _CENTS.sub(_print_cents, text)


def _print_cents(price: re.Match[str]) -> str:
    mark = price["mark"] or ("," if "." in price["whole"] else ".")
    return f"{price['whole']}{mark}{price['cents'].translate(_TO_PLAIN)}{price['unit']}"
