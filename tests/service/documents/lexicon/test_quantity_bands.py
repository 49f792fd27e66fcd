"""Words before the figure at which others begin or end."""

import pytest

from app.service.documents.lexicon.quantity_bands import names_bound


@pytest.mark.parametrize(
    "words",
    ["Prices starting at", "from", "Preise ab", "à partir de", "Precios desde", "a partire da", "up to"],
)
def test_a_price_that_others_begin_at_is_named_so(words: str) -> None:
    assert names_bound(words)


@pytest.mark.parametrize("words", ["Total", "Amount due on", "Rebab", "from us: total", ""])
def test_other_words_name_no_bound(words: str) -> None:
    assert not names_bound(words)
