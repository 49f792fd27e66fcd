"""Months that cost nothing: which they are, and what then is paid."""

import pytest

from app.service.documents.fields.free_months import (
    FreeMonths,
    describe_free_months,
    find_free_months,
    without_free_months,
)
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder
from tests.service.documents.typewriter import type_document


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The first 3 months are free of charge.", FreeMonths(0, 3)),
        ("The first three (3) months of the term will not be billed.", FreeMonths(0, 3)),
        ("Term: 12 months The first three months are free of charge.", FreeMonths(0, 3)),
        ("Free of charge for the first 2 months.", FreeMonths(0, 2)),
        ("Months 1 to 4 are waived.", FreeMonths(0, 4)),
        ("The last two months of the term are free.", FreeMonths(34, 2)),
        ("Includes 3 free months.", FreeMonths(None, 3)),
        ("Die ersten drei Monate sind kostenlos.", FreeMonths(0, 3)),
        ("Les 3 premiers mois sont offerts.", FreeMonths(0, 3)),
        ("Los 2 primeros meses son gratis.", FreeMonths(0, 2)),
        ("I primi 3 mesi sono gratuiti.", FreeMonths(0, 3)),
        ("De eerste drie maanden zijn gratis.", FreeMonths(0, 3)),
        ("Os primeiros 3 meses são gratuitos.", FreeMonths(0, 3)),
        ("Term: 36 months. Support is free of charge.", None),
        ("Die Offerte ist 6 Monate gültig.", None),
        ("La oferta se mantendrá durante 4 meses.", None),
        ("Payment for the first 3 months is due at once.", None),
        ("The first 3 months are free. Months 4 to 5 are free, too.", None),
    ],
)
def test_free_months_are_read_from_sentences(text: str, found: FreeMonths | None) -> None:
    sentences = type_document(text).sentences
    assert find_free_months(sentences, 36) == found


def test_one_month_is_free() -> None:
    said = [describe_free_months(FreeMonths(None, count), [], None) or "" for count in (1, 2)]
    assert "that 1 month is free" in said[0]
    assert "that 2 months are free" in said[1]


def test_what_is_free_is_no_term() -> None:
    sentences = type_document("Term: 36 months, of which the first 3 months are free.").sentences
    assert [one.text for one in without_free_months(sentences)] == [
        "Term: 36 months, of which the  are free."
    ]


@pytest.mark.parametrize(
    ("note", "months", "part", "doubted"),
    [
        ("The first 3 months are free of charge.", 33, (3, 33), False),
        ("The last 3 months are free of charge.", 33, (0, 33), False),
        ("Includes 3 months free of charge.", 33, (None, None), True),  # which, nobody says
        ("The first 3 months are free of charge.", 36, (None, None), True),  # all months are paid
        ("The first 6 months are free of charge.", 33, (None, None), True),
        ("Prices in US dollars.", 36, (None, None), False),
    ],
)
def test_amounts_prove_the_months_that_are_paid(
    note: str, months: int, part: tuple[int | None, int | None], doubted: bool
) -> None:
    amount = f"{40 * 12.5 * months:,.2f}"
    quote = pdf_builder.quote(
        ["Description", "Qty", "Unit price", "Billing", "Amount"],
        [["Ledger Suite", "40", "12.50", "per month", amount]],
        [("Net total", f"USD {amount}")],
        above=("Example Software Ltd", "Quotation 7", "Date: 3 May 2026"),
        below=("Term: 36 months", note),
    )
    read = read_document(quote, "quote.pdf")
    [line] = read.line_items
    assert (read.term_months, line.first_month, line.span_months) == (36, *part)
    assert any("are free" in one for one in read.term_doubts) == doubted
    assert not doubted or line.amount is not None
