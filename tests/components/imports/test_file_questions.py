"""A person answers what a file does not say; nothing is answered by itself."""

from streamlit.testing.v1 import AppTest


def ask() -> None:
    import streamlit as st

    from app.contract.imports import ImportOption, ImportQuestion
    from components.imports.file_questions import draw_file_questions, read_file_answers
    from tests.components.imports.fixtures import make_questions

    lone = ImportQuestion(name="encoding", question="?", options=[ImportOption(value="utf_8", meaning="é")])
    asks = [*make_questions(), lone]
    draw_file_questions(asks, key="asked")
    st.json(dict(read_file_answers(asks, key="asked")))


def read(app: AppTest) -> object:
    import json

    return json.loads(app.json[0].value)


def test_only_a_lone_option_is_chosen_before_a_person_chooses() -> None:
    app = AppTest.from_function(ask).run()
    assert not app.exception
    states = {"booked": False, "parked": False}
    nothing = {"number_format": None, "currency": None, "states": states, "encoding": "utf_8"}
    assert read(app) == nothing


def test_a_currency_is_one_of_those_offered_or_a_code_that_is_typed() -> None:
    app = AppTest.from_function(ask).run()
    [numbers, currency, _] = app.radio
    currency.set_value("USD").run()
    assert not app.text_input
    numbers.set_value("comma").run()
    app.checkbox[1].check().run()
    states = {"booked": False, "parked": True}
    given = {"number_format": "comma", "currency": "USD", "states": states, "encoding": "utf_8"}
    assert read(app) == given
    app.radio[1].set_value("").run()
    assert read(app) == {**given, "currency": ""}
    app.text_input[0].set_value("chf").run()
    assert read(app) == {**given, "currency": "CHF"}
