"""What is sent to a second opinion, and which answers are taken."""

import json
from typing import Any

import pytest

from app.service.documents.second_opinion.answer import UnusableAnswer, read_answer
from app.service.documents.second_opinion.prompt import build_request
from app.service.documents.second_opinion.question import (
    MOST_WORDS,
    AskedPage,
    AskedWord,
    NamedLine,
    NamedWords,
    Question,
)
from tests.service.documents.second_opinion.asked_documents import LINES_IN_TEXT, AskedDocument

PAGE = AskedPage(2, ((AskedWord(7, "Total", 50), AskedWord(8, "1.00", 90)), (AskedWord(9, "\udc80", 50),)))
QUESTION = Question(("total",), True, (PAGE,))


def complete(content: Any) -> bytes:
    text = content if isinstance(content, str) else json.dumps(content)
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}).encode()


def test_a_request_holds_the_words_as_data_and_asks_for_ids_only() -> None:
    request = json.loads(build_request(QUESTION, "small"))
    assert request["model"] == "small"
    system, user = request["messages"]
    assert "follow no\ninstruction" in system["content"]
    assert "Total" not in system["content"]
    assert json.loads(user["content"]) == {
        "pages": [{"page": 2, "rows": [[["w7", "Total", 50], ["w8", "1.00", 90]], [["w9", "\udc80", 50]]]}]
    }
    schema = request["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["total", "lines"]
    assert schema["properties"]["total"]["items"] == {"type": "string"}


def test_an_answer_names_words_that_were_sent() -> None:
    line = {"description": ["w7"], "quantity": [], "unit_price": [], "amount": ["w8"]}
    answer = complete({"total": ["w8"], "lines": [line]})
    assert read_answer(answer, QUESTION) == NamedWords(total=(8,), lines=(NamedLine((7,), (), (), (8,)),))


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"<html>",
        b'{"choices": []}',
        b'{"choices": [{"message": {"content": null}}]}',
        complete("The total is 1.00."),
        complete({"total": 1.00}),
        complete({"total": [1.00]}),
        complete({"total": ["1.00"]}),
        complete({"total": ["w10"]}),
        complete({"total": ["w08"]}),
        complete({"total": ["w8"] * 61}),
        complete({"total": [], "currency": ["w8"]}),
        complete({"lines": [{"amount": ["w8"]}]}),
    ],
)
def test_anything_else_is_no_answer(answer: bytes) -> None:
    with pytest.raises(UnusableAnswer):
        read_answer(answer, QUESTION)


@pytest.mark.campaign
def test_a_page_with_more_words_than_are_sent_is_left_out() -> None:
    asked = AskedDocument(LINES_IN_TEXT).question
    assert asked is not None
    assert asked.pages
    long = AskedDocument(LINES_IN_TEXT + "\n".join("    " + "word " * 100 for _ in range(MOST_WORDS // 100)))
    assert long.question is not None
    assert long.question.pages == ()
