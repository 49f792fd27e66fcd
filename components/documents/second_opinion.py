"""What a second opinion was asked about a document, and what came of it."""

from urllib.parse import urlsplit

import streamlit as st

from app.contract.second_opinion import SecondOpinion
from components.formatting.counts import format_count
from components.formatting.datetimes import format_local_time, get_reader_zone
from components.formatting.escape_markdown import escape_markdown

_SUBJECTS = {
    "net_total": "the price before tax",
    "tax_total": "the tax",
    "total": "the total",
    "lines": "the lines",
}


def draw_second_opinion(opinion: SecondOpinion) -> None:
    """Draw what was sent, to whom and when, and what came of it."""
    with st.container(border=True, gap="xsmall", key="second-opinion"):
        st.markdown(f":material/psychology_alt: **{_TITLES.get(opinion.status, 'A second opinion')}**")
        if opinion.asked_at is not None:
            st.markdown(escape_markdown(describe_request(opinion)))
        if opinion.sentences:
            st.markdown(escape_markdown(" ".join(opinion.sentences)))


_TITLES = {
    "asked": "A second opinion was asked, and its answer is not known",
    "answered": "Read with a second opinion",
    "failed": "A second opinion was asked and gave none",
    "not_asked": "No second opinion was asked",
}


def describe_request(opinion: SecondOpinion) -> str:
    """Return what was sent, to whom, when and what about, in a sentence."""
    pages = ", ".join(str(number) for number in opinion.page_numbers)
    page = "page" if len(opinion.page_numbers) == 1 else "pages"
    about = [_SUBJECTS.get(name, name) for name in opinion.asked_about]
    subjects = about[0] if len(about) == 1 else f"{', '.join(about[:-1])} and {about[-1]}"
    when = format_local_time(opinion.asked_at, get_reader_zone())
    return (
        f"{format_count(opinion.word_count, 'word')} of {page} {pages} went to {opinion.model} at"
        f" {urlsplit(opinion.address).netloc} on {when}, to ask about {subjects}."
    )
