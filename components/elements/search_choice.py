"""A search field, and a choice among what it finds."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import streamlit as st


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
    left, right = st.columns(2)
    text = left.text_input(
        noun.capitalize(),
        type="search",
        live="400ms",
        key=f"{key}/{noun}-name",
        placeholder="Part of its name",
        icon=":material/search:",
        persist_state="page",
        disabled=disabled,
    )
    found = find((text or "").strip())
    names = {ident: name for ident, name in found.names.items() if ident not in chosen_ids}
    # A new field for other options: what was chosen must not stand in it any longer.
    field = f"{key}/{noun}-{hash(tuple(names))}"

    def choose() -> None:
        ident = st.session_state.pop(field, None)
        if ident is not None:
            on_choose(ident)

    right.selectbox(
        f"Choose a {noun}",
        list(names),
        index=None,
        format_func=lambda ident: names.get(ident, ident),
        key=field,
        on_change=choose,
        placeholder=found.describe(f"{noun}s") if names or not found.names else "All of these are chosen",
        disabled=not names,
    )
