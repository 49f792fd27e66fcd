"""What a file does not say: a control for each question about it, and the answers that are given now."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from app.contract.imports import ImportQuestion
from components.elements.form_fields import draw_fault
from components.formatting.escape_markdown import escape_markdown
from components.imports.import_words import QUESTION_LABELS

OTHER_CURRENCY = ""
"""The choice of a currency that is none of the options; its code is typed then."""
MAX_RADIO_OPTIONS = 6
"""More options than these are a list to select from."""


def draw_file_questions(
    asks: Sequence[ImportQuestion], *, key: str, faults: Mapping[str, str] | None = None
) -> None:
    """Draw each question with its control, and below it what is wrong with its answer. Nothing is chosen
    before a person does, unless there is only one option."""
    for question in asks:
        label = QUESTION_LABELS.get(question.name, question.name)
        with st.container(gap="xsmall", key=f"{key}-{question.name}"):
            st.markdown(f"**{escape_markdown(label)}.** {escape_markdown(question.question)}")
            if question.name == "states":
                _draw_states(question, key)
            else:
                _draw_options(question, label, key)
            draw_fault((faults or {}).get(question.name))


def read_file_answers(asks: Sequence[ImportQuestion], *, key: str) -> Mapping[str, Any]:
    """Return what the fields hold now, by the name of the question; None or "" where it is not answered. The
    states that are not ticked are on orders that are no purchases."""
    return {question.name: _read_answer(question, key) for question in asks}


def _read_answer(question: ImportQuestion, key: str) -> Any:
    state = st.session_state
    if question.name == "states":
        return {one.value: bool(state.get(f"{key}/states/{one.value}")) for one in question.options}
    chosen = state.get(f"{key}/{question.name}")
    if question.name == "currency" and chosen == OTHER_CURRENCY:
        return str(state.get(f"{key}/code") or "").strip().upper()
    return chosen


def _draw_options(question: ImportQuestion, label: str, key: str) -> None:
    meanings = {one.value: one.meaning for one in question.options}
    if question.name == "currency":
        meanings[OTHER_CURRENCY] = "Another currency"
    draw = _draw_radio if len(meanings) <= MAX_RADIO_OPTIONS else _draw_select
    chosen = draw(meanings, label, f"{key}/{question.name}")
    if question.name == "currency" and chosen == OTHER_CURRENCY:
        st.text_input(
            "Code of the currency",
            max_chars=3,
            key=f"{key}/code",
            width=200,
            placeholder="USD",
            persist_state="page",
        )


def _draw_radio(meanings: Mapping[str, str], label: str, key: str) -> str | None:
    return st.radio(
        label,
        list(meanings),
        index=0 if len(meanings) == 1 else None,
        format_func=lambda each: escape_markdown(meanings.get(each, each)),
        horizontal=True,
        key=key,
        label_visibility="collapsed",
        persist_state="page",
    )


def _draw_select(meanings: Mapping[str, str], label: str, key: str) -> str | None:
    return st.selectbox(
        label,
        list(meanings),
        index=None,
        format_func=lambda each: meanings.get(each, each),
        key=key,
        placeholder="Choose one",
        label_visibility="collapsed",
        width=400,
        persist_state="page",
    )


def _draw_states(question: ImportQuestion, key: str) -> None:
    st.caption("Tick the words of purchases. Orders with a word that is not ticked are left out.")
    with st.container(horizontal=True):
        for one in question.options:
            st.checkbox(escape_markdown(one.meaning), key=f"{key}/states/{one.value}", persist_state="page")
