"""Which bytes of a file are asked for (RFC 9110, 14)."""

import re
from collections.abc import Iterator

from app.service.http.problems import ApiProblem, InvalidField

_RANGES = re.compile(r"bytes\s*=\s*(.*)", re.IGNORECASE)
_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{0,18})|-([0-9]{1,18})")


def is_range_served(header: str, size: int) -> bool:
    """Whether `Range` selects bytes of a file; False where the whole file is the answer: for units other than
    bytes, and for ranges of which only some are in the file. Raises ApiProblem 400 for ranges that cannot be
    read, 416 where none is in the file."""
    ranges = _RANGES.fullmatch(header.strip())
    if ranges is None:
        return False
    starts = list(_read_starts(ranges.group(1), size))
    inside = [0 <= start < size for start in starts]
    if not any(inside):
        raise ApiProblem(
            416,
            f"The file has {size:,} bytes, none of which is in the requested range.",
            headers={"Content-Range": f"bytes */{size}"},
        )
    return all(inside)


def _read_starts(ranges: str, size: int) -> Iterator[int]:
    for one in ranges.split(","):
        found = _RANGE.fullmatch(one.strip())
        first, last, suffix = found.groups() if found else (None, None, None)
        if found is None or (first and last and int(last) < int(first)):
            wrong = InvalidField("Range", "must be like bytes=0-499, bytes=500- or bytes=-500")
            raise ApiProblem(400, "A header is not valid.", errors=[wrong])
        if suffix is not None:
            yield max(0, size - int(suffix)) if int(suffix) else size
        else:
            yield int(first or 0)
