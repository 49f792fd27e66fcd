"""Find out whether a file writes 03/04/2026 for the third of April or for the fourth of March: nothing is
guessed."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from app.contract.imports import DateOrder
from app.service.table_files.dates import SlashOrder, find_slash_order, is_ambiguous
from app.service.tables.table import RejectedRow, TableRow

MAX_ROWS = 500_000
"""How far a file is read for a date that shows its order."""
_ORDERS: Mapping[DateOrder, SlashOrder] = {"day_first": "day first", "month_first": "month first"}

Rows = Iterable[TableRow | RejectedRow]


def find_date_order(
    sample: Sequence[TableRow | RejectedRow],
    rest: Rows,
    positions: Collection[int],
    stated: DateOrder | None = None,
) -> tuple[SlashOrder | None, Rows]:
    """Return the order of the dates in the columns at these positions, and all rows. It is the stated one,
    else that which a date shows; where those of the sample do not, the file is read on to the first that
    does. None where no date shows it, or where they contradict each other."""
    if stated is not None:
        return _ORDERS[stated], chain(sample, rest)
    texts = [text for row in sample for text in _list_texts(row, positions)]
    order = find_slash_order(texts)
    shown = any(find_slash_order([text]) for text in texts)
    if order is not None or shown or not any(map(is_ambiguous, texts)):
        return order, chain(sample, rest)
    further: list[TableRow | RejectedRow] = []
    rows = iter(rest)
    for row in rows:
        further.append(row)
        order = find_slash_order(_list_texts(row, positions))
        if order is not None or len(further) == MAX_ROWS:
            break
    return order, chain(sample, further, rows)


def _list_texts(row: TableRow | RejectedRow, positions: Collection[int]) -> Iterator[str]:
    if not isinstance(row, RejectedRow):
        for at in positions:
            if 0 <= at < len(row[1]) and isinstance(cell := row[1][at], str):
                yield cell
