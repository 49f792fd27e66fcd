"""Imports: the drop zone, the list, what one would bring in sentences, and how far it is."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import streamlit as st

from app.contract.files import TABLE_FORMAT_NAMES, TABLE_SUFFIXES
from app.contract.imports import Import, ImportDoubt, ImportPreview, ImportResult, RefusedRow
from components.elements.empty_state import draw_stall_note
from components.elements.form_fields import MAX_MEBIBYTES
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.record_table import Column, draw_record_table
from components.elements.table import draw_table
from components.formatting import escape_markdown, format_count, format_local_time

KIND_LABELS: Mapping[str, str] = {
    "purchases": "Purchases",
    "catalog": "Suppliers and products",
    "rates": "Exchange rates",
    "agreements": "Contracts",
}
EXPORT_LABELS: Mapping[str, str] = {
    "coupa_order_lines": "order lines of Coupa",
    "focus_contract_commitments": "contract commitments in the FOCUS format",
    "microsoft_365_licences": "licences of Microsoft 365",
    "parley_agreements": "contracts that Parley has exported",
    "xero_bills": "bills of Xero",
}
ROW_NOUNS: Mapping[str, str] = {"rates": "rate", "agreements": "contract"}
"""What is counted of a file, where it is not its rows."""
STATUS_LABELS: Mapping[str, str] = {
    "checking": "being checked",
    "incomplete": "needs an answer",
    "ready": "ready to import",
    "importing": "being imported",
    "completed": "imported",
    "undoing": "being taken back",
    "undone": "undone",
    "cancelled": "cancelled",
    "failed": "failed",
}
QUESTION_LABELS: Mapping[str, str] = {
    "encoding": "Spelling",
    "number_format": "Numbers",
    "date_order": "Dates",
    "currency": "Currency",
    "price_per": "Prices",
    "states": "States",
    "blank_cells": "Blank cells",
}
ANSWER_LABELS: Mapping[str, Mapping[str, str]] = {
    "number_format": {"point": "a point before the decimals", "comma": "a comma before the decimals"},
    "date_order": {"day_first": "the day comes first", "month_first": "the month comes first"},
    "blank_cells": {"above": "those of the row above", "missing": "not known"},
    "price_per": {
        "month": "for one month",
        "quarter": "for a quarter",
        "half_year": "for half a year",
        "year": "for one year",
        "term": "for the whole term",
    },
}
LOOKS: Mapping[str, str] = {"mail": "mail addresses"}
"""What the values of a column look like, where the interface's word is not ours."""
FIELD_LABELS: Mapping[str, str] = {"name": "Supplier name", "url": "Web address"}
AGREEMENT_FIELD_LABELS: Mapping[str, str] = {
    "reference": "Contract number",
    "name": "Name of the contract",
    "term_start": "First day",
    "term_end": "Last day of the first term",
    "term_period": "First and last day in one cell",
    "day_after_end": "Day after the term",
    "term_months": "Term in months",
    "term_years": "Term in years",
    "price_per": "What the unit price is for",
    "term": "Term with its unit",
    "auto_renewal": "Renews by itself (yes or no)",
    "auto_renewal_term_months": "Renewal term",
    "renewal_term": "Renewal with its unit",
    "notice_period": "Notice period with its unit",
    "notice_days": "Notice in days",
    "notice_months": "Notice in months",
    "cost_center": "Cost centre",
    "annual_value": "Value of a year",
}
DIMENSION, CURRENCY, LEFT_OUT = "Price factor", "Rates of this currency", "Leave out"
READ = "Read with the others"
"""What a column may become that holds no field."""


def describe_kind(kind: str | None) -> str | None:
    """Return what a file holds, in words; None while nobody knows."""
    return None if kind is None else KIND_LABELS.get(kind, kind)


def name_row(kind: str | None) -> str:
    """Return the noun for what is counted of such a file."""
    return ROW_NOUNS.get(kind or "", "row")


def describe_field(field: str, kind: str | None) -> str:
    """Return `Purchase date` for `purchase_date`, as it is called in files of that kind."""
    labels = AGREEMENT_FIELD_LABELS if kind == "agreements" else FIELD_LABELS
    return labels.get(field) or field.replace("_", " ").capitalize()


def describe_answers(one: Import) -> Sequence[str]:
    """Return what a person said of the file, such as `Currency: EUR`."""
    answers = {name: getattr(one, name) for name in QUESTION_LABELS}
    answers["states"] = "; ".join(
        f"{state} is {'a' if is_purchase else 'no'} purchase" for state, is_purchase in one.states.items()
    )
    return [
        f"{QUESTION_LABELS[name]}: {ANSWER_LABELS.get(name, {}).get(answer, answer)}"
        for name, answer in answers.items()
        if answer
    ]


def list_proposed(preview: ImportPreview) -> Mapping[str, str]:
    """Return the needed fields that are missing and that one column alone may be, by that column: it is
    chosen already, and taken with the next check."""
    offered = [
        (one.suggestion, one.name)
        for one in preview.columns
        if one.suggestion is not None and one.suggestion in preview.missing
    ]
    counts = Counter(field for field, _ in offered)
    return {name: field for field, name in offered if counts[field] == 1}


