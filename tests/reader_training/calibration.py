"""Counts how often values are right, and writes the calibration of the judge:
`python -m tests.reader_training.calibration`.

The documents are of the classes of layout that are left out of training. Each is read as it is, and with a
part of its words unknown. A logistic regression over the facts about each value gives the probability that
it is right. The least probability of a certain value is chosen on classes that the weights were not fitted
to: each class is left out once.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.service.documents.extraction import TOTAL_NAMES
from app.service.documents.formats.pdf import PDF
from app.service.documents.judge.case import Case
from app.service.documents.judge.judgement import PATH, Judgement
from app.service.documents.judge.line_check import LINE_VALUES
from app.service.documents.judge.readings import get_total
from app.service.documents.layout.document import Document
from app.service.documents.layout.pages import Page
from app.service.documents.pipeline import read_pages
from tests.reader_training.generator import generate, split_layouts
from tests.reader_training.unknown_words import replace_words
from tests.service.documents.reading_scores import has_lines, same_money

FIRST_SEED = 2_000_000
"""Documents that are calibrated with have seeds from here on."""
_UNKNOWN = (0.0, 0.2, 0.5)
"""The shares of words that the rules are kept from knowing."""
_RIGHT = 0.995
"""The share of right values that the certain ones must reach, on classes of layout left out."""
_LOWEST = 0.95
_PENALTY = 1.0
_STEPS = 60
_TOTAL_PRIOR = {
    "printed": 0.5, "labelled": 0.5, "labelled otherwise": -2.0, "net and tax make the total": 2.0,
    "net, tax and total disagree": -3.0, "tax does not fit the net": -3.0,
    "lines make the net": 2.0, "lines do not make the net": -2.0,
    "closing sums agree": 1.0, "closing sums differ": -3.0, "learned reader agrees": 1.5,
    "learned reader agrees by a wide margin": 0.5, "learned reader differs": -1.0,
    "another reading is nearly as likely": -3.0, "rate of the tax is odd": -1.5,
}  # fmt: skip
_LINE_PRIOR = {
    "printed": 0.5, "read under a header": 1.0, "lines make the net": 2.0, "line multiplies": 1.5,
    "lines add up to something else": -1.0, "line does not multiply": -3.0,
    "figures multiply in several ways": -1.0, "figure is of another line too": -3.0,
    "other reader has no such line": -1.5, "other reader agrees": 1.5,
    "other reader differs": -1.0, "another reading is nearly as likely": -3.0,
}  # fmt: skip
"""What each fact weighs as long as no document says otherwise: a fact that no wrong value of the generated
documents shows would weigh nothing."""
Truth = Mapping[str, Any]


@dataclass(frozen=True)
class Example:
    """A value that was read: its field, the facts about it, and whether it is right."""

    layout: str
    field: str
    facts: frozenset[str]
    right: bool


def list_examples(layouts: Iterable[str], seeds: int) -> Iterator[Example]:
    """The values that are read of generated documents."""
    for layout in layouts:
        for seed in range(FIRST_SEED, FIRST_SEED + seeds):
            document = generate(layout, seed)
            pages = list(PDF.read_pages(document.content, 50))
            for share in _UNKNOWN:
                for case in _judge(replace_words(pages, share, f"{layout}{seed}")):
                    yield from _list_values(layout, document.truth, case)


def _judge(pages: Sequence[Page]) -> list[Case]:
    """What was judged of the lines and sums of these pages; nothing of a price list."""
    cases: list[Case] = []

    def keep(document: Document, case: Case, judgement: Judgement) -> Judgement:
        cases.append(case)
        return judgement

    read_pages(pages, "page.pdf", keep)
    return cases


def _list_values(layout: str, truth: Truth, case: Case) -> Iterator[Example]:
    if truth["total"] is not None:
        for name in TOTAL_NAMES:
            value = get_total(case.totals, name)
            if value is not None:
                right = same_money(truth[name] or 0, float(value))
                yield Example(layout, name, case.list_total_facts(name), right)
    if not has_lines(truth):
        return
    for number, item in enumerate(case.items):
        for name in LINE_VALUES:
            value = getattr(item, name)
            if value is not None:
                right = any(
                    same_money(line["amount"], _number(item.amount)) and same_money(line[name], float(value))
                    for line in truth["line_items"]
                )
                yield Example(layout, f"line {name}", case.list_line_facts(number, name), right)


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def calibrate(field: str, examples: Sequence[Example]) -> dict[str, Any]:
    """The weights and the least probability of one field."""
    expected = _TOTAL_PRIOR if field in TOTAL_NAMES else _LINE_PRIOR
    facts = sorted({fact for one in examples for fact in one.facts} | expected.keys())
    layouts = sorted({one.layout for one in examples})
    inputs = np.array([[1.0, *(fact in one.facts for fact in facts)] for one in examples], dtype=float)
    right = np.array([one.right for one in examples], dtype=float)
    prior = np.array([0.0, *(expected.get(fact, 0.0) for fact in facts)])
    groups = np.array([layouts.index(one.layout) for one in examples])
    left_out = np.zeros(len(examples))
    for group in range(len(layouts)):
        seen = groups != group
        weights = _fit(inputs[seen], right[seen], prior)
        left_out[~seen] = _probability(inputs[~seen], weights)
    least = _find_least(left_out, right)
    certain = left_out >= least
    bias, *weights = (round(float(one), 3) for one in _fit(inputs, right, prior))
    return {
        "bias": bias,
        "weights": {fact: weight for fact, weight in zip(facts, weights, strict=True) if weight},
        "least": round(least, 4),
        "values": len(examples),
        "right": round(float(right.mean()), 4),
        "certain": round(float(certain.mean()), 4),
        "right among the certain": round(float(right[certain].mean()), 4) if certain.any() else None,
    }


def _fit(
    inputs: NDArray[np.float64], right: NDArray[np.float64], prior: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The weights of a logistic regression, the first one of no fact, by Newton's method."""
    weights = prior.copy()
    for _ in range(_STEPS):
        probability = _probability(inputs, weights)
        slope = inputs.T @ (probability - right) + _PENALTY * (weights - prior)
        curve = (inputs * (probability * (1 - probability))[:, None]).T @ inputs + _PENALTY * np.eye(
            len(weights)
        )
        step = np.linalg.solve(curve, slope)
        weights -= step
        if float(np.abs(step).max()) < 1e-6:
            break
    return weights


def _probability(inputs: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1.0 / (1.0 + np.exp(-(inputs @ weights)))


def _find_least(probability: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """The lowest probability from which on enough values are right; above one where there is none."""
    order = np.argsort(-probability, kind="stable")
    shares = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    good = np.flatnonzero(shares >= _RIGHT)
    if not len(good):
        return 1.1
    if shares[-1] >= _RIGHT:
        return _LOWEST
    # Values of the same facts have the same probability: all of them are certain, or none.
    for last in good[::-1]:
        least = float(probability[order[last]])
        if right[probability >= least].mean() >= _RIGHT:
            return max(least, _LOWEST)
    return 1.1


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=60, help="documents of each class")
    options = parser.parse_args(arguments)
    _, layouts = split_layouts()
    by_field = defaultdict[str, list[Example]](list)
    for one in list_examples(layouts, options.seeds):
        by_field[one.field].append(one)
    fields = {name: calibrate(name, examples) for name, examples in sorted(by_field.items())}
    made = {"layouts": list(layouts), "seeds": options.seeds, "fields": fields}
    PATH.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    for name, field in fields.items():
        print(f"{name:<16}", {key: value for key, value in field.items() if key != "weights"})
    return 0


if __name__ == "__main__":
    sys.exit(main())
