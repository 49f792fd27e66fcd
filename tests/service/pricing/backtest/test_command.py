import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from app.service.pricing.backtest.command import NotEnoughPurchases, format_figures, run_backtest
from app.service.pricing.backtest.figures import clustered_error
from app.service.pricing.relearning import fit_and_measure
from app.service.purchase_records import Purchase
from app.service.tables.table import UnreadableTable
from tests.service.pricing.made_up_purchases import market

COLUMNS = [
    "row_id", "order_id", "purchase_date", "supplier", "product", "category", "quantity", "unit_price",
    "currency", "size", "shelf",
]  # fmt: skip
KEYS = [
    "n", "refused", "pinball", "coverage80", "coverage50", "mdape", "width", "ms", "orders",
    "coverage80_error", "by_similarity", "by_newness",
]  # fmt: skip
LEVEL_KEYS = {"level", "n", "pinball", "coverage80", "coverage50", "width", "orders", "coverage80_error"}


@pytest.fixture(scope="module")
def split() -> tuple[list[Purchase], list[Purchase]]:
    purchases = market(150)
    return purchases[:120], purchases[120:]


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(name: str, purchases: list[Purchase], **cells: str) -> Path:
        path = tmp_path / name
        with path.open("w", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(COLUMNS)
            for row in purchases:
                values = {
                    "row_id": row.id,
                    "order_id": row.order_id,
                    "purchase_date": row.purchase_date,
                    "supplier": row.supplier,
                    "product": row.product,
                    "category": row.category,
                    "quantity": row.quantity,
                    "unit_price": row.unit_price,
                    "currency": row.currency,
                    **row.attributes,
                    **cells,
                }
                writer.writerow([values[column] for column in COLUMNS])
        return path

    return write


@pytest.mark.campaign
@pytest.mark.parametrize("as_of", ["frozen", "rolling"])
def test_the_figures_of_a_lawful_market_are_good(
    split: tuple[list[Purchase], list[Purchase]], file: Callable[..., Path], as_of: str
) -> None:
    train, test = split
    figures = run_backtest(train=file("a.csv", train), test=file("b.csv", test), as_of=as_of)  # type: ignore[arg-type]
    assert figures.n == len(test)
    assert figures.pinball < 0.05
    assert figures.coverage80 > 0.6
    assert figures.mdape < 0.15
    assert sum(level.n for level in figures.by_similarity) == figures.n


@pytest.mark.campaign
def test_every_row_is_predicted_without_its_price(
    split: tuple[list[Purchase], list[Purchase]], file: Callable[..., Path], tmp_path: Path
) -> None:
    train, test = split
    known = file("a.csv", train)
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    run_backtest(train=known, test=file("b.csv", test), as_of="frozen", predictions=first)
    run_backtest(train=known, test=file("c.csv", test, unit_price="1"), as_of="frozen", predictions=second)
    assert first.read_text() == second.read_text()
    with first.open() as lines:
        rows = list(csv.DictReader(lines))
    assert list(rows[0]) == ["row_id", "q10", "q25", "q50", "q75", "q90", "similarity", "refused"]
    assert [row["row_id"] for row in rows] == [row.id for row in test]
    for row in rows:
        told = [float(row[name]) for name in ("q10", "q25", "q50", "q75", "q90")]
        assert told == sorted(told)


@pytest.mark.campaign
def test_predictions_stand_even_where_the_test_has_no_prices(
    split: tuple[list[Purchase], list[Purchase]], file: Callable[..., Path], tmp_path: Path
) -> None:
    train, test = split
    out = tmp_path / "out.csv"
    with pytest.raises(NotEnoughPurchases, match="no price"):
        run_backtest(
            train=file("a.csv", train),
            test=file("b.csv", test, unit_price=""),
            as_of="frozen",
            predictions=out,
        )
    assert len(out.read_text().splitlines()) == len(test) + 1


@pytest.mark.campaign
def test_a_row_that_the_service_would_refuse_is_counted_and_scored(
    split: tuple[list[Purchase], list[Purchase]], file: Callable[..., Path]
) -> None:
    train, test = split
    figures = run_backtest(
        train=file("a.csv", train), test=file("b.csv", test[:5], currency="EUR"), as_of="frozen"
    )
    assert (figures.n, figures.refused) == (5, 5)
    assert [level.level for level in figures.by_similarity] == ["none"]


@pytest.mark.campaign
def test_rolling_learns_from_earlier_purchases_only(
    split: tuple[list[Purchase], list[Purchase]], file: Callable[..., Path], tmp_path: Path
) -> None:
    train, test = split
    earlier = train[:60]
    both, one = tmp_path / "both.csv", tmp_path / "one.csv"
    asked = [row for row in train[60:] if row.purchase_date > earlier[-1].purchase_date][:3]
    first_day = asked[0].purchase_date
    later = [row for row in (*train, *test) if row.purchase_date >= first_day]
    questions = file("q.csv", [row for row in asked if row.purchase_date == first_day])
    before = [row for row in train if row.purchase_date < first_day]
    run_backtest(train=file("a.csv", before + later), test=questions, as_of="rolling", predictions=both)
    run_backtest(train=file("b.csv", before), test=questions, as_of="rolling", predictions=one)
    assert both.read_text() == one.read_text()


@pytest.mark.parametrize("as_of", [pytest.param("frozen", marks=pytest.mark.campaign), "rolling"])
def test_one_file_is_tested_against_itself(
    split: tuple[list[Purchase], list[Purchase]], file: Callable[..., Path], as_of: str
) -> None:
    figures = run_backtest(file("a.csv", split[0]), as_of=as_of)  # type: ignore[arg-type]
    assert figures.n == 120 if as_of == "frozen" else 40 < figures.n <= 60
    assert figures.mdape < 0.25


def test_the_figures_are_printed_as_a_table_and_as_json(
    split: tuple[list[Purchase], list[Purchase]], file: Callable[..., Path]
) -> None:
    figures = run_backtest(train=file("a.csv", split[0]), test=file("b.csv", split[1]), as_of="frozen")
    record = json.loads(format_figures(figures, as_json=True))
    assert list(record) == KEYS
    assert set(record["by_similarity"][0]) == LEVEL_KEYS
    table = format_figures(figures, as_json=False).splitlines()
    assert table[0].startswith("similarity")
    assert len(table) == len(figures.by_similarity) + len(figures.by_newness) + 6
    assert figures.orders == len({row.order_id for row in split[1]})
    assert sum(one.n for one in figures.by_newness) == figures.n
    assert "±" in table[0]


def test_the_lines_of_an_order_count_as_one_observation() -> None:
    inside = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    alone = clustered_error(inside, np.arange(6))
    in_orders = clustered_error(inside, np.array([1, 1, 1, 2, 2, 2]))
    assert alone == pytest.approx(0.5 / 5**0.5, abs=1e-4)
    assert in_orders == pytest.approx(0.5, abs=1e-4)
    assert clustered_error(inside, np.zeros(6, dtype=np.intp)) is None


def test_files_without_a_backtest_are_refused_in_one_line(file: Callable[..., Path], tmp_path: Path) -> None:
    empty, header = tmp_path / "empty.csv", file("header.csv", [])
    empty.touch()
    with pytest.raises(UnreadableTable, match="empty"):
        run_backtest(empty)
    with pytest.raises(NotEnoughPurchases, match="fewer than two"):
        run_backtest(header)
    with pytest.raises(NotEnoughPurchases, match="no purchase"):
        run_backtest(train=header, test=header)
    with pytest.raises(NotEnoughPurchases, match="one file"):
        run_backtest(header, train=header)


@pytest.mark.campaign
def test_a_deployment_learns_and_measures_itself_after_an_import(
    split: tuple[list[Purchase], list[Purchase]],
) -> None:
    calibration, figures, verdicts = fit_and_measure(split[0])
    assert calibration.learnt_on == len(split[0])
    assert figures is not None
    assert figures.n == 30
    assert verdicts is not None
    assert verdicts.n == 120, "each at half, once, twice and ten times its price"
    assert 0 <= verdicts.wrong <= verdicts.given <= verdicts.n
    again, _, _ = fit_and_measure(split[0], calibration)
    assert again.learnt_until == calibration.learnt_until


@pytest.mark.campaign
def test_too_few_purchases_are_learnt_from_but_not_measured() -> None:
    calibration, figures, verdicts = fit_and_measure(market(30))
    assert (calibration.learnt_on, figures, verdicts) == (30, None, None)
