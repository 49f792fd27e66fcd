"""Who may sell."""

import pytest

from app.service.documents.fields.candidates import Candidate
from app.service.documents.fields.supplier_candidates import supplier_candidates
from app.service.documents.lexicon.party_words import FOOTER
from tests.service.documents.typewriter import type_document


def candidates(text: str, *bought: str) -> dict[str, Candidate[str]]:
    document = type_document(text)
    return supplier_candidates(document.pages, document.rows, set(bought), {1: 800}, is_purchase=False)


def test_a_label_names_the_supplier() -> None:
    found = candidates("Supplier: Paperbark Software Ltd")
    assert "label" in found["paperbarksoftwareltd"].reasons


def test_a_name_with_a_legal_form_at_the_top_and_on_a_site_is_likely() -> None:
    found = candidates("Paperbark Software Ltd\n\n\nwww.paperbark.example")
    assert {"legal form", "top", "site"} <= found["paperbarksoftwareltd"].reasons.keys()


@pytest.mark.parametrize(
    ("closing", "signed"),
    [
        ("Cordiali saluti\nLuca Berti\nArredi Berti snc - Via Emilia 220, Imola", "Arredi Berti snc"),
        ("С уважением,\nМария Орлова\nООО «Сигма»", "ООО «Сигма»"),
        ("Kind regards\nJan Beran\nBeran Joinery\nsales@beranjoinery.example", "Beran Joinery"),
        ("Kind regards\nJan Beran", None),
    ],
)
def test_who_signs_a_letter_may_name_the_company(closing: str, signed: str | None) -> None:
    found = candidates(f"{closing}").values()
    assert [one.value for one in found if "signature" in one.reasons] == ([signed] if signed else [])


def test_whom_somebody_signs_for_heads_the_page() -> None:
    found = candidates("Vinayak Infra\nPlot 7\n\n\n\nFor Vinayak Infra\nFor Another Firm")
    assert [one.value for one in found.values() if "signature" in one.reasons] == ["Vinayak Infra"]


def test_who_buys_does_not_sell() -> None:
    assert candidates("Mundarra Timber Pty Ltd", "mundarratimberptyltd") == {}


@pytest.mark.parametrize(
    ("text", "registers"), [("Baustahl Niederrhein GmbH", False), ("USt-IdNr. DE1", True)]
)
def test_a_word_that_holds_the_name_of_a_tax_registers_nobody(text: str, *, registers: bool) -> None:
    assert (FOOTER.search(text) is not None) == registers


@pytest.mark.parametrize(("beside", "registered"), [("", True), ("     INVOICE", False)])
def test_a_head_alone_in_its_row_over_its_registration_is_likely(beside: str, *, registered: bool) -> None:
    """Beside a title it may be the window of a letter."""
    found = candidates(f"Lea Fontaine{beside}\n8 rue du Port\n17000 La Rochelle\nSIRET 812 345 678 00019")
    assert ("registered" in found["leafontaine"].reasons) == registered


def test_a_town_with_its_region_before_a_day_is_no_company() -> None:
    texts = ("San Luis Potosí, S.L.P., a 11 de agosto de 2025", "Talleres Potosí, S.L. 11 de agosto")
    found = [[one for one in candidates(text).values() if "legal form" in one.reasons] for text in texts]
    assert [len(one) for one in found] == [0, 1]
