"""A small picture for a company or product: its icon, else its initials on a colour."""

import base64
import re
from hashlib import sha256
from html import escape

import streamlit as st

_COLOURS = ("#0b5c75", "#6a4ba3", "#1b7a4b", "#8a4b0f", "#8c1d18", "#3b5a94", "#4a5661")
"""White text has enough contrast on each (WCAG 2.2, 1.4.3)."""


def draw_avatar(name: str, icon: str | None = None, size: int = 36) -> None:
    """Draw the icon (a data URI) or the initials. The `alt` text is empty because the name stands beside the
    picture."""
    source = escape(icon or make_initials_image(name), quote=True)
    st.html(
        f'<img src="{source}" alt="" width="{size}" height="{size}" '
        'style="display:block;border-radius:6px;object-fit:contain">',
        width="content",
    )


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
