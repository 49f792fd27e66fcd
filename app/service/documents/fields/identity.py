"""What a document is: its kind, its number, its language."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from app.service.documents.extraction import Kind, Provenance
from app.service.documents.layout.labels import find_labelled_values
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.layout.sentences import Sentence
from app.service.documents.lexicon.languages import LANGUAGES, WORDS
from app.service.documents.lexicon.party_words import ANSWER
from app.service.documents.lexicon.phrases import phrase
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.values.dates import find_dates
from app.service.documents.values.folding import fold

_WORDS = WORDS.documents
# The first that matches a line names it: an order form is no order, a price list no quote.
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("price_list", phrase(_WORDS.price_list)),
    ("order_form", phrase(_WORDS.order_form)),
    ("quote", phrase(_WORDS.quote)),
    ("invoice", phrase(_WORDS.invoice)),
    ("contract", phrase(_WORDS.contract)),
    ("order", phrase(_WORDS.order)),
)
_DOCUMENT = _WORDS.titles
_ANY_NUMBER = _WORDS.number
_NUMBER_LABEL = re.compile(
    rf"(?:(?P<own>(?:{_WORDS.our} )?{_DOCUMENT}s?(?:[- ]?{_ANY_NUMBER})?|{_WORDS.own_number}"
    rf"|{_DOCUMENT}s?{_WORDS.number_noun}|{_ANY_NUMBER}\.? (?:{_WORDS.of_the} )?{_DOCUMENT})"
    rf"|(?P<bare>(?:{_WORDS.document_noun} )?{_ANY_NUMBER})"
    rf"|(?P<other>(?:(?P<customer>{_WORDS.customer})|(?P<purchase>{_WORDS.purchase_order})"
    rf"|(?P<order>{_WORDS.order_noun})|{_WORDS.transaction}|{_WORDS.our}|{_WORDS.your})[- ]?{_ANY_NUMBER}))"
    rf"(?![a-z0-9])\.?(?: ?/ ?{WORDS.dates.date})?(?=\s*[:#.]|\s*$|\s+\S)"
)
_NUMBER_WORD = re.compile(rf"s?[- ]?{_ANY_NUMBER}$")
_IN_TITLE = re.compile(
    rf"\b{_DOCUMENT}\b(?:(?: [a-z]+)? ?\(\d+\))?(?: ?\(?{_ANY_NUMBER}\.?)?[ :.#]*"
    r"(?P<number>(?=[a-z0-9/._\-]*\d)[a-z0-9][a-z0-9/._\-]{3,})(?![\w.]*,\d)"
)
# `Relates to invoice 7`, `Ihre Bestellung 7`: the number of another document.
_OF_ANOTHER = re.compile(rf"\b{_WORDS.of_another}\s*$")
_CODE = re.compile(r"(?:[A-Z]{1,5}[-/ ]?){0,3}\d{3,}(?:-\d+)*(?:[-/]\w+)*")
# Words beside numbers that say who somebody is, where he lives or how he is called.
_OF_SOMEBODY = re.compile(
    r"[€$£]|\+\d|(?<![\w-])\d{3}-\d{4}\b|\b[a-z]{1,2}-\d{4,5} [a-z]"
    r"|\b(?:vat|ust|uid|abn|acn|gst|tva|tvq|tps|btw|kvk|siret|siren|cif|nif|hr[ab])"
    rf"|\b{_WORDS.contact}"
)
_SUM = re.compile(rf"\d|{WORDS.totals.sum_nouns}")


def kind_of(rows: Sequence[Row]) -> Kind:
    """The kind that the title says: the largest and earliest line that names one."""
    best: tuple[float, Kind] = (0.0, "other")
    body = median(row.size for row in rows) if rows else 1.0
    for order, row in enumerate(rows[:60]):
        for cell in row.cells(1.5):
            # Of a sentence only the first words may be a title.
            text = fold(" ".join(word.text for word in cell.words[: 9 if len(cell.words) <= 9 else 3]))
            if total_kind(text) and _SUM.search(row.text.lower()):
                continue
            kind, letters = _kind_in(text)
            if kind:
                share = letters / len(cell.text)
                height = min(3.0, cell.size / max(body, 1.0)) ** 1.5
                best = max(
                    best, (max(0.3, 1.5 - order / 20) * (0.5 + share) * _as_title(text) * height, kind)
                )
    return best[1] if best[0] else _kind_of_field(rows)


def _kind_of_field(rows: Sequence[Row]) -> Kind:
    """The kind that the label of the document's number names: `Proposal: P-7`."""
    for row in rows[:60]:
        for cell in row.cells():
            label = _NUMBER_LABEL.match(fold(cell.text))
            own = _NUMBER_WORD.sub("", label["own"]) if label and label["own"] else ""
            if kind := _kind_in(own)[0]:
                return kind
    return "other"


def _kind_in(text: str) -> tuple[Kind | None, int]:
    """The kind a line names and how many letters the name has."""
    for kind, pattern in _KINDS:
        found = pattern.search(text)
        if found:
            return kind, len(found.group())
    return None, 0


def _as_title(text: str) -> float:
    """`Invoice` and `Invoice no. 7` are titles; `Contract: 7` and `Order date 3 May` are fields."""
    if _IN_TITLE.match(text):
        return 0.9
    if ":" in text:
        return 0.25
    return 0.5 if re.search(r"\d", text) else 1.0


