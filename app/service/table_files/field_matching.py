"""Find by their headings which columns of a table hold our fields. Pure.

A heading that is one of the names of a field is taken; one that only resembles a name, that may mean a field
but needs a person who says so, or that says of the values what the field has no place for, is offered.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import ClassVar, Literal, TypeVar

from rapidfuzz import process
from rapidfuzz.distance import Indel

from app.service.table_files.column_cells import Rows, list_texts, read_numbers
from app.service.table_files.column_headings import NO_HEADING, Heading, read_heading
from app.service.table_files.columns import ColumnPositions, apply_mapping, find_left_out, find_positions
from app.service.table_files.heading_words import (
    Kind,
    Names,
    list_word_group,
    list_words,
    load_heading_words,
    squeeze,
)
from app.service.tables.headings import fold_column_name
from app.service.values.amount_units import names_money
from app.service.values.currencies import read_currency
from app.service.values.folding import fold_text
from app.service.values.periods import PER, read_period
from app.service.values.price_basis import NOTHING_ASIDE, read_count_word
from app.service.values.units import read_unit

_MOST_JUDGED = 4_096
"""Columns of which the headings are read."""
_MOST_COMPARED = 200
"""Columns of which the headings are compared with names that they only resemble."""
_LEAST_LIKENESS, _LEAST_LIKENESS_OF_SHORT = 0.84, 0.89
_LEAST_LIKENESS_OF_WORD = 0.8
_SHORT = 5
_LONGEST_BARE = 7
_LEAST_LETTERS = 4
_TAX_ORDER = {"before tax": 0, None: 1, "with tax": 2}
_CORE = 3
"""The level of the words that say what a column holds."""
_COMMENTS = "description"
"""Tables have several columns of comments under one heading; none of them is needed."""
_NO_FACTORS = ("basis", "tax", "discount", "exchange", "gross", "revision")
"""Roles of columns that explain no price."""
_PER_TIME = ("month", "quarter", "half year", "year")
_GROUP = re.compile(r"(?P<group>.*[^\W_].*)(?:[:/>]| [-–] )\s*(?P<last>[^:/>]*[^\W_][^:/>]*)")

_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")

ColumnUse = Literal["dimension", "currency", "read"]
_Key = tuple[int, int, int, int]
"""Of the tax of an amount, the step of the name, what of the heading was put aside, the place of the name."""
Reject = Callable[[str, int], bool]
"""Whether the values of a column, by its position, show that it is not the field."""


@dataclass
class MatchedFields:
    """The columns of a table. `fields` are the positions of our fields; `offered` are fields that a person
    may want a column for, by its position; `codes` are columns that number what a field names, of which
    nothing is read, and `roles` columns that are no field. `amounts` name an amount of money, whether it is
    read or stands beside another one. `headings` are those of all columns that are not left out, by
    position; `header`, `mapping` and `rows` are what was given. `supplier_number` is the position of the
    number of a supplier where no column has a name; `notes` are sentences on what the headings leave open."""

    positions: ColumnPositions
    left_out: Collection[int]
    fields: dict[str, int]
    offered: dict[int, str] = field(default_factory=dict[int, str])
    codes: dict[str, int] = field(default_factory=dict[str, int])
    roles: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    amounts: set[int] = field(default_factory=set[int])
    headings: Mapping[int, Heading] = field(default_factory=dict[int, Heading])
    header: Sequence[str] = ()
    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    rows: Rows = ()
    supplier_number: int | None = None
    notes: list[str] = field(default_factory=list[str])

    about_missing: ClassVar[str] = ""
    """What a person should know whose file lacks a needed column."""

    @property
    def required(self) -> Collection[str]:
        """The needed fields."""
        return ()

    @property
    def missing(self) -> list[str]:
        """The needed fields that have no column."""
        return [name for name in self.required if name not in self.fields]

    @property
    def typicality(self) -> int:
        """0 where no column is such as this kind alone has, 2 where a heading names what the table is of."""
        return 1

    @property
    def uses(self) -> Mapping[ColumnUse, Collection[int]]:
        """The positions of columns that hold no field, by what becomes of them."""
        return {}

    def find_title(self, name: str) -> str:
        """Return the heading of a field as the file has it; empty where it has no column."""
        return self.header[self.fields[name]].strip() if name in self.fields else ""

    def list_places(self, *names: str) -> list[int]:
        """Return the positions of those of the fields that have a column."""
        return [self.fields[name] for name in names if name in self.fields]

    def find_role(self, role: str) -> int | None:
        """Return the position of the first column of a role; None where there is none."""
        return next(iter(self.roles.get(role, ())), None)

    def list_role(self, role: str) -> list[int]:
        """Return the positions of the columns of a role that hold no field."""
        return [at for at in self.roles[role] if at not in self.fields.values()]

    def find_heading(self, name: str) -> Heading:
        """Return what the heading of a field says; nothing where it has no column."""
        return self.headings.get(self.fields.get(name, -1), NO_HEADING)

    def is_open(self, *names: str) -> bool:
        """Whether the fields have no column, and nobody has said anything of them."""
        return self.fields.keys().isdisjoint(names) and self.mapping.keys().isdisjoint(names)

    def take(self, name: str, at: int) -> None:
        """Let a column hold a field."""
        self.fields[name] = at
        self.offered.pop(at, None)

    def find_scales(self, names: Collection[str]) -> dict[str, int]:
        """Return how many of its currency an amount of these fields counts, where it is not one."""
        return {name: scale for name in names if (scale := self.find_heading(name).scale) != 1}

    def take_currency(self) -> None:
        """Take the only column that has currencies in all cells of the first rows, where its heading
        resembles the name of one; else offer those that have: one may be that of a fee."""
        if not self.is_open("currency"):
            return
        taken, found = {*self.fields.values()}, list[int]()
        for at in self.headings.keys() - taken:
            cells = {*list_texts(self.rows, at)}
            if cells and all(map(read_currency, cells)):
                found.append(at)
        if len(found) == 1 and self.offered.get(found[0]) == "currency":
            self.take("currency", found[0])
        else:
            self.offered.update(dict.fromkeys(found, "currency"))

    def list_others(self) -> dict[str, int]:
        """Return the positions of the columns that hold no field, by folded heading, without those that are
        left out or may hold one, and without money and further quantities: what follows from the price, or
        from how many were bought, explains none."""
        offered = (at for at, name in self.offered.items() if name != _COMMENTS)
        money = (*self.amounts, *(at for role in _NO_FACTORS for at in self.roles.get(role, ())))
        counts = list_word_group("quantity")
        counted = [at for at, one in self.headings.items() if not counts.isdisjoint(one.words)]
        taken = {*self.fields.values(), *self.left_out, *offered, *money, *counted}
        return {name: at for name, at in self.positions.items() if at not in taken}


Matched = TypeVar("Matched", bound=MatchedFields)
"""The columns of a table of one kind."""


def match_fields(
    into: type[Matched],
    header: Sequence[str],
    kind: Kind,
    mapping: Mapping[str, str],
    ignore: Collection[str] = (),
    *,
    of: str,
    amounts: Collection[str] = (),
    per_time: Collection[str] = (),
    reject: Reject = lambda _field, _at: False,
    rows: Rows = (),
) -> Matched:
    """Find what each column holds.

    `mapping` is our field -> the file's column, or "" for none, and takes precedence over every name;
    `ignore` names columns to leave out; `of` says for messages what the fields describe. The headings of
    `amounts` may name a currency and tax besides, those of `per_time` a period, how many units a price is
    for, or the unit of a length of time. Of several columns those go first that have a value in the first
    `rows`. Raises `UnreadableTable` for a mapping that does not fit."""
    positions = find_positions(header)
    left_out = find_left_out(positions, ignore)
    words = load_heading_words(kind)
    fields = apply_mapping(mapping, positions, words.fields, of)
    judged = [at for at in positions.values() if at not in left_out][:_MOST_JUDGED]
    headings = {at: read_heading(header[at]) for at in judged}
    headings |= _part_groups(header, headings)
    matched = into(positions, left_out, fields, headings=headings, header=header, mapping=mapping, rows=rows)
    taken = set(fields.values())
    for name, names in words.roles.items():
        found = [
            at
            for at, heading in headings.items()
            if at not in taken
            and (find_level(names, heading) or (name == "discount" and names.find_rank(heading.unnumbered)))
        ]
        if name == "tax":
            found += [at for at in headings if headings[at].names_tax_amount and at not in {*found, *taken}]
        matched.roles[name] = found
    matched.amounts.update(
        at
        for at, heading in headings.items()
        if any(find_level(words.fields[name], heading, stripped=True) for name in amounts)
        or (amounts and names_money(_BRACKETS.sub(" ", header[at])) and read_numbers(rows, at))
    )
    _assign(matched, kind, amounts, per_time, reject)
    for name, names in words.codes.items():
        free = [at for at in headings if at not in fields.values() and find_level(names, headings[at])]
        if free:
            matched.codes[name] = free[0]
    _offer(matched, kind)
    return matched


def _part_groups(header: Sequence[str], headings: Mapping[int, Heading]) -> dict[int, Heading]:
    """Return the headings that begin with the name of a group which others begin with too, each with what
    stands behind it: `Order lines/Quantity`. A word such as `date` says nothing without its group."""
    parted = {at: found for at in headings if (found := _GROUP.fullmatch(header[at].strip()))}
    sizes = Counter(squeeze(found["group"]) for found in parted.values())
    told: dict[int, Heading] = {}
    for at, found in parted.items():
        last = read_heading(found["last"])
        bare = last.core in _list_bare() or read_unit(found["last"]) or read_period(found["last"])
        if sizes[squeeze(found["group"])] > 1 and not bare:
            told[at] = replace(headings[at], tail=last.core)
    return told


@cache
def _list_bare() -> frozenset[str]:
    groups = ("name", "number", "code", "date", "amount", "total", "price", "title")
    return frozenset(word for group in groups for word in list_word_group(group))


def _find_key(
    name: str, names: Names, heading: Heading, amounts: Collection[str], per_time: Collection[str]
) -> _Key | None:
    """Return how well a heading names a field: less is better. None where it does not, or says more than the
    field has a place for."""
    found = find_level(names, heading, stripped=name in amounts)
    if found is None or (heading.scale != 1 and name not in amounts):
        return None
    level, (step, place) = found
    is_timed = name in per_time
    aside = (NOTHING_ASIDE, heading.in_brackets, heading.aside, heading)[level]
    if (period := aside.period) and not (is_timed and (period in _PER_TIME or name not in amounts)):
        return None
    if (aside.count and not is_timed) or (aside.unit and not (is_timed or name == "quantity")):
        return None
    order = _TAX_ORDER[heading.tax if name in amounts else None]
    if is_timed and name in amounts:  # `Unit price` goes before `Price excl. tax`, which may be a total
        return (order > 1) * 2, 2 * step + (order > 0), level, place
    return order, step, level, place


def find_level(
    names: Names, heading: Heading, *, stripped: bool = False, loose: bool = False
) -> tuple[int, tuple[int, int]] | None:
    """Return how much of a heading had to be put aside to see a name in it, and the rank of the name.
    Brackets that nobody here understands are put aside only where it is `loose`."""
    tried = [heading.full]
    if heading.is_plain or loose:
        tried += [heading.whole, *([heading.timed, heading.core] if stripped or loose else [])]
    for level, name in enumerate(tried):
        rank = names.find_rank(name)
        if rank is not None:
            return level, rank
    # The quantity of an item is the quantity.
    if len(heading.words) > 1 and heading.words[0] in list_word_group("row"):
        rank = names.find_rank("".join(heading.words[1:]))
        if rank is not None:
            return _CORE, rank
    if heading.tail and (rank := names.find_rank(heading.tail)) is not None:
        return _CORE, rank
    # `Supplier/Vendor` is either, and `Artikel / Item` no article of which there are items.
    ranks = [names.find_rank(part) for part in heading.parts] if heading.is_plain else []
    known = [rank for rank in ranks if rank is not None]
    return (0, max(known)) if known and len(known) == len(ranks) else None


def _assign(
    matched: MatchedFields, kind: Kind, amounts: Collection[str], per_time: Collection[str], reject: Reject
) -> None:
    """Give each field the column that names it best. Columns that do so equally well are offered, for nothing
    says which of them it is."""
    fields, mapping, rows = matched.fields, matched.mapping, matched.rows
    basis = set(matched.roles.get("basis", ()))
    open_fields = {
        name: names
        for name, names in load_heading_words(kind).fields.items()
        if name not in fields and mapping.get(name) != ""
    }
    pairs: list[tuple[tuple[int, int, int, int], int, int, str, int]] = []
    for at, heading in matched.headings.items():
        texts = list_texts(rows, at)
        blank = bool(rows) and not texts
        for order, (name, names) in enumerate(open_fields.items()):
            key = _find_key(name, names, heading, amounts, per_time)
            if key is not None and not (at in basis and name in amounts) and not reject(name, at):
                is_no_unit = name == "unit" and bool(texts) and not any(map(read_unit, texts))
                pairs.append(((blank or is_no_unit, *key[:3]), order, key[3], name, at))
    pairs.sort()
    taken, undecided = set(fields.values()), set[str]()
    for key, _, place, name, at in pairs:
        if name in fields or name in undecided or at in taken:
            continue
        same = (key, place, name)
        rivals = [one[4] for one in pairs if (one[0], one[2], one[3]) == same and one[4] not in taken]
        if len(rivals) > 1:
            undecided.add(name)
            matched.offered.update(dict.fromkeys(rivals, name))
            continue
        title = fold_column_name(matched.header[at])
        if name == _COMMENTS and title in matched.positions.repeated:
            continue
        repeated = [one for one in matched.positions.repeated.get(title, ()) if one not in matched.left_out]
        if repeated:
            undecided.add(name)
            matched.offered.update(dict.fromkeys((at, *repeated), name))
            continue
        fields[name] = at
        taken.add(at)


def _offer(matched: MatchedFields, kind: Kind) -> None:
    """Offer columns for the fields that have none."""
    words, fields, mapping = load_heading_words(kind), matched.fields, matched.mapping
    wanted = [name for name in words.fields if name not in fields and mapping.get(name) != ""]
    chosen = {fields[name] for name in mapping if name in fields}
    taken = set(fields.values())
    for at in [at for at, name in matched.offered.items() if at in taken or name in fields]:
        del matched.offered[at]
    others = {*chosen, *matched.offered, *(at for name in _OTHER_ROLES for at in matched.roles.get(name, ()))}
    for at, heading in list(matched.headings.items())[:_MOST_COMPARED]:
        if at in others:
            continue
        # What describes a purchase may be all that says what was bought.
        if at not in taken or at == fields.get(_COMMENTS):
            offers = (name for name in wanted if name in words.offers)
            found = next((one for one in offers if find_level(words.offers[one], heading, loose=True)), None)
            if found is None and at not in taken:
                found = next((name for name in find_alike(kind, heading) if name in wanted), None)
            if found is not None:
                matched.offered[at] = found


def take_bare_basis(matched: MatchedFields, period: str) -> None:
    """Take a column `per` or `pro` with 1, 100, C or `each` for how many units a price is for; with other
    words it says for how long, which the field `period` holds. M alone may be a thousand or a month: a person
    says which."""
    for at in matched.headings:
        is_mapped = matched.mapping.get(period) and matched.fields.get(period) == at
        full = matched.headings[at].full
        is_basis = full in list_word_group("basis_alone") or full.endswith(_list_bases())
        if is_mapped or not (is_basis or PER.fullmatch(f"{fold_text(matched.header[at])} ")):
            continue
        cells = list_texts(matched.rows, at)
        if cells and {cell.casefold() for cell in cells} == {"m"}:
            matched.offered[at] = period
        elif cells and all(map(_is_count, cells)):
            matched.roles["basis"].append(at)
        else:
            continue
        if matched.fields.get(period) == at:
            del matched.fields[period]


@cache
def _list_bases() -> tuple[str, ...]:
    """Return what is called so also behind the name of a table: `PODetail_CostPerCode`."""
    return tuple(word for word in list_word_group("price_basis") if len(word) > _LONGEST_BARE)


def _is_count(cell: str) -> bool:
    if digits := _NO_DIGIT.sub("", cell):
        return _POWER_OF_TEN.fullmatch(digits) is not None
    return read_count_word(cell) is not None


_NO_DIGIT, _POWER_OF_TEN = re.compile(r"[^0-9]"), re.compile("10{0,6}")


_OTHER_ROLES = ("basis", "tax")


@lru_cache(maxsize=4096)
def find_alike(kind: Kind, heading: Heading) -> tuple[str, ...]:
    """Return the fields a name of which a heading has beside something else, or resembles, the most alike
    first."""
    fields = load_heading_words(kind).fields
    found = {name: 2.0 for name, names in fields.items() if find_level(names, heading, loose=True)}
    for name in {heading.core, heading.whole}:
        if len(name) < _LEAST_LETTERS:
            continue
        known = _list_known(kind)
        least = _LEAST_LIKENESS_OF_SHORT if len(name) <= _SHORT else _LEAST_LIKENESS
        alike = process.extract(  # pyrefly: ignore[no-matching-overload]
            name, known.keys(), scorer=Indel.normalized_similarity, score_cutoff=least, limit=5
        )
        for written, score, _ in alike:
            found[known[written]] = max(score, found.get(known[written], 0))
    for spelling in _list_spellings(heading.words):
        for name, names in fields.items():
            if names.find_rank(spelling) is not None:
                found.setdefault(name, 0.5)
    for name, part in _find_parts(kind, heading):
        found.setdefault(name, part)
    return tuple(sorted(found, key=lambda name: -found[name]))


def _list_spellings(words: Sequence[str]) -> Iterator[str]:
    """Yield the words, squeezed, with one that is not known replaced by a known one like it."""
    if len(words) > 1:
        for at, word in enumerate(words):
            if len(word) >= _SHORT and word not in list_words():
                alike = process.extract(  # pyrefly: ignore[no-matching-overload]
                    word,
                    list_words(),
                    scorer=Indel.normalized_similarity,
                    score_cutoff=_LEAST_LIKENESS_OF_WORD,
                    limit=3,
                )
                for known, *_ in alike:
                    yield "".join([*words[:at], known, *words[at + 1 :]])


def _find_parts(kind: Kind, heading: Heading) -> Iterator[tuple[str, float]]:
    """Yield the fields of which a name of two words is a run of a heading's words."""
    known = _list_known(kind)
    words = heading.words
    for length in range(len(words) - 1, 1, -1):
        for at in range(len(words) - length + 1):
            if name := known.get("".join(words[at : at + length])):
                yield name, length / 100


@lru_cache
def _list_known(kind: Kind) -> Mapping[str, str]:
    known: dict[str, str] = {}
    for name, names in load_heading_words(kind).fields.items():
        for written in names.alone:
            if len(written) >= _LEAST_LETTERS:
                known.setdefault(written, name)
    return known
