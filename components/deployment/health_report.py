"""The health of a deployment, overall and part by part."""

from typing import Literal

import streamlit as st

from app.contract.health import HealthReport
from components.formatting.datetimes import format_local_time, format_utc, get_reader_zone
from components.formatting.escape_markdown import escape_markdown

Colour = Literal["green", "orange", "red", "gray"]

_STATUS_STYLES: dict[str, tuple[Colour, str]] = {
    "ok": ("green", "check_circle"),
    "degraded": ("orange", "warning"),
    "error": ("red", "error"),
}


def get_status_style(status: str) -> tuple[Colour, str]:
    """Return the colour and icon of a status; an unknown status is grey."""
    return _STATUS_STYLES.get(status, ("gray", "help"))


def draw_health_report(report: HealthReport) -> None:
    """Draw the overall status with version and time, then each part."""
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            _draw_badge(report.status)
            st.markdown(f"Version **{escape_markdown(report.version)}**", width="content")
            st.caption(
                f"as of {format_local_time(report.timestamp, get_reader_zone())}",
                help=format_utc(report.timestamp) or None,
                width="content",
            )
        if report.services:
            with st.container(horizontal=True, gap="medium"):
                for service in report.services:
                    with st.container(horizontal=True, gap="small", width="content"):
                        _draw_badge(service.status)
                        st.markdown(escape_markdown(service.name), width="content")


def _draw_badge(status: str) -> None:
    colour, icon = get_status_style(status)
    st.badge(escape_markdown(status), color=colour, icon=f":material/{icon}:")
