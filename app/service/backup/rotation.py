"""Backups in a folder or bucket of their own, of which the newest are kept."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from app.files_url import FilesUrl
from app.service.backup.manifest import BackupFault, Manifest

_NAME = re.compile(r"parley-\d{8}T\d{6}Z\.tar(\.sealed)?")
UPLOAD_SECONDS = 3600.0


def parse_place(text: str) -> FilesUrl:
    """Read a folder, or the address of a bucket. Raises BackupFault."""
    try:
        return FilesUrl.parse(text) if "://" in text else FilesUrl(Path(text).absolute())
    except ValueError as fault:
        raise BackupFault(f"--to: {fault}") from None


def back_up_to(
    place: FilesUrl, make: Callable[[Path], Manifest], *, now: datetime, keep: int, is_sealed: bool
) -> tuple[str, Manifest, int]:
    """Make a backup with a name by its time in a place, then remove all but the newest `keep`. Return its
    name, what is in it, and how many were removed. Nothing else there is touched."""
    name = f"parley-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}.tar" + (".sealed" if is_sealed else "")
    if place.folder is not None:
        place.folder.mkdir(parents=True, exist_ok=True)
        made = make(place.folder / name)
        names = [one.name for one in place.folder.iterdir()]
        outdated = _find_outdated(names, keep)
        for one in outdated:
            (place.folder / one).unlink(missing_ok=True)
        return name, made, len(outdated)
    from app.service.storage.s3 import S3Storage

    store = S3Storage(place.bucket, place.prefix, timeout=UPLOAD_SECONDS)
    with TemporaryDirectory(prefix="parley-backup-") as folder:
        made = make(Path(folder) / name)
        store.upload(name, Path(folder) / name)
    outdated = _find_outdated([one.file_id for one in store.list_files()], keep)
    for one in outdated:
        store.delete(one)
    return name, made, len(outdated)


def _find_outdated(names: list[str], keep: int) -> list[str]:
    backups = sorted(name for name in names if _NAME.fullmatch(name))
    return backups[:-keep]
