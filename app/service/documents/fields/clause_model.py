"""What a trained model says of a sentence: which clause each of its figures states, and what it says of
renewal, billing and payment without a figure.

The model is linear over hashed features: `clause_model.npz` holds whole numbers and one scale a class,
`clause_model.json` what it was trained with, when, and how well it does. `python -m
tests.reader_training.clauses.train` writes both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from app.service.documents.fields.clause_features import (
    Features,
    describe_figure,
    describe_sentence,
    tokenize,
)
from app.service.documents.fields.clause_figures import ClauseFigure, find_paces

MODEL: Final = Path(__file__).with_suffix(".npz")

CLASSES: Final[Mapping[str, tuple[str, ...]]] = {
    "figure": (
        "other", "validity", "term", "renewal", "notice", "payment", "cap", "rise", "until", "start", "end",
    ),
    "renewal": ("none", "renews", "does not renew"),
    "billing": ("none", "annual", "monthly", "quarterly", "upfront"),
    "payment": ("none", "at once"),
}  # fmt: skip
"""What the model tells apart: the clause that a figure states, and what a sentence says of three clauses.
`renewal` of a figure is the length of the term that follows; `cap` is the most that prices may rise by;
`until` is the last day of an offer, `start` and `end` are those of the agreement."""

Numbers = npt.NDArray[np.float32]


@dataclass(frozen=True)
class LinearModel:
    """Weights (features x classes, whole numbers) with one scale and one bias for each class."""

    weights: npt.NDArray[np.int8]
    scales: Numbers
    biases: Numbers

    def score(self, features: Features) -> Numbers:
        """A score for each class. Features count the less the more there are."""
        sums = self.weights[features].sum(axis=0, dtype=np.int32) / np.sqrt(np.float32(len(features)))
        return sums * self.scales + self.biases


def find_probabilities(scores: Numbers) -> Numbers:
    """The probability of each class, given scores of classes that exclude each other."""
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


@dataclass(frozen=True)
class FigureReading:
    """A figure of a sentence and the probability of each clause that it may state."""

    figure: ClauseFigure
    probabilities: Mapping[str, float]


@dataclass(frozen=True)
class SentenceReading:
    """What a sentence says: the readings of its figures, and for each statement the probability of its
    answers."""

    figures: tuple[FigureReading, ...]
    statements: Mapping[str, Mapping[str, float]]


_MAY_RENEW: Final = 0.3
"""How probable a renewal must be for years and months without a number to be looked at."""
STATEMENTS: Final = tuple(name for name in CLASSES if name != "figure")


@cache
def load_models() -> tuple[LinearModel, LinearModel]:
    """The model of figures, and that of all statements of a sentence with their classes side by side; read
    once."""
    with np.load(MODEL, allow_pickle=False) as arrays:
        parts = {
            name: [arrays[f"{name}_{part}"] for part in ("weights", "scales", "biases")] for name in CLASSES
        }
    beside = [
        np.concatenate(columns, axis=-1)
        for columns in zip(*(parts[name] for name in STATEMENTS), strict=True)
    ]
    return LinearModel(*parts["figure"]), LinearModel(*beside)


def read_sentence(text: str, figures: Sequence[ClauseFigure]) -> SentenceReading:
    """What the model says of a sentence (of `clause_text`) with these figures."""
    of_figures, of_statements = load_models()
    tokens, places = tokenize(text, figures)
    readings = _read_figures(of_figures, figures, tokens, places)
    scores = of_statements.score(describe_sentence(tokens))
    statements: dict[str, dict[str, float]] = {}
    for name in STATEMENTS:
        statements[name] = _named(name, scores[: len(CLASSES[name])])
        scores = scores[len(CLASSES[name]) :]
    if statements["renewal"]["renews"] >= _MAY_RENEW and (paces := find_paces(text, figures)):
        every = sorted((*figures, *paces), key=lambda one: one.start)
        with_paces = _read_figures(of_figures, every, *tokenize(text, every))
        readings = (*readings, *(one for one in with_paces if one.figure.kind == "pace"))
    return SentenceReading(readings, statements)


def _read_figures(
    model: LinearModel, figures: Sequence[ClauseFigure], tokens: Sequence[str], places: Sequence[int]
) -> tuple[FigureReading, ...]:
    return tuple(
        FigureReading(figure, _named("figure", model.score(describe_figure(tokens, at))))
        for figure, at in zip(figures, places, strict=True)
    )


def _named(name: str, scores: Numbers) -> dict[str, float]:
    return dict(zip(CLASSES[name], find_probabilities(scores).tolist(), strict=True))
