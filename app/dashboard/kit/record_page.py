"""The page of one record, which its address names (`?id=`)."""

from collections.abc import Callable
from contextlib import nullcontext
from datetime import datetime
from typing import TypeVar

import streamlit as st

from app.client import ApiError, BadRequest, NotFound, Unsendable
from app.dashboard import navigation
from app.dashboard.failure_panel import failure_panel
from components.elements.page_header import draw_identifier, draw_page_header
from components.formatting import draw_timestamp, to_symbol

Record = TypeVar("Record")


def draw_record_page(
    kind: str,
    *,
    icon: str,
    list_page: str,
    load: Callable[[str], Record | None],
    draw: Callable[[Record], None],
    moment: Callable[[Record], tuple[str, datetime | None]] | None = None,
    draw_last: Callable[[Record], object] | None = None,
    shows_id: bool = True,
) -> None:
    """Load the record of the address and draw it, and in the last row its id, unless a part of it is shown
    that has one of its own, a `moment` of it, such as `("Started", one.created_at)`, and what `draw_last`
    draws. Where there is none, say so and lead to `list_page`; `kind` is what people call the record."""
    record_id = st.query_params.get("id")
    if not record_id:
        _draw_way_to_list(
            f"No {kind} chosen", f"The address names no {kind}. Choose one from the list.", icon, list_page
        )
        return
    with failure_panel(f"This {kind}"):
        record, request_id = None, None
        try:
            record = load(record_id)
        except (NotFound, Unsendable, BadRequest) as error:
            request_id = error.request_id
        except ApiError:
            draw_page_header(kind.capitalize())
            raise
        if record is not None:
            draw(record)
            is_row = moment is not None or draw_last is not None
            with st.container(horizontal=True, vertical_alignment="center") if is_row else nullcontext():
                if shows_id:
                    draw_identifier(kind.capitalize(), record_id)
                if moment is not None:
                    draw_timestamp(*moment(record))
                if draw_last is not None:
                    draw_last(record)
        else:
            _draw_way_to_list(
                f"This {kind} was not found",
                "It may have been removed, the address may be wrong, or it belongs to another organisation."
                + (f" Request {request_id}." if request_id else ""),
                icon,
                list_page,
            )


def _draw_way_to_list(title: str, sentence: str, icon: str, list_page: str) -> None:
    draw_page_header(title, caption=sentence)
    if st.button("Open the list", icon=to_symbol(icon), key=f"to-{list_page}"):
        navigation.open_page(list_page)
