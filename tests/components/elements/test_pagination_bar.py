"""Which page the address asks for."""

import pytest
from streamlit.testing.v1 import AppTest


def script() -> None:
    import streamlit as st

    from app.contract.page import Pagination
    from components.elements.pagination import draw_pagination_bar, read_page_offset

    offset = read_page_offset("p", 10)
    st.text(str(offset))
    draw_pagination_bar(Pagination(total=35, limit=10, offset=offset), "p", "company", "companies")


@pytest.mark.parametrize(
    ("asked", "offset"),
    [("1", 0), ("2", 10), ("", 0), ("0", 0), ("-3", 0), ("x", 0), ("٣", 0), ("9" * 40, 99_999_990)],
)
def test_the_address_names_a_page_or_it_is_the_first(asked: str, offset: int) -> None:
    page = AppTest.from_function(script)
    page.query_params["p"] = asked
    page.run()
    assert not page.exception
    assert page.text[0].value == str(offset)


def test_the_bar_says_where_one_is() -> None:
    page = AppTest.from_function(script)
    page.query_params["p"] = "4"
    assert page.run().caption[0].value == "31 to 35 of 35 companies"
