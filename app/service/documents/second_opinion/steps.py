"""Where a second opinion takes part in the reading of a document: after the judge."""

from dataclasses import dataclass
from typing import Protocol

from app.service.documents.judge.case import Case
from app.service.documents.judge.judgement import Judgement
from app.service.documents.layout.document import Document
from app.service.documents.second_opinion.doubts import find_question
from app.service.documents.second_opinion.question import NamedWords, Question
from app.service.documents.second_opinion.settling import settle


class Step(Protocol):
    """What happens after the judge with the lines and sums of a document."""

    def __call__(self, document: Document, case: Case, judgement: Judgement) -> Judgement: ...


@dataclass
class QuestionStep:
    """Finds what a second opinion is asked about, and changes nothing."""

    question: Question | None = None

    def __call__(self, document: Document, case: Case, judgement: Judgement) -> Judgement:
        self.question = find_question(document, case, judgement)
        return judgement


@dataclass
class SettlingStep:
    """Settles what is doubtful by the words that a second opinion named."""

    named: NamedWords
    sentences: tuple[str, ...] = ()

    def __call__(self, document: Document, case: Case, judgement: Judgement) -> Judgement:
        question = find_question(document, case, judgement)
        if question is None:
            return judgement
        settlement = settle(document, case, judgement, question, self.named)
        self.sentences = settlement.sentences
        return settlement.judgement
