"""The encoding of a text is told by its bytes, or asked; no other letters are taken in silence."""

import io

import pytest

from app.service.tables.reading import list_rows, open_table
from app.service.tables.table import RejectedRow, UnreadableTable

HEADER = "Date,Supplier,Product\n"


def make(encoding: str, *names: str) -> io.BytesIO:
    return io.BytesIO((HEADER + "".join(f"2025-03-05,{name},Desk\n" for name in names)).encode(encoding))


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("cp1252", ["Müller Söhne", "Café Génin – North"]),
        ("cp1250", ["Zakład Łódź", "Śruba Ż"]),
        ("iso8859-2", ["Spółka Żółkiewski", "Usługi czyszczące"]),
        ("mac-roman", ["Müller Söhne", "Größe", "Café – North"]),
        ("cp850", ["Müller Söhne", "Bürostühle", "Größe"]),
        ("cp1251", ["Завод Норвейл"]),
        ("koi8-r", ["Завод Норвейл"]),
        ("cp1253", ["Νορβάλε ΑΕ"]),
        ("cp1254", ["İstanbul Şirket", "Vida ğ"]),
        ("cp1255", ["חברת ניקיון"]),
        ("cp1257", ["Įmonė Žalgiris", "Biuro kėdė", "Šiaulių varžtai"]),
        ("cp1250", ["Oţelul Galaţi", "Ţeavă zincată", "Construcţii Argeş"]),
        ("gb18030", ["上海五金", "北京科技有限公司"]),
        ("big5", ["台北五金", "辦公椅"]),
        ("cp932", ["株式会社東京工具", "ねじ"]),
        ("euc-kr", ["한국공구", "나사"]),
        ("utf-16-be", ["株式会社", "Zakład"]),
        ("utf-16", ["Zakład"]),
    ],
)
def test_letters_are_those_that_were_written(encoding: str, names: list[str]) -> None:
    table = open_table(make(encoding, *names))
    assert table.head.alternatives == ()
    assert [row[1][1] for row in table.rows if not isinstance(row, RejectedRow)] == names


def test_the_words_without_any_sign_tell_the_language() -> None:
    """In the encoding of Baltic languages `ø` is a letter that Lithuanian has often."""
    header = "Dokumentnr.;Leverandørnavn;Bogføringsdato;Beskrivelse;Antal;Enhedskode;Købspris;Linjebeløb"
    rows = (
        "1;Skovgaard Emballage;06-01-2025;Bølgepapkasse uden tryk;1200;STK;3,45;3726,00\n"
        "2;Skovgaard Emballage;07-01-2025;Pakketape i grøn og brun;144;RUL;9,80;1411,20\n"
        "3;Norrland Pumpe;17-01-2025;Doseringspumpe med slange, rør og filter;3;STK;4150;12450\n"
    )
    table = open_table(io.BytesIO(f"{header}\n{rows}".encode("cp1252")))
    assert table.head.encoding == "cp1252"
    assert list(table.head.headings) == header.split(";")


@pytest.mark.parametrize("encoding", ["cp1252", "mac-roman"])
@pytest.mark.parametrize("cell", ["£5", "£1.2M", "5 £", "Price (£)", "€5", "12.50 €", "12.50€"])
def test_a_sign_of_money_alone_shows_the_encoding(encoding: str, cell: str) -> None:
    table = open_table(make(encoding, cell))
    assert table.head.alternatives == ()
    assert list(table.rows) == [(2, ["2025-03-05", cell, "Desk"])]


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("cp1251", ["5 шт.", "2024г", "м2 плитка"]),
        ("cp1250", ["5 zł", "ł", "Łódź"]),
        ("cp874", ["5 ชิ้น", "บ"]),
    ],
)
def test_a_letter_alone_is_no_sign_of_money(encoding: str, names: list[str]) -> None:
    table = open_table(make(encoding, *names))
    assert [row[1][1] for row in table.rows if not isinstance(row, RejectedRow)] == names


def test_bytes_that_do_not_decide_are_asked() -> None:
    content = make("cp1257", "kėdė")
    table = open_table(content)
    assert {one.encoding: one.example for one in table.head.alternatives} == {
        "cp1252": "këdë",
        "cp1257": "kėdė",
    }
    with pytest.raises(UnreadableTable, match="in which encoding"):
        list(list_rows(open_table(content)))
    stated = open_table(content, encoding="windows-1257")
    assert list(stated.rows) == [(2, ["2025-03-05", "kėdė", "Desk"])]
    with pytest.raises(UnreadableTable, match="there is no encoding"):
        open_table(content, encoding="windows-0")


def test_an_encoding_that_changes_costs_the_lines_of_the_other() -> None:
    good = "".join(f"2025-03-05,Müller {number},Größe\n" for number in range(4))
    mixed = HEADER.encode() + good.encode() + "2025-03-05,Schäfer,Tür\n".encode("cp1252") + good.encode()
    rows = list(open_table(io.BytesIO(mixed)).rows)
    assert [row.line for row in rows if isinstance(row, RejectedRow)] == [6]
    assert len(rows) == 9
    mixed = HEADER.encode() + good.encode("cp1252") * 2 + "2025-03-05,Schäfer,Tür\n".encode()
    rows = list(open_table(io.BytesIO(mixed)).rows)
    assert [row.line for row in rows if isinstance(row, RejectedRow)] == [10]
    assert rows[0] == (2, ["2025-03-05", "Müller 0", "Größe"])
