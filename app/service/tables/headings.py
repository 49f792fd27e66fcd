"""Find the headings of a table: what stands above them is stepped over, judged by the whole head of it."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from app.service.tables.formulas import name_column
from app.service.tables.table import CellError, RejectedRow, TableRow, UnreadableTable, format_cell
from app.service.values.amount_units import AmountUnit, names_money, read_amount_unit, read_titles
from app.service.values.dates import read_date_form
from app.service.values.money import find_heading_currency
from app.service.values.periods import read_period
from app.service.values.price_basis import read_price_basis
from app.service.values.tax import find_tax
from app.service.values.units import read_unit

HEAD_ROWS = 80
"""How many rows are judged."""
_MOST_ABOVE = 40
_BODY_ROWS = 30
_LONGEST_UNIT = 40
_MOST_NAMED = 5
_PERIOD = re.compile(r"(?:[^\W\d]{1,3}\d{0,2}[ '/-]?)?(?:19|20)\d\d")
_WIDE = 0.6
_MANY = 3
_MONEY = re.compile(r"[$€£¥₹%]|EUR|USD|GBP|CHF|['’]000")

Spans = Mapping[tuple[int, int], int]
"""The last column of a cell that covers several, by its row's line and its first column."""
_EMPTY, _TEXT, _VALUE = 0, 1, 2
_BLANK = (None, "")
_MOST_ALONE = 2
"""Columns of a table in which a row with one cell is a row."""


@dataclass(frozen=True)
class FoundHeadings:
    """The headings of a table, which `rows` of its `head` are. `end` is the position of the first row of
    values; `names`, `notes` and `titles` are as in `TableHead`. `levels` is how many lines stand above a
    group of rows: the last names are theirs."""

    rows: Sequence[TableRow]
    end: int
    names: tuple[str, ...]
    notes: tuple[str, ...]
    titles: tuple[str, ...]
    levels: int


def take_first(
    rows: Iterator[TableRow | RejectedRow], most: int
) -> tuple[list[TableRow], Iterator[TableRow | RejectedRow]]:
    """Return the first rows that are none of the rejected, and all rows."""
    first: list[TableRow] = []
    taken: list[TableRow | RejectedRow] = []
    for row in rows:
        taken.append(row)
        if not isinstance(row, RejectedRow):
            first.append(row)
        if len(first) == most or len(taken) == 10 * most:
            break
    return first, chain(taken, rows)


def fold_column_name(name: str) -> str:
    """Return a column name as it is compared: lower case, words joined by one underscore."""
    return re.sub(r"[^0-9a-z\u00c0-\uffff]+", "_", name.strip().lower()).strip("_")


def find_headings(rows: Sequence[TableRow], spans: Spans | None = None) -> FoundHeadings | None:
    """Return the headings of a table that begins with these rows, or whose titles they are; None where no row
    has a text."""
    judged = [[_find_kind(cell) for cell in cells] for _, cells in rows]
    candidates = [at for at in range(min(len(rows), _MOST_ABOVE)) if _may_be_headings(rows[at], judged[at])]
    if not candidates:
        return None
    notes = list[str]()
    first = max(candidates, key=lambda at: _score(rows, judged, at))
    top = _find_groups_above(rows, judged, first, spans or {})
    second = first + 1 if top is None and _is_second_row(rows, judged, first) else None
    if top is not None:
        names = _join_groups(rows[top], rows[first], spans or {})
        first, end = top, first + 1
    elif second is not None:
        names = _join_groups(rows[first], rows[second], spans or {})
        end = second + 1
    else:
        names, end = [format_heading(cell) for cell in rows[first][1]], first + 1
    if first:
        notes.append(f"What stands above the headings was stepped over: {name_lines(rows[:first])}.")
    titles = tuple(_list_titles(rows[:first]))
    if (unit := read_titles(titles)) is not None:
        notes.append(f"What a title says of the amounts was joined with their headings: {unit}.")
    if end - first > 1:
        notes.append(f"The headings of two rows were joined: {name_lines(rows[first:end])}.")
    if end < len(rows) and _has_units(rows, judged, end):
        names = _join_units(names, rows[end][1])
        notes.append(f"The units below the headings were joined with them: line {rows[end][0]}.")
        end += 1
    if unit is not None:
        names = _join_units(names, [_add_unit(name, unit) if name else "" for name in names])
    names = _name_columns(names, judged[end:])
    above = _name_lines_above(rows[end:], len(names))
    told = tell_apart([*names, *above])
    return FoundHeadings(rows[first:end], end, told, tuple(notes), titles, len(above))


