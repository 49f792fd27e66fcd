"""The columns of a table by their headings, and what a person says of them. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence

from app.service.tables.headings import fold_column_name
from app.service.tables.table import InvalidRow, RejectedRow, UnreadableTable

_BRACKETS_AT_END = re.compile(r"(?: ?\([^()]*\))+$")
_TOLD_APART = re.compile(r" \(\d+\)$")


def reject_row(
    line: int, wrong: InvalidRow, header: Sequence[str], fields: Mapping[str, int], row_id: str = ""
) -> RejectedRow:
    """Return a row as refused, with what is wrong under the heading that the file has for the field."""
    column = header[fields[wrong.field]].strip() if wrong.field in fields else ""
    return RejectedRow(line, name_column_in(wrong.field, column, wrong.problem), row_id, column)


def name_column_in(field: str, column: str, problem: str) -> str:
    """Return a problem as a sentence that names the column, or the field where it has none."""
    named = column or field.replace("_", " ")
    if not named:
        return problem
    return f"{named}: {problem}" if problem[:1].isupper() else f"{named} {problem}"


class ColumnPositions(dict[str, int]):
    """The position of each column by its folded name. `repeated` are the positions of those whose heading
    another column has too, by the folded heading; the first of these has it as its name. `bare` are those of
    headings with brackets, by what stands before these."""

    def __init__(self) -> None:
        super().__init__()
        self.repeated: dict[str, list[int]] = {}
        self.bare: dict[str, list[int]] = {}

    def find(self, title: str) -> int | None:
        """Return the position of a column by its heading, with or without the brackets at its end, which
        may be from a title or from the row below."""
        name = fold_column_name(title)
        alike = self.bare.get(name, ())
        return self.get(name, alike[0] if len(alike) == 1 else None)

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
        if bare := _BRACKETS_AT_END.sub("", title):
            positions.bare.setdefault(fold_column_name(bare), []).append(position)
        heading = _TOLD_APART.sub("", title)
        if heading != title and fold_column_name(heading) in positions:
            positions.repeated.setdefault(fold_column_name(heading), []).append(position)
    if not positions:
        raise UnreadableTable("the file has no header row")
    return positions


def find_left_out(positions: ColumnPositions, ignore: Collection[str]) -> set[int]:
    """Return the positions of the columns to leave out. Raises `UnreadableTable` for an unknown one."""
    left_out = {fold_column_name(name): positions.find(name) for name in ignore}
    if unknown := sorted(name for name, at in left_out.items() if at is None):
        raise UnreadableTable(f"there is no column {unknown[0]!r} to ignore")
    return {at for at in left_out.values() if at is not None}


def apply_mapping(
    mapping: Mapping[str, str], positions: ColumnPositions, known: Collection[str], of: str
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
        at = positions.find(name)
        if at is None:
            raise UnreadableTable(f"there is no column {name!r} to map to {field}")
        fields[field] = at
    return fields
