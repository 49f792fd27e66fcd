"""What a second opinion answered, checked against what it was asked."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from app.service.documents.second_opinion.prompt import format_id
from app.service.documents.second_opinion.question import (
    MOST_LINES,
    MOST_NAMED_WORDS,
    NamedLine,
    NamedWords,
    Question,
    WordIds,
)

_Id = Annotated[str, StringConstraints(max_length=12)]
_Ids = Annotated[list[_Id], Field(max_length=MOST_NAMED_WORDS)]


class UnusableAnswer(Exception):
    """An answer names no words of the question; the text is a sentence about why."""


class _Message(BaseModel):
    content: str


class _Choice(BaseModel):
    message: _Message


class _Completion(BaseModel):
    """A chat completion. A service adds what it likes to it."""

    choices: Annotated[list[_Choice], Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Line(_Strict):
    description: _Ids
    quantity: _Ids
    unit_price: _Ids
    amount: _Ids


class _Words(_Strict):
    net_total: _Ids = []
    tax_total: _Ids = []
    total: _Ids = []
    lines: Annotated[list[_Line], Field(max_length=MOST_LINES)] = []


def read_answer(body: bytes, question: Question) -> NamedWords:
    """The words that an answer names. Raises UnusableAnswer for anything else than ids of words that were
    sent."""
    try:
        content = _Completion.model_validate_json(body).choices[0].message.content
    except ValidationError:
        raise UnusableAnswer("The answer is not the one of a chat completion.") from None
    try:
        words = _Words.model_validate_json(content)
    except ValidationError:
        raise UnusableAnswer("The answer names no words of the page, or not in the form asked for.") from None
    sent = {format_id(word.id): word.id for page in question.pages for word in page.words}

    def find(ids: list[str]) -> WordIds:
        if not sent.keys() >= set(ids):
            raise UnusableAnswer("The answer names words that were not sent.")
        return tuple(sent[one] for one in ids)

    lines = tuple(
        NamedLine(find(one.description), find(one.quantity), find(one.unit_price), find(one.amount))
        for one in words.lines
    )
    return NamedWords(find(words.net_total), find(words.tax_total), find(words.total), lines)
