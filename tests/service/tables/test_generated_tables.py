"""Over generated tables every line is accounted for, and every cell is what was written, or it is asked."""

import csv
import io
from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.service.tables.reading import open_table
from app.service.tables.table import RejectedRow

WORDS = {
    "en": (("ascii", "utf-8"), ("Desk", "Torque key", "Cleaning service", "Licence", "Steel bolt")),
    "de": (
        ("cp1252", "iso8859-15", "mac-roman", "cp850"),
        ("Müller Söhne", "Größe", "Geräte", "Türen"),
    ),
    "fr": (
        ("cp1252", "mac-roman"),
        ("Café", "Société", "Matériel électrique", "Câble réseau", "Étagère"),
    ),
    "es": (("cp1252",), ("Muñoz y Peña", "Camión", "Construcción", "Diseño", "Teléfono móvil")),
    "pl": (("cp1250", "iso8859-2"), ("Zakład Łódź", "Śruba", "Krzesło", "Usługi czyszczące", "Narzędzia")),
    "cs": (("cp1250",), ("Šroubovák křížový", "Židle", "Údržba výtahů", "Nářadí", "Přístroj")),
    "ru": (("cp1251", "koi8-r", "cp866"), ("Завод", "Болт стальной", "Кресло", "Уборка", "Лицензия")),
    "el": (("cp1253", "iso8859-7"), ("Νορβάλε", "Βίδα", "Καρέκλα γραφείου", "Υπηρεσίες", "Εργαλεία")),
    "tr": (("cp1254",), ("İstanbul Şirket", "Ofis koltuğu", "Çelik boru", "Güvenlik", "Temizlik")),
    "zh": (("gb18030", "utf-16-le"), ("上海五金", "办公椅", "清洁服务", "软件许可证", "北京科技有限公司")),
    "ja": (("cp932", "euc-jp"), ("株式会社東京工具", "ねじ", "事務用椅子", "ソフトウェア", "清掃サービス")),
    "ko": (("cp949",), ("한국공구", "나사", "사무용 의자", "청소 서비스", "소프트웨어")),
}
HEADINGS = ("Date", "Supplier", "Product", "Quantity", "Unit price", "Note")


def write_row(row: Sequence[str], delimiter: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerow(row)
    return text.getvalue().removesuffix("\r\n")


@st.composite
def tables(draw: st.DrawFn) -> tuple[bytes, str, list[list[str]]]:
    """A table as bytes, its encoding, and the rows that it has."""
    encodings, words = WORDS[draw(st.sampled_from(sorted(WORDS)))]
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", *encodings]))
    delimiter = draw(st.sampled_from(",;\t|"))
    decimals = draw(st.sampled_from([",", "."]))
    notes = st.sampled_from(["", "a, b", "x; y", 'the "best"', "two\nlines", "tab\there", "plain", "1|2"])
    rows = [
        [
            f"2025-03-{draw(st.integers(1, 28)):02d}",
            draw(st.sampled_from(words)),
            draw(st.sampled_from(words)),
            str(draw(st.integers(1, 900))),
            f"{draw(st.integers(1, 9_999))}{decimals}{draw(st.integers(0, 99)):02d}",
            draw(notes),
        ]
        for _ in range(draw(st.integers(3, 30)))
    ]
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    above = draw(st.sampled_from([[], [["Purchases 2025"]], [["Our orders"], [], ["Made by Accounts"]]]))
    text = "".join(write_row(row, delimiter) + end for row in [*above, HEADINGS, *rows])
    stated = f"sep={delimiter}\r\n" if draw(st.booleans()) and not above else ""
    return (stated + text).encode(encoding), encoding, rows


@pytest.mark.campaign
@settings(max_examples=60, deadline=None)
@given(tables())
@example((b"a;b\n1,5;2,5\n3,5;4,5\n", "utf-8", [["1,5", "2,5"], ["3,5", "4,5"]]))
def test_cells_are_what_was_written_or_the_encoding_is_asked(
    made: tuple[bytes, str, list[list[str]]],
) -> None:
    content, encoding, rows = made
    for stated in (None, encoding):
        table = open_table(io.BytesIO(content), encoding=stated)
        read = [list(row[1]) for row in table.rows if not isinstance(row, RejectedRow)]
        if not table.head.alternatives:
            assert read == rows
            assert len(table.head.headings) == len(rows[0])
        else:
            assert stated is None
            assert len(read) == len(rows)


def make_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    return [",".join(row) for row in rows]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["plain", "quoted", "open", "within", "end"]), min_size=4, max_size=40),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_every_line_is_a_row_or_rejected(kinds: list[str], end: str) -> None:
    """A quote that is not closed costs its own line, wherever it is."""
    written = {
        "plain": "2025-03-05,Acme,Desk,{0},12.50",
        "quoted": '2025-03-05,"Acme, Ltd","Desk {0}",1,12.50',
        "open": '2025-03-05,"Acme,Desk,{0},12.50',
        "within": '2025-03-05,Acme,15" screen {0},1,12.50',
        "end": '2025-03-05,Acme,Desk,{0},"12.50',
    }
    lines = [written[kind].format(number) for number, kind in enumerate(kinds)]
    content = end.join(["Date,Supplier,Product,Quantity,Price", *lines, ""]).encode()
    table = open_table(io.BytesIO(content))
    rows = list(table.rows)
    found = {
        row.line if isinstance(row, RejectedRow) else row[0]: isinstance(row, RejectedRow) for row in rows
    }
    assert found == {number: kind in ("open", "end") for number, kind in enumerate(kinds, start=2)}


def few_commas(text: str) -> bool:
    """Whether no line in the text looks like a row of its own."""
    return text.count(",") < 3


@pytest.mark.campaign
@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(
            *[
                st.text('",;#a1\n ', max_size=12).filter(few_commas).map(lambda text: f"x{text}x")
                for _ in range(4)
            ]
        ),
        min_size=1,
        max_size=12,
    )
)
@example([("x", "x\n#x", "x", "x")] * 2)
@example([("x", "x\n\nx", "x", "x")] * 2)
@example([("x", "x\n" * 60 + "x", "x", "x")])
def test_whatever_is_quoted_as_it_should_be_comes_back(rows: list[tuple[str, ...]]) -> None:
    text = io.StringIO()
    csv.writer(text).writerows([("Name", "Note", "Remark", "Text"), *rows])
    table = open_table(io.BytesIO(text.getvalue().encode()))
    assert [tuple(row[1]) if isinstance(row, tuple) else row for row in table.rows] == rows
