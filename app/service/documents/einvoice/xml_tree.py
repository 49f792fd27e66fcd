"""XML trees, parsed without entities, document types or the network."""

import re
from datetime import date
from decimal import Decimal, InvalidOperation

from lxml import etree

from app.service.documents.faults import UnreadableDocument

Element = etree._Element  # pyright: ignore[reportPrivateUsage] # lxml offers no public name


def parse_xml(content: bytes) -> Element:
    """The root element. Raises UnreadableDocument for broken XML and for any document type."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(content, parser)
    except (etree.LxmlError, ValueError) as damage:
        raise UnreadableDocument("The XML is not well formed.") from damage
    if re.search(rb"<!DOCTYPE|<!ENTITY", content[:100_000], re.IGNORECASE):
        raise UnreadableDocument("The XML declares a document type; such files are refused.")
    return root


def local_name(element: Element) -> str:
    """The local name, without its namespace."""
    return str(element.tag).rpartition("}")[2]


def find_children(element: Element | None, path: str) -> list[Element]:
    """The elements at a path of local names, `A/B/C`."""
    found: list[Element] = [] if element is None else [element]
    for step in path.split("/"):
        found = [child for parent in found for child in parent if local_name(child) == step]
    return found


def find_child(element: Element | None, *paths: str) -> Element | None:
    """The first child at the first of the paths that has one."""
    return next((found for path in paths for found in find_children(element, path)), None)


def find_currency(element: Element) -> str | None:
    """The first currency that an element or one below it states."""
    return next((code for one in element.iter() if (code := one.get("currencyID"))), None)


def find_text(element: Element | None, *paths: str) -> str | None:
    """The text at the first of the paths that has one."""
    for path in paths:
        for found in find_children(element, path):
            if found.text and found.text.strip():
                return " ".join(found.text.split())
    return None


def find_number(element: Element | None, *paths: str) -> Decimal | None:
    return _decimal(find_text(element, *paths))


def find_amount(currency: str | None, element: Element | None, path: str) -> Decimal | None:
    """The amount at `path` in `currency`, else the first: tax may stand there in the seller's own currency
    as well (EN 16931, BT-111)."""
    amounts = find_children(element, path)
    stated = [one for one in amounts if one.get("currencyID") == currency] or amounts
    return _decimal((stated[0].text or "").strip()) if stated else None


def _decimal(shown: str | None) -> Decimal | None:
    if shown is None or not re.fullmatch(r"[+-]?\d{0,18}(\.\d{0,12})?", shown):
        return None
    try:
        return Decimal(shown)
    except InvalidOperation:
        return None


def find_date(element: Element | None, *paths: str) -> date | None:
    """A date as 2024-05-31 or 20240531."""
    shown = find_text(element, *paths)
    found = re.match(r"(\d{4})-?(\d{2})-?(\d{2})", shown or "")
    try:
        return date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None
