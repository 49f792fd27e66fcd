"""The fields for documents: a supplier's quote, an order, a contract."""

from typing import TYPE_CHECKING

import streamlit as st

from app.contract.files import DOCUMENT_FORMAT_NAMES, DOCUMENT_SUFFIXES

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

MAX_MEBIBYTES = 50
"""The largest file that deployments take unless they set another limit."""


def draw_document_upload(label: str, *, key: str) -> "UploadedFile | None":
    """Draw the field, which takes the formats that the service reads, and return the chosen file."""
    return st.file_uploader(label, type=DOCUMENT_SUFFIXES, key=key, max_upload_size=MAX_MEBIBYTES)


def draw_quotes_upload(label: str, most: int, *, key: str) -> "list[UploadedFile]":
    """Draw the field for up to `most` files and return them. It takes files of any name, since the service
    recognises a format by its content and says of each what is wrong; only the browser sees what is too
    large."""
    files = st.file_uploader(label, accept_multiple_files=True, key=key, max_upload_size=MAX_MEBIBYTES)
    st.caption(
        f"{DOCUMENT_FORMAT_NAMES}, up to {most} at once."
        f" A file of more than {MAX_MEBIBYTES} MB is marked red and not read."
    )
    return files
