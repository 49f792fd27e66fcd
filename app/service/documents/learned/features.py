"""What the learned reader knows of each printed figure, as a row of numbers."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import pairwise
from math import log10
from operator import attrgetter

from app.service.documents.layout.document import Document
from app.service.documents.layout.rows import Row
from app.service.documents.learned.arithmetic import Evidence, find_evidence, mean
from app.service.documents.learned.columns import Column, find_columns
from app.service.documents.learned.labels import FigureLabels, find_labels
from app.service.documents.learned.printed_figures import PrintedFigure, find_printed_figures

_EVIDENCE = tuple(field.name for field in fields(Evidence))
_evidence_of = attrgetter(*_EVIDENCE)


def _log(value: float) -> float:
    return log10(abs(value) + 0.001)


class FigureFeatures:
    """The figures of a document with what is known of each.

    `values[i]` runs parallel to `FEATURES`; `labels` hold the words, which are scored apart.
    """

    def __init__(self, document: Document) -> None:
        self.figures = find_printed_figures(document)
        self.columns = find_columns(self.figures)
        self.evidence = find_evidence(self.figures, self.columns)
        self.labels = find_labels(document.rows, self.figures, self.columns)
        self.rows: dict[int, list[int]] = {}
        for index, one in enumerate(self.figures):
            self.rows.setdefault(one.row, []).append(index)
        self.values = self._describe(document)

    def _describe(self, document: Document) -> list[list[float]]:
        distinct = {id(column): column for column in self.columns}
        of_columns = {
            key: _column_features(self.figures, self.evidence, column) for key, column in distinct.items()
        }
        sizes = {page.number: (max(page.width, 1.0), max(page.height, 1.0)) for page in document.pages}
        counts = Counter(abs(one.value) for one in self.figures)
        rows_of_page = _rows_by_page(document.rows)
        usual_size = sorted(one.size for one in self.figures)[len(self.figures) // 2] if self.figures else 1
        largest = max((abs(one.value) for one in self.figures if not one.figure.percent), default=1.0)
        values: list[list[float]] = []
        peers = _find_peers(self.labels)
        of_peers = _peer_features(self.figures, self.evidence, peers)
        of_groups = _group_features(self.figures, self.evidence, self.columns, peers)
        for index, one in enumerate(self.figures):
            mates = self.rows[one.row]
            values.append([
                *_place_features(one, sizes, rows_of_page, document.rows[one.row]),
                *_value_features(one, counts[abs(one.value)], largest, usual_size),
                *_row_features(self.figures, one, mates),
                *_within_column(self.figures, self.columns[index], index),
                *of_columns[id(self.columns[index])],
                *_evidence_of(self.evidence[index]),
                self.labels[index].rows_to_header,
                self.labels[index].words_to_left,
                len(self.labels[index].header),
                len(self.labels[index].left),
                *of_peers[index],
                *of_groups[index],
            ])  # fmt: skip
        return values


def _rows_by_page(rows: Sequence[Row]) -> dict[int, tuple[int, int]]:
    """The index of the first row of each page and how many there are."""
    found: dict[int, tuple[int, int]] = {}
    for number, row in enumerate(rows):
        first, count = found.get(row.page, (number, 0))
        found[row.page] = first, count + 1
    return found


PLACE = (
    "left", "right", "middle", "page", "last_page", "rows_above", "rows_below", "cells_of_row",
    "cells_to_left", "cells_to_right", "words_of_row",
)  # fmt: skip


def _place_features(
    one: PrintedFigure, sizes: Mapping[int, tuple[float, float]], rows_of_page: Mapping[int, tuple[int, int]],
    row: Row,
) -> list[float]:  # fmt: skip
    width, height = sizes[one.page]
    first, count = rows_of_page[one.page]
    cells = len(row.cells())
    return [
        one.box.x0 / width, one.box.x1 / width, one.box.middle / height, one.page, one.page == len(sizes),
        one.row - first, count - (one.row - first) - 1, cells, one.cell, cells - one.cell - 1, len(row.words),
    ]  # fmt: skip


VALUE = (
    "size_of_value", "decimals", "percent", "currency", "negative", "integer", "year", "months",
    "printed_often", "of_largest", "bold", "letter_height", "alone_in_cell", "letters_before",
    "letters_after", "leading_zero_or_code",
)  # fmt: skip


def _value_features(one: PrintedFigure, count: int, largest: float, usual_size: float) -> list[float]:
    value, figure = one.value, one.figure
    whole = value == int(value)
    return [
        _log(value), figure.decimals, figure.percent, figure.currency is not None, value < 0, whole,
        whole and 1990 <= value <= 2060, value in (1, 12, 24, 36, 48, 60), count, abs(value) / (largest or 1),
        one.bold, one.size / max(usual_size, 0.1), one.holder.is_figure, len(one.before), len(one.after),
        one.holder.text[figure.start : figure.start + 1] == "0",
    ]  # fmt: skip


ROW = (
    "figures_of_row", "figures_to_left", "figures_to_right", "money_to_left", "money_to_right",
    "larger_in_row", "of_previous", "of_next", "decimals_of_previous", "decimals_of_next", "same_in_row",
)  # fmt: skip


def _row_features(figures: Sequence[PrintedFigure], one: PrintedFigure, mates: Sequence[int]) -> list[float]:
    before, after = mates[: one.order], mates[one.order + 1 :]
    previous = figures[before[-1]] if before else None
    following = figures[after[0]] if after else None
    return [
        len(mates), len(before), len(after),
        sum(_is_money(figures[index]) for index in before), sum(_is_money(figures[index]) for index in after),
        sum(figures[index].value > one.value for index in mates),
        _log(one.value) - _log(previous.value) if previous else -9,
        _log(one.value) - _log(following.value) if following else -9,
        previous.figure.decimals if previous else -1, following.figure.decimals if following else -1,
        sum(figures[index].value == one.value for index in mates) - 1,
    ]  # fmt: skip


def _is_money(one: PrintedFigure) -> bool:
    return not one.figure.percent and (one.figure.currency is not None or one.figure.decimals == 2)


WITHIN_COLUMN = (
    "above_in_column", "below_in_column", "rows_to_above", "rows_to_below", "of_above", "of_below",
    "as_above", "as_below", "figures_of_row_above", "figures_of_row_below",
)  # fmt: skip


def _within_column(figures: Sequence[PrintedFigure], column: Column, index: int) -> list[float]:
    members = column.members
    at = bisect_left(members, index)
    one = figures[index]
    above = figures[members[at - 1]] if at else None
    below = figures[members[at + 1]] if at + 1 < len(members) else None
    return [
        at, len(members) - at - 1,
        one.row - above.row if above else 20, below.row - one.row if below else 20,
        _log(one.value) - _log(above.value) if above else -9,
        _log(one.value) - _log(below.value) if below else -9,
        above is not None and above.order == one.order, below is not None and below.order == one.order,
        above.order if above else -1, below.order if below else -1,
    ]  # fmt: skip


OF_COLUMN = (
    "column_length", "column_integers", "column_decimals", "column_percents", "column_currencies",
    "column_size", "column_products", "column_factors", "column_factors_left", "column_near_products",
    "column_near_factors", "column_summands", "column_rising", "column_distinct",
)  # fmt: skip


def _column_features(
    figures: Sequence[PrintedFigure], evidence: Sequence[Evidence], column: Column
) -> list[float]:
    members = column.members
    ones = [figures[index] for index in members]
    found = [evidence[index] for index in members]
    return [
        len(members),
        mean(one.value == int(one.value) for one in ones),
        mean(one.figure.decimals for one in ones),
        mean(one.figure.percent for one in ones),
        mean(one.figure.currency is not None for one in ones),
        mean(_log(one.value) for one in ones),
        mean(one.product > 1 for one in found),
        mean(one.factor > 1 for one in found),
        mean(one.factor_left for one in found),
        mean(one.near_product > 0 for one in found),
        mean(one.near_factor > 0 for one in found),
        max(one.summands for one in found),
        mean(lower.value == upper.value + 1 for upper, lower in pairwise(ones)),
        len({one.value for one in ones}) / len(ones),
    ]


LABEL = ("rows_to_header", "words_to_left", "letters_of_header", "letters_to_left")


PEERS = (
    "peers", "peers_integers", "peers_decimals", "peers_products", "peers_factors", "peers_factors_left",
    "peers_near_products", "peers_near_factors", "peers_near_factors_first",
)  # fmt: skip


_OF_PEERS = ("product", "factor", "factor_left", "near_product", "near_factor", "near_factor_first")


def _find_peers(labels: Sequence[FigureLabels]) -> list[list[int]]:
    """Figures with the same words to their left and in their cell, as on cards and in sentences that are
    written alike; every figure is in one group."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for index, label in enumerate(labels):
        left = "".join(letter for letter in label.left if not letter.isdigit())
        own = "".join(letter for letter in label.own if not letter.isdigit())
        key = (left if not own else "", own) if left or own else ("", "", str(index))
        groups.setdefault(key, []).append(index)
    return list(groups.values())


