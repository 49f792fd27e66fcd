"""What a cell says is read back, whatever a spreadsheet or an import would take it for."""

import pytest
from hypothesis import assume, given, strategies

from app.service.table_files.cells import escape_text, read_text
from app.service.values.blanks import is_blank


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "-Acme",
        "@Acme",
        "#CALC",
        "#N/A",
        "-",
        "'=1",
        "'#REF!",
        "'Acme",
        "A-1",
        "＝1",
        "a;=1",
        "a;'=1",
        "=a;''-1",
        "a\n- b",
    ],
)
def test_a_text_that_was_escaped_is_read_back(text: str) -> None:
    assert read_text("name", escape_text(text)) == text


@given(strategies.text("a;\t\n\"' =-1＝", min_size=1, max_size=8).map(str.strip).filter(bool))
def test_any_text_of_signs_is_read_back(text: str) -> None:
    assume(not is_blank(text))
    assert read_text("name", escape_text(text)) == text
