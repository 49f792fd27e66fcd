"""What the examples of all components share. No record in them is real."""

from datetime import UTC, datetime

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def make_id(number: int) -> str:
    """Return a UUID that ends with `number`, so that a reader can tell records apart."""
    return f"00000000-0000-4000-8000-{number:012d}"
