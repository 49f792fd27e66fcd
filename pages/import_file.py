"""One import: what its file holds, what would be imported, how far it is, and what came of it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

import streamlit as st

from app.contract.imports import RUNNING_STATUSES, Import, ImportPreview
from app.dashboard.api import queries
from app.dashboard.api.cached_read import clear_reads
from app.dashboard.failure_panel import failure_panel
from app.dashboard.import_actions import (
    draw_answers,
    draw_confirmation,
    draw_new_check,
    draw_questions,
    draw_undo,
    draw_withdrawal,
    plan_sheet,
)
from app.dashboard.kit.needs import draw_page_button
from app.dashboard.kit.record_page import draw_record_page
from app.dashboard.signing_in import identity
from components.elements.page_header import Colour, draw_heading, draw_page_header
from components.formatting import escape_markdown
from components.imports.file_questions import (
    DEFAULT_BASE,
    draw_base_currency,
    draw_column_choice,
    draw_date_order,
    draw_kind_choice,
    draw_sheet_choice,
)
from components.imports.import_preview import (
    EXPORT_LABELS,
    STATUS_LABELS,
    describe_kind,
    draw_doubts,
    draw_first_rows,
    draw_import_outcome,
    draw_import_progress,
    draw_left_out,
    draw_missing_columns,
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
    with failure_panel("Following the import"):
        queries.load_import.clear()
        one = queries.load_import(deployment, import_id)
        if one.status not in RUNNING_STATUSES:
            clear_reads()  # estimates, explanations and figures too rest on what was imported or removed
            st.rerun()
        draw_import_progress(one, datetime.now(UTC))
        if one.status != "undoing":
            draw_withdrawal(deployment, one, "Cancel", icon="cancel")


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
    if choice.chosen_twice:
        st.error(f"More than one column holds: {', '.join(choice.chosen_twice)}.", icon=":material/error:")
    draw_new_check(
        deployment,
        one,
        {"mapping": dict(choice.mapping), "ignore": list(choice.ignore), **changes},
        "Check again with these columns",
        disabled=bool(choice.chosen_twice),
    )


def draw_choices(one: Import, preview: ImportPreview) -> bool:
    """Draw what the file holds and which of its sheets is read; whether something else was chosen, which only
    another check shows."""
    kind = draw_kind_choice(one.kind, key=f"kind-{one.id}")
    if kind is not None and kind != one.kind:
        label = f"Check the file as {(describe_kind(kind) or kind).lower()}"
        anew: Mapping[str, Any] = {"kind": kind, "mapping": {}, "ignore": []}
        draw_new_check(deployment, one, anew, label, type="primary")
        return True
    sheet = draw_sheet_choice(preview.sheets, preview.sheet, key=f"sheet-{one.id}")
    if sheet is not None and sheet.name != preview.sheet:
        label = f"Check the sheet {escape_markdown(sheet.name)}"
        draw_new_check(deployment, one, plan_sheet(one, sheet), label, type="primary")
        return True
    return False


def draw_checked(one: Import, preview: ImportPreview) -> None:
    """Draw a file that waits to be confirmed, or for its columns and what else it does not say."""
    can_check = queries.has_operation(deployment, "POST /v1/imports")
    if can_check and draw_choices(one, preview):
        return
    if preview.recognised_as:
        what = EXPORT_LABELS.get(preview.recognised_as, preview.recognised_as)
        st.caption(f"Recognised as {what}: no column has to be chosen.")
    if preview.notes:
        st.caption("\n".join(f"- {escape_markdown(note)}" for note in preview.notes))
    if preview.missing:
        draw_missing_columns(preview, one.kind)
    draw_left_out(preview, one.kind)
    draw_sentences(preview)
    if can_check:
        draw_questions(deployment, one)
        if preview.missing:
            draw_columns(one, preview)
    if not preview.missing:
        draw_row_counts(preview, one.kind)
        if needs_base(one, preview):
            st.caption(
                f"One {one.base_currency or DEFAULT_BASE} is worth what each rate says: the file has no"
                " column for the base currency. Change it below the columns."
            )
    if can_check:
        draw_answers(deployment, one)
    draw_confirmation(deployment, one)
    if preview.rows:
        draw_heading("First rows")
        draw_first_rows(preview, key="first-rows")
    draw_refusals(preview, kind=one.kind, key="refusals")
    draw_doubts(preview, key="doubts")
    if can_check and not preview.missing:
        draw_heading("Columns")
        draw_columns(one, preview)


def draw_ended(one: Import) -> None:
    draw_button = partial(draw_page_button, deployment)
    draw_import_outcome(one)
    with st.container(horizontal=True, vertical_alignment="center"):
        if one.status == "completed":
            if one.kind == "agreements":
                draw_button("Open the contracts", "agreements", icon="contract", key="to-agreements")
            elif one.kind != "rates":
                draw_button("Open the catalog", "catalog", icon="storefront", key="to-catalog")
            draw_undo(deployment, one)
        needs = "POST /v1/imports"
        draw_button("Import another file", "imports", icon="upload_file", key="another", needs=needs)
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
