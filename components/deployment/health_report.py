"""How a deployment says that it is, overall and part by part."""

from datetime import UTC, datetime
from typing import Literal

import streamlit as st

from app.contract.health import HealthReport, ServiceHealth
from components.formatting.datetimes import exact, local, reader_zone
from components.formatting.escape_markdown import plain

Colour = Literal["green", "orange", "red", "gray"]

_LOOK: dict[str, tuple[Colour, str]] = {
    "ok": ("green", "check_circle"),
    "degraded": ("orange", "warning"),
    "error": ("red", "error"),
}


def look(status: str) -> tuple[Colour, str]:
    """Colour and icon of a status; a word that we do not know is grey."""
    return _LOOK.get(status, ("gray", "help"))


def health_report(report: HealthReport) -> None:
    """The overall status with version and time, then each part."""
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            _badge(report.status)
            st.markdown(f"Version **{plain(report.version)}**", width="content")
            st.caption(
                f"as of {local(report.timestamp, reader_zone())}",
                help=exact(report.timestamp) or None,
                width="content",
            )
        if report.services:
            with st.container(horizontal=True, gap="medium"):
                for service in report.services:
                    with st.container(horizontal=True, gap="small", width="content"):
                        _badge(service.status)
                        st.markdown(plain(service.name), width="content")


def _badge(status: str) -> None:
    colour, icon = look(status)
    st.badge(plain(status), color=colour, icon=f":material/{icon}:")


def example() -> None:
    health_report(
        HealthReport(
            status="degraded",
            timestamp=datetime(2026, 3, 2, 12, tzinfo=UTC),
            version="1.2.3",
            services=[
                ServiceHealth(name="database", status="ok"),
                ServiceHealth(name="worker", status="error"),
            ],
        )
    )
