"""The upload of files to import."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from app.client import ScopedClient
from app.contract.imports import NewImport
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.session_values import upload_count
from components.imports.table_upload import draw_table_upload

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile


def draw_file_upload(deployment: Deployment, *, on_uploaded: Callable[[list[str]], None]) -> None:
    """Draw the upload; `on_uploaded` gets the ids of the new imports, whose files are not checked yet."""
    uploads = upload_count("imports")
    files = draw_table_upload("Files to import", key=f"imports-{uploads.get()}")

    def upload(client: ScopedClient, idempotency_key: str) -> list[str]:
        return [_begin_import(client, file, f"{idempotency_key}-{at}") for at, file in enumerate(files)]

    def follow(import_ids: list[str]) -> None:
        uploads.set(uploads.get() + 1)
        on_uploaded(import_ids)

    write_button(
        deployment,
        "Check the file" if len(files) < 2 else f"Check {len(files)} files",
        name=f"import-{'-'.join(file.file_id for file in files)}",
        what="Uploading",
        write=upload,
        on_success=follow,
        icon=":material/fact_check:",
        type="primary",
        disabled=not files,
        help=None if files else "Choose a file first",
    )
    st.caption("Checking imports nothing. You see what would be imported and refused, and confirm it then.")


def _begin_import(client: ScopedClient, file: "UploadedFile", idempotency_key: str) -> str:
    stored = client.files.upload(
        file.getvalue(), filename=file.name, mime_type=file.type, idempotency_key=f"{idempotency_key}-file"
    )
    return client.imports.create(NewImport(file_id=stored.id), idempotency_key=idempotency_key).id
