"""The quotes of a file that holds several, with links to the scopes that they were read into."""

import streamlit as st

from app.contract.money import format_money
from app.contract.scope import DocumentReading, QuoteInFile
from app.dashboard import navigation
from components.formatting.counts import format_count
from components.formatting.escape_markdown import escape_markdown


def draw_quotes_in_file(reading: DocumentReading) -> None:
    """Draw how many quotes the file holds and a link to each other one; nothing where it is the only one."""
    if len(reading.quotes) < 2:
        return
    with st.container(border=True, gap="xsmall", key="quotes-in-file"):
        st.markdown(
            f":material/stacks: **This file holds {format_count(len(reading.quotes), 'quote')}.** Each has a "
            "quote of its own."
        )
        for position, quote in enumerate(reading.quotes, 1):
            name, note = quote.document_number or f"Quote {position}", _describe(quote, reading.currency)
            if quote.scope_id == reading.scope_id:
                here = escape_markdown(f"{note}, shown here".lstrip(", "))
                st.markdown(f":material/check: {escape_markdown(name)} :gray[{here}]")
            else:
                navigation.draw_link_with_note(
                    "scope", name, note, icon=":material/description:", id=quote.scope_id
                )


def _describe(quote: QuoteInFile, currency: str | None) -> str:
    """Return `pages 3 to 4, USD 1,320`; a file without pages has none."""
    words: list[str] = []
    if len(quote.pages) == 1:
        words.append(f"page {quote.pages[0]}")
    elif quote.pages:
        words.append(f"pages {quote.pages[0]} to {quote.pages[-1]}")
    if quote.total is not None:
        words.append(format_money(quote.total, currency or ""))
    return ", ".join(words)
