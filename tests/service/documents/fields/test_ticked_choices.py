"""Of choices with boxes the ticked ones hold."""

from collections.abc import Callable

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.layout.sentences import read_ticked
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder

HEADS = ["Description", "Qty", "Unit price", "Amount"]
LINES = [["Editor licences", "12", "100.00", "1,200.00"], ["Viewer licences", "10", "20.00", "200.00"]]


def read_pdf(*terms: str) -> Extraction:
    """A quote with these terms, in the letters that its font has."""
    return read_document(pdf_builder.quote(HEADS, LINES, [("Total EUR", "1,400.00")], below=terms), "q.pdf")


def read_word(*terms: str) -> Extraction:
    return read_document(
        pdf_builder.docx(["Example Software Ltd", "Quote Q-1001"], [HEADS, *LINES], terms), "q.docx"
    )


@pytest.mark.parametrize("read", [read_pdf, read_word])
@pytest.mark.parametrize(
    ("renewal", "auto_renew"),
    [
        ("Auto-renewal: [ ] Yes [x] No", False),
        ("Auto-renewal: [x] Yes [ ] No", True),
        ("Auto-renewal: ( ) Yes (X) No", False),
        ("Auto-renewal: Yes [ ]  No [x]", False),
        ("Auto-renewal: Yes [x]  No [ ]", True),
        ("Auto-renewal: [ ] Yes [ ] No", None),
        ("Auto-renewal: Yes: [ ] No: [x]", None),
    ],
)
def test_the_ticked_answer_says_whether_an_agreement_renews(
    read: Callable[[str], Extraction], renewal: str, auto_renew: bool | None
) -> None:
    assert read(renewal).auto_renew == auto_renew


@pytest.mark.parametrize(
    ("renewal", "auto_renew"),
    [
        ("Auto-renewal: ☐ Yes ☒ No", False),
        ("Auto-renewal: Yes ☐  No ☑", False),
        ("Auto-renewal: ☒ Yes ☐ No", True),
        ("Auto-renewal: □ Yes ■ No", False),
        ("Auto-renewal: \uf0a8 Yes \uf0fe No", False),
        ("This agreement ☐ does ☒ does not renew automatically.", False),
        ("☐ This agreement renews automatically.", None),
        ("□ This agreement renews automatically for successive terms of 12 months.", True),
    ],
)
def test_boxes_that_are_letters_are_read_alike(renewal: str, auto_renew: bool | None) -> None:
    assert read_word(renewal).auto_renew == auto_renew


@pytest.mark.parametrize("read", [read_pdf, read_word])
@pytest.mark.parametrize(
    ("billing", "frequency"),
    [
        ("Billing frequency: [ ] Annual [x] Monthly", "monthly"),
        ("Billing frequency: [x] Annual [ ] Monthly", "annual"),
        ("Billing frequency: Annual [ ] Quarterly [x] Monthly [ ]", "quarterly"),
        ("Billing frequency: [ ] Annual [ ] Monthly", None),
    ],
)
def test_the_ticked_frequency_is_how_often_bills_come(
    read: Callable[[str], Extraction], billing: str, frequency: str | None
) -> None:
    assert read(billing).billing == frequency


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("renewal", "billing"),
    [
        (["Auto-renewal", "☐ Yes", "☒ No"], ["Billing frequency", "☐ Annual", "☒ Monthly"]),
        (["Auto-renewal", "Yes ☐", "No ☒"], ["Billing frequency", "Annual ☐", "Monthly ☒"]),
        (["Auto-renewal", "☐", "Yes", "☒", "No"], ["Billing frequency", "☐", "Annual", "☒", "Monthly"]),
        (["Auto-renewal:", "Yes", "[ ]", "No", "[x]"], ["Billing:", "Annual", "[ ]", "Monthly", "[x]"]),
    ],
)
def test_choices_in_cells_of_their_own_are_read_alike(renewal: list[str], billing: list[str]) -> None:
    read = read_document(pdf_builder.docx(["Quote Q-1001"], [renewal, billing]), "q.docx")
    assert (read.auto_renew, read.billing) == (False, "monthly")
    none = [cell.replace("☒", "☐").replace("[x]", "[ ]") for cell in renewal]
    read = read_document(pdf_builder.docx(["Quote Q-1001"], [none, ["Billing", *none[1:]]]), "q.docx")
    assert (read.auto_renew, read.billing) == (None, None)


@pytest.mark.parametrize("places", [(180, 220, 280, 320), (180, 215, 420, 445), (180, 195, 230, 250)])
def test_choices_that_stand_apart_on_a_page_are_read_alike(places: tuple[int, ...]) -> None:
    def read(*said: str) -> Extraction:
        row = [pdf_builder.Text(x, 200, text) for x, text in zip(places, said, strict=True)]
        label = [pdf_builder.Text(50, 60, "Quote Q-1001"), pdf_builder.Text(50, 200, "Auto-renewal:")]
        return read_document(pdf_builder.pdf([*label, *row]), "q.pdf")

    assert read("[ ]", "Yes", "[x]", "No").auto_renew is False
    assert read("[x]", "Yes", "[ ]", "No").auto_renew is True
    assert read("Yes", "[ ]", "No", "[x]").auto_renew is False
    assert read("Yes", "[ ]", "No", "[ ]").auto_renew is None


def test_what_is_ticked_without_a_label_says_nothing_of_bills() -> None:
    assert read_word("Reports", "☐ Annual ☒ Monthly").billing is None


def test_a_term_whose_box_is_empty_does_not_hold() -> None:
    read = read_word("Initial term: ☐ 36 months ☒ 12 months", "Payment terms: ☒ net 30 days ☐ net 60 days")
    assert (read.term_months, read.payment_terms_days) == (12, 30)


@pytest.mark.parametrize(
    ("text", "ticked"),
    [
        ("Renewal ☐ Yes ☒ No", "Renewal No"),
        ("Renewal: Yes ☐ No ☒ (tick one)", "Renewal: No"),
        ("Renewal: Yes ☐ No ☒ please tick", ""),
        ("Renewal Yes ☐ No ☒", "☒ No"),
        ("☐ Annual ☒ Monthly", "☒ Monthly"),
        ("☒ Monthly", "☒ Monthly"),
        ("✓ Support is included", "✓ Support is included"),
        ("Support ☐ ✓ Updates", "Support Updates"),
        ("See section [3] and the annex (x)", "See section [3] and the annex (x)"),
        ("☐ Yes ☒", ""),
    ],
)
def test_what_is_left_of_choices(text: str, ticked: str) -> None:
    assert read_ticked(text) == ticked
