"""How often it was read right what a line is: its period and year, paid once, in no total, negative."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from app.service.documents.extraction import LineItem
from app.service.scopes.line_roles import classify_line, list_tags
from tests.service.documents.reading_scores import lines_right, same_money

KINDS = ("period", "year", "once", "again", "optional", "reduction", "quotes")
"""What is counted of lines, and `quotes`: files of which each quote has its number and its total."""

Record = Mapping[str, Any]


@dataclass
class KindScore:
    """Counts of one group of documents, of the lines that were read right."""

    stated: Counter[str] = field(default_factory=Counter[str])
    right: Counter[str] = field(default_factory=Counter[str])
    invented: Counter[str] = field(default_factory=Counter[str])

    def share(self, kind: str) -> float | None:
        return self.right[kind] / self.stated[kind] if self.stated[kind] else None


def judge_kinds(score: KindScore, truth: Record, read: Record) -> None:
    """Add one document to a score."""
    items: list[Record] = read.get("line_items", [])
    for number, other in lines_right(truth["line_items"], items):
        line, item = truth["line_items"][number], items[other]
        wanted, got = dict(_list_stated(line)), _read_kinds(item)
        for kind, value in wanted.items():
            score.stated[kind] += 1
            score.right[kind] += got.get(kind) == value
        for kind in got.keys() - wanted.keys():
            score.invented[kind] += 1
    if "quotes" in truth:
        score.stated["quotes"] += 1
        score.right["quotes"] += _are_same_quotes(truth["quotes"], read.get("quotes", []))
    elif read.get("quotes"):
        score.invented["quotes"] += 1


def _list_stated(line: Record) -> Iterator[tuple[str, Any]]:
    if line.get("period_months"):
        yield "period", line["period_months"]
        yield "again", True
    if line.get("first_month") is not None:
        yield "year", line["first_month"]
    if line.get("one_time"):
        yield "once", True
    if line.get("optional"):
        yield "optional", True
    if line.get("credit"):
        yield "reduction", True


def _read_kinds(item: Record) -> dict[str, Any]:
    numbers = {
        name: Decimal(str(item[name])) for name in ("quantity", "unit_price", "amount") if name in item
    }
    names = ("description", "unit", "period_months", "optional", "alternative", "included", "recurring")
    line = LineItem(**numbers, **{name: item[name] for name in names if name in item})
    tags = list_tags(line, classify_line(line, matched=True).recurring)
    found = {
        "period": item.get("period_months"),
        "year": item.get("first_month"),
        "again": "recurring" in tags or None,
        "once": "one_off" in tags or None,
        "optional": bool({"optional", "alternative"} & set(tags)) or None,
        "reduction": bool({"credit", "discount"} & set(tags)) or None,
    }
    return {kind: value for kind, value in found.items() if value is not None}


def _are_same_quotes(truth: list[Record], read: list[Record]) -> bool:
    return len(truth) == len(read) and all(
        one["document_number"] == other.get("document_number")
        and same_money(one["total"], other.get("total"))
        for one, other in zip(truth, read, strict=True)
    )


def kind_table(scores: Mapping[str, KindScore]) -> str:
    """The shares of right ones by class of layout as a table for people; behind a plus those that were read
    where the truth states none."""
    rows = [f"{'':<24}" + "".join(f"{kind:>14}" for kind in KINDS)]
    for name, score in scores.items():
        if score.stated or score.invented:
            rows.append(f"{name:<24}" + "".join(f"{_format(score, kind):>14}" for kind in KINDS))
    return "\n".join(rows)


def _format(score: KindScore, kind: str) -> str:
    share, invented = score.share(kind), score.invented[kind]
    shown = "-" if share is None else f"{share:.3f}"
    return f"{shown} +{invented}" if invented else shown
