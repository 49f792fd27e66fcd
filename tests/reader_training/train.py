"""Trains the learned reader: `python -m tests.reader_training.train`.

Writes `model.npz` and, beside it, `model.md` with the training data, the date and the scores. The same
generator gives the same model. Layouts that `split_layouts` leaves out are only measured with.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from app.service.documents.learned.model import MODEL, Model
from app.service.documents.learned.reading import read_figures
from app.service.documents.learned.roles import ROLES
from tests.reader_training.boosting import train_model
from tests.reader_training.generator import generate, split_layouts
from tests.reader_training.labelled_figures import Example, label_document
from tests.reader_training.learned_scores import LearnedScore, score_reading
from tests.reader_training.scores import FIRST_SEED

_DOCUMENTS = 50
_MEASURED = 6


def make_examples(layouts: Iterable[str], documents: int, *, first_seed: int = 0) -> list[Example]:
    """So many labelled documents of each class of layout."""
    return [
        label_document(generate(layout, seed))
        for layout in layouts
        for seed in range(first_seed, first_seed + documents)
    ]


def write_model(model: Model, path: Path) -> None:
    """Write the model as arrays, without pickles."""
    arrays = {
        f"words_{part}": getattr(model.words, part).astype(np.float16) for part in ("header", "left", "own")
    }
    for stage, trees in (("first", model.first), ("second", model.second)):
        for part in ("feature", "threshold", "left", "right", "value", "roots", "depth"):
            arrays[f"{stage}_{part}"] = np.asarray(getattr(trees, part))
    np.savez_compressed(path, allow_pickle=False, **arrays)


def measure(model: Model, layouts: Iterable[str], documents: int) -> dict[str, LearnedScore]:
    """What the learned reader alone reads right, by class of layout, of documents that it was not trained
    with."""
    scores: dict[str, LearnedScore] = {}
    for layout in layouts:
        score = scores[layout] = LearnedScore()
        for seed in range(FIRST_SEED, FIRST_SEED + documents):
            generated = generate(layout, seed)
            if "quotes" in generated.truth:
                continue  # several quotes in one file are cut apart before they are read
            example = label_document(generated)
            score_reading(score, generated.truth, read_figures(example.document, example.features, model))
    return scores


def describe_model(
    model: Model, examples: Sequence[Example], scores: dict[str, LearnedScore], took: float
) -> str:
    """The text of `model.md`."""
    _, left_out = split_layouts()
    figures = Counter(ROLES[role] for example in examples for role in example.roles)
    trained = ", ".join(sorted({example.layout for example in examples}))
    rows = [
        f"| {layout}{' (left out of training)' if layout in left_out else ''} | {score.as_row()} |"
        for layout, score in sorted(scores.items(), key=lambda one: (one[0] in left_out, one[0]))
    ]
    return "\n".join([
        "# The model of the learned reader",
        "",
        "Written by `python -m tests.reader_training.train`; do not edit.",
        "",
        f"- Trained on {datetime.now(UTC):%d %B %Y} in {took:.0f} s with {len(examples)} generated documents",
        f"  of {len({example.layout for example in examples})} classes of layout: {trained}. No other data.",
        f"- Figures: {', '.join(f'{count} {role}' for role, count in figures.most_common())}.",
        f"- {len(model.first.roots)} + {len(model.second.roots)} trees of {len(model.first.value)} +"
        f" {len(model.second.value)} nodes; {MODEL.stat().st_size / 1e6:.1f} MB.",
        "",
        "What the learned reader alone reads right of generated documents that it was not trained with:",
        "",
        "| layout | documents | lines | precision | totals | nets | taxes | all right |",
        "|---|---|---|---|---|---|---|---|",
        *rows,
        "",
    ])  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--documents", type=int, default=_DOCUMENTS, help="training documents of each class")
    parser.add_argument("--measured", type=int, default=_MEASURED, help="measured documents of each class")
    options = parser.parse_args(arguments)
    began = time.perf_counter()
    training, left_out = split_layouts()
    examples = make_examples(training, options.documents)
    model = train_model(examples)
    took = time.perf_counter() - began
    write_model(model, MODEL)
    scores = measure(model, (*training, *left_out), options.measured)
    text = describe_model(model, examples, scores, took)
    MODEL.with_suffix(".md").write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
