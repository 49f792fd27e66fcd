from streamlit.testing.v1 import AppTest

from tests.dashboard.record_tables import ADDRESS, read_record_tables


def draw() -> None:
    from components.elements.record_table import LEFT, RIGHT, Badges, Bars, RecordRow, draw_record_table

    hostile = '<script>alert(1)</script>"&'
    draw_record_table(
        [
            RecordRow(
                "company", {"id": '1"&x'}, {"Name": hostile, "Marks": Badges([hostile]), "Count": 1240}
            ),
            RecordRow("company", {"id": "2"}, {"Name": "", "Hours": Bars([0, 4, 2]), "Count": 0}),
        ],
        alt=hostile,
        columns={"Name": LEFT, "Count": RIGHT, "Marks": LEFT, "Hours": LEFT, "Empty": LEFT},
        optional=("Empty", "Marks"),
    )


def test_what_a_record_holds_is_text_and_never_markup() -> None:
    app = AppTest.from_function(draw).run()
    assert not app.exception
    body = str(app.get("html")[0].proto.body)
    assert "<script" not in body
    [[first, second]] = read_record_tables(app)
    assert first["Name"] == first["Marks"] == '<script>alert(1)</script>"&'
    assert first[ADDRESS] == "company?id=1%22%26x"
    assert (first["Count"], second["Count"]) == ("1,240", "0")


def test_a_row_without_a_name_is_still_a_link_and_an_empty_column_is_left_out() -> None:
    [[first, second]] = read_record_tables(AppTest.from_function(draw).run())
    assert (second["Name"], second[ADDRESS]) == ("—", "company?id=2")
    assert "Empty" not in first
    assert second["Marks"] == "—"
