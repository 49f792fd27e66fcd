"""Shortening of long texts."""


def shorten_text(text: str, length: int) -> str:
    """Return at most `length` characters: some suppliers put a page of terms into a product name."""
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"
