"""The field for files to import."""

from typing import TYPE_CHECKING

import streamlit as st

from app.contract.files import TABLE_FORMAT_NAMES, TABLE_SUFFIXES
from components.elements.document_upload import MAX_MEBIBYTES

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile


def draw_table_upload(label: str, *, key: str) -> "list[UploadedFile]":
    """Draw the field, which takes several files, and return those that were chosen."""
    return st.file_uploader(
        label,
        type=TABLE_SUFFIXES,
        key=key,
        accept_multiple_files=True,
        max_upload_size=MAX_MEBIBYTES,
        help=f"{TABLE_FORMAT_NAMES}, the names of the columns in the first row",
    )