def require_headings(head: Sequence[TableRow], spans: Spans | None = None) -> FoundHeadings:
    """Return the headings of a table. Raises `UnreadableTable` where it has none."""
    found = find_headings(head, spans)
    if found is None:
        raise UnreadableTable("the file has no header row" if head else "the file is empty")
    return found


def _list_titles(above: Sequence[TableRow]) -> Iterator[str]:
    """Yield the texts above the headings: of each cell, and of two beside each other as `Currency: EUR`."""
    for _, cells in above:
        texts = [format_heading(cell) for cell in cells if isinstance(cell, str) and cell.strip()]
        yield from texts
        if len(texts) == 2:
            yield f"{texts[0].rstrip(':')}: {texts[1]}"


def _add_unit(name: str, unit: AmountUnit) -> str:
    """Return what a title says of the amounts of a column that its heading does not say itself."""
    brackets = re.findall(r"[(\[]([^()\[\]]*)[)\]]", name)
    own = next((found for text in brackets if (found := read_amount_unit(text))), None)
    if not names_money(name) or (own and own.scale != 1):
        return ""
    return str(unit)


def format_heading(cell: object) -> str:
    """Return a cell as a heading: a text without line breaks; a whole number has no `.0`."""
    return " ".join(format_cell(cell).split())


