"""What headers of columns mean."""

from itertools import product

import pytest

from app.service.documents.lexicon import column_words, vocabulary
from app.service.documents.lexicon.column_words import Column, column_scores, coverage, is_tax_clause


@pytest.mark.parametrize(
    ("header", "column"),
    [
        ("unit price", "unit_price"),
        ("einzelpreis", "unit_price"),
        ("prix unitaire", "unit_price"),
        ("prezzo unitario", "unit_price"),
        ("preco unitario", "unit_price"),
        ("aantal", "quantity"),
        ("q.ta", "quantity"),
        ("descripcion", "description"),
        ("montant ht", "amount"),
        ("your price", "unit_price"),
        ("trade price", "list_price"),
        ("標準価格", "list_price"),
        ("仕切価格", "unit_price"),
        ("pack qty", "ignored"),
        ("year 2", "year"),
        ("100 - 499", "tier"),
        ("ab 100", "tier"),
    ],
)
def test_a_header_speaks_most_for_its_column(header: str, column: Column) -> None:
    scores = column_scores(header)
    assert scores[column] == max(scores.values())


def test_a_bare_currency_heads_amounts() -> None:
    assert column_scores("eur") == {"amount": 2.2}


def test_words_about_tax_do_not_make_a_column_of_taxes() -> None:
    assert "tax" not in column_scores("price excl. vat")
    assert is_tax_clause("(incl. vat)")


def test_coverage_is_the_share_of_known_letters() -> None:
    assert coverage("quantity") == 1.0
    assert coverage("quantity of gravel") < 0.6


def test_nothing_without_letters_is_left_out() -> None:
    """The patterns that are not tried on a text without letters would find nothing there."""
    signs = "0123456789.,%#№°-–—/+()[]: *€£$¥<>≥=_'’&|@"
    columns = [one for one in column_words._COLUMNS if one not in column_words._WITHOUT_LETTERS]
    patterns = [pattern for *_, pattern in (*columns, *vocabulary._TOTALS)]
    for text in map("".join, product(signs, repeat=2)):
        assert not any(pattern.search(text) for pattern in patterns), text
    assert column_scores("#").keys() == {"position"}
    assert column_scores("2026").keys() == {"year", "amount"}
    assert column_scores("100+").keys() == {"tier", "unit_price"}
