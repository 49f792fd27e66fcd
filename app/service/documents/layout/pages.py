"""Pages of words with their places, which every format is read into."""

from dataclasses import dataclass

from app.service.documents.extraction import Box, PageSize


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

    The words of a crooked page are levelled, and those of a turned one stand upright; `slope` (rise over run)
    and `turn` (quarters clockwise by which it was turned) lead back to where they are. Width and height are
    those of the upright page. One that `is_mirrored` is read from right to left.
    `omissions` are sentences about what of the page was left out, `remarks` about what of the file is hidden
    on the page, and so no part of it, and about how cells were read.
    """

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    scanned: bool = False
    slope: float = 0.0
    turn: int = 0
    is_mirrored: bool = False
    omissions: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def shown_size(self) -> PageSize:
        """The size of the page as it is shown."""
        width, height = (self.height, self.width) if self.turn % 2 else (self.width, self.height)
        return PageSize(width, height, self.number)

    def mirror(self, box: Box) -> Box:
        """Where a box is on the page and on its mirror image."""
        return Box(self.width - box.x1, box.top, self.width - box.x0, box.bottom)

    def find_shown_box(self, box: Box) -> Box:
        """Where a box of the levelled, upright page is on the page as it is shown."""
        box = self.mirror(box) if self.is_mirrored else box
        shift = self.slope * box.centre
        left, top, right, bottom = box.x0, box.top + shift, box.x1, box.bottom + shift
        if self.turn == 1:
            return Box(top, self.width - right, bottom, self.width - left)
        if self.turn == 2:
            return Box(self.width - right, self.height - bottom, self.width - left, self.height - top)
        if self.turn == 3:
            return Box(self.height - bottom, left, self.height - top, right)
        return Box(left, top, right, bottom)
