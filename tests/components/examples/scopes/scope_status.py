from collections.abc import Sequence

import streamlit as st

from components.elements.page_header import Colour
from components.scopes import ARCHIVED_LABEL, STATUS_LABELS


def example() -> None:
    labels: Sequence[tuple[str, Colour]] = [*STATUS_LABELS.values(), ARCHIVED_LABEL]
    with st.container(horizontal=True):
        for label, colour in labels:
            st.badge(label, color=colour)
