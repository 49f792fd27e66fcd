"""Pages of words with their places, which every format is read into."""

from dataclasses import dataclass

from app.service.documents.extraction import Box, PageSize

COLUMN_WIDTH = 400.0
_MOST_SHOWN = 4200.0


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
    those of the upright page. One that `is_mirrored` is read from right to left. Cells of a file without
    pages are laid out for reading in columns of `COLUMN_WIDTH`; `columns` are where these begin as they are
    shown, and where all of them end.
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
    columns: tuple[float, ...] = ()

    @property
    def shown_size(self) -> PageSize:
        """The size of the page as it is shown: of cells that were laid out, the first of very many rows."""
        if self.columns:
            return PageSize(self.columns[-1], min(self.height, _MOST_SHOWN), self.number)
        width, height = (self.height, self.width) if self.turn % 2 else (self.width, self.height)
        return PageSize(width, height, self.number)

    def mirror(self, box: Box) -> Box:
        """Where a box is on the page and on its mirror image."""
        return Box(self.width - box.x1, box.top, self.width - box.x0, box.bottom)

    def find_shown_box(self, box: Box) -> Box:
        """Where a box of the levelled, upright page is on the page as it is shown."""
        box = self.mirror(box) if self.is_mirrored else box
        if self.columns:
            return Box(self._shift(box.x0), box.top, self._shift(box.x1), box.bottom)
        shift = self.slope * box.centre
        left, top, right, bottom = box.x0, box.top + shift, box.x1, box.bottom + shift
        if self.turn == 1:
            return Box(top, self.width - right, bottom, self.width - left)
        if self.turn == 2:
            return Box(self.width - right, self.height - bottom, self.width - left, self.height - top)
        if self.turn == 3:
            return Box(self.height - bottom, left, self.height - top, right)
        return Box(left, top, right, bottom)

    def _shift(self, x: float) -> float:
        """Where a place in a column is as it is shown."""
        column = min(int(x // COLUMN_WIDTH), len(self.columns) - 2)
        return self.columns[column] + x - column * COLUMN_WIDTH
