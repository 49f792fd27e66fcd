"""Find out in which encoding of `encodings.toml` a text is written: what its bytes do not decide is not
guessed.

A text that is no UTF-8 is read in every encoding that writes its bytes. How probable each reading is, is told
by the letters that follow each other in the languages of the encoding; these are learnt from the names of
languages, places and currencies in the Common Locale Data Repository. All readings are of the same bytes, so
their probabilities can be compared.
"""

import codecs
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from math import log
from pathlib import Path
from typing import Any, BinaryIO, cast

from app.service.tables.table import EncodingReading, UnreadableTable

_KNOWN: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
_COMMON, _MET = _KNOWN["common"], {name: one.get("met", 0) for name, one in _KNOWN["encodings"].items()}
_LANGUAGES = {
    name: [code for word in one["languages"].split() for code in _KNOWN["groups"].get(word, word).split()]
    for name, one in _KNOWN["encodings"].items()
}
"""The languages that are written in each encoding."""

_MARKS = {
    **{codecs.BOM_UTF8: "utf_8", codecs.BOM_UTF32_LE: "utf_32_le", codecs.BOM_UTF32_BE: "utf_32_be"},
    **{codecs.BOM_UTF16_LE: "utf_16_le", codecs.BOM_UTF16_BE: "utf_16_be"},
}
_HEAD_BYTES, _SAMPLE_BYTES = 1 << 18, 1 << 20
_CHUNK = 1 << 20
_MOST_WORDS = 400
_STRAY_ZEROS = 20
"""Bytes of a text for one that is zero, at least: those of UTF-16 are more."""
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
_DECIDED, _DECIDED_IDEOGRAPHS = 5.0, 9.0
"""The logarithm of how much more probable than any other a reading is that is taken. Of the many ideographs
the names show few."""
_IMPLAUSIBLE = log(2e-3)
"""Of a byte, on average: no reading is taken whose letters follow each other less often."""
_MOST_ALTERNATIVES = 6

_WORD = re.compile(rb"[0-9]*[\x40-\xff]*[\x80-\xff][\x40-\xff]*[0-9]*")
"""A word with a byte beyond ASCII; the second byte of no character is below 0x40."""
_PLAIN_WORD = re.compile(rb"(?<![\x40-\xff])[A-Za-z]{4,}(?![\x40-\xff])")
_MOST_BESIDE = 14
"""How much the words in ASCII count at the most: headings may be in another language than names."""
_SIGNS = frozenset("–—‘’“”„…«»‹›°€£¥¢§®©™№×½¼¾²³·•ºª±µ´¿¡、。・「」（），：；－～ー《》")
_MONEY = frozenset("€£¥")
_IDEOGRAPHS = "\u1100"
"""From here on a letter may be a word."""
_ASCII_LETTER, _KANA = log(5e-3), log(4e-3)
_SIGN, _ATTACHED_SIGN, _SIGN_IN_WORD, _ODD = log(3e-3), log(2e-4), log(1e-8), log(1e-8)
_OTHER_LETTER, _RARE_IDEOGRAPH, _IMPOSSIBLE = log(1e-6), log(6e-6), log(1e-9)
_LONE_LETTER, _SIGN_AT_AMOUNT = log(1e-2), log(1e-1)
_CAPITAL_INSIDE, _LETTER_AT_DIGIT, _TWO_SCRIPTS = log(1e-2), log(5e-2), log(1e-3)


@dataclass(frozen=True, slots=True)
class FoundEncoding:
    """An encoding by Python's name; `alternatives` are all plausible ones, the likeliest first, where the
    bytes do not decide. `mixed` says that there are lines of UTF-8 in a text that is another."""

    name: str
    alternatives: tuple[EncodingReading, ...] = ()
    mixed: bool = False


