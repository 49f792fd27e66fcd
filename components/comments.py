"""What people wrote on a record and what was done to it, newest first."""

import re
from collections.abc import Callable, Sequence

import streamlit as st

from app.contract.comments import Comment, HistoryEntry
from components.formatting import draw_time, escape_markdown, format_local_time

_NAMES = {"scope": "quote", "agreement": "contract", "requirement": "comparison"}


def name_kind(kind: str) -> str:
    """Return `contract` for `agreement`; other kinds are called as the interface calls them."""
    return _NAMES.get(kind, kind)


_NUMBERED = re.compile(r"^(\d+)\.")


def draw_comments(comments: Sequence[Comment], *, draw_delete_button: Callable[[Comment], object]) -> None:
    """Draw each comment with its author and time; `draw_delete_button` draws the button of those that the
    reader may delete."""
    for one in comments:
        with st.container(border=True, gap="small", key=f"comment-{one.id}"):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(f"**{escape_markdown(describe_author(one))}**", width="content")
                draw_time(format_local_time(one.created_at), one.created_at)
                if one.may_delete:
                    draw_delete_button(one)
            st.markdown(escape_lines(one.text))
            if one.named:
                names = ", ".join(escape_markdown(person.name) for person in one.named)
                st.caption(f":material/alternate_email: Names {names}")


def describe_author(one: Comment) -> str:
    """Return `Bea Buyer`, or `Key reports, for bea@acme.example`."""
    author = f"Key {one.author}" if one.author_kind == "key" else one.author
    return f"{author}, for {one.on_behalf_of}" if one.on_behalf_of else author


def escape_lines(text: str) -> str:
    """Return the text as Markdown that shows it as it is, with its lines and empty lines."""
    lines = [_NUMBERED.sub(r"\1\.", escape_markdown(line)) for line in text.splitlines()]
    return "\n".join(f"{line}  " if line else "" for line in lines)


_ICONS = {"person": "person", "key": "key", "background": "settings"}


def draw_history(entries: Sequence[HistoryEntry]) -> None:
    """Draw a line for each entry: when, by whom and what."""
    for entry in entries:
        icon = "chat_bubble" if entry.comment_id else _ICONS.get(entry.actor_kind, "circle")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            draw_time(format_local_time(entry.at), entry.at)
            st.markdown(f":material/{icon}: {escape_markdown(entry.text)}", width="content")
