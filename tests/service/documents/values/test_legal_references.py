"""References to statutes are no money."""

import pytest

from app.service.documents.values.money import blank_legal_references, find_document_currency, find_figures


@pytest.mark.parametrize(
    "text",
    [
        "Steuerfrei nach $4 UStG", "§4 UStG", "gemäß $ 19 UStG", "$19 Abs. 1 UStG", "§ 4 Nr. 11 UStG",
        "steuerfrei nach $4 Nr. 1b UStG", "acc. to $ 13 b UStG", "$13b UStG", "Art. 4 £ 2", "$$ 305 ff. BGB",
        "Art. 196 § 2 und $ 25a UStDV",
    ],
)  # fmt: skip
def test_a_paragraph_of_a_law_is_no_amount(text: str) -> None:
    assert find_figures(text, ".") == ()
    assert find_document_currency([text, "Summe 5,00"], home_currency="EUR").code == "EUR"
    assert len(blank_legal_references(text)) == len(text)


@pytest.mark.parametrize(
    "text", ["$14 per user", "$500 SaaS", "£99 MacBook", "$5 GB", "$4 Nr", "Art. 4 $5.00", "$$ 1,500.00 BGB"]
)
def test_a_price_beside_other_letters_stays_an_amount(text: str) -> None:
    assert any(figure.currency for figure in find_figures(text, "."))
