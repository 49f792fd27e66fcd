"""Imports from the browser or over HTTP, and the rows that each of them brought."""

import sqlalchemy as sa

from app.service.database.columns import Document, Instant, Json, Key, metadata

data_import = sa.Table(
    "data_import",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    sa.Column("file_id", Key, sa.ForeignKey("file.id"), nullable=False),
    sa.Column("kind", sa.String(10)),  # `contract.imports.ImportKind`; null until it is recognised
    sa.Column("status", sa.String(10), nullable=False),  # `contract.imports.ImportStatus`
    sa.Column("mapping", Json, nullable=False),  # {our field: the file's column}, as asked for
    sa.Column("ignored_columns", Json, nullable=False),  # the file's columns to leave out, as asked for
    sa.Column("base_currency", sa.String(3)),  # of rates that name none, as asked for
    sa.Column("date_order", sa.String(11)),  # `contract.imports.DateOrder`, as asked for
    sa.Column("answers", Json),  # {field of `contract.imports.NewImport`: what a person said of the file}
    sa.Column("preview", Document),  # `contract.imports.ImportPreview`; null until the file is checked
    # Bytes of text in the rows that it adds; null until the file is checked, and by versions before 301.
    sa.Column("row_bytes", sa.BigInteger),
    sa.Column("rows_done", sa.Integer, nullable=False, server_default="0"),
    sa.Column("result", Document),  # `contract.imports.ImportResult`
    sa.Column("removal", Document),  # `contract.imports.ImportRemoval`
    sa.Column("ends_as", sa.String(10)),  # the status that follows undoing
    sa.Column("error", sa.Text),
    sa.Column("end_user", Json),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("completed_at", Instant),  # from which the time to undo it counts
    sa.Column("removed_at", Instant),  # when rows were last taken back
    sa.Index(None, "organisation_id", "created_at", "id"),
)

imported_row = sa.Table(
    # A row that an import brought: by adding it, or by naming it again while the import that added it could
    # still be undone. Forgotten when the import can no longer be undone.
    "imported_row",
    metadata,
    sa.Column("import_id", Key, sa.ForeignKey("data_import.id"), primary_key=True),
    sa.Column("table_name", sa.String(20), primary_key=True),
    sa.Column("row_id", sa.Text, primary_key=True),
    sa.Column("added", sa.Boolean, nullable=False),
    # The values of a row that the import changed: {before: {column: value}, after: {…}}.
    sa.Column("changes", Json),
    sa.Index(None, "row_id", "table_name"),
    sqlite_with_rowid=False,
)
