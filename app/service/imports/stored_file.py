"""Open the file of an import as a table, in a process of its own."""

import logging
from collections.abc import Generator
from contextlib import ExitStack, contextmanager

from app.service.context import Context
from app.service.imports.store import StoredImport
from app.service.storage.file_storage import DamagedFile
from app.service.table_files.isolated_reading import open_table_isolated
from app.service.tables.table import Table, UnreadableTable

log = logging.getLogger(__name__)


@contextmanager
def open_import_file(context: Context, one: StoredImport) -> Generator[Table]:
    """Open the table that the import's options name. Raises UnreadableTable."""
    with ExitStack() as stack:
        try:
            path = stack.enter_context(context.files.local_copy(one.file_id, one.sha256))
        except FileNotFoundError:
            raise UnreadableTable("the uploaded file no longer exists") from None
        except DamagedFile as damage:
            log.error("%s", damage)
            raise UnreadableTable(
                "the stored file is damaged: its bytes are not those that were uploaded"
            ) from None
        options = one.options
        yield stack.enter_context(open_table_isolated(path, sheet=options.sheet, encoding=options.encoding))
