"""Trains the model of parties and prints how well it does: `python -m tests.reader_training.parties`.

It learns from generated documents, from the documents of `../shared/data` and, as these are the papers whose
layouts nobody here made, from those of `../shared/cases`. The scores are of sources left out in turn: each
folder of cases, and each of the two folders of documents. `--check` trains without writing the model.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.service.documents.fields.party_features import PartyName
from app.service.documents.fields.party_model import CLASSES, MODEL, choose_most_probable
from app.service.documents.formats.format import MOST_PAGES, PagedFormat
from app.service.documents.formats.registry import open_document
from app.service.documents.layout.pages import Page
from app.service.documents.learned.model import Matrix, Trees
from app.service.documents.pipeline import describe_parties_of_pages
from app.service.documents.values.company_names import fold_name
from tests.reader_training.boosting import flatten_trees
from tests.reader_training.generator import LAYOUTS, generate
from tests.shared_material import SHARED

if TYPE_CHECKING:
    pass

_GENERATED = 6
"""Generated documents of each class of layout."""
GENERATED = "generated"
_WEIGHTS = {GENERATED: 0.25, "data": 1.0, "cases": 3.0}
_LIKE, _NEAR = 0.8, 0.3
"""What share of the longer name the shorter must be to be the same; and to stand for it where none is."""
_ROUNDS = 140
_PARAMETERS: Mapping[str, Any] = {
    "objective": "multiclass", "num_class": len(CLASSES), "learning_rate": 0.07, "num_leaves": 8,
    "min_data_in_leaf": 8, "lambda_l2": 4.0, "feature_fraction": 0.2, "bagging_fraction": 0.8,
    "bagging_freq": 1, "max_bin": 63, "use_missing": False, "deterministic": True, "force_row_wise": True,
    "num_threads": 1, "seed": 17, "verbosity": -1,
}  # fmt: skip


@dataclass(frozen=True)
class PartyExample:
    """The names of a document and the class of each. `truth` are the right names of each side, None where the
    document is not scored for it."""

    source: str
    name: str
    names: Sequence[PartyName]
    classes: NDArray[np.int64]
    truth: Mapping[str, Sequence[str | None] | None]

    @property
    def features(self) -> Matrix:
        return np.array([one.features for one in self.names], dtype=np.float64)


def read_pages_of(content: bytes, filename: str) -> list[Page]:
    """The pages of a document, with the words of those that are pictures; none of an e-document."""
    document = open_document(content, filename)
    found = document.format
    if not isinstance(found, PagedFormat):
        return []
    pages = found.read_pages(document.content, MOST_PAGES)
    read_scan = found.read_scan
    return [
        read_scan(document.content, page.number) if read_scan and page.scanned else page for page in pages
    ]


def list_documents() -> Iterator[tuple[str, Path, Mapping[str, Any]]]:
    """The source, file and truth of each document that is no generated one."""
    for path in sorted((SHARED / "cases").rglob("expected.json")):
        if not path.parent.name.startswith("import-") and "bugs" not in path.parts:
            truth = json.loads(path.read_text())
            source = path.parent.parent.relative_to(SHARED).as_posix()
            yield source, path.parent / truth["file"], truth
    for folder in ("documents", "software-quotes"):
        for path in sorted((SHARED / "data" / folder / "truth").glob("*.json")):
            truth = json.loads(path.read_text())
            yield f"data/{folder}", SHARED / "data" / folder / "files" / truth["file"], truth


def make_example(
    source: str, name: str, names: Sequence[PartyName], truth: Mapping[str, Any]
) -> PartyExample:
    """The names with the class of each."""
    stated: dict[str, Sequence[str | None] | None] = {}
    classes = np.zeros(len(names), dtype=np.int64)
    keys = [fold_name(one.name) for one in names]
    for side in CLASSES[1:]:
        value = truth.get(side, "skip" if source.startswith("cases") else None)
        value = value if isinstance(value, list) else [value]
        stated[side] = None if "skip" in value else value
        right = [fold_name(one) for one in value if one and one != "skip"]
        likeness = [max((_compare(key, one) for one in right), default=0.0) for key in keys]
        least = min(_LIKE, max(likeness, default=0.0))
        for at, share in enumerate(likeness):
            if share >= max(least, _NEAR):
                classes[at] = CLASSES.index(side)
    return PartyExample(source, name, names, classes, stated)


def _compare(one: str, other: str) -> float:
    if not one or not other or not (one in other or other in one):
        return 0.0
    return min(len(one), len(other)) / max(len(one), len(other))


def make_examples() -> list[PartyExample]:
    examples = [
        make_example(source, path.stem if path.stem != "case" else path.parent.name,
                     describe_parties_of_pages(pages), truth)
        for source, path, truth in list_documents()
        if (pages := read_pages_of(path.read_bytes(), path.name))
    ]  # fmt: skip
    for layout in LAYOUTS:
        for seed in range(_GENERATED):
            drawn = generate(layout, seed)
            if "quotes" not in drawn.truth:
                pages = read_pages_of(drawn.content, drawn.filename)
                names = describe_parties_of_pages(pages)
                examples.append(make_example(GENERATED, f"{layout} {seed}", names, drawn.truth))
    return [one for one in examples if one.names]


def train(examples: Sequence[PartyExample]) -> Trees:
    """Boosted trees. Each document weighs as the root of its names, strangers' more than generated ones."""
    import lightgbm  # takes seconds, with the whole of SciPy

    weights = np.concatenate([
        np.full(len(one.names), _WEIGHTS[one.source.partition("/")[0]] * len(one.names) ** -0.5)
        for one in examples
    ])  # fmt: skip
    features = np.vstack([one.features for one in examples])
    targets = np.concatenate([one.classes for one in examples])
    data = lightgbm.Dataset(features, targets, weight=weights / weights.mean())
    booster = lightgbm.train(dict(_PARAMETERS), data, num_boost_round=_ROUNDS)
    return flatten_trees(booster.dump_model()["tree_info"])


