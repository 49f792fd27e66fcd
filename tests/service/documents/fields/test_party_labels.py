"""Names behind and below labels."""

import pytest

from app.service.documents.fields.party_labels import find_labelled_names
from app.service.documents.lexicon.party_words import BUYER, SUPPLIER
from tests.service.documents.typewriter import type_document


def names(text: str) -> list[str]:
    return [found.value for _, found in find_labelled_names(type_document(text).rows, BUYER)]


def test_a_name_stands_behind_its_label() -> None:
    assert names("Customer: Mundarra Council") == ["Mundarra Council"]
    assert names("Verhuurder: BoxVerhuur B.V.\nHuurder: Bouwbedrijf De Wilde") == ["Bouwbedrijf De Wilde"]


def test_a_company_stands_in_the_block_below_its_label() -> None:
    assert "Mundarra Timber Pty Ltd" in names("Bill to\nMundarra Timber Pty Ltd\n12 Mill Road")


def test_a_department_above_the_company_is_passed_over() -> None:
    assert "Mundarra Timber Pty Ltd" in names("Bill to\nAccounts Payable\nMundarra Timber Pty Ltd")


def test_a_department_alone_is_nobody() -> None:
    assert names("Invoice to: Accounts Payable, 12 Main St") == []


@pytest.mark.parametrize("label", ["Tedarikçi Firma", "Supplier name", "Dostawca nazwa", "Satıcı Unvanı"])
def test_the_label_of_a_party_may_say_that_its_name_follows(label: str) -> None:
    rows = type_document(f"{label} : Marmor Kimya A.Ş.").rows
    assert [found.value for _, found in find_labelled_names(rows, SUPPLIER)] == ["Marmor Kimya A.Ş."]


def test_goods_and_invoices_are_sent_to_who_buys() -> None:
    assert names("Send goods to: Mundarra Depot\nSend invoice to: Mundarra Council") == [
        "Mundarra Depot",
        "Mundarra Council",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Supplier: 002318  Acme Tools Ltd",
        "Supplier: 70044 Acme Tools Ltd",
        "Supplier: V-1200 - Acme Tools Ltd",
    ],
)
def test_a_party_may_be_numbered_before_its_name(line: str) -> None:
    [name] = {found.value for _, found in find_labelled_names(type_document(line).rows, SUPPLIER)}
    assert name == "Acme Tools Ltd"


@pytest.mark.parametrize(
    ("page", "buyer"),
    [
        ("            2.1 Zadavatel\nNázev:   Město Polná   IČO:   00286435", "Město Polná"),
        ("Dados do adquirente\nNome: CERAMICA DO ESTE, S.A.   NIF: 504118", "CERAMICA DO ESTE, S.A."),
        ("Ajánlatkérő: Tiszai Közös Hivatal (4418 Tiszakeszi, Fő út 1.)", "Tiszai Közös Hivatal"),
        ("Señor(es): MADERAS CRUCES SPA     Rut: 76.441", "MADERAS CRUCES SPA"),
        ("İşveren      ANADOLU YEM SANAYİ A.Ş.", "ANADOLU YEM SANAYİ A.Ş."),
    ],
)
def test_forms_and_tenders_name_who_buys(page: str, buyer: str) -> None:
    assert buyer in names(page)