def list_fields(fields: Sequence[str], kind: str | None) -> str:
    """Return `**Supplier**, **Product**`."""
    return ", ".join(f"**{describe_field(field, kind)}**" for field in fields)


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
    proposed = [
        f"**{escape_markdown(name)}** as {describe_field(field, kind)}"
        for name, field in list_proposed(preview).items()
    ]
    below = (
        f"Proposed below: {', '.join(proposed)}. Check again to take what is chosen there."
        if len(proposed) == len(preview.missing)
        else "Choose the column for each below, then check the file again."
    )
    otherwise = "\n\nIf the file holds something else, choose it above:\n\n" + "\n".join(others)
    st.warning(
        f"No column was recognised for {list_fields(preview.missing, kind)}. {below}"
        f"{otherwise if others else ''}",
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


def draw_left_out(preview: ImportPreview, kind: str | None) -> None:
    """Draw the columns without a place whose headings or values look as if they mattered."""
    proposed = list_proposed(preview)
    offered = {
        one.name: one.suggestion
        for one in preview.columns
        if one.suggestion and not one.field and one.name not in proposed
    }
    looks = {
        one.name: LOOKS.get(one.looks_like, one.looks_like)
        for one in preview.left_out
        if one.name not in proposed
    }
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
    draw_metric_row([Metric(label, f"{number or 0:,}") for label, number in counts])
    entries = _list_counts(
        (preview.products, "new product", None), (preview.categories, "new category", "new categories")
    )
    if entries:
        st.caption(f"With {' and '.join(entries)}.")


def _list_counts(*counts: tuple[int | None, str, str | None]) -> list[str]:
    """Return `2 products` for each number that is known and not 0, with its noun and plural."""
    return [format_count(number, one, several) for number, one, several in counts if number]


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


if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile


def draw_table_upload(label: str, *, key: str) -> "list[UploadedFile]":
    """Draw the field, which takes several files, and return those that were chosen."""
    return st.file_uploader(
        label,
        type=TABLE_SUFFIXES,
        key=key,
        accept_multiple_files=True,
        max_upload_size=MAX_MEBIBYTES,
        help=f"{TABLE_FORMAT_NAMES}, the names of the columns in the first row",
    )


def draw_import_table(imports: Sequence[Import]) -> None:
    """Draw the imports."""
    draw_record_table(
        imports,
        {
            "File": Column(lambda one: one.filename),
            "Contents": Column(lambda one: describe_kind(one.kind)),
            "State": Column(lambda one: STATUS_LABELS.get(one.status, one.status)),
            "Rows": Column(
                lambda one: None if one.result is None else one.result.imported,
                "right",
                "Rows that were imported",
            ),
            "Started": Column(lambda one: format_local_time(one.created_at), "right"),
        },
        link=lambda one: ("import_file", {"id": one.id}),
        alt=f"{len(imports)} imports, newest first",
    )


_DOING = {"checking": "Checking", "importing": "Importing", "undoing": "Taking back"}


def draw_import_progress(one: Import, now: datetime) -> None:
    """Draw a bar with the rows done so far."""
    total = one.preview.total if one.preview else None
    share = min(1.0, one.rows_done / total) if total and one.status == "importing" else 0.0
    done = (
        f": {one.rows_done:,}{f' of {total:,}' if share else ''} {name_row(one.kind)}s"
        if one.rows_done
        else ""
    )
    st.progress(share, text=f"{_DOING.get(one.status, 'Working on')} {escape_markdown(one.filename)}{done} …")
    draw_stall_note(one.updated_at, now)


def draw_import_outcome(one: Import) -> None:
    """Draw how an import has ended."""
    if one.status == "completed" and one.result:
        st.success(_describe_result(one.result, one.kind), icon=":material/task_alt:")
        if one.undo_until:
            st.caption(f"You can undo this import until {format_local_time(one.undo_until)}.")
    elif one.status == "failed":
        why = escape_markdown(one.error or "The service gave no reason.")
        st.error(f"**The file was not imported.** {why}", icon=":material/error:")
    elif one.status in ("undone", "cancelled"):
        st.info(_describe_withdrawal(one), icon=":material/undo:")
    if one.removal and one.removal.kept:
        st.markdown("**Some data stays:**")
        st.markdown("\n".join(f"- {escape_markdown(each)}" for each in one.removal.kept))


def _describe_result(result: ImportResult, kind: str | None) -> str:
    noun = name_row(kind)
    new = _list_counts(
        (result.companies, "supplier", None),
        (result.products, "product", None),
        (result.categories, "category", "categories"),
    )
    parts = [] if kind == "catalog" else [f"**{format_count(result.imported, noun)} imported.**"]
    if new:
        parts.append(f"New in your catalog: {', '.join(new)}.")
    if result.changed:
        changed = format_count(result.changed, "supplier" if kind == "catalog" else noun)
        parts.append(f"{changed} {'updated' if kind == 'catalog' else 'replaced'}.")
    if result.repeated:
        parts.append(f"{format_count(result.repeated, noun)} already on record.")
    if result.refused:
        parts.append(f"{format_count(result.refused, noun)} refused.")
    if kind == "rates":
        parts.append("Your own rates count before those of the deployment.")
    return " ".join(parts)


def _describe_withdrawal(one: Import) -> str:
    title = "**This import was undone.**" if one.status == "undone" else "**This import was cancelled.**"
    removal = one.removal
    if removal is None or not (removal.rows or removal.entries or removal.restored):
        return f"{title} Nothing {'was removed' if removal and removal.kept else 'of it is on record'}."
    removed = _list_counts(
        (removal.rows, name_row(one.kind), None), (removal.entries, "catalog entry", "catalog entries")
    )
    parts = [title]
    if removed:
        parts.append(f"{' and '.join(removed)} removed.")
    if removal.restored:
        verb = "is" if removal.restored == 1 else "are"
        parts.append(f"{format_count(removal.restored, 'supplier')} {verb} as before.")
    if one.kind == "rates":
        parts.append("Earlier rates count again.")
    return " ".join(parts)