def _peer_features(
    figures: Sequence[PrintedFigure], evidence: Sequence[Evidence], peers: Sequence[Sequence[int]]
) -> list[list[float]]:
    """What the figures of a group have in common."""
    found: list[list[float]] = [[]] * len(figures)
    for members in peers:
        known = [
            len(members),
            mean(figures[index].value == int(figures[index].value) for index in members),
            mean(figures[index].figure.decimals for index in members),
            *(mean(getattr(evidence[index], name) for index in members) for name in _OF_PEERS),
        ]
        for index in members:
            found[index] = known
    return found


GROUP = ("group_products", "group_factors", "any_product", "any_factor", "part_of_sum", "sum_of_parts")


def _group_features(
    figures: Sequence[PrintedFigure], evidence: Sequence[Evidence], columns: Sequence[Column],
    peers: Sequence[Sequence[int]],
) -> list[list[float]]:  # fmt: skip
    """What holds alike for tables, where figures that belong together stand in a column, and for cards and
    sentences, where they have the same words before them: products, and sums that are printed."""
    products = [max(one.product, one.near_product, one.stack_product) > 2 for one in evidence]
    factors = [max(one.factor, one.near_factor, one.stack_factor) > 2 for one in evidence]
    parts = [float(one.in_sum) for one in evidence]
    sums = [float(one.summands) for one in evidence]
    printed: dict[int, list[int]] = {}
    for index, one in enumerate(figures):
        printed.setdefault(round(one.value * 100), []).append(index)
    for members in peers:
        whole = printed.get(round(sum(figures[index].value for index in members) * 100), [])
        totals = [index for index in whole if index > members[-1]]
        if len(members) > 1 and totals and figures[members[0]].value:
            for index in members:
                parts[index] = max(parts[index], len(members))
            for index in totals:
                sums[index] = max(sums[index], len(members))
    shares = [[0.0, 0.0] for _ in figures]
    for members in [*peers, *{column.members for column in columns}]:
        if len(members) > 1:
            of_products = mean(products[index] for index in members)
            of_factors = mean(factors[index] for index in members)
            for index in members:
                shares[index] = [max(shares[index][0], of_products), max(shares[index][1], of_factors)]
    return [
        [*shares[index], products[index], factors[index], min(parts[index], 3), min(sums[index], 3)]
        for index in range(len(figures))
    ]


FEATURES = (*PLACE, *VALUE, *ROW, *WITHIN_COLUMN, *OF_COLUMN, *_EVIDENCE, *LABEL, *PEERS, *GROUP)
