"""The days on which an organisation works."""

from collections.abc import Set
from dataclasses import dataclass
from datetime import date, timedelta

ONE_DAY = timedelta(days=1)
SATURDAY, SUNDAY = 5, 6


@dataclass(frozen=True, slots=True)
class WorkingDays:
    """Every day but those of the weekend (0 is Monday) and the holidays."""

    weekend: Set[int] = frozenset({SATURDAY, SUNDAY})
    holidays: Set[date] = frozenset()

    def is_working(self, day: date) -> bool:
        return day.weekday() not in self.weekend and day not in self.holidays

    def roll_back(self, day: date) -> date:
        """Return the day itself, or the last working day before it."""
        while not self.is_working(day):
            day -= ONE_DAY
        return day

    def roll_forward(self, day: date) -> date:
        """Return the day itself, or the first working day after it."""
        while not self.is_working(day):
            day += ONE_DAY
        return day

    def step(self, day: date, count: int) -> date:
        """Return the working day that is so many working days later, or earlier where `count` is negative."""
        direction = ONE_DAY if count > 0 else -ONE_DAY
        for _ in range(abs(count)):
            day += direction
            while not self.is_working(day):
                day += direction
        return day
