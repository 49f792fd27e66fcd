"""Folded text, which words are matched against."""

from app.service.documents.values.folding import fold


def test_case_accents_and_underscores_are_folded_away() -> None:
    assert fold("Gültig_BIS: Öffnung") == "gultig bis: offnung"


def test_folded_text_is_as_long_as_the_text_so_that_offsets_stay_true() -> None:
    for text in ("ﬁnal ½ Ǆ", "Straße", "Montant € TTC", "見積書"):
        assert len(fold(text)) == len(text)
