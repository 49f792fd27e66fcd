"""Printed figures of training documents with their true roles."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.service.documents.extraction import Box
from app.service.documents.formats.format import MOST_PAGES, DataFormat
from app.service.documents.formats.registry import open_document
from app.service.documents.layout.document import Document, lay_out
from app.service.documents.learned.features import FigureFeatures
from app.service.documents.learned.printed_figures import PrintedFigure
from app.service.documents.learned.roles import ROLES
from tests.reader_training.generated import GeneratedDocument, Label

OTHER = ROLES.index("other")


@dataclass(frozen=True)
class Example:
    """The figures of one document; `roles[i]` is the index in `ROLES` of what figure i is."""

    layout: str
    document: Document
    features: FigureFeatures
    roles: NDArray[np.int64]


def lay_out_file(content: bytes, filename: str) -> Document:
    """The document as the readers see it, without what is embedded in it."""
    opened = open_document(content, filename)
    if isinstance(opened.format, DataFormat):
        raise TypeError(f"{filename} has no pages.")
    return lay_out(opened.format.read_pages(opened.content, MOST_PAGES))


def label_document(generated: GeneratedDocument) -> Example:
    """The figures of a generated document, each with the role of the label that it stands in."""
    document = lay_out_file(generated.content, generated.filename)
    features = FigureFeatures(document)
    roles = _find_roles(features.figures, generated.labels)
    return Example(generated.layout, document, features, np.array(roles, dtype=np.int64))


def _find_roles(figures: Sequence[PrintedFigure], labels: Iterable[Label]) -> list[int]:
    by_page: dict[int, list[Label]] = {}
    for label in labels:
        if label.role != "item":
            by_page.setdefault(label.page, []).append(label)
    return [_find_role(one, by_page.get(one.page, ())) for one in figures]


def _find_role(one: PrintedFigure, labels: Sequence[Label]) -> int:
    """The role of the smallest label around the middle of a figure, whose text holds its digits."""
    printed = one.holder.text[one.figure.start : one.figure.end]
    digits = _digits_of(printed)
    fitting = [label for label in labels if _holds(label.box, one.box) and digits in _digits_of(label.text)]
    best = min(fitting, key=lambda label: label.box.width * label.box.height, default=None)
    return OTHER if best is None or best.role == "item" else ROLES.index(best.role)


def _holds(outer: Box, inner: Box) -> bool:
    slack = 2.0
    return (
        outer.x0 - slack <= inner.centre <= outer.x1 + slack
        and outer.top - slack <= inner.middle <= outer.bottom + slack
    )


def _digits_of(text: str) -> str:
    return "".join(letter for letter in text if letter.isdigit())
