from streamlit.testing.v1 import AppTest

from tests.dashboard.record_tables import ADDRESS, read_record_tables


def draw() -> None:
    from collections.abc import Sequence

    from components.elements.record_table import Badges, Bars, Column, draw_record_table

    hostile = '<script>alert(1)</script>"&'
    records: Sequence[tuple[str, str, int]] = [('1"&x', hostile, 1240), ("2", "", 0)]
    draw_record_table(
        records,
        {
            "Name": Column(lambda one: one[1]),
            "Count": Column(lambda one: one[2], "right"),
            "Marks": Column(lambda one: Badges([one[1]]) if one[1] else None, optional=True),
            "Hours": Column(lambda _: Bars([0, 4, 2])),
            "Empty": Column(lambda _: None, optional=True),
            "Same": Column(lambda _: "as ever", varying=True),
        },
        link=lambda one: ("company", {"id": one[0]}),
        alt=hostile,
    )
    draw_record_table(records, {"Name": Column(lambda one: one[0])}, alt="without links")


def test_what_a_record_holds_is_text_and_never_markup() -> None:
    app = AppTest.from_function(draw).run()
    assert not app.exception
    body = str(app.get("html")[0].proto.body)
    assert "<script" not in body
    [first, second], plain = read_record_tables(app)
    assert first["Name"] == first["Marks"] == '<script>alert(1)</script>"&'
    assert first[ADDRESS] == "company?id=1%22%26x"
    assert (first["Count"], second["Count"]) == ("1,240", "0")
    assert [ADDRESS in row for row in plain] == [False, False]


def test_a_row_without_a_name_is_still_a_link_and_an_empty_column_is_left_out() -> None:
    [first, second], _ = read_record_tables(AppTest.from_function(draw).run())
    assert (second["Name"], second[ADDRESS]) == ("—", "company?id=2")
    assert not {"Empty", "Same"} & first.keys()
    assert second["Marks"] == "—"
