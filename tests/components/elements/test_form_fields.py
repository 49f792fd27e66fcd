"""A field shows what it was filled with."""

from datetime import date

from streamlit.testing.v1 import AppTest


def fields() -> None:
    from datetime import date

    import streamlit as st

    from components.elements.form_fields import Field, draw_field

    filled = {"months": 2026, "none": 0, "past": date(2020, 1, 1), "old": date(1700, 1, 1)}
    for name, value in filled.items():
        st.session_state.setdefault(name, value)
    draw_field(Field("months", "Months", kind="number", least=1, most=1200), "months")
    draw_field(Field("none", "Months", kind="number", least=1, most=1200), "none")
    draw_field(Field("past", "Day", kind="day", earliest="today"), "past")
    draw_field(Field("old", "Day", kind="day"), "old")


def test_what_was_read_beyond_the_bounds_of_a_field_is_shown() -> None:
    page = AppTest.from_function(fields, default_timeout=60).run()
    assert not page.exception
    assert [one.value for one in page.number_input] == [2026, 0]
    assert [one.value for one in page.date_input] == [date(2020, 1, 1), date(1700, 1, 1)]
