"""What is to be known of a reading stands in one panel."""

from streamlit.testing.v1 import AppTest


def draw(warnings: list[str]) -> None:
    from components.documents.document_review import draw_reading_warnings

    draw_reading_warnings(warnings)


def shown(*warnings: str) -> list[str]:
    return [one.value for one in AppTest.from_function(draw, kwargs={"warnings": [*warnings]}).run().warning]


def test_several_sentences_are_a_list_in_one_panel() -> None:
    assert shown() == []
    assert shown("No term is stated.") == ["No term is stated."]
    assert shown("No term is stated.", "The total is 5.") == ["- No term is stated.\n- The total is 5."]
