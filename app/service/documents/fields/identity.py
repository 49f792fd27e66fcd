"""What a document is: its kind, its number, its language."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median

from app.service.documents.extraction import Kind, Provenance
from app.service.documents.fields.candidates import Candidate, best
from app.service.documents.fields.date_roles import names_number
from app.service.documents.layout.address_blocks import is_town
from app.service.documents.layout.labels import (
    LabelledValue,
    cut_number_of_box,
    find_cells_below,
    find_labelled_values,
)
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.layout.sentences import Sentence
from app.service.documents.lexicon.column_words import column_scores
from app.service.documents.lexicon.further_languages import SERIES, TITLES, fold_phrases
from app.service.documents.lexicon.further_parties import REGISTRATIONS
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.letters import strip_subject
from app.service.documents.lexicon.party_words import ANSWER
from app.service.documents.lexicon.phrases import phrase
from app.service.documents.lexicon.vocabulary import CREDIT_NOTE, DOCUMENT_TITLE, PAYMENT_FORMS, total_kind
from app.service.documents.values.company_names import names_column
from app.service.documents.values.dates import find_dates
from app.service.values.folding import fold

_WORDS = WORDS.documents
# The first that matches a line names it: an order form is no order, a price list no quote.
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("price_list", phrase(f"(?:{_WORDS.price_list}|{fold_phrases(TITLES['price_list'])})")),
    ("order_form", phrase(_WORDS.order_form)),
    ("quote", phrase(f"(?:{_WORDS.quote}|{fold_phrases(TITLES['quote'])})")),
    ("invoice", phrase(f"(?:{_WORDS.invoice}|{fold_phrases(TITLES['invoice'])})")),
    ("contract", phrase(f"(?:{_WORDS.contract}|{fold_phrases(TITLES['contract'])})")),
    ("order", phrase(f"(?:{_WORDS.order}|{fold_phrases(TITLES['order'])})")),
)
_ANY_NUMBER = _WORDS.number
_CREDIT_NOTE = re.compile(
    rf"{CREDIT_NOTE}(?= *$| ?[:#(-]| {_ANY_NUMBER}(?![a-z])| [a-z0-9/._-]*\d"
    rf"| (?:{_WORDS.of_another}|{WORDS.columns.price_for})(?![a-z]))"
)
_SELF_BILLING = phrase(_WORDS.self_billing)
_NUMBER_LABEL = re.compile(
    rf"(?:(?P<own>(?:{_WORDS.our} )?{DOCUMENT_TITLE}s?[- ]?{_ANY_NUMBER}|{_WORDS.own_number}"
    rf"|{DOCUMENT_TITLE}s?{_WORDS.number_noun}|{DOCUMENT_TITLE}[^\W\d]{{1,2}} {_ANY_NUMBER}"
    rf"|{_ANY_NUMBER}\.?(?: ?[&/] ?{WORDS.dates.date})?"
    rf" (?:{_WORDS.of_the} )?{DOCUMENT_TITLE}(?:[^\W\d]{{1,2}}(?!\w))?"
    rf"|{_ANY_NUMBER}\.? (?:{_WORDS.of_the} )?{_WORDS.document_noun}(?![a-z])"
    rf"|(?:{_WORDS.our} )?{DOCUMENT_TITLE}s?)"
    rf"|(?P<bare>(?:{_WORDS.document_noun} )?{_ANY_NUMBER}"
    rf"|{fold_phrases(SERIES)}(?=:? [^\W\d]{{1,6}}[ .,]|$))"
    rf"|(?P<abbreviated>{_WORDS.abbreviated_order}(?= *[:#]| *$| \d{{4}}))"
    rf"|(?P<other>(?:(?P<customer>{_WORDS.customer})|(?P<purchase>{_WORDS.purchase_order})"
    rf"|(?P<order>{_WORDS.order_noun})|{_WORDS.transaction}|{_WORDS.our}|{_WORDS.your})[- ]?{_ANY_NUMBER}"
    rf"|(?P<order_alone>{_WORDS.order_noun})(?= *:?$)))"
    rf"(?:(?<=#)|(?![a-z0-9]))\.?(?: ?/ ?{WORDS.dates.date})?(?: ?\([a-z. ]+\))?"
    r"(?=\s*[:#.]|\s*$|\s+\S|(?<=#))"
)
_NUMBER_WORD = re.compile(rf"s?[- ]?{_ANY_NUMBER}\.?$|^{_ANY_NUMBER}(?![a-z])")
_NUMBER_WORD_ALONE = re.compile(rf"{_ANY_NUMBER}\.?")
_SHORT = re.compile(r"\d{1,4}")
_GLUED_WORD = re.compile(r"^[Nn][°º](?=\d)")
# `214 from 9 May 2025`, as many languages write in one line.
_BEHIND_NUMBER = re.compile(r"(?<=\d) [^\W\d]{1,5} \d.*$")
# `ATCUD:KK77-3021`, `Date: 7 May`: another field beside a label whose value stands below.
_OTHER_FIELD = re.compile(r"[^\W\d]{2,}: ?\S")
# `Hillside College 412`: whom a quote is for, and its number.
_NAMED_NUMBER = re.compile(r"(?:[A-Z][a-z]+ ){2,4}(?P<number>\d{2,})")
_IN_TITLE = re.compile(
    rf"\b{DOCUMENT_TITLE}\b(?:(?: [a-z]+)? ?\(\d+\)"
    rf"|(?! (?:{_WORDS.customer}|{_WORDS.order_noun}|{_WORDS.transaction}))"
    rf" [^\W\d]{{5,14}}(?= (?:{_ANY_NUMBER})\b))?(?P<word> ?\(?{_ANY_NUMBER}\.?)?[ :.#]*"
    r"(?P<number>(?P<letters>[^\W\d_]{1,4} (?=\d))?(?=[\w/.\-]*\d)[^\W_][\w/.\-]{3,}"
    r"|(?(word)\d{1,3}(?![\w/%-]|[.,]\d)|(?!)))(?![\w.]*,\d)"
)
# `Relates to invoice 7`, `Ihre Bestellung 7`: the number of another document.
_OF_ANOTHER = re.compile(rf"\b{_WORDS.of_another}\s*$")
_SENTENCE = re.compile(r"(?:\S+ ){5,}\S*[^\W\d]{3}\.")
_CODE_END = re.compile(r"(?=\S*\d)[\w./-]+")
_CODE = re.compile(r"(?:[A-Z]{1,5}[-/ ]?){0,3}\d{3,}(?:-\d+)*(?:[-/]\w+)*")
# Words beside numbers that say who somebody is, where he lives or how he is called.
_OF_SOMEBODY = re.compile(
    r"[€$£]|\+\d|(?<![\w-])\d{3}-\d{4}\b|\b\d{3}[-. ]\d{3}[-. ]\d{4}\b|\b[a-z]{1,2}-\d{4,5} [a-z]"
    r"|, [a-z]{2}-\d{4,5}$"
    r"|\b(?:vat|ust|uid|abn|acn|gst|tva|tvq|tps|btw|kvk|siret|siren|cif|nif|hr[ab])"
    rf"|\b(?:{_WORDS.contact}|{fold_phrases(REGISTRATIONS)})"
)
# `Objednávka č.: 7-12`: a title, a word that the lexicon lacks, and what ends the line.
_TITLED_CODE = re.compile(
    rf"\b{DOCUMENT_TITLE}\w{{0,4}}(?: [-–/]| [^\W\d]{{1,12}}[.:]*){{0,6}}[ :.#]*(?:{_ANY_NUMBER})?"
    r"(?<![a-z])(?P<number>(?=\S*\d)[a-z0-9]\S{2,})$"
)
# `Broj : 7-12`, below a title.
_LABELLED_CODE = re.compile(r"[^\W\d]{1,14}(?: [^\W\d]{1,14})?[.:#\s]+(?P<number>(?=.*\d)[A-Z\d][^\s,;]+)")
# What companies are registered by, as some countries print it below their name: `(65351-M)`.
_REGISTRATION = re.compile(r"\(?\d{5,12}-[A-Z]\)?|\([A-Z\d][\w -]{4,}\)")
# The same in Korea and Poland, `120-81-23456`, `697-000-11-22`, and what a bank account is called by.
_REGISTERED_NUMBER = re.compile(
    r"\d{3}-\d\d-\d{5}|(?:\d{3}-){2}\d\d-\d\d|[A-Z]{2}\d\d[A-Z\d]{11,30}"
    r"|[\dA-F]{8}-(?:[\dA-F]{4}-){2}.*"  # of a tax office, for each invoice
)
# `LT123456789`: what a company of the European Union is registered by for its tax.
_TAX_NUMBER = re.compile(
    r"(?:ATU|BE|BG|CY|CZ|DE|DK|EE|EL|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)\d{7,12}"
)
_TOWN_BY_CODE = re.compile(r"(?<![\w-])\d{2,5}-\d{3} [^\W\d]")
_MAIL_ADDRESS = re.compile(r"\S+@\S+")
_SUM = re.compile(rf"\d|{WORDS.totals.sum_nouns}")
# `Renewal quote`, `Verlängerungsangebot`; `auto-renewal` and `non-renewal` are of a clause.
_RENEWAL = re.compile(rf"(?<![\w-])(?:{WORDS.clauses.renewal_noun})")
# `Order type: Renewal`: the value of a field, without more than its kind.
_RENEWAL_FIELD = re.compile(rf"[^:]{{3,30}}: ?(?:{WORDS.clauses.renewal_noun})\w*(?: [a-z]+)?")
_CLAUSE = re.compile(rf"\b(?:{WORDS.clauses.automatic})|\d")


_KIND_ROWS = 60
"""Rows from the top in which the title is looked for."""
_HEAD_ROWS = 12
"""Rows from the top in which a code, or a number of few digits, may be the document's."""
_MOST_LETTERS = 4
"""Letters that belong to the number behind them: `AB 4019273`."""
_ABBREVIATED = 4
"""Letters of an abbreviated title, which is written in capitals: `P.O.`."""
_LABEL_OF_CONTRACT = 0.25
"""What a word for a contract weighs beside another cell, which is what a bill or an order is based on."""
_MOST_FACTS = 6
"""Cells from which on a row is one of a table."""
_IN_TABLE = 0.1
"""What the place of a heading of a table weighs, where others weigh 0.3 to 1.5: `List price`."""
_BELOW_TITLE = 2
"""Rows from the title to a number below it."""
_TITLE_ROWS, _SHORT_TITLE, _LARGE = 20, 4, 1.2
"""Rows in which a short large text is a title beside that of the document, and how many times as large as the
others it is."""
_LONGEST_TITLE, _TITLE_OF_SENTENCE = 9, 3
"""Words that a title may have; of a longer text only the first few may be one."""
_LONGEST_CELL = 11
"""Words of a cell from which on a code in it is that of a thing that its sentence tells of."""
_NUMBER_WEIGHTS = {
    "label": 2.0, "own number": 1.5, "of another kind": -1.0, "of the order": 1.0,
    "of something else": -1.0, "title alone": -0.1, "title": 2.6,
    "title of another kind": -2.0, "title and a word": 1.6, "below the title": 0.9,
    "code alone": 1.3, "code": 1.0, "sentence": 0.8,
}  # fmt: skip
_OWN = frozenset({"own number", "title"})
"""Reasons by which a number is that of the document, and not of a form or an article."""
_PER_LABEL_DISTANCE, _PER_LABEL_ROW, _PER_ROW = -0.25, -0.005, -0.01
_NUMBER_CONFIDENCE = 0.8


