"""The trained model: scores of words and boosted trees as flat arrays, predicted with numpy alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.service.documents.learned.features import FigureFeatures
from app.service.documents.learned.labels import FigureLabels, letter_groups
from app.service.documents.learned.neighbours import describe_neighbours
from app.service.documents.learned.roles import ROLES

MODEL = Path(__file__).with_name("model.npz")
Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Trees:
    """Boosted trees, one for each role in turn. All nodes lie in one array; a leaf leads to itself."""

    feature: NDArray[np.int16]
    threshold: NDArray[np.float64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float32]
    roots: NDArray[np.int32]
    depth: int

    def predict(self, features: Matrix) -> Matrix:
        """The probability of each role for each row of features."""
        rows = np.arange(len(features))[:, None]
        at = np.broadcast_to(self.roots, (len(features), len(self.roots))).copy()
        for _ in range(self.depth):
            goes_left = features[rows, self.feature[at]] <= self.threshold[at]
            at = np.where(goes_left, self.left[at], self.right[at])
        scores = self.value[at].reshape(len(features), -1, len(ROLES)).sum(axis=1, dtype=np.float64)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return scores / scores.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class Words:
    """How much each group of three letters says for each role, for words above, to the left and beside."""

    header: NDArray[np.float32]
    left: NDArray[np.float32]
    own: NDArray[np.float32]

    def score(self, labels: Sequence[FigureLabels]) -> Matrix:
        """Three scores for each role for each figure; 0 where there are no words."""
        scores = np.zeros((len(labels), 3 * len(ROLES)))
        memory: dict[tuple[int, str], NDArray[np.float32]] = {}
        for row, one in enumerate(labels):
            for part, (text, table) in enumerate(
                ((one.header, self.header), (one.left, self.left), (one.own, self.own))
            ):
                if not text:
                    continue
                if (part, text) not in memory:
                    memory[part, text] = table[list(letter_groups(text))].mean(axis=0)
                scores[row, part * len(ROLES) : (part + 1) * len(ROLES)] = memory[part, text]
        return scores


@dataclass(frozen=True)
class Model:
    """Words, the trees that see each figure by itself, and those that see what the first make of others."""

    words: Words
    first: Trees
    second: Trees

    def find_roles(self, features: FigureFeatures) -> Matrix:
        """The probability of each role (columns as `ROLES`) for each figure."""
        if not features.figures:
            return np.zeros((0, len(ROLES)))
        known = np.hstack([np.asarray(features.values, dtype=np.float64), self.words.score(features.labels)])
        guesses = self.first.predict(known)
        return self.second.predict(np.hstack([known, describe_neighbours(features, guesses)]))


@cache
def load_model(path: Path = MODEL) -> Model:
    """The model of the file, loaded once for each process."""
    with np.load(path, allow_pickle=False) as stored:
        first, second = (
            Trees(
                feature=stored[f"{stage}_feature"],
                threshold=stored[f"{stage}_threshold"],
                left=stored[f"{stage}_left"],
                right=stored[f"{stage}_right"],
                value=stored[f"{stage}_value"],
                roots=stored[f"{stage}_roots"],
                depth=int(stored[f"{stage}_depth"]),
            )
            for stage in ("first", "second")
        )
        words = Words(*(stored[f"words_{part}"].astype(np.float32) for part in ("header", "left", "own")))
    return Model(words, first, second)
