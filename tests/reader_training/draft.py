"""A document while it is drawn: its random numbers, words, looks, paper and purchase."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import TypeVar

from tests.reader_training.names import company_name
from tests.reader_training.notation import Notation, choose_notation
from tests.reader_training.paper import Align, Font, Paper, Text, choose_font, text_width, wrap
from tests.reader_training.purchases import Purchase
from tests.reader_training.wording import LANGUAGES, Wording

Answer = TypeVar("Answer")
_WEIGHTS = {
    "en": 12,
    "de": 4,
    "fr": 3,
    "es": 3,
    "nl": 3,
    "it": 3,
    "pt": 2,
    "pl": 1,
    "sv": 1,
    "da": 1,
}
A4, LETTER, LEGAL = (595.28, 841.89), (612.0, 792.0), (612.0, 1008.0)
_INKS = ("#000000", "#000000", "#1a1a1a", "#222233", "#333333")
_ACCENTS = ("#1f3a5f", "#7a1f1f", "#2f5d3a", "#444444", "#5b3a7a", "#8a5a00", "#000000")
_SHADES = ("#f2f2f2", "#e6ecf3", "#f3efe6", "#e9f3ea", "#eeeeee", "#dde3ea")


@dataclass(frozen=True, slots=True)
class Look:
    """Fonts and colours of a document; `leading` is the distance of lines in letter sizes."""

    font: Font
    size: float
    leading: float
    ink: str
    accent: str
    shade: str
    margin: float
    bold_names: bool


class Draft:
    """`y` is the baseline of what was written last, from the top of the page."""

    def __init__(
        self,
        layout: str,
        seed: int,
        kind: str,
        *,
        landscape: bool = False,
        turned: bool = False,
        size: tuple[float, float] | None = None,
        language: str | None = None,
    ) -> None:
        self.rng = rng = random.Random(f"{layout}/{seed}")
        codes = [code for code in _WEIGHTS if code in LANGUAGES]
        language = language or rng.choices(codes, [_WEIGHTS[code] for code in codes])[0]
        self.words = Wording(language, rng)
        self.notation: Notation = choose_notation(rng, language)
        currency = self.notation.currency
        american = currency in ("USD", "CAD") and language == "en"
        self.words.american = american
        width, height = size or (LETTER if american else A4)
        if landscape:
            width, height = height, width
        self.look = Look(
            choose_font(rng, language),
            rng.choice((7.5, 8.0, 8.5, 9.0, 9.5, 10.0, 10.5)),
            rng.choice((1.2, 1.3, 1.4, 1.5)),
            rng.choice(_INKS),
            rng.choice(_ACCENTS),
            rng.choice(_SHADES),
            rng.uniform(34, 72),
            rng.random() < 0.3,
        )
        writing = rng.choices(("whole", "words", "letters"), (6, 3, 1))[0]
        self.paper = Paper(width, height, writing, turned=turned, compressed=rng.random() < 0.5)
        self.purchase = Purchase(
            kind,
            language,
            f"{language}-US" if american else language,
            currency,
            company_name(self.words, rng),
        )
        self.today = date(2019, 1, 1) + timedelta(days=rng.randrange(3000))
        self.y = self.look.margin
        self._decisions: dict[str, int] = {}
        self.chrome = PageChrome()
        self.months: int | None = None
        """The term, where the lines are charged for one."""
        self.quotes: list[Purchase] = []
        """The purchases of a file of several, in their order; `purchase` is then the one being drawn."""

    @property
    def left(self) -> float:
        return self.look.margin

    @property
    def right(self) -> float:
        return self.paper.width - self.look.margin

    @property
    def bottom(self) -> float:
        return self.paper.height - self.look.margin - self.chrome.foot_height

    @property
    def step(self) -> float:
        """From one line of text to the next."""
        return self.look.size * self.look.leading

    def decide(self, question: str, answers: Sequence[Answer]) -> Answer:
        """A random choice that the document keeps."""
        return answers[self._decisions.setdefault(question, self.rng.randrange(len(answers)))]

    def shrink(self, *, margin: float, size: float) -> None:
        """Makes room on a small page."""
        self.look = replace(self.look, margin=margin, size=size)
        self.y = margin

    def names_currency(self) -> bool:
        """Whether anything written so far says which currency it is."""
        notation = self.notation
        return any(notation.sign in text or notation.currency in text for text in self.paper.texts)

    def write_currency_note(self) -> None:
        """Names the currency, unless the page does so already."""
        if not self.names_currency():
            self.write_paragraph(self.words.label("currency_note").format(code=self.notation.currency))

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def money(self, value: Decimal, *, total: bool = False) -> str:
        return self.notation.money(value, total=total)

    def date(self, day: date) -> str:
        return self.notation.date(day, self.words)

    def write(
        self,
        x: float,
        y: float,
        text: Text,
        *,
        bold: bool = False,
        size: float | None = None,
        align: Align = "left",
        colour: str | None = None,
    ) -> float:
        font = self.look.font.bold if bold else self.look.font.regular
        ink = colour or self.look.ink
        return self.paper.write(x, y, text, font, size or self.look.size, align=align, colour=ink)

    def width_of(self, text: str, *, bold: bool = False, size: float | None = None) -> float:
        font = self.look.font.bold if bold else self.look.font.regular
        return text_width(text, font, size or self.look.size)

    def write_paragraph(
        self,
        text: Text,
        *,
        x: float | None = None,
        width: float | None = None,
        size: float | None = None,
        bold: bool = False,
    ) -> None:
        """Writes below what was written last, in lines of the given width, on as many pages as needed."""
        size = size or self.look.size
        x = self.left if x is None else x
        font = self.look.font.bold if bold else self.look.font.regular
        for line in wrap(text, font, size, width or self.right - x):
            self.advance(size * self.look.leading)
            self.write(x, self.y, line, size=size, bold=bold)

    def advance(self, distance: float) -> bool:
        """Moves down; True where that began a new page."""
        if self.y + distance > self.bottom:
            self.new_page()
            self.y += self.step
            return True
        self.y += distance
        return False

    def ensure(self, height: float) -> None:
        """Begins a new page unless so much fits on this one."""
        if self.y + height > self.bottom:
            self.new_page()

    def new_page(self) -> None:
        self.chrome.draw(self)
        self.paper.new_page()
        self.y = self.look.margin + self.chrome.head_height

    def finish(self) -> bytes:
        self.write_currency_note()
        self.chrome.draw(self)
        return self.paper.to_bytes()


@dataclass
class PageChrome:
    """What stands at the head and the foot of each page; `{n}` is the number of the page."""

    head: str | None = None
    feet: tuple[str, ...] = ()
    number: str | None = None

    @property
    def head_height(self) -> float:
        return 18 if self.head else 0

    @property
    def foot_height(self) -> float:
        return 10.0 * (len(self.feet) + bool(self.number)) + 8

    def draw(self, draft: Draft) -> None:
        paper, size = draft.paper, 7.0
        if self.head and paper.page > 1:
            draft.write(draft.left, draft.look.margin, self.head, size=size)
        y = paper.height - draft.look.margin - 10 * (len(self.feet) + bool(self.number)) + 10
        for foot in self.feet:
            draft.write(paper.width / 2, y, foot, size=size, align="centre", colour="#555555")
            y += 10
        if self.number:
            draft.write(draft.right, y, self.number.replace("{n}", str(paper.page)), size=size, align="right")
