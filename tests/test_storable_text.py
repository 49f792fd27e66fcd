"""Text from elsewhere as both databases, JSON and HTTP take it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.storable_text import decode_storable, find_text_fault, make_json_storable, make_storable


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("", ""),
        ("plain\n\t", "plain\n\t"),
        ("Zoë 😀 \ufffd", "Zoë 😀 \ufffd"),
        ("a\x00b", "a\ufffdb"),
        ("\ud83d", "\ufffd"),
        ("é\udc00\ud800", "é\ufffd\ufffd"),
    ],
)
def test_what_cannot_be_stored_is_replaced(text: str, stored: str) -> None:
    assert make_storable(text) == stored
    assert (find_text_fault(text) is None) == (text == stored)
    assert make_json_storable({text: [text, {"a": text}, 1, None]}) == {
        stored: [stored, {"a": stored}, 1, None]
    }


@given(st.text(st.characters(exclude_categories=())), st.binary())
def test_every_text_is_storable_then(text: str, content: bytes) -> None:
    for made in (make_storable(text), decode_storable(content)):
        assert find_text_fault(made) is None
        assert made.encode().decode() == made
        assert "\\u0000" not in json.dumps(made.replace("\\", ""))
