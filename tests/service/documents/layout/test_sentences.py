"""Running text is put together from lines, and labels from their values."""

from app.service.documents.layout.sentences import find_paragraphs, find_sentences
from tests.service.documents.typewriter import type_document

LETTER = """
    This agreement runs for twelve months from the day of its signa-
    ture and renews by itself. Either side may give notice of 30 days
    before it ends.
"""


def test_sentences_run_over_lines_and_hyphens() -> None:
    sentences = [sentence.text for sentence in find_sentences(type_document(LETTER).rows)]
    assert sentences == [
        "This agreement runs for twelve months from the day of its signa-ture and renews by itself",
        "Either side may give notice of 30 days before it ends.",
    ]


def test_a_sentence_knows_its_lines_and_figures() -> None:
    notice = find_sentences(type_document(LETTER).rows)[1]
    assert [figure.value for figure in notice.figures] == [30]
    assert len(notice.lines) == 2
    assert notice.provenance.page == 1
    assert notice.provenance.box is not None
    assert notice.provenance.box.top == 64


def test_the_stop_of_a_day_ends_no_sentence() -> None:
    text = "Tilbuddet gælder til 28. maj 2026. Betaling inden 30 dage. Terms are net 30. May be changed."
    assert [sentence.text for sentence in find_sentences(type_document(text).rows)] == [
        "Tilbuddet gælder til 28. maj 2026",
        "Betaling inden 30 dage",
        "Terms are net 30",
        "May be changed.",
    ]


def test_a_paragraph_is_a_text_of_several_lines() -> None:
    document = type_document(LETTER + "\n\n\nTotal   5.00\n")
    [paragraph] = find_paragraphs(document.rows)
    assert paragraph.text.startswith("This agreement runs")


def test_rows_of_figures_are_no_sentences() -> None:
    assert find_paragraphs(type_document("Editor seats      10.00\nViewer seats      20.00").rows) == []


def test_a_label_is_read_with_the_value_beside_or_below_it() -> None:
    texts = {
        sentence.text for sentence in find_sentences(type_document("Term    12 months\nNotice\n30 days").rows)
    }
    assert {"Term: 12 months", "Notice: 30 days"} <= texts


def test_the_cells_of_a_table_and_its_headings_are_no_labels_of_each_other() -> None:
    table = """
        Product        Unit     Billing      Min     Price
        Editor         user     per month    10      44.99
        Viewer         user     one time     50      41.39
    """
    texts = [sentence.text for sentence in find_sentences(type_document(table).rows)]
    assert [text for text in texts if ":" in text] == []


def test_labels_and_figures_by_turns_are_no_table() -> None:
    texts = {sentence.text for sentence in find_sentences(type_document("Term    12      Seats     50").rows)}
    assert {"Term: 12", "Seats: 50"} <= texts
