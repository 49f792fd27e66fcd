"""XML trees, and what stands at a path of local names."""

from datetime import date
from decimal import Decimal

import pytest

from app.service.documents.einvoice.xml_tree import (
    find_amount,
    find_child,
    find_children,
    find_date,
    find_number,
    find_text,
    local_name,
    parse_xml,
)
from app.service.documents.faults import UnreadableDocument

TREE = parse_xml(
    b"<n:a xmlns:n='urn:x'><!-- a comment --><n:b> one  two </n:b><b/><c><d>12.50</d><d>7</d></c>"
    b"<e>2025-03-04</e><e2>20250304Z</e2><f currencyID='CZK'>500</f><f currencyID='EUR'>20</f></n:a>"
)


def test_elements_are_found_by_their_local_names() -> None:
    assert local_name(TREE) == "a"
    assert len(find_children(TREE, "b")) == 2
    assert [one.text for one in find_children(TREE, "c/d")] == ["12.50", "7"]
    assert find_child(TREE, "c/x") is None
    assert find_children(None, "c") == []


def test_texts_numbers_and_dates_are_read() -> None:
    assert find_text(TREE, "x", "b") == "one two"
    assert find_number(TREE, "c/d") == Decimal("12.50")
    assert find_number(TREE, "b") is None
    assert find_date(TREE, "e") == find_date(TREE, "e2") == date(2025, 3, 4)
    assert find_date(TREE, "b") is None


def test_an_amount_is_taken_in_the_currency_asked_for_else_the_first() -> None:
    assert find_amount("EUR", TREE, "f") == 20
    assert find_amount("USD", TREE, "f") == 500
    assert find_amount("EUR", TREE, "x") is None


@pytest.mark.parametrize("xml", [b"<a>", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", b"no xml"])
def test_broken_xml_and_document_types_are_refused(xml: bytes) -> None:
    with pytest.raises(UnreadableDocument):
        parse_xml(xml)
