"""What Word wraps around paragraphs, runs, rows and cells: tracked changes, content controls and tags."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_GONE = (f"{_W}del", f"{_W}moveFrom")
_ADDED = (f"{_W}ins", f"{_W}moveTo")
_CELL_CHANGES = (f"{_W}cellDel", f"{_W}cellIns")
_WRAPPERS = tuple(
    f"{_W}{name}" for name in ("sdt", "sdtContent", "smartTag", "customXml", "fldSimple", "bdo", "dir")
)


def accept_changes(parts: "Iterable[_Element]") -> bool:
    """Make text of what was inserted and remove what was deleted, and say whether there was any of them."""
    changed = False
    for part in parts:
        changes = list(part.iter(*_GONE, *_ADDED, *_CELL_CHANGES))
        changed |= bool(changes)
        # From the last to the first: a paragraph is joined to one that its own following was joined to.
        for change in reversed(changes):
            if change.tag in _ADDED:
                _unwrap(change)
            elif change.tag != f"{_W}cellIns":
                _remove_deleted(change)
    return changed


def unwrap(parts: "Iterable[_Element]") -> None:
    """Put what stands in content controls, tags and simple fields in the place of those."""
    for part in parts:
        for wrapper in list(part.iter(*_WRAPPERS)):
            _unwrap(wrapper)


def _remove_deleted(change: "_Element") -> None:
    """Remove what a change says is deleted: the text in it, or the row, cell or end of paragraph that it
    marks."""
    around = change.getparent()
    if around is None:
        return
    if around.tag == f"{_W}rPr":
        of_paragraph = next(around.iterancestors(f"{_W}pPr"), None)
        _remove(change)
        if of_paragraph is not None:
            _join_following(of_paragraph.getparent())
    elif around.tag in (f"{_W}trPr", f"{_W}tcPr"):
        marked = around.getparent()
        _remove(change if marked is None else marked)
    else:
        _remove(change)


def _join_following(paragraph: "_Element | None") -> None:
    following = None if paragraph is None else paragraph.getnext()
    if paragraph is not None and following is not None and following.tag == f"{_W}p":
        paragraph.extend([child for child in following if child.tag != f"{_W}pPr"])
        _remove(following)


def _unwrap(wrapper: "_Element") -> None:
    for child in list(wrapper):
        wrapper.addprevious(child)
    _remove(wrapper)


def _remove(element: "_Element") -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)
