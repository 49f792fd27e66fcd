"""Units are compared by what they count."""

import pytest

from app.service.scopes.units import units_agree


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("seats", "user", True),
        ("Nutzer", "named users", True),
        ("employee / month", "employees", True),
        ("each", "user", True),
        ("H87", "user", True),
        (None, "user", True),
        ("pack", "user", False),
        ("host", "user", False),
        ("GB/day", "user", False),
    ],
)
def test_units_are_compared_by_what_they_count(one: str | None, other: str, agree: bool) -> None:
    assert units_agree(one, other) is agree
