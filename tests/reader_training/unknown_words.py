"""Documents whose words nobody knows: some words of a page are replaced by others of the same length.

The rules read by words. A value that is called certain must be right where they know only some of them.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from app.service.documents.layout.pages import Page, Word

_LETTERS = "aeioubdfgklmnprstvz"
_WORD = re.compile(r"[^\W\d_]{3,}")


def replace_words(pages: Sequence[Page], share: float, seed: str) -> list[Page]:
    """The pages with this share of their words replaced, each everywhere by the same other word."""
    chance = random.Random(seed)
    others: dict[str, str] = {}

    def replaced(found: re.Match[str]) -> str:
        word = found.group()
        if word.lower() not in others:
            known = chance.random() >= share
            others[word.lower()] = "" if known else "".join(chance.choice(_LETTERS) for _ in word)
        other = others[word.lower()] or word
        return other if other == word else _like(other, word)

    def changed(word: Word) -> Word:
        return replace(word, text=_WORD.sub(replaced, word.text))

    return [replace(page, words=tuple(changed(word) for word in page.words)) for page in pages]


def _like(other: str, word: str) -> str:
    if word.isupper():
        return other.upper()
    return other.capitalize() if word[0].isupper() else other
