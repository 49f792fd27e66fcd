"""How often verdicts are wrong: past purchases made quotes at half, once, twice and ten times their price.

    python -m tests.benchmarks.adversaries [--number 500] [SET...]

Of each set, and of the generated sample, that many purchases are drawn; a fifth get the edition or unit of
another purchase of the same product. Each is estimated from the purchases of other orders, with what was
learnt without the drawn orders. Prints where verdicts were given, wrong, or withheld, and why: for each
reason what it withheld, and how many verdicts would have been given, and been wrong, without it."""

import argparse
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random

import numpy as np

from app.contract.pricing import IMPLAUSIBLE_RATIO
from app.service.pricing.backtest.verdict_figures import (
    MULTIPLES,
    TrialQuote,
    estimate_trial_quotes,
    is_wrong,
    make_trial_quotes,
)
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.distribution import NotEstimable, PriceDistribution
from app.service.pricing.learning.attribute_impact import collect_attribute_names
from app.service.pricing.learning.calibration_fitting import fit_calibration
from app.service.pricing.learning.purchase_pool import PurchasePool
from app.service.pricing.verdict import judge_lines, judge_total
from app.service.purchase_records import Purchase
from app.service.purchases.reading import read_purchases
from app.service.purchases.rows import PurchaseOptions
from app.service.sample.orders import draw_purchases
from app.service.sample.suppliers import SEED, SampleIds, draw_catalog
from app.service.table_files.options import FileOptions
from tests.benchmarks.backtesting import DATA
from tests.benchmarks.figures import Figure

SETS = ("gsa-os2", "usaid-scms", "sample")
MOST_WRONG = 0.03
LEAST_GIVEN = {"gsa-os2": 0.25, "usaid-scms": 0.75, "sample": 0.97}
"""The least share of verdicts given, of the quotes at up to twice the price."""
_NOW = datetime(2026, 3, 2, tzinfo=UTC)


@dataclass(frozen=True)
class Verdicts:
    """For each of `MULTIPLES` how many quotes there were, how many had a verdict and how many a wrong one.
    `reasons` says for each first reason how many were withheld, how many of those would have been given if it
    did not count, and how many of these would have been wrong."""

    by_multiple: Mapping[float, Sequence[int]]
    reasons: Mapping[str, Sequence[int]]

    @property
    def n(self) -> int:
        return sum(one[0] for one in self.by_multiple.values())

    @property
    def given(self) -> int:
        return sum(one[1] for one in self.by_multiple.values())

    @property
    def wrong(self) -> int:
        return sum(one[2] for one in self.by_multiple.values())


def purchases_of(name: str) -> list[Purchase]:
    """The purchases of a set with products as the service keys them: of one supplier, by number or name."""
    return [
        replace(row, product_key=f"{row.supplier}\x1f{row.product_key or row.product}") for row in _read(name)
    ]


def _read(name: str) -> list[Purchase]:
    if name == "sample":
        random = Random(SEED)
        catalog = draw_catalog(random, SampleIds(random), _NOW, "USD")
        return list(draw_purchases(random, catalog.suppliers, _NOW.date(), "USD"))
    path = DATA / name / "purchases.csv.gz"
    return [
        row
        for row in read_purchases(path, PurchaseOptions(FileOptions(ignored_columns=("split_key",))))
        if isinstance(row, Purchase)
    ]


def measured(purchases: Sequence[Purchase], number: int, seed: int = 12) -> Verdicts:
    """The figures of `number` purchases drawn from these."""
    chosen = Random(seed).sample(range(len(purchases)), min(number, len(purchases)))
    drawn = {purchases[at].order_id or purchases[at].id for at in chosen}
    everything = Candidates.from_purchases(purchases)
    others = np.array([at for at, row in enumerate(purchases) if (row.order_id or row.id) not in drawn])
    learnt = fit_calibration(
        everything.take(others), names=collect_attribute_names(purchases), past_only=False
    )
    market = PurchasePool(everything, learnt.document_frequencies)
    quotes = make_trial_quotes(purchases, chosen)
    return judge(estimate_trial_quotes(quotes, market, learnt, past_only=False))


def judge(estimates: Iterable[tuple[TrialQuote, PriceDistribution | NotEstimable]]) -> Verdicts:
    """Judge quotes by their estimates and count the verdicts."""
    counts = {times: [0, 0, 0] for times in MULTIPLES}
    reasons: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for quote, price in estimates:
        for times in MULTIPLES:
            amount = times * quote.paid
            counts[times][0] += 1
            if isinstance(price, NotEstimable):
                reasons["no estimate"][0] += 1
                continue
            line = quote.price_line(price, amount)
            judged = judge_lines([line], amount, quote.day)
            if judged.level is not None:
                counts[times][1] += 1
                counts[times][2] += is_wrong(judged.level, amount / quote.true_price)
                continue
            withheld = reasons[_reason_kind(judged.reasons[0])]
            withheld[0] += 1
            level = judge_total(amount, price, [line]).level
            if level is not None:
                withheld[1] += 1
                withheld[2] += is_wrong(level, amount / quote.true_price)
    return Verdicts(counts, reasons)


def _reason_kind(reason: str) -> str:
    """The first words of a reason, without the numbers of this quote."""
    return " ".join(word for word in reason.split()[:6] if not any(letter.isdigit() for letter in word))


def run(full: bool) -> list[Figure]:
    """For `python -m tests.benchmarks`."""
    figures: list[Figure] = []
    for name in SETS:
        found = measured(purchases_of(name), 500 if full else 100)
        note = f"{found.n:,} quotes at 0.5, 1, 2 and 10 times what was paid"
        plausible = [counts for times, counts in found.by_multiple.items() if times <= IMPLAUSIBLE_RATIO]
        given = sum(one[1] for one in plausible) / sum(one[0] for one in plausible)
        figures += [
            Figure(
                name, "verdicts given up to 2 times", given, "share", at_least=LEAST_GIVEN[name], note=note
            ),
            Figure(
                name,
                "wrong verdicts",
                found.wrong / max(found.given, 1),
                "share",
                at_most=MOST_WRONG,
                note=note,
            ),
        ]
    return figures


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="How often verdicts on past purchases are wrong.")
    parser.add_argument("sets", nargs="*", metavar="SET")
    parser.add_argument("--number", type=int, default=500)
    options = parser.parse_args()
    for name in options.sets or SETS:
        found = measured(purchases_of(name), options.number)
        print(
            f"{name}: {found.n:,} quotes, verdicts for {found.given / found.n:.1%}, "
            f"wrong {found.wrong / max(found.given, 1):.1%}"
        )
        for times, (number, given, wrong) in found.by_multiple.items():
            print(f"  {times:>4g} x: {number:>5} quotes, {given:>5} given, {wrong:>4} wrong")
        for reason, (count, possible, wrong) in sorted(found.reasons.items(), key=lambda item: -item[1][0]):
            print(f"  withheld {count:>5}, would be given {possible:>5}, wrong {wrong:>4}: {reason}")


if __name__ == "__main__":
    main()
