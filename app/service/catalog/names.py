"""How names are folded: one order, one search and one identity, whatever the case, accents or spelling."""

import hashlib
import re
import unicodedata
from functools import lru_cache
from urllib.parse import urlsplit

SORTED_LENGTH = 200
"""Names are sorted and searched by so many characters: an index entry has an upper size."""
KEY_LENGTH = 120

_SPACE = re.compile(r"\s+")
_NO_WORD = re.compile(r"[^\w]+|_+")
_NO_CODE = re.compile(r"[\W_]+")

# Endings that say what kind of company it is, not which one.
LEGAL_FORMS = {
    *("ab", "ag", "aps", "as", "asa", "bv", "co", "company", "corp", "corporation", "cv", "gmbh", "inc"),
    *("incorporated", "kft", "kg", "kk", "limited", "llc", "llp", "lp", "ltd", "ltda", "nv", "oy", "oyj"),
    *("plc", "pte", "pty", "pvt", "sa", "sarl", "sas", "se", "sl", "spa", "srl", "sro", "ug"),
}


def folded(text: str) -> str:
    """`text` without case and accents, its white space single: `Łódź  Café` is `łodz cafe`."""
    return _SPACE.sub(" ", _plain(text)).strip()


@lru_cache(maxsize=65_536)
def sort_name(text: str) -> str:
    """The folded name as far as names are sorted and searched by."""
    return folded(text)[:SORTED_LENGTH]


@lru_cache(maxsize=65_536)
def name_key(text: str) -> str:
    """Equal for names that differ in case, accents, punctuation and white space only."""
    plain = _plain(text)
    return _bounded(_NO_WORD.sub(" ", plain).strip() or plain.strip())


@lru_cache(maxsize=65_536)
def company_key(name: str) -> str:
    """As `name_key`, without the legal form at the end: `ACME Holding, Inc.` is `acme holding`."""
    plain = _plain(name)
    words = _NO_WORD.sub(" ", re.sub(r"(?<=\w)\.(?=\w)", "", plain)).split()
    kept = len(words)
    while kept > 1 and words[kept - 1] in LEGAL_FORMS:
        kept -= 1
    return _bounded(" ".join(words[:kept]) or plain.strip())


@lru_cache(maxsize=65_536)
def item_key(item_id: str) -> str:
    """An item number without the signs that one document prints and another leaves out."""
    plain = _plain(item_id)
    return _bounded(_NO_CODE.sub("", plain) or plain.strip())


def domain_key(text: str) -> str:
    """The host of a domain or a pasted address, in lower case, without `www.` and a final dot."""
    bare = text.strip()
    if "/" in bare or ":" in bare:
        try:
            bare = urlsplit(bare if "//" in bare else f"//{bare}").hostname or ""
        except ValueError:
            return bare.lower()
    return bare.lower().rstrip(".").removeprefix("www.")


def shortened(text: str, length: int) -> str:
    """`text`, cut at a word where it is longer than `length`."""
    if len(text) <= length:
        return text
    head = text[: length - 1]
    words = head.rsplit(" ", 1)[0]
    return (words if len(words) > length // 2 else head).rstrip() + "…"


def _plain(text: str) -> str:
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    # Case folding may compose anew, so marks are taken away after it.
    return "".join(c for c in unicodedata.normalize("NFKD", decomposed) if not unicodedata.combining(c))


def _bounded(key: str) -> str:
    if len(key) <= KEY_LENGTH:
        return key
    return f"{key[:40]} {hashlib.blake2b(key.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"
