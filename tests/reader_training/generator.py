"""Generates training documents: PDFs in many classes of layout, with their truth and the role of each figure.

Deterministic by class and seed. A figure without a label is `other`. Nothing is taken from any document:
names, words, prices and looks are put together at random, and the truth by what was drawn.
"""

from collections.abc import Callable, Mapping

from tests.reader_training.draft import Draft
from tests.reader_training.generated import GeneratedDocument
from tests.reader_training.layouts import cards, grids, letters, subscriptions

LAYOUTS: Mapping[str, Callable[[str, int], Draft]] = {
    program.__name__: program
    for program in (
        grids.ruled_grid,
        grids.open_table,
        grids.sums_in_table,
        grids.sections,
        cards.cards,
        letters.prose_letter,
        subscriptions.per_user_month,
    )
}
"""The program of each class of layout: from the name of the class and a seed to a drawn document."""

_LEFT_OUT = ("sections", "cards")


def split_layouts() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The classes to train with, and those left out of training to measure with."""
    return tuple(name for name in LAYOUTS if name not in _LEFT_OUT), _LEFT_OUT


def generate(layout: str, seed: int) -> GeneratedDocument:
    """The document of a class and a seed. Raises KeyError for a class that does not exist."""
    draft = LAYOUTS[layout](layout, seed)
    content = draft.finish()
    filename = f"{layout}-{seed}.pdf"
    truth = {
        "file": filename,
        "media": "pdf-text",
        "pages": draft.paper.page,
        "layout": layout,
        **draft.purchase.to_truth(),
    }
    return GeneratedDocument(layout, seed, filename, content, truth, tuple(draft.paper.labels))
