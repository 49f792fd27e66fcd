"""Ranges are widened by what whole orders that were kept aside show, and never narrowed by it."""

import numpy as np

from app.service.pricing.estimator.calibration import Reliability
from app.service.pricing.estimator.candidates import Floats
from app.service.pricing.estimator.distribution import GRID, LEVELS, Level, Newness
from app.service.pricing.learning.calibration_fitting import (
    KeptAside,
    fit_newness_reliability,
    fit_reliability,
)

UNCORRECTED: Reliability = dict.fromkeys(LEVELS, GRID)
LOW, HIGH = GRID.index(0.1), GRID.index(0.9)
TOO_SURE = np.array([0.001, 0.999])
"""Where prices fell in predictions that all missed."""


def kept_aside(
    told: Floats,
    order: list[int],
    newness: Newness = "known",
    level: Level = "similar",
    supplier: list[int] | None = None,
) -> KeptAside:
    number = len(told)
    return KeptAside(
        levels=[level] * number,
        newness=[newness] * number,
        low=told - 1e-4,
        high=told + 1e-4,
        order=np.array(order, dtype=np.uint32),
        supplier=np.array(supplier or [1] * number, dtype=np.uint32),
        without_supplier=np.full(number, newness == "new_supplier"),
    )


def width(told: tuple[float, ...]) -> float:
    return told[HIGH] - told[LOW]


def test_an_order_of_many_lines_counts_as_one() -> None:
    right = np.linspace(0.005, 0.995, 200)
    wrong = np.resize(TOO_SURE, 114)
    in_one = kept_aside(np.concatenate([right, wrong]), [*range(1, 201), *[999] * 114])
    in_many = kept_aside(np.concatenate([right, wrong]), list(range(1, 315)))
    one, many = (fit_newness_reliability(UNCORRECTED, each)["known"]["similar"] for each in (in_one, in_many))
    assert width(one) < 0.82
    assert width(many) > 0.95


def test_a_range_that_was_too_wide_is_left_as_it_is() -> None:
    too_wide = kept_aside(np.linspace(0.4, 0.6, 300), list(range(1, 301)))
    fitted = fit_newness_reliability(UNCORRECTED, too_wide)
    assert fitted["known"]["similar"] == GRID
    assert fitted["one_order"]["coarse"] == GRID, "nothing was measured"


def test_a_class_of_few_orders_is_near_the_one_around_it() -> None:
    few = kept_aside(np.resize(TOO_SURE, 4), [1, 2, 3, 4], "one_order")
    many = kept_aside(np.resize(TOO_SURE, 300), list(range(1, 301)), "one_order")
    few_told, many_told = (fit_newness_reliability(UNCORRECTED, each)["one_order"]["similar"]
                           for each in (few, many))  # fmt: skip
    assert 0.8 < width(few_told) < width(many_told)


def test_a_new_supplier_is_doubted_until_other_suppliers_were_new_and_known_suppliers_are_not() -> None:
    nothing = kept_aside(np.zeros(0), [])
    unmeasured = fit_newness_reliability(UNCORRECTED, nothing)
    assert width(unmeasured["new_supplier"]["similar"]) > 0.85
    assert unmeasured["known"]["similar"] == GRID

    right = np.linspace(0.0025, 0.9975, 200)
    of_two = kept_aside(right, list(range(1, 201)), "new_supplier", supplier=[1, 2] * 100)
    of_many = kept_aside(right, list(range(1, 201)), "new_supplier", supplier=list(range(1, 201)))
    two, many = (
        width(fit_newness_reliability(UNCORRECTED, each)["new_supplier"]["similar"])
        for each in (of_two, of_many)
    )
    assert 0.8 < many < 0.82 < two < width(unmeasured["new_supplier"]["similar"])


def test_what_new_suppliers_show_does_not_widen_the_ranges_of_known_ones() -> None:
    wrong = kept_aside(np.resize(TOO_SURE, 200), list(range(1, 201)), "new_supplier",
                       supplier=list(range(1, 201)))  # fmt: skip
    fitted = fit_newness_reliability(UNCORRECTED, wrong)
    assert width(fitted["new_supplier"]["similar"]) > 0.95
    assert fitted["known"]["similar"] == GRID


def test_a_level_is_widened_by_orders_of_known_suppliers_and_never_narrowed() -> None:
    uniform = np.random.default_rng(2).random(4000)
    told_too_surely = np.where(uniform < 0.5, uniform**2 * 2, 1 - (1 - uniform) ** 2 * 2)
    learnt = fit_reliability(kept_aside(told_too_surely, list(range(1, 4001))))
    assert learnt["similar"][LOW] < 0.05
    assert learnt["similar"][GRID.index(0.5)] == 0.5
    assert learnt["coarse"] == GRID, "nothing was measured"
    assert list(learnt["similar"]) == sorted(learnt["similar"])
    too_wide = 0.5 + (uniform - 0.5) * 0.6
    assert fit_reliability(kept_aside(too_wide, list(range(1, 4001))))["similar"] == GRID
    of_new = kept_aside(told_too_surely, list(range(1, 4001)), "new_supplier")
    assert fit_reliability(of_new)["similar"] == GRID
