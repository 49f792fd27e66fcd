"""What the check of a file found: what would be on record, how many rows, which are refused, and what is left
out."""

from collections.abc import Sequence

import streamlit as st

from app.contract.imports import ImportDoubt, ImportPreview, RefusedRow
from components.elements.table import draw_table
from components.formatting.counts import format_count
from components.formatting.texts import escape_markdown
from components.imports.import_words import (
    EXPORT_LABELS,
    LOOKS,
    describe_field,
    describe_kind,
    list_fields,
    name_row,
)

MAX_REASONS, MAX_REASONS_HEIGHT = 10, 320
"""With more reasons than these, the list is so many pixels high and scrolls."""


def draw_missing_columns(preview: ImportPreview, kind: str | None) -> None:
    """Draw which needed fields have no column, and what the file would need to hold something else."""
    others = [
        f"- {describe_kind(each.kind)}: "
        + (
            f"needs {list_fields(each.missing, each.kind)}"
            if each.missing
            else "every needed column is there"
        )
        for each in preview.kinds
        if each.kind != kind
    ]
    otherwise = "\n\nIf the file holds something else, choose it above:\n\n" + "\n".join(others)
    st.warning(
        f"No column was recognised for {list_fields(preview.missing, kind)}. Choose the column for each "
        f"below, then check the file again.{otherwise if others else ''}",
        icon=":material/view_column:",
    )


def draw_sentences(preview: ImportPreview) -> None:
    """Draw in words what the first rows would put on record; until all is answered it may still change."""
    if not preview.sentences:
        return
    title = "What would be on record, as far as the file says" if preview.asks else "What would be on record"
    st.markdown(
        f"**{title}**\n\n" + "\n".join(f"- {escape_markdown(sentence)}" for sentence in preview.sentences)
    )
    if preview.asks:
        st.caption("Your answers to what it does not say may change this, and which rows are refused.")


def draw_notes(preview: ImportPreview) -> None:
    """Draw what was stepped over or left out before the rows."""
    if preview.notes:
        st.caption("\n".join(f"- {escape_markdown(note)}" for note in preview.notes))


def draw_left_out(preview: ImportPreview, kind: str | None) -> None:
    """Draw the columns without a place whose headings or values look as if they mattered."""
    offered = {one.name: one.suggestion for one in preview.columns if one.suggestion and not one.field}
    looks = {one.name: LOOKS.get(one.looks_like, one.looks_like) for one in preview.left_out}
    looks |= {name: f"may be {describe_field(field, kind).lower()}" for name, field in offered.items()}
    columns = [f"{escape_markdown(name)} ({words})" for name, words in looks.items()]
    if columns:
        them = "it" if len(columns) == 1 else "them"
        st.markdown(f"Left out: {', '.join(columns)}. Give {them} a place under **Columns**.")


def draw_row_counts(preview: ImportPreview, kind: str | None) -> None:
    """Draw how many rows are new, change something, are there already, and are refused; of a catalog also the
    new entries."""
    noun = "suppliers" if kind == "catalog" else f"{name_row(kind)}s"
    counts = [
        (f"New {noun}", preview.new),
        ("Already on record", preview.repeated),
        ("Refused", preview.refused),
    ]
    if kind not in ("purchases", "agreements"):
        counts.insert(1, (f"Changed {noun}", preview.changed))
    if kind == "agreements":
        counts.append(("Doubtful values", preview.doubtful))
    with st.container(horizontal=True):
        for label, number in counts:
            st.metric(label, f"{number or 0:,}", border=True)
    entries = [
        format_count(number, f"new {one}", several and f"new {several}")
        for number, one, several in (
            (preview.products, "product", None),
            (preview.categories, "category", "categories"),
        )
        if number
    ]
    if entries:
        st.caption(f"With {' and '.join(entries)}.")


def draw_export(preview: ImportPreview) -> None:
    """Draw as which export of another system the file was recognised."""
    if preview.recognised_as:
        what = EXPORT_LABELS.get(preview.recognised_as, preview.recognised_as)
        st.caption(f"Recognised as {what}: no column has to be chosen.")


def draw_doubts(preview: ImportPreview, *, is_over: bool = False, key: str) -> None:
    """Draw the first values that are left out, or read in one of several ways, with the reason of each."""
    doubtful = preview.doubtful or 0
    if not doubtful:
        return
    verb = "was" if is_over and doubtful == 1 else "were" if is_over else "is" if doubtful == 1 else "are"
    st.markdown(f"**{format_count(doubtful, 'value')} {verb} doubtful**")
    note = "Their contracts are put on record all the same; what is left out is listed as missing there."
    if doubtful > len(preview.doubts):
        note += f" The first {len(preview.doubts)}:"
    st.caption(note)
    _draw_reasons(preview.doubts, key=key)


def draw_first_rows(preview: ImportPreview, *, key: str) -> None:
    """Draw the first rows as the file has them, under the names of its columns."""
    names = _unique_names([column.name for column in preview.columns])
    draw_table(
        [dict(zip(names, row, strict=False)) for row in preview.rows],
        key=key,
        alt=f"The first {len(preview.rows)} rows of the file",
        columns={name: st.column_config.TextColumn() for name in names},
    )


def draw_refusals(
    preview: ImportPreview, *, kind: str | None = None, is_over: bool = False, key: str
) -> None:
    """Draw the first refused rows with the reason of each; `is_over` where the others were imported."""
    refused = preview.refused or 0
    if not refused:
        return
    verb = ("was" if refused == 1 else "were") if is_over else "would be" if preview.asks else "will be"
    st.markdown(f"**{format_count(refused, name_row(kind))} {verb} left out**")
    if refused > len(preview.refusals):
        st.caption(f"The first {len(preview.refusals)} of them:")
    _draw_reasons(preview.refusals, key=key)


def _draw_reasons(rows: Sequence[RefusedRow | ImportDoubt], *, key: str) -> None:
    """Draw a line for each. They are sentences, which the cells of a table would cut."""
    lines = (f"- **Line {row.line:,}**: {escape_markdown(row.reason)}" for row in rows)
    with st.container(height=MAX_REASONS_HEIGHT if len(rows) > MAX_REASONS else "content", key=key):
        st.markdown("\n".join(lines))


def _unique_names(names: list[str]) -> list[str]:
    """Return the names with a number behind those that stand there before, and behind empty ones."""
    unique: list[str] = []
    for at, name in enumerate(names, start=1):
        unique.append(name if name and name not in unique else f"{name or 'Column'} {at}")
    return unique
