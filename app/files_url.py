"""The address of a store of files: a folder, or a bucket of an S3-compatible store."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import unquote, urlsplit

_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,62}")
_STEP = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9!_.'()=-]{1,200}")
ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
"""The variables of the address of an S3-compatible store, the first that is set."""
_ADVICE = "write s3://bucket/prefix, or file:///folder"


@dataclass(frozen=True)
class FilesUrl:
    """Either a folder, or a bucket with what the names of all its files begin with."""

    folder: Path | None
    bucket: str = ""
    prefix: str = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `s3://bucket/prefix` or `file:///folder`. Raises ValueError with what to write instead."""
        parts = urlsplit(text)
        if parts.query or parts.fragment or "@" in parts.netloc:
            raise ValueError(f"{_ADVICE}; keys and the endpoint are variables of their own, AWS_…")
        if parts.scheme == "file":
            folder = Path(unquote(parts.path))
            if parts.netloc or not folder.is_absolute():
                raise ValueError(f"{text!r} is no folder; {_ADVICE}")
            return cls(folder)
        steps = [step for step in parts.path.strip("/").split("/") if parts.path.strip("/")]
        if (
            parts.scheme != "s3"
            or not _BUCKET.fullmatch(parts.netloc)
            or not all(map(_STEP.fullmatch, steps))
        ):
            raise ValueError(f"{text!r} is no place for files; {_ADVICE}")
        return cls(None, parts.netloc, "/".join(steps))

    def __str__(self) -> str:
        if self.folder is not None:
            return self.folder.as_uri()
        return f"s3://{self.bucket}/{self.prefix}".rstrip("/")
