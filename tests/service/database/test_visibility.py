"""Which purchases and entries an organisation sees is asked in one place: no other module states the rule."""

import re
from pathlib import Path

import pytest

APP = Path(__file__).parents[3] / "app"
VISIBILITY = APP / "service/database/visibility.py"
SCHEMA = APP / "service/database/tables.py", APP / "service/database/migrations"
CONDITION = re.compile(
    r"([\w.]+)\.organisation_id\s*(?:==|!=|\.(?:is_|is_not|isnot|in_|not_in)\()|organisation_id IS"
)
PRIVATE = {
    *(
        "api_key.c",
        "audit_entry.c",
        "audit_link.c",
        "LINK",
        "data_import.c",
        "event.c",
        "file.c",
        "membership.c",
        "negotiation.c",
    ),
    *("scope.c", "user_session.c", "webhook.c"),
}
"""Tables whose every row belongs to one organisation."""
OBJECTS = {"document", "found", "one", "seller"}
"""Objects of Python that have an owner: no part of a query."""


@pytest.mark.campaign
def test_no_other_module_states_who_may_see_a_row() -> None:
    stated = [
        f"{path.relative_to(APP)}: {line.strip()}"
        for path in APP.rglob("*.py")
        if path != VISIBILITY and not any(folder in path.parents for folder in SCHEMA)
        for line in path.read_text(encoding="utf-8").splitlines()
        for condition in CONDITION.finditer(line)
        if condition[1] not in PRIVATE | OBJECTS
    ]
    assert not stated, "use visible_to, shared or owned_by: " + "; ".join(stated)


def test_the_test_above_knows_the_conditions_that_a_query_can_have() -> None:
    conditions = (
        "purchase.c.organisation_id == owner",
        "rows.organisation_id.is_(None)",
        "category.c.organisation_id.is_not(None)",
        'attribute_column.c.organisation_id.in_(["", owner])',
    )
    for condition in conditions:
        found = CONDITION.search(condition)
        assert found is not None
        assert found[1] not in PRIVATE | OBJECTS
