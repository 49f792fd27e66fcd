"""Take a heading apart: its words, and the currency, tax, period and basis that it says of the values.
Pure."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache, reduce

from app.service.table_files.heading_words import list_word_group, list_words, split_joined, squeeze
from app.service.values.amount_units import AmountUnit, read_amount_unit
from app.service.values.currencies import agree, list_codes, read_currency
from app.service.values.dates import read_date_form
from app.service.values.money import find_heading_currency
from app.service.values.periods import PER, Period, read_period
from app.service.values.price_basis import NOTHING_ASIDE, PriceBasis, cut_price_basis, read_price_basis
from app.service.values.tax import Tax, find_tax
from app.service.values.units import read_measure, read_unit

_BRACKETS = re.compile(r"[(\[{]([^()\[\]{}]*)[)\]}]")
_WIDE = str.maketrans("（）［］／：", "()[]/:")
_PLURALS = frozenset({"s", "es", "n", "en", "e", "x"})
_PATH = re.compile(r"(?<=[^\W\d])[/._]\d+(?=[/.][^\W\d])")
_REPORT = re.compile(r"(?:\[[^\[\]]{1,12}\]\s*)?(?:sum\((?P<of>.*)\)|(?P<alone>.*))", re.IGNORECASE)
"""What reports write around a heading: `[PO] Supplier`, `sum(PO Quantity)`."""
_FIRST_LINE = re.compile(r"(?P<text>.*?(?P<word>[^\W\d_]{4,}))[ .]*1")
"""`Description 1` is the first line of one."""
_HALF = re.compile(r"\b(semi|half|bi)[-_ ](?=annual|yearly)", re.IGNORECASE)
"""`Semi-annual` is no year."""
_TAX_CASE = re.compile(r"\b([PD]DV)[- ]?(?:om|jem|ja|a)\b", re.IGNORECASE)
"""`bez PDV-a` is without tax: the ending is that of its case."""
_TOKEN = re.compile(r"[^\W_]+(?:[.'’][^\W_]+)*\.?|[€$£¥₹₩₽₺₴₪]|[%#№]")
_ASPECT = re.compile(
    r"(?<=\S)\s+[-–]\s+(?:common )?(?:date|name|supplier|vendor|description)$", re.IGNORECASE
)
"""What an export says behind a field of which of its aspects a column is: `Effective date - Date`."""
_TIMES: frozenset[Period] = frozenset({"hour", "day", "week", "month", "quarter", "half year", "year"})
_STRAY = frozenset({"in", "en", "em", "w", "i", "the", "of", "excl", "incl", "exkl", "inkl", "ex", "inc"})
_WORDS_AS_CODES = frozenset({"all", "std", "stn", "cup", "pen", "try", "bob", "mop", "lit"})
_NET_BY_DEFINITION = frozenset({"netpr", "netwr"})
_PERCENT = re.compile(r"(?:\d{1,2}(?:[.,]\d+)? ?)?%")
_LONGEST = 200
_LANGUAGES = re.compile(r"[/|]|(?<=[\u3040-\u9fff\uac00-\ud7af])\s+(?=[A-Za-z])")


@dataclass(frozen=True)
class Heading:
    """A heading. `full` are all of its letters, squeezed; `whole` those outside of brackets, `timed` those
    without what is said of currency, tax and unit, and `core` those without `monthly` too: of `words`.
    `is_plain` is False where brackets say something that nobody here knows. `parts` are those of a heading
    with slashes or in two scripts, squeezed. `aside` is what stands behind `per` or in brackets,
    `in_brackets` there alone; `period`, `count` and `unit` say all. `scale` is how many of its currency an
    amount counts: 1000 of thousands. `tail` is what stands behind the name of a group of columns, squeezed:
    `qty` of `Order lines/Qty`."""

    full: str
    whole: str
    timed: str
    core: str
    words: tuple[str, ...]
    currency: str | None = None
    tax: Tax | None = None
    period: Period | None = None
    count: Decimal | None = None
    unit: str | None = None
    is_plain: bool = True
    parts: tuple[str, ...] = ()
    aside: PriceBasis = NOTHING_ASIDE
    in_brackets: PriceBasis = NOTHING_ASIDE
    scale: int = 1
    tail: str = ""

    @property
    def unnumbered(self) -> str:
        """The words without the number of one of several: `Discount 2 %` is a discount."""
        return "".join(word for word in self.words if not word.isdigit())

    @property
    def names_tax_amount(self) -> bool:
        """Whether it is of an amount of tax."""
        taxes, amounts = list_word_group("tax"), list_word_group("amount") | list_word_group("total")
        words = {word for word in self.words if not word.isdigit()}
        return bool(words & taxes) and words <= taxes | amounts


NO_HEADING = Heading("", "", "", "", ())


@lru_cache(maxsize=4096)
def read_heading(title: str) -> Heading:
    """Take a heading apart."""
    report = _REPORT.fullmatch(title[:_LONGEST].translate(_WIDE).strip())
    title = (report["of"] or report["alone"] or "") if report else ""
    title = _TAX_CASE.sub(r"\1", _HALF.sub(r"\1", _PATH.sub(" ", _ASPECT.sub("", title))))
    if (first := _FIRST_LINE.fullmatch(title)) and squeeze(first["word"]).endswith(_list_texts()):
        title = first["text"]
    # `PODate` is `PO Date`, `unitprice` is `unit price`; `MwSt` is a word.
    text = re.sub(r"[^\W_]+", lambda found: _split_capitals(found[0]), title.replace("_", " "))
    text = " ".join(re.sub(r"[^\W\d_]{6,}", lambda found: _split_word(found[0]), text).split())
    bases, units = list[PriceBasis](), list[AmountUnit]()
    is_plain = True
    for inner, parted in zip(_BRACKETS.findall(title), _BRACKETS.findall(text), strict=True):
        amount = read_amount_unit(inner)
        if amount is not None and amount.scale != 1:
            units.append(amount)
            is_plain = is_plain and not amount.is_of_all
            continue
        basis = _read_brackets(inner) or _read_brackets(parted)
        if basis is None:
            is_plain = False
        else:
            bases.append(basis)
    bare = _BRACKETS.sub(" ", text)
    bare, basis = cut_price_basis(bare)
    in_brackets = reduce(PriceBasis.__or__, bases, NOTHING_ASIDE)
    bases += [basis] if basis else []
    tokens = _TOKEN.findall(bare)
    # `unit_cost_aud` and `aud_amount` name a currency; `årsvärde` has a word that is spelt as a code.
    ends = [tokens[-1], tokens[0]] if len(tokens) > 1 else []
    codes = [end.upper() for end in ends if end.lower() not in _WORDS_AS_CODES | list_words()]
    currency = find_heading_currency(text) or next((code for code in codes if code in list_codes()), None)
    for unit in units:
        currency = agree(currency, unit.currency) if currency and unit.currency else currency or unit.currency
    tokens = [token for token in tokens if not _names_currency(token, currency)]
    tax = (
        find_tax(title) or find_tax(text) or ("before tax" if squeeze(title) in _NET_BY_DEFINITION else None)
    )
    tokens = _cut_tax(tokens, tax)
    timed = "".join(map(squeeze, tokens))
    frequencies: list[Period] = [period for token in tokens if (period := _read_frequency(token))]
    tokens = [token for token in tokens if not _read_frequency(token)]
    while len(tokens) > 1 and (
        tokens[-1].lower() in _STRAY or (currency and (tokens[-1] == "1" or PER.fullmatch(tokens[-1])))
    ):
        tokens.pop()
    words = tuple(word for token in tokens if (word := squeeze(token)))
    aside = reduce(PriceBasis.__or__, bases, NOTHING_ASIDE)
    return Heading(
        squeeze(title),
        squeeze(_BRACKETS.sub(" ", title)) if is_plain else squeeze(title),
        timed,
        "".join(words),
        words,
        currency,
        tax,
        aside.period or next(iter(frequencies), None),
        aside.count,
        aside.unit,
        is_plain,
        tuple(map(squeeze, parts)) if len(parts := _LANGUAGES.split(_BRACKETS.sub(" ", title))) > 1 else (),
        aside,
        in_brackets,
        next((unit.scale for unit in units), 1),
    )


@cache
def _list_texts() -> tuple[str, ...]:
    return tuple(list_word_group("description"))


def _split_capitals(word: str) -> str:
    if squeeze(word) in list_words():
        return word
    return "".join(
        f" {one}" if one.isupper() and (left.islower() or (left.isupper() and right.islower())) else one
        for left, one, right in zip(f" {word}", word, f"{word[1:]} ", strict=False)
    )


def _split_word(word: str) -> str:
    parts = split_joined(squeeze(word))
    return " ".join(parts) if len(parts) > 1 else word


def _read_brackets(text: str) -> PriceBasis | None:
    """Return what brackets say that a value is for, nothing where they hold a currency, a remark about tax or
    the end of a plural alone; None where a word of them is not known: `(1,000 EUR)` is a factor."""
    text = text.strip()
    if (
        not text
        or squeeze(text) in _PLURALS
        or _PERCENT.fullmatch(text)
        or read_currency(text)
        or read_date_form(text)
    ):
        return NOTHING_ASIDE
    if squeeze(text) in list_word_group("row") - list_word_group("product") | list_word_group("row_currency"):
        return NOTHING_ASIDE  # the table of lines that the column is of, or the currency of the row
    if found := _read_basis(text):
        return found
    currency, tax = find_heading_currency(text), find_tax(text)
    rest = _TOKEN.sub(lambda token: "" if _names_currency(token[0], currency) else token[0], text)
    rest = rest.strip(" ,;.-")
    if rest.lower() in _STRAY:
        return NOTHING_ASIDE
    if rest.lower() == "m":
        return None  # beside a currency a metre, a month, a thousand or a million
    if rest.startswith("/"):
        rest = f"per {rest[1:].strip()}"
    if found := _read_basis(rest):
        return found
    plain = (
        list_word_group("unit")
        | list_word_group("total")
        | (list_word_group("tax") if tax else frozenset[str]())
        | _STRAY
        | {"per"}
    )
    kept = _cut_tax(_TOKEN.findall(rest), tax)
    kept = [token for token in kept if squeeze(token) not in plain and not _PERCENT.fullmatch(token)]
    return _read_basis(" ".join(kept)) if kept else NOTHING_ASIDE


def _read_basis(text: str) -> PriceBasis | None:
    if unit := read_unit(text):
        return PriceBasis(unit=unit, period=_read_time(text))
    if (measure := read_measure(text)) is not None and measure.times > 1:
        return PriceBasis(count=measure.times, unit=measure.code)
    return read_price_basis(text) if len(text) > 1 else None


def _read_time(text: str) -> Period | None:
    period = read_period(text)
    return period if period in _TIMES else None


def _read_frequency(token: str) -> Period | None:
    """`monthly` says how often; `month` alone may be a month."""
    return _read_time(token) if len(token) > 4 and read_unit(token) is None else None


def _names_currency(token: str, currency: str | None) -> bool:
    if currency is None:
        return False
    found = read_currency(token) or (token.upper() if token.upper() == currency else None)
    return found is not None and agree(found, currency) is not None


def _cut_tax(tokens: list[str], tax: Tax | None) -> list[str]:
    """Cut the words by which the heading says whether tax is in it, the longest run first."""
    for length in range(min(5, len(tokens)), 0, -1) if tax else ():
        for at in range(len(tokens) - length + 1):
            run = tokens[at : at + length]
            if (
                find_tax(" ".join(run)) == tax
                and find_tax(" ".join(run[1:])) is None
                and find_tax(" ".join(run[:-1])) is None
            ):
                return _cut_tax([*tokens[:at], *tokens[at + length :]], tax)
    return tokens
