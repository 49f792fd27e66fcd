"""The trained model: scores of words and boosted trees as flat arrays, predicted with numpy alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

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
    """Boosted trees, one for each class in turn. All nodes lie in one array; a leaf leads to itself."""

    feature: NDArray[np.int16]
    threshold: NDArray[np.float64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float32]
    roots: NDArray[np.int32]
    depth: int

    def predict(self, features: Matrix, classes: int = len(ROLES)) -> Matrix:
        """The probability of each class, by default of each role, for each row of features."""
        rows = np.arange(len(features))[:, None]
        at = np.broadcast_to(self.roots, (len(features), len(self.roots))).copy()
        for _ in range(self.depth):
            goes_left = features[rows, self.feature[at]] <= self.threshold[at]
            at = np.where(goes_left, self.left[at], self.right[at])
        scores = self.value[at].reshape(len(features), -1, classes).sum(axis=1, dtype=np.float64)
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
        known = np.hstack([np.asarray(features.values, dtype=np.float64), self.words.score(features.labels)])
        guesses = self.first.predict(known)
        return self.second.predict(np.hstack([known, describe_neighbours(features, guesses)]))


def load_trees(stored: Mapping[str, NDArray[Any]], name: str) -> Trees:
    """The trees of this name among stored arrays."""
    parts = {one.name: stored[f"{name}_{one.name}"] for one in fields(Trees) if one.name != "depth"}
    return Trees(**parts, depth=int(stored[f"{name}_depth"]))


@cache
def load_model(path: Path = MODEL) -> Model:
    """The model of the file, loaded once for each process."""
    with np.load(path, allow_pickle=False) as stored:
        first, second = (load_trees(stored, stage) for stage in ("first", "second"))
        words = Words(*(stored[f"words_{part}"].astype(np.float32) for part in ("header", "left", "own")))
    return Model(words, first, second)
