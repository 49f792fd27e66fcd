"""Names of companies, by their legal form or by how names look."""

import pytest

from app.service.documents.values.company_names import (
    find_companies,
    fold_name,
    is_address,
    is_label,
    is_label_with_value,
    looks_like_name,
    read_name,
    strip_label,
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "between Example Software Ltd and Sample Logistics plc",
            ["Example Software Ltd", "Sample Logistics plc"],
        ),
        ("Beispiel & Partner GmbH, Berlin", ["Beispiel & Partner GmbH"]),
        ("Au bon marche SARL - 3 rue du Port", ["Au bon marche SARL"]),
        ("Ejemplo Consultores S.L.", ["Ejemplo Consultores S.L."]),
        ("Mazur Technika Sp. z o.o.", ["Mazur Technika Sp. z o.o."]),
        ("Šumava Technika s.r.o.", ["Šumava Technika s.r.o."]),
        ('ТОВ "Дніпро Техніка"', ['ТОВ "Дніпро Техніка"']),
        ("CÔNG TY CỔ PHẦN ĐỊA ỐC SÔNG HÀN", ["CÔNG TY CỔ PHẦN ĐỊA ỐC SÔNG HÀN"]),
        ("株式会社青山技研", ["株式会社青山技研"]),
        ("上海远航科技有限公司", ["上海远航科技有限公司"]),
        ("PT Samudra Teknik", ["PT Samudra Teknik"]),
        ("شركة الخليج للتقنية", ["شركة الخليج للتقنية"]),
        ("PARQUE LA PILA SA DE CV RFC: 7", ["PARQUE LA PILA SA DE CV"]),
        ("Norte S. de R.L. de C.V.", ["Norte S. de R.L. de C.V."]),
        ("Bygg & Tak i Luleå AB", ["Bygg & Tak i Luleå AB"]),
        ("Deniz Makina San. ve Tic. Ltd. Şti.", ["Deniz Makina San. ve Tic. Ltd. Şti."]),
        ("Total amount due", []),
    ],
)
def test_names_end_with_their_legal_form(text: str, names: list[str]) -> None:
    assert list(find_companies(text)) == names


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("Sample Logistics plc, 1 Mill Lane, Leeds", "Sample Logistics plc"),
        ("Harbour Schools, 2 Lake Street", "Harbour Schools"),
        ("4 March 2025", None),
        ("Q-7", None),
        ("FACTURE NO 1096", None),
        ("buyer@example.org", None),
        ("Date:", None),
        ("123456", None),
    ],
)
def test_a_labelled_value_is_a_name_without_its_address(value: str, name: str | None) -> None:
    assert read_name(value) == name


def test_a_line_looks_like_a_name_when_it_is_short_capitalised_and_no_title() -> None:
    assert looks_like_name("Harbour Schools")
    assert not looks_like_name("Goods sold are non-refundable.")
    for other in ("Quote", "12 Mill Lane", "Unit price", "thank you for your order", "Tel: 0113 496"):
        assert not looks_like_name(other)


def test_labels_and_labelled_values_are_no_names() -> None:
    assert is_label("Bill to:")
    assert is_label_with_value("Quote no.: 7")
    assert not is_label("Harbour Schools")
    assert not is_label_with_value("Harbour Schools")


def test_two_spellings_share_a_key() -> None:
    assert fold_name("Exämple-Software, Ltd.") == fold_name("EXAMPLE SOFTWARE LTD")
    assert strip_label("Client: Sample Logistics plc") == "Sample Logistics plc"


def test_streets_and_numbers_are_addresses() -> None:
    assert is_address("Mill Street")
    assert is_address("LS1 1AA")
    assert not is_address("Harbour Schools")


def test_a_name_ends_where_another_field_begins() -> None:
    assert read_name("Borostyán Óvoda Adószám: 15789456") == "Borostyán Óvoda"
    assert read_name("Quote number: 7") is None


def test_letters_before_a_registration_are_no_legal_form() -> None:
    assert list(find_companies("CVR 41188204")) == []
    assert list(find_companies("CV Karya Boga")) == ["CV Karya Boga"]
