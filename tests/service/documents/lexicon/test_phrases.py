"""Patterns made from phrases."""

import re

from app.service.documents.lexicon.phrases import either, phrase, preceded_by, whole_phrase


def test_a_group_of_no_phrases_matches_nothing() -> None:
    assert re.compile(either("")).search("text") is None


def test_a_whole_phrase_is_all_of_a_text() -> None:
    assert whole_phrase(either("net | gross")).match("gross")
    assert not whole_phrase(either("net | gross")).match("gross amount")


def test_words_before_may_differ_in_length() -> None:
    assert re.search(preceded_by(("from", "du")) + r"\d", "du 3")
    assert not re.search(preceded_by(("from", "du")) + r"\d", "le 3")


def test_a_phrase_is_found_as_words_of_its_own() -> None:
    assert phrase(either("net | gross")).search("the net amount")
    assert not phrase(either("net")).search("network")
