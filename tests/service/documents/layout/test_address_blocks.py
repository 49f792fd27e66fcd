"""Blocks of address lines name who a document is from and to."""

import pytest

from app.service.documents.layout.address_blocks import (
    find_address_blocks,
    is_party_label,
    is_town,
)
from tests.service.documents.typewriter import type_document


def blocks(text: str) -> list[tuple[str, bool]]:
    return [(one.name, one.addressed) for one in find_address_blocks(type_document(text).rows)]


def test_a_name_over_its_street_and_town_is_a_block() -> None:
    assert blocks("Sample Logistics plc\n1 Mill Lane\nLeeds LS1 1AA") == [("Sample Logistics plc", False)]


def test_a_block_to_somebody_is_addressed() -> None:
    text = "Sample Logistics plc\nattn. Ms Example\n1 Mill Lane\nLeeds LS1 1AA"
    assert blocks(text) == [("Sample Logistics plc", True)]


@pytest.mark.parametrize("country", ["Denmark", "DNK", "Dänemark", "Danmark"])
def test_the_country_below_a_town_is_no_name(country: str) -> None:
    text = (
        f"Sample Logistics plc\n1 Mill Lane\n4000 Roskilde\n{country}\nNorth Homes\n2 Mill Lane\n4300 Holbaek"
    )
    assert [name for name, _ in blocks(text)] == ["Sample Logistics plc", "North Homes"]


def test_lines_without_a_town_are_no_block() -> None:
    assert blocks("Sample Logistics plc\n1 Mill Lane\nThank you") == []


def test_a_town_has_its_postcode_and_a_date_is_none() -> None:
    assert is_town("Leeds LS1 1AA")
    assert is_town("10115 Berlin")
    assert not is_town("4 March 2025")
    assert not is_town("Mill Lane")


def test_a_label_over_a_name_is_no_name() -> None:
    assert is_party_label("Bill to:")
    assert is_party_label("Доставчик / Supplier")
    assert not is_party_label("Sample Logistics plc")


@pytest.mark.parametrize(
    ("label", "addressed"), [("Ship to:", True), ("Lieferadresse", True), ("Order date:", False)]
)
def test_a_block_beside_where_the_goods_go_is_to_the_buyer(label: str, addressed: bool) -> None:
    text = (
        f"Ann Reed                 {label}\nReed Interiors ApS       Tom Holt\n"
        "2 Mill Lane              3 Dock Road\n4300 Holbaek             4000 Roskilde"
    )
    assert ("Reed Interiors ApS", True) in blocks(text) if addressed else blocks(text)[0][1] is False
