"""The words that a line of the learned reader is called by."""

from collections import Counter
from collections.abc import Sequence

from app.service.documents.layout.rows import Row
from app.service.documents.learned.printed_figures import PrintedFigure
from app.service.documents.lexicon.letters import is_of_letter, strip_letter_words

_FEWEST_LETTERS = 3
_ROWS_ABOVE = 3


def find_name(rows: Sequence[Row], anchor: PrintedFigure) -> str | None:
    """The words with most letters in the row, else in the nearest of the two rows above."""
    for number in range(anchor.row, max(-1, anchor.row - _ROWS_ABOVE), -1):
        if rows[number].page != anchor.page or (number < anchor.row and is_of_letter(rows[number].text)):
            break
        texts = [
            cell.text for cell in rows[number].cells() if not cell.is_figure and not cell.text.endswith(":")
        ]
        best = strip_letter_words(max(texts, key=_count_letters, default=""))
        if _count_letters(best) >= _FEWEST_LETTERS:
            return best.rstrip(" ._")
    return None


def replace_labels(
    rows: Sequence[Row], names: Sequence[str | None], figures: Sequence[Sequence[PrintedFigure]]
) -> list[str | None]:
    """The names of the lines; where several are the same label beside figures of theirs, as on cards, the
    words above. `figures` are those of each line, its amount last."""
    counts = Counter(_letters(name) for name in names)
    return [
        _find_above(rows, own) or name if counts[_letters(name)] > 1 and _is_labelled(own) else name
        for name, own in zip(names, figures, strict=True)
    ]


def _is_labelled(own: Sequence[PrintedFigure]) -> bool:
    """Whether the figures stand in several rows, or in a cell with words."""
    return len({one.row for one in own}) > 1 or any(not one.holder.is_figure for one in own)


def _find_above(rows: Sequence[Row], own: Sequence[PrintedFigure]) -> str | None:
    """The words in the nearest row above that begin farthest right of those that begin left of the amount's
    end."""
    top, right = min(one.row for one in own), own[-1].box.x1
    for number in range(top - 1, max(-1, top - 1 - _ROWS_ABOVE), -1):
        if rows[number].page != own[0].page or is_of_letter(rows[number].text):
            break
        begun = [cell for cell in rows[number].cells() if cell.box.x0 <= right]
        if begun and not begun[-1].is_figure and _count_letters(begun[-1].text) >= _FEWEST_LETTERS:
            return strip_letter_words(begun[-1].text).rstrip(" ._")
    return None


def _count_letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def _letters(name: str | None) -> str:
    return "".join(filter(str.isalpha, name or ""))
