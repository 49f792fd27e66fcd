"""The header of a page: picture, title, badges and caption, the title of the browser's tab, and an id."""

import base64
import re
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from itertools import starmap
from typing import Literal

import streamlit as st

from components.elements.record_table import DOT_COLOURS

_COLOURS = ("#0b5c75", "#6a4ba3", "#1b7a4b", "#8a4b0f", "#8c1d18", "#3b5a94", "#4a5661")
"""White text has enough contrast on each (WCAG 2.2, 1.4.3)."""


def _render_avatar(name: str, icon: str | None) -> str:
    """Return the icon (a data URI) or the initials. The `alt` text is empty, as the name stands beside it."""
    source = escape(icon or make_initials_image(name), quote=True)
    return f'<img src="{source}" alt="" width="36" height="36" style="border-radius:6px;object-fit:contain">'


def extract_initials(name: str) -> str:
    """Return one or two letters: AC for `Acme Cloud`, Z for `Zoom`, a dot for a name without letters."""
    words: list[str] = re.findall(r"[^\W_]+", name)
    return "".join(word[0] for word in words[:2]).upper() or "·"


def make_initials_image(name: str) -> str:
    """Return the initials as a picture (data URI). A name has the same colour everywhere."""
    colour = _COLOURS[sha256(name.encode()).digest()[0] % len(_COLOURS)]
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">'
        f'<rect width="36" height="36" rx="6" fill="{colour}"/>'
        '<text x="18" y="23.5" text-anchor="middle" font-family="system-ui, sans-serif" font-size="15" '
        f'font-weight="600" fill="#fff">{escape(extract_initials(name))}</text></svg>'
    )
    return f"data:image/svg+xml;base64,{base64.b64encode(picture.encode()).decode()}"


def draw_identifier(label: str, value: str) -> None:
    """Draw a button that copies the id of the record that `label` names, by a script of the browser."""
    st.html(
        f'{_STYLE}<button type="button" class="parley-copy" aria-live="polite" data-copy="{escape(value)}"'
        f' title="{escape(f"{label} {value}")}">Copy id</button>',
        width="content",
    )


def shorten_identifier(value: str) -> str:
    """Return the last eight characters of an id: ids that sort by time begin alike."""
    return f"…{value[-8:]}" if len(value) > 12 else value


def is_sample(domain: str | None, description: str | None = None) -> bool:
    """Return whether a supplier is generated: its domain ends in `.example` (RFC 2606) and its description
    says "sample"."""
    if not domain or not domain.lower().rstrip(".").endswith(".example"):
        return False
    return description is None or "sample" in description.lower()


MARKET_SAMPLE = "These suppliers, products and prices are generated; they describe no real market."
RECORD_SAMPLE = "All of this is invented, and leaves once there are purchases or quotes of yours."


def draw_sample_banner(sentence: str) -> None:
    """Draw that a page shows sample data, and what that means, in one row."""
    st.markdown(f":orange-badge[:material/science: Sample data] :small[{sentence}]")


Colour = Literal["red", "orange", "yellow", "blue", "green", "violet", "gray", "primary"]


def draw_page_header(
    title: str,
    *,
    caption: str | None = None,
    badges: Iterable[tuple[str, Colour]] = (),
    picture: tuple[str, str | None] | None = None,
) -> None:
    """Draw the title with its badges in one row and the caption below. All texts are escaped. `picture` is a
    name and its icon, if it has one: the avatar before the title.

    One element for all of it, and no `st.title`, which alone takes the browser three times as long."""
    st.set_page_config(page_title=f"{title} · Parley")
    row = "" if picture is None else _render_avatar(*picture)
    row += f"<h1>{escape(title)}</h1>" + "".join(starmap(_render_badge, badges))
    below = f"<p>{escape(caption)}</p>" if caption else ""
    st.html(f'{_STYLE}<header class="parley-header"><div>{row}</div>{below}</header>')


def _render_badge(label: str, colour: Colour) -> str:
    tint = f"color-mix(in srgb, {DOT_COLOURS.get(colour, 'currentColor')} 16%, transparent)"
    return f'<span style="background:{tint}">{escape(label)}</span>'


def draw_heading(title: str) -> None:
    """Draw the heading of a part of a page."""
    st.html(f'{_STYLE}<h3 class="parley-heading">{escape(title)}</h3>')


_STYLE = """<style>
.parley-header div { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; }
.parley-header h1 { padding: 0.25rem 0; margin: 0; overflow-wrap: anywhere; }
.parley-header span { padding: 0.1em 0.5em; border-radius: 6px; font-size: 0.875rem; }
.parley-header p { margin: 0.25rem 0 0; font-size: 0.875rem; opacity: 0.8; }
h3.parley-heading { padding: 0.5rem 0 0; margin: 0; }
.parley-copy {
  border: 0; border-radius: 6px; padding: 0.25rem 0.5rem 0.25rem 0; background: none; color: inherit;
  font: inherit; font-size: 0.875rem; min-height: 2rem; cursor: copy; overflow-wrap: anywhere;
  user-select: text;
}
.parley-copy:hover { text-decoration: underline; }
</style>"""
