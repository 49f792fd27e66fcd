"""Sentences from a grammar of fragments, each with the clauses that its figures state."""

import random
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from app.service.documents.fields.clause_model import CLASSES
from tests.reader_training.clauses.figures import FigurePrinter

LANGUAGES = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.txt")))
_HELD_OUT = 5
"""One of so many fragments of a group, and of lines, is held out of training in each fold."""

Choice: TypeAlias = tuple["Pattern", ...]
Pattern: TypeAlias = tuple["str | Slot | Choice", ...]


@dataclass(frozen=True)
class Slot:
    """The place of a figure: the clause that it states, and letters that restrict its unit."""

    name: str
    units: str


@dataclass(frozen=True)
class Line:
    """A line of a grammar, and what its sentences say of renewal, billing and payment."""

    language: str
    text: str
    pattern: Pattern
    says: Mapping[str, str]


@dataclass
class LabelledSentence:
    """A sentence and the clause of each of its figures, by the offset at which it begins."""

    language: str
    text: str = ""
    roles: dict[int, str] = field(default_factory=dict[int, str])
    says: Mapping[str, str] = field(default_factory=dict[str, str])
    held_out: bool = False
    """Whether a fragment of it is held out of training."""

    def followed_by(self, gap: str, other: "LabelledSentence") -> "LabelledSentence":
        """Both sentences as one, as where the end of a sentence is not found."""
        shift = len(self.text) + len(gap)
        roles = {**self.roles, **{at + shift: role for at, role in other.roles.items()}}
        says = {name: said if (said := self.says[name]) != "none" else other.says[name] for name in self.says}
        return replace(self, text=self.text + gap + other.text, roles=roles, says=says)


def grammar_of(language: str) -> Path:
    """The file with the grammar of a language."""
    return Path(__file__).with_name(f"{language}.txt")


def read_grammar(language: str) -> list[Line]:
    """The lines of the grammar of a language."""
    lines: list[Line] = []
    says: dict[str, str] = {}
    for text in grammar_of(language).read_text().splitlines():
        if text.startswith("="):
            says = _read_heading(text[1:])
        elif text.strip() and not text.startswith("#"):
            text = text.strip().replace("ß", "ss")
            lines.append(Line(language, text, _parse(text), says))
    return lines


def _read_heading(heading: str) -> dict[str, str]:
    says = {name: "none" for name in CLASSES if name != "figure"}
    for word in filter(None, map(str.strip, heading.split(","))):
        [name] = [name for name in says if word in CLASSES[name]]
        says[name] = word
    return says


def _parse(text: str) -> Pattern:
    tokens = re.findall(r"[\[\]|]|\{[^}]*\}|[^\[\]|{}]+", text)
    pattern, rest = _parse_pattern(tokens, 0)
    if rest != len(tokens):
        raise ValueError(f"The brackets of this line do not match: {text}")
    return pattern


def _parse_pattern(tokens: Sequence[str], at: int) -> tuple[Pattern, int]:
    parts: list[str | Slot | Choice] = []
    while at < len(tokens) and tokens[at] not in "|]":
        if tokens[at] == "[":
            choice: list[Pattern] = []
            while tokens[at] != "]":
                one, at = _parse_pattern(tokens, at + 1)
                choice.append(one)
            parts.append(tuple(choice))
        elif tokens[at].startswith("{"):
            name = re.split("[:#]", tokens[at][1:-1])[0]
            units = tokens[at][1 + len(name) : -1].lstrip(":")
            parts.append(Slot(name, units))
        else:
            parts.append(tokens[at])
        at += 1
    return tuple(parts), at


def count_sentences(pattern: Pattern) -> int:
    """How many sentences a pattern makes, figures apart."""
    count = 1
    for part in pattern:
        if isinstance(part, tuple):
            count *= sum(count_sentences(one) for one in part)
    return count


def write_sentences(
    line: Line, count: int, chance: random.Random, fold: int | None = None, *, held_out: bool = False
) -> Iterator[LabelledSentence]:
    """Up to `count` different sentences of a line.

    With a `fold`, fragments are held out: none of them is in a sentence, or with `held_out` at least one.
    """
    if fold is not None and _is_held_out(line.text, fold):
        if not held_out:
            return
        fold = None
    written: set[str] = set()
    for _ in range(3 * count):
        sentence = LabelledSentence(line.language, says=line.says, held_out=held_out and fold is None)
        parts: list[str] = []
        _write(line.pattern, sentence, parts, chance, fold, held_out)
        skeleton = "".join(parts)
        if skeleton not in written and sentence.held_out == held_out:
            written.add(skeleton)
            yield sentence
        if len(written) == count:
            return


def _is_held_out(fragment: str, fold: int) -> bool:
    return zlib.crc32(f"{fragment}".encode()) % _HELD_OUT == fold


def _write(
    pattern: Pattern,
    sentence: LabelledSentence,
    parts: list[str],
    chance: random.Random,
    fold: int | None,
    held_out: bool,
) -> None:
    """Adds the text of a pattern to a sentence; `parts` are its fragments, by which equal ones are known."""
    for part in pattern:
        if isinstance(part, Slot):
            text = FigurePrinter(sentence.language, chance).print_figure(part.name, part.units)
            if part.name in CLASSES["figure"]:
                sentence.roles[len(sentence.text)] = part.name
            parts.append(part.name)
        elif isinstance(part, str):
            text = part
            parts.append(part)
        else:
            chosen = _choose(part, sentence, chance, fold, held_out)
            _write(chosen, sentence, parts, chance, fold, held_out)
            continue
        sentence.text += text


def _choose(
    choice: Choice, sentence: LabelledSentence, chance: random.Random, fold: int | None, held_out: bool
) -> Pattern:
    if fold is None or len(choice) < 3:
        return chance.choice(choice)
    kept = [one for one in choice if not _is_held_out(repr(one), fold)]
    left_out = [one for one in choice if one not in kept]
    if held_out and left_out and chance.random() < 0.5:
        sentence.held_out = True
        return chance.choice(left_out)
    return chance.choice(kept or choice)