def find_kind(rows: Sequence[Row]) -> Kind:
    """The kind that the title names, else the label of the document's number."""
    title = best(_kind_candidates(rows))
    kind = title.value[0] if title else _kind_of_number_label(rows)
    if kind == "credit_note" and any(_SELF_BILLING.search(fold(row.text)) for row in rows):
        return "invoice"  # the buyer wrote it: what is called a credit note is the seller's invoice
    return kind


def is_renewal(rows: Sequence[Row]) -> bool:
    """Whether the title, one beside it, or a field says that what was bought before is renewed."""
    title = best(_kind_candidates(rows))
    if title is not None and _RENEWAL.search(title.value[1]):
        return True
    body = median(row.size for row in rows) if rows else 1.0
    for row in rows[:_TITLE_ROWS]:
        for cell in row.cells(1.5):
            text = fold(cell.text)
            is_large = len(cell.words) <= _SHORT_TITLE and cell.size >= _LARGE * body and ":" not in text
            if is_large and _RENEWAL.search(text) and not _CLAUSE.search(text):
                return True
        if _RENEWAL_FIELD.fullmatch(fold(row.text)):
            return True
    return False


def _kind_candidates(rows: Sequence[Row]) -> Iterator[Candidate[tuple[Kind, str]]]:
    """The kinds that lines name, with their texts: the larger and earlier, and the more of the line, the
    likelier."""
    body = median(row.size for row in rows) if rows else 1.0
    for order, row in enumerate(rows[:_KIND_ROWS]):
        cells = row.cells(1.5)
        heads_table = sum(names_column(cell.text) for cell in cells) > 2
        for cell in cells:
            is_title = len(cell.words) <= _LONGEST_TITLE and not _SENTENCE.fullmatch(cell.text)
            count = len(cell.words) if is_title else _TITLE_OF_SENTENCE
            text = strip_subject(fold(" ".join(word.text for word in cell.words[:count])))
            if any(form.search(fold(cell.text)) for form in PAYMENT_FORMS):
                continue  # `Payment: 30 days from the date of the invoice`
            is_sum = total_kind(text) and _SUM.search(row.text.lower())
            if is_sum and not _CREDIT_NOTE.match(text):
                continue
            kind, name = _kind_in(_MAIL_ADDRESS.sub(" ", text))
            # `po` and `Po` are words too.
            printed = [one.text for one in cell.words[:count] if fold(one.text) == name]
            is_word = len(name) <= _ABBREVIATED and any(one.islower() or one == "Po" for one in printed)
            if kind and not is_word:
                height = min(3.0, cell.size / max(body, 1.0)) ** 1.5
                share = len(name) / len(cell.text)
                place = _IN_TABLE if heads_table else max(0.3, 1.5 - order / 20)
                factor = _LABEL_OF_CONTRACT if kind == "contract" and len(cells) > 1 else _title_factor(text)
                title = place * (0.5 + share) * factor * height
                yield Candidate((kind, text), {"title": title}, cell.locate(1.0))


