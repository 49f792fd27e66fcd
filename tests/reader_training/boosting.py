"""Training of the learned reader's model: words by counting, trees by gradient boosting."""

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.service.documents.learned.labels import GROUPS, letter_groups
from app.service.documents.learned.model import Matrix, Model, Trees, Words
from app.service.documents.learned.neighbours import describe_neighbours
from app.service.documents.learned.roles import ROLES
from tests.reader_training.labelled_figures import Example

if TYPE_CHECKING:
    import lightgbm

_SEED = 17
_ROUNDS = 80
_FOLDS = 3
PARAMETERS: Mapping[str, Any] = {
    "objective": "multiclass", "num_class": len(ROLES), "learning_rate": 0.11, "num_leaves": 24,
    "min_data_in_leaf": 15, "lambda_l2": 2.0, "feature_fraction": 0.35, "bagging_fraction": 0.8,
    "bagging_freq": 1, "max_bin": 127, "max_depth": 9, "use_missing": False, "deterministic": True,
    # Threads that wait for each other cost more than they save on data of this size.
    "force_row_wise": True, "num_threads": 1, "seed": _SEED, "verbosity": -1,
}  # fmt: skip


def train_model(examples: Sequence[Example]) -> Model:
    """The model of these examples. What the words and the first trees say is learned by the next step from
    layouts that they were not trained with, else it would be believed too much."""
    folds = _fold_layouts(examples)
    scores: list[Matrix] = [np.zeros(0)] * len(examples)
    guesses: list[Matrix] = [np.zeros(0)] * len(examples)
    for fold in range(_FOLDS):
        inside = [one for one, other in zip(examples, folds, strict=True) if other != fold]
        words = train_words(inside)
        for index, example in enumerate(examples):
            if folds[index] == fold:
                scores[index] = words.score(example.features.labels)
    hide_words(scores)
    known = [
        np.hstack([np.asarray(one.features.values, dtype=np.float64), score])
        if one.features.figures else np.zeros((0, 0))
        for one, score in zip(examples, scores, strict=True)
    ]  # fmt: skip
    roles = [one.roles for one in examples]
    for fold in range(_FOLDS):
        trees = train_trees(known, roles, [other != fold for other in folds], rounds=_ROUNDS // 2)
        for index, rows in enumerate(known):
            if folds[index] == fold and len(rows):
                guesses[index] = trees.predict(rows)
    everything = [True] * len(examples)
    first = train_trees(known, roles, everything, rounds=_ROUNDS // 2)
    wider = [
        np.hstack([rows, describe_neighbours(one.features, guess)]) if len(rows) else rows
        for one, rows, guess in zip(examples, known, guesses, strict=True)
    ]
    second = train_trees(wider, roles, everything, rounds=_ROUNDS)
    return Model(train_words(examples), first, second)


def _fold_layouts(examples: Sequence[Example]) -> list[int]:
    layouts = sorted({one.layout for one in examples})
    return [layouts.index(one.layout) % _FOLDS for one in examples]


def hide_words(scores: Sequence[Matrix]) -> None:
    """Take the words from every eighth document, so that figures are known without them too."""
    for index, score in enumerate(scores):
        if index % 8 == 0:
            score[:] = 0


def train_words(examples: Sequence[Example]) -> Words:
    """For each group of letters and role, the logarithm of how much likelier the group makes the role."""
    tables = [np.zeros((GROUPS, len(ROLES))) for _ in range(3)]
    for example in examples:
        for labels, role in zip(example.features.labels, example.roles, strict=True):
            for table, text in zip(tables, (labels.header, labels.left, labels.own), strict=True):
                for group in letter_groups(text):
                    table[group, role] += 1
    return Words(*(_weigh(table) for table in tables))


def _weigh(counts: Matrix) -> NDArray[np.float32]:
    totals = counts.sum(axis=0)
    usual = (totals + 1) / (totals.sum() + len(ROLES))
    seen = counts.sum(axis=1, keepdims=True)
    share = (counts + 4 * usual) / (seen + 4)
    return np.log(share / usual).clip(-4, 4).astype(np.float16).astype(np.float32)


def train_trees(
    rows: Sequence[Matrix], roles: Sequence[NDArray[np.int64]], taken: Sequence[bool], *, rounds: int
) -> Trees:
    """Boosted trees of the documents that are taken. Each document weighs as the root of its figures."""
    chosen = [index for index, one in enumerate(taken) if one and len(rows[index])]
    features = np.vstack([rows[index] for index in chosen])
    targets = np.concatenate([roles[index] for index in chosen])
    weights = np.concatenate([np.full(len(rows[index]), len(rows[index]) ** -0.5) for index in chosen])
    booster = boost(features, targets, weights / weights.mean(), rounds=rounds)
    return flatten_trees(booster.dump_model()["tree_info"])


def boost(
    features: Matrix, targets: NDArray[np.int64], weights: NDArray[np.float64], *, rounds: int
) -> "lightgbm.Booster":
    """The library's own model."""
    import lightgbm  # takes seconds, with the whole of SciPy; not for those who only collect the tests

    data = lightgbm.Dataset(features, targets, weight=weights)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return lightgbm.train(dict(PARAMETERS), data, num_boost_round=rounds)


def flatten_trees(trees: Sequence[Mapping[str, Any]]) -> Trees:
    """The trees of a dumped booster as one array of nodes."""
    nodes: list[tuple[int, float, int, int, float]] = []
    depth = 0

    def add(node: Mapping[str, Any], level: int) -> int:
        nonlocal depth
        depth = max(depth, level)
        place = len(nodes)
        if "split_feature" not in node:
            nodes.append((0, 0.0, place, place, float(node["leaf_value"])))
            return place
        if node["decision_type"] != "<=":
            raise ValueError(f"A split by {node['decision_type']} is not known.")
        nodes.append((0, 0.0, 0, 0, 0.0))
        left = add(node["left_child"], level + 1)
        right = add(node["right_child"], level + 1)
        nodes[place] = (int(node["split_feature"]), float(node["threshold"]), left, right, 0.0)
        return place

    roots = [add(tree["tree_structure"], 0) for tree in trees]
    feature, threshold, left, right, value = zip(*nodes, strict=True)
    return Trees(
        np.array(feature, dtype=np.int16), np.array(threshold), np.array(left, dtype=np.int32),
        np.array(right, dtype=np.int32), np.array(value, dtype=np.float32),
        np.array(roots, dtype=np.int32), depth,
    )  # fmt: skip