def tell_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Return headings of which no two are the same: the second `Note` is `Note (2)`."""
    taken = {fold_column_name(name) for name in names}
    seen: set[str] = set()
    told: list[str] = []
    for name in names:
        folded, count, apart = fold_column_name(name), 1, name
        while folded and fold_column_name(apart) in (seen if count == 1 else seen | taken):
            count += 1
            apart = f"{name} ({count})"
        seen.add(fold_column_name(apart))
        told.append(apart)
    return tuple(told)


def _find_kind(cell: object) -> int:
    if cell is None or cell == "":
        return _EMPTY
    if isinstance(cell, CellError):
        return _VALUE
    if not isinstance(cell, str):
        return _VALUE
    text = cell.strip()
    if not text:
        return _EMPTY
    digits = sum(map(str.isdigit, text))
    return _VALUE if digits and digits * 2 >= sum(map(str.isalnum, text)) else _TEXT


def _may_be_headings(row: TableRow, kinds: Sequence[int]) -> bool:
    """Whether most cells of a row are texts, or years."""
    texts = kinds.count(_TEXT)
    periods = sum(
        kind == _VALUE and _PERIOD.fullmatch(format_heading(cell)) is not None
        for cell, kind in zip(row[1], kinds, strict=True)
    )
    return texts > 0 and texts + periods >= kinds.count(_VALUE) - periods


def _score(rows: Sequence[TableRow], judged: Sequence[Sequence[int]], at: int) -> float:
    kinds = judged[at]
    filled = [column for column, kind in enumerate(kinds) if kind]
    body = judged[at + 1 : at + 1 + _BODY_ROWS]
    below = _count_below(body)
    total = sum(sum(counts) for counts in below.values())
    if total:
        covered = sum(sum(below[column]) for column in filled if column in below) / total
    else:
        covered = len(filled) / max(sum(map(bool, other)) for other in judged)
    contrast = sum(
        kinds[column] == _TEXT and below[column][1] > below[column][0] for column in filled if column in below
    )
    names = {fold_column_name(format_heading(rows[at][1][column])) for column in filled}
    return (
        2 * covered
        + 2 * kinds.count(_TEXT) / len(filled)
        + 0.5 * len(names) / len(filled)
        + contrast / len(filled)
        - 0.7 * _count_wide_above(rows, judged, at, len(filled))
        - 0.7 * _is_below_table(rows, judged, at, len(filled))
        - 0.02 * at
    )


def _count_below(body: Sequence[Sequence[int]]) -> dict[int, tuple[int, int]]:
    """Return how many texts and how many values each column has."""
    counts: dict[int, tuple[int, int]] = {}
    for kinds in body:
        for column, kind in enumerate(kinds):
            if kind:
                texts, values = counts.get(column, (0, 0))
                counts[column] = (texts + (kind == _TEXT), values + (kind == _VALUE))
    return counts


def _count_wide_above(rows: Sequence[TableRow], judged: Sequence[Sequence[int]], at: int, filled: int) -> int:
    """Return how many rows right above are about as wide, 3 at most: the headings are above the values."""
    count = 0
    while at > 0 and count < 3 and _follows(rows, at):
        at -= 1
        if sum(map(bool, judged[at])) < max(_WIDE * filled, 2):
            break
        count += 1
    return count


def _is_below_table(rows: Sequence[TableRow], judged: Sequence[Sequence[int]], at: int, filled: int) -> bool:
    """Whether a table of this width stands above: the first one is read, whatever follows it."""
    wide = [sum(map(bool, kinds)) >= filled > 2 for kinds in judged[:at]]
    return any(
        all(wide[top : top + 3]) and _follows(rows, top + 1) and _follows(rows, top + 2)
        for top in range(at - 2)
    )


def _follows(rows: Sequence[TableRow], at: int) -> bool:
    """Whether no blank line is between a row and the one before, whose cells may be of several lines."""
    line, cells = rows[at - 1]
    return rows[at][0] - line <= 1 + sum(cell.count("\n") for cell in cells if isinstance(cell, str))


def _is_second_row(rows: Sequence[TableRow], judged: Sequence[Sequence[int]], first: int) -> bool:
    """Whether the row below the headings has further ones below groups of columns."""
    if first + 1 >= len(rows) or not _follows(rows, first + 1):
        return False
    above, kinds = judged[first], judged[first + 1]
    filled = [column for column, kind in enumerate(kinds) if kind]
    if _VALUE in kinds or not filled:
        return False
    below = _count_below(judged[first + 2 : first + 2 + _BODY_ROWS])
    completes = any(column >= len(above) or not above[column] for column in filled)
    texts = sum(below[column][0] > below[column][1] for column in filled if column in below)
    return completes and texts * 2 <= len(filled)


def _find_groups_above(
    rows: Sequence[TableRow], judged: Sequence[Sequence[int]], first: int, spans: Spans
) -> int | None:
    """Return the position of a row of groups right above the headings."""
    top = first - 1
    if top < 0 or not _follows(rows, first) or _VALUE in judged[top]:
        return None
    line = rows[top][0]
    groups = [column for column, kind in enumerate(judged[top]) if kind]
    if any((line, column) in spans for column in groups) and (len(groups) > 1 or groups[:1] > [0]):
        return top
    names = [fold_column_name(format_heading(cell)) for cell in rows[first][1] if cell]
    return top if len(groups) > 1 and len(set(names)) < len(names) else None


def _join_groups(above: TableRow, below: TableRow, spans: Spans) -> list[str]:
    line, tops = above
    subs = [format_heading(cell) for cell in below[1]]
    width = max(len(tops), len(subs))
    names: list[str] = []
    group, end = "", -1
    for column in range(width):
        top = format_heading(tops[column]) if column < len(tops) else ""
        sub = subs[column] if column < len(subs) else ""
        if top:
            # A group reaches to the next, or as far as its cell covers.
            group, end = (top, spans.get((line, column), width)) if sub else ("", -1)
        elif sub and column <= end:
            top = group
        names.append(f"{top}: {sub}" if top and sub and top != sub else top or sub)
    return names


def _has_units(rows: Sequence[TableRow], judged: Sequence[Sequence[int]], at: int) -> bool:
    """Whether a row names the units of the values below: it stands above numbers alone, and one of its texts
    is a unit or has a currency in it."""
    if not _follows(rows, at):
        return False
    below = _count_below(judged[at + 1 : at + 1 + _BODY_ROWS])
    filled = {column: rows[at][1][column] for column, kind in enumerate(judged[at]) if kind}
    known = (read_unit, read_period, read_price_basis, find_heading_currency, read_amount_unit, find_tax)
    texts = {column: cell.strip("()[]{} ") for column, cell in filled.items() if isinstance(cell, str)}
    units = [
        column
        for column, text in texts.items()
        if len(text) <= _LONGEST_UNIT and any(read(text) for read in (*known, _MONEY.search))
    ]
    return bool(units) and all(
        (judged[at][column] == _TEXT or column in units)
        and column in below
        and below[column][1] > below[column][0]
        for column in filled
    )


def _join_units(names: Sequence[str], units: Sequence[object]) -> list[str]:
    """Return the headings with their units in brackets: `Unit price (EUR)`. How a date is written is no
    unit."""
    joined = [*names, *[""] * (len(units) - len(names))]
    for at, cell in enumerate(units):
        unit = format_heading(cell).strip("()[]{} ")
        if unit and joined[at] and not read_date_form(unit):
            joined[at] = f"{joined[at]} ({unit})"
    return joined


def _name_columns(names: Sequence[str], body: Sequence[Sequence[int]]) -> list[str]:
    """Return the headings of all columns with values; one without a heading has its letter. Beyond the
    headings many rows must have a value: a single one is longer than it should be."""
    headed = max((at for at, name in enumerate(names) if name), default=-1) + 1
    used = Counter(column for kinds in body for column, kind in enumerate(kinds) if kind)
    beyond = (at for at, count in used.items() if at < headed or count * _MANY > len(body))
    width = max(headed, *(at + 1 for at in beyond), 0)
    padded = [*names[:width], *[""] * (width - len(names))]
    return [name or (name_column(at) if at in used else "") for at, name in enumerate(padded)]


def name_lines(rows: Sequence[TableRow]) -> str:
    """Return the numbers of rows for a sentence."""
    lines = [line for line, _ in rows]
    if len(lines) == 1:
        return f"line {lines[0]}"
    if lines[-1] - lines[0] == len(lines) - 1:
        return f"lines {lines[0]} to {lines[-1]}"
    return f"lines {join_names(list(map(str, lines)))}"


def _read_line_above(cells: Sequence[object]) -> str | None:
    """Return the only text of a row, which may be merged over several of its cells."""
    if len(cells) > 1 and cells[0] not in _BLANK and cells[1] not in (*_BLANK, cells[0]):
        return None
    filled = {*_list_filled(cells)}
    return filled.pop() if len(filled) == 1 else None


def _name_lines_above(body: Sequence[TableRow], width: int) -> list[str]:
    """Return the headings of the lines that stand alone above groups of rows, such as the supplier of these:
    the first row of the table is one."""
    runs, run = list[list[str]](), list[str]()
    for _, cells in body:
        alone = _read_line_above(cells)
        if alone is None:
            runs.append(run)
            run = list[str]()
        elif _find_kind(alone) == _TEXT and any(map(str.isalpha, alone)):
            run.append(alone)
    levels = max(map(len, runs), default=0)
    if width < _LEAST_WIDTH or not runs or not 0 < len(runs[0]) == levels <= _MOST_LEVELS:
        return []
    at_level = [{run[at] for run in runs if at >= -len(run)} for at in range(-levels, 0)]
    labels = [{found[1] if (found := _LABEL.match(text)) else "" for text in texts} for texts in at_level]
    return [(one.pop() if len(one) == 1 else "") or LINE_ABOVE for one in labels]


_LEAST_WIDTH, _MOST_LEVELS = 4, 3
LINE_ABOVE = "Line above"
"""The heading of lines above groups of rows that nothing names."""
_LABEL = re.compile(r"(?:.*\s)?([^\s:][^:]{0,30}?)\s*:\s+")
"""The last label of a line such as `A/C: ALD001  Name: Alder`, and what stands before it."""


def fit_rows(
    rows: Iterator[TableRow | RejectedRow], found: FoundHeadings
) -> Iterator[TableRow | RejectedRow]:
    """Yield the rows without the empty cells that they have beyond the headings, each with the lines above
    its group; where one of the rows of the headings is printed again, on each page, it is rejected, and so
    are remarks below the table."""
    width, groups = len(found.names) - found.levels, [""] * found.levels
    printed = [_list_filled(cells) for _, cells in found.rows]
    begins = {filled[0] for filled in printed if len(filled) > 1}
    above, alone = found.rows[-1], list[TableRow]()
    for row in rows:
        if isinstance(row, RejectedRow):
            yield row
            continue
        line, cells = row
        if width > _MOST_ALONE and _read_line_above(cells) is not None:
            alone.append(row)
            continue
        if found.levels:
            texts = [_LABEL.sub("", _list_filled(line_above)[0]) for _, line_above in alone[-found.levels :]]
            groups[len(groups) - len(texts) :] = texts
            yield from (RejectedRow(one[0], "stands above a group of rows") for one in alone)
        else:
            yield from alone
        alone.clear()
        above = row
        first = next((cell for cell in cells if cell not in _BLANK), None)
        if isinstance(first, str) and " ".join(first.split()) in begins and _list_filled(cells) in printed:
            yield RejectedRow(line, "repeats the headings")
            continue
        end = len(cells)
        while end > width and cells[end - 1] in _BLANK:
            end -= 1
        if groups and end <= width:
            cells = [*cells[:end], *[""] * (width - end), *groups]
        yield line, cells if groups or end == len(cells) else cells[:end]
    is_apart = bool(alone) and not _follows([above, alone[0]], 1)
    for line, cells in alone:
        is_remark = is_apart or ":" in _list_filled(cells)[0]
        yield RejectedRow(line, "is a remark below the table") if is_remark else (line, cells)


def _list_filled(cells: Sequence[object]) -> list[str]:
    return [text for cell in cells if (text := format_heading(cell))]


def join_names(names: Sequence[str]) -> str:
    """Return names for a sentence: the first ones, and how many more there are."""
    rest = len(names) - _MOST_NAMED
    return ", ".join([*names[:_MOST_NAMED], *([f"{rest} more"] if rest > 0 else [])])
