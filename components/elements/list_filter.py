"""A choice that filters a list."""

from collections.abc import Mapping
from functools import partial
from typing import TypeVar

import streamlit as st

from components.elements.page_number import go_to_first_page

Value = TypeVar("Value")


def draw_list_filter(label: str, choices: Mapping[str, Value], *, key: str, page_key: str) -> Value:
    """Draw the names of `choices` side by side and return the value of the chosen one. The choice is in the
    address (`?key=`). Another choice goes back to the first page of the list, whose number is under
    `page_key`. Both keys belong to this list alone, see `page_number`."""
    name = st.radio(
        label,
        list(choices),
        horizontal=True,
        key=key,
        bind="query-params",
        label_visibility="collapsed",
        on_change=partial(go_to_first_page, page_key),
    )
    return choices[name]
