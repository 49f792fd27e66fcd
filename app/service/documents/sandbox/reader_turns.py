"""Whose turn it is to use a reading process: organisations take turns, and none has all of them."""

from collections import Counter
from itertools import count


class ReaderTurns:
    """`places` of which one organisation holds at most `places_of_one`. For one thread at a time.

    Who holds fewest comes first, then who had a place longest ago, then who came first.
    """

    def __init__(self, places: int, places_of_one: int) -> None:
        self._places = places
        self._places_of_one = places_of_one
        self._held: Counter[str] = Counter()
        self._waiting: dict[int, str] = {}
        self._numbers = count(1)
        self._last_turns: dict[str, int] = {}

    def begin_waiting(self, organisation_id: str) -> int:
        """Return the number by which the caller asks whether it may go on."""
        number = next(self._numbers)
        self._waiting[number] = organisation_id
        return number

    def end_waiting(self, number: int) -> None:
        """Forget a caller that waits no more."""
        organisation_id = self._waiting.pop(number)
        self._forget_turns_of(organisation_id)

    def take(self, number: int) -> bool:
        """Whether there is a place and it is the caller's turn: then it holds the place and waits no more."""
        if self._held.total() >= self._places:
            return False
        may = [
            (self._held[id], self._last_turns.get(id, 0), waiting)
            for waiting, id in self._waiting.items()
            if self._held[id] < self._places_of_one
        ]
        if not may or min(may)[2] != number:
            return False
        organisation_id = self._waiting.pop(number)
        self._held[organisation_id] += 1
        self._last_turns[organisation_id] = next(self._numbers)
        return True

    def give_back(self, organisation_id: str) -> None:
        """Count a place less that the organisation holds."""
        self._held[organisation_id] -= 1
        self._forget_turns_of(organisation_id)

    def _forget_turns_of(self, organisation_id: str) -> None:
        """Keep nothing of an organisation that neither holds a place nor waits for one."""
        if not self._held[organisation_id] and organisation_id not in self._waiting.values():
            del self._held[organisation_id]
            self._last_turns.pop(organisation_id, None)
