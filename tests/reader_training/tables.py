"""Tables of lines: rows of cells under headers, ruled, shaded or open, over as many pages as needed."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from app.service.documents.extraction import Box
from tests.reader_training.columns import Column
from tests.reader_training.draft import Draft
from tests.reader_training.paper import Align, Run, Text, text_width, wrap
from tests.reader_training.purchases import Line


@dataclass(frozen=True, slots=True)
class LineRow:
    """A line with its index in the truth."""

    number: int
    line: Line


@dataclass(frozen=True, slots=True)
class BandRow:
    """A heading across the table, or with `bold` False a remark."""

    text: str
    bold: bool = True


@dataclass(frozen=True, slots=True)
class SumRow:
    """A sum within the table, its figure below the amounts."""

    label: str
    figure: Text
    bold: bool = True


Row: TypeAlias = LineRow | BandRow | SumRow


@dataclass(frozen=True, slots=True)
class TableLook:
    """`head`: how the headers are set; `rules`: which lines are drawn; `pad`: around the text of a cell."""

    head: Literal["filled", "bold", "capitals", "plain", "dark", "none"]
    rules: Literal["none", "rows", "grid", "box", "head", "ends"]
    zebra: bool
    pad: float
    gap: float
    valign: Literal["top", "bottom"]
    head_align: Literal["column", "left", "centre"]
    repeat_head: bool
    bold_lines: bool


def choose_table_look(draft: Draft) -> TableLook:
    rng = draft.rng
    return TableLook(
        rng.choices(("filled", "bold", "capitals", "plain", "dark"), (4, 4, 2, 2, 3))[0],
        rng.choice(("none", "rows", "grid", "box", "head", "ends")),
        rng.random() < 0.2,
        rng.uniform(2, 6),
        rng.choice((1.0, 2.0, 4.0, 7.0, 10.0)),
        rng.choices(("top", "bottom"), (5, 1))[0],
        rng.choices(("column", "left", "centre"), (6, 1, 1))[0],
        rng.random() < 0.7,
        rng.random() < 0.15,
    )


def line_rows(lines: Sequence[Line], first: int = 0) -> list[Row]:
    """A row for each line; `first` is the index of the first one in the truth."""
    return [LineRow(first + number, line) for number, line in enumerate(lines)]


class Table:
    """Draws rows below what the draft wrote last; columns keep their places over all pages."""

    def __init__(
        self,
        draft: Draft,
        columns: Sequence[Column],
        rows: Sequence[Row],
        look: TableLook | None = None,
        *,
        groups: Sequence[tuple[str, int, int]] = (),
        carries: bool = False,
        left: float | None = None,
        right: float | None = None,
    ) -> None:
        self.draft, self.columns, self.rows = draft, columns, rows
        self.look = look or choose_table_look(draft)
        self.left = draft.left if left is None else left
        self.right = draft.right if right is None else right
        self.groups, self.carries = groups, carries
        self.size = draft.look.size
        self.step = self.size * draft.look.leading
        self._fit()

    def _fit(self) -> None:
        """Finds the widths; letters shrink where the words of a column would not fit otherwise."""
        while True:
            natural = [self._natural(column) for column in self.columns]
            fixed = sum(
                width for width, column in zip(natural, self.columns, strict=True) if not column.flexible
            )
            flexible = sum(column.flexible for column in self.columns)
            rest = (self.right - self.left - fixed) / max(1, flexible)
            if rest >= 15 * self.size * 0.62 or self.size < 4.5 or not flexible:
                break
            self.size *= 0.93
            self.step *= 0.93
        if not flexible:
            spare = max(0.0, rest) / len(self.columns)
            natural = [width + spare for width in natural]
        self.edges = [self.left]
        for width, column in zip(natural, self.columns, strict=True):
            self.edges.append(self.edges[-1] + (max(rest, 40) if column.flexible else width))

    def _natural(self, column: Column) -> float:
        font, bold = self.draft.look.font.regular, self.draft.look.font.bold
        texts = [
            "".join(run.text for run in self._runs(column, row))
            for row in self.rows
            if isinstance(row, LineRow)
        ]
        sums = [
            "".join(run.text for run in _as_runs(row.figure)) for row in self.rows if isinstance(row, SumRow)
        ]
        widest = max((text_width(text, bold, self.size) for text in texts), default=0)
        if column is self.columns[-1]:
            widest = max((widest, *(text_width(text, bold, self.size) for text in sums)))
        heads = max(text_width(self._head(word), bold, self.size) for word in column.header.split(" "))
        if text_width(self._head(column.header), bold, self.size) < widest * 1.35 or len(column.header) < 12:
            heads = max(heads, text_width(self._head(column.header), bold, self.size))
        widest += 2 * text_width(column.lead, bold, self.size)
        return max(widest, heads, text_width("00", font, self.size)) + 2 * self.look.pad + 1

    def _head(self, text: str) -> str:
        return text.upper() if self.look.head == "capitals" else text

    def _runs(self, column: Column, row: LineRow) -> list[Run]:
        return _as_runs(column.cell(row.number, row.line))

    def draw(self) -> None:
        draft = self.draft
        draft.ensure(5 * self.step)
        draft.y += self.look.gap + 3
        self._top = draft.y
        self._draw_head()
        for order, row in enumerate(self.rows):
            height = self._height(row)
            # Room for the row itself, else it goes on with the headers on the next page.
            if draft.y + height + (self.step * 1.5 if self.carries else 0) > draft.bottom:
                self._break_page(self.rows[:order])
            self._draw_row(row, order, height)
        self._close()

    def _break_page(self, rows: Sequence[Row]) -> None:
        """Goes on with the next page; where the sum is carried it is written before and after."""
        carried: SumRow | None = None
        if self.carries:
            amounts = (row.line.amount for row in rows if isinstance(row, LineRow) and row.line.amount)
            figure = [Run(self.draft.money(sum(amounts, Decimal(0))), "subtotal")]
            carried = SumRow(self.draft.words.label("carried"), figure, bold=False)
            self._draw_row(carried, 0, self.step)
        self._close()
        self.draft.new_page()
        self.draft.y += 4
        self._top = self.draft.y
        if self.look.repeat_head:
            self._draw_head()
        if carried:
            self._draw_row(carried, 0, self.step)

    def _close(self) -> None:
        look, paper, ink = self.look, self.draft.paper, self.draft.look.accent
        if look.rules in ("box", "grid"):
            paper.frame(Box(self.left, self._top, self.right_edge, self.draft.y), stroke=ink)
        if look.rules == "grid":
            for edge in self.edges[1:-1]:
                paper.rule(edge, self._top, edge, self.draft.y, colour=ink)
        if look.rules == "ends":
            paper.rule(self.left, self.draft.y, self.right_edge, self.draft.y, 1.0, ink)

    @property
    def right_edge(self) -> float:
        return self.edges[-1]

    def _draw_head(self) -> None:
        look, draft = self.look, self.draft
        if look.head == "none":
            return
        bold = draft.look.font.bold if look.head != "plain" else draft.look.font.regular
        cells = [
            wrap(self._head(column.header), bold, self.size, self._inner(index))
            for index, column in enumerate(self.columns)
        ]
        height = max(map(len, cells)) * self.step + 4
        if self.groups:
            self._draw_groups()
        fill = {"filled": draft.look.shade, "dark": draft.look.accent}.get(look.head)
        if fill:
            draft.paper.frame(Box(self.left, draft.y, self.right_edge, draft.y + height), fill=fill)
        colour = "#ffffff" if look.head == "dark" else None
        for index, (column, lines) in enumerate(zip(self.columns, cells, strict=True)):
            align = column.align if look.head_align == "column" else look.head_align
            if index == len(self.columns) - 1 and column.align == "right":
                align = "right"
            top = draft.y
            for line in lines:
                top += self.step
                self._write(index, top, line, align, bold=look.head != "plain", colour=colour)
        draft.y += height
        if look.rules in ("head", "rows", "grid", "ends"):
            draft.paper.rule(self.left, draft.y, self.right_edge, draft.y, 0.9, draft.look.accent)

    def _draw_groups(self) -> None:
        """A row of headings above the headers, each over the columns from its first to its last."""
        draft = self.draft
        ruled = draft.decide("ruled groups", (True, False))
        for text, first, last in self.groups:
            left, right = self.edges[first], self.edges[last + 1]
            y = draft.y + self.step
            draft.write((left + right) / 2, y, text, bold=True, size=self.size, align="centre")
            if ruled:
                draft.paper.rule(left + 3, y + 3, right - 3, y + 3, 0.5, draft.look.accent)
        draft.y += self.step + 3

    def _inner(self, index: int) -> float:
        return self.edges[index + 1] - self.edges[index] - 2 * self.look.pad + 0.5

    def _write(
        self,
        index: int,
        y: float,
        text: Text,
        align: Align,
        *,
        bold: bool = False,
        colour: str | None = None,
        size: float | None = None,
    ) -> None:
        left, right, pad = self.edges[index], self.edges[index + 1], self.look.pad
        x = {"left": left + pad, "right": right - pad, "centre": (left + right) / 2}[align]
        self.draft.write(x, y, text, bold=bold, size=size or self.size, align=align, colour=colour)

    def _cell_lines(self, index: int, row: LineRow) -> list[list[Run]]:
        bold = self._is_bold(index)
        font = self.draft.look.font.bold if bold else self.draft.look.font.regular
        column = self.columns[index]
        runs = self._runs(column, row)
        return wrap(runs, font, self.size, self._inner(index)) if column.flexible else [runs]

    def _is_bold(self, index: int) -> bool:
        return self.look.bold_lines and self.columns[index].flexible

    def _detail_lines(self, row: LineRow) -> list[list[Run]]:
        flexible = [index for index, column in enumerate(self.columns) if column.flexible]
        if not row.line.detail or not flexible:
            return []
        font = self.draft.look.font.regular
        return wrap(row.line.detail, font, self.size * 0.88, self._inner(flexible[0]))

    def _height(self, row: Row) -> float:
        if not isinstance(row, LineRow):
            return self.step + self.look.gap
        cells = max(len(self._cell_lines(index, row)) for index in range(len(self.columns)))
        return (cells + 0.9 * len(self._detail_lines(row))) * self.step + self.look.gap + 2

    def _draw_row(self, row: Row, order: int, height: float) -> None:
        draft, look = self.draft, self.look
        box = Box(self.left, draft.y, self.right_edge, draft.y + height)
        if isinstance(row, BandRow):
            draft.write(self.left + look.pad, draft.y + self.step, row.text, bold=row.bold, size=self.size)
        elif isinstance(row, SumRow):
            amount = max(index for index, column in enumerate(self.columns) if column.key == "amount")
            edge = self.edges[amount] - look.pad
            beside = text_width(row.label, draft.look.font.bold, self.size) < edge - self.left
            x, align = (edge, "right") if beside and draft.chance(0.6) else (self.left + look.pad, "left")
            draft.write(x, draft.y + self.step, row.label, bold=row.bold, size=self.size, align=align)
            self._write(amount, draft.y + self.step, row.figure, self.columns[amount].align, bold=row.bold)
        else:
            if look.zebra and order % 2:
                draft.paper.frame(box, fill=draft.look.shade)
            self._draw_line(row, height)
        draft.y += height
        if look.rules in ("rows", "grid"):
            draft.paper.rule(self.left, draft.y, self.right_edge, draft.y, 0.4, draft.look.accent)

    def _draw_line(self, row: LineRow, height: float) -> None:
        draft, look = self.draft, self.look
        for index, column in enumerate(self.columns):
            lines = self._cell_lines(index, row)
            y = draft.y + 1
            if look.valign == "bottom" and not column.flexible:
                y = draft.y + height - look.gap - len(lines) * self.step - 1
            if column.lead and any(letter.isdigit() for run in lines[0] for letter in run.text):
                self._write(index, y + self.step, column.lead, "left")
            for line in lines:
                y += self.step
                self._write(index, y, line, column.align, bold=self._is_bold(index))
            if column.flexible:
                for line in self._detail_lines(row):
                    y += self.step * 0.9
                    self._write(index, y, line, column.align, size=self.size * 0.88, colour="#444444")


def _as_runs(text: Text) -> list[Run]:
    return [Run(text)] if isinstance(text, str) else list(text)
