"""The audit log with its filters, page by page: who, what kind of thing, which thing and when."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import get_args

import streamlit as st

from app.contract.audit import ObjectKind
from app.contract.page import MAX_LIMIT
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import ChoiceFilter, Empty, FilterBar
from components.audit_table import WITHOUT_ID, draw_audit_table
from components.formatting import escape_markdown

ROWS = 50
PLACE, THING = "before", "thing"
"""The parameters of the address that name the entry before the page, and one thing."""
AGES = {"Last day": 1, "Last week": 7, "Last 30 days": 30}


def draw_audit_log(deployment: Deployment) -> None:
    """Draw the filters, which are in the address, the entries, and the way to older ones."""
    st.caption(
        "Every change leaves one entry, and so does what Parley does by itself in the background. The"
        " database refuses to change or delete entries."
    )
    with failure_panel("The audit log"):
        people = queries.load_members(deployment, limit=MAX_LIMIT, offset=0).data
        keys = queries.load_keys(deployment, limit=MAX_LIMIT, offset=0).data
        bar = make_filters({one.id: one.name for one in (*people, *keys)}, datetime.now(UTC))
        bar.draw()
        before, thing = st.query_params.get(PLACE), st.query_params.get(THING)
        if thing:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(f"Only of the thing {escape_markdown(thing)}", width="content")
                st.button("All things", key="all-things", on_click=_forget_thing, icon=":material/close:")
        page = queries.load_audit(deployment, limit=ROWS, before=before, object_id=thing, **bar.read())
        if page.data:
            draw_audit_table(page.data, page="people")
        elif bar.is_set or thing or before:
            Empty(
                "No match",
                "No entry matches these filters.",
                "filter_alt_off",
                "Show all entries",
                partial(_clear, bar),
            ).draw("all-entries")
        else:
            Empty("Nothing was changed yet", "The first change leaves the first entry.", "history").draw(
                "no-entries"
            )
        with st.container(horizontal=True):
            if before:
                st.button("Newest", key="audit-newest", on_click=_go_to_newest, icon=":material/first_page:")
            if page.next:
                st.button(
                    "Older",
                    key="audit-older",
                    on_click=st.query_params.__setitem__,
                    args=(PLACE, page.next),
                    icon=":material/arrow_forward:",
                )


def make_filters(actors: Mapping[str, str], now: datetime) -> FilterBar:
    """Return the filters; `actors` are the names of people and keys by their ids. Times are cut to the
    minute, so that reads within it are cached."""
    minute = now.replace(second=0, microsecond=0)
    people: dict[str, Mapping[str, str]] = {
        "Anybody": {},
        **{name: {"actor_kind": kind} for kind, name in WITHOUT_ID.items()},
    }
    for actor_id, name in actors.items():
        people[name if name not in people else f"{name} ({actor_id[-4:]})"] = {"actor_id": actor_id}
    kinds = {"Any thing": None, **{kind: kind for kind in get_args(ObjectKind)}}
    since = {"Any time": None, **{name: minute - timedelta(days=days) for name, days in AGES.items()}}
    return FilterBar(
        (
            ChoiceFilter("Who", "who", people),
            ChoiceFilter("Thing", "kind", kinds, "object_kind"),
            ChoiceFilter("When", "when", since, "since"),
        ),
        _go_to_newest,
    )


def _go_to_newest() -> None:
    """Go back to the newest entries, for a callback: another filter makes another list."""
    st.query_params.pop(PLACE, None)


def _clear(bar: FilterBar) -> None:
    bar.clear()
    _forget_thing()


def _forget_thing() -> None:
    st.query_params.pop(THING, None)
    _go_to_newest()
