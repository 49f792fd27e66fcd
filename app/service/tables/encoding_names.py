"""What people call encodings."""

from collections.abc import Sequence

from app.service.tables.table import EncodingReading

_NAMES = {
    "utf_8": "UTF-8",
    "gb18030": "GB 18030",
    "big5hkscs": "Big5",
    "cp932": "Shift JIS",
    "cp949": "EUC-KR",
    "euc_jp": "EUC-JP",
    "mac_roman": "Mac Roman",
    "mac_cyrillic": "Mac Cyrillic",
    "cp437": "DOS 437",
    "cp850": "DOS 850",
    "cp852": "DOS 852",
    "cp866": "DOS 866",
    "cp874": "Windows-874",
}


def describe_alternatives(alternatives: Sequence[EncodingReading]) -> str:
    """Return a sentence without its end that asks for the encoding of a text."""
    ways = " or ".join(f"{one.example!r} ({name_for_people(one.encoding)})" for one in alternatives)
    return f"the file does not show in which encoding it is: {ways}. Save it as UTF-8, or name the encoding"


def name_for_people(encoding: str) -> str:
    """Return the usual name of an encoding."""
    if encoding.startswith("cp125"):
        return f"Windows-{encoding[2:]}"
    if encoding.startswith("iso8859"):
        return f"ISO 8859-{encoding[8:]}"
    return _NAMES.get(encoding, encoding.upper().replace("_", "-"))
