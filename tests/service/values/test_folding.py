"""Folded text, which words are matched against."""

from app.service.values.folding import fold


def test_case_accents_and_underscores_are_folded_away() -> None:
    assert fold("Gültig_BIS: Öffnung") == "gultig bis: offnung"


def test_the_number_of_a_footnote_is_no_part_of_the_figure_before_it() -> None:
    assert fold("30² Days, 12⁽¹⁾, m²") == "30  days, 12   , m2"


def test_a_fraction_is_no_digit_of_the_figure_before_it() -> None:
    assert fold("1½ Months") == "1½ months"


def test_folded_text_is_as_long_as_the_text_so_that_offsets_stay_true() -> None:
    for text in ("ﬁnal ½ Ǆ 30²", "Straße", "Montant € TTC", "見積書"):
        assert len(fold(text)) == len(text)
