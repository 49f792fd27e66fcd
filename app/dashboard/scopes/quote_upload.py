"""The upload of a supplier's quote, which the service reads into a scope."""

from collections.abc import Callable

import streamlit as st

from app.client import ScopedClient
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.session_values import upload_count
from components.elements.document_upload import draw_document_upload
from components.scopes.scope_card import PURCHASE_TYPE_LABELS


def draw_quote_upload(deployment: Deployment, *, on_uploaded: Callable[[str], None]) -> None:
    """Draw the upload; `on_uploaded` gets the id of the new scope, whose document is not read yet."""
    st.markdown(
        "Drop the supplier's quote or order form. Its lines are read and matched to the catalog. You then "
        "answer open questions, add missing products in one step, and confirm. Nothing that affects the "
        "price is assumed."
    )
    uploads = upload_count("quote")
    file = draw_document_upload("Quote", key=f"quote-{uploads.get()}")
    purchase_type = st.radio(
        "Kind of purchase",
        list(PURCHASE_TYPE_LABELS),
        format_func=lambda each: PURCHASE_TYPE_LABELS[each],
        horizontal=True,
        key="quote-kind",
    )

    def upload(client: ScopedClient, idempotency_key: str) -> str:
        assert file is not None
        stored = client.files.upload(
            file.getvalue(),
            filename=file.name,
            mime_type=file.type,
            idempotency_key=f"{idempotency_key}-file",
        )
        return client.scopes.from_document(
            client.files.address(stored.id),
            purchase_type="renewal" if purchase_type == "renewal" else "new_purchase",
            idempotency_key=idempotency_key,
        ).scope_id

    def follow(scope_id: str) -> None:
        uploads.set(uploads.get() + 1)
        on_uploaded(scope_id)

    write_button(
        deployment,
        "Read this quote",
        name=f"upload-quote-{file.file_id if file else ''}",
        what="Uploading the quote",
        write=upload,
        on_success=follow,
        icon=":material/upload_file:",
        type="primary",
        disabled=file is None,
        help="Choose a file first" if file is None else None,
    )
