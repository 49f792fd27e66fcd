"""Boxes to tick in a Word file are read whatever they are made of."""

import pytest

from app.service.documents.reading import read_document
from tests.service.documents.formats.word_builder import (
    control,
    paragraph,
    read_body,
    read_texts,
    run,
    save_body,
)


def sign(font: str, code: str) -> str:
    return f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'


def field(state: str) -> str:
    return (
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:sizeAuto/><w:default w:val="0"/>'
        f"{state}</w:checkBox></w:ffData></w:fldChar></w:r>"
        "<w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r>"
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("empty", "ticked"),
    [
        (sign("Wingdings", "F0A8"), sign("Wingdings", "F0FE")),
        (sign("Wingdings 2", "F0A3"), sign("Wingdings 2", "F053")),
        (control(run("☐")), control(run("☒"))),
        (control(sign("Wingdings", "00A8")), control(sign("Wingdings", "00FD"))),
        (field(""), field("<w:checked/>")),
        (field('<w:checked w:val="0"/>'), field('<w:checked w:val="1"/>')),
    ],
)
def test_the_ticked_answer_of_a_form_is_read(empty: str, ticked: str) -> None:
    def read(yes: str, no: str) -> bool | None:
        terms = paragraph(run("Auto-renewal: "), yes, run(" Yes "), no, run(" No"))
        return read_document(save_body(paragraph(run("Quote Q-1001")), terms), "quote.docx").auto_renew

    assert read(empty, ticked) is False
    assert read(ticked, empty) is True
    assert read(empty, empty) is None


def test_other_signs_are_no_boxes() -> None:
    signs = (sign("Symbol", "F0A8"), sign("Wingdings", "F04A"), sign("Wingdings", "none"))
    assert read_texts(read_body(paragraph(run("Net 30"), *signs))) == "Net 30"
