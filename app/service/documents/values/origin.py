"""Where a document comes from, which decides how its numbers, dates and signs are read."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from app.service.documents.lexicon.further_languages import COMMON_WORDS
from app.service.documents.lexicon.languages import LANGUAGES
from app.service.documents.values.locale import find_crowns, find_home_currency, writes_month_first
from app.service.documents.values.money import DocumentCurrency, find_document_currency
from app.service.values.numbers import DecimalMark
from app.service.values.numbers_in_text import find_usual_mark

_COMMON_WORDS = {
    code: frozenset(words.split())
    for code, words in {**{one.code: one.common_words for one in LANGUAGES}, **COMMON_WORDS}.items()
}

_EITHER_ORDER = ("CAD",)
"""The currencies of countries where some write the day first and some the month."""
_MONTH_FIRST = ("USD",)


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
        return find_language(self.text)

    @cached_property
    def home_currency(self) -> str | None:
        """The currency of the country."""
        return find_home_currency(self.text)

    @cached_property
    def crowns(self) -> tuple[str, ...]:
        """The currencies of `kr`."""
        return find_crowns(self.text, self.language)

    @cached_property
    def currency(self) -> DocumentCurrency:
        """The currency of the amounts."""
        return find_document_currency(
            self.text.split("\n"), home_currency=self.home_currency, crowns=self.crowns
        )

    @property
    def usual_mark(self) -> DecimalMark | None:
        """The decimal mark that is usual there; None where both are."""
        return find_usual_mark(self.language, self.currency.code)

    @property
    def tells_day_order(self) -> bool:
        """Whether the country or the language has one order of day and month: in English alone both are
        common."""
        if self.language not in (None, "en"):
            return True
        return self.home_currency is not None and self.home_currency not in _EITHER_ORDER

    @property
    def mixes_day_orders(self) -> bool:
        """Whether the currency is that of a country that writes its dates in another order, or in both."""
        currency = self.currency.code
        if self.language not in (None, "en") or currency in (None, self.home_currency):
            return False
        orders = {one in _MONTH_FIRST for one in (self.home_currency, currency)}
        return currency in _EITHER_ORDER or len(orders) > 1

    @property
    def writes_month_first(self) -> bool:
        """Whether numeric dates have the month first."""
        return writes_month_first(self.home_currency, self.currency.code, self.language)


def find_language(text: str) -> str | None:
    """The language whose commonest words the text uses most; None when it uses none."""
    words = Counter(re.findall(r"[^\W\d_]+", text.lower()))
    scores = {code: sum(words[word] for word in common) for code, common in _COMMON_WORDS.items()}
    best = max(scores, key=lambda language: scores[language])
    return best if scores[best] else None
