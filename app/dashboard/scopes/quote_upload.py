"""The upload of suppliers' quotes, which the service reads into scopes."""

from collections.abc import Callable, Mapping

import streamlit as st

from app.contract.scope import PurchaseType
from app.dashboard.deployment import Deployment
from app.dashboard.scopes.dropped_quote_list import draw_dropped_quotes
from app.dashboard.scopes.dropped_quotes import MAX_QUOTES, add_dropped_files, send_quotes
from app.dashboard.session_values import dropped_quotes, upload_count
from components.elements.document_upload import draw_quotes_upload
from components.scopes.scope_card import PURCHASE_TYPE_LABELS


def draw_quote_upload(deployment: Deployment, *, on_uploaded: Callable[[str], None]) -> None:
    """Draw the upload, which begins to read at the drop, and the list of what was dropped. A quote that is
    dropped alone is not listed: `on_uploaded` gets the id of its scope."""
    st.markdown(
        "Drop a supplier's quote or order form, or several at once. Reading begins immediately; the lines "
        "are matched to the catalog. You then answer open questions, add missing products in one step, and "
        "confirm. Nothing that affects the price is assumed."
    )
    kinds: Mapping[PurchaseType | None, str] = {
        None: "As the quote says",
        "new_purchase": PURCHASE_TYPE_LABELS["new_purchase"],
        "renewal": PURCHASE_TYPE_LABELS["renewal"],
    }
    purchase_type = st.radio(
        "Kind of purchase",
        list(kinds),
        format_func=lambda each: kinds[each],
        horizontal=True,
        key="quote-kind",
    )
    uploads = upload_count("quotes")
    files = draw_quotes_upload("Quotes", MAX_QUOTES, key=f"quotes-{uploads.get()}")
    quotes = dropped_quotes(deployment)
    add_dropped_files(quotes, files, purchase_type)
    send_quotes(deployment, quotes)

    def clear() -> None:
        # A new field first: what the old one holds would be taken for dropped again.
        uploads.set(uploads.get() + 1)
        quotes.clear()

    if len(quotes) == 1 and quotes[0].scope_id is not None and quotes[0].scope is None:
        scope_id = quotes[0].scope_id
        clear()
        on_uploaded(scope_id)
    draw_dropped_quotes(deployment, quotes, on_clear=clear)
