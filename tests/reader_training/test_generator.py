"""Generated documents: their labels stand where the words are, and their truth adds up."""

from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest

from app.service.documents.extraction import Box
from app.service.documents.formats.pdf import PDF
from app.service.documents.layout.pages import Page
from tests.reader_training.generated import GeneratedDocument, Label
from tests.reader_training.generator import LAYOUTS, generate, split_layouts

_SEEDS = (0, 1)


@pytest.fixture(scope="module", params=LAYOUTS)
def documents(request: pytest.FixtureRequest) -> list[GeneratedDocument]:
    return [generate(request.param, seed) for seed in _SEEDS]


def test_labels_and_names_stand_where_the_page_reader_finds_their_words(
    documents: list[GeneratedDocument],
) -> None:
    _check_places(documents[0])


@pytest.mark.campaign
@pytest.mark.parametrize("layout", LAYOUTS)
def test_many_documents_of_each_class_are_what_they_say(layout: str) -> None:
    documents = [generate(layout, seed) for seed in range(100, 130)]
    for document in documents:
        _check_places(document)
    test_every_figure_of_a_line_and_the_total_has_its_label(documents)
    test_the_truth_adds_up(documents)


def _check_places(document: GeneratedDocument) -> None:
    pages = list(PDF.read_pages(document.content, 50))
    assert len(pages) == document.truth["pages"]
    text = "".join(word.text for page in pages for word in page.words)
    for truth in _truths([document]):
        for name in ("supplier", "buyer", "document_number", "purchase_order"):
            assert (truth[name] or "").replace(" ", "") in text, (document.filename, name)
    missing = [label for label in document.labels if not _stands(label, pages[label.page - 1])]
    assert not missing, (document.filename, missing[:3])


def _stands(label: Label, page: Page) -> bool:
    text = "".join(word.text for word in page.words if _touches(word.box, label.box))
    return label.text.replace(" ", "").replace("\xa0", "") in text.replace("\xa0", "")


def _touches(one: Box, other: Box) -> bool:
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    return across > 0.4 and abs(one.middle - other.middle) < 0.3 * other.height


def test_every_figure_of_a_line_and_the_total_has_its_label(documents: list[GeneratedDocument]) -> None:
    for document in documents:
        roles = {(label.role, label.line) for label in document.labels}
        for number, line in enumerate(document.truth["line_items"]):
            assert ("item", number) in roles, (document.filename, line)
            printed = {
                role: line.get(f"{role}_printed", True) for role in ("quantity", "unit_price", "amount")
            }
            absent = [
                role
                for role, is_printed in printed.items()
                if is_printed and line[role] is not None and (role, number) not in roles
            ]
            assert not absent or line.get("included") or line.get("credit"), (document.filename, line, absent)
        if document.truth["total"] is not None:
            assert ("total", None) in roles, document.filename


def test_the_truth_adds_up(documents: list[GeneratedDocument]) -> None:
    for truth in _truths(documents):
        step = Decimal(1) if truth["currency"] == "JPY" else Decimal("0.01")
        for line in truth["line_items"]:
            if None not in (line["quantity"], line["unit_price"], line["amount"]):
                exact = _money(line["quantity"]) * _money(line["unit_price"]) * _money(line["multiplier"])
                assert exact.quantize(step, ROUND_HALF_UP) == _money(line["amount"]), line
        if truth["total"] is None:
            continue
        counted = sum(_money(line["amount"]) for line in truth["line_items"] if not line.get("optional"))
        within = _money(truth["tax_total"]) if truth["prices_include_tax"] else Decimal(0)
        net = counted - _money(truth["document_discount"]) - within
        assert net == _money(truth["net_total"]), truth
        assert _money(truth["net_total"]) + _money(truth["tax_total"]) == _money(truth["total"]), truth[
            "file"
        ]


def _truths(documents: list[GeneratedDocument]) -> Iterator[Mapping[str, Any]]:
    for document in documents:
        yield from document.truth.get("quotes", [document.truth])


def _money(value: object) -> Decimal:
    return Decimal(str(value or 0))


def test_a_document_is_the_same_each_time_and_another_for_another_seed() -> None:
    layout = next(iter(LAYOUTS))
    assert generate(layout, 7) == generate(layout, 7)
    assert generate(layout, 7).content != generate(layout, 8).content


def test_no_class_is_in_both_parts_of_the_split() -> None:
    training, left_out = split_layouts()
    assert sorted((*training, *left_out)) == sorted(LAYOUTS)
