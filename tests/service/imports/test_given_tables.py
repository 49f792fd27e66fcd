"""Tables as strangers wrote them, from `shared/cases`: what would be on record is what they say, or asked."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.service.imports.dry_reading import list_asked, look_at
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


def list_values(record: dict[str, Any]) -> dict[str, Any]:
    """The values of a record as `expected.json` names them."""
    record = {"supplier": record.get("supplierName"), **record}
    found = {name: record.get(ours) for name, ours in NAMES.items()}
    lines = record.get("lines")
    return found | ({"lines": lines} if lines else {})


def find_differences(expected: list[dict[str, Any]], rows: list[Any], asked: set[str]) -> list[str]:
    """What is on record otherwise than expected. What is asked for need not be there."""
    wrong: list[str] = []
    for at, (wanted, row) in enumerate(zip(expected, rows, strict=True)):
        found = list_values(row)
        for name, value in wanted.items():
            is_asked = name == "currency" and value is None and "currency" in asked
            expects = pytest.approx(value) if isinstance(value, int | float) else value
            if name in NAMES and not is_asked and found[name] != expects:
                wrong.append(f"row {at}: {name} is {found[name]!r}, not {value!r} ({row.get('refused')})")
    return wrong


@pytest.mark.parametrize("folder", TWINS, ids=lambda folder: folder.name.removeprefix("import-"))
def test_a_table_is_on_record_as_it_says(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text())
    on_record = expected["on_record"]
    mapping = expected.get("mapping_by_a_person", {})
    # The names by the numbers of suppliers are in another sheet.
    numbered = "supplier_id" in on_record[0]
    said = {"mapping": {name: of for name, of in mapping.items() if not (numbered and name == "supplier")}}
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


REFUSED = None
TOOL = ["Norvale Tools", 12.5, "EUR"]
OF_ONE_TOOL = (
    *(
        "I1_sep.csv",
        "I1_sep_quoted.csv",
        "I1_sep_tab.csv",
        "S1_sep_comma.csv",
        "S2_title.csv",
        "S4_comment.csv",
    ),
    *("S9_dup.csv", "I18_serial_general.xlsx", "I5_formula_cached.xlsx", "I5_date_formula_cached.xlsx"),
    *("I5_formula_nocache.xlsx", "I9_cover_sheet.xlsx", "I9_hidden_row.xlsx", "I9_hidden_sheet.xlsx"),
)
CHF = [12.5, 80, 20]
BUGS: dict[str, list[list[Any] | None]] = {
    **{name: [TOOL] for name in OF_ONE_TOOL},
    "I2_cr.csv": [TOOL, TOOL],
    "C_big5.csv": [["台北五金", 12.5, "EUR"]],
    "C_cp1250.csv": [["Zakład Łódź", 12.5, "EUR"]],
    "C_cp1253.csv": [["Νορβάλε ΑΕ", 12.5, "EUR"]],
    "C_cp1254.csv": [["İstanbul Şirket", 12.5, "EUR"]],
    "C_cp437.csv": [["Müller Söhne", 12.5, "EUR"]],
    "C_euc_jp.csv": [["東京工業", 12.5, "EUR"]],
    "C_euc_kr.csv": [["한국공구", 12.5, "EUR"]],
    "C_iso8859_15.csv": [["Müller €uro", 12.5, "EUR"]],
    "I10_numfmt_eur.xlsx": [TOOL, ["Norvale Tools", 125, "EUR"]],
    "I10_sign.csv": [
        *(TOOL, ["Norvale Tools", 125, "EUR"], ["Norvale Tools", 99, "GBP"], REFUSED),
        *(["Norvale Tools", 990, "INR"], ["Norvale Tools", 99, "CHF"]),
    ],
    "I10_sign_conflict.csv": [REFUSED],
    "fi.csv": [["Norvale Oy", 10, "EUR"], REFUSED],
    "I19_lakh.csv": [["Norvale Tools", price, "INR"] for price in (123_456, 100_000, 1_234, 1_234)],
    "N1_zero_comma.csv": [["Norvale Energy", price, "EUR"] for price in (0.285, 0.312, 0.125)],
    "N3_zero_point_in_comma_file.csv": [["Norvale Energy", price, "EUR"] for price in (0.5, 12.5, 8.75)],
    "N8_zero_comma.csv": [["Norvale Energy", 0.285, "EUR"]],
    "I14_german.csv": [
        ["Norvale Tools", {0: 1_000, 9: 1_234.5}[at], "EUR"] if at in (0, 9) else REFUSED for at in range(16)
    ],
    "I4_merged_currency.xlsx": [["Norvale Tools", price, "CHF"] for price in CHF],
    "I4_merged_supplier.xlsx": [["Norvale Tools", price, "CHF"] for price in CHF],
    "I4_merged_term.xlsx": [["Norvale Soft", price, "CHF"] for price in CHF[:2]],
}
"""Supplier, unit price and currency of each row of the files of `bugs`, or that it is refused."""


@pytest.mark.parametrize("name", BUGS)
def test_a_table_of_a_bug_report_is_read_right(name: str) -> None:
    [path] = CASES.glob(f"bugs/*/{name}")
    about, rows = look_at(path)
    assert list_asked(about) == (["currency"] if name == "I10_sign.csv" else [])
    found = [
        REFUSED if "refused" in row else [row["supplier"], row["unitPrice"], row["currency"]] for row in rows
    ]
    assert found == BUGS[name]


def test_dates_of_all_forms_are_one_day_or_refused() -> None:
    [path] = CASES.glob("bugs/dates-of-imports/I18_words.csv")
    about, rows = look_at(path)
    assert [one["name"] for one in about["asks"]] == ["date_order"]
    assert [row["row"] for row in rows if "refused" in row] == [15, 17, 20, 31, 32]
    months = {row["row"]: row["date"][5:7] for row in rows if "date" in row and row["date"][5:7] != "03"}
    assert months == {
        **{5: "07", 6: "05", 7: "11", 8: "05", 9: "12", 10: "12"},
        **{26: "10", 27: "04", 28: "08", 29: "09", 30: "09"},
    }
    _, answered = look_at(path, date_order="day_first")
    assert [row["row"] for row in answered if "refused" in row] == [17, 31, 32]


def test_rates_below_one_are_none_of_thousands() -> None:
    [path] = CASES.glob("bugs/number-leading-zero-group/rates.csv")
    _, rows = look_at(path)
    assert [(row["currency"], row["rate"]) for row in rows] == [("GBP", 0.842), ("KWD", 0.335)]
