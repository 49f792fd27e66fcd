"""What all forms share: their fields, the values of these in the session, and the fault below a field.

A field of the form `key` has the session key `key/name`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, cast

import streamlit as st

from app.contract.agreements import EARLIEST_DAY, LATEST_DAY
from app.contract.files import DOCUMENT_FORMAT_NAMES, DOCUMENT_SUFFIXES
from app.contract.money import format_exact_quantity
from app.contract.values import MAX_AMOUNT
from components.formatting import escape_markdown

Fields = Mapping[str, object]
"""The values of the fields of a form by name; None or missing where a field is empty."""

AMOUNT_FAULT = "More than 0 and less than one trillion."


Kind = Literal[
    "text",
    "address",
    "email",
    "secret",
    "area",
    "number",
    "amount",
    "day",
    "choice",
    "radio",
    "several",
    "flag",
]


@dataclass(frozen=True)
class Field:
    """A field of a form. `needed` is said where it is empty. `words` are the labels of choices.

    In a form of a model (`Form`) the name is that of the model's field, or one of its own where the form's
    `shape` makes one of several, and what is None comes from the model.
    """

    name: str
    label: str
    needed: str = ""
    kind: Kind | None = None
    help: str | None = None
    placeholder: str | None = None
    words: Mapping[Any, str] | None = None
    choices: Sequence[Any] | None = None
    captions: Sequence[str] | None = None
    least: int | None = None
    most: int | None = None
    step: float | None = None
    default: object = None
    earliest: date | Literal["today"] = EARLIEST_DAY
    height: int | None = None
    is_locked: bool = False
    is_label_hidden: bool = False


def draw_field(one: Field, key: str, *, disabled: bool = False) -> Any:
    """Draw the field under `key`, empty where the session has no value for it, and return its value."""
    common: dict[str, Any] = {
        "key": key,
        "help": one.help,
        "disabled": disabled or one.is_locked,
        "persist_state": "page",
        "label_visibility": "collapsed" if one.is_label_hidden else "visible",
    }
    match one.kind:
        case "flag":
            return st.checkbox(one.label, **common)
        case "number" | "amount":
            is_whole = one.kind == "number"
            return st.number_input(
                one.label if is_whole else show_digits(one.label, st.session_state.get(key)),
                value=None,
                min_value=_bound(key, one.least, 1),
                max_value=_bound(key, one.most, -1),
                step=int(one.step or 1) if is_whole else float(one.step or 0.01),
                format="%d" if is_whole else "%g",
                placeholder=one.placeholder,
                **common,
            )
        case "day":
            return st.date_input(
                one.label,
                value=None,
                min_value=_bound(key, one.earliest, 1),
                max_value=_bound(key, LATEST_DAY, -1),
                format="YYYY-MM-DD",
                **common,
            )
        case "choice" | "radio" | "several":
            return _draw_choice(one, common)
        case "area":
            return st.text_area(
                one.label, max_chars=one.most, height=one.height or 100, placeholder=one.placeholder, **common
            )
        case _:
            types: Mapping[str | None, Literal["default", "url", "email", "password"]] = {
                "text": "default",
                "address": "url",
                "email": "email",
                "secret": "password",
            }
            return st.text_input(
                one.label,
                max_chars=one.most or 500,
                placeholder=one.placeholder,
                type=types[one.kind or "text"],
                autocomplete="off" if one.kind == "secret" else None,
                **common,
            )


def show_digits(label: str, amount: object) -> str:
    """Return the label of a field with the amount in it, whose digits the field itself does not group."""
    if not isinstance(amount, int | float) or abs(amount) < _GROUPED_FROM:
        return label
    return f"{label} :gray[{format_exact_quantity(Decimal(str(amount)))}]"


_GROUPED_FROM = 1_000


def _bound(key: str, bound: Any, direction: Literal[1, -1]) -> Any:
    """Return the bound of a field, or what it was filled with where that lies beyond: such a value was read
    or typed before, and the contract says what is wrong with it."""
    value = st.session_state.get(key)
    if bound is None or value is None:
        return bound
    limit = datetime.now(UTC).date() if bound == "today" else bound
    return bound if (value >= limit if direction == 1 else value <= limit) else value


def _draw_choice(one: Field, common: Mapping[str, Any]) -> Any:
    choices = list(one.choices or one.words or ())
    words = one.words or {}

    def name(each: Any) -> str:
        return words.get(each, str(each))

    if one.kind == "radio":
        return st.radio(
            one.label, choices, index=None, format_func=name, captions=one.captions, horizontal=True, **common
        )
    if one.kind == "several":
        return st.multiselect(
            one.label, choices, format_func=name, placeholder=one.placeholder or "Any", **common
        )
    return st.selectbox(
        one.label,
        choices,
        index=None if one.default is None else 0,
        format_func=name,
        placeholder=one.placeholder or "Not known",
        **common,
    )


def read_fields(key: str, names: Iterable[str]) -> dict[str, object]:
    """Return what the fields of the form `key` hold at this moment."""
    state = cast(Mapping[str, object], st.session_state)
    return {name: state.get(f"{key}/{name}") for name in names}


def forget_fields(key: str, names: Iterable[str]) -> None:
    """Forget fields of the form `key`, which is not drawn any more."""
    for name in names:
        st.session_state.pop(f"{key}/{name}", None)


def set_default(key: str, value: object) -> None:
    """Set the value of a widget that has none yet; a value of None sets nothing."""
    if key not in st.session_state and value is not None:
        st.session_state[key] = value


def get_text(fields: Fields, name: str) -> str:
    """Return the text of a field without surrounding spaces."""
    value = fields.get(name)
    return value.strip() if isinstance(value, str) else ""


def get_amount(fields: Fields, name: str) -> Decimal | None:
    """Return the number in a field with the decimals that were entered."""
    value = fields.get(name)
    number = value if isinstance(value, int | float) else None
    return None if number is None else Decimal(str(number))


def is_valid_amount(amount: Decimal | None) -> bool:
    """Return whether an amount can be sent; if not, `AMOUNT_FAULT` says why."""
    return amount is not None and 0 < amount < MAX_AMOUNT


def mark_required(label: str) -> str:
    """Return the label of a field that must be filled in. The star stands free, where Markdown takes it for
    itself: a backslash before it would be read out, as the browser names a field by the label as it is."""
    return f"{label} *"


def draw_fault(fault: str | None) -> None:
    """Draw what is wrong with a field below it; nothing for None."""
    if fault:
        # No caption: its paleness leaves red text too little contrast.
        st.markdown(f":small[:red[:material/error: {escape_markdown(fault)}]]")


if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

MAX_MEBIBYTES = 50
"""The largest file that deployments take unless they set another limit."""


def draw_document_upload(label: str, *, key: str) -> "UploadedFile | None":
    """Draw the field, which takes the formats that the service reads, and return the chosen file."""
    return st.file_uploader(label, type=DOCUMENT_SUFFIXES, key=key, max_upload_size=MAX_MEBIBYTES)


def draw_quotes_upload(label: str, most: int, *, key: str) -> "list[UploadedFile]":
    """Draw the field for up to `most` files and return them. It takes files of any name, since the service
    recognises a format by its content and says of each what is wrong; only the browser sees what is too
    large."""
    files = st.file_uploader(label, accept_multiple_files=True, key=key, max_upload_size=MAX_MEBIBYTES)
    st.caption(
        f"{DOCUMENT_FORMAT_NAMES}, up to {most} at once."
        f" A file of more than {MAX_MEBIBYTES} MB is marked red and not read."
    )
    return files


@dataclass(frozen=True)
class FoundOptions:
    """What was found: names by id, and how many there are (None: more, which nobody counted). `prompt` says
    what to do where nothing was searched yet."""

    names: Mapping[str, str]
    total: int | None
    prompt: str = ""

    def describe(self, nouns: str) -> str:
        """Return `12 found`, or how to see more than are listed."""
        listed = len(self.names)
        if self.prompt:
            return self.prompt
        if self.total == 0:
            return f"No {nouns} found"
        if self.total is None or self.total > listed:
            of = "" if self.total is None else f" of {self.total:,}"
            return f"First {listed}{of}: type more of the name"
        return f"{listed} found"


def draw_search_field(noun: str, *, key: str, disabled: bool = False) -> str:
    """Draw the field in which a part of the name of a `noun` is typed, and return its text."""
    text = st.text_input(
        noun.capitalize(),
        type="search",
        live="400ms",
        key=f"{key}/{noun}-name",
        placeholder="Part of its name",
        icon=":material/search:",
        persist_state="page",
        disabled=disabled,
    )
    return (text or "").strip()


def draw_search_choice(
    find: Callable[[str], FoundOptions],
    noun: str,
    chosen_ids: Collection[str],
    *,
    key: str,
    on_choose: Callable[[str], None],
    disabled: bool = False,
) -> None:
    """Draw a search field and a choice among what `find` returns for its text, without what is chosen
    already. `on_choose` gets the id of what the reader chooses; `noun` says what it is (`product`)."""
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row:
        found = find(draw_search_field(noun, key=key, disabled=disabled))
    names = {ident: name for ident, name in found.names.items() if ident not in chosen_ids}
    # A new field for other options: what was chosen must not stand in it any longer.
    field = f"{key}/{noun}-{hash(tuple(names))}"

    def choose() -> None:
        ident = st.session_state.pop(field, None)
        if ident is not None:
            on_choose(ident)

    row.selectbox(
        f"Choose a {noun}",
        list(names),
        index=None,
        format_func=lambda ident: str(names.get(ident, ident)),
        key=field,
        on_change=choose,
        placeholder=found.describe(f"{noun}s") if names or not found.names else "All of these are chosen",
        disabled=not names,
    )
