"""A filter of a list: its choice is in the address, and another choice opens the first page."""

from streamlit.testing.v1 import AppTest


def script() -> None:
    import streamlit as st

    from app.contract.page import Pagination
    from components.elements.list_filter import draw_list_filter
    from components.elements.pagination_bar import draw_pagination_bar, read_page_offset

    value = draw_list_filter("Size", {"Any size": None, "Large": "L"}, key="size", page_key="p")
    offset = read_page_offset("p", 10)
    st.text(f"{value} from {offset}")
    draw_pagination_bar(Pagination(total=35, limit=10, offset=offset), "p", "box", "boxes")


def test_another_choice_opens_the_first_page() -> None:
    page = AppTest.from_function(script)
    page.query_params["p"] = "3"
    assert page.run().text[0].value == "None from 20"
    page.radio(key="size").set_value("Large").run()
    assert page.text[0].value == "L from 0"


def test_an_unknown_choice_in_the_address_leaves_the_list_whole() -> None:
    page = AppTest.from_function(script)
    page.query_params["size"] = "Enormous"
    page.query_params["p"] = "2"
    page.run()
    assert not page.exception
    assert page.text[0].value == "None from 10"
