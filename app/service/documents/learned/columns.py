"""Which printed figures stand under each other."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.service.documents.learned.printed_figures import PrintedFigure

_REACH = 0.45
"""How far edges of one column may differ, in letter heights."""
_FARTHEST_ROW = 9
"""Rows without a figure after which a column ends."""

_MOST_WORDS = 3
"""Of a cell that is taken for a figure with its unit."""


_EDGES: tuple[Callable[[PrintedFigure], float], ...] = (
    lambda one: one.box.x1,
    lambda one: one.box.x0,
    lambda one: one.box.centre,
    lambda one: one.holder.box.x1 if len(one.holder.words) <= _MOST_WORDS else one.box.x1,
)


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Indices of figures that stand under each other, from top to bottom, with at most nine rows between."""

    members: tuple[int, ...]


def find_columns(figures: Sequence[PrintedFigure]) -> list[Column]:
    """The column of each figure: the longest of those that its edges and its centre make."""
    best: list[tuple[int, ...]] = [(index,) for index in range(len(figures))]
    for edge in _EDGES:
        for run in _runs(figures, edge):
            for index in run:
                if len(run) > len(best[index]):
                    best[index] = run
    columns = {run: Column(run) for run in best}
    return [columns[run] for run in best]


def _runs(
    figures: Sequence[PrintedFigure], edge: Callable[[PrintedFigure], float]
) -> Iterable[tuple[int, ...]]:
    places = sorted((edge(one), index) for index, one in enumerate(figures))
    cluster: list[int] = []
    last = 0.0
    for place, index in places:
        if cluster and place - last > _REACH * max(figures[index].size, 1.0):
            yield from _cut(figures, cluster)
            cluster = []
        cluster.append(index)
        last = place
    if cluster:
        yield from _cut(figures, cluster)


def _cut(figures: Sequence[PrintedFigure], cluster: list[int]) -> Iterable[tuple[int, ...]]:
    """A cluster of edges cut where too many rows lie between."""
    members = sorted(cluster)
    run: list[int] = members[:1]
    for above, below in pairwise(members):
        if figures[below].row - figures[above].row > _FARTHEST_ROW:
            yield tuple(run)
            run = []
        run.append(below)
    yield tuple(run)
