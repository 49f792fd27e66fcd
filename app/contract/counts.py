"""Counts in sentences and on pages, in one form everywhere."""


def format_count(count: int, one: str, many: str | None = None) -> str:
    """Return `1 product` or `1,234 products`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
