"""Patterns for the words around names of suppliers and buyers.

Matched against folded text, except for the sentences that name both, which are matched as printed.
"""

import re

from app.service.documents.lexicon.further_languages import TITLES, fold_phrases
from app.service.documents.lexicon.further_parties import (
    ADDRESSEES,
    BUYERS,
    CALLED,
    COMPANY_NAMES,
    CONTRACT_BUYERS,
    CONTRACT_SUPPLIERS,
    HONORIFICS,
    ONE_SIDE,
    REGISTRATIONS,
    SUPPLIERS,
    WEAK_BUYERS,
    WEAK_SUPPLIERS,
)
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import either

_PARTIES = WORDS.parties
_NAMES = WORDS.names
_ABOUT = rf"(?:{_PARTIES.about} )?"
_NAME_LABEL = f"(?:{_PARTIES.name}|{fold_phrases(COMPANY_NAMES)})"
_SOLD_BY = either(" | ".join(_PARTIES.sold_by))

BUYER = re.compile(
    rf"{_ABOUT}(?:(?P<strong>{_PARTIES.buyer}|{fold_phrases(BUYERS)})"
    rf"|(?P<weak>{_PARTIES.buyer_weak}|{fold_phrases(WEAK_BUYERS)}(?=\s*(?:$|:))))"
    rf"(?: {_NAME_LABEL}(?=:))?(?: ?\([^)]*\))?(?=\s*$|\s*[:#]|\s+\S)"
)
_WRITTEN = either(
    f"{WORDS.labels.document_titles} | {WORDS.documents.quote} | {WORDS.documents.invoice}"
    f" | {WORDS.documents.price_list}"
)
"""Titles of what a supplier writes."""
_TITLE_FROM = rf"{_WRITTEN}(?: {WORDS.documents.number}[.:]?)?(?: \S*\d\S*)? {_NAMES.from_}(?=\s|$)"
_BEHIND_SOLD_BY = "|".join(f"(?<={words})" for words in _PARTIES.sold_by)
_ENDS_LABEL = rf"(?: {_NAME_LABEL})?(?: ?\(\w+(?: \w+)?\))?(?=\s*$|\s*:| / |(?:{_BEHIND_SOLD_BY})\s)"
SUPPLIER = re.compile(
    rf"{_ABOUT}(?:(?P<strong>(?:{_PARTIES.supplier}|{_SOLD_BY}|{fold_phrases(SUPPLIERS)}){_ENDS_LABEL}|{_TITLE_FROM})"
    rf"|(?P<author>{_PARTIES.author}){_ENDS_LABEL}"
    rf"|(?P<weak>{_PARTIES.supplier_weak}|{fold_phrases(WEAK_SUPPLIERS)}){_ENDS_LABEL})"
)
_CAPITAL = "[A-ZÀ-ÖØ-Þ]"
CAPITALS = "A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁІЇЄҐ"
_NAME = rf"{_CAPITAL}.{{2,70}}?"
_BETWEEN = rf"\b(?i:{_PARTIES.between})"
_END_OF_NAME = rf"(?:,| \(|\s+{_NAMES.of_place}\b)"
BETWEEN = re.compile(
    rf"{_BETWEEN}\s+(?P<one>.{{3,80}}?){_END_OF_NAME}.*?(?:\)|\s)\s*{_PARTIES.and_}\s+"
    rf"(?P<two>{_CAPITAL}.{{2,80}}?){_END_OF_NAME}"
)
PAIR = re.compile(rf"{_BETWEEN}\s+(?P<one>{_NAME})\s+{_PARTIES.and_}\s+(?P<two>{_NAME})$")
FOR_BY = re.compile(
    rf"\b{_NAMES.for_}\s+(?P<two>{_NAME})\s+{_NAMES.by}\s+(?P<one>{_NAME})"
    rf"(?=$|,| {_NAMES.on}\b| [-–])"
)
QUOTES_TO = tuple(re.compile(form) for form in _NAMES.quotes_to)
LABEL_ENDS = re.compile(rf"\b{_PARTIES.label_ends}\s*$")
ATTENTION = re.compile(rf"{_PARTIES.attention}\b")
# What stands over the name on an envelope, what before it, and where in a house a letter goes.
SALUTATION = re.compile(rf"(?:{_PARTIES.salutation}|{fold_phrases(ADDRESSEES)})[,:.]?")
TITLED = re.compile(rf"{_NAMES.titles}\.?(?: (?:&|{_PARTIES.and_}) {_NAMES.couple}\.?)? {_CAPITAL}")
COMPANY_TITLE = re.compile(rf"(?:^|(?<=[:,] ))(?:{'|'.join(_NAMES.company_titles)})\s", re.IGNORECASE)
HONORIFIC = re.compile(rf"\s?(?:{'|'.join(HONORIFICS)})$", re.IGNORECASE)
DEPARTMENT = re.compile(rf"^{_PARTIES.department}\b")
NAME_LABEL = re.compile(rf"{_NAME_LABEL}(?: ?/ ?{_NAME_LABEL}| ?\([^)]*\))*\s*(?:[:：]\s*|$)")
CLERK = re.compile(_PARTIES.clerk)
SENDER = re.compile(r"\s[·|•]\s|,\s|\s[-–]\s")
FOOTER = re.compile(
    rf"www\.|@|(?<![^\W\d_])(?:reg(?:\.|ist)|hrb|hra|ust|vat|siret|tva|kvk|btw|iban|cif|nif|abn"
    rf"|{_PARTIES.registration}|{either(REGISTRATIONS)})",
    re.IGNORECASE,
)
# A line of registrations or bank details, which no recipient has below his name.
REGISTERED = re.compile(
    rf"\b(?:siren|siret|vat|ust|tva|kvk|btw|cif|nif|abn|hr[ab]|{_PARTIES.registration})\b"
)
DELIVERY = re.compile(_PARTIES.delivery)
BANK_ACCOUNT = re.compile(rf"\W*(?:iban|bic|swift|{_PARTIES.bank_account})\b")
# The title of an order that the buyer writes, and of the answer to it.
_ORDER = f"(?:{WORDS.documents.purchase_order_title}|{fold_phrases(TITLES['order'])})"
PURCHASE = re.compile(
    rf"{_ORDER}(?: ?(?:{WORDS.documents.number})?[.:]?(?:(?: [a-z]{{1,5}}[.:]?| ?[/,–-])? ?\S*\d\S*){{0,4}})?"
)
ANSWER = re.compile(rf"{WORDS.documents.order_answer_title}\b")
_QUOTE = r"[\"“”„«»'‘’()]"
# The words that a contract defines for the two who make it.
ROLE = re.compile(
    rf"(?:(?P<quote>{_QUOTE})\s?|\b{fold_phrases(CALLED)}(?:[:,]| [–—-])? )(?:{_PARTIES.articles} ?)?"
    rf"(?:(?P<buyer>{_PARTIES.contract_buyer}|{fold_phrases(CONTRACT_BUYERS)})"
    rf"|{_PARTIES.contract_supplier}|{fold_phrases(CONTRACT_SUPPLIERS)})(?(quote)\s?{_QUOTE}|(?!\w))(?! ?:)"
)
BEFORE_NAME = re.compile(
    rf"^.*\b{_PARTIES.between}\b|^\W*{_PARTIES.and_}\b|^\W*(?:\w{{1,2}}\)|\d{{1,2}}\.(?=\s))"
    rf"|^(?:.*[;:,])?(?-i:[^{CAPITALS}]*|[^a-zß-ÿ]*?){either(ONE_SIDE)}\b,?"
    rf"|^\W*(?-i:(?:[^\W\d_{CAPITALS}]{{1,8}} ){{1,3}}(?=[„“«\"]?[^\W\d_a-zß-ÿα-ωа-яёіїєґ]))",
    re.IGNORECASE,
)
