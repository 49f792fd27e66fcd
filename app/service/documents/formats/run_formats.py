"""How a Word file formats its runs: by themselves, by their styles and by those of their paragraphs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from app.service.values.raised_digits import raise_digits

if TYPE_CHECKING:
    from docx.document import Document
    from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_OFF = ("0", "false", "none", "off")
_MOST_STYLES = 12
"""Styles that are based on each other."""


class Styles:
    """The styles of a document by their names."""

    def __init__(self, document: "Document") -> None:
        self._styles = {one.get(f"{W}styleId", ""): one for one in document.styles.element.iter(f"{W}style")}

    def list_formats(self, run: "_Element") -> "list[_Element]":
        """The formats of a run, the nearest first: its own, its style's and its paragraph's style's."""
        own = run.find(f"{W}rPr")
        paragraph = next(run.iterancestors(f"{W}p"), None)
        of_run = None if own is None else own.find(f"{W}rStyle")
        of_paragraph = None if paragraph is None else paragraph.find(f"{W}pPr/{W}pStyle")
        styles = (*self.list_bases(of_run), *self.list_bases(of_paragraph))
        formats = (own, *(style.find(f"{W}rPr") for style in styles))
        return [one for one in formats if one is not None]

    def list_bases(self, named: "_Element | None") -> "Iterator[_Element]":
        """The style that an element names and those that it is based on."""
        for _ in range(_MOST_STYLES):
            style = None if named is None else self._styles.get(named.get(f"{W}val", ""))
            if style is None:
                return
            yield style
            named = style.find(f"{W}basedOn")


def list_runs(parts: "Iterable[_Element]") -> "list[_Element]":
    return [run for part in parts for run in part.iter(f"{W}r")]


def find_format(formats: "Sequence[_Element]", name: str) -> str | None:
    """The value by a name, which may be empty, in the nearest format that has it; None where none has."""
    found = next((found for one in formats if (found := one.find(f"{W}{name}")) is not None), None)
    return None if found is None else found.get(f"{W}val", "")


def is_on(formats: "Sequence[_Element]", name: str) -> bool:
    return find_format(formats, name) not in (None, *_OFF)


def is_struck(formats: "Sequence[_Element]") -> bool:
    return is_on(formats, "strike") or is_on(formats, "dstrike")


def is_raised(formats: "Sequence[_Element]") -> bool:
    return find_format(formats, "vertAlign") == "superscript"


def raise_run(run: "_Element") -> None:
    """Print the digits of a run as raised ones."""
    for text in run.iter(f"{W}t"):
        text.text = raise_digits(text.text or "")


def remove_runs(runs: "Iterable[_Element]") -> bool:
    """Remove these runs, and say whether any had text."""
    found = False
    for run in runs:
        found |= any((text.text or "").strip() for text in run.iter(f"{W}t"))
        parent = run.getparent()
        if parent is not None:
            parent.remove(run)
    return found
