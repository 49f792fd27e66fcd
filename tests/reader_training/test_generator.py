"""Generated documents: their labels stand where the words are, and their truth adds up."""

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest

from app.service.documents.extraction import Box
from app.service.documents.formats.pdf import PDF
from app.service.documents.layout.pages import Page
from tests.reader_training.generated import GeneratedDocument, Label
from tests.reader_training.generator import LAYOUTS, generate, split_layouts


@pytest.mark.campaign
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_document_of_each_class_is_what_it_says(layout: str) -> None:
    _check(generate(layout, 0))


@pytest.mark.campaign
@pytest.mark.parametrize("layout", LAYOUTS)
def test_many_documents_of_each_class_are_what_they_say(layout: str) -> None:
    for seed in range(100, 130):
        _check(generate(layout, seed))


def _check(document: GeneratedDocument) -> None:
    _check_places(document)
    _check_labels(document)
    for truth in _truths(document):
        _check_sums(truth)


def _check_places(document: GeneratedDocument) -> None:
    pages = list(PDF.read_pages(document.content, 50))
    assert len(pages) == document.truth["pages"]
    text = "".join(word.text for page in pages for word in page.words)
    for truth in _truths(document):
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


def _check_labels(document: GeneratedDocument) -> None:
    """Every figure of a line and the total has its label."""
    roles = {(label.role, label.line) for label in document.labels}
    for number, line in enumerate(document.truth["line_items"]):
        assert ("item", number) in roles, (document.filename, line)
        printed = {role: line.get(f"{role}_printed", True) for role in ("quantity", "unit_price", "amount")}
        absent = [
            role
            for role, is_printed in printed.items()
            if is_printed and line[role] is not None and (role, number) not in roles
        ]
        assert not absent or line.get("included") or line.get("credit"), (document.filename, line, absent)
    if document.truth["total"] is not None:
        assert ("total", None) in roles, document.filename


def _check_sums(truth: Mapping[str, Any]) -> None:
    """The truth adds up."""
    step = Decimal(1) if truth["currency"] == "JPY" else Decimal("0.01")
    for line in truth["line_items"]:
        if None not in (line["quantity"], line["unit_price"], line["amount"]):
            exact = _money(line["quantity"]) * _money(line["unit_price"]) * _money(line["multiplier"])
            assert exact.quantize(step, ROUND_HALF_UP) == _money(line["amount"]), line
    if truth["total"] is None:
        return
    counted = sum(_money(line["amount"]) for line in truth["line_items"] if not line.get("optional"))
    within = _money(truth["tax_total"]) if truth["prices_include_tax"] else Decimal(0)
    net = counted - _money(truth["document_discount"]) - within
    assert net == _money(truth["net_total"]), truth
    assert _money(truth["net_total"]) + _money(truth["tax_total"]) == _money(truth["total"]), truth["file"]


def _truths(document: GeneratedDocument) -> Sequence[Mapping[str, Any]]:
    return document.truth.get("quotes", [document.truth])


def _money(value: object) -> Decimal:
    return Decimal(str(value or 0))


def test_a_document_is_the_same_each_time_and_another_for_another_seed() -> None:
    layout = next(iter(LAYOUTS))
    assert generate(layout, 7) == generate(layout, 7)
    assert generate(layout, 7).content != generate(layout, 8).content


def test_no_class_is_in_both_parts_of_the_split() -> None:
    training, left_out = split_layouts()
    assert sorted((*training, *left_out)) == sorted(LAYOUTS)
