"""Looking at documents and estimates from the command line."""

import json
from pathlib import Path

import pytest

from tests.commands.conftest import Parley


def test_each_document_is_one_object_on_a_line(parley: Parley, tmp_path: Path) -> None:
    quote = tmp_path / "quote.csv"
    quote.write_text(
        "Quotation,,,\nDescription,Quantity,Unit price,Amount\nWidget,10,5.00,50.00\nTotal,,,50.00\n"
    )
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 and then nothing")
    ended = parley("extract", quote, broken, "--json")
    read, failed = (json.loads(line) for line in ended.out.splitlines())
    assert read["file"].endswith("quote.csv")
    assert read["line_items"][0]["quantity"] == 10
    assert failed["file"].endswith("broken.pdf")
    assert ended.status == 1


@pytest.mark.parametrize(
    "arguments", [[], ["--train", "a.csv"], ["a.csv", "--train", "a.csv", "--test", "b.csv"]]
)
def test_a_backtest_needs_one_file_or_two(parley: Parley, arguments: list[str]) -> None:
    assert "give one FILE, or both" in parley("backtest", *arguments).refusal


def test_a_backtest_of_a_file_that_is_not_there_names_it(parley: Parley) -> None:
    assert "absent.csv" in parley("backtest", "absent.csv").refusal
