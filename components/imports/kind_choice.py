"""What a file holds, as it was recognised, to be corrected."""

import streamlit as st

from components.imports.import_words import KIND_LABELS


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
