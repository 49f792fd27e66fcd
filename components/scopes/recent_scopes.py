"""A table of the scopes that were created last."""

from collections.abc import Sequence
from datetime import tzinfo

import streamlit as st

from app.contract.money import format_money
from app.contract.scope import Scope
from components.elements.clickable_table import draw_clickable_table
from components.elements.table import drop_empty_columns
from components.formatting import datetimes
from components.formatting.counts import format_count
from components.formatting.terms import format_months
from components.scopes.fixtures import make_scope
from components.scopes.scope_card import get_listed_currency, get_quoted_total, make_scope_title

READING_STATES = {"pending": "waiting to be read", "processing": "being read", "failed": "could not be read"}


def draw_recent_scopes(scopes: Sequence[Scope], *, zone: tzinfo, key: str) -> Scope | None:
    """Draw the scopes and return the one that was chosen."""
    rows = [
        {
            "Scope": make_scope_title(scope),
            "Source": scope.document_processing.filename if scope.document_processing else "by hand",
            "Quoted": None
            if (quoted := get_quoted_total(scope)) is None
            else format_money(quoted, get_listed_currency(scope)),
            "Term": ", ".join(format_months(term.term_length) for term in scope.scope_terms) or None,
            "State": READING_STATES.get(scope.document_processing.status)
            if scope.document_processing
            else None,
            "Created": datetimes.format_local_time(scope.created_on, zone),
        }
        for scope in scopes
    ]
    columns = {
        "Source": st.column_config.TextColumn(),
        "Term": st.column_config.TextColumn(alignment="right"),
        "Quoted": st.column_config.TextColumn(alignment="right", help="Before tax, for the whole term"),
        "State": st.column_config.TextColumn(),
        "Created": st.column_config.TextColumn(alignment="right"),
    }
    chosen = draw_clickable_table(
        rows,
        key=key,
        alt=f"{format_count(len(rows), 'scope')}, newest first",
        button_column="Scope",
        columns=drop_empty_columns(columns, rows, ("State",)),
    )
    return None if chosen is None else scopes[chosen]


def example() -> None:
    draw_recent_scopes([make_scope()], zone=datetimes.get_reader_zone(), key="example-recent-scopes")
