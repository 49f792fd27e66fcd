"""How much of generated documents is read right: `python -m tests.reader_training.scores`.

Prints a table by class of layout, one of each field for the classes left out of training and the others, one
of what each line is, and a JSON object. With `--given` the shared documents are read too and have a table
each, so that all figures come from one command. Judged as `tests.benchmarks.reading` judges.
"""

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, MutableMapping, Sequence

from tests.benchmarks.reading import DATA, Read, print_fields, read_in_process, read_wire, scores_of, table
from tests.reader_training.generator import LAYOUTS, generate, split_layouts
from tests.reader_training.line_kinds import KindScore, judge_kinds, kind_table
from tests.service.documents.reading_scores import Score, field_table, judge

FIRST_SEED = 1_000_000
"""Documents that are measured have seeds from here on, those for training smaller ones."""


def score_layouts(
    layouts: Iterable[str],
    seeds: int,
    read: Read = read_in_process,
    *,
    first_seed: int = FIRST_SEED,
    kinds: MutableMapping[str, KindScore] | None = None,
) -> dict[str, Score]:
    """The scores by class of layout, by language, of the classes left out of training and of all. `kinds`
    gets those of what lines are, by class and of all."""
    scores: dict[str, Score] = defaultdict(Score)
    _, left_out = split_layouts()
    for layout in layouts:
        part = "LEFT OUT" if layout in left_out else "TRAINING"
        for seed in range(first_seed, first_seed + seeds):
            document = generate(layout, seed)
            began, worked = time.perf_counter(), time.process_time()
            wire = read_wire(document.content, document.filename, False, read)
            took, cost = time.perf_counter() - began, time.process_time() - worked
            for group in (layout, f"language {document.truth['language']}", part, "ALL"):
                score = scores[group]
                score.documents += 1
                score.pages += document.truth["pages"]
                score.seconds += took
                score.cpu += cost
                judge(score, document.truth, wire)
            if kinds is not None:
                for group in (layout, "ALL"):
                    judge_kinds(kinds.setdefault(group, KindScore()), document.truth, wire)
    return {name: scores[name] for name in sorted(scores, key=_place_in_table)}


def _place_in_table(group: str) -> tuple[bool, bool]:
    return group.isupper(), group.startswith("language")


_COLUMNS = {
    "total": "total", "document_date": "date", "lines": "lines", "precision": "prec", "valid_until": "valid",
    "term_months": "term", "renewal_uplift_percent": "uplift", "notice_days": "notice",
    "payment_terms_days": "paymt", "auto_renew": "renew", "sure": "sure", "wrong_without_warning": "silent",
    "complete": "complete", "complete_with_warning": "warned", "cpu_seconds_a_page": "s/page",
}  # fmt: skip


def layout_table(scores: Mapping[str, Score]) -> str:
    """The figures by class of layout as a table for people.

    `silent` are the documents with a wrong total, net or line and no warning, `complete` those with the core
    fields and all lines right, `warned` those of them with a warning.
    """
    rows = [f"{'':<24}{'docs':>6}" + "".join(f"{head:>9}" for head in _COLUMNS.values())]
    for name, score in scores.items():
        wire = score.to_json()
        cells = "".join(
            f"{value:>9.3f}" if (value := wire.get(column)) is not None else f"{'-':>9}"
            for column in _COLUMNS
        )
        rows.append(f"{name:<24}{score.documents:>6}{cells}")
    return "\n".join(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--layouts", default=",".join(LAYOUTS), help="classes of layout, with commas between")
    parser.add_argument("--seeds", type=int, default=20, help="documents of each class")
    parser.add_argument("--misses", action="store_true", help="list what was read wrong")
    parser.add_argument("--given", action="store_true", help="read the shared documents too, without scans")
    options = parser.parse_args(arguments)
    layouts = options.layouts.split(",")
    if unknown := set(layouts) - set(LAYOUTS):
        print(f"No class of layout is named {', '.join(sorted(unknown))}. There are: {', '.join(LAYOUTS)}.")
        return 1
    kinds: dict[str, KindScore] = {}
    scores = score_layouts(layouts, options.seeds, kinds=kinds)
    if options.misses:
        print(*scores["ALL"].misses, sep="\n")
    print(layout_table(scores))
    for name in ("LEFT OUT", "TRAINING"):
        if name in scores:
            print("", field_table(name, scores[name]), sep="\n")
    print("", kind_table(kinds), sep="\n")
    if options.given and DATA.exists():
        given = scores_of(scans=False)
        print("", table(given), sep="\n")
        print_fields(given)
        scores |= given
    print(json.dumps({name: score.to_json() for name, score in scores.items()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
