"""The lines of a text file as a stream, in any encoding; no line longer than the limit is held in memory."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from app.service.tables.encodings import FoundEncoding, is_utf_8

MAX_LINE_CHARACTERS = 1 << 20
_CHUNK = 1 << 16
_MARK = "\ufeff"
_RARE_ENDS = re.compile("[\v\f\x1e\x85\u2028\u2029]")
_UNREADABLE = re.compile("[\ud800-\udfff\x00]")
_BACKSLASH = re.compile(r"\\(?=\d)")
_SIGNS_AS_BACKSLASH = {
    **dict.fromkeys(("shift_jis", "cp932", "shift_jis_2004"), "¥"),
    **dict.fromkeys(("euc_kr", "cp949"), "₩"),
}
"""The sign of a currency that stands in an encoding where others have the backslash."""
TOO_LONG = f"is longer than {MAX_LINE_CHARACTERS >> 20} MiB"
_OTHER_ENCODING = "is not in the encoding of the file's other lines"
_ZERO = "has a character 0, which no text has"


@dataclass(frozen=True, slots=True)
class UnreadableLine:
    """A line that is no text; `reason` says why, as the end of a sentence about it."""

    reason: str


def read_lines(stream: BinaryIO, encoding: FoundEncoding) -> Iterator[str | UnreadableLine]:
    """Yield each line without its end, which is a line feed, a carriage return or both; one of the rarer
    signs for it where the file begins without these."""
    stream.seek(0)
    wide = encoding.name.startswith("utf_16") or encoding.name.startswith("utf_32")
    decoder = codecs.getincrementaldecoder(encoding.name)("surrogatepass" if wide else "surrogateescape")
    rest, skipping, first, rare, sign = "", False, True, False, _SIGNS_AS_BACKSLASH.get(encoding.name)
    while True:
        raw = stream.read(_CHUNK)
        text = _decode(decoder, raw)
        if first:
            text, first = text.removeprefix(_MARK), False
            rare = "\n" not in text and "\r" not in text
        if rare:
            text = _RARE_ENDS.sub("\n", text)
        if sign and "\\" in text:
            text = _BACKSLASH.sub(sign, text)
        text = rest + text
        if raw and text.endswith("\r"):
            # A line feed may follow.
            text, held = text[:-1], "\r"
        else:
            held = ""
        suspicious = (not text.isascii() and (encoding.mixed or _UNREADABLE.search(text))) or "\x00" in text
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        rest = lines.pop() + held
        if lines and skipping:
            lines[0], skipping = "", False
            yield UnreadableLine(TOO_LONG)
            del lines[0]
        if suspicious or len(text) > MAX_LINE_CHARACTERS:
            yield from (_check(line, encoding) for line in lines)
        else:
            yield from lines
        if not raw:
            break
        if skipping or len(rest) > MAX_LINE_CHARACTERS:
            rest, skipping = held, True
    if skipping:
        yield UnreadableLine(TOO_LONG)
    elif rest:
        yield _check(rest, encoding)


def _decode(decoder: codecs.IncrementalDecoder, raw: bytes) -> str:
    try:
        return decoder.decode(raw, final=not raw)
    except UnicodeDecodeError:  # half a character at the end of UTF-16
        return "\udcff"


def _check(line: str, encoding: FoundEncoding) -> str | UnreadableLine:
    if len(line) > MAX_LINE_CHARACTERS:
        return UnreadableLine(TOO_LONG)
    found = _UNREADABLE.search(line)
    if found:
        return UnreadableLine(_ZERO if found[0] == "\x00" else _OTHER_ENCODING)
    if encoding.mixed and not line.isascii():
        written = line.encode(encoding.name, "replace")
        if sum(byte > 0x7F for byte in written) > 1 and is_utf_8(written):
            return UnreadableLine(_OTHER_ENCODING)
    return line
