"""The labelled sentences of all grammars, as they are trained with and as they are scored."""

import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.service.documents.fields.clause_features import (
    Features,
    describe_figure,
    describe_sentence,
    tokenize,
)
from app.service.documents.fields.clause_figures import ClauseFigure, clause_text, find_figures, find_paces
from app.service.documents.fields.clause_model import CLASSES
from tests.reader_training.clauses.figures import FigurePrinter
from tests.reader_training.clauses.grammar import (
    LANGUAGES,
    LabelledSentence,
    Line,
    count_sentences,
    grammar_of,
    read_grammar,
    write_sentences,
)

_LEAST, _MOST = 12, 50
"""How many sentences are written of a line: a line with more fragments gives more."""
_ALONE = 0.7
"""How many sentences stand alone; the others run into another one or carry a label that is not theirs."""
_LABELS = ("Terms:", "Notes:", "1.", "7. Miscellaneous:", "3.2", "Total:", "Comments -", "*", "(b)")

_BARE = 0.2
"""How many labels stand without a colon."""
_NOISE = 500
"""How many cells without a statement are written for each language."""
_SYLLABLES = (
    "bar", "del", "fen", "gal", "hol", "kas", "lor", "mon", "nor", "pel", "qui", "ran", "sel", "tor", "ul",
    "vax", "wen", "xan", "yar", "zel", "on", "ix", "en", "ta", "ro", "mi", "ka", "lu",
)  # fmt: skip


@dataclass(frozen=True)
class Example:
    """Features and the class that they are of; `head` is the name of the model in `CLASSES`."""

    head: str
    features: Features
    label: int
    text: str
    language: str


def write_all(
    languages: Sequence[str], fold: int | None = None, *, held_out: bool = False
) -> list[LabelledSentence]:
    """The sentences of these languages; with a `fold`, those without fragments held out, or those with.

    Each line has random numbers of its own, so that a new one leaves the sentences of the others as they are.
    """
    written: list[LabelledSentence] = []
    for language in languages:
        lines = read_grammar(language)
        chance = random.Random(language)
        own = [one for line in lines for one in _write_line(line, random.Random(line.text), fold, held_out)]
        written.extend(own if held_out else (_disturb(one, own, chance) for one in own))
        if not held_out:
            written.extend(_write_noise(language, lines, chance))
    return written


def _write_line(
    line: Line, chance: random.Random, fold: int | None, held_out: bool
) -> Iterator[LabelledSentence]:
    count = min(_MOST, max(_LEAST, count_sentences(line.pattern) // 3))
    return write_sentences(line, count if not held_out else count // 3, chance, fold, held_out=held_out)


def _without_colon(sentence: LabelledSentence) -> LabelledSentence:
    """The sentence with a space alone after its label."""
    at = sentence.text.index(": ")
    roles = {begin - (begin > at): role for begin, role in sentence.roles.items()}
    return replace(sentence, text=sentence.text[:at] + sentence.text[at + 1 :], roles=roles)


def _write_noise(language: str, lines: Sequence[Line], chance: random.Random) -> Iterator[LabelledSentence]:
    """Names, single words and figures beside each other, as cells of tables and addresses are: they state
    nothing."""
    words = sorted({word for line in lines for word in re.findall(r"[^\W\d_]{3,}", line.text)})
    silent = dict.fromkeys(lines[0].says, "none")
    printer = FigurePrinter(language, chance)
    for _ in range(_NOISE):
        parts = [_invent_name(chance) for _ in range(chance.randint(0, 2))]
        parts += [chance.choice(words) for _ in range(chance.choice((0, 0, 1, 1, 2)))]
        figures = chance.choice(
            ((), (), ("date",), ("date",), ("span",), ("number",), ("money",), ("percent",))
        )
        parts += [printer.print_figure(name, "") for name in figures]
        chance.shuffle(parts)
        if parts:
            yield LabelledSentence(language, chance.choice((" ", " ", ": ", ", ")).join(parts), says=silent)


def _invent_name(chance: random.Random) -> str:
    return "".join(chance.choice(_SYLLABLES) for _ in range(chance.randint(2, 4))).capitalize()


def _disturb(
    sentence: LabelledSentence, others: Sequence[LabelledSentence], chance: random.Random
) -> LabelledSentence:
    """The sentence as a layout may hand it on: below a label of its own or not, with a neighbour, cut off."""
    if ": " in sentence.text and chance.random() < _BARE:
        return _without_colon(sentence)
    form = chance.random()
    if form < _ALONE:
        return sentence
    if form < 0.8:
        blank = LabelledSentence(sentence.language, says=sentence.says)
        return replace(
            blank, text=chance.choice(_LABELS), says=dict.fromkeys(sentence.says, "none")
        ).followed_by(" ", sentence)
    if form < 0.92:
        bare = replace(sentence, text=sentence.text.rstrip("."))
        return bare.followed_by(chance.choice((". ", " ", "; ", ", ")), chance.choice(others))
    return replace(sentence, text=sentence.text.rstrip(".:").lower())


def list_examples(sentences: Sequence[LabelledSentence]) -> Iterator[Example]:
    """An example for each figure of each sentence and for what the sentence says without a figure.

    A sentence is left out where a figure of its grammar is not found: two dates that run into each other.
    """
    for sentence in sentences:
        text = clause_text(sentence.text)
        found = find_figures(text)
        tokens, places = tokenize(text, found)
        roles = dict(sentence.roles)
        if not all(any(one.start <= begin < one.end for one in found) for begin in roles):
            continue
        for figure, at in zip(found, places, strict=True):
            starts = [begin for begin in roles if figure.start <= begin < figure.end]
            role = roles.pop(starts[0]) if starts else "other"
            label = CLASSES["figure"].index(role)
            marked = f"{text[: figure.start]}<{text[figure.start : figure.end]}>{text[figure.end :]}"
            yield Example("figure", describe_figure(tokens, at), label, marked, sentence.language)
        if sentence.says["renewal"] == "renews":
            yield from _list_paces(sentence, text, found)
        features = describe_sentence(tokens)
        for head, classes in CLASSES.items():
            if head != "figure":
                yield Example(head, features, classes.index(sentence.says[head]), text, sentence.language)


def _list_paces(sentence: LabelledSentence, text: str, found: Sequence[ClauseFigure]) -> Iterator[Example]:
    """The years and months without a number of a sentence that renews: they are the term that follows, unless
    the sentence is about bills too."""
    paces = find_paces(text, found)
    every = sorted((*found, *paces), key=lambda one: one.start)
    tokens, places = tokenize(text, every)
    role = "renewal" if sentence.says["billing"] == "none" else "other"
    label = CLASSES["figure"].index(role)
    for figure, at in zip(every, places, strict=True):
        if figure.kind == "pace":
            yield Example("figure", describe_figure(tokens, at), label, text, sentence.language)


def digest() -> str:
    """A short hash of what the model is trained with: the grammars, and the features of a sentence of each
    line."""
    chance = random.Random(5)
    summary = hashlib.sha256()
    for language in LANGUAGES:
        summary.update(grammar_of(language).read_bytes())
        written = [one for line in read_grammar(language) for one in write_sentences(line, 1, chance)]
        for example in list_examples(written):
            summary.update(example.features.tobytes())
    return summary.hexdigest()[:16]