def _kind_of_number_label(rows: Sequence[Row]) -> Kind:
    """The kind that the label of the document's number names, in a sentence too: `Proposal: P-7`."""
    for row in rows[:_KIND_ROWS]:
        for cell in row.cells():
            label = _NUMBER_LABEL.match(fold(cell.text))
            own = _NUMBER_WORD.sub("", label["own"]) if label and label["own"] else ""
            if kind := _kind_in(own)[0]:
                return kind
        if (titled := _find_in_title(row.text)) and (kind := _kind_in(titled[1])[0]):
            return kind
    return "other"


def _kind_in(text: str) -> tuple[Kind | None, str]:
    """The kind a line names, and by which words."""
    if credit := _CREDIT_NOTE.match(text):
        return "credit_note", credit.group()
    for kind, pattern in _KINDS:
        found = pattern.search(text)
        if found:
            return kind, found.group()
    return None, ""


def _title_factor(text: str) -> float:
    """How much a line reads like a title (`Invoice no. 7`) and not like a field (`Order date 3 May`)."""
    text = cut_number_of_box(text)  # `2. Teilrechnung`
    if _IN_TITLE.match(text) or _TITLED_CODE.match(text):
        return 0.6 if ":" in text else 0.9
    if ":" in text:
        return 0.25
    return 0.5 if re.search(r"\d", text) else 1.0


