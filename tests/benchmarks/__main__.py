"""Runs every benchmark and prints its figures as a table and as JSON.

    python -m tests.benchmarks                  all of them, with small counts
    python -m tests.benchmarks reads            some of them
    python -m tests.benchmarks --full           the campaign's counts
    python -m tests.benchmarks --json FILE      the JSON into a file

A benchmark is a module of this folder with a `run(full: bool) -> list[Figure]`. The status is 1 when a goal
is missed.
"""

import argparse
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from tests import benchmarks
from tests.benchmarks.figures import Figure, as_json, show

Benchmark = Callable[[bool], list[Figure]]


def found() -> Mapping[str, Benchmark]:
    """Every benchmark by the name of its module."""
    runs: dict[str, Benchmark] = {}
    for module in pkgutil.iter_modules(benchmarks.__path__):
        if module.name.startswith(("_", "test_")):
            continue
        run = getattr(importlib.import_module(f"tests.benchmarks.{module.name}"), "run", None)
        if callable(run) and list(inspect.signature(run).parameters) == ["full"]:
            runs[module.name] = cast(Benchmark, run)
    return runs


def main() -> int:
    runs = found()
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("names", nargs="*", choices=[[], *runs], metavar="name", help=", ".join(runs))
    parser.add_argument("--full", action="store_true", help="the campaign's counts")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the JSON there")
    chosen = parser.parse_args()
    figures: list[Figure] = []
    for name in chosen.names or runs:
        print(f"{name} …", file=sys.stderr, flush=True)
        figures += runs[name](chosen.full)
    show(figures)
    text = as_json(figures, full=chosen.full)
    if chosen.json:
        chosen.json.write_text(text + "\n", encoding="utf-8")
    else:
        print(text)
    return 0 if all(figure.is_met for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
