"""Imports: the drop zone, the list, and how far one is."""

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

import streamlit as st

from app.contract.files import TABLE_FORMAT_NAMES, TABLE_SUFFIXES
from app.contract.imports import Import, ImportRemoval, ImportResult
from components.elements.document_upload import MAX_MEBIBYTES
from components.elements.record_table import Column, draw_record_table
from components.formatting.counts import format_count
from components.formatting.datetimes import format_duration, format_local_time
from components.formatting.texts import escape_markdown
from components.imports.import_preview import STATUS_LABELS, describe_kind, name_row

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


def draw_import_table(imports: Sequence[Import], *, zone: tzinfo) -> None:
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
            "Started": Column(lambda one: format_local_time(one.created_at, zone), "right"),
        },
        link=lambda one: ("import_file", {"id": one.id}),
        alt=f"{len(imports)} imports, newest first",
    )


_SLOW_AFTER = timedelta(minutes=2)
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
    waited = now - one.updated_at if one.updated_at else timedelta()
    if waited > _SLOW_AFTER:
        st.caption(
            f"No progress for {format_duration(waited)}. The worker may be busy or stopped: "
            "see the System status page."
        )


def draw_import_outcome(one: Import, zone: tzinfo) -> None:
    """Draw how an import has ended."""
    if one.status == "completed" and one.result:
        st.success(_describe_result(one.result, one.kind), icon=":material/task_alt:")
        if one.undo_until:
            st.caption(f"You can undo this import until {format_local_time(one.undo_until, zone)}.")
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
    new = [
        format_count(number, noun, plural)
        for number, noun, plural in (
            (result.companies or 0, "supplier", None),
            (result.products or 0, "product", None),
            (result.categories or 0, "category", "categories"),
        )
        if number
    ]
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
    removal: ImportRemoval | None = one.removal
    if removal is None or not (removal.rows or removal.entries or removal.restored):
        return f"{title} Nothing of it is on record."
    removed = [
        format_count(number, noun, plural)
        for number, noun, plural in (
            (removal.rows, name_row(one.kind), None),
            (removal.entries, "catalog entry", "catalog entries"),
        )
        if number
    ]
    parts = [title]
    if removed:
        parts.append(f"{' and '.join(removed)} removed.")
    if removal.restored:
        verb = "is" if removal.restored == 1 else "are"
        parts.append(f"{format_count(removal.restored, 'supplier')} {verb} as before.")
    if one.kind == "rates":
        parts.append("Earlier rates count again.")
    return " ".join(parts)
