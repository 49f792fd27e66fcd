"""Marks what is made up: the generated sample data must never be taken for a market."""

import streamlit as st


def is_sample(domain: str | None, description: str | None = None) -> bool:
    """Sample suppliers live under `.example` (RFC 2606) and say so in their description."""
    if not domain or not domain.lower().rstrip(".").endswith(".example"):
        return False
    return description is None or "sample" in description.lower()


def draw_sample_banner() -> None:
    """A line above a page that shows sample data."""
    st.warning(
        "**Sample data.** These suppliers, products and prices are generated; they describe no real market.",
        icon=":material/science:",
    )


def draw_sample_badge() -> None:
    st.badge("sample", icon=":material/science:", color="orange")


def example() -> None:
    draw_sample_banner()
    draw_sample_badge()
