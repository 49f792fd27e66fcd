"""Only the database's own folder knows which store it is."""

import re
from pathlib import Path

APP = Path(__file__).parents[3] / "app"
DIALECT = re.compile(
    r"dialect\.name|is_sqlite\b|get_backend_name|sqlalchemy\.dialects|on_conflict_do|Dialect\.[A-Z]"
)


def test_nothing_outside_of_the_folder_asks_which_store_it_is() -> None:
    asking = [
        str(path.relative_to(APP))
        for path in APP.rglob("*.py")
        if path.parent.name != "database"
        and "migrations" not in path.parts
        and DIALECT.search(path.read_text())
    ]
    assert asking == []
