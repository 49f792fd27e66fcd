"""Imports from the command line: what came in, what was refused and why."""

import json
from pathlib import Path

import pytest

from tests.commands.conftest import Parley

HEADER = "purchase_date,supplier,product,quantity,unit_price,currency\n"


@pytest.fixture
def purchases(tmp_path: Path) -> Path:
    file = tmp_path / "purchases.csv"
    file.write_text(HEADER + "2024-03-01,Acme,Widget,10,5.00,USD\n2024-04-01,Acme,Widget,10,-1,USD\n")
    return file


def test_good_rows_come_in_and_bad_ones_are_named(parley: Parley, purchases: Path, tmp_path: Path) -> None:
    rejects = tmp_path / "rejects.csv"
    ended = parley("import", "purchases", purchases, "--rejects", rejects)
    assert ended.status == 0
    assert "1 purchases imported, 0 there already, 1 refused; 1 new suppliers, 1 new products." in ended.out
    assert "line 3" in ended.err
    assert "-1" in rejects.read_text()
    assert "0 purchases imported, 1 there already" in parley("import", "purchases", purchases).out


@pytest.mark.parametrize("kind", [[], ["purchases"]], ids=["recognised", "named"])
def test_a_dry_run_says_what_would_be_on_record(parley: Parley, purchases: Path, kind: list[str]) -> None:
    ended = parley("import", *kind, purchases, "--dry-run", "--json")
    file, good, bad = map(json.loads, ended.out.splitlines())
    assert (file["recognisedAs"], file["header"], file["asks"]) == ("purchases", 1, [])
    assert (good["row"], good["supplier"], good["unitPrice"], good["amount"]) == (2, "Acme", 5, 50)
    assert (bad["row"], "is not above 0" in bad["refused"]) == (3, True)


def test_what_a_file_does_not_say_is_asked_and_answered(parley: Parley, purchases: Path) -> None:
    purchases.write_text("date;supplier;product;price;term months\n03/04/2024;Acme;Widget;1.500;12\n")
    look = ("import", purchases, "--dry-run", "--json")
    asked = json.loads(parley(*look).out.splitlines()[0])["asks"]
    assert {one["name"] for one in asked} == {"date_order", "number_format", "price_per", "currency"}
    said = ("--number-format", "comma", "--currency", "EUR", "--price-per", "month")
    said += ("--date-order", "day_first")
    file, row = map(json.loads, parley(*look, *said).out.splitlines())
    assert file["asks"] == []
    assert (row["unitPrice"], row["per"], row["amount"], row["currency"]) == (1500, "month", 18_000, "EUR")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--map", "unit_price"], "NEW=OLD"),
        (["--organisation", "Nobody"], "Nobody"),
    ],
)
def test_an_option_that_cannot_be_followed_is_refused(
    parley: Parley, purchases: Path, arguments: list[str], said: str
) -> None:
    assert said in parley("import", "purchases", purchases, *arguments).refusal


@pytest.mark.campaign
@pytest.mark.parametrize("what", ["purchases", "catalog", "rates"])
def test_a_file_that_is_not_there_is_named(parley: Parley, what: str, tmp_path: Path) -> None:
    assert "absent.csv" in parley("import", what, tmp_path / "absent.csv").refusal


def test_agreements_come_in_with_what_is_doubtful_and_refused(parley: Parley, tmp_path: Path) -> None:
    assert parley("keys", "create", "--name", "me", "--organisation", "Northgate").status == 0
    good, bad = tmp_path / "contracts.csv", tmp_path / "ledger.csv"
    good.write_text(
        "contract,vendor,start,end\nMilk,Acme,2026-01-01,9999-12-31\nTea,Acme,2026-02-01,2026-01-01\n"
    )
    bad.write_text("Date,Transaction Type,Num,Name,Memo/Description,Split,Amount,Balance\n")
    whose = ("--organisation", "Northgate")
    assert (
        "ledger.csv: this is the general ledger" in parley("import", "agreements", good, bad, *whose).refusal
    )
    ended = parley("import", "agreements", good, *whose)
    assert "1 agreements imported, 0 there already, 1 refused; 1 values" in ended.out
    assert "line 3" in ended.err
    assert "'9999-12-31' says that there is no end" in ended.err
    assert "0 agreements imported, 1 there already" in parley("import", "agreements", good, *whose).out


def test_a_file_without_a_needed_column_is_refused_whole(parley: Parley, tmp_path: Path) -> None:
    file = tmp_path / "purchases.csv"
    file.write_text("purchase_date,supplier\n2024-03-01,Acme\n")
    assert "product" in parley("import", "purchases", file).refusal


def test_rates_come_in_and_bad_ones_are_named(parley: Parley, tmp_path: Path) -> None:
    file = tmp_path / "rates.csv"
    file.write_text("Date,USD,JPY\n2024-03-01,1.08,N/A\n2024-03-04,1.09,163\n2024-03-05,-1,163\n")
    ended = parley("import", "rates", file)
    assert ended.status == 0
    assert "4 rates imported, 0 changed, 0 there already, 1 refused." in ended.out
    assert "line 4" in ended.err


def test_a_file_without_rates_is_refused_whole(parley: Parley, purchases: Path) -> None:
    assert "Rates need the columns date, currency and rate" in parley("import", "rates", purchases).refusal


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("kind", "header", "row", "said"),
    [
        ("catalog", "Firma;Web", "Müller;mueller.example", ["--map", "name=Firma", "--encoding", "cp1252"]),
        ("rates", "Tag;Wert;quote", "03/04/2026;1.500;USD", ["--map", "rate=Wert", "--base", "gbp"]),
        ("purchases", "Tag;Wer;Ware;Preis;State", "03/04/2026;Acme;Key;1.500;Odd", ["--map", "supplier=Wer"]),
    ],
)
def test_every_kind_takes_all_answers(
    parley: Parley, kind: str, header: str, row: str, said: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "table.csv"
    file.write_bytes(f"{header}\n{row}\n".encode("cp1252"))
    answers = (
        "--date-order",
        "day_first",
        "--number-format",
        "comma",
        "--currency",
        "EUR",
        "--state",
        "Odd=yes",
    )
    more = ("--map", "purchase_date=Tag", "--map", "product=Ware") if kind == "purchases" else ()
    ended = parley("import", kind, file, *said, *answers, *more, "--blank-cells", "above")
    assert (ended.status, "0 refused" in ended.out, "1 " in ended.out) == (0, True, True)
