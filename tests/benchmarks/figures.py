"""A measured number, what it is held against, and how a set of them is shown."""

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Figure:
    """`value` in `unit`. `at_least` or `at_most` is the goal, where there is one: best given for ratios of
    one run, which hold on any machine. `note` says how it was measured."""

    subject: str
    name: str
    value: float
    unit: str
    at_least: float | None = None
    at_most: float | None = None
    note: str = ""

    @property
    def goal(self) -> str:
        if self.at_least is not None:
            return f"≥ {self.at_least:g}"
        return f"≤ {self.at_most:g}" if self.at_most is not None else ""

    @property
    def is_met(self) -> bool:
        """True where there is no goal."""
        enough = self.at_least is None or self.value >= self.at_least
        return enough and (self.at_most is None or self.value <= self.at_most)


def show(figures: Sequence[Figure]) -> None:
    """A table for people."""
    table = Table("subject", "figure", "value", "unit", "goal", "", "note")
    for figure in figures:
        verdict = "" if not figure.goal else "[green]met[/]" if figure.is_met else "[red]missed[/]"
        value = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.3g}"
        table.add_row(figure.subject, figure.name, value, figure.unit, figure.goal, verdict, figure.note)
    Console().print(table)


def as_json(figures: Sequence[Figure], *, full: bool) -> str:
    """The same for machines, with where and when it was measured."""
    return json.dumps(
        {
            "measuredAt": datetime.now(UTC).isoformat(timespec="seconds"),
            "full": full,
            "python": platform.python_version(),
            "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
            "figures": [{**asdict(figure), "goal": figure.goal, "met": figure.is_met} for figure in figures],
        },
        indent=2,
        ensure_ascii=False,
    )