def find_number(
    rows: Sequence[Row], sentences: Sequence[Sentence], kind: Kind
) -> tuple[str, Provenance] | None:
    """The document's own number: behind its label, in the title, else the first code near the top, else
    in a sentence: `our offer 7 of last week`."""
    found = best(
        (
            *_labelled_numbers(rows, kind),
            *_numbers_in_titles(rows, kind),
            *_numbers_at_title(rows, kind),
            *_numbers_in_sentences(sentences),
        )
    )
    if found is None:
        return None
    seen = found.provenance
    return found.value, replace(seen, confidence=_NUMBER_CONFIDENCE * seen.confidence)


def find_stated_number(rows: Sequence[Row], kind: Kind) -> str | None:
    """The number that a label or the title says is that of a document of this kind."""
    found = best((*_labelled_numbers(rows, kind), *_numbers_in_titles(rows, kind)))
    return found.value if found is not None and not _OWN.isdisjoint(found.reasons) else None


def answers_order(rows: Sequence[Row]) -> bool:
    """Whether the title says that an order is answered: the number of the order is then the customer's."""
    heads = (cells for row in rows[:20] if len(cells := row.cells(1.2)) < _MOST_FACTS)
    return any(ANSWER.match(strip_subject(fold(cell.text))) for cells in heads for cell in cells)


