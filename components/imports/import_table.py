"""A table of imports, newest first."""

from collections.abc import Sequence
from datetime import tzinfo

from app.contract.imports import Import
from components.elements.record_table import LEFT, RIGHT, RecordColumn, RecordRow, draw_record_table
from components.formatting.datetimes import format_local_time
from components.imports.import_words import STATUS_LABELS, describe_kind


def draw_import_table(imports: Sequence[Import], *, zone: tzinfo) -> None:
    """Draw the imports."""
    rows = [
        RecordRow(
            "import_file",
            {"id": one.id},
            {
                "File": one.filename,
                "Contents": describe_kind(one.kind),
                "Rows": None if one.result is None else one.result.imported,
                "State": STATUS_LABELS.get(one.status, one.status),
                "Started": format_local_time(one.created_at, zone),
            },
        )
        for one in imports
    ]
    draw_record_table(
        rows,
        alt=f"{len(rows)} imports, newest first",
        columns={
            "File": LEFT,
            "Contents": LEFT,
            "State": LEFT,
            "Rows": RecordColumn("right", "Rows that were imported"),
            "Started": RIGHT,
        },
    )
