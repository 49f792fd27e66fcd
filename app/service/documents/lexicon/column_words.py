"""What the words over the columns of tables mean. Matched against folded text."""

import re
from functools import lru_cache
from typing import Literal, TypeAlias

from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import DIFFERENT_TEXTS, LETTER, either, phrase, whole_phrase
from app.service.documents.values.durations import MONTHS, YEARS
from app.service.values.currencies import CODES_IN_TEXT, CURRENCY_IN_TEXT
from app.service.values.dates import DAY_SUFFIX
from app.service.values.price_basis import cut_price_count
from app.service.values.tax import TAX_CLAUSE

Column: TypeAlias = Literal[
    "position", "description", "item_id", "quantity", "unit", "unit_price", "list_price", "discount",
    "amount", "months", "years", "basis", "tax", "date", "ignored", "year", "tier", "pace",
]  # fmt: skip

_WORDS = WORDS.columns
_TIME = WORDS.durations
# Columns of one kind side by side: the years of a ramp, the quantities from which a price holds.
_YEAR = re.compile(
    rf"^(?:(?:{_WORDS.year_of} )?(?:y|{_TIME.year}) ?\d(?: (?:{_WORDS.beside_year}|usd|eur|gbp))?"
    rf"|\d ?{DAY_SUFFIX}? {_TIME.year}|(?:fy ?)?20\d\d(?: ?[/–-] ?\d{{2,4}})?)$"
)
_POSITION_ALONE = whole_phrase(_WORDS.position_alone)
_PACE_ALONE = whole_phrase(_WORDS.pace_alone)
_AT = whole_phrase("@")
_TIER = re.compile(
    rf"^(?:\d[\d,. ]*(?:[-–—]|{WORDS.dates.until}) ?\d[\d,.]*(?: [a-z]+)?|\d[\d,.]* ?\+(?: [a-z]+)?"
    rf"|\d[\d,.]* {_WORDS.tier_and_up}|(?:{_WORDS.tier_from}|[>≥<≤]=?) ?\d[\d,.]*(?: [a-z]+)?)$"
)

# `€/pc`, `Rs./unit/year`
_PRICE_OF_ONE = re.compile(rf"(?<![a-z]){CURRENCY_IN_TEXT} ?/ ?[^\W\d]")
# For each column the words and how strongly a header that has them speaks for it. A header may speak
# for several columns ("Total price"): arithmetic over the rows decides.
_COLUMNS: tuple[tuple[Column, float, re.Pattern[str]], ...] = (
    ("position", 3.0, _POSITION_ALONE),
    ("description", 3.0, phrase(_WORDS.description)),
    ("description", 2.0, whole_phrase(_WORDS.product_alone)),
    ("description", 1.5, whole_phrase(_WORDS.goods_alone)),
    ("description", 1.5, phrase(_WORDS.product)),
    ("item_id", 3.0, phrase(_WORDS.item_id)),
    ("item_id", 1.0, whole_phrase(_WORDS.item_alone)),
    ("quantity", 3.0, phrase(_WORDS.quantity)),
    ("quantity", 5.0, phrase(_WORDS.quantity_to_date)),
    ("quantity", 2.0, whole_phrase(_WORDS.count_alone)),
    ("unit", 2.5, whole_phrase(_WORDS.unit_alone)),
    ("unit", 2.5, phrase(_WORDS.unit)),
    ("unit_price", 3.0, phrase(_WORDS.unit_price)),
    ("unit_price", 2.5, phrase(_WORDS.price)),
    ("unit_price", 3.0, _PRICE_OF_ONE),
    ("unit_price", 1.0, phrase(_WORDS.fee)),
    ("list_price", 4.5, phrase(_WORDS.list_price)),
    ("discount", 4.5, phrase(_WORDS.discount)),
    ("amount", 3.0, phrase(_WORDS.amount)),
    ("amount", 1.5, phrase(_WORDS.cost)),
    ("amount", 4.5, phrase(_WORDS.amount_for_term)),
    ("amount", 4.5, re.compile(rf"^\d+ (?:{MONTHS}|{YEARS})$")),
    ("amount", 6.0, phrase(_WORDS.amount_to_date)),
    ("months", 4.0, phrase(_WORDS.months)),
    ("years", 4.0, phrase(_WORDS.years)),
    ("pace", 2.0, _PACE_ALONE),
    ("unit_price", 1.0, _PACE_ALONE),
    ("amount", 0.5, _PACE_ALONE),
    ("year", 6.0, _YEAR),
    ("amount", 3.0, _YEAR),
    ("tier", 6.0, _TIER),
    ("unit_price", 3.0, _TIER),
    ("unit_price", 2.5, _AT),
    ("basis", 5.0, phrase(_WORDS.basis)),
    ("basis", 2.6, whole_phrase(_TIME.per)),
    ("tax", 4.0, phrase(_WORDS.tax)),
    ("date", 4.0, whole_phrase(_WORDS.date_alone)),
    ("date", 4.0, phrase(_WORDS.date)),
    ("ignored", 5.0, phrase(_WORDS.ignored)),
)

