"""The field for a document: a supplier's quote, an order, a contract."""

from typing import TYPE_CHECKING

import streamlit as st

from app.contract.files import DOCUMENT_SUFFIXES

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

MAX_MEBIBYTES = 50
"""The largest file that deployments take unless they set another limit."""


def draw_document_upload(label: str, *, key: str) -> "UploadedFile | None":
    """Draw the field, which takes the formats that the service reads, and return the chosen file."""
    return st.file_uploader(label, type=DOCUMENT_SUFFIXES, key=key, max_upload_size=MAX_MEBIBYTES)


def example() -> None:
    draw_document_upload("Quote", key="example-document")
