"""Agreements against the market: what their lines should cost today, and what their renewal costs."""