_WITHOUT_LETTERS = tuple(one for one in _COLUMNS if one[2] in (_POSITION_ALONE, _YEAR, _TIER, _AT))
"""What a header without letters may be: `#`, `2026`, `100+`, `@`."""

_OF_ONE, _AMOUNT = phrase(_WORDS.unit_price), phrase(f"(?:{_WORDS.amount}|{_WORDS.cost})")
_CURRENCY = re.compile(rf"[€£$¥₹]|{either(WORDS.currencies['EUR'])}|kr")

# `Price per month` says how often a price is charged, not for how many months.
_PACE = re.compile(rf"(?:(?<![a-z]){_TIME.per}(?![a-z])|/)[ /]*(?:{_TIME.month}|{_TIME.year})(?![a-z])")


@lru_cache(maxsize=DIFFERENT_TEXTS)
def _column_scores(header: str) -> tuple[tuple[Column, float], ...]:
    code = header.upper() in CODES_IN_TEXT  # bare, not `Price (EUR)` broken before its bracket
    header = re.sub(r"[()\[\]:*.]", " ", TAX_CLAUSE.sub(" ", header))
    header = re.sub(r"\s+", " ", header).strip()
    code = code or _CURRENCY.fullmatch(header) is not None  # `€ excl. VAT`
    of_one = cut_price_count(header)
    header = of_one if LETTER.search(of_one) else header
    unpaced = _PACE.sub(" ", header)
    scores: dict[Column, float] = {"amount": 2.2} if code else {}
    for column, score, pattern in _COLUMNS if LETTER.search(header) else _WITHOUT_LETTERS:
        if pattern.search(unpaced if column in ("months", "years") else header):
            scores[column] = max(score, scores.get(column, 0.0))
    of_one_alone = " ".join(found.group() for found in _OF_ONE.finditer(header))
    if _AMOUNT.search(of_one_alone) and not _AMOUNT.search(_OF_ONE.sub(" ", header)):
        scores.pop("amount", None)  # `Valor unitario`
    return tuple(scores.items())


def column_scores(header: str) -> dict[Column, float]:
    """How strongly a header (folded) speaks for each column."""
    return dict(_column_scores(header))


def is_tax_clause(header: str) -> bool:
    """Whether a line of a header (folded) is but words like `(incl. VAT)`."""
    return TAX_CLAUSE.fullmatch(header.strip("() ").rstrip(".")) is not None


def cuts_tax_clause(header: str, part: str) -> bool:
    """Whether a header parted after `part` would be cut inside of words like `incl. VAT`."""
    clause = TAX_CLAUSE.search(header.lower())
    at = header.find(part) + len(part)
    return bool(clause and clause.start() < at < clause.end())


@lru_cache(maxsize=4096)
def coverage(header: str) -> float:
    """The share of a header's letters (folded) that the words for columns account for."""
    letters = sum(letter.isalpha() for letter in header)
    header = " ".join(header.replace(".", " ").split())
    rest = TAX_CLAUSE.sub(" ", header)
    for _, _, pattern in _COLUMNS:
        if pattern.fullmatch(header) or (pattern is _PRICE_OF_ONE and pattern.search(header)):
            return 1.0
        rest = pattern.sub(" ", rest)
    return 1 - sum(letter.isalpha() for letter in rest) / letters if letters else 1.0
