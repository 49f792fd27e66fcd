"""A party that stands in the first row of a group alone: asked once, and never taken for that of a total."""

import pytest

from tests.service.imports.dry_reading import list_asked, look_at

HEADER = "Date,Supplier,Order no,Product,Quantity,Unit price,Currency\n"
GROUPS = """2025-03-05,Acme,A1,Key,1,5,EUR
,,,Vice,2,6,
,,A1,Saw,3,7,EUR
2025-03-06,Brook,B1,Nut,4,8,GBP
,,,Bolt,5,9,
"""


@pytest.mark.parametrize("answer", [None, "above", "missing"])
def test_blank_cells_of_a_group_are_asked_for_once(answer: str | None) -> None:
    about, rows = look_at(HEADER + GROUPS, blank_cells=answer)
    assert list_asked(about).count("blank_cells") == (answer is None)
    found = [(row.get("supplier"), row.get("date"), row.get("orderId"), row.get("currency")) for row in rows]
    first, second = ("Acme", "2025-03-05", "A1", "EUR"), ("Brook", "2025-03-06", "B1", "GBP")
    none = (None, None, None, None)
    if answer == "missing":
        assert found == [first, none, none, second, none]
    else:
        assert found == [first, first, first, second, second]


@pytest.mark.parametrize(
    "row",
    [
        ",,,Total,,11,EUR",
        ",,,Subtotal Acme,,11,EUR",
        "Total,,,,,11,EUR",
        ",Grand total,,,,11,EUR",
        ",,,Zwischensumme:,,11,EUR",
        ",,B7,Vice,1,5,EUR",
        ",Brook,,Vice,1,5,EUR",
        "2025-03-09,,,Vice,1,5,EUR",
        ",Acme,A1,Vice,1,5,EUR",
        ",,,Vice,1,5,USD",
    ],
)
def test_totals_and_rows_of_another_group_are_not_filled(row: str) -> None:
    _, rows = look_at(f"{HEADER}2025-03-05,Acme,A1,Key,1,5,EUR\n{row}\n", blank_cells="above")
    assert ["refused" in one for one in rows] == [False, True]


def test_a_list_of_contracts_in_groups_is_asked_for_and_one_with_gaps_is_not() -> None:
    header = "Supplier,Contract,Start,End\n"
    grouped = "".join(
        f"{name},C{at},2025-01-01,2025-12-31\n" for at, name in enumerate(["Acme", "", "", "Brook", ""])
    )
    about, rows = look_at(header + grouped)
    assert list_asked(about) == ["blank_cells"]
    assert [row["supplierName"] for row in rows] == ["Acme", "Acme", "Acme", "Brook", "Brook"]
    gaps = "".join(
        f"{name},C{at},2025-01-01,2025-12-31\n" for at, name in enumerate(["Acme", "Acme", "", "Brook", ""])
    )
    about, rows = look_at(header + gaps)
    assert list_asked(about) == []
    assert [row.get("supplierName") for row in rows] == ["Acme", "Acme", None, "Brook", None]
