"""Labels for the generated sample data, so that nobody takes it for a market."""

import streamlit as st


def is_sample(domain: str | None, description: str | None = None) -> bool:
    """Return whether a supplier is generated: its domain ends in `.example` (RFC 2606) and its description
    says "sample"."""
    if not domain or not domain.lower().rstrip(".").endswith(".example"):
        return False
    return description is None or "sample" in description.lower()


def draw_sample_banner() -> None:
    """Draw the warning above a page that shows sample data."""
    st.warning(
        "**Sample data.** These suppliers, products and prices are generated; they describe no real market.",
        icon=":material/science:",
    )


def draw_sample_records_banner() -> None:
    """Draw the warning above scopes, negotiations, webhooks or figures of the sample data."""
    st.warning(
        "**Sample data.** All of this is invented, and leaves once there are purchases or quotes of yours.",
        icon=":material/science:",
    )


def draw_sample_badge() -> None:
    st.badge("sample", icon=":material/science:", color="orange")
