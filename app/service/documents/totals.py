"""Net, tax and total: label and figure pairs, of which arithmetic picks the ones that belong together."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product

from app.service.documents.arithmetic import close
from app.service.documents.dates import plain
from app.service.documents.extraction import Evidence
from app.service.documents.money import find_figures
from app.service.documents.numbers import DecimalMark
from app.service.documents.rows import Cell, Row
from app.service.documents.vocabulary import Total, total_kind

_LABEL_LENGTH = 60


@dataclass(frozen=True)
class Sum:
    """A figure with a label of the vocabulary of totals."""

    kind: Total
    label: str
    value: Decimal
    cell: Cell
    order: int


@dataclass(frozen=True)
class Totals:
    """The three sums of a document; each with its evidence where it was printed."""

    net: Decimal | None = None
    tax: Decimal | None = None
    total: Decimal | None = None
    evidence: dict[str, Evidence] | None = None
    warnings: tuple[str, ...] = ()


def find_sums(rows: Sequence[Row], mark: DecimalMark | None) -> list[Sum]:
    """Every labelled sum, in reading order."""
    found: list[Sum] = []
    for order, row in enumerate(rows):
        cells = row.cells()
        for index, cell in enumerate(cells):
            one = _inside(cell, mark) or _beside(cell, cells[index + 1 :], mark)
            if one is None and order + 1 < len(rows):
                one = _below(cell, rows[order + 1], mark)
            if one:
                kind, label, value, value_cell = one
                found.append(Sum(kind, label, value, value_cell, order))
    return found


_Found = tuple[Total, str, Decimal, Cell]


def _inside(cell: Cell, mark: DecimalMark | None) -> _Found | None:
    """`Total: $93.50` in one cell."""
    text = cell.text
    money = [figure for figure in find_figures(text, mark) if not figure.percent]
    if not money or len(text) > 90:
        return None
    label = text[: money[-1].start].strip(" :")
    rest = text[money[-1].end :].strip(" .")
    if not label or len(label) > _LABEL_LENGTH or len(rest) > 4:
        return None
    kind = total_kind(plain(label))
    return (kind, label, money[-1].value, cell) if kind else None


def _beside(cell: Cell, right: Sequence[Cell], mark: DecimalMark | None) -> _Found | None:
    label = cell.text
    if len(label) > _LABEL_LENGTH or not re.search(r"[^\W\d]{2}", label):
        return None
    kind = total_kind(plain(label))
    if kind is None:
        return None
    for other in reversed(right):
        money = [figure for figure in find_figures(other.text, mark) if not figure.percent]
        words = re.findall(r"[^\W\d]{4,}", other.text)
        if len(money) == 1 and not words:
            between = " ".join(one.text for one in right[: right.index(other)])
            if len(re.findall(r"[^\W\d]{4,}", between)) > 4:
                return None
            return kind, label, money[0].value, other
        if words:
            continue
    return None


def _below(cell: Cell, row: Row, mark: DecimalMark | None) -> _Found | None:
    """A label over its figure, as in a strip of boxes."""
    label = cell.text
    if len(label) > 30 or find_figures(label, mark):
        return None
    kind = total_kind(plain(label))
    if kind is None or row.page != cell.page or row.box.top - cell.box.bottom > 1.5 * cell.size:
        return None
    for other in row.cells():
        if min(other.box.x1, cell.box.x1) - max(other.box.x0, cell.box.x0) > 0:
            money = find_figures(other.text, mark)
            if len(money) == 1 and not money[0].percent and not re.search(r"[^\W\d]{4,}", other.text):
                return kind, label, money[0].value, other
    return None


def choose(sums: Sequence[Sum], lines_total: Decimal | None) -> Totals:
    """The net, tax and gross that fit each other and the lines best."""
    best: tuple[Sum | None, Sum | None, Sum | None] = (None, None, None)
    best_score = 0.0
    for net, tax, gross in _combinations(sums):
        score = _score(net, tax, gross, lines_total, len(sums))
        if score > best_score:
            best, best_score = (net, tax, gross), score
    return _totals(*best, lines_total)


def _combinations(sums: Sequence[Sum]) -> Iterator[tuple[Sum | None, Sum | None, Sum | None]]:
    nets = _unique([one for one in sums if one.kind == "net"])
    taxes = _unique([one for one in sums if one.kind == "tax"])
    grosses = _unique([one for one in sums if one.kind in ("gross", "due", "contract")])
    if len(taxes) > 1:
        whole = replace(taxes[-1], value=sum((one.value for one in taxes), Decimal(0)), label="several taxes")
        taxes = [*taxes, whole]
    return product([None, *nets[-8:]], [None, *taxes[-8:]], [None, *grosses[-10:]])


def _unique(sums: Sequence[Sum]) -> list[Sum]:
    seen: dict[tuple[Decimal, str], Sum] = {}
    for one in sums:
        seen[one.value, one.kind] = one
    return list(seen.values())


def _score(
    net: Sum | None, tax: Sum | None, gross: Sum | None, lines_total: Decimal | None, count: int
) -> float:
    score = 0.0
    for one, weight in ((net, 1.0), (tax, 1.0), (gross, 2.0)):
        if one:
            score += weight + one.order / 10_000
    if gross:
        score += {"gross": 1.0, "due": 0.0, "contract": -0.2}.get(gross.kind, 0.0)
        label = plain(gross.label)
        score += 0.5 if re.search(r"grand|payable|ttc|brutto|incl|gesamt", label) else 0.0
        score -= (
            2.0
            if re.search(r"\b(year|jahr|jaar|annee|ano|month|page|qty|items?|lines?|units?)\b", label)
            else 0.0
        )
    if net and gross:
        expected = net.value + (tax.value if tax else 0)
        if close(expected, gross.value, Decimal("0.02")):
            score += 6.0 if tax else 3.0
        else:
            score -= 4.0
    if lines_total is not None:
        wanted = net.value if net else gross.value - (tax.value if tax else 0) if gross else None
        if wanted is not None and close(wanted, lines_total, Decimal("0.05")):
            score += 4.0
    if tax and gross and abs(tax.value) > abs(gross.value) / 2:
        score -= 5.0
    return score


def _totals(net: Sum | None, tax: Sum | None, gross: Sum | None, lines_total: Decimal | None) -> Totals:
    net_value, tax_value = net.value if net else None, tax.value if tax else None
    total = gross.value if gross else None
    if total is None and net_value is not None:
        total = net_value + (tax_value or 0)
    if net_value is None and total is not None:
        net_value = total - (tax_value or 0)
    evidence: dict[str, Evidence] = {}
    by_lines = (
        lines_total is not None and net_value is not None and close(net_value, lines_total, Decimal("0.05"))
    )
    by_sum = bool(net and tax and gross) and close(
        (net_value or 0) + (tax_value or 0), total or 0, Decimal("0.02")
    )
    for name, one in (("net_total", net or gross), ("tax_total", tax), ("total", gross or net)):
        if one:
            sure = by_sum or (by_lines and not tax)
            evidence[name] = Evidence(
                one.cell.page, one.cell.box, (0.99 if sure else 0.7) * one.cell.confidence, sure
            )
    warnings: list[str] = []
    if lines_total is not None and net_value is not None and not by_lines:
        warnings.append(
            f"The lines add up to {lines_total}, but the document states a net total of {net_value}."
        )
    if net and tax and gross and not by_sum:
        warnings.append(f"Net {net_value} and tax {tax_value} do not add up to the total {total}.")
    return Totals(net_value, tax_value, total, evidence, tuple(warnings))
