"""Keys of names for sorting, searching and identity that ignore case, accents and spelling."""

import hashlib
import re
from functools import lru_cache
from urllib.parse import urlsplit

from app.service.values.folding import fold_text, remove_accents

MAX_SORT_LENGTH = 200
"""Names are sorted and searched by so many characters, because an index entry has a maximum size."""
MAX_KEY_LENGTH = 120

_NO_WORD = re.compile(r"[^\w]+|_+")
_NO_CODE = re.compile(r"[\W_]+")

# Endings of company names that name its legal form.
LEGAL_FORMS = {
    *("ab", "ag", "aps", "as", "asa", "bv", "co", "company", "corp", "corporation", "cv", "gmbh", "inc"),
    *("incorporated", "kft", "kg", "kk", "limited", "llc", "llp", "lp", "ltd", "ltda", "nv", "oy", "oyj"),
    *("plc", "pte", "pty", "pvt", "sa", "sarl", "sas", "se", "sl", "spa", "srl", "sro", "ug"),
}


@lru_cache(maxsize=65_536)
def sort_name(text: str) -> str:
    """Return the folded name, cut to the length by which names are sorted and searched."""
    return fold_text(text)[:MAX_SORT_LENGTH]


@lru_cache(maxsize=65_536)
def name_key(text: str) -> str:
    """Return a key that is equal for names differing only in case, accents, punctuation and white space."""
    plain = remove_accents(text)
    return _limit_length(_NO_WORD.sub(" ", plain).strip() or plain.strip())


@lru_cache(maxsize=65_536)
def company_key(name: str) -> str:
    """Return `name_key` without the legal form at the end: `ACME Holding, Inc.` is `acme holding`."""
    plain = remove_accents(name)
    words = _NO_WORD.sub(" ", re.sub(r"(?<=\w)\.(?=\w)", "", plain)).split()
    end = len(words)
    while end > 1 and words[end - 1] in LEGAL_FORMS:
        end -= 1
    return _limit_length(" ".join(words[:end]) or plain.strip())


@lru_cache(maxsize=65_536)
def item_key(item_id: str) -> str:
    """Return an item number without the punctuation that only some documents print."""
    plain = remove_accents(item_id)
    return _limit_length(_NO_CODE.sub("", plain) or plain.strip())


def domain_key(text: str) -> str:
    """Return the host of a domain or an address, in lower case, without `www.` and a final dot."""
    bare = text.strip()
    if "/" in bare or ":" in bare:
        try:
            bare = urlsplit(bare if "//" in bare else f"//{bare}").hostname or ""
        except ValueError:
            return bare.lower()
    return bare.lower().rstrip(".").removeprefix("www.")


def shorten(text: str, length: int) -> str:
    """Cut `text` at a word where it is longer than `length`."""
    if len(text) <= length:
        return text
    head = text[: length - 1]
    words = head.rsplit(" ", 1)[0]
    return (words if len(words) > length // 2 else head).rstrip() + "…"


def _limit_length(key: str) -> str:
    if len(key) <= MAX_KEY_LENGTH:
        return key
    return f"{key[:40]} {hashlib.blake2b(key.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"
