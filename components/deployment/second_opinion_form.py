"""The form of whom an organisation asks for a second opinion on its documents."""

from collections.abc import Mapping

import streamlit as st

from app.contract.second_opinion import MAX_CALLS, SecondOpinionSettings
from components.elements.form_fields import draw_fault, read_fields, set_defaults
from components.formatting.counts import format_count
from components.formatting.escape_markdown import escape_markdown

FIELDS = ("enabled", "address", "model", "key", "without_key", "calls_per_day")


def read_values(current: SecondOpinionSettings) -> dict[str, object]:
    """Return what the fields hold of the settings on record; a key is never shown."""
    return {
        "enabled": current.enabled,
        "address": current.address,
        "model": current.model,
        "without_key": current.address is not None and not current.has_key,
        "calls_per_day": current.calls_per_day,
    }


def draw_second_opinion_form(
    current: SecondOpinionSettings, *, key: str, faults: Mapping[str, str] | None = None
) -> None:
    """Draw whom is asked now, with what is sent; `faults` are those of the last attempt."""
    wrong = faults or {}
    if wrong.get(""):
        st.error(escape_markdown(wrong[""]), icon=":material/error:")
    st.caption(
        "Where sums or lines of a quote are doubtful, the words of those pages are sent to a model that you"
        " choose. It points at words; the figures are read and added up here, and nothing becomes certain by"
        " it. Each quote says what was sent."
    )
    set_defaults(key, read_values(current))
    st.toggle("Ask for a second opinion", key=f"{key}/enabled", persist_state="page")
    st.text_input(
        "Address",
        key=f"{key}/address",
        type="url",
        placeholder="https://models.example.com/v1",
        max_chars=2000,
        help="A service compatible with OpenAI's chat completions; /chat/completions is added.",
        persist_state="page",
    )
    draw_fault(wrong.get("address"))
    with st.container(horizontal=True, gap="medium"):
        st.text_input("Model", key=f"{key}/model", max_chars=200, persist_state="page")
        st.number_input(
            "Calls a day",
            min_value=0,
            max_value=MAX_CALLS,
            step=1,
            key=f"{key}/calls_per_day",
            help=f"{format_count(current.calls_today, 'call')} so far today, which begins at midnight UTC.",
            persist_state="page",
        )
    draw_fault(wrong.get("model"))
    st.text_input(
        "Key",
        key=f"{key}/key",
        type="password",
        autocomplete="off",
        max_chars=1000,
        placeholder="A key is stored; type another to replace it" if current.has_key else None,
        persist_state="page",
    )
    draw_fault(wrong.get("key"))
    st.checkbox("The service needs no key", key=f"{key}/without_key", persist_state="page")


def read_second_opinion_form(*, key: str) -> dict[str, object]:
    """Return what the form under `key` holds at this moment."""
    return read_fields(key, FIELDS)
