"""Regular expressions made from the phrases of a lexicon."""

import re
from collections.abc import Iterator
from itertools import product

LETTER = re.compile(r"[^\W\d_]")
"""Without one, a text holds no words: most cells of a long table are figures, and are told so at once."""

DIFFERENT_TEXTS = 2**16
"""How many of them keep their meaning in memory: a price list of 20,000 rows is looked at several times."""


def either(phrases: str) -> str:
    """A group of the phrases parted by ` | `; without any it matches nothing."""
    stripped = [phrase.strip() for phrase in phrases.split(" | ")]
    return f"(?:{'|'.join(one for one in stripped if one) or '(?!)'})"


def phrase(group: str) -> re.Pattern[str]:
    """A pattern that finds a group where it stands as words of its own (in folded text)."""
    return re.compile(rf"(?<![a-z0-9]){group}(?![a-z0-9])")


def whole_phrase(group: str) -> re.Pattern[str]:
    """A pattern for texts that are the group and nothing else."""
    return re.compile(rf"^{group}$")


def preceded_by(words: tuple[str, ...]) -> str:
    """The condition that one of the words stands before, with a space after it."""
    return f"(?:{'|'.join(f'(?<={word} )' for word in words)})"


_PIECE = re.compile(r"\(\?<?[!=]|\(\?:|\\[wd][*+]|\\.|\[[^\]]*\]|.")


def list_spellings(phrases: str) -> Iterator[str]:
    """Yield each text that phrases parted by ` | ` stand for, without the conditions on what is beside them;
    of a word that may end in any way (`\\w*`) its beginning."""
    for one in phrases.split(" | "):
        yield from _list_branches(iter(_PIECE.findall(one.strip())))


def _list_branches(pieces: Iterator[str]) -> list[str]:
    """Return the texts of a group up to the bracket that ends it."""
    branches: list[list[list[str]]] = [[]]
    for piece in pieces:
        if piece == ")":
            break
        if piece == "|":
            branches.append([])
        elif piece == "?":
            branches[-1][-1] = [*branches[-1][-1], ""]
        elif piece == "(?:":
            branches[-1].append(_list_branches(pieces))
        elif piece.startswith("(?"):
            _list_branches(pieces)
        elif piece[0] == "[":
            branches[-1].append(list(piece[1:-1]))
        elif piece[:2] not in (r"\w", r"\d"):
            branches[-1].append([piece[-1]])
    return ["".join(chosen) for branch in branches for chosen in product(*branch)]
