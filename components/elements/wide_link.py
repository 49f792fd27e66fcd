"""A link that looks like the main button of a page and leaves the dashboard in the same tab, which
Streamlit's own link buttons do not."""

from html import escape

import streamlit as st


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
