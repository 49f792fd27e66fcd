"""The process that reads one table file from standard input and writes its rows to standard output:
`python -m app.service.table_files.reading_process PARENT MEMORY SECONDS WANTED`; see `isolated_reading`.
WANTED is JSON with the names of the `sheet` and of the `encoding`, each null where nobody states it."""

import json
import sys

from app.service.documents.sandbox.child_process import enter_isolation
from app.service.documents.sandbox.isolation import limit_processor
from app.service.table_files.row_sending import send_end, send_head, send_rows
from app.service.tables.table import UnreadableTable

DAMAGED = "the file cannot be read; it may be damaged"
TOO_LARGE = "the file needs more memory than one file may use"


def main() -> None:
    """Read the file, and give up every right before its first byte."""
    content, answers = enter_isolation(int(sys.argv[1]), int(sys.argv[2]))
    limit_processor(int(sys.argv[3]))
    # Imported here, so that the limits hold while the libraries load.
    from app.service.tables.reading import open_table

    try:
        wanted = json.loads(sys.argv[4])
        table = open_table(content, sheet=wanted["sheet"], encoding=wanted["encoding"])
        send_head(answers, table.head)
        send_rows(answers, table.rows)
        send_end(answers)
    except UnreadableTable as error:
        send_end(answers, str(error))
    except (MemoryError, RecursionError):
        send_end(answers, TOO_LARGE)
    except BrokenPipeError:
        pass  # nobody asks for the rest
    except Exception:  # whatever a hostile file provokes must cost this file only
        send_end(answers, DAMAGED)


if __name__ == "__main__":
    main()
