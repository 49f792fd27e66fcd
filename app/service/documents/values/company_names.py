"""Names of companies in text: by their legal form, else by how names look."""

import re
from collections.abc import Iterator

from app.service.documents.lexicon.column_words import column_scores, coverage
from app.service.documents.lexicon.further_languages import TITLES, fold_phrases
from app.service.documents.lexicon.further_parties import (
    JOINED_LEGAL_FORMS,
    LEGAL_FORMS,
    LEGAL_FORMS_BEFORE,
    LINKS,
)
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import either, phrase, whole_phrase
from app.service.documents.lexicon.vocabulary import DOCUMENT_TITLE
from app.service.documents.values.dates import find_dates
from app.service.values.cldr import find_months, find_weekdays
from app.service.values.currencies import CODES_IN_TEXT
from app.service.values.folding import fold

_FORMS = sorted((*WORDS.names.legal_forms, *LEGAL_FORMS), key=len, reverse=True)
_FORM = rf"(?:{'|'.join(_FORMS)})"
_STRONG = rf"(?:\(\w+\) )?{_FORM}(?:\b|(?<=[.)]))\.?(?!-\w| \d{{4}}\b)"
_CAPITALS = "".join(one for one in map(chr, (*range(0xC0, 0x530), *range(0x1E00, 0x1F00))) if one.isupper())
_BIG = rf"[A-Z0-9{_CAPITALS}][\w'’.&+/\-]*"
_LINK = rf"(?:&|\+|{WORDS.names.links}|{either(LINKS)}|\([A-Z]{{1,3}}\))"
_WITHOUT_CAPITALS = r"[\u0590-\u05ff\u0600-\u06ff\u0900-\u097f\u0e00-\u0e7f]+"
_NAME = (
    rf"(?:[\"“„«](?:[^\"”“»]{{2,60}})[\"”“»]|{_BIG}(?: (?:{_BIG}|{_LINK})){{0,4}}"
    rf"|{_WITHOUT_CAPITALS}(?: {_WITHOUT_CAPITALS}){{0,4}})"
)
_JOINED = f"(?:{'|'.join(JOINED_LEGAL_FORMS)})"
_TOUCHING = r"[^\W\d_A-Za-z]"
COMPANY = re.compile(
    rf"(?<![\w.])(?:{_BIG},?\s+)(?:(?:{_BIG}|{_LINK}),?\s+){{0,6}}?{_STRONG}(?:,? {_STRONG})*"
    rf"|(?<![\w.])(?:{'|'.join(LEGAL_FORMS_BEFORE)})(?:(?<=[A-Za-z.\u0e00-\u0e7f])|(?!\w))\s?{_NAME}"
    rf"|(?<![\w.]){_WITHOUT_CAPITALS}(?: {_WITHOUT_CAPITALS}){{0,3}} {_STRONG}"
    rf"|{_JOINED} ?\w{{2,20}}|{_TOUCHING}[\w・ー]{{1,24}} ?{_JOINED}"
)
# At the start of a line, before its address, a name may hold small words: `Au bon marche SARL - 3 rue ...`.
_OPENING = re.compile(
    rf"(?P<name>{_BIG}(?: [^\W\d][\w'’&.]*){{1,5}}? {_FORM}\.?)(?= ?(?:[-–·|•,]|$))(?<!\bof)"
)
_TITLES = phrase(f"(?:{WORDS.labels.title_words}|{fold_phrases(' | '.join(TITLES.values()))})")
_DOCUMENT_TITLES = re.compile(
    rf"(?:{WORDS.labels.document_titles}|{DOCUMENT_TITLE})s?(?: {WORDS.documents.number}[.:]?)?(?: \S*\d\S*)?"
)
_ADDRESS = re.compile(rf"\d|\b{WORDS.names.street}\b", re.IGNORECASE)
_PREPOSITION = re.compile(rf"^{WORDS.names.prepositions}\s")
_LABELLED_NAME = re.compile(rf"^{WORDS.names.labels}:? (?={COMPANY.pattern})")
_PREMISES = re.compile(rf"{WORDS.labels.premises} \d")
_NUMBERED = re.compile(rf"\w*(?:{WORDS.documents.number_noun}|{WORDS.dates.date})\s\S*\d")
_LABELS = whole_phrase(WORDS.labels.labels)


def find_companies(text: str) -> Iterator[str]:
    """All names with a legal form, as printed."""
    opening = _OPENING.match(text)
    if opening and not COMPANY.match(text) and not _TITLES.search(fold(opening["name"])):
        yield opening["name"].strip(" ,")
    for found in COMPANY.finditer(text):
        if not re.match(r"\d+[\s,.]|\S*\d{3}|.*\d{4} [A-Z]{2}$", found.group()):
            yield strip_label(found.group())


def strip_label(company: str) -> str:
    """The name of a company without the label or preposition before it."""
    return _LABELLED_NAME.sub("", _PREPOSITION.sub("", company)).strip(" ,")


