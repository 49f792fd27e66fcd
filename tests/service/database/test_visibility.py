"""Who sees a row is asked in one place: nobody else writes the condition."""

import re
from pathlib import Path

APP = Path(__file__).parents[3] / "app"
PLACE = APP / "service/database/visibility.py"
BY_HAND = re.compile(r"organisation_id\s*(?:\.is_\(|==\s*None|IS NULL)")


def test_nobody_writes_the_condition_by_hand() -> None:
    written = [
        f"{path.relative_to(APP)}: {line.strip()}"
        for path in APP.rglob("*.py")
        if path != PLACE
        for line in path.read_text(encoding="utf-8").splitlines()
        if BY_HAND.search(line)
    ]
    assert not written, "ask visible_to or shared: " + "; ".join(written)
    assert BY_HAND.search(PLACE.read_text(encoding="utf-8"))
