"""Sentences that name both parties."""

import pytest

from app.service.documents.fields.contract_parties import find_agreed_parties
from tests.service.documents.typewriter import type_document


@pytest.mark.parametrize(
    "sentence",
    [
        "between Tessellate Inc. and Bayberry Holdings, Inc.",
        "Proposal for Bayberry Holdings, Inc. by Tessellate Inc.",
        'Tessellate Inc. (the "Supplier") and Bayberry Holdings, Inc. (the "Customer")',
    ],
)
def test_a_sentence_names_supplier_and_buyer(sentence: str) -> None:
    document = type_document(sentence)
    supplier, buyer, cell = next(find_agreed_parties(document.rows, document.paragraphs))
    assert (supplier, buyer.split(",")[0].removesuffix(".")) == ("Tessellate Inc.", "Bayberry Holdings")
    assert cell.page == 1


def test_other_sentences_name_nobody() -> None:
    document = type_document("between Monday and Friday we are open")
    assert list(find_agreed_parties(document.rows, document.paragraphs)) == []
