"""The menu of the sidebar: links to the pages.

Markup of ours, since Streamlit's menu is a list that is none (axe: list, listitem), and the browser draws a
page link for each page again at every run.
"""

from collections.abc import Sequence
from html import escape

import streamlit as st


def draw_side_menu(links: Sequence[tuple[str, str, str]], current: str, below: Sequence[str]) -> None:
    """Draw the links, each an address, a title and the name of a Material symbol, and the lines `below`;
    `current` is the address of the page that is shown."""
    items = "".join(_draw_link(*link, link[0] == current) for link in links)
    lines = "<br>".join(map(escape, below))
    st.html(
        f'{_STYLE}<nav class="parley-menu" aria-label="Pages"><ul>{items}</ul></nav>'
        f'<p class="parley-below-menu">{lines}</p>'
    )


def _draw_link(address: str, title: str, icon: str, is_current: bool) -> str:
    current = ' aria-current="page"' if is_current else ""
    symbol = f'<span class="icon" aria-hidden="true" translate="no">{escape(icon)}</span>'
    return f'<li><a target="_self" href="{escape(address)}"{current}>{symbol}{escape(title)}</a></li>'


_STYLE = """<style>
.parley-menu ul { list-style: none; margin: 0; padding: 0; }
.parley-menu li { margin: 0.125rem 0; padding: 0; }
.parley-menu a {
  display: flex; align-items: center; gap: 0.5rem; padding: 0 0.5rem; line-height: 2; border-radius: 6px;
  color: inherit; text-decoration: none;
}
.parley-menu a:hover { background: light-dark(rgba(12, 19, 26, 0.08), rgba(255, 255, 255, 0.1)); }
.parley-menu a[aria-current] {
  background: light-dark(rgba(12, 19, 26, 0.11), rgba(255, 255, 255, 0.14)); font-weight: 600;
}
.parley-menu .icon {
  font-family: "Material Symbols Rounded"; font-weight: 400; font-size: 1.25em; line-height: 1;
  width: 1em; overflow: hidden; white-space: nowrap; user-select: none;
}
p.parley-below-menu { margin: 1.5rem 0 0; font-size: 0.875rem; opacity: 0.8; overflow-wrap: anywhere; }
</style>"""
