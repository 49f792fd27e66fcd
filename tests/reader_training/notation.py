"""How a document prints numbers, money and dates."""

import random
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from tests.reader_training.wording import Wording

CURRENCIES = {
    "en": ("USD", "USD", "USD", "GBP", "GBP", "EUR", "EUR", "AUD", "CAD", "JPY"),
    "de": ("EUR", "EUR", "CHF"),
    "fr": ("EUR", "EUR", "CHF"),
    "es": ("EUR",),
    "it": ("EUR",),
    "nl": ("EUR",),
    "pt": ("EUR", "BRL"),
    "pl": ("PLN", "EUR"),
    "sv": ("SEK",),
    "da": ("DKK",),
}
_SIGNS = {
    "USD": ("$", "US$"),
    "GBP": ("£",),
    "EUR": ("€",),
    "AUD": ("A$",),
    "CAD": ("C$",),
    "CHF": ("CHF", "Fr."),
    "BRL": ("R$",),
    "PLN": ("zł",),
    "SEK": ("kr",),
    "DKK": ("kr.", "kr"),
    "JPY": ("¥", "JPY"),
}
_SEPARATORS = {
    "en": ((",", "."),),
    "de": ((".", ","),),
    "fr": (("\xa0", ","), (" ", ","), ("", ",")),
    "es": ((".", ","),),
    "it": ((".", ","),),
    "nl": ((".", ","),),
    "pt": ((".", ","),),
    "pl": (("\xa0", ","), (" ", ",")),
    "sv": (("\xa0", ","), (" ", ",")),
    "da": ((".", ","),),
}


@dataclass(frozen=True, slots=True)
class Notation:
    """The conventions of one document.

    `sign` is written with money where `signed` says so: `totals` only with totals, `all` everywhere,
    `none` nowhere (the document then names its currency elsewhere). `whole` says how an amount without cents
    is written: with zeros, without, or with a dash in their place.
    """

    group: str
    point: str
    currency: str
    sign: str
    before: bool
    gap: str
    signed: Literal["all", "totals", "none"]
    whole: Literal["same", "bare", "dash"]
    minus: Literal["before", "brackets", "after"]
    dates: str

    @property
    def places(self) -> int:
        return 0 if self.currency == "JPY" else 2

    @property
    def step(self) -> Decimal:
        """What amounts are rounded to."""
        return Decimal(1).scaleb(-self.places)

    def number(self, value: Decimal, least: int = 0) -> str:
        """A number with at least so many decimals, more where its value needs them."""
        exact = value.normalize()
        exponent = exact.as_tuple().exponent
        assert isinstance(exponent, int)
        places = max(least, -exponent)
        whole, _, fraction = f"{abs(value):.{places}f}".partition(".")
        if self.group and len(whole) > 3:
            whole = f"{int(whole):,}".replace(",", self.group)
        return f"{'-' if value < 0 else ''}{whole}{self.point + fraction if fraction else ''}"

    def bare(self, value: Decimal) -> str:
        """An amount of money without its currency."""
        trim = self.whole != "same" and value == value.to_integral_value()
        text = self.number(abs(value), 0 if trim else self.places)
        if trim and self.whole == "dash":
            text += f"{self.point}-"
        if value >= 0:
            return text
        return {"before": f"-{text}", "brackets": f"({text})", "after": f"{text}-"}[self.minus]

    def money(self, value: Decimal, *, total: bool = False) -> str:
        """An amount with its currency, as this document writes it in lines or in totals."""
        if self.signed == "none" or (self.signed == "totals" and not total):
            return self.bare(value)
        return self.with_sign(value)

    def with_sign(self, value: Decimal) -> str:
        text = self.bare(value)
        if self.before:
            leading = text[0] if text[0] in "-(" else ""
            return f"{leading}{self.sign}{self.gap}{text[len(leading) :]}"
        return f"{text}{self.gap}{self.sign}"

    def date(self, day: date, wording: Wording) -> str:
        months, short = wording.list("calendar", "months"), wording.list("calendar", "short")
        return self.dates.format(
            d=day.day, m=day.month, y=day.year, month=months[day.month - 1], short=short[day.month - 1]
        )


_DATES = {
    "en-us": (
        "{m:02}/{d:02}/{y}",
        "{month} {d}, {y}",
        "{m}/{d}/{y}",
        "{short} {d}, {y}",
        "{y}-{m:02}-{d:02}",
    ),
    "en": (
        "{d:02}/{m:02}/{y}",
        "{d} {month} {y}",
        "{d:02} {short} {y}",
        "{d:02}-{short}-{y}",
        "{y}-{m:02}-{d:02}",
    ),
    "en-clear": ("{y}-{m:02}-{d:02}", "{month} {d}, {y}", "{d} {short} {y}"),
    "de": ("{d:02}.{m:02}.{y}", "{d}. {month} {y}", "{d}.{m}.{y}", "{d:02}.{m:02}.{y}"),
    "fr": ("{d:02}/{m:02}/{y}", "{d} {month} {y}", "{d:02}.{m:02}.{y}"),
    "es": ("{d:02}/{m:02}/{y}", "{d} de {month} de {y}", "{d:02}-{m:02}-{y}"),
    "it": ("{d:02}/{m:02}/{y}", "{d} {month} {y}", "{d:02}.{m:02}.{y}"),
    "nl": ("{d:02}-{m:02}-{y}", "{d} {month} {y}", "{d}-{m}-{y}"),
    "pt": ("{d:02}/{m:02}/{y}", "{d} de {month} de {y}", "{d:02}-{m:02}-{y}"),
    "pl": ("{d:02}.{m:02}.{y}", "{d} {month} {y}", "{y}-{m:02}-{d:02}"),
    "sv": ("{y}-{m:02}-{d:02}", "{d} {month} {y}"),
    "da": ("{d:02}.{m:02}.{y}", "{d}. {month} {y}", "{d:02}-{m:02}-{y}"),
}


_ENGLISH_DATES = {"USD": "en-us", "CAD": "en-clear", "JPY": "en-clear"}
"""Month first in the United States; where either order is used, dates that can be read in one way only."""


def choose_notation(rng: random.Random, language: str) -> Notation:
    currency = rng.choice(CURRENCIES[language])
    group, point = rng.choice(_SEPARATORS[language])
    if currency == "CHF" and rng.random() < 0.7:
        group, point = "'", "."
    if rng.random() < 0.08:
        group = ""
    sign = rng.choice((*_SIGNS[currency], currency))
    before = sign in ("$", "US$", "A$", "C$", "R$", "£", "¥") or (
        sign not in ("kr", "kr.", "zł") and rng.random() < 0.4
    )
    gap = " " if len(sign) > 1 and sign.isalpha() else rng.choice(("", " ") if before else (" ", "\xa0"))
    dashes = point == "," and currency in ("EUR", "CHF", "SEK", "DKK")
    dates = _ENGLISH_DATES.get(currency, "en") if language == "en" else language
    return Notation(
        group,
        point,
        currency,
        sign,
        before,
        gap,
        signed=rng.choice(("all", "all", "totals", "none")),
        whole="bare" if rng.random() < 0.08 else "dash" if dashes and rng.random() < 0.05 else "same",
        minus=rng.choice(("before", "before", "before", "brackets", "after")),
        dates=rng.choice(_DATES[dates]),
    )
