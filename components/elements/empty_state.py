"""Panels: an empty list, what needs attention, a secret that is shown once, and a link like a button."""

from collections.abc import Callable
from datetime import datetime, timedelta
from html import escape

import streamlit as st

from components.formatting import escape_markdown, format_duration


def draw_empty_state(
    title: str,
    reason: str,
    icon: str,
    *,
    action: str | None = None,
    on_action: Callable[[], None] | None = None,
    key: str | None = None,
) -> bool:
    """Draw the panel and return whether the `action` button was pressed. For a list without any entries the
    action creates one; where filters match nothing it clears them."""
    with st.container(border=True, horizontal_alignment="center", key=key and f"{key}-panel"):
        st.markdown(f":material/{icon}: **{title}**", width="content", text_alignment="center")
        st.caption(reason, width="content", text_alignment="center")
        if action is None:
            return False
        return st.button(action, key=key, on_click=on_action)


def draw_attention_item(title: str, reason: str, *, key: str) -> bool:
    """Draw one thing that needs attention, and return whether it was opened."""
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            f":orange[:material/pending_actions:] **{escape_markdown(title)}**  \n{escape_markdown(reason)}",
            width="stretch",
        )
        return st.button("Open", key=key, help=escape_markdown(title))


def draw_one_time_secret(
    secret: str, title: str, advice: str, *, key: str, on_stored: Callable[[], None]
) -> None:
    """Draw `secret` with a button to copy it, until the reader confirms that it is stored. `advice` says
    where that is."""
    with st.container(border=True, key=key):
        st.markdown(f":material/key: **{escape_markdown(title)}**")
        st.code(secret, language=None)
        st.caption(advice)
        st.button("I have stored it", key=f"{key}-stored", on_click=on_stored, icon=":material/check:")


_SLOW_AFTER = timedelta(minutes=2)


def draw_stall_note(updated_at: datetime | None, now: datetime) -> None:
    """Draw that work in the background, which went on last at that time, stands still; nothing while it goes
    on."""
    waited = now - updated_at if updated_at else timedelta()
    if waited > _SLOW_AFTER:
        st.caption(
            f"No progress for {format_duration(waited)}. The worker may be busy or stopped: "
            "see the System status page."
        )


def draw_wide_link(label: str, address: str) -> None:
    """Draw the link over the whole width."""
    st.html(
        f'{_STYLE}<a class="parley-wide-link" target="_self" href="{escape(address)}">{escape(label)}</a>'
    )


_STYLE = """<style>
a.parley-wide-link {
  display: block; box-sizing: border-box; width: 100%; padding: 0.5rem 0.75rem; border-radius: 0.5rem;
  text-align: center; font-weight: 500; text-decoration: none;
  background: light-dark(#0b5c75, #2a7f9b); color: #fff;
}
a.parley-wide-link:hover { filter: brightness(1.1); }
a.parley-wide-link:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
</style>"""
