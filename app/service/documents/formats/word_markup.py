"""What Word wraps around paragraphs, runs, rows and cells: tracked changes, content controls and tags."""

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

from app.service.documents.formats.run_formats import W

if TYPE_CHECKING:
    from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

_GONE = (f"{W}del", f"{W}moveFrom")
_ADDED = (f"{W}ins", f"{W}moveTo")
_CELL_CHANGES = (f"{W}cellDel", f"{W}cellIns")
_WRAPPERS = tuple(
    f"{W}{name}" for name in ("sdt", "sdtContent", "smartTag", "customXml", "fldSimple", "bdo", "dir")
)


def accept_changes(parts: "Iterable[_Element]") -> bool:
    """Make text of what was inserted and remove what was deleted, and say whether there was any of them."""
    changed = False
    for part in parts:
        open_ended: list[_Element] = []
        for change in list(part.iter(*_GONE, *_ADDED, *_CELL_CHANGES)):
            changed = True
            if change.tag in _ADDED:
                _unwrap(change)
            elif (paragraph := _find_open_ended(change)) is not None:
                open_ended.append(paragraph)
            elif change.tag != f"{W}cellIns":
                around = change.getparent()
                marked = None
                if around is not None and around.tag in (f"{W}trPr", f"{W}tcPr"):
                    marked = around.getparent()
                _remove(change if marked is None else marked)
        _join_paragraphs(open_ended)
    return changed


def unwrap(parts: "Iterable[_Element]") -> None:
    """Put what stands in content controls, tags and simple fields in the place of those."""
    for part in parts:
        for wrapper in list(part.iter(*_WRAPPERS)):
            _unwrap(wrapper)


def _find_open_ended(change: "_Element") -> "_Element | None":
    """The paragraph whose end a change says is deleted."""
    around = list(islice(change.iterancestors(), 3))
    is_end = [one.tag for one in around] == [f"{W}rPr", f"{W}pPr", f"{W}p"]
    return around[-1] if is_end else None


def _join_paragraphs(open_ended: "Iterable[_Element]") -> None:
    """Join paragraphs whose end is deleted, in their order, to those that follow them."""
    joined: dict[_Element, _Element] = {}
    for paragraph in open_ended:
        first = joined.get(paragraph, paragraph)
        following = first.getnext()
        if following is not None and following.tag == f"{W}p":
            first.extend([child for child in following if child.tag != f"{W}pPr"])
            joined[following] = first
            _remove(following)


def _unwrap(wrapper: "_Element") -> None:
    for child in list(wrapper):
        wrapper.addprevious(child)
    _remove(wrapper)


def _remove(element: "_Element") -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)
