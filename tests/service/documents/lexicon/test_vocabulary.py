"""What labels of sums mean."""

import pytest

from app.service.documents.lexicon.vocabulary import DISCOUNT, INCLUDED, OPTIONAL, total_kind


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("subtotal", "net"),
        ("total excl. vat", "net"),
        ("totale imponibile", "net"),
        ("mwst 19 %", "tax"),
        ("total ttc", "gross"),
        ("totaal incl. btw", "gross"),
        ("netto inkl. mwst", "gross"),
        ("net a payer", "due"),
        ("netto a pagare", "due"),
        ("valor total do contrato", "contract"),
        ("deposit", "paid"),
        ("versandkosten", "other"),
        ("合計金額", "gross"),
        ("합 계 금 액", "gross"),
        ("razem", "gross"),
        ("do zapłaty", "due"),
        ("ara toplam", "net"),
        ("ндс 20%", "tax"),
        ("itbms 7%", "tax"),
        ("editor seats", None),
    ],
)
def test_a_label_names_its_sum(label: str, kind: str | None) -> None:
    assert total_kind(label) == kind


def test_words_of_lines_are_known_in_every_language() -> None:
    assert all(
        map(INCLUDED.search, ("no charge", "inbegriffen", "offert", "inclusief", "incluido", "omaggio"))
    )
    assert all(map(OPTIONAL.search, ("optional", "en option", "facultativo", "opzionale")))
    assert all(map(DISCOUNT.search, ("discount", "mengenrabatt", "remise", "korting", "sconto", "desconto")))
