"""Filters for the audit log by who, what kind of thing, which thing and when, all kept in the address."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast, get_args

import streamlit as st

from app.contract.audit import ActorKind, AuditFilter, ObjectKind
from components.formatting.escape_markdown import escape_markdown
from components.people.audit_table import WITHOUT_ID

ANYBODY, ANY_KIND = "Anybody", "Any thing"
AGES = {
    "Any time": None,
    "Last day": timedelta(days=1),
    "Last week": timedelta(days=7),
    "Last 30 days": timedelta(days=30),
}
PLACE, THING = "before", "thing"
"""The parameters of the address that name the entry before the page, and one thing."""
_KINDS: Mapping[str, ActorKind] = {name: cast(ActorKind, kind) for kind, name in WITHOUT_ID.items()}
_KEYS = ("who", "kind", "when")


@dataclass(frozen=True)
class AuditFilters:
    """The filters; None leaves a condition out."""

    actor_id: str | None = None
    actor_kind: ActorKind | None = None
    kind: ObjectKind | None = None
    object_id: str | None = None
    age: timedelta | None = None

    def __bool__(self) -> bool:
        return self != AuditFilters()

    def as_query(self, now: datetime) -> AuditFilter:
        # Cut to the minute, so that reads within it are cached.
        since = None if self.age is None else (now - self.age).replace(second=0, microsecond=0)
        return {
            "actor_id": self.actor_id,
            "actor_kind": self.actor_kind,
            "object_kind": self.kind,
            "object_id": self.object_id,
            "since": since,
        }


def draw_audit_filters(actors: Mapping[str, str]) -> AuditFilters:
    """Draw the filters; `actors` are the names of people and keys by their ids."""
    names = _name_apart(actors)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        who = st.selectbox(
            "Who",
            [ANYBODY, *_KINDS, *names],
            key="who",
            bind="query-params",
            width=250,
            on_change=go_to_newest,
        )
        kind = st.selectbox(
            "Thing",
            [ANY_KIND, *get_args(ObjectKind)],
            key="kind",
            bind="query-params",
            width=180,
            on_change=go_to_newest,
        )
        age = st.selectbox(
            "When", [*AGES], key="when", bind="query-params", width=150, on_change=go_to_newest
        )
    thing = st.query_params.get(THING)
    if thing:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"Only of the thing {escape_markdown(thing)}", width="content")
            st.button("All things", key="all-things", on_click=_forget_thing, icon=":material/close:")
    return AuditFilters(
        names.get(who),
        _KINDS.get(who),
        None if kind == ANY_KIND else cast(ObjectKind, kind),
        thing,
        AGES.get(age),
    )


def _name_apart(actors: Mapping[str, str]) -> dict[str, str]:
    """The ids by names, each of which is there once."""
    names: dict[str, str] = {}
    for actor_id, name in actors.items():
        names[name if name not in names and name not in _KINDS else f"{name} ({actor_id[-4:]})"] = actor_id
    return names


def go_to_newest() -> None:
    """Go back to the newest entries, for a callback: another filter makes another list."""
    st.query_params.pop(PLACE, None)


def _forget_thing() -> None:
    st.query_params.pop(THING, None)
    go_to_newest()


def clear_filters() -> None:
    """Reset all filters, for a callback."""
    for key, everything in zip(_KEYS, (ANYBODY, ANY_KIND, "Any time"), strict=True):
        st.session_state[key] = everything
    _forget_thing()
