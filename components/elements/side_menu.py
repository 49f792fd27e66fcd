"""The menu of the sidebar: links to the pages, section by section.

Markup of ours, since Streamlit's menu puts sections into a list that is none (axe: list, listitem), and the
browser draws a page link for each page again at every run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st


@dataclass(frozen=True)
class MenuLink:
    """A link to a page: its address, its title and the name of a Material symbol."""

    address: str
    title: str
    icon: str


def draw_side_menu(sections: Mapping[str, Sequence[MenuLink]], current: str | None) -> None:
    """Draw the links of each section below its title, where it has one; `current` is the address of the page
    that is shown."""
    parts = [_draw_section(title, links, current) for title, links in sections.items()]
    st.html(f'{_STYLE}<nav class="parley-menu" aria-label="Pages">{"".join(parts)}</nav>')


def _draw_section(title: str, links: Sequence[MenuLink], current: str | None) -> str:
    head = f'<p id="parley-menu-{escape(title)}">{escape(title)}</p>' if title else ""
    named = f' aria-labelledby="parley-menu-{escape(title)}"' if title else ""
    return f"{head}<ul{named}>{''.join(_draw_link(link, link.address == current) for link in links)}</ul>"


def _draw_link(link: MenuLink, is_current: bool) -> str:
    current = ' aria-current="page"' if is_current else ""
    icon = f'<span class="icon" aria-hidden="true" translate="no">{escape(link.icon)}</span>'
    return f'<li><a target="_self" href="{escape(link.address)}"{current}>{icon}{escape(link.title)}</a></li>'


_STYLE = """<style>
.parley-menu p { margin: 0.9rem 0 0.2rem; padding: 0 0.5rem; font-size: 0.875rem; opacity: 0.75; }
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
</style>"""
