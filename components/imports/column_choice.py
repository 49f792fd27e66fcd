"""Which column of a file holds what, with its first values, to be corrected."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from app.contract.imports import ImportPreview
from components.elements.table import edit_table
from components.imports.import_words import CURRENCY, DIMENSION, LEFT_OUT, describe_field

COLUMN, VALUES, HOLDS = "Column in the file", "First values", "Holds"
SHOWN_VALUES = 3
USES = {"dimension": DIMENSION, "currency": CURRENCY}


@dataclass(frozen=True)
class ColumnChoice:
    """What a person chose: a mapping from our fields to the file's columns ("" for none), the columns to
    leave out, and the fields that were chosen for more than one column."""

    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    ignore: Sequence[str] = ()
    chosen_twice: Sequence[str] = ()


def draw_column_choice(preview: ImportPreview, *, kind: str | None, key: str) -> ColumnChoice:
    """Draw a row for each column of the file and return what is chosen now."""
    fields = {describe_field(each.name, kind): each.name for each in preview.fields}
    proposed = list_proposed(preview)
    others = [use for use in (_other_use(kind, preview), LEFT_OUT) if use]
    rows = [
        {
            COLUMN: column.name,
            VALUES: ", ".join(row[at] for row in preview.rows[:SHOWN_VALUES] if at < len(row) and row[at]),
            HOLDS: describe_field(held, kind)
            if (held := proposed.get(column.name) or column.field)
            else USES.get(column.use, LEFT_OUT),
        }
        for at, column in enumerate(preview.columns)
    ]
    rows.sort(key=lambda row: row[COLUMN] not in proposed)
    edited = edit_table(
        rows,
        key=key,
        alt=f"The {len(rows)} columns of the file, and what each holds",
        columns={
            COLUMN: st.column_config.TextColumn(),
            VALUES: st.column_config.TextColumn(),
            HOLDS: st.column_config.SelectboxColumn(
                options=[*fields, *others], required=True, help="Select a cell to change it"
            ),
        },
        editable=(HOLDS,),
    )
    return read_column_choice(
        fields,
        {str(row[COLUMN]): str(row[HOLDS]) for row in edited if row[COLUMN] and row[HOLDS]},
        preview.missing,
    )


def list_proposed(preview: ImportPreview) -> Mapping[str, str]:
    """Return the needed fields that are missing and that one column alone may be, by that column: it is
    chosen already, and taken with the next check."""
    offered = [(one.suggestion, one.name) for one in preview.columns if one.suggestion in preview.missing]
    counts = Counter(field for field, _ in offered)
    return {name: field for field, name in offered if field is not None and counts[field] == 1}


def _other_use(kind: str | None, preview: ImportPreview) -> str | None:
    """Return what a column of such a file may become that holds no field."""
    if kind == "purchases":
        return DIMENSION
    return CURRENCY if any(column.use == "currency" for column in preview.columns) else None


def read_column_choice(
    fields: Mapping[str, str], holds: Mapping[str, str], missing: Sequence[str] = ()
) -> ColumnChoice:
    """Return the choice for what each column holds; `fields` leads from the words to our fields. Of those
    that are `missing`, nobody said that no column has them."""
    mapping: dict[str, str] = dict.fromkeys(fields.values(), "")
    twice: list[str] = []
    for column, words in holds.items():
        if words in fields:
            if mapping[fields[words]]:
                twice.append(words)
            mapping[fields[words]] = column
    mapping = {name: column for name, column in mapping.items() if column or name not in missing}
    return ColumnChoice(mapping, [name for name, words in holds.items() if words == LEFT_OUT], twice)
