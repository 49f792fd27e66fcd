"""Find by their names which columns of a table hold our fields. Pure."""

from collections.abc import Collection, Mapping, Sequence

from app.service.tables.headings import fold_column_name
from app.service.tables.table import UnreadableTable

Synonyms = Mapping[str, Sequence[str]]
"""The fields of one kind of files, each with the other names under which files have it."""


def find_positions(header: Sequence[str]) -> dict[str, int]:
    """Return the position of each column by its folded name. Raises `UnreadableTable` where no column has a
    name, and where two have the same."""
    positions: dict[str, int] = {}
    for position, title in enumerate(header):
        name = fold_column_name(title)
        if name and name in positions:
            raise UnreadableTable(f"the column {title!r} is there twice")
        positions[name] = position
    positions.pop("", None)
    if not positions:
        raise UnreadableTable("the file has no header row")
    return positions


def find_left_out(positions: Mapping[str, int], ignore: Collection[str]) -> set[int]:
    """Return the positions of the columns to leave out. Raises `UnreadableTable` for an unknown one."""
    left_out = {fold_column_name(name) for name in ignore}
    if unknown := sorted(left_out - positions.keys()):
        raise UnreadableTable(f"there is no column {unknown[0]!r} to ignore")
    return {positions[name] for name in left_out}


def match_fields(
    positions: Mapping[str, int],
    synonyms: Synonyms,
    mapping: Mapping[str, str],
    left_out: Collection[int] = (),
    *,
    of: str,
) -> dict[str, int]:
    """Return the position of each field that has a column.

    `mapping` is our field -> the file's column, or "" for none, and takes precedence over every synonym. `of`
    says for messages what the fields describe. Raises `UnreadableTable` for a mapping that does not fit.
    """
    fields = _apply_mapping(mapping, positions, synonyms, of)
    taken = {*fields.values(), *left_out}
    for field, others in synonyms.items():
        if field in fields or mapping.get(field) == "":
            continue
        for name in (field, *others):
            if name in positions and positions[name] not in taken:
                fields[field] = positions[name]
                taken.add(positions[name])
                break
    return fields


def _apply_mapping(
    mapping: Mapping[str, str], positions: Mapping[str, int], synonyms: Synonyms, of: str
) -> dict[str, int]:
    fields: dict[str, int] = {}
    for field, name in mapping.items():
        if field not in synonyms:
            raise UnreadableTable(f"{field!r} is no field of {of}; known are {', '.join(synonyms)}")
        if not name:
            continue
        if fold_column_name(name) not in positions:
            raise UnreadableTable(f"there is no column {name!r} to map to {field}")
        fields[field] = positions[fold_column_name(name)]
    return fields
