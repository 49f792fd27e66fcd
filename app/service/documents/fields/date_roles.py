"""What a date is about, by the words that stand before it."""

import re
from typing import Literal, TypeAlias

from app.service.documents.lexicon.further_languages import TITLES, fold_phrases
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import LETTER, either, phrase
from app.service.documents.lexicon.vocabulary import DOCUMENT_TITLE

DateRole: TypeAlias = Literal["document", "valid", "start", "end", "due", "other", "unclear"]
"""`other` dates are reported nowhere, and no more are `unclear` ones: they end what is not named."""

_WORDS = WORDS.dates
_KINDS = WORDS.documents
# Among the words before a date the last one decides; of two that end alike, the one listed first.
_PATTERNS: dict[DateRole, re.Pattern[str]] = {
    "other": phrase(_WORDS.other), "valid": phrase(_WORDS.valid_until), "due": phrase(_WORDS.due),
    "end": phrase(_WORDS.ends), "start": phrase(_WORDS.starts), "document": phrase(_WORDS.document_date),
}  # fmt: skip
_INVOICE = phrase(_KINDS.invoice)
_NEAR = 70
"""Letters before a date that are looked at."""
_NUMBERED = f"(?:{_KINDS.quote}|{_KINDS.invoice}|{_KINDS.order_form}|{_KINDS.order_answer_title})"
_OWN_NUMBER = re.compile(
    rf"\b{_NUMBERED}\w*\b.*\d.*\b{_WORDS.of}\s*$"
    rf"|\b{_NUMBERED} {_WORDS.of}\s*$|^{_KINDS.number}\.? ?\S*\d\S* {_WORDS.of}\s*$"
)
# `Ihr Angebot A-7 vom`, `Your order of`: what the other one wrote.
OF_THE_READER = re.compile(rf"{_WORDS.your} [^.]{{0,50}}$")
# A word that says of its noun only that a date follows: `Version 2.1 of`, `Subscription start date`.
_AFTER_NOUN = re.compile(rf"\s(?:{_WORDS.after_noun}|{_WORDS.date})(?: as of)?$")
# `governed by the Agreement dated`: what the document refers to, and is not itself.
_OF_ANOTHER = re.compile(
    rf"(?<!\w)(?:{WORDS.parties.articles}) [^.;:]{{3,60}}\s(?:{_WORDS.after_noun})(?: as of)?$"
)
# `zu Rechnung 7 vom`: so does a title that stands behind a word for it.
_TO_ANOTHER_TITLE = rf"(?<!\w){_KINDS.of_another} {DOCUMENT_TITLE}\w*\b.*\d.*"
# `Invoice no. 18/02/2026`: a number, though it looks like a day.
_NAMES_NUMBER = re.compile(rf"\b{DOCUMENT_TITLE}\w*(?: [^\W\d]+)? (?:{_KINDS.number})$")
_OF_ANOTHER_TITLE = re.compile(rf"{_TO_ANOTHER_TITLE} {_WORDS.of}\s*$")
# The day of the contract that an annex belongs to may be all that the annex says.
_MAYBE_OF_ANOTHER = re.compile(rf"{_TO_ANOTHER_TITLE} {either(' | '.join(_WORDS.weak_document_words))}\s*$")
_TITLES_OF_CONTRACTS = fold_phrases(TITLES["contract"])
OF_CONTRACT = re.compile(rf"(?:{_KINDS.contract}|{_TITLES_OF_CONTRACTS}) ?:")
"""The label of the contract that a bill or an order goes with."""
_OWN_KIND = phrase(f"(?:{_NUMBERED}|{_KINDS.contract}|{_KINDS.order})")
ANY_DATE = re.compile(_WORDS.date)
# Words that tell the first or the last day of anything.
_PREPOSITION = re.compile(rf"(?:\W*(?<!\w)(?:{_WORDS.until}|{either(' | '.join(_WORDS.since))})(?!\w))+\W*")
_WHAT_RUNS = phrase(
    f"(?:{WORDS.clauses.term}|{WORDS.columns.year_of}|{_KINDS.contract}|{_KINDS.order}|{_KINDS.order_form})s?"
)
# `Lev.dato`: what only the first letters of a word tell.
_ABBREVIATION = re.compile(r"(?<![^\W\d_])[^\W\d_]{2,6}\.$")
_PART_OF_SENTENCE = re.compile(r"[.;!?]\s|\n")


