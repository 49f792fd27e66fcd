"""A list page by page: its filters, its rows, why it is empty, and the buttons of its pages.

Filters and page are in the address. Their keys belong to one list alone: the browser session keeps what is
bound to the address, and would open the next list with the filters of the one before.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Literal, TypeVar

import streamlit as st

from app.contract.page import ListPage, Pagination
from app.dashboard import navigation
from app.dashboard.failure_panel import failure_panel
from components.elements.empty_state import draw_empty_state
from components.elements.pagination import draw_pagination_bar, go_to_first_page, read_page_offset

Page = TypeVar("Page", bound=ListPage[Any])
Record = TypeVar("Record")


def cut_page(records: Sequence[Record], *, limit: int, offset: int) -> ListPage[Record]:
    """Return a page of a list that was loaded whole."""
    pagination = Pagination(total=len(records), limit=limit, offset=offset)
    return ListPage(data=list(records[offset : offset + limit]), pagination=pagination)


def load_list_page(key: str, rows: int, load: Callable[[int], Page]) -> Page:
    """Load the page of `rows` records that the address names (`?key=3`), and the last one where the list has
    become shorter than that; the address then names that one. `load` takes the offset."""
    page = load(read_page_offset(key, rows))
    if page.data or not page.pagination.total:
        return page
    last = (page.pagination.total - 1) // rows
    if last:
        st.session_state[key] = last + 1  # where the page buttons, which are drawn later, begin
    else:
        go_to_first_page(key)
    return load(last * rows)


@dataclass(frozen=True)
class TextFilter:
    """A field for a part of a name. `query` is the argument of the read that takes it."""

    label: str
    key: str
    query: str = "name"
    placeholder: str = "Part of a name"
    everything: str = ""

    def draw(self, on_change: Callable[[], None]) -> None:
        """Draw the field."""
        st.text_input(
            self.label,
            key=self.key,
            bind="query-params",
            placeholder=self.placeholder,
            type="search",
            live="400ms",
            icon=":material/search:",
            on_change=on_change,
        )

    def read(self) -> Mapping[str, Any]:
        """Return the argument of the read."""
        return {self.query: st.session_state.get(self.key, "").strip() or None}


@dataclass(frozen=True)
class ChoiceFilter:
    """A choice of one of `choices`, the first of which is everything. `query` is the argument of the read
    that takes the chosen value; without it the value is a mapping of arguments."""

    label: str
    key: str
    choices: Mapping[str, Any]
    query: str = ""
    style: Literal["list", "buttons"] = "list"

    @property
    def everything(self) -> str:
        """The name of the choice that leaves nothing out."""
        return next(iter(self.choices))

    @property
    def chosen(self) -> str:
        """The name of what is chosen; a word of the address that is no choice is everything."""
        name: str | None = st.session_state.get(self.key)
        return name if name is not None and name in self.choices else self.everything

    def draw(self, on_change: Callable[[], None]) -> None:
        """Draw the choice."""
        if self.style == "list":
            st.selectbox(
                self.label, list(self.choices), key=self.key, bind="query-params", on_change=on_change
            )
        else:
            st.segmented_control(
                self.label,
                list(self.choices),
                key=self.key,
                default=self.everything,
                bind="query-params",
                required=True,
                on_change=on_change,
            )

    def read(self) -> Mapping[str, Any]:
        """Return the arguments of the read."""
        value = self.choices[self.chosen]
        return {self.query: value} if self.query else value


@dataclass(frozen=True)
class FlagFilter:
    """A box that, once ticked, leaves out what has not `query`."""

    label: str
    key: str
    query: str
    everything: bool = False

    def draw(self, on_change: Callable[[], None]) -> None:
        """Draw the box."""
        st.checkbox(self.label, key=self.key, bind="query-params", on_change=on_change)

    def read(self) -> Mapping[str, Any]:
        """Return the argument of the read."""
        return {self.query: True if st.session_state.get(self.key) else None}


@dataclass(frozen=True)
class PickFilter:
    """A choice of what is drawn of each record, such as its columns: the records stay. None chosen is all."""

    label: str
    key: str
    choices: Sequence[str]
    everything: Sequence[str] = ()

    @property
    def chosen(self) -> Sequence[str]:
        """What is to be drawn."""
        return st.session_state.get(self.key) or self.choices

    def draw(self, on_change: Callable[[], None]) -> None:
        """Draw the choice."""
        hint = f"All {self.label.lower()}"
        st.multiselect(self.label, self.choices, key=self.key, bind="query-params", placeholder=hint)

    def read(self) -> Mapping[str, Any]:
        """Return no argument."""
        return {}


Filter = TextFilter | ChoiceFilter | FlagFilter | PickFilter


@dataclass(frozen=True)
class FilterBar:
    """The filters of a list in a row. `on_change` goes back to where another list begins."""

    filters: Sequence[Filter]
    on_change: Callable[[], None]

    def draw(self) -> None:
        """Draw them; nothing where there are none."""
        if self.filters:  # no grid, which takes the browser twenty times as long
            with st.container(horizontal=True, vertical_alignment="bottom"):
                for one in self.filters:
                    one.draw(self.on_change)

    def read(self) -> dict[str, Any]:
        """Return what they say, by the arguments of the read."""
        return {name: value for one in self.filters for name, value in one.read().items()}

    @property
    def is_set(self) -> bool:
        """Whether one of them leaves something out."""
        return any(st.session_state.get(one.key) not in (None, one.everything) for one in self.filters)

    def clear(self) -> None:
        """Show everything, for a callback."""
        for one in self.filters:
            st.session_state[one.key] = one.everything
        self.on_change()


@dataclass(frozen=True)
class Empty:
    """Why a list is empty, and the next step."""

    title: str
    reason: str
    icon: str = "inbox"
    action: str | None = None
    on_action: Callable[[], None] | None = None
    page: str = ""
    """The page that the action opens."""

    def draw(self, key: str) -> None:
        """Draw the panel; its button has this key."""
        is_pressed = draw_empty_state(
            self.title, self.reason, self.icon, action=self.action, on_action=self.on_action, key=key
        )
        if is_pressed and self.page:
            navigation.open_page(self.page)


@dataclass(frozen=True)
class FilteredList(Generic[Page]):
    """The list whose page number is `?key=`. `load` takes `limit`, `offset` and what the filters say; `draw`
    and `draw_below` get a page that has records, `draw_above` every page. `no_match` is drawn where filters
    leave nothing."""

    key: str
    noun: str
    load: Callable[..., Page]
    draw: Callable[[Page], object]
    empty: Empty | Callable[[], Empty]
    nouns: str = ""
    filters: Sequence[Filter] = ()
    rows: int = 25
    draw_above: Callable[[Page], object] | None = None
    draw_below: Callable[[Page], object] | None = None
    no_match: Empty | None = None

    def show(self) -> None:
        """Draw the filters and the page of the address, or why there is none."""
        nouns = self.nouns or f"{self.noun}s"
        with failure_panel(f"The list of {nouns}"):
            self._bar.draw()
            page = load_list_page(self.key, self.rows, partial(self._load, self._bar.read()))
            if self.draw_above is not None:
                self.draw_above(page)
            if page.data:
                self.draw(page)
                draw_pagination_bar(page.pagination, self.key, self.noun, nouns)
                if self.draw_below is not None:
                    self.draw_below(page)
            elif self._bar.is_set:
                no_match = self.no_match or Empty(
                    f"No {self.noun} matches",
                    "Choose other filters, or clear them.",
                    "filter_alt_off",
                    "Clear filters",
                    self._bar.clear,
                )
                no_match.draw(f"{self.key}-clear")
            else:
                empty = self.empty if isinstance(self.empty, Empty) else self.empty()
                empty.draw(f"{self.key}-first")

    @property
    def _bar(self) -> FilterBar:
        return FilterBar(self.filters, self.open_first_page)

    def read_query(self) -> Any:
        """Return what the filters say: the contract's query of the list."""
        return self._bar.read()

    def choose(self, one: Filter, value: object) -> None:
        """Choose a value of one filter, for a callback."""
        st.session_state[one.key] = value
        self.open_first_page()

    def open_first_page(self) -> None:
        """Open the first page, for a callback: another filter makes another list."""
        go_to_first_page(self.key)

    def _load(self, query: Mapping[str, Any], offset: int) -> Page:
        return self.load(limit=self.rows, offset=offset, **query)
