"""What the tables and metrics of a page show, which the test harness of Streamlit only knows as HTML."""

import re
from html import unescape
from html.parser import HTMLParser

from streamlit.testing.v1 import AppTest

ADDRESS = "(address)"
"""The key of the address that a row leads to."""

Row = dict[str, str]


class _TableReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self._column: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "td":
            self._column = attributes["data-label"] or ""
            if not self.rows or self._column in self.rows[-1]:
                self.rows.append({})
            self.rows[-1][self._column] = ""
        elif tag == "a":
            self.rows[-1][ADDRESS] = attributes["href"] or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "td":
            self._column = None

    def handle_data(self, data: str) -> None:
        if self._column is not None:
            self.rows[-1][self._column] += data


def read_record_tables(page: AppTest) -> list[list[Row]]:
    """The rows of each table, by column."""
    tables: list[list[Row]] = []
    for element in page.get("html"):
        body = str(element.proto.body)
        if 'class="parley-records ' in body:
            reader = _TableReader()
            reader.feed(body)
            tables.append(reader.rows)
    return tables


def read_column(page: AppTest, column: str) -> list[str]:
    """The cells of a column of the first table that has it."""
    table = next(rows for rows in read_record_tables(page) if column in rows[0])
    return [row[column] for row in table]


def read_metrics(page: AppTest) -> dict[str, str]:
    """The values of the rows of metrics, by name."""
    return {name: value for name, value, _ in _read_metrics(page)}


def read_notes(page: AppTest) -> list[str]:
    """The notes below the values of the rows of metrics."""
    return [note for _, _, note in _read_metrics(page) if note]


def _read_metrics(page: AppTest) -> list[tuple[str, str, str]]:
    bodies = "".join(str(element.proto.body) for element in page.get("html"))
    found = re.findall(r'<dt>(.*?)</dt><dd>(.*?)</dd>(?:<dd class="note">(.*?)</dd>)?', bodies)
    return [(unescape(name), unescape(value), unescape(note)) for name, value, note in found]


def read_headings(page: AppTest) -> list[str]:
    """The texts of the header of a page, its title first, and the headings of its parts."""
    bodies = (str(element.proto.body) for element in page.get("html"))
    drawn = "".join(body for body in bodies if 'class="parley-head' in body)
    found = re.findall(r"<(h1|h3|span|p)[^>]*>(.*?)</\1>", drawn)
    return [unescape(text) for _, text in found]
