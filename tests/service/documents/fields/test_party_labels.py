"""Names behind and below labels."""

from app.service.documents.fields.party_labels import find_labelled_names
from app.service.documents.lexicon.party_words import BUYER
from tests.service.documents.typewriter import type_document


def names(text: str) -> list[str]:
    return [found.value for _, found in find_labelled_names(type_document(text).rows, BUYER)]


def test_a_name_stands_behind_its_label() -> None:
    assert names("Customer: Mundarra Council") == ["Mundarra Council"]


def test_a_company_stands_in_the_block_below_its_label() -> None:
    assert "Mundarra Timber Pty Ltd" in names("Bill to\nMundarra Timber Pty Ltd\n12 Mill Road")


def test_a_department_above_the_company_is_passed_over() -> None:
    assert "Mundarra Timber Pty Ltd" in names("Bill to\nAccounts Payable\nMundarra Timber Pty Ltd")


def test_goods_and_invoices_are_sent_to_who_buys() -> None:
    assert names("Send goods to: Mundarra Depot\nSend invoice to: Mundarra Council") == [
        "Mundarra Depot",
        "Mundarra Council",
    ]
