"""Rows of uploaded files, and what an upload must be."""

import hashlib
import io
import logging
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import BinaryIO

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.access.caller import Caller
from app.service.access.quotas import lock_organisation, require_byte_room, require_room
from app.service.context import Context
from app.service.database.rows import count_rows
from app.service.database.tables import file
from app.service.documents.faults import UnreadableDocument, UnsupportedDocument
from app.service.documents.formats.registry import recognise_format
from app.service.http.problems import ApiProblem, bad_request
from app.service.ids import new_id
from app.service.storage.file_storage import DamagedFile, StorageFault
from app.service.tables.archives import recognise_packed_table
from app.settings import Settings

log = logging.getLogger(__name__)

MAX_FILENAME = 255
SAMPLE_DOCUMENT_TEXT = "Parley sample data"
_SAMPLE_DOCUMENT = re.compile(rf"/Subject ?\({SAMPLE_DOCUMENT_TEXT}\)".encode())
"""Stands in the PDFs of sample quotes, so that one that is uploaded to try them is known as sample data."""
SAMPLE_MARK_WITHIN = 8_000
"""Bytes at the end of a document in which the mark is looked for."""


FILE_GONE = "The uploaded file no longer exists."
FILE_DAMAGED = "The stored file is damaged: its bytes are not those that were uploaded."


@dataclass(frozen=True)
class StoredFile:
    """An uploaded file; its bytes are in the file storage under `id`. `size` in bytes."""

    id: str
    filename: str
    media_type: str
    size: int
    sha256: str
    created_at: datetime
    sample: bool


def save_upload(context: Context, caller: Caller, source: BinaryIO, filename: str | None) -> StoredFile:
    """Keeps an upload. Raises ApiProblem 400 when it is empty, 413 when it is too large, 415 when its
    content is none of the accepted types, 409 when the organisation has as many files as it may."""
    size = source.seek(0, 2)
    if size == 0:
        raise bad_request("file", "The file is empty.")
    if size > context.settings.max_upload:
        raise ApiProblem(413, f"The file is larger than {context.settings.max_upload:,} bytes.")
    source.seek(0)
    content = source.read()
    name = clean_filename(filename)
    stored = StoredFile(
        id=new_id(),
        filename=name,
        media_type=_recognise_media_type(content, name),
        size=size,
        sha256=hashlib.sha256(content).hexdigest(),
        created_at=context.clock(),
        sample=caller.sample or _SAMPLE_DOCUMENT.search(content[-SAMPLE_MARK_WITHIN:]) is not None,
    )
    try:
        context.files.save(stored.id, io.BytesIO(content), stored.sha256)
    except StorageFault:
        _delete_orphan(context, stored.id)  # one that a slow store has taken all the same
        raise
    with context.database.writing(undo=lambda: _delete_orphan(context, stored.id)) as connection:
        _require_room(connection, context.settings, caller.organisation_id, size)
        connection.execute(
            file.insert().values(
                **vars(stored),
                organisation_id=caller.organisation_id,
                end_user=caller.end_user.record(),
            )
        )
    return stored


def _delete_orphan(context: Context, file_id: str) -> None:
    """Delete the bytes of a file whose row was taken back. Where the store is away they stay, and only
    `FileStorage.list_files` knows them."""
    try:
        context.files.delete(file_id)
    except StorageFault as fault:
        log.error("File %s, which no row names, may still be there: %s", file_id, fault)


def _recognise_media_type(content: bytes, name: str) -> str:
    try:
        return recognise_format(content, name).media_type
    except UnreadableDocument as error:
        raise bad_request("file", error.reason) from None
    except UnsupportedDocument as error:
        if table := recognise_packed_table(content):
            return table
        raise ApiProblem(
            415, f"{error.reason} A table to import may also be CSV.gz, ODS or Parquet."
        ) from None


def _require_room(connection: Connection, settings: Settings, organisation_id: str, size: int) -> None:
    lock_organisation(connection, organisation_id)
    require_room(
        count_rows(connection, file, file.c.organisation_id == organisation_id),
        settings.max_files,
        things="files",
        setting="PARLEY_MAX_FILES",
        way_out="Name a file that was uploaded before instead of sending it again",
    )
    require_byte_room(connection, settings, organisation_id, "files", size)


def find_file(connection: Connection, organisation_id: str, file_id: str) -> StoredFile | None:
    """The file, if this organisation owns it."""
    row = connection.execute(
        sa.select(file).where(file.c.id == file_id, file.c.organisation_id == organisation_id)
    ).first()
    if row is None:
        return None
    return StoredFile(row.id, row.filename, row.media_type, row.size, row.sha256, row.created_at, row.sample)


def read_document_file(context: Context, file_id: str, sha256: str) -> bytes:
    """The bytes of a file, verified. Raises UnreadableDocument where they are gone or are others, which
    trying again does not mend; StorageFault where the store cannot be used now."""
    try:
        return context.files.read(file_id, sha256)
    except FileNotFoundError:
        raise UnreadableDocument(FILE_GONE) from None
    except DamagedFile as damage:
        log.error("%s", damage)
        raise UnreadableDocument(FILE_DAMAGED) from None


def clean_filename(given: str | None) -> str:
    """The last part of the name a caller gave, without control characters."""
    name = PurePosixPath((given or "").replace("\\", "/")).name
    plain = "".join(letter for letter in name if letter.isprintable()).strip()[-MAX_FILENAME:]
    return plain if plain.strip(".") else "document"
