"""Labelled sums, and which of them are the net, the tax and the total."""

from decimal import Decimal

from app.service.documents.fields.totals import choose_totals, find_sums
from tests.service.documents.typewriter import type_document


def test_sums_are_found_beside_and_inside_of_their_labels() -> None:
    document = type_document(
        """
        Subtotal      100.00
        VAT 20%        20.00
        Total: 120.00
        """
    )
    sums = find_sums(document.rows, document.sentences)
    assert [(one.kind, one.value) for one in sums] == [("net", 100), ("tax", 20), ("gross", 120)]


def test_net_tax_and_total_are_told_apart() -> None:
    document = type_document(
        """
        Subtotal      100.00
        VAT 20%        20.00
        Total         120.00
        """
    )
    totals = choose_totals(find_sums(document.rows, document.sentences), [], None)
    assert (totals.net, totals.tax, totals.total) == (100, 20, 120)
    assert {name: seen.box for name, seen in totals.provenance.items()} == {
        name: row.cells()[-1].box
        for name, row in zip(("net_total", "tax_total", "total"), document.rows, strict=True)
    }


def test_a_total_that_does_not_add_up_is_read_as_printed() -> None:
    document = type_document(
        """
        Subtotal      100.00
        VAT 20%        20.00
        Total         125.00
        """
    )
    totals = choose_totals(find_sums(document.rows, document.sentences), [], Decimal(90))
    assert totals.total == 125
