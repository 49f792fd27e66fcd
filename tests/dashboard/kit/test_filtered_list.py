"""A list has its filters and its page in the address, and says why it is empty."""

from streamlit.testing.v1 import AppTest


def script() -> None:
    from typing import Any

    import streamlit as st

    from app.contract.page import ListPage, Pagination
    from app.dashboard.kit.filtered_list import ChoiceFilter, Empty, FilteredList, FlagFilter, TextFilter

    def load(limit: int, offset: int, name: str | None, size: str | None, new: bool | None) -> ListPage[Any]:
        boxes = [f"box {number}" for number in range(35)]
        found = [box for box in boxes if name in (None, box) and size != "none"]
        st.text(f"{name} {size} {new} from {offset}")
        page = Pagination(total=len(found), limit=limit, offset=offset)
        return ListPage[Any](data=found[offset : offset + limit], pagination=page)

    FilteredList(
        key="p",
        noun="box",
        nouns="boxes",
        rows=10,
        load=load,
        draw=lambda page: st.markdown(", ".join(page.data)),
        filters=(
            TextFilter("Name", "name"),
            ChoiceFilter("Size", "size", {"Any size": None, "Large": "L", "None": "none"}, "size"),
            FlagFilter("Only new", "new", "new"),
        ),
        empty=Empty("No boxes yet", "They appear here."),
    ).show()


def open_list(**query: str) -> AppTest:
    page = AppTest.from_function(script)
    for name, value in query.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def test_another_choice_opens_the_first_page() -> None:
    page = open_list(p="3")
    assert page.text[0].value == "None None None from 20"
    page.selectbox(key="size").set_value("Large").run()
    assert page.text[0].value == "None L None from 0"
    page.checkbox(key="new").check().run()
    page.text_input(key="name").set_value(" box 7 ").run()
    assert page.text[0].value == "box 7 L True from 0"
    assert [each.value for each in page.markdown] == ["box 7"]


def test_an_unknown_choice_in_the_address_leaves_the_list_whole() -> None:
    assert open_list(size="Enormous", p="2").text[0].value == "None None None from 10"


def test_a_page_behind_the_last_is_the_last() -> None:
    assert [each.value for each in open_list(p="9").text] == [
        "None None None from 80",
        "None None None from 30",
    ]


def test_filters_that_leave_nothing_are_cleared_with_a_click() -> None:
    page = open_list(size="None")
    assert "No box matches" in page.markdown[0].value
    page.button(key="p-clear").click().run()
    assert page.text[0].value == "None None None from 0"
    assert page.selectbox(key="size").value == "Any size"
