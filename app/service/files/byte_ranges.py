"""Which bytes of a file are asked for (RFC 9110, 14)."""

import re
from collections.abc import Iterator

from app.service.http.problems import ApiProblem, InvalidField

_RANGES = re.compile(r"bytes\s*=\s*(.*)", re.IGNORECASE)
_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{0,18})|-([0-9]{1,18})")


def find_ranges(header: str, size: int) -> list[range]:
    """The ranges of a file's bytes that `Range` selects; none where the whole file is the answer: for units
    other than bytes, and for ranges of which only some are in the file. Raises ApiProblem 400 for ranges that
    cannot be read, 416 where none is in the file."""
    ranges = _RANGES.fullmatch(header.strip())
    if ranges is None:
        return []
    found = list(_read_ranges(ranges.group(1), size))
    if not any(found):
        raise ApiProblem(
            416,
            f"The file has {size:,} bytes, none of which is in the requested range.",
            headers={"Content-Range": f"bytes */{size}"},
        )
    return found if all(found) else []


def _read_ranges(ranges: str, size: int) -> Iterator[range]:
    for one in ranges.split(","):
        found = _RANGE.fullmatch(one.strip())
        first, last, suffix = found.groups() if found else (None, None, None)
        if found is None or (first and last and int(last) < int(first)):
            wrong = InvalidField("Range", "must be like bytes=0-499, bytes=500- or bytes=-500")
            raise ApiProblem(400, "A header is not valid.", errors=[wrong])
        if suffix is not None:
            yield range(max(0, size - int(suffix)), size)
        else:
            yield range(int(first or 0), min(int(last) + 1, size) if last else size)
