"""Labels of parties in every language."""

import pytest

from app.service.documents.lexicon.party_words import ANSWER, BUYER, PURCHASE, SUPPLIER


@pytest.mark.parametrize(
    "label",
    ["bill to", "kunde:", "facture a", "klant", "cliente", "spett.le rossi", "adquirente", "named insured:"],
)
def test_labels_of_buyers(label: str) -> None:
    found = BUYER.match(label)
    assert found is not None
    assert found["strong"]


@pytest.mark.parametrize(
    "label",
    [
        "supplier",
        "lieferant",
        "fournisseur",
        "leverancier",
        "proveedor",
        "fornitore",
        "insurer",
        "доставчик / supplier",
    ],
)
def test_labels_of_suppliers(label: str) -> None:
    found = SUPPLIER.match(label)
    assert found is not None
    assert found["strong"]


def test_an_order_is_told_from_its_answer() -> None:
    assert PURCHASE.fullmatch("ordine di acquisto n. 12/2026")
    assert ANSWER.match("conferma d'ordine")
    assert not ANSWER.match("bestellung")
