"""Only the database's own folder knows which store it is, and what does it by the programs of each store."""

import re
from pathlib import Path

APP = Path(__file__).parents[3] / "app"
DIALECT = re.compile(
    r"dialect\.name|is_sqlite\b|get_backend_name|sqlalchemy\.dialects|on_conflict_do|Dialect\.[A-Z]"
)
KNOWING = [APP / "service" / name for name in ("database", "backup", "doctor.py")]
"""A dump and an examination are not the same in two stores."""


def test_nothing_outside_of_the_folder_asks_which_store_it_is() -> None:
    asking = [
        str(path.relative_to(APP))
        for path in APP.rglob("*.py")
        if not any(map(path.is_relative_to, KNOWING)) and DIALECT.search(path.read_text())
    ]
    assert asking == []
