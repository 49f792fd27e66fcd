"""What the words of a table of sums and of its lines mean. Matched against folded text."""

import re
from functools import lru_cache
from typing import Literal, TypeAlias

from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import DIFFERENT_TEXTS, LETTER, phrase

Total: TypeAlias = Literal["net", "tax", "gross", "due", "discount", "other", "paid", "contract"]

_WORDS = WORDS.totals
# What a header says about tax ("Price excl. VAT") does not make it the column of the tax.
_TAX = rf"{_WORDS.tax_names}(?![a-z])"
TAX_CLAUSE = re.compile(
    rf"(?<![a-z])(?:(?P<hors>{_WORDS.net_alone})(?![a-z])|(?P<ttc>{_WORDS.gross_alone})(?![a-z])"
    rf"|(?:(?P<without>{_WORDS.excluding})|(?P<within>{_WORDS.including}))"
    rf"\W*(?:{_WORDS.of_tax} )?(?:\d+ ?% ?)?{_TAX}"
    rf"|{_TAX}\s?(?:(?P<left_out>{_WORDS.excluded})|(?P<put_in>{_WORDS.included}))(?![a-z]))"
)

# In order: the first that matches names the row.
_TOTALS: tuple[tuple[Total, re.Pattern[str]], ...] = (
    ("due", phrase(_WORDS.net_to_pay)),
    ("paid", phrase(_WORDS.paid)),
    ("other", phrase(_WORDS.adjustment)),
    ("net", phrase(_WORDS.tax_base)),
    ("tax", phrase(_WORDS.tax)),
    ("contract", phrase(_WORDS.contract_value)),
    ("net", phrase(_WORDS.net)),
    ("due", phrase(_WORDS.due)),
    ("gross", phrase(_WORDS.gross)),
)
_OF_OFFER = re.compile(rf"{_WORDS.offer_parts}|{_WORDS.sum_nouns}$")

INCLUDED = phrase(WORDS.lines.included)
OPTIONAL = phrase(WORDS.lines.optional)
CARRIED = phrase(WORDS.lines.carried)
DISCOUNT = phrase(WORDS.lines.discount)


def excludes_tax(text: str) -> bool:
    """Whether words (folded) say that tax comes on top: `before VAT`, `excl. taxes`."""
    clause = TAX_CLAUSE.search(text)
    return bool(clause and (clause["without"] or clause["left_out"] or clause["hors"]))


@lru_cache(maxsize=DIFFERENT_TEXTS)
def total_kind(label: str) -> Total | None:
    """What a row with this label (folded) sums up; None when it is no total."""
    if not LETTER.search(label):
        return None
    label = re.sub(r"\d+(?:[.,]\d+)?\s?%|[()\[\]:*]", " ", label)
    label = re.sub(r"\.(?!\w)|\s+", " ", label).strip()
    clause = TAX_CLAUSE.search(label)
    if excludes_tax(label):
        return "net"
    if clause:
        label = TAX_CLAUSE.sub("", label).strip() or "total"
    for kind, pattern in _TOTALS:
        if pattern.search(label):
            return kind
    return "gross" if clause and _OF_OFFER.match(label) else None
