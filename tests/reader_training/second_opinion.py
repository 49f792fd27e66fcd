"""What a second opinion that is always right would settle: `python -m tests.reader_training.second_opinion`.

It is asked about generated documents of the classes of layout that were left out of training, as they are and
with a half or all of their words replaced by ones that nobody knows, and names the words that their labels
hold. Prints, for sums and lines that it was asked about, how many were right before
and how many are right afterwards.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from app.service.documents.extraction import TotalName
from app.service.documents.formats.format import MOST_PAGES
from app.service.documents.formats.pdf import PDF
from app.service.documents.judge.case import Case
from app.service.documents.judge.judgement import Judgement
from app.service.documents.judge.readings import get_total
from app.service.documents.layout.document import Document
from app.service.documents.layout.pages import Word
from app.service.documents.pipeline import read_pages
from app.service.documents.second_opinion.doubts import find_question
from app.service.documents.second_opinion.named_values import NamedValueReader
from app.service.documents.second_opinion.question import NamedLine, NamedWords, Question, WordIds
from app.service.documents.second_opinion.settling import settle
from tests.reader_training.generated import GeneratedDocument, Label, Role
from tests.reader_training.generator import generate, split_layouts
from tests.reader_training.scores import FIRST_SEED
from tests.reader_training.unknown_words import replace_words
from tests.service.documents.reading_scores import lines_right, same_money

_UNKNOWN = (0.0, 0.5, 1.0)
"""Which share of their words nobody knows."""
_PARTS: tuple[Role, ...] = ("item", "quantity", "unit_price", "amount")


@dataclass
class Counts:
    """How many documents there were, how many were asked about, and of what was asked how many sums and lines
    there are, were right before and are right afterwards."""

    counts: Counter[str] = field(default_factory=Counter[str])

    def add(self, name: str, before: int, after: int, stated: int) -> None:
        self.counts[f"{name}: stated"] += stated
        self.counts[f"{name}: right before"] += before
        self.counts[f"{name}: right afterwards"] += after


@dataclass
class PerfectAnswerer:
    """Answers about one generated document, and counts what that settles."""

    generated: GeneratedDocument
    counts: Counts

    def __call__(self, document: Document, case: Case, judgement: Judgement) -> Judgement:
        question = find_question(document, case, judgement)
        if question is None:
            return judgement
        self.counts.counts["asked about"] += 1
        if not question.pages:
            self.counts.counts["too long to be asked about"] += 1
            return judgement
        named = name_words(document, question, self.generated)
        settlement = settle(document, case, judgement, question, named)
        truth = self.generated.truth
        for name in question.sums:
            if truth.get(name) is not None:
                before, after = (
                    same_money(truth[name], _as_float(get_total(one.totals, name)))
                    for one in (judgement, settlement.judgement)
                )
                self.counts.add(f"sums that were doubtful ({name})", before, after, 1)
        if question.lines:
            read = ([item.to_json() for item in one.items] for one in (judgement, settlement.judgement))
            before, after = (len(lines_right(truth["line_items"], one)) for one in read)
            self.counts.add("lines that were doubtful", before, after, len(truth["line_items"]))
        return settlement.judgement


def name_words(document: Document, question: Question, generated: GeneratedDocument) -> NamedWords:
    """The words that the labels of a document hold, of those that were sent."""
    sent = {word.id for page in question.pages for word in page.words}
    words = [
        (number, page, word) for number, (page, word) in enumerate(_list_words(document)) if number in sent
    ]
    reader = NamedValueReader(document)
    sums = {name: _find_sum(generated.labels, words, reader, generated.truth, name) for name in question.sums}
    count = len(generated.truth["line_items"]) if question.lines else 0
    return NamedWords(**sums, lines=tuple(_find_lines(generated.labels, words, count)))


_Words = Sequence[tuple[int, int, Word]]


def _list_words(document: Document) -> Iterator[tuple[int, Word]]:
    for row in document.rows:
        for word in row.words:
            yield row.page, word


def _find_sum(
    labels: Sequence[Label],
    words: _Words,
    reader: NamedValueReader,
    truth: Mapping[str, Any],
    name: TotalName,
) -> WordIds:
    """The words of the last label with the value of a sum."""
    roles = {"net_total": ("subtotal", "total"), "tax_total": ("tax",), "total": ("total",)}[name]
    for role in roles:
        for label in reversed(labels):
            ids = _figure_of(label, words, reader) if label.role == role else ()
            if ids and same_money(truth.get(name), _as_float(_value_of(ids, reader))):
                return ids
    return ()


def _figure_of(label: Label, words: _Words, reader: NamedValueReader) -> WordIds:
    """The words of a label that hold its figure, without what is around it."""
    ids = _words_in(label, words)
    for first in range(len(ids)):
        for last in range(len(ids), first, -1):
            if _value_of(ids[first:last], reader) is not None:
                return ids[first:last]
    return ()


def _value_of(ids: WordIds, reader: NamedValueReader) -> Decimal | None:
    read = reader.read_figure(ids)
    return read.value if read else None


def _find_lines(labels: Sequence[Label], words: _Words, count: int) -> Iterator[NamedLine]:
    for number in range(count):
        parts = {
            role: tuple(
                one
                for label in labels
                if label.line == number and label.role == role
                for one in _words_in(label, words)
            )
            for role in _PARTS
        }
        if parts["amount"]:
            yield NamedLine(parts["item"], parts["quantity"], parts["unit_price"], parts["amount"])


def _words_in(label: Label, words: _Words) -> WordIds:
    box = label.box
    return tuple(
        number
        for number, page, word in words
        if page == label.page
        and box.x0 - 2 <= word.box.centre <= box.x1 + 2
        and box.top - 2 <= word.box.middle <= box.bottom + 2
    )


def _as_float(value: Decimal | None) -> float | None:
    return None if value is None else float(value)


def count_settled(layouts: Sequence[str], seeds: int) -> Counts:
    """The counts over so many documents of each class of layout."""
    counts = Counts()
    for layout in layouts:
        for seed in range(FIRST_SEED, FIRST_SEED + seeds):
            generated = generate(layout, seed)
            pages = list(PDF.read_pages(generated.content, MOST_PAGES))
            for share in _UNKNOWN:
                counts.counts["documents"] += 1
                changed = replace_words(pages, share, f"{layout}{seed}")
                read_pages(changed, generated.filename, PerfectAnswerer(generated, counts))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="documents of each class of layout")
    _, left_out = split_layouts()
    counts = count_settled(sorted(left_out), parser.parse_args().seeds)
    for name, count in counts.counts.items():
        print(f"{count:>6}  {name}")


if __name__ == "__main__":
    main()
