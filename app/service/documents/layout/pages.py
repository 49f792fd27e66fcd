"""Pages of words with their places, which every format is read into."""

from dataclasses import dataclass

from app.service.documents.extraction import Box


@dataclass(frozen=True, slots=True)
class Word:
    """A run of characters without a space. `size` is its letter height in the unit of the box.

    `cell` names the table cell of an office document, whose words must never be torn apart or merged
    with a neighbour's; None where cells have to be found by geometry.
    """

    text: str
    box: Box
    size: float
    bold: bool = False
    confidence: float = 1.0
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page; `number` counts from 1. `scanned` says that the words come from character recognition.

    The words of a crooked page are levelled; `slope` (rise over run) leads back to where they stand.
    `omissions` are sentences about what of the page was left out, `remarks` about what of the file is hidden
    on the page, and so no part of it.
    """

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    scanned: bool = False
    slope: float = 0.0
    omissions: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