def find_encoding(stream: BinaryIO) -> FoundEncoding:
    """Return the encoding of a text, which is read from its beginning as far as that takes."""
    stream.seek(0)
    head = stream.read(_HEAD_BYTES)
    marked = next((name for mark, name in _MARKS.items() if head.startswith(mark)), None) or _find_wide(head)
    if not marked and head.isascii():  # ISO 2022 changes its characters by escapes that no other text has
        marked = "iso2022_kr" if b"\x1b$)C" in head else "iso2022_jp" if b"\x1b$" in head else None
    if marked:
        return FoundEncoding(marked)
    good, bad, sample = _sort_lines(_read_unusual_lines(head, stream))
    if good >= bad:
        return FoundEncoding("utf_8")
    return _choose(sample, mixed=good > 0)


def name_encoding(name: str) -> str:
    """Return Python's name of an encoding that somebody states. Raises `UnreadableTable` for an unknown
    one."""
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        raise UnreadableTable(f"there is no encoding {name[:40]!r}") from None
    if not getattr(found, "_is_text_encoding", True) or found.name in ("idna", "punycode", "undefined"):
        raise UnreadableTable(f"{name[:40]!r} is no encoding of files")
    return {"ascii": "utf_8"}.get(found.name, found.name.replace("-", "_"))


