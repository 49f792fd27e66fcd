"""The columns of a table by their headings, and what a person says of them. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence

from app.service.tables.headings import fold_column_name
from app.service.tables.table import InvalidRow, RejectedRow, UnreadableTable

_TOLD_APART = re.compile(r" \(\d+\)$")


def reject_row(
    line: int, wrong: InvalidRow, header: Sequence[str], fields: Mapping[str, int], row_id: str = ""
) -> RejectedRow:
    """Return a row as refused, with what is wrong under the heading that the file has for the field."""
    column = find_title(wrong.field, header, fields)
    return RejectedRow(line, name_column_in(wrong.field, column, wrong.problem), row_id, column)


def find_title(field: str, header: Sequence[str], fields: Mapping[str, int]) -> str:
    """Return the heading of the column of a field; empty where there is none."""
    return header[fields[field]].strip() if field in fields else ""


def name_column_in(field: str, column: str, problem: str) -> str:
    """Return a problem as a sentence that names the column, or the field where it has none."""
    named = column or field.replace("_", " ")
    if not named:
        return problem
    return f"{named}: {problem}" if problem[:1].isupper() else f"{named} {problem}"


class ColumnPositions(dict[str, int]):
    """The position of each column by its folded name. `repeated` are the positions of those whose heading
    another column has too, by the folded heading; the first of these has it as its name."""

    def __init__(self) -> None:
        super().__init__()
        self.repeated: dict[str, list[int]] = {}

    def require_single(self, name: str, title: str, left_out: Collection[int]) -> None:
        """Raise `UnreadableTable` where another column that is not left out has the same heading: nothing
        says which of them to read."""
        if any(at not in left_out for at in self.repeated.get(name, ())):
            raise UnreadableTable(f"the column {title!r} is there twice")


def find_positions(header: Sequence[str]) -> ColumnPositions:
    """Return the position of each column. Raises `UnreadableTable` where no column has a name."""
    positions = ColumnPositions()
    for position, title in enumerate(header):
        name = fold_column_name(title)
        if not name:
            continue
        if name in positions:
            positions.repeated.setdefault(name, []).append(position)
            continue
        positions[name] = position
        heading = _TOLD_APART.sub("", title)
        if heading != title and fold_column_name(heading) in positions:
            positions.repeated.setdefault(fold_column_name(heading), []).append(position)
    if not positions:
        raise UnreadableTable("the file has no header row")
    return positions


def find_left_out(positions: Mapping[str, int], ignore: Collection[str]) -> set[int]:
    """Return the positions of the columns to leave out. Raises `UnreadableTable` for an unknown one."""
    left_out = {fold_column_name(name) for name in ignore}
    if unknown := sorted(left_out - positions.keys()):
        raise UnreadableTable(f"there is no column {unknown[0]!r} to ignore")
    return {positions[name] for name in left_out}


def apply_mapping(
    mapping: Mapping[str, str], positions: Mapping[str, int], known: Collection[str], of: str
) -> dict[str, int]:
    """Return the positions of the fields that a person named a column for: `mapping` is our field -> the
    file's column, or "" for none. Raises `UnreadableTable` for a field or a column that is not there; `of`
    says what the fields describe."""
    fields: dict[str, int] = {}
    for field, name in mapping.items():
        if field not in known:
            raise UnreadableTable(f"{field!r} is no field of {of}; known are {', '.join(known)}")
        if not name:
            continue
        if fold_column_name(name) not in positions:
            raise UnreadableTable(f"there is no column {name!r} to map to {field}")
        fields[field] = positions[fold_column_name(name)]
    return fields
