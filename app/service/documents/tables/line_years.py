"""Lines that are priced year by year: which year of the term each is for."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from app.service.charges.months import MONTHS_PER_YEAR, count_months_of_years
from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.tables.line_parts import YEAR_IN_NAME
from app.service.documents.tables.row_figures import list_rows_of
from app.service.values.folding import fold

_MOST_WORDS = 4
# `Year 2`, `2. Jahr`, `Contract year 2 (2026)`, `2026`.
_NUMBERED = re.compile(r"^([^\d(]*?)\W*(20\d\d|\d{1,2})(\D*?)(?:\(.*)?$")
# In Swedish, Danish and Polish too, which have no lexicon.
_NAMES_YEAR = re.compile(rf"(?:{WORDS.durations.year}|\by|\bar|\brok)(?![a-z])")
_ONCE = re.compile(rf"\b{WORDS.line_roles.once}\b")
_Place: TypeAlias = tuple[int, float]


@dataclass(frozen=True)
class _Heading:
    """The number of a year over the lines below it; `family` is the text without the number."""

    family: tuple[str, str]
    number: int
    cell: Cell

    @property
    def place(self) -> _Place:
        return self.cell.page, self.cell.box.middle


def assign_years(items: Sequence[LineItem], rows: Sequence[Row], term_months: int | None) -> list[LineItem]:
    """The lines, each with its period where headings, columns or names say which year of the term it is
    for."""
    years = _read_columns(items, rows, term_months) or _read_bands(items, rows, term_months)
    years = years or _read_names(items) or _read_cells(items, rows)
    return [_place_in_year(item, years.get(number)) for number, item in enumerate(items)]


def _place_in_year(item: LineItem, year: int | None) -> LineItem:
    if year is None:
        return item
    is_once = item.recurring is False or bool(_ONCE.search(fold(item.description or "")))
    period = item.period_months or (None if is_once else MONTHS_PER_YEAR)
    return replace(
        item,
        first_month=count_months_of_years(year),
        period_months=period,
        span_months=None if period is None else MONTHS_PER_YEAR,
    )


def _read_columns(
    items: Sequence[LineItem], rows: Sequence[Row], term_months: int | None
) -> Mapping[int, int]:
    """The year of each line by the column that its amount stands in, counted from 0."""
    heads = [found for row in rows if len(found := _list_headings(row)) > 1]
    heads = [
        found for found in heads if _are_years([one.number for one in found], found[0].family, term_months)
    ]
    in_row: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, item in enumerate(items):
        if place := item.position:
            in_row[place[0], round(place[1])].append(number)
    years: dict[int, int] = {}
    for (page, middle), numbers in in_row.items():
        above = [found for found in heads if found[0].place < (page, middle)]
        if not above:
            continue
        found = above[-1]
        ordered = sorted(numbers, key=lambda number: _find_centre(items[number]))
        if len(ordered) == len(found):
            years.update({number: year for year, number in enumerate(ordered)})
        elif len(ordered) < len(found):
            years.update({number: _find_nearest(found, items[number]) for number in ordered})
    return years if len(set(years.values())) > 1 else {}


def _read_bands(items: Sequence[LineItem], rows: Sequence[Row], term_months: int | None) -> Mapping[int, int]:
    """The year of each line by the heading above it, which stands alone in its row."""
    bands: dict[tuple[str, str], list[_Heading]] = defaultdict(list)
    for row in rows:
        if len(row.cells()) == 1:
            for heading in _list_headings(row):
                bands[heading.family].append(heading)
    for family, headings in bands.items():
        if not _are_years(list(dict.fromkeys(one.number for one in headings)), family, term_months):
            continue
        first = headings[0].number
        years: dict[int, int] = {}
        for number, item in enumerate(items):
            place = item.position
            above = [one.number - first for one in headings if place and one.place < place]
            if above:
                years[number] = above[-1]
        if len(set(years.values())) > 1:
            return years
    return {}


def _read_names(items: Sequence[LineItem]) -> Mapping[int, int]:
    """The year of each line by its own words: `Platform, year 2`."""
    by_name: dict[str, dict[int, int]] = defaultdict(dict)
    for number, item in enumerate(items):
        name = fold(item.description or "")
        if found := YEAR_IN_NAME.search(name):
            by_name[YEAR_IN_NAME.sub(" ", name).strip()][number] = int(found[1])
    years: dict[int, int] = {}
    for numbered in by_name.values():
        if sorted(numbered.values()) == list(range(1, len(numbered) + 1)) and len(numbered) > 1:
            years.update({number: year - 1 for number, year in numbered.items()})
    return years


def _read_cells(items: Sequence[LineItem], rows: Sequence[Row]) -> Mapping[int, int]:
    """The year of each line by a cell of its row, where the same thing is listed for each year."""
    by_name: dict[str, list[int]] = defaultdict(list)
    for number, item in enumerate(items):
        by_name[fold(item.description or "")].append(number)
    years: dict[int, int] = {}
    for numbers in by_name.values():
        found = [
            [one for row in list_rows_of(items[number], rows) for one in _read_headings(row)]
            for number in numbers
        ]
        for family in {
            one.family for headings in found for one in headings if any(one.family) or one.number > 2000
        }:
            counted = [one.number for headings in found for one in headings if one.family == family]
            if len(counted) == len(numbers) and _are_years(counted, family):
                years.update(
                    {number: year - counted[0] for number, year in zip(numbers, counted, strict=True)}
                )
    return years


def _list_headings(row: Row) -> list[_Heading]:
    """The cells of a row that are a year of the same family, from left to right."""
    found = list(_read_headings(row))
    families = {one.family for one in found}
    return found if len(families) == 1 else []


def _read_headings(row: Row) -> Iterator[_Heading]:
    for cell in row.cells():
        if len(cell.words) <= _MOST_WORDS and (numbered := _NUMBERED.match(fold(cell.text))):
            before, number, after = numbered.groups()
            yield _Heading((before.strip(), after.strip()), int(number), cell)


def _are_years(numbers: Sequence[int], family: tuple[str, str], term_months: int | None = None) -> bool:
    """Whether numbers of headings count years: one after the other, from the first or by the calendar. Sites
    and phases are counted too, so that a word, the calendar or the term must say that they are years."""
    if len(numbers) < 2 or list(numbers) != list(range(numbers[0], numbers[0] + len(numbers))):
        return False
    if numbers[0] > 2000:
        return not any(family)
    named = any(_NAMES_YEAR.search(part) for part in family)
    return numbers[0] == 1 and (named or term_months == count_months_of_years(len(numbers)))


def _find_centre(item: LineItem) -> float:
    box = item.provenance["amount"].box
    return box.centre if box else 0.0


def _find_nearest(headings: Sequence[_Heading], item: LineItem) -> int:
    distances = [abs(one.cell.box.centre - _find_centre(item)) for one in headings]
    return distances.index(min(distances))