def _find_wide(head: bytes) -> str | None:
    """UTF-16 without a mark: its ASCII characters have a zero at every other byte."""
    sample = head[: len(head) // 2 * 2][:4096]
    zeros = head[:4096].count(0)
    if not zeros or (zeros * _STRAY_ZEROS < len(head[:4096]) and not _CONTROL.search(head[:4096])):
        return None  # the lines that have one are refused
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    name = "utf_16_le" if odd > even else "utf_16_be"
    text = sample.decode(name, "replace")
    # Delimiters and line ends are ASCII, whatever the letters are.
    if max(even, odd) * 40 > len(sample) and not any(char < " " and char not in "\t\r\n" for char in text):
        return name
    raise UnreadableTable("the file is neither CSV, CSV.gz, XLSX, XLS, ODS nor Parquet")


def _read_unusual_lines(head: bytes, stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines with bytes beyond ASCII, of bounded length."""
    rest, chunk = b"", head
    while chunk:
        text = rest + chunk
        end = max(text.rfind(b"\n"), text.rfind(b"\r")) + 1
        if not end and len(text) > _CHUNK:
            end = len(text)
        lines, rest = text[:end], text[end:]
        if not lines.isascii():
            yield from (line for line in lines.splitlines() if not line.isascii())
        chunk = stream.read(_CHUNK)
    if not rest.isascii():
        yield rest


def _sort_lines(lines: Iterable[bytes]) -> tuple[int, int, bytes]:
    """Return how many lines are UTF-8 and how many are not, and a sample of the latter."""
    good = bad = size = 0
    sample: list[bytes] = []
    for line in lines:
        if is_utf_8(line):
            good += 1
        else:
            bad += 1
            sample.append(line[:4096])
            size += len(sample[-1])
        if size > _SAMPLE_BYTES or good + bad > 20_000:
            break
    return good, bad, b"\n".join(sample)


def is_utf_8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _choose(sample: bytes, *, mixed: bool) -> FoundEncoding:
    words = _pick_words(dict.fromkeys(_WORD.findall(sample)))
    readings = _read_words(words)
    if not readings:
        return FoundEncoding("utf_8")
    # The same text in another encoding is no other reading.
    scores: dict[tuple[str, ...], tuple[float, str]] = {}
    languages = {language for name in readings for language in _LANGUAGES[name]}
    beside = {one: score / len(words) for one, score in _score_plain_words(sample, languages).items()}
    for name, texts in readings.items():
        score = _MET[name] + sum(
            max(_score_in_language(text, one) + beside.get(one, 0) for one in _LANGUAGES[name])
            for text in texts
        )
        known, usual = scores.get(texts, (score, name))
        # Of encodings in which it is the same text it has the usual name, whatever its language.
        scores[texts] = max(known, score), max(usual, name, key=_MET.__getitem__)
    ranked = sorted(((score, name, texts) for texts, (score, name) in scores.items()), reverse=True)
    best, name, texts = ranked[0]
    length = sum(map(len, words))
    plausible = best / max(length, 1) > _IMPLAUSIBLE
    ideographs = [one for one, languages in _LANGUAGES.items() if languages[0] in _COMMON]
    needed = {other: _DECIDED_IDEOGRAPHS for other in ideographs if name in ideographs}
    near = [one for one in ranked if not plausible or best - one[0] < needed.get(one[1], _DECIDED)]
    near = near[:_MOST_ALTERNATIVES]
    if len(near) == 1:
        return FoundEncoding(name, mixed=mixed)
    # The word that is another in most of them shows the difference best.
    at = max(range(len(texts)), key=lambda word: len({one[2][word] for one in near}))
    return FoundEncoding(name, tuple(EncodingReading(one[1], one[2][at][:60]) for one in near), mixed)


def _score_plain_words(sample: bytes, languages: Iterable[str]) -> Mapping[str, float]:
    """Return how much less probable the words without any letter beyond ASCII, which all encodings read
    alike, are in each of the languages of Latin letters than in the likeliest."""
    found = islice(dict.fromkeys(_PLAIN_WORD.findall(sample)), _MOST_WORDS // 4)
    words = [word.decode() for word in found]
    scores = {
        language: sum(_score_in_language(word, language) for word in words)
        for language in languages
        if _learn(language).latin
    }
    best, most = max(scores.values(), default=0.0), min(_MOST_BESIDE, 1.5 * len(words))
    return {language: max(score - best, -most) for language, score in scores.items()}


def _pick_words(words: Iterable[bytes]) -> list[bytes]:
    """Return the first words, and of the others those that have a byte which these have not."""
    picked: list[bytes] = []
    seen: set[int] = set()
    for word in words:
        if len(picked) < _MOST_WORDS or not seen.issuperset(word):
            picked.append(word)
            seen.update(word)
    return picked


def _read_words(words: Sequence[bytes]) -> dict[str, tuple[str, ...]]:
    """Return the words as each encoding reads them, which can read nearly all."""
    joined = b"\n".join(words)
    found: dict[str, tuple[str, ...]] = {}
    for name in _LANGUAGES:
        text = joined.decode(name, "replace")
        if text.count("\ufffd") * 50 <= len(words) and text.count("\n") == len(words) - 1:
            found[name] = tuple(text.split("\n"))
    return found


def _score_in_language(word: str, language: str) -> float:
    letters = _learn(language)
    score = 0.0
    for at, char in enumerate(word):
        before = word[at - 1] if at else " "
        after = word[at + 1] if at + 1 < len(word) else " "
        score += _score_char(char, before, after, letters)
    return score


def _score_char(char: str, before: str, after: str, letters: "_Letters") -> float:
    if char.isdigit() and char.isascii():
        return 0.0
    if not _is_letter(char):
        return _score_sign(char, before, after)
    score = letters.score(char, before)
    if "\x7f" < char < _IDEOGRAPHS and not _is_letter(before) and not _is_letter(after):
        score += _LONE_LETTER
    if char.isupper() and before.islower():
        score += _CAPITAL_INSIDE
    if before.isascii() and before.isdigit() and not char.isascii() and char.lower() != char.upper():
        score += _LETTER_AT_DIGIT
    if (
        before.isalpha()
        and before.isascii() != char.isascii()
        and not letters.latin
        and char.lower() != char.upper()
    ):
        score += _TWO_SCRIPTS
    return score


def _score_sign(char: str, before: str, after: str) -> float:
    if char.isascii():
        return _SIGN
    if char in _MONEY and not before.isalpha() and not after.isalpha():
        return _SIGN_AT_AMOUNT
    if char not in _SIGNS:
        return _IMPOSSIBLE if unicodedata.category(char) in ("Cc", "Cn", "Co", "Cs") else _ODD
    if before.isalpha() and after.isalpha() and char != "’" and (char != "·" or before.lower() != "l"):
        return _SIGN_IN_WORD
    return _SIGN if not after.isalpha() or char in "“„«‘¿¡《「（" else _ATTACHED_SIGN


def _is_letter(char: str) -> bool:
    return char.isalpha() or unicodedata.category(char)[0] == "M"


class _Letters:
    """How often letters follow each other in a language, as its locale's names show."""

    def __init__(self, language: str, names: Iterable[str]) -> None:
        self._singles = Counter[str]()
        self._pairs = Counter[str]()
        self._scores: dict[tuple[str, str], float] = {}
        self._language = language
        for name in set(names):
            before = " "
            for char in map(_fold, name):
                if _is_letter(char):
                    self._singles[char] += 1
                    self._pairs[before + char] += 1
                    self._pairs[before] += 1
                    before = char
                else:
                    before = " "
        self._total = max(sum(self._singles.values()), 1)
        self.latin = self._singles["a"] > 0 and self._singles["a"] * 100 > self._total

    def score(self, char: str, before: str) -> float:
        """Return the logarithm of how probable the letter is after the other."""
        char = _fold(char)
        before = _fold(before) if _is_letter(before) else " "
        key = char, before
        if key not in self._scores:
            self._scores[key] = self._compute(char, before)
        return self._scores[key]

    def _compute(self, char: str, before: str) -> float:
        rare = self._score_rare(char)
        if not self._singles[char]:
            return rare
        if char.isascii() and not self.latin:
            return _ASCII_LETTER
        single = self._singles[char] / self._total
        pairs = self._pairs[before]
        followed = (self._pairs[before + char] + 5 * single) / (pairs + 5)
        return max(log(0.9 * followed + 0.1 * single), rare)

    def _score_rare(self, char: str) -> float:
        """Return how probable a letter is that the names do not show."""
        if char.isascii():
            return _ASCII_LETTER
        if self._language not in _COMMON:
            return _OTHER_LETTER
        if self._language == "ja" and "\u3041" <= char <= "\u30fe":
            return _KANA
        try:
            first = char.encode(_COMMON[self._language]["set"])[0]
        except UnicodeEncodeError:
            return _IMPOSSIBLE
        of_set = _COMMON[self._language]
        if not ("\u3400" <= char <= "\u9fff") and self._language != "ko":
            return _OTHER_LETTER
        is_common: bool = of_set["first"] <= first <= of_set["last"]
        return log(0.4 / of_set["size"]) if is_common else _RARE_IDEOGRAPH


@cache
def _fold(char: str) -> str:
    """Return a small letter; those of Romanian have their cedillas, as the encodings before Unicode do."""
    return {"ș": "ş", "ț": "ţ"}.get(small := char.lower()[0], small)


@cache
def _learn(language: str) -> _Letters:
    # Imported here: nearly every file is UTF-8, and this takes a fifth of a second.
    from babel import Locale

    locale = Locale.parse(language)
    names: list[str] = [
        *locale.languages.values(),
        *locale.territories.values(),
        *locale.scripts.values(),
        *locale.currencies.values(),
        *locale.months["format"]["wide"].values(),
        *locale.days["format"]["wide"].values(),
    ]
    zones = cast(Mapping[str, object], locale.time_zones)
    names += [name for zone in zones.values() for name in _list_texts(zone)]
    if language == "vi":
        names = [_part_tones(name) for name in names]
    return _Letters(language, names)


def _list_texts(tree: object) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, Mapping):
        for value in cast(Mapping[object, object], tree).values():
            yield from _list_texts(value)


def _part_tones(text: str) -> str:
    """Return Vietnamese with its tones as marks of their own, as the encoding has them."""
    parted: list[str] = []
    for char in text:
        parts = unicodedata.normalize("NFD", char)
        tones = "".join(part for part in parts if part in "\u0300\u0301\u0303\u0309\u0323")
        parted.append(unicodedata.normalize("NFC", "".join(p for p in parts if p not in tones)) + tones)
    return "".join(parted)


def describe_alternatives(alternatives: Sequence[EncodingReading]) -> str:
    """Return a sentence without its end that asks for the encoding of a text."""
    ways = " or ".join(f"{one.example!r} ({name_for_people(one.encoding)})" for one in alternatives)
    return f"the file does not show in which encoding it is: {ways}. Save it as UTF-8, or name the encoding"


def name_for_people(encoding: str) -> str:
    if encoding.startswith("cp125"):
        return f"Windows-{encoding[2:]}"
    if encoding.startswith("iso8859"):
        return f"ISO 8859-{encoding[8:]}"
    return _KNOWN["encodings"].get(encoding, {}).get("name", encoding.upper().replace("_", "-"))