def score(model: Trees, examples: Sequence[PartyExample], counts: Counter[str], misses: list[str]) -> None:
    """Count by side what is stated, right, rightly empty, and certain and wrong."""
    for one in examples:
        chosen = choose_most_probable(one.names, model.predict(one.features, len(CLASSES)))
        for side in CLASSES[1:]:
            truth = one.truth[side]
            if truth is None:
                continue
            party = chosen.supplier if side == "supplier" else chosen.buyer
            key = fold_name(party.name) if party else None
            right = any(_is_right(key, name) for name in truth)
            stated = any(truth)
            source = one.source
            counts[f"{source}|{side}|{'stated' if stated else 'empty'}"] += 1
            counts[f"{source}|{side}|{'right' if stated else 'rightly empty'}"] += right
            if side == "supplier" and chosen.certain:
                counts[f"{source}|{side}|certain"] += 1
                counts[f"{source}|{side}|certain and wrong"] += not right
            if not right:
                possible = [other.name for other, label in zip(one.names, one.classes, strict=True)
                            if CLASSES[label] == side]  # fmt: skip
                misses.append(f"{source} {one.name}: {side} {party.name if party else None!r} for {truth}"
                              f" ({possible[:3]})")  # fmt: skip


def _is_right(key: str | None, name: str | None) -> bool:
    return key is None if name is None else key is not None and _compare(key, fold_name(name)) > 0


def cross_validate(examples: Sequence[PartyExample], misses: list[str]) -> Counter[str]:
    """The counts of each source, with a model of the others."""
    counts: Counter[str] = Counter()
    for source in sorted({one.source for one in examples} - {GENERATED}):
        inside = [one for one in examples if one.source != source]
        score(train(inside), [one for one in examples if one.source == source], counts, misses)
    return counts


def describe(counts: Counter[str], examples: Sequence[PartyExample]) -> str:
    """The text of `party_model.md`."""
    columns = ("stated", "right", "empty", "rightly empty", "certain", "certain and wrong")
    sources = sorted({key.partition("|")[0] for key in counts})
    kinds = Counter(one.source.partition("/")[0] for one in examples)
    rows = [
        f"| {source} | {side} | "
        + " | ".join(str(counts[f"{source}|{side}|{name}"]) for name in columns)
        + " |"
        for source in sources
        for side in CLASSES[1:]
    ]
    return "\n".join([
        "# The model of parties",
        "",
        "Written by `python -m tests.reader_training.parties`; do not edit.",
        "",
        f"Trained with {', '.join(f'{count} documents ({kind})' for kind, count in sorted(kinds.items()))}.",
        "Each source below was left out, and read with a model of the others:",
        "",
        f"| source | side | {' | '.join(columns)} |",
        f"|---|---|{'---|' * len(columns)}",
        *rows,
        "",
    ])  # fmt: skip


def write_model(model: Trees, path: Path) -> None:
    """Write the trees as arrays, without pickles; the same bytes for the same trees."""
    arrays = {
        f"parties_{part}": np.asarray(getattr(model, part))
        for part in ("feature", "threshold", "left", "right", "value", "roots", "depth")
    }
    np.savez_compressed(path, allow_pickle=False, **arrays)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write no model")
    parser.add_argument("--misses", action="store_true", help="print what is read wrong")
    options = parser.parse_args(arguments)
    examples = make_examples()
    misses: list[str] = []
    text = describe(cross_validate(examples, misses), examples)
    if options.misses:
        print("\n".join(misses))
    print(text)
    if not options.check:
        write_model(train(examples), MODEL)
        MODEL.with_suffix(".md").write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
