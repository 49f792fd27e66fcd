"""What the page of one record shows when its address names none."""

from app.dashboard import navigation
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header


def draw_missing_id(kind: str, *, icon: str, list_page: str) -> None:
    """Draw the page without a record, with a button that opens the page of all records."""
    draw_page_header(kind.capitalize())
    if draw_empty_state(
        f"No {kind} chosen",
        f"The address names no {kind}. Choose one from the list.",
        icon=icon,
        action=f"Open {list_page}",
        key=f"to-{list_page}",
    ):
        navigation.open_page(list_page)
