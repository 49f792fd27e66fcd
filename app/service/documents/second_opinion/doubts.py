"""What of a reading is so doubtful that a second opinion is asked about it, and which pages it stands on."""

from collections.abc import Iterator, Sequence

from app.service.documents.extraction import TOTAL_NAMES, Provenance, TotalName
from app.service.documents.judge.case import Case
from app.service.documents.judge.facts import CONTRADICTIONS
from app.service.documents.judge.judgement import DOUBTFUL, Judgement
from app.service.documents.judge.line_check import LINE_VALUES
from app.service.documents.judge.readings import get_total, is_sum_of_lines
from app.service.documents.layout.document import Document
from app.service.documents.layout.rows import Row
from app.service.documents.second_opinion.question import MOST_PAGES, AskedPage, AskedWord, Question


def find_question(document: Document, case: Case, judgement: Judgement) -> Question | None:
    """The question about a document; None where nothing of its lines and sums is doubtful, or nothing that
    one sum could settle."""
    if case.separate_sums or not case.figures.sums:
        return None
    sums = _list_doubtful_sums(case, judgement)
    lines = _are_lines_doubtful(case, judgement)
    if not sums and not lines:
        return None
    wanted = _list_pages(case, judgement, bool(sums), lines)
    return Question(sums, lines, _ask_pages(document.rows, wanted))


def _list_doubtful_sums(case: Case, judgement: Judgement) -> tuple[TotalName, ...]:
    """The sums that are not certain, where one of them is doubtful: each is judged by the others."""
    open_sums: tuple[TotalName, ...] = tuple(
        name
        for name in TOTAL_NAMES
        if (place := judgement.totals.provenance.get(name)) is None or not place.verified
    )
    return open_sums if any(_is_sum_doubtful(case, judgement, name) for name in open_sums) else ()


def _is_sum_doubtful(case: Case, judgement: Judgement, name: TotalName) -> bool:
    place = judgement.totals.provenance.get(name)
    if get_total(judgement.totals, name) is None:
        return name != "tax_total"
    contradicted = not CONTRADICTIONS.isdisjoint(case.list_total_facts(name))
    return contradicted or place is None or place.confidence < DOUBTFUL


def _are_lines_doubtful(case: Case, judgement: Judgement) -> bool:
    if not judgement.items:
        return True
    if judgement.totals.net is not None and not is_sum_of_lines(judgement.totals, judgement.items):
        return True
    return any(
        item.provenance[name].confidence < DOUBTFUL
        or not CONTRADICTIONS.isdisjoint(case.list_line_facts(number, name))
        for number, item in enumerate(judgement.items)
        for name in LINE_VALUES
        if name in item.provenance
    )


def _list_pages(case: Case, judgement: Judgement, sums: bool, lines: bool) -> Sequence[int]:
    """The pages on which the doubtful values stand as any reading has them, those of sums first."""
    places: list[Provenance] = []
    if sums:
        readings = [judgement.totals, case.rules.totals, *case.rivals]
        places.extend(place for one in readings for place in one.provenance.values())
    if lines:
        others = case.learned.items if case.learned else ()
        for items in (judgement.items, case.rules.items, others):
            places.extend(place for item in items for place in item.provenance.values())
    pages = list(dict.fromkeys(place.page for place in places if place.page is not None))
    last = case.figures.sums[-1].cell.page
    # What no reading found stands most likely with the last figures.
    return pages if pages and not (sums and judgement.totals.total is None) else [*pages, last]


def _ask_pages(rows: Sequence[Row], wanted: Sequence[int]) -> tuple[AskedPage, ...]:
    """The words of the pages of these numbers, the first of them as far as a question may be long."""
    pages: list[AskedPage] = []
    for page in _number_words(rows, set(wanted[:MOST_PAGES])):
        longer = Question((), False, (*pages, page))
        if longer.is_within_limits:
            pages.append(page)
    return tuple(pages)


def _number_words(rows: Sequence[Row], wanted: set[int]) -> Iterator[AskedPage]:
    numbered: dict[int, list[tuple[AskedWord, ...]]] = {number: [] for number in sorted(wanted)}
    first = 0
    for row in rows:
        if row.page in numbered:
            words = (
                AskedWord(first + at, word.text, round(word.box.x0)) for at, word in enumerate(row.words)
            )
            numbered[row.page].append(tuple(words))
        first += len(row.words)
    for number, asked in numbered.items():
        yield AskedPage(number, tuple(asked))
