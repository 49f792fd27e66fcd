"""A document laid out for reading."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app.service.documents.layout.bounds import Omissions, bound_words
from app.service.documents.layout.broken_figures import join_broken_figures, join_cents
from app.service.documents.layout.letter_spacing import join_stacked_labels
from app.service.documents.layout.pages import Page, Word
from app.service.documents.layout.rows import Row, find_repeats, find_rows, with_number_format
from app.service.documents.layout.sentences import Paragraph, Sentence, find_paragraphs, find_sentences
from app.service.documents.values.origin import Origin
from app.service.values.folding import unify_letters

_LEAST_COLUMNS = 4
_COLUMN_NUMBER = re.compile(r"\(?(?P<number>\d{1,2})\)?(?:[(=]\d[\d+*x×·/%()-]+)?")
_COLUMN_FORMULA = re.compile(r"[(=]\d+[+*x×·/%-][\d+*x×·/%()-]+")
_MARKS = str.maketrans("٬٫", ",.")
"""The marks of thousands and of decimals beside Arabic digits."""
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_BLANK = re.compile(r"(?<![:_\w])_+(?=[^\W_])|(?<=[\d.,])__+$")
_END_OF_BLANK = re.compile(r"(?<=[^\W_])_+\W*$")
_FIELD_CODE = re.compile(r"(?:\(B[TG]-\d+(?:-\d+)?,?\)?|B[TG]-\d+(?:-\d+)?\))(?P<colon>:?)")


@dataclass(frozen=True)
class Document:
    """The pages of a document with their rows, sentences and paragraphs in reading order.

    The numbers of its rows are read in its number format.
    """

    pages: Sequence[Page]
    rows: Sequence[Row]
    samples: Sequence[Row]
    """The rows without those that only repeat the form of others: what is said of the whole document stands
    in these, and the sentences are theirs."""
    text: str
    sentences: Sequence[Sentence]
    paragraphs: Sequence[Paragraph]
    origin: Origin
    omissions: tuple[str, ...] = ()
    """Sentences about what was left out of the reading."""


def lay_out(pages: Iterable[Page]) -> Document:
    """Return the document of these pages."""
    omissions = Omissions()
    pages = tuple(
        _without_blanks(without_field_codes(_with_plain_digits(page)))
        for page in bound_words(pages, omissions)
    )
    rows = join_broken_figures(join_cents(find_rows(pages, omissions)))
    text = "\n".join(row.text for row in rows)
    origin = Origin(text)
    rows = [row for row in with_number_format(rows, origin) if not _counts_columns(row)]
    repeats = find_repeats(rows)
    samples = [row for order, row in enumerate(rows) if order not in repeats]
    return Document(
        pages=pages,
        rows=rows,
        samples=samples,
        text=text,
        sentences=find_sentences(samples),
        paragraphs=find_paragraphs(samples),
        origin=origin,
        omissions=tuple(omissions),
    )


def _with_plain_digits(page: Page) -> Page:
    """The page with the digits that are usual everywhere instead of those of other scripts, and labels whose
    letters stand one below the other put together."""
    words = [
        replace(word, text=unify_letters(word.text).translate(_MARKS))
        if _OTHER_DIGIT.search(word.text)
        else word
        for word in page.words
    ]
    return replace(page, words=join_stacked_labels(words))


def _without_blanks(page: Page) -> Page:
    """The page without the line of a form on which a value was written: `$__4.50__`, `_Example Ltd_`, but
    `Name:____`."""
    words: list[Word] = []
    opened: Word | None = None
    for word in page.words:
        if "_" in word.text:
            text = _BLANK.sub("", word.text)
            opened = word if text != word.text else opened
            if opened is not None and abs(opened.box.middle - word.box.middle) < word.size:
                closed = _END_OF_BLANK.sub("", text)
                text, opened = closed, opened if closed == text else None
            word = replace(word, text=text)
        words.append(word)
    return replace(page, words=tuple(words))


def _counts_columns(row: Row) -> bool:
    """Whether a row holds nothing but the numbers of the columns, as official forms print them: `1 2 3 4`,
    `0 1 2 3 (1x2)`."""
    texts = (word.text.strip("[].") for word in row.words)
    numbers = [_COLUMN_NUMBER.fullmatch(text) for text in texts if not _COLUMN_FORMULA.fullmatch(text)]
    counted = [int(one["number"]) for one in numbers if one]
    return len(numbers) >= _LEAST_COLUMNS and any(
        counted == list(range(first, first + len(numbers))) for first in (0, 1)
    )


def without_field_codes(page: Page) -> Page:
    """The page without the codes of EN 16931 that some print, `Name (BT-44):`; a colon behind one stays."""
    words: list[Word] = []
    for word in page.words:
        code = _FIELD_CODE.fullmatch(word.text)
        if code is None:
            words.append(word)
        elif code["colon"] and words:
            words[-1] = replace(words[-1], text=f"{words[-1].text}:")
    return replace(page, words=tuple(words))
