"""Where a document comes from, which decides how its numbers, dates and signs are read."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from app.service.documents.lexicon.further_languages import COMMON_WORDS
from app.service.documents.lexicon.languages import LANGUAGES
from app.service.documents.values.locale import (
    find_crowns,
    find_currency_of_language,
    find_dollar,
    find_home_currency,
    is_home_beyond_doubt,
    writes_month_first,
)
from app.service.documents.values.money import DocumentCurrency, find_document_currency
from app.service.values.currencies import OF_A_THOUSAND, WITHOUT_CENTS
from app.service.values.numbers import DecimalMark
from app.service.values.numbers_in_text import find_usual_mark

_COMMON_WORDS = {
    code: frozenset(words.split())
    for code, words in {**COMMON_WORDS, **{one.code: one.common_words for one in LANGUAGES}}.items()
}

_SCRIPTS: Sequence[tuple[re.Pattern[str], Sequence[str]]] = (
    (re.compile("[\u3040-\u30ff]"), ("ja",)),
    (re.compile("[\uac00-\ud7af]"), ("ko",)),
    (re.compile("[\u4e00-\u9fff]"), ("zh", "ja")),
    (re.compile("[\u0370-\u03ff]"), ("el",)),
    (re.compile("[\u0400-\u04ff]"), ("ru", "uk", "bg", "sr", "mk")),
    (re.compile("[\u0600-\u06ff]"), ("ar",)),
    (re.compile("[\u0e00-\u0e7f]"), ("th",)),
)
"""The letters of which more than a few tell the languages that are written with them."""
_SHARE_OF_SCRIPT = 0.15
_WITH_OTHER_LETTERS = frozenset(code for _, codes in _SCRIPTS for code in codes)

_EITHER_ORDER = ("CAD",)
"""The currencies of countries where some write the day first and some the month."""
_OF_ANY_COUNTRY = ("USD", "EUR", "PHP", *_EITHER_ORDER)
"""Those in which a page that writes the month first may be."""
_LINES_OF_EDGE = 1_000
_MOST_OF_A_WORD = 3
"""How often a word is counted: `PO` in each row of a table is no text in Polish."""


@dataclass(frozen=True)
class Origin:
    """What the words, addresses and signs of a text tell of the place that it comes from; each is found when
    it is first asked for.

    `home_currency` is the ISO 4217 code of the country that addresses, tax numbers and legal forms point to;
    None when they point nowhere. `crowns` are the currencies that `kr` may stand for, the likeliest first.
    """

    text: str

    @cached_property
    def language(self) -> str | None:
        """The code of the language."""
        return next(iter(find_languages(self._edges)), None)

    @cached_property
    def home_currency(self) -> str | None:
        """The currency of the country."""
        return find_home_currency(self._edges)

    @cached_property
    def crowns(self) -> tuple[str, ...]:
        """The currencies of `kr`."""
        return find_crowns(self._edges, find_languages(self._edges))

    @cached_property
    def _edges(self) -> str:
        """The first and the last lines, which have the addresses: between them a long list repeats itself."""
        lines = self.text.split("\n")
        return "\n".join([*lines[:_LINES_OF_EDGE], *lines[_LINES_OF_EDGE:][-_LINES_OF_EDGE:]])

    @cached_property
    def currency(self) -> DocumentCurrency:
        """The currency of the amounts."""
        home = self.home_currency or find_currency_of_language(self.language, self._edges)
        lines = self.text.split("\n")
        between = lines[_LINES_OF_EDGE:-_LINES_OF_EDGE]
        some = between[:: len(between) // _LINES_OF_EDGE + 1]
        return find_document_currency(
            [*self._edges.split("\n"), *some],
            home_currency=home,
            crowns=self.crowns,
            dollar=self._dollar,
            is_home_sure=is_home_beyond_doubt(self._edges, home, self.language),
        )

    @property
    def _dollar(self) -> DocumentCurrency:
        """What a bare `$` stands for here."""
        code, is_sure = find_dollar(self._edges, self.language)
        return DocumentCurrency(code, is_sure, sign="$")

    @property
    def usual_mark(self) -> DecimalMark | None:
        """The decimal mark that is usual there; None where both are."""
        return find_usual_mark(self.language, self.currency.code)

    @property
    def decimals(self) -> int:
        """How many decimals amounts of money have there."""
        return 0 if self.currency.code in WITHOUT_CENTS else 3 if self.currency.code in OF_A_THOUSAND else 2

    @property
    def tells_day_order(self) -> bool:
        """Whether the country, or the language, has one order of day and month: in English alone both are
        common."""
        if self.language not in (None, "en"):
            return True
        if self.home_currency is not None:
            return self.home_currency not in _EITHER_ORDER
        return self.currency.named and self.currency.code not in _OF_ANY_COUNTRY

    @property
    def writes_month_first(self) -> bool:
        """Whether numeric dates have the month first."""
        return writes_month_first(self.home_currency, self.currency.code, self.language)


@lru_cache(maxsize=16)
def find_languages(text: str) -> Sequence[str]:
    """The language of the letters or, of several that are written with them, the one whose commonest words
    the text uses most, and those of which it uses one less; none where it uses none."""
    of_letters = _find_script(text)
    if of_letters is not None and len(of_letters) == 1:
        return of_letters
    words = Counter(re.findall(r"[^\W\d_]+", text.lower()))
    scores = {
        code: sum(min(words[word], _MOST_OF_A_WORD) for word in common)
        for code, common in _COMMON_WORDS.items()
        if (of_letters is None and code not in _WITH_OTHER_LETTERS) or code in (of_letters or ())
    }
    ranked = sorted(scores, key=lambda code: -scores[code])
    best = scores[ranked[0]]
    if of_letters and not best:
        return of_letters[:1]
    told = sum(words[word] > 0 for word in _COMMON_WORDS[ranked[0]])
    return [code for code in ranked if told > 1 and scores[code] >= max(best - 1, 1)]


def _find_script(text: str) -> Sequence[str] | None:
    """The languages that are written with the letters of which the text shows many; None of Latin ones."""
    letters = sum(map(str.isalpha, text))
    for script, codes in _SCRIPTS:
        if len(script.findall(text)) > _SHARE_OF_SCRIPT * letters:
            return codes
    return None