def number_of(rows: Sequence[Row], said: Sequence[Sentence], kind: Kind) -> tuple[str, Provenance] | None:
    """The document's own number: behind its label, in the title, else the first code near the top, else
    in a sentence: `our offer 7 of last week`."""
    series = _field_codes(rows)
    found = [
        one
        for one in (*_labelled(rows, kind, is_answer(rows)), *_titled(rows, kind), *_spoken(said))
        if not _in_series(one[1], series)
    ]
    best = max(found, key=lambda one: one[0], default=None)
    if best is None:
        return None
    _, value, cell = best
    return value, Provenance(cell.page, cell.box, 0.8 * cell.confidence)


def is_answer(rows: Sequence[Row]) -> bool:
    """Whether the title says that an order is answered: the number of the order is then the customer's."""
    return any(ANSWER.match(fold(cell.text)) for row in rows[:20] for cell in row.cells(1.2))


def _labelled(rows: Sequence[Row], kind: Kind, is_answer: bool) -> Iterator[tuple[float, str, Cell]]:
    for found in find_labelled_values(rows, _NUMBER_LABEL, inline=True):
        value = _first_code(found.value)
        matched = _NUMBER_LABEL.match(fold(found.label))
        if not _is_number(value) or not matched:
            continue
        score = 2.0 - 0.25 * found.distance - found.order / 200
        score += _ownership(matched, kind, is_answer)
        yield score, value, found.cell


def _first_code(value: str) -> str:
    """The first word of a value; the letters before a number belong to it: `AB 4019273`."""
    if re.fullmatch(r"\d{2,}(?: \d{2,}){1,3}", value):
        return value  # one number printed in groups
    first, *others = (word.strip(" ,;:()#") for word in value.split() or [""])
    return f"{first} {others[0]}" if others and re.fullmatch(r"[A-Z]{1,4}", first) else first


def _ownership(label: re.Match[str], kind: Kind, is_answer: bool) -> float:
    """How much a label speaks of the document's own number; orders and contracts are also referred to."""
    if label["other"]:
        if label["customer"]:
            return -9.0
        of_order = label["order"] or (label["purchase"] and not is_answer and kind != "order_form")
        return 1.0 if kind.startswith("order") and of_order else -1.0
    if label["own"]:
        return -1.0 if _of_another_kind(label["own"], kind) else 1.5
    return 0.0


def _of_another_kind(text: str, kind: Kind) -> bool:
    """Whether words name an order or contract in a document that is none."""
    named = _kind_in(text)[0]
    return (named == "contract" and kind != named) or (named == "order" and not kind.startswith("order"))


def _titled(rows: Sequence[Row], kind: Kind) -> Iterator[tuple[float, str, Cell]]:
    for order, row in enumerate(rows[:40]):
        cells = row.cells(1.5)
        for index, cell in enumerate(cells):
            found = _IN_TITLE.search(fold(cell.text))
            if found and _OF_ANOTHER.search(fold(cell.text[: found.start()])):
                found = None
            if found and _is_number(
                value := cell.text[found.start("number") : found.end("number")].rstrip(".,")
            ):
                yield 2.6 - order / 100 - 2.0 * _of_another_kind(found.group(), kind), value, cell
            labelled = index and _NUMBER_LABEL.match(fold(cells[index - 1].text))
            in_table = len(cells) > 3
            if order < 12 and not (labelled or in_table or _OF_SOMEBODY.search(fold(cell.text))):
                words = [word.strip("·|.,;:()#") for word in cell.text.split()]
                codes = [word for word in words if _CODE.fullmatch(word) and _is_number(word)]
                if codes and re.search(r"[A-Z]|-", codes[0]):
                    alone = cell.text.strip("#") == codes[0]
                    yield (1.3 if alone else 1.0) - order / 100, codes[0], cell


def _spoken(said: Sequence[Sentence]) -> Iterator[tuple[float, str, Cell]]:
    for sentence in said[:12]:
        found = _IN_TITLE.search(fold(sentence.text))
        if found and not _OF_ANOTHER.search(fold(sentence.text[: found.start()])):
            value = sentence.text[found.start("number") : found.end("number")].rstrip(".,")
            if _is_number(value):
                yield 0.8, value, sentence.lines[0]


_SERIES = re.compile(r"\b([A-Z]{1,4})-(\d{1,3})\b")


def _field_codes(rows: Sequence[Row]) -> set[str]:
    """The letters of codes that name fields or articles, for they count many: `BT-12`, `BT-13`, ..."""
    seen: dict[str, set[str]] = {}
    for row in rows:
        for letters, digits in _SERIES.findall(row.text):
            seen.setdefault(letters, set()).add(digits)
    return {letters for letters, numbers in seen.items() if len(numbers) > 2}


def _in_series(value: str, series: set[str]) -> bool:
    code = _SERIES.fullmatch(value)
    return bool(code and code[1] in series)


def _is_number(value: str) -> bool:
    if not re.search(r"\d", value) or not 2 <= len(value) <= 40 or find_dates(value):
        return False
    return not re.search(r"[.,]\d{2}$|[€$£%@]|^(?:19\d|20[0-4])\d$|^Q[1-4]\b", value) and not re.fullmatch(
        r"\(?\+?\d{1,3}\)?", value
    )


def language_of(text: str) -> str | None:
    """The language whose commonest words the text uses most; None when it uses none."""
    words = Counter(re.findall(r"[^\W\d_]+", text.lower()))
    scores = {one.code: sum(words[word] for word in one.common_words.split()) for one in LANGUAGES}
    best = max(scores, key=lambda language: scores[language])
    return best if scores[best] else None
