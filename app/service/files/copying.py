"""Copy the files of a database from one store to another, each verified."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import sqlalchemy as sa

from app.service.context import Context
from app.service.database.tables import file
from app.service.start_checks import recorded_mark
from app.service.storage.file_storage import DamagedFile, FileSavedBefore, FileStorage

_AT_ONCE = 500


class OtherStore(Exception):
    """One of the stores is not what it is taken for; the message says which and why."""


@dataclass
class CopyReport:
    """What was done: files and bytes that were copied, files that were there and right, and those of which
    there is nothing right to copy, with the reason."""

    copied: int = 0
    copied_bytes: int = 0
    there: int = 0
    lost: list[str] = field(default_factory=list[str])

    @property
    def files(self) -> int:
        return self.copied + self.there + len(self.lost)


def copy_files(
    context: Context,
    source: FileStorage,
    target: FileStorage,
    advance: Callable[[CopyReport], None] = lambda _: None,
) -> CopyReport:
    """Copy every file that the database names and that is not in the target or is damaged there, and mark the
    target as the source is marked, so that processes take it for the same. It may be ended and begun again:
    what is there is verified and left. Raises OtherStore, and StorageFault where a store cannot be used."""
    mark = recorded_mark(context)
    if mark is None or source.find_mark() != mark:
        raise OtherStore(f"{source.place} is not the one that holds this database's files")
    if target.find_mark() not in {None, mark}:
        raise OtherStore(f"{target.place} holds the files of another database")
    report = CopyReport()
    for row in _list_rows(context):
        try:
            if _copy(source, target, row["id"], row["sha256"]):
                report.copied += 1
                report.copied_bytes += row["size"]
            else:
                report.there += 1
        except FileNotFoundError:
            report.lost.append(f"file {row['id']} ({row['filename']}) is not in {source.place}")
        except DamagedFile as damage:
            report.lost.append(f"{damage} ({row['filename']})")
        advance(report)
    target.mark(mark)
    return report


def _copy(source: FileStorage, target: FileStorage, file_id: str, sha256: str) -> bool:
    """Whether it was copied; False where it was there."""
    if target.stat(file_id) is not None:
        try:
            target.verify(file_id, sha256)
        except DamagedFile:
            source.verify(file_id, sha256)
            target.delete(file_id)
        else:
            return False
    try:
        with source.open(file_id) as content:
            target.save(file_id, content, sha256)
    except FileSavedBefore:  # by another copy that runs at the same time
        target.verify(file_id, sha256)
        return False
    except DamagedFile:
        raise DamagedFile(file_id, source.place) from None
    target.verify(file_id, sha256)
    return True


def _list_rows(context: Context) -> Iterator[sa.RowMapping]:
    """By their ids, which grow with time: those that are uploaded meanwhile come too."""
    last = ""
    while True:
        with context.database.reading() as connection:
            rows = (
                connection.execute(
                    sa.select(file.c.id, file.c.sha256, file.c.filename, file.c.size)
                    .where(file.c.id > last)
                    .order_by(file.c.id)
                    .limit(_AT_ONCE)
                )
                .mappings()
                .all()
            )
        yield from rows
        if len(rows) < _AT_ONCE:
            return
        last = rows[-1]["id"]
