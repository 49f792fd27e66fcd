"""Which columns become dimensions, and what moves a price."""

import numpy as np
import pytest

from app.service.purchases.attributes import MOST_OPTIONS, ColumnsSeen, Judgement
from app.service.purchases.impact import choice_columns, number_column, what_matters


def judged(name: str, values: list[str | float], known: Judgement | None = None) -> Judgement:
    seen = ColumnsSeen()
    for value in values:
        seen.add({name: value})
    return seen.judge({name: known} if known else {})[name]


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("weight", [1.0, 2.5, 100.0], "number"),
        ("weight", [1.0, "heavy"], "select"),
        ("unspsc", [44121708.0, 44121709.0], "select"),
        ("cost_code", [7.0], "select"),
        ("line", [1.0, 2.0], "none"),
        ("country", ["Kenya", "Mali"], "select"),
        ("note", ["x" * 121], "none"),
        ("note", [f"remark {n}" for n in range(21)], "none"),
        ("country", [f"country {n % 21}" for n in range(100)], "select"),
        ("customer", [f"customer {n % 300}" for n in range(3000)], "none"),
        ("delivered", [f"2025-01-{1 + n % 28:02d}" for n in range(100)], "none"),
    ],
)
def test_a_column_becomes_what_its_values_are(name: str, values: list[str | float], kind: str) -> None:
    assert judged(name, values).kind == kind


def test_a_column_keeps_its_kind_over_imports() -> None:
    assert judged("weight", ["heavy"], Judgement("number")).kind == "number"
    assert judged("size", [1.0, 2.0], Judgement("select")).kind == "select"
    assert judged("note", ["x"], Judgement("none", "too many")).reason == "too many"


def test_a_choice_that_has_grown_too_large_is_one_no_longer() -> None:
    values: list[str | float] = [f"v{n}" for n in range(MOST_OPTIONS + 1)] * 3
    assert judged("site", values, Judgement("select")).kind == "none"


def test_an_effect_is_told_from_chance() -> None:
    random = np.random.default_rng(7)
    count = 200
    edition = [("Basic", "Plus", "Max")[n % 3] for n in range(count)]
    seats = random.uniform(1, 100, count)
    region = [f"region {n}" for n in random.integers(0, 5, count)]
    effect = np.array([(0.0, 0.2, 0.5)[n % 3] for n in range(count)])
    price = effect - 0.003 * seats + random.normal(0, 0.1, count)
    columns = {
        "edition": choice_columns(edition),
        "seats": number_column(list(seats)),
        "region": choice_columns(region),
        "constant": number_column([1.0] * count),
    }
    assert what_matters(columns, np.zeros((count, 0)), price) == {"edition", "seats"}


def test_chance_seldom_looks_like_an_effect() -> None:
    random = np.random.default_rng(11)
    taken = 0
    for _ in range(300):
        price = random.normal(0, 1, 40)
        choice = choice_columns([f"c{n}" for n in random.integers(0, 4, 40)])
        taken += bool(what_matters({"choice": choice}, np.zeros((40, 0)), price))
    assert taken <= 9  # 3 of 300 are expected


def test_few_purchases_and_equal_prices_show_nothing() -> None:
    edition = choice_columns(["a", "b", "a", "b"])
    assert what_matters({"edition": edition}, np.zeros((4, 0)), np.array([1.0, 2.0, 1.0, 2.0])) == set()
    edition = choice_columns(["a", "b"] * 10)
    assert what_matters({"edition": edition}, np.zeros((20, 0)), np.ones(20)) == set()
