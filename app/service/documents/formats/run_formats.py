"""How a Word file formats its runs: by themselves, by their styles and by those of their paragraphs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from app.service.values.folding import raise_digits

if TYPE_CHECKING:
    from docx.document import Document
    from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_OFF = ("0", "false", "none", "off")
_MOST_STYLES = 12
"""Styles that are based on each other."""


class Styles:
    """The styles of a document by their names. What many runs share is looked up once, so that the time for a
    document grows with its size and no faster."""

    def __init__(self, document: "Document") -> None:
        self._styles = {one.get(f"{W}styleId", ""): one for one in document.styles.element.iter(f"{W}style")}
        self._of_style: dict[str, tuple[Formats, ...]] = {}
        self._of_paragraph: dict[_Element, tuple[Formats, ...]] = {}
        self.painted: dict[_Element, bool] = {}
        """Whether an element paints the paper behind the runs within it, as far as anybody asked."""

    def list_formats(self, run: "_Element") -> "tuple[Formats, ...]":
        """The formats of a run, the nearest first: its own, its style's and its paragraph's style's."""
        own = run.find(f"{W}rPr")
        paragraph = next(run.iterancestors(f"{W}p"), None)
        of_paragraph: tuple[Formats, ...] = ()
        if paragraph is not None:
            if paragraph not in self._of_paragraph:
                named = paragraph.find(f"{W}pPr/{W}pStyle")
                self._of_paragraph[paragraph] = self._list_style_formats(named)
            of_paragraph = self._of_paragraph[paragraph]
        if own is None:
            return of_paragraph
        return (Formats(own), *self._list_style_formats(own.find(f"{W}rStyle")), *of_paragraph)

    def list_bases(self, named: "_Element | None") -> "Iterator[_Element]":
        """The style that an element names and those that it is based on."""
        for _ in range(_MOST_STYLES):
            style = None if named is None else self._styles.get(named.get(f"{W}val", ""))
            if style is None:
                return
            yield style
            named = style.find(f"{W}basedOn")

    def _list_style_formats(self, named: "_Element | None") -> "tuple[Formats, ...]":
        if named is None:
            return ()
        name = named.get(f"{W}val", "")
        if name not in self._of_style:
            found = (style.find(f"{W}rPr") for style in self.list_bases(named))
            self._of_style[name] = tuple(Formats(one) for one in found if one is not None)
        return self._of_style[name]


class Formats:
    """The formats that one element lists: the value of each by its name."""

    def __init__(self, element: "_Element") -> None:
        self.element = element
        self.values: dict[str, str] = {}
        for one in element:
            self.values.setdefault(str(one.tag), one.get(f"{W}val", ""))


def list_runs(parts: "Iterable[_Element]") -> "list[_Element]":
    return [run for part in parts for run in part.iter(f"{W}r")]


def find_format(formats: "Iterable[Formats]", name: str) -> str | None:
    """The value by a name, which may be empty, in the nearest format that has it; None where none has."""
    return next((found for one in formats if (found := one.values.get(f"{W}{name}")) is not None), None)


def is_on(formats: "Iterable[Formats]", name: str) -> bool:
    return find_format(formats, name) not in (None, *_OFF)


def is_struck(formats: "Sequence[Formats]") -> bool:
    return is_on(formats, "strike") or is_on(formats, "dstrike")


def is_raised(formats: "Iterable[Formats]") -> bool:
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
