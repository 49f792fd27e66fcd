from app.contract.comments import HistoryEntry
from components.comments import draw_history
from tests.components.fixtures import NOON


def example() -> None:
    texts = {
        "person": "Bea Buyer changed the notice period and the owners.",
        "key": "The key “reports” put this contract on record.",
        "background": "Parley reported the deadline of 30 September 2026 in the background.",
    }
    draw_history(
        [HistoryEntry(at=NOON, actor_kind=kind, text=text) for kind, text in texts.items()],
    )
