"""What a file holds, as it was recognised, to be corrected."""

from collections.abc import Sequence

import streamlit as st

from app.contract.imports import ImportKindMatch
from components.imports.fixtures import make_preview
from components.imports.import_words import KIND_LABELS, describe_kind, list_fields


def draw_kind_choice(kind: str | None, *, key: str) -> str | None:
    """Draw the kinds and return the one that is chosen now."""
    kinds = list(KIND_LABELS)
    chosen = st.radio(
        "This file holds",
        kinds,
        index=kinds.index(kind) if kind in kinds else None,
        horizontal=True,
        format_func=lambda each: KIND_LABELS[each],
        key=key,
        help="Recognised by the names of the columns",
    )
    return chosen or kind


def draw_no_kind(kinds: Sequence[ImportKindMatch]) -> None:
    """Draw what a file that fits no kind would need for each."""
    needs = "\n".join(f"- {describe_kind(each.kind)}: {list_fields(each.missing)}" for each in kinds)
    st.warning(
        f"What this file holds was not recognised by its columns. No column was found for:\n\n{needs}",
        icon=":material/help:",
    )


def example() -> None:
    draw_kind_choice("rates", key="example-kind")
    draw_no_kind(make_preview().kinds)
