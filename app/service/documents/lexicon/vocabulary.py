"""What the words of a table of sums and of its lines mean. Matched against folded text."""

import re
from functools import lru_cache
from typing import Literal, TypeAlias

from app.service.documents.lexicon.further_languages import (
    AFTER_TAX,
    ANSWERS,
    CREDIT_NOTES,
    TITLES,
    fold_phrases,
)
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import DIFFERENT_TEXTS, LETTER, phrase
from app.service.values.tax import TAX_CLAUSE, excludes_tax, includes_tax

Total: TypeAlias = Literal["net", "tax", "gross", "due", "discount", "other", "paid", "contract", "after tax"]

_WORDS = WORDS.totals
# In order: the first that matches names the row.
_TOTALS: tuple[tuple[Total, re.Pattern[str]], ...] = (
    ("after tax", phrase(f"(?:{WORDS.line_roles.rounding}|{_WORDS.withheld}|{fold_phrases(AFTER_TAX)})")),
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

_DOCUMENTS = WORDS.documents
DOCUMENT_TITLE = (
    f"(?:{_DOCUMENTS.titles}|{_DOCUMENTS.purchase_order_title}|{_DOCUMENTS.credit_note}"
    f"|{fold_phrases(CREDIT_NOTES)}|{_DOCUMENTS.quote}|{_DOCUMENTS.invoice}|{_DOCUMENTS.contract}"
    f"|{fold_phrases(' | '.join((ANSWERS, *TITLES.values())))})"
)
"""A group for the names of documents that stand over them."""
CREDIT_NOTE = (
    rf"(?:(?:[a-z'./-]+ ){{0,2}}(?:{_DOCUMENTS.credit_note}|{fold_phrases(CREDIT_NOTES)})"
    rf"|{_DOCUMENTS.credit_alone})"
)
"""A group for the titles of credit notes and refunds."""
_CREDIT_WITHIN = re.compile(
    rf"{_DOCUMENTS.credit_note}|{fold_phrases(CREDIT_NOTES)}"
    rf"|^(?:{_DOCUMENTS.credit_alone})(?!\w)|(?<!\w)(?:{_DOCUMENTS.credit_alone})$"
)
_SELF_BILLING = re.compile(WORDS.documents.self_billing)

INCLUDED = phrase(WORDS.lines.included)
OPTIONAL = phrase(WORDS.lines.optional)
CARRIED = phrase(WORDS.lines.carried)
DISCOUNT = phrase(WORDS.lines.discount)

PAYMENT_FORMS = tuple(re.compile(form) for form in WORDS.clauses.payment_forms)
"""Sentences (folded) with the `days` of payment: an earlier form goes before a later one."""
LIMIT = re.compile(WORDS.clauses.cap_before)
"""Words (folded) of a sentence about the most that something may cost: `shall not exceed`."""


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
    has_tax = includes_tax(label)
    if clause:
        label = TAX_CLAUSE.sub("", label).strip() or "total"
    for kind, pattern in _TOTALS:
        if pattern.search(label):
            return "gross" if kind == "net" and has_tax else kind  # `Netto inkl. MWST` is what is to be paid
    return "gross" if clause and _OF_OFFER.match(label) else None


def names_credit_note(kind: str) -> bool:
    """Whether the name of a kind of documents (folded) is that of a credit note or a refund, in a compound
    and beside other words too: `eingangsgutschrift`, `nota de credito de compra`."""
    return _CREDIT_WITHIN.search(kind) is not None and _SELF_BILLING.search(kind) is None
