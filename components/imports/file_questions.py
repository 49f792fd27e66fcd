"""What is asked about a file before it is imported: its sheet, its kind, its columns, dates and money."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from app.contract.imports import DateOrder, ImportPreview, ImportQuestion, ImportSheet
from components.elements.form_fields import Field, draw_fault, draw_field, set_default
from components.elements.table import edit_table
from components.formatting import escape_markdown, format_count
from components.imports.import_preview import (
    CURRENCY,
    DIMENSION,
    KIND_LABELS,
    LEFT_OUT,
    QUESTION_LABELS,
    READ,
    describe_field,
    list_proposed,
)


def draw_kind_choice(kind: str | None, *, key: str) -> str | None:
    """Draw the kinds and return the one that is chosen now."""
    set_default(key, kind if kind in KIND_LABELS else None)
    help = "Recognised by the names of the columns"
    return (
        draw_field(Field("kind", "This file holds", kind="radio", words=KIND_LABELS, help=help), key) or kind
    )


def draw_sheet_choice(sheets: Sequence[ImportSheet], read: str | None, *, key: str) -> ImportSheet | None:
    """Draw the sheets that hold a table, where there are several, and return the one that is chosen now."""
    tables = {one.name: one for one in sheets if one.columns}
    words = {
        name: f"{name} ({'hidden, ' if one.hidden else ''}{format_count(one.rows, 'row')})"
        for name, one in tables.items()
    }
    if len(tables) < 2:
        return tables.get(read or "")
    names = list(tables)
    chosen = st.selectbox(
        "Sheet",
        names,
        index=names.index(read) if read in names else None,
        format_func=words.__getitem__,
        key=key,
        width=400,
        help="The sheets of this workbook that hold a table",
    )
    return tables[chosen] if chosen else None


ORDERS = {"": "As the file shows", "day_first": "Day first", "month_first": "Month first"}


def draw_date_order(order: str | None, *, key: str) -> DateOrder | None:
    """Draw the choice and return what is chosen now; None where the file's own dates decide."""
    set_default(key, order if order in ORDERS else "")
    help = "Where no date of the file shows which is the day, it is asked"
    return (
        draw_field(Field("order", "Dates such as 03/04/2026", kind="radio", words=ORDERS, help=help), key)
        or None
    )


DEFAULT_BASE = "EUR"


def draw_base_currency(base: str | None, *, key: str) -> str:
    """Draw the field and return the code that is entered now, in capitals."""
    entered = st.text_input(
        "Base currency",
        value=base or DEFAULT_BASE,
        max_chars=3,
        key=key,
        width=160,
        help="One unit of it is worth what each rate says",
    )
    return entered.strip().upper()


COLUMN, VALUES, HOLDS = "Column in the file", "First values", "Holds"
SHOWN_VALUES = 3
USES = {"dimension": DIMENSION, "currency": CURRENCY, "read": READ}


@dataclass(frozen=True)
class ColumnChoice:
    """What a person chose: a mapping from our fields to the file's columns ("" for none), the columns to
    leave out, and the fields that were chosen for more than one column."""

    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    ignore: Sequence[str] = ()
    chosen_twice: Sequence[str] = ()


def draw_column_choice(preview: ImportPreview, *, kind: str | None, key: str) -> ColumnChoice:
    """Draw a row for each column of the file and return what is chosen now."""
    fields = {describe_field(each.name, kind): each.name for each in preview.fields}
    proposed = list_proposed(preview)
    uses = {column.use for column in preview.columns} | ({"dimension"} if kind == "purchases" else set[str]())
    others = [*(words for use, words in USES.items() if use in uses), LEFT_OUT]
    rows = [
        {
            COLUMN: column.name,
            VALUES: ", ".join(row[at] for row in preview.rows[:SHOWN_VALUES] if at < len(row) and row[at]),
            HOLDS: describe_field(held, kind)
            if (held := proposed.get(column.name) or column.field)
            else USES.get(column.use, LEFT_OUT),
        }
        for at, column in enumerate(preview.columns)
    ]
    rows.sort(key=lambda row: row[COLUMN] not in proposed)
    edited = edit_table(
        rows,
        key=key,
        alt=f"The {len(rows)} columns of the file, and what each holds",
        columns={
            COLUMN: st.column_config.TextColumn(),
            VALUES: st.column_config.TextColumn(),
            HOLDS: st.column_config.SelectboxColumn(
                options=[*fields, *others], required=True, help="Select a cell to change it"
            ),
        },
        editable=(HOLDS,),
    )
    return read_column_choice(
        fields,
        {str(row[COLUMN]): str(row[HOLDS]) for row in edited if row[COLUMN] and row[HOLDS]},
        preview.missing,
    )


def read_column_choice(
    fields: Mapping[str, str], holds: Mapping[str, str], missing: Sequence[str] = ()
) -> ColumnChoice:
    """Return the choice for what each column holds; `fields` leads from the words to our fields. Of those
    that are `missing`, nobody said that no column has them."""
    mapping: dict[str, str] = dict.fromkeys(fields.values(), "")
    twice: list[str] = []
    for column, words in holds.items():
        if words in fields:
            if mapping[fields[words]]:
                twice.append(words)
            mapping[fields[words]] = column
    mapping = {name: column for name, column in mapping.items() if column or name not in missing}
    return ColumnChoice(mapping, [name for name, words in holds.items() if words == LEFT_OUT], twice)


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
    states that are not ticked are on rows that do not count."""
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
    place = f"{key}/{question.name}"
    options = Field(
        question.name, label, kind="choice", words=meanings, placeholder="Choose one", is_label_hidden=True
    )
    if len(meanings) == 1:
        set_default(place, next(iter(meanings)))
    if len(meanings) <= MAX_RADIO_OPTIONS:
        words = {each: escape_markdown(meaning) for each, meaning in meanings.items()}
        options = replace(options, kind="radio", words=words)
    if draw_field(options, place) == OTHER_CURRENCY and question.name == "currency":
        draw_field(Field("code", "Code of the currency", placeholder="USD", most=3), f"{key}/code")


def _draw_states(question: ImportQuestion, key: str) -> None:
    st.caption("Tick the words of rows that count. Rows with a word that is not ticked are left out.")
    with st.container(horizontal=True):
        for one in question.options:
            st.checkbox(escape_markdown(one.meaning), key=f"{key}/states/{one.value}", persist_state="page")
