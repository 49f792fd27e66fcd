"""What the table of quotes on a page shows, which the test harness of Streamlit only knows as HTML."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from streamlit.testing.v1 import AppTest


@dataclass
class ShownCell:
    """A cell: its class, the texts in it, and the notes that a hover shows."""

    kind: str
    texts: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])


class _TableReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[ShownCell]] = []
        self.tags: set[str] = set()
        self._in_notes = False
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._in_style = self._in_style or tag == "style"
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append(ShownCell(dict(attrs).get("class") or ""))
        elif tag == "ul":
            self._in_notes = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "ul":
            self._in_notes = False
        if tag == "style":
            self._in_style = False

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1] and not self._in_style:
            cell = self.rows[-1][-1]
            (cell.notes if self._in_notes else cell.texts).append(data)


@dataclass(frozen=True)
class ShownTable:
    """The cells by the name of the row and of the supplier, and every tag that the markup has."""

    cells: dict[tuple[str, str], ShownCell]
    suppliers: list[str]
    lines: list[str]
    tags: set[str]


def read_quote_table(page: AppTest) -> ShownTable:
    """The table of quotes on the page."""
    bodies = (str(element.proto.body) for element in page.get("html"))
    body = next(one for one in bodies if 'class="parley-quotes"' in one)
    reader = _TableReader()
    reader.feed(body)
    head, *rows = reader.rows
    suppliers = [cell.texts[0] for cell in head[1:]]
    cells = {("", name): cell for name, cell in zip(suppliers, head[1:], strict=True)}
    for title, *others in rows:
        cells |= {(title.texts[0], name): cell for name, cell in zip(suppliers, others, strict=True)}
    return ShownTable(cells, suppliers, [row[0].texts[0] for row in rows], reader.tags)
