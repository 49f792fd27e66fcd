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
    named, colon = column or field.replace("_", " "), ":" if problem[:1].isupper() else ""
    return f"{named}{colon} {problem}" if named else problem


class ColumnPositions(dict[str, int]):
    """The position of each column of a header by its folded name. `repeated` are the positions of those whose
    heading another column has too, by the folded heading; the first of these has it as its name. `bare` are
    those of headings with brackets, by what stands before these. Raises `UnreadableTable` where no column has
    a name."""

    def __init__(self, header: Sequence[str]) -> None:
        super().__init__()
        self.repeated: dict[str, list[int]] = {}
        self.bare: dict[str, list[int]] = {}
        for position, title in enumerate(header):
            name, heading = fold_column_name(title), _TOLD_APART.sub("", title)
            if not name:
                continue
            if name in self:
                self.repeated.setdefault(name, []).append(position)
                continue
            self[name] = position
            if bare := _BRACKETS_AT_END.sub("", title):
                self.bare.setdefault(fold_column_name(bare), []).append(position)
            if heading != title and fold_column_name(heading) in self:
                self.repeated.setdefault(fold_column_name(heading), []).append(position)
        if not self:
            raise UnreadableTable("the file has no header row")

    def find(self, title: str) -> int | None:
        """Return the position of a column by its heading, with or without the brackets at its end, which
        may be from a title or from the row below."""
        name = fold_column_name(title)
        alike = self.bare.get(name, ())
        return self.get(name, alike[0] if len(alike) == 1 else None)


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
