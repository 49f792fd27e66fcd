"""The parts of bundles: lines whose price stands in another line."""

from collections.abc import Sequence
from dataclasses import replace

from app.service.documents.extraction import LineItem
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import phrase
from app.service.values.folding import fold

_BUNDLE = phrase(WORDS.lines.bundle)


def join_parts(items: Sequence[LineItem]) -> list[LineItem]:
    """The lines, of which those that cost nothing below a bundle, one price for several things, are its
    parts."""
    bundle: LineItem | None = None
    whole: list[LineItem] = []
    for item in items:
        if item.amount and not item.optional:
            bundle = item if _BUNDLE.search(fold(item.description or "")) else None
        is_part = bundle is not None and item.amount == 0
        whole.append(replace(item, part_of=bundle.description, optional=True) if is_part else item)
    return whole
