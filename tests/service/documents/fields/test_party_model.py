"""Who sells and who buys on papers whose labels, forms of names and places no rule knows."""

import numpy as np
import pytest

from app.service.documents.extraction import Provenance
from app.service.documents.fields.party_features import PartyName
from app.service.documents.fields.party_model import choose_most_probable
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder

_NOWHERE = Provenance(1, None, 1.0)


def named(*names: str) -> list[PartyName]:
    return [PartyName(name, _NOWHERE) for name in names]


@pytest.mark.parametrize(
    ("probabilities", "supplier", "buyer"),
    [
        ([[0.1, 0.8, 0.1], [0.2, 0.1, 0.7], [0.1, 0.3, 0.6]], "Alder Mills", "Brook Farm"),
        ([[0.1, 0.5, 0.4], [0.9, 0.05, 0.05], [0.2, 0.4, 0.4]], "Alder Mills", "Cedar Yard"),
        ([[0.9, 0.05, 0.05], [0.9, 0.05, 0.05], [0.95, 0.02, 0.03]], None, None),
    ],
)
def test_the_most_probable_pair_of_different_names_is_chosen(
    probabilities: list[list[float]], supplier: str | None, buyer: str | None
) -> None:
    names = named("Alder Mills", "Brook Farm", "Cedar Yard")
    chosen = choose_most_probable(names, np.array(probabilities))
    assert (chosen.supplier and chosen.supplier.name) == supplier
    assert (chosen.buyer and chosen.buyer.name) == buyer


def test_a_longer_form_of_the_supplier_is_not_the_buyer() -> None:
    names = named("Alder Mills", "Alder Mills Ltd")
    chosen = choose_most_probable(names, np.array([[0.1, 0.5, 0.4], [0.1, 0.4, 0.5]]))
    assert chosen.supplier is None or chosen.buyer is None


def test_names_of_other_scripts_are_told_apart() -> None:
    names = named("株式会社アオゾラ", "株式会社ミドリ")
    chosen = choose_most_probable(names, np.array([[0.2, 0.7, 0.1], [0.2, 0.1, 0.7]]))
    assert (chosen.supplier, chosen.buyer) == (names[0], names[1])


def test_the_addressee_of_a_quote_without_labels_or_legal_forms_buys() -> None:
    head = ["Ferrant & Moss", "4 Tannery Row, Kettering", "office@ferrantmoss.example", "+44 1536 555 010"]
    texts = [
        pdf_builder.Text(60, 50 + 13 * at, text, size=16 if not at else 9) for at, text in enumerate(head)
    ]
    texts += [
        pdf_builder.Text(400, 50, "QUOTATION", size=14),
        pdf_builder.Text(60, 150, "Bill To:"),
        pdf_builder.Text(60, 163, "Larch Street Bakery"),
        pdf_builder.Text(60, 176, "18 Larch Street, Corby"),
    ]
    extraction = read_document(pdf_builder.pdf(texts), "page.pdf")
    assert (extraction.supplier, extraction.buyer) == ("Ferrant & Moss", "Larch Street Bakery")