def _number_candidate(value: str, cell: Cell, *reasons: str, **places: float) -> Candidate[str]:
    return Candidate(
        value, {reason: _NUMBER_WEIGHTS[reason] for reason in reasons} | places, cell.locate(1.0)
    )


def _labelled_numbers(rows: Sequence[Row], kind: Kind) -> Iterator[Candidate[str]]:
    answers = answers_order(rows)
    for found in find_labelled_values(rows, _NUMBER_LABEL, inline=True):
        inner = _NUMBER_LABEL.match(fold(found.value))  # `Estimate  Quote no. 7`
        if inner and (inner["other"] or inner["abbreviated"]):
            continue  # `Invoice  P.O. 7`
        value = _first_code(found.value[inner.end() :].lstrip(" :：.#") if inner else found.value)
        value = _with_broken_end(rows, found, value)
        matched = _NUMBER_LABEL.match(fold(found.label))
        if not matched or matched["customer"] or _is_of_sentence(rows, found):
            continue
        if found.distance > 1 and _heads_column(rows, found):
            continue
        if (
            _TOWN_BY_CODE.match(found.value)
            or _OTHER_FIELD.match(found.value)
            or not (_is_number(value) or _is_short(found, matched, kind))
        ):
            continue
        yield _number_candidate(
            value,
            found.cell,
            "label",
            *_owner(matched, kind, answers),
            distance=_PER_LABEL_DISTANCE * found.distance,
            row=_PER_LABEL_ROW * found.order,
        )


def _is_of_sentence(rows: Sequence[Row], found: LabelledValue) -> bool:
    """Whether a label is part of the sentence that begins in the line above: `dryer, serial` `no. 40118`."""
    above = rows[found.order - 1] if found.order and found.label[0].islower() else None
    return above is not None and len(above.words) > _LONGEST_TITLE and above.text[-1].isalpha()


def _heads_column(rows: Sequence[Row], found: LabelledValue) -> bool:
    """Whether a label heads a column of codes: below its value stands another of the same form."""
    first, *below = find_cells_below(rows, found.order, found.label_cell, 2) or [found.cell]
    shapes = {re.sub(r"\d", "0", one.words[0].text) for one in below}
    code = first.words[0].text
    return re.sub(r"\d", "0", code) in shapes and code not in [one.words[0].text for one in below]


def _with_broken_end(rows: Sequence[Row], found: LabelledValue, value: str) -> str:
    """A number with its last part, which a narrow cell has broken into the line below: `INV/25-` `0612`."""
    below = [one for one in find_cells_below(rows, found.order, found.cell, 2) if one is not found.cell][:1]
    is_broken = value[-1:] in ("-", "/") and found.value.endswith(value)
    return value + below[0].text if is_broken and below and _CODE_END.fullmatch(below[0].text) else value


