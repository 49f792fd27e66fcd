"""How a web page shows its text: whether it hides it, strikes it out or raises it."""

import re
from typing import TypeAlias

from lxml import etree

from app.service.values.raised_digits import raise_digits

Element: TypeAlias = etree._Element  # pyright: ignore[reportPrivateUsage] # there is no public name

_WITHOUT_TEXT = {"head", "script", "style", "template", "title", "noscript"}
_HIDING_STYLES = {("display", "none"), ("visibility", "hidden"), ("mso-hide", "all"), ("opacity", "0")}
_INVISIBLE_SIZE = re.compile(r"[01](?:\.\d*)?\D*")
_STRIKING = {"s", "strike", "del"}
_DECORATIONS = ("text-decoration", "text-decoration-line")
_SPACE = re.compile(r"\s+")


def is_hidden(element: Element) -> bool:
    if element.tag in _WITHOUT_TEXT or element.get("hidden") is not None:
        return True
    return any(
        style in _HIDING_STYLES or (style[0] == "font-size" and _INVISIBLE_SIZE.fullmatch(style[1]))
        for style in _list_styles(element)
    )


def remove_struck_text(root: Element) -> bool:
    """Empty the elements that are struck out, which keep their places, and say whether any had text."""
    found = False
    for element in [one for one in root.iter("*") if _is_struck(one)]:
        found |= any(not text.isspace() for text in element.itertext())
        element.text = None
        del element[:]
    return found


def raise_raised_digits(root: Element) -> None:
    """Print the digits that are raised by their style as raised ones."""
    for element in [one for one in root.iter("*") if _is_raised(one)]:
        for inner in element.iter("*"):
            inner.text = raise_digits(inner.text or "")
            if inner is not element:
                inner.tail = raise_digits(inner.tail or "")


def _is_struck(element: Element) -> bool:
    return element.tag in _STRIKING or any(
        name in _DECORATIONS and "line-through" in value for name, value in _list_styles(element)
    )


def _is_raised(element: Element) -> bool:
    return element.tag == "sup" or ("vertical-align", "super") in _list_styles(element)


def _list_styles(element: Element) -> list[tuple[str, str]]:
    declarations = _SPACE.sub("", element.get("style", "")).lower().split(";")
    return [(name, value) for name, _, value in (one.partition(":") for one in declarations)]
