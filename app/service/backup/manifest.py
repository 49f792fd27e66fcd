"""What a backup says of itself: the last entry of its archive but one, so that one cut off has none."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, ValidationError

FORMAT = 1
"""The version of the archive's form. One that this version does not know is refused."""


class BackupFault(Exception):
    """A backup cannot be made or restored; the message says in one sentence why and what to do."""


class Member(BaseModel):
    """An entry of the archive; `size` in bytes, `sha256` of what is in the archive."""

    model_config = ConfigDict(frozen=True)

    name: str
    size: int
    sha256: str


class Manifest(BaseModel):
    """What a backup holds and needs."""

    model_config = ConfigDict(frozen=True)

    format: int
    version: str
    """Of the program that made it."""
    store: str
    """`sqlite` or `postgresql`."""
    revision: str
    created_at: datetime
    """The moment of the database; what was committed before is in the backup."""
    key_fingerprint: str | None
    """Of the secret key that the database's secrets are sealed with, never the key; None where no process
    has recorded one yet."""
    counts: dict[str, int]
    """Rows of the main tables."""
    members: list[Member]
    missing_files: list[str]
    """Ids of rows whose file was not there."""
    damaged_files: list[str]
    """Ids of rows whose file has other bytes than were uploaded. They are in the backup as they are."""


def parse_manifest(content: bytes) -> Manifest:
    """Raises BackupFault for one that this version cannot read."""
    try:
        form = _Form.model_validate_json(content).format
        if form != FORMAT:
            raise BackupFault(f"the backup has the form {form}, which only a newer version can restore")
        return Manifest.model_validate_json(content)
    except ValidationError:
        raise BackupFault("the manifest of the backup cannot be read: the archive is damaged") from None


class _Form(BaseModel):
    format: int
