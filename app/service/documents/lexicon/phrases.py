"""Regular expressions made from the phrases of a lexicon."""

import re

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
