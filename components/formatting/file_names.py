"""Names of files that others chose."""

from pathlib import PurePosixPath

MAX_LENGTH = 60


def shorten_file_name(name: str) -> str:
    """Return the name without folders; the middle of a long one is left out."""
    bare = PurePosixPath(name.replace("\\", "/")).name or name
    if len(bare) <= MAX_LENGTH:
        return bare
    return f"{bare[: MAX_LENGTH - 16]}…{bare[-15:]}"
