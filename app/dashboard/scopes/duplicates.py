"""What is said of a quote that was read before, with links to the earlier scopes."""

import streamlit as st

from app.contract.scope import DocumentReading
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from components.formatting.datetimes import format_local_time, get_reader_zone
from components.formatting.escape_markdown import escape_markdown


def draw_duplicates(deployment: Deployment, reading: DocumentReading) -> None:
    """Draw a warning where there are earlier scopes of the same quote, with what can be done."""
    if not reading.duplicate_of:
        return
    if any(one.same_file for one in reading.duplicate_of):
        known = "This file was read before"
    else:
        number = next((str(value.value) for value in reading.values if value.name == "document_number"), "")
        known = f"A quote with the number {escape_markdown(number)} from this supplier was read before"
    archives = queries.has_operation(deployment, "PATCH /v1/scope/{}")
    way_out = f"Open the earlier quote{' and archive this one' if archives else ''}"
    with st.container(border=True, gap="xsmall", key="duplicates"):
        st.markdown(
            f":orange[:material/content_copy:] **{known}.** {way_out}, or confirm this one: the prices that "
            "you confirm last replace the earlier ones."
        )
        for one in reading.duplicate_of:
            navigation.draw_link_with_note(
                "scope",
                one.filename,
                f"uploaded {format_local_time(one.created_on, get_reader_zone())}",
                icon=":material/description:",
                id=one.scope_id,
            )
