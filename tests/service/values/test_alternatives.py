"""Regular expressions for one of many words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.service.values.dates import match_any

_WORDS = st.lists(st.text(alphabet="abé.$ ", min_size=1, max_size=4), min_size=1, max_size=8)


@pytest.mark.campaign
@given(_WORDS, st.text(alphabet="aAbBéÉ.$ ", max_size=12))
def test_the_longest_word_is_found_wherever_one_stands(words: list[str], text: str) -> None:
    one_by_one = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    assert re.findall(match_any(words), text) == re.findall(one_by_one, text)
    assert re.findall(match_any(words, any_case=True), text) == re.findall(one_by_one, text, re.IGNORECASE)


def test_without_words_nothing_is_found() -> None:
    assert not re.search(match_any(["a"]), "b")