def _is_short(found: LabelledValue, label: re.Match[str], kind: Kind) -> bool:
    """Whether a number of few digits is the document's: its label says so, or it stands alone near the top
    behind the name of this kind of document or the word for a number."""
    value = _BEHIND_NUMBER.sub("", found.value).strip(" ,;:()#")
    if label["own"] and _NUMBER_WORD.search(f"{label['own']}."):
        return _SHORT.fullmatch(code := _first_code(value)) is not None or _is_date(code)
    is_alone = found.order < _HEAD_ROWS and found.distance < 2 and _SHORT.fullmatch(value) is not None
    names_kind = label["own"] is not None and _kind_in(label["own"])[0] == kind
    return is_alone and len(value) > 1 and (names_kind or label["bare"] is not None)


def _first_code(value: str) -> str:
    """The first word of a value; the letters before a number belong to it: `AB 4019273`."""
    if re.fullmatch(r"\d{2,}(?: \d{2,}){1,3}", value):
        return value  # one number printed in groups
    if (named := _NAMED_NUMBER.fullmatch(value)) is not None:
        return named["number"]
    words = (_GLUED_WORD.sub("", word.strip(" ,;:()[]#")) for word in value.split() or [""])
    first, *others = [word for word in words if not _NUMBER_WORD_ALONE.fullmatch(fold(word))] or [""]
    has_letters = first.isalpha() and first.isupper() and len(first) <= _MOST_LETTERS
    return f"{first} {others[0]}" if others and has_letters else first


def _owner(label: re.Match[str], kind: Kind, answers_order: bool) -> list[str]:
    """What a label says about whose number it is; orders and contracts are also referred to."""
    if label["abbreviated"]:
        return ["own number" if kind == "order" and not answers_order else "of something else"]
    if label["other"]:
        of_order = label["order"] or label["order_alone"]
        of_order = of_order or (label["purchase"] and not answers_order and kind != "order_form")
        return ["of the order" if kind.startswith("order") and of_order else "of something else"]
    if label["own"]:
        alone = [] if _NUMBER_WORD.search(f"{label['own']}.") else ["title alone"]
        return ["of another kind" if _is_of_another_kind(label["own"], kind) else "own number", *alone]
    return []


def _is_of_another_kind(text: str, kind: Kind) -> bool:
    """Whether words name an order, a contract, the quote that an order or an invoice answers, or the invoice
    that a credit note corrects."""
    named = _kind_in(text)[0]
    if (named, kind) in (("quote", "order"), ("quote", "invoice"), ("invoice", "credit_note")):
        return True
    return (named == "contract" and kind != named) or (named == "order" and not kind.startswith("order"))


def _numbers_in_titles(rows: Sequence[Row], kind: Kind) -> Iterator[Candidate[str]]:
    for order, row in enumerate(rows[:40]):
        cells = row.cells(1.5)
        for index, cell in enumerate(cells):
            if titled := _find_in_title(cell.text):
                other = ["title of another kind"] if _is_of_another_kind(titled[1], kind) else []
                yield _number_candidate(titled[0], cell, "title", *other, row=_PER_ROW * order)
            labelled = index and ":" not in cell.text and _NUMBER_LABEL.match(fold(cells[index - 1].text))
            in_table = len(cells) > 3
            of_somebody = _REGISTRATION.fullmatch(cell.text) or _OF_SOMEBODY.search(fold(cell.text))
            of_somebody = of_somebody or _TOWN_BY_CODE.search(cell.text) or _names_article(cell.text)
            is_priced = any(other.is_figure for other in cells[index + 1 :])
            in_sentence = len(cell.words) > _LONGEST_CELL
            if order < _HEAD_ROWS and not (labelled or in_table or of_somebody or is_priced or in_sentence):
                words = [word.strip("·|.,;:()#") for word in cell.text.split()]
                codes = [word for word in words if _CODE.fullmatch(word) and _is_number(word)]
                codes = [word for word in codes if not _TAX_NUMBER.fullmatch(word)]
                if codes and re.search(r"[A-Z]|-", codes[0]):
                    alone = cell.text.strip("#") == codes[0]
                    yield _number_candidate(
                        codes[0], cell, "code alone" if alone else "code", row=_PER_ROW * order
                    )


