"""Train the model of clauses and print its scores: `python -m tests.reader_training.clauses.train`.

`--misses` prints what of the fragments held out is read wrong; `--check` trains without writing the model.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.service.documents.fields.clause_features import BUCKETS
from app.service.documents.fields.clause_model import CLASSES, MODEL, LinearModel, find_probabilities
from tests.reader_training.clauses.grammar import LANGUAGES
from tests.reader_training.clauses.sentences import Example, digest, list_examples, write_all

_EPOCHS = 6
_BATCH = 64
_RATE = 0.5
_DECAY = 1e-5
_TURNS = 1
"""In how many folds the scores are taken: each holds one in five fragments out."""
CERTAIN = 0.9

Weights = npt.NDArray[np.float32]


def train_model(examples: Sequence[Example], classes: int) -> LinearModel:
    """A softmax regression by AdaGrad over sparse features, rounded to whole numbers of one byte."""
    order = np.random.default_rng(17)
    weights = np.zeros((BUCKETS, classes), np.float32)
    spent = np.full((BUCKETS, classes), 0.1, np.float32)
    biases = np.zeros(classes, np.float32)
    labels = np.array([one.label for one in examples])
    for epoch in range(_EPOCHS):
        rate = _RATE * (1 - epoch / _EPOCHS)
        shuffled = order.permutation(len(examples))
        for begin in range(0, len(shuffled), _BATCH):
            batch = shuffled[begin : begin + _BATCH]
            _step(weights, spent, biases, [examples[one] for one in batch], labels[batch], rate)
    scales = np.maximum(np.abs(weights).max(axis=0), 1e-6) / np.float32(127)
    return LinearModel(np.rint(weights / scales).astype(np.int8), scales, biases)


def _step(
    weights: Weights,
    spent: Weights,
    biases: Weights,
    batch: Sequence[Example],
    labels: npt.NDArray[np.int64],
    rate: float,
) -> None:
    lengths = np.array([len(one.features) for one in batch])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    indices = np.concatenate([one.features for one in batch])
    norms = np.sqrt(lengths.astype(np.float32))[:, None]
    scores = np.add.reduceat(weights[indices], starts, axis=0) / norms + biases
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    errors = powers / powers.sum(axis=1, keepdims=True)
    errors[np.arange(len(batch)), labels] -= 1
    sources = np.repeat(errors / norms, lengths, axis=0)
    sort = np.argsort(indices, kind="stable")
    touched, firsts = np.unique(indices[sort], return_index=True)
    slopes = np.add.reduceat(sources[sort], firsts, axis=0) + _DECAY * weights[touched]
    spent[touched] += slopes**2
    weights[touched] -= rate * slopes / np.sqrt(spent[touched])
    biases -= rate * 0.01 * errors.mean(axis=0)


def train_all(examples: Sequence[Example]) -> dict[str, LinearModel]:
    """A model for each head."""
    return {
        head: train_model([one for one in examples if one.head == head], len(classes))
        for head, classes in CLASSES.items()
    }


def score_models(
    models: Mapping[str, LinearModel], examples: Sequence[Example], misses: list[str]
) -> Counter[str]:
    """Counts by language, head and class: all, found, read (rightly or not), certain, certain and wrong."""
    counts: Counter[str] = Counter()
    for one in examples:
        probabilities = find_probabilities(models[one.head].score(one.features))
        read, certainty = int(probabilities.argmax()), float(probabilities.max())
        truth = CLASSES[one.head][one.label]
        named = CLASSES[one.head][read]
        counts[f"{one.language} {one.head} {truth} all"] += 1
        counts[f"{one.language} {one.head} {truth} found"] += read == one.label
        counts[f"{one.language} {one.head} {named} read"] += 1
        if certainty >= CERTAIN:
            counts[f"{one.language} {one.head} {named} certain"] += 1
            counts[f"{one.language} {one.head} {named} wrong"] += read != one.label
        if read != one.label:
            misses.append(f"{one.language} {one.head}: {truth} read as {named} {certainty:.2f}: {one.text}")
    return counts


def summarize(counts: Mapping[str, int]) -> dict[str, Any]:
    """The scores by language, head and class."""
    scores: dict[str, Any] = {}
    for language in LANGUAGES:
        for head, classes in CLASSES.items():
            for name in classes:
                key = f"{language} {head} {name}"
                if counts.get(f"{key} all"):
                    certain = counts.get(f"{key} certain", 0)
                    scores.setdefault(language, {})[f"{head}: {name}"] = {
                        "examples": counts[f"{key} all"],
                        "found": round(counts[f"{key} found"] / counts[f"{key} all"], 3),
                        "precision": round(counts[f"{key} found"] / max(1, counts.get(f"{key} read", 0)), 3),
                        "certain": round(certain / max(1, counts.get(f"{key} read", 0)), 3),
                        "wrong among certain": round(counts.get(f"{key} wrong", 0) / max(1, certain), 4),
                    }
    return scores


def score_held_out(misses: list[str], languages: Sequence[str] = LANGUAGES) -> dict[str, Any]:
    """The scores of sentences with fragments that the training did not see."""
    counts: Counter[str] = Counter()
    for fold in range(_TURNS):
        models = train_all(list(list_examples(write_all(languages, fold))))
        left_out = list(list_examples(write_all(languages, fold, held_out=True)))
        counts.update(score_models(models, left_out, misses))
    return summarize(counts)


def write_arrays(models: Mapping[str, LinearModel], path: Path) -> None:
    """Write the model of each head into one file, the same bytes for the same weights."""
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name, model in models.items():
        arrays |= {
            f"{name}_weights": model.weights,
            f"{name}_scales": model.scales,
            f"{name}_biases": model.biases,
        }
    np.savez_compressed(path, allow_pickle=False, **arrays)


def write_model(models: Mapping[str, LinearModel], description: Mapping[str, Any]) -> None:
    """Write the model, and beside it what it is and how well it does."""
    write_arrays(models, MODEL)
    MODEL.with_suffix(".json").write_text(json.dumps(description, indent=1, ensure_ascii=False) + "\n")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--misses", action="store_true", help="list what is read wrong")
    parser.add_argument("--check", action="store_true", help="write no model")
    options = parser.parse_args(arguments)
    began = time.perf_counter()
    misses: list[str] = []
    scores = score_held_out(misses)
    sentences = write_all(LANGUAGES)
    models = train_all(list(list_examples(sentences)))
    if options.misses:
        print(*misses, sep="\n")
    for language, rows in scores.items():
        print(language, *(f"  {name:<26}{row}" for name, row in rows.items()), sep="\n")
    description = {
        "data": f"{len(sentences)} sentences of {Path(__file__).parent.name} in {', '.join(LANGUAGES)}",
        "digest": digest(),
        "date": datetime.now(UTC).date().isoformat(),
        "classes": CLASSES,
        "scores on fragments held out of training": scores,
    }
    print(f"{len(sentences)} sentences, {time.perf_counter() - began:.0f} s")
    if not options.check:
        write_model(models, description)
    return 0


if __name__ == "__main__":
    sys.exit(main())
