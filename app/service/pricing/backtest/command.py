"""`parley backtest`: how accurate estimates are on purchases from files."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from app.service.pricing.backtest.figures import (
    AsOf,
    BacktestFigures,
    Prediction,
    predict_purchases,
    score_predictions,
    write_predictions,
)
from app.service.pricing.learning.order_groups import split_by_order
from app.service.purchase_records import Purchase, encode_value
from app.service.purchases.reading import read_purchases
from app.service.purchases.rows import PurchaseOptions
from app.service.table_files.options import FileOptions
from app.service.tables.table import RejectedRow

# With one file and `frozen`, each of this many parts is estimated from the others.
FOLDS = 5
# With one file and `rolling`, the later half of the purchases is estimated.
_EARLIER_SHARE = 0.5

Progress = Callable[[int, int], None]


class NotEnoughPurchases(ValueError):
    """The files have too few purchases to learn from or to score; the message says so in one line."""


def run_backtest(
    file: Path | None = None,
    *,
    train: Path | None = None,
    test: Path | None = None,
    as_of: AsOf = "rolling",
    predictions: Path | None = None,
    mapping: Mapping[str, str] | None = None,
    ignore: Sequence[str] = (),
    progress: Progress = lambda done, total: None,
) -> BacktestFigures:
    """Estimate past purchases without reading their prices, then score the estimates against the prices.

    Takes `file` alone, or `train` and `test`. UnreadableTable or NotEnoughPurchases, each with a message of
    one line.
    """

    said = FileOptions(mapping or {}, ignore)

    def read_training(path: Path) -> list[Purchase]:
        rows = read_purchases(path, PurchaseOptions(said))
        return [row for row in rows if isinstance(row, Purchase)]

    def read_test(path: Path, *, withhold_prices: bool) -> Iterator[Purchase | RejectedRow]:
        return read_purchases(path, PurchaseOptions(said, lenient=True, withhold_prices=withhold_prices))

    with ExitStack() as stack:
        output = None if predictions is None else stack.enter_context(predictions.open("w", encoding="utf-8"))

        def collect(pending: Iterator[Prediction], total: int) -> list[Prediction]:
            collected: list[Prediction] = []
            for prediction in pending if output is None else write_predictions(pending, output):
                collected.append(prediction)
                progress(len(collected), total)
            return collected

        if file is not None and train is None and test is None:
            purchases = read_training(file)
            order, pending = _predict_within(purchases, as_of)
            scored = collect(pending, len(order))
            return score_predictions(scored, [float(purchases[row].unit_price) for row in order])
        if file is not None or train is None or test is None:
            raise NotEnoughPurchases("give one file, or --train and --test")
        training = read_training(train)
        if not training:
            raise NotEnoughPurchases(f"{train.name} has no purchase to learn from")
        questions = list(read_test(test, withhold_prices=True))
        if not questions:
            raise NotEnoughPurchases(f"{test.name} has no row to estimate")
        scored = collect(predict_purchases(training, questions, as_of=as_of), len(questions))
    # The prices of the test rows are read only after every prediction is made and written.
    prices = [
        float(row.unit_price) if isinstance(row, Purchase) else None
        for row in read_test(test, withhold_prices=False)
    ]
    if all(price is None for price in prices):
        raise NotEnoughPurchases(f"{test.name} has no price to score against")
    return score_predictions(scored, prices)


def _predict_within(purchases: list[Purchase], as_of: AsOf) -> tuple[list[int], Iterator[Prediction]]:
    """The positions of the purchases of one file that are estimated, in order, and their predictions."""
    if len(purchases) < 2:
        raise NotEnoughPurchases("the file has fewer than two purchases")
    if as_of == "rolling":
        days = np.array([row.purchase_date.toordinal() for row in purchases])
        later = np.flatnonzero(days > np.quantile(days, _EARLIER_SHARE)).tolist()
        if not later:
            raise NotEnoughPurchases("all purchases are of one day; use --as-of frozen")
        return later, predict_purchases(purchases, [purchases[row] for row in later], as_of=as_of)
    fold_of_row = split_by_order(
        np.array([encode_value("order", row.order_id) for row in purchases], dtype=np.uint32), FOLDS
    )
    parts = [np.flatnonzero(fold_of_row == fold).tolist() for fold in range(FOLDS)]
    parts = [rows for rows in parts if 0 < len(rows) < len(purchases)]
    if not parts:
        raise NotEnoughPurchases("all purchases are of one order")

    def predict_folds() -> Iterator[Prediction]:
        for rows in parts:
            held_out = set(rows)
            others = [row for at, row in enumerate(purchases) if at not in held_out]
            yield from predict_purchases(others, [purchases[row] for row in rows], as_of=as_of)

    return [row for rows in parts for row in rows], predict_folds()


def format_figures(figures: BacktestFigures, *, as_json: bool) -> str:
    """The figures as JSON, or as a table for a person. `±` is the standard error, counted by orders."""
    if as_json:
        return json.dumps(figures.to_record())
    head = (
        f"{'similarity':<10} {'n':>8} {'orders':>8} {'pinball':>8} {'80 %':>6} {'±':>6} {'50 %':>6}"
        f" {'q90/q10':>8}"
    )
    groups = [*((level.level, level) for level in figures.by_similarity), ("all", figures)]
    lines = [
        f"{name:<10} {one.n:>8,} {one.orders or 0:>8,} {one.pinball:>8.4f}"
        f" {one.coverage80:>6.3f} {_format_error(one.coverage80_error):>6}"
        f" {one.coverage50:>6.3f} {one.width:>8.3f}"
        for name, one in groups
    ]
    summary = (
        f"median error {figures.mdape:.1%}, {figures.refused:,} would be refused,"
        f" {figures.ms:.1f} ms an estimate"
    )
    newness = [
        f"{one.newness:<12} {one.n:>6,} {one.orders:>8,} {one.coverage80:>6.3f}"
        f" {_format_error(one.coverage80_error):>6} {one.width:>8.3f}"
        for one in figures.by_newness
    ]
    newness_head = f"{'newness':<12} {'n':>6} {'orders':>8} {'80 %':>6} {'±':>6} {'q90/q10':>8}"
    return "\n".join([head, *lines, "", newness_head, *newness, "", summary])


def _format_error(error: float | None) -> str:
    return "—" if error is None else f"{error:.3f}"