def fold_name(name: str) -> str:
    """What two spellings of a name share: letters and digits only, of any script."""
    return re.sub(r"[\W_]", "", fold(name))


_END_OF_SENTENCE = re.compile(r".*\s[a-zà-ÿ]+[\s-].*[a-zà-ÿ]{6,}\.")
"""`Goods sold are non-refundable.`: the name of a company ends with a dot after an abbreviation alone."""


# `Example School  VAT no.: 7`: another field behind the name.
_NEXT_FIELD = re.compile(rf"(?<=[^\W\d]{{3}})\s+{_BIG}:\s.*")
_MAIL_ADDRESS = re.compile(r"(?<=\S)\s*<(?P<box>[^<>@\s]+)@[^<>]*>$")


def cut_mail_address(text: str) -> str:
    """A name without its address, `Example Shop <sales@example.com>`, but where that is a person's own."""
    address = _MAIL_ADDRESS.search(text)
    words = re.findall(r"[^\W\d_]{3,}", fold(text[: address.start()])) if address else []
    if address is None or any(word in fold(address["box"]) for word in words):
        return text
    return text[: address.start()]


NUMBER_OF_PARTY = re.compile(r"^(?:0\d{3,}|\d{5,}|[A-Z]{1,3}-\d{3,})(?:\s*[-–/]\s*|\s+|$)(?=[^\W\d]|$)")
"""What a party is numbered before its name: `002318 Example Ltd`."""


def read_name(value: str) -> str | None:
    """A labelled value as a name: without the address that follows it; None when it is no name."""
    value = cut_mail_address(_LABELLED_NAME.sub("", NUMBER_OF_PARTY.sub("", value)))
    value = re.split(r"\s[·|•]\s|\s{3,}|\s[-–]\s(?=\d+\S* [^\W\d])", value)[0].strip(" ,;:·-")
    company = COMPANY.match(value)
    if company:
        rest = value[company.end() :]
        tail = re.fullmatch(r"(?: [^\W\d]+){1,2}|(?: [^\W\d_A-Z]+){1,2}(?: [^\W\d]+){1,3}", rest)
        return value if tail else company.group().strip(" ,")
    value = _NEXT_FIELD.sub("", re.split(r",\s|\s\((?=\d)", value)[0]).strip(" ,")
    if not 2 <= len(value) <= 70 or not re.search(r"[^\W\d]{2}", value) or len(value.split()) > 8:
        return None
    if (
        find_dates(value)
        or find_months(value)
        or find_weekdays(value)
        or "@" in value
        or value.endswith(":")
        or _END_OF_SENTENCE.fullmatch(value)
        or re.match(r"[\d\W]*$|\d\w{1,3}$|[A-Z]{1,3}[- ]?\d{3,}$|\d+\w?,? [A-Z][^\W\d]+ \w+", value)
        or is_label(value)
        or is_label_with_value(value)
        or _NUMBERED.match(fold(value))
        or _DOCUMENT_TITLES.fullmatch(fold(value))
        or names_column(value)
    ):
        return None
    return value


def looks_like_name(text: str) -> bool:
    """Whether a line without a label may be the name of a company: short, capitalised, no title."""
    if (
        text[:1].islower()
        or not text[:1].isalnum()
        or len(text.split()) > 5
        or len(text) > 45
        or len(text) < 3
    ):
        return False
    if re.fullmatch(_STRONG, text) or re.search(r"^\d+\w?,? \w|[^\W\d] \d{1,4} ?[a-z]?$", text):
        return False  # a street
    if _PREMISES.match(fold(text)) or _END_OF_SENTENCE.fullmatch(text) or is_document_title(text):
        return False
    if re.search(r"\d{2}|[:@%$€£]|www|http|!$", text) or _TITLES.search(fold(text)) or text in CODES_IN_TEXT:
        return False
    return bool(re.search(r"[^\W\d]{3}", text)) and not column_scores(fold(text)) and not is_label(text)


def is_title(text: str) -> bool:
    """Whether a text holds the title of a document: `Quote`, `Purchase order`."""
    return _TITLES.search(fold(text)) is not None


def is_document_title(text: str) -> bool:
    """Whether a text is nothing but the title of a document, with its number or without."""
    return _DOCUMENT_TITLES.fullmatch(fold(text)) is not None


def is_label(text: str) -> bool:
    """Whether a cell is itself a label and so no value of the label left of it."""
    bare = fold(text).strip(" .#°")
    return text.rstrip().endswith(":") or bool(_LABELS.match(bare.rstrip(" :")))


def names_column(text: str) -> bool:
    """Whether a text is nothing but words over columns, and so belongs to the table near a label."""
    return bool(column_scores(fold(text))) and coverage(fold(text)) == 1.0


def is_label_with_value(text: str) -> bool:
    """Whether a cell holds a label with its own value: `Quote no.: 7`."""
    return bool(re.match(r"[^\W\d][^:]{1,40}: \S", text)) and not COMPANY.match(text)


def is_address(text: str) -> bool:
    return bool(_ADDRESS.search(text))
