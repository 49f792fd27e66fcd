"""Questions and answers about buying from a supplier.

Answers may hold HTML: only plain text formatting passes, no links, images, styles or scripts.
"""

import nh3
import streamlit as st

from app.contract.faqs import Faqs
from components.formatting.datetimes import draw_timestamp
from components.formatting.escape_markdown import escape_markdown

_TAGS = {"p", "br", "b", "strong", "i", "em", "ul", "ol", "li", "code", "sub", "sup"}
_TAGS_REMOVED_WITH_CONTENT = {
    "script",
    "style",
    "iframe",
    "object",
    "template",
    "noscript",
    "textarea",
    "title",
}


def draw_faq_list(faqs: Faqs) -> None:
    """Draw an expander for each question, and when the answers were last updated."""
    for faq in faqs.faqs:
        with st.expander(escape_markdown(faq.question)):
            st.html(sanitize_html(faq.answer))
    draw_timestamp("Updated", faqs.last_updated_at)


def sanitize_html(answer: str) -> str:
    """Return `answer` with only text and the simplest formatting left in it."""
    return nh3.clean(answer, tags=_TAGS, attributes={}, clean_content_tags=_TAGS_REMOVED_WITH_CONTENT)