def is_preposition(context: str) -> bool:
    """Whether words (folded) only say that a day is the first or the last one: `until`, `from`."""
    return _PREPOSITION.fullmatch(context.replace("’", "'")) is not None


def names_own_number(context: str) -> bool:
    """Whether words (folded) before a date are the number of the document itself: `Invoice 7 of`."""
    return _OWN_NUMBER.search(context[-_NEAR:]) is not None


def names_number(context: str) -> bool:
    """Whether words (folded) say that what follows is the number of a document, and no day."""
    return _NAMES_NUMBER.search(context[-_NEAR:].rstrip(" :.-#")) is not None


def role_of_date(context: str) -> DateRole | None:
    """What a date is about, given the words (folded) that stand before it."""
    near = context[-_NEAR:].rstrip(" :.-")
    if OF_THE_READER.match(near):
        return None if _INVOICE.search(near) else "other"  # `Your invoice of` may be the title of a bill
    if _OF_ANOTHER_TITLE.search(near) or names_number(near):
        return "other"
    if names_own_number(context):
        return "document"
    parts = [part.strip() for part in near.split("/")]
    both: list[DateRole | None] = [_last_role(part) for part in parts]
    if len(both) == 2 and "document" in both and None not in both:
        # `Order no. / date` has one role, `Invoice date / delivery date` has two.
        if not ANY_DATE.fullmatch(parts[1]):
            return "document"
        return both[0]
    bare = _AFTER_NOUN.sub("", near)
    if bare != near and (role := _last_role(bare)):
        return role
    return "other" if _OF_ANOTHER.search(near) else _last_role(near)


def find_label(context: str) -> list[str]:
    """The words (folded) behind all others that say what a date is about."""
    last = _split_last(context[-_NEAR:].rstrip(" :.-"))[1]
    return last.group().split() if last is not None else []


def names_other_thing(context: str) -> bool:
    """Whether words (folded) before a date say of what it is, and that is no document: `drawings dated`, or
    may be another: `lev.dato`."""
    if names_own_number(context):
        return False
    near = context[-_NEAR:].rstrip(" :.-")
    role, last, _ = _split_last(near)
    if role == "document" and last is not None and _ABBREVIATION.search(near[: last.start()]):
        return True
    bare = _AFTER_NOUN.sub("", _PART_OF_SENTENCE.split(near)[-1])
    return bare != near and LETTER.search(bare) is not None and _OWN_KIND.search(bare) is None


def belongs_to_another(context: str) -> bool:
    """Whether words (folded) before a date are the number of a document that this one goes with."""
    near = context[-_NEAR:].rstrip(" :.-")
    return OF_CONTRACT.match(context) is not None or _MAYBE_OF_ANOTHER.search(near) is not None


def names_what_runs(context: str) -> bool:
    """Whether words (folded) before a first or last day say of what: the term, or a label of its own."""
    role, last, before = _split_last(context[-_NEAR:].rstrip(" :.-"))
    if role not in ("start", "end") or last is None:
        return False
    if not LETTER.search(before):
        return not is_preposition(last.group())
    return _last_role(before) in ("start", "end") or _WHAT_RUNS.search(before) is not None


def _last_role(near: str) -> DateRole | None:
    role, last, before = _split_last(near)
    if role not in ("start", "end") or last is None or not LETTER.search(before):
        return role
    if is_preposition(last.group()):
        # `deliver until` and `pay until` end no contract.
        named = _last_role(before)
        if named in ("other", "due", "valid"):
            return named
        return "unclear" if role == "end" and not names_what_runs(near) else role
    # `Delivery period`, `payment term`
    return "other" if _ends_with(before, "other") else "due" if _ends_with(before, "due") else role


def _split_last(near: str) -> tuple[DateRole | None, re.Match[str] | None, str]:
    """The role that the last words name, these words, and those before them in their sentence."""
    matches: list[tuple[DateRole, re.Match[str]]] = [
        (role, found)
        for role, pattern in _PATTERNS.items()
        for found in pattern.finditer(near)
        # `to Example & Son, ` ends before the day.
        if not (is_preposition(found.group()) and re.search(r"[^\W\d].*,$", near[found.end() :]))
    ]
    if not matches:
        return None, None, ""
    role, last = max(matches, key=lambda match: match[1].end())
    return role, last, _PART_OF_SENTENCE.split(near[: last.start()])[-1].rstrip()


def _ends_with(text: str, role: DateRole) -> bool:
    return any(found.end() == len(text) for found in _PATTERNS[role].finditer(text))