def _numbers_at_title(rows: Sequence[Row], kind: Kind) -> Iterator[Candidate[str]]:
    """The codes behind or right below the title, whatever words stand before or above them."""
    title = -_HEAD_ROWS
    for order, row in enumerate(rows[:_HEAD_ROWS]):
        for cell in row.cells(1.5):
            text = fold(cell.text)
            is_of_other = _OF_SOMEBODY.search(text) or is_town(cell.text) or _names_article(cell.text)
            if is_of_other or any(one.currency for one in cell.figures):
                continue
            behind = _TITLED_CODE.match(text)
            value, reasons = "", ["below the title"]
            if behind:
                value, reasons = cell.text[behind.start("number") :], ["title and a word"]
                reasons += ["title of another kind"] if _is_of_another_kind(behind.group(), kind) else []
            elif 0 < order - title <= _BELOW_TITLE and (labelled := _LABELLED_CODE.fullmatch(cell.text)):
                # Capitals before a number belong to it.
                value = _first_code(cell.text) if _LETTERS_OF_CODE.match(cell.text) else labelled["number"]
            if value and _is_number(value, text[: behind.start("number")] if behind else ""):
                yield _number_candidate(value.rstrip(".,"), cell, *reasons, row=_PER_ROW * order)
            elif _kind_in(text)[0] and not row.figures:
                title = order


def _names_article(text: str) -> bool:
    """Whether a text is the number of an article with its label: `Item code: IG-2201`."""
    label, colon, _ = text.partition(":")
    return bool(colon) and "item_id" in column_scores(fold(label))


def _numbers_in_sentences(sentences: Sequence[Sentence]) -> Iterator[Candidate[str]]:
    for sentence in sentences[:12]:
        if titled := _find_in_title(sentence.text):
            yield _number_candidate(titled[0], sentence.lines[0], "sentence")


def _find_in_title(text: str) -> tuple[str, str] | None:
    """The number behind a title, and the title with it; None of another document and of a sum."""
    folded = fold(text)
    found = _IN_TITLE.search(folded)
    if found is None:
        return None
    number, before = found["number"], folded[: found.start("number")]
    printed = re.search(re.escape(number), text, re.I)
    value = printed.group() if printed else number
    ahead = before[: found.start()]
    other = _OF_ANOTHER.search(ahead) or (ahead.strip() and total_kind(before))  # `Total quote 100`
    other = other or (found["letters"] and not value[: len(found["letters"])].isupper())
    value = value.rstrip(".,")
    is_number = _is_number(value, before) or (found["word"] and _SHORT.fullmatch(value))
    return (value, found.group()) if not other and is_number else None


# `2024`, `2025-2026`, `Q3 2025`, and amounts.
_PERIOD_OR_AMOUNT = re.compile(r"[.,]\d{2}$|[€$£%@]|^(?:19\d|20[0-4])\d(?:[-/–]20[0-4]\d)?$|^Q[1-4]\b")
_LETTERS_OF_CODE = re.compile(r"[A-Z]{1,4} \S+$")


def _is_number(value: str, before: str = "") -> bool:
    """Whether a code may be the number of a document; `before` are the words (folded) in front of it."""
    if (
        not re.search(r"\d", value)
        or not 2 <= len(value) <= 40
        or (_is_date(value.split()[-1]) and not names_number(before))  # `DATE 02/21/25`
        or _REGISTERED_NUMBER.fullmatch(value)
        or (" " in value and total_kind(fold(value.split()[0])))  # `NET 30` are days to pay
    ):
        return False
    if "," in value:
        return False  # a part of an address: `G3,Block G`
    return not (
        _PERIOD_OR_AMOUNT.search(value) or re.fullmatch(r"\(?\+?\d{1,3}[).]?|(?:[A-Z]+ )?\d\.\d", value)
    )


def _is_date(value: str) -> bool:
    """Whether nothing but a date is there, unlike in `OF/2024/03/17` and `20240317`."""
    parts = [value[: one.start] + value[one.end :] for one in find_dates(value)]
    return not value.isdecimal() and any(not re.search(r"\w", part) for part in parts)
