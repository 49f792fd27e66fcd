"""How a column or a file writes numbers and dates: what its cells show that have one reading only."""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from app.service.values.dates import DateReadings, DayOrder
from app.service.values.numbers import DecimalMark, NumberReadings

N = TypeVar("N")
R = TypeVar("R", NumberReadings, DateReadings)


@dataclass
class Notation(Generic[N, R]):
    """A notation that cells are added to. Nothing is guessed: it is decided where all cells that one notation
    alone allows show the same."""

    shown: dict[N, str] = field(default_factory=dict[N, str])
    """Each notation that a cell shows, with the first such text: two are a contradiction."""
    ambiguous: R | None = None
    """The first cell that needs a decision: a person can be asked with it."""

    @property
    def decided(self) -> N | None:
        """The notation; None where no cell shows one, or where they contradict each other."""
        return next(iter(self.shown)) if len(self.shown) == 1 else None

    def add(self, readings: R, shown: N | None) -> bool:
        """Take the readings of a cell, and what it shows; return whether that is new."""
        if self.ambiguous is None and readings.is_ambiguous:
            self.ambiguous = readings
        if shown is None or shown in self.shown:
            return False
        self.shown[shown] = readings.text
        return True


class NumberNotation(Notation[DecimalMark, NumberReadings]):
    """Which mark parts the decimals of a column."""

    def take(self, number: NumberReadings) -> bool:
        """Take a number; return whether it shows anything new."""
        return self.add(number, number.mark)


class DateNotation(Notation[DayOrder, DateReadings]):
    """Whether the day or the month comes first."""

    def take(self, day: DateReadings) -> bool:
        """Take a date; return whether it shows anything new."""
        return self.add(day, day.order)
