"""Tables as strangers wrote them, from `shared/cases`: what would be on record is what they say, or asked."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.contract.imports import ImportKind
from app.service.imports.dry_run import read_dry
from app.service.imports.options import FileOptions
from app.service.tables.reading import open_table
from app.settings import Settings
from tests.shared_material import shared

CASES = shared("cases")
TWINS = sorted(CASES.glob("twins/*/import-*"))
NAMES = {
    "date": "date", "supplier": "supplier", "product": "product", "quantity": "quantity",
    "unit_price": "unitPrice", "currency": "currency", "order_id": "orderId", "product_key": "productKey",
    "reference": "reference", "name": "name", "term_start": "termStart", "term_end": "termEnd",
    "total_value": "totalValue", "payment_terms_days": "paymentTermsDays",
}  # fmt: skip
"""The values of `expected.json` by their names in a dry run."""


def look_at(path: Path, kind: ImportKind | None = None, **said: Any) -> tuple[dict[str, Any], list[Any]]:
    """The object about the file, and those of its rows."""
    options = FileOptions(**said)
    with path.open("rb") as stream:
        table = open_table(stream, sheet=options.sheet, encoding=options.encoding)
        found = read_dry(table, options, Settings(), kind)
    return found.file.wire(), found.rows


def list_values(record: dict[str, Any]) -> dict[str, Any]:
    """The values of a record as `expected.json` names them."""
    record = {"supplier": record.get("supplierName"), **record}
    found = {name: record.get(ours) for name, ours in NAMES.items()}
    lines = record.get("lines")
    return found | ({"lines": lines} if lines else {})


def find_differences(expected: list[dict[str, Any]], rows: list[Any], asked: set[str]) -> list[str]:
    """What is on record otherwise than expected. What is asked for need not be there, nor a row whose supplier
    stands in the row above alone: it is refused."""
    wrong: list[str] = []
    for at, (wanted, row) in enumerate(zip(expected, rows, strict=True)):
        if row.get("refused") == "supplier is missing":
            continue
        found = list_values(row)
        # A person who maps the supplier's number has it on record as the name.
        for name, value in {**wanted, "supplier": wanted.get("supplier_id", wanted["supplier"])}.items():
            is_asked = name == "currency" and value is None and "currency" in asked
            expects = pytest.approx(value) if isinstance(value, int | float) else value
            if name in NAMES and not is_asked and found[name] != expects:
                wrong.append(f"row {at}: {name} is {found[name]!r}, not {value!r} ({row.get('refused')})")
    return wrong


@pytest.mark.parametrize("folder", TWINS, ids=lambda folder: folder.name.removeprefix("import-"))
def test_a_table_is_on_record_as_it_says(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text())
    said = {"mapping": expected.get("mapping_by_a_person", {})}
    on_record = expected["on_record"]
    for sheet in dict.fromkeys(one.get("sheet") for one in on_record):
        about, rows = look_at(folder / expected["file"], expected["kind"], sheet=sheet, **said)
        asked = {question["name"] for question in about["asks"]}
        assert about["missing"] == []
        assert find_differences([one for one in on_record if one.get("sheet") == sheet], rows, asked) == []


def test_sheets_with_the_same_headings_are_asked_for() -> None:
    [folder] = CASES.glob("twins/*/import-register-titles-above-two-rows-of-headings")
    about, _ = look_at(folder / "case.xlsx")
    [question] = [one for one in about["asks"] if one["name"] == "sheet"]
    assert [one["value"] for one in question["options"]] == [
        "Sale Jan-23",
        "Purchase Jan-23",
        "Purchase Feb-23",
    ]
