"""One import: what its file holds, what would be imported, how far it is, and what came of it."""

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from app.contract.imports import RUNNING_STATUSES, Import, ImportPreview
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.cached_read import clear_reads
from app.dashboard.failure_panel import failure_panel
from app.dashboard.imports.import_actions import (
    draw_answers,
    draw_cancel,
    draw_check_again,
    draw_check_as,
    draw_check_of_sheet,
    draw_confirmation,
    draw_questions,
    draw_undo,
)
from app.dashboard.kit.record_page import draw_record_page
from app.dashboard.signing_in import identity
from components.elements.page_header import Colour, draw_page_header
from components.formatting.datetimes import get_reader_zone
from components.imports.file_questions import (
    draw_base_currency,
    draw_base_note,
    draw_column_choice,
    draw_date_order,
    draw_kind_choice,
    draw_sheet_choice,
)
from components.imports.import_preview import (
    STATUS_LABELS,
    describe_kind,
    draw_doubts,
    draw_export,
    draw_first_rows,
    draw_import_outcome,
    draw_import_progress,
    draw_left_out,
    draw_missing_columns,
    draw_notes,
    draw_refusals,
    draw_row_counts,
    draw_sentences,
)

REFRESH_SECONDS = 1.0
COLOURS: dict[str, Colour] = {"completed": "green", "failed": "red", "ready": "blue", "incomplete": "orange"}

deployment = identity.require_deployment()


@st.fragment(run_every=REFRESH_SECONDS)
def follow_import(import_id: str) -> None:
    """Draw how far the import is, and the whole page anew once the service has done this step."""
    finished = False
    with failure_panel("Following the import"):
        queries.load_import.clear()
        one = queries.load_import(deployment, import_id)
        finished = one.status not in RUNNING_STATUSES
        if not finished:
            draw_import_progress(one, datetime.now(UTC))
            if one.status != "undoing":
                draw_cancel(deployment, one)
    if finished:
        clear_reads()  # estimates, explanations and figures too rest on what was imported or removed
        st.rerun()


def open_checked(import_id: str) -> None:
    navigation.open_page("import_file", id=import_id)


def needs_base(one: Import, preview: ImportPreview) -> bool:
    """Whether the file has rates and no column for their base."""
    return one.kind == "rates" and not any(column.field == "base" for column in preview.columns)


def draw_columns(one: Import, preview: ImportPreview) -> None:
    choice = draw_column_choice(preview, kind=one.kind, key=f"columns-{one.id}")
    changes: dict[str, str | None] = {}
    if needs_base(one, preview):
        changes["base_currency"] = draw_base_currency(one.base_currency, key=f"base-{one.id}")
    is_asked = any(question.name == "date_order" for question in preview.asks)
    if one.kind in ("agreements", "purchases", "rates") and not is_asked:
        changes["date_order"] = draw_date_order(one.date_order, key=f"dates-{one.id}")
    draw_check_again(deployment, one, choice, changes, on_checked=open_checked)


def draw_choices(one: Import, preview: ImportPreview) -> bool:
    """Draw what the file holds and which of its sheets is read; whether something else was chosen, which only
    another check shows."""
    kind = draw_kind_choice(one.kind, key=f"kind-{one.id}")
    if kind is not None and kind != one.kind:
        draw_check_as(deployment, one, kind, on_checked=open_checked)
        return True
    sheet = draw_sheet_choice(preview.sheets, preview.sheet, key=f"sheet-{one.id}")
    if sheet is not None and sheet.name != preview.sheet:
        draw_check_of_sheet(deployment, one, sheet, on_checked=open_checked)
        return True
    return False


def draw_checked(one: Import, preview: ImportPreview) -> None:
    """Draw a file that waits to be confirmed, or for its columns and what else it does not say."""
    can_check = queries.has_operation(deployment, "POST /v1/imports")
    if can_check and draw_choices(one, preview):
        return
    draw_export(preview)
    draw_notes(preview)
    if preview.missing:
        draw_missing_columns(preview, one.kind)
    draw_left_out(preview, one.kind)
    draw_sentences(preview)
    if can_check:
        draw_questions(deployment, one, on_checked=open_checked)
        if preview.missing:
            draw_columns(one, preview)
    if not preview.missing:
        draw_row_counts(preview, one.kind)
        if needs_base(one, preview):
            draw_base_note(one.base_currency)
    if can_check:
        draw_answers(deployment, one, on_checked=open_checked)
    draw_confirmation(deployment, one, on_discarded=lambda: navigation.open_page("imports"))
    if preview.rows:
        st.subheader("First rows", anchor=False)
        draw_first_rows(preview, key="first-rows")
    draw_refusals(preview, kind=one.kind, key="refusals")
    draw_doubts(preview, key="doubts")
    if can_check and not preview.missing:
        st.subheader("Columns", anchor=False)
        draw_columns(one, preview)


def draw_ended(one: Import) -> None:
    draw_import_outcome(one, get_reader_zone())
    with st.container(horizontal=True, vertical_alignment="center"):
        if one.status == "completed":
            if one.kind == "agreements":
                if st.button("Open the contracts", icon=":material/contract:", key="to-agreements"):
                    navigation.open_page("agreements")
            elif one.kind != "rates" and st.button(
                "Open the catalog", icon=":material/storefront:", key="to-catalog"
            ):
                navigation.open_page("catalog")
            draw_undo(deployment, one)
        can_import = queries.has_operation(deployment, "POST /v1/imports")
        if can_import and st.button("Import another file", icon=":material/upload_file:", key="another"):
            navigation.open_page("imports")
    if one.preview and one.status == "completed":
        draw_refusals(one.preview, kind=one.kind, is_over=True, key="refusals")
        draw_doubts(one.preview, is_over=True, key="doubts")


def draw_import(one: Import) -> None:
    badges: list[tuple[str, Colour]] = [
        (STATUS_LABELS.get(one.status, one.status), COLOURS.get(one.status, "gray"))
    ]
    if kind := describe_kind(one.kind):
        badges.insert(0, (kind, "gray"))
    draw_page_header(one.filename, badges=badges)
    if one.status in RUNNING_STATUSES:
        follow_import(one.id)
    elif one.status in ("ready", "incomplete") and one.preview:
        draw_checked(one, one.preview)
    else:
        draw_ended(one)


draw_record_page(
    "import",
    icon="upload_file",
    list_page="imports",
    load=partial(queries.load_import, deployment),
    draw=draw_import,
    moment=lambda one: ("Started", one.created_at),
)
