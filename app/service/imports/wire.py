"""The record of an import as it goes over the wire."""

from app.contract.imports import UNDO_TIME, Import, ImportPreview, ImportRemoval, ImportResult
from app.service.imports.store import StoredImport


def import_record(one: StoredImport) -> Import:
    """Return the record; `undoUntil` only while the import can be undone."""
    removal = None if one.status == "undoing" else one.removal
    can_be_undone = one.status == "completed" and one.completed_at is not None
    return Import(
        id=one.id,
        status=one.status,
        kind=one.kind,
        file_id=one.file_id,
        filename=one.filename,
        mapping=dict(one.mapping),
        ignore=list(one.ignored_columns),
        base_currency=one.base_currency,
        date_order=one.date_order,
        **(one.answers or {}),
        preview=None if one.preview is None else ImportPreview.model_validate(one.preview),
        rows_done=one.rows_done,
        result=None if one.result is None else ImportResult.model_validate(one.result),
        removal=None if removal is None else ImportRemoval.model_validate(removal),
        error=one.error,
        created_at=one.created_at,
        updated_at=one.updated_at,
        undo_until=one.completed_at + UNDO_TIME if can_be_undone and one.completed_at else None,
    )
