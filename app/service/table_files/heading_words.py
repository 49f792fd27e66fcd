"""The words that headings have for our fields, from `heading_words.toml`; those of languages of which we know
little else are the words of documents. Pure."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import Any, Literal

from app.service.documents.lexicon.further_languages import COLUMNS, DATES, TOTALS
from app.service.documents.lexicon.further_parties import BUYERS, SUPPLIERS
from app.service.values.folding import fold_text

Kind = Literal["purchases", "catalog", "rates", "agreements"]

_PLACE = re.compile(r"\{(\w+)\}")
_UNDECOMPOSED = str.maketrans(
    {"ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ı": "i", "º": "o", "№": "no", "#": "no"}
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_PARTS = ("codes", "roles", "offers")

_OF_DOCUMENTS: Mapping[str, str] = {
    "supplier": SUPPLIERS,
    "buyer": BUYERS,
    "document_date": DATES["document_date"],
    "item_code": COLUMNS["item_id"],
    "unit_price": COLUMNS["unit_price"],
    "unit": COLUMNS["unit_alone"],
    "line": COLUMNS["position_alone"],
    **{name: COLUMNS[name] for name in ("description", "quantity", "price", "amount", "discount")},
    "tax": TOTALS["tax"],
}
"""The words of documents in further languages, by the group of words that they belong to."""

_SHORT_PARTS, _CODES = ("po", "id", "no", "nr"), ("eur", "usd", "gbp")
LONGEST_NAME = 60
"""Letters of a name, squeezed."""

Rank = tuple[int, int]
"""The step of a name among those of a field, and its place in the step: less comes first."""


@dataclass(frozen=True, eq=False)
class Names:
    """Names of one thing: those that are spelt out, and those made of groups of words, by their first word,
    each with the words that may follow; the beginnings of first words lead to none."""

    plain: Mapping[str, Rank]
    joined: Mapping[str, Sequence[tuple[Rank, Sequence[frozenset[str]]]]]

    @property
    def alone(self) -> Iterator[str]:
        """The names that are spelt out or a word of one group."""
        yield from self.plain
        yield from (name for name, followed in self.joined.items() if any(not rest for _, rest in followed))

    @lru_cache(maxsize=1 << 16)  # noqa: B019  The names are those of a kind, which stay.
    def find_rank(self, squeezed: str) -> Rank | None:
        """Return the rank of a squeezed name, the best of several; None where it is none of them."""
        if not 0 < len(squeezed) <= LONGEST_NAME:
            return None
        found = [self.plain[squeezed]] if squeezed in self.plain else []
        for end in range(1, len(squeezed) + 1):
            followed = self.joined.get(squeezed[:end])
            if followed is None:
                break
            found += [rank for rank, rest in followed if _is_made_of(squeezed[end:], rest)]
        return min(found, default=None)


@dataclass(frozen=True)
class HeadingWords:
    """The names of one kind of files. `fields` are in the order of the kind."""

    fields: Mapping[str, Names]
    codes: Mapping[str, Names]
    roles: Mapping[str, Names]
    offers: Mapping[str, Names]


def squeeze(text: str) -> str:
    """Return letters and digits alone, without case and accents: `PO Date`, `PODate` and `po_date` are
    one."""
    return re.sub(r"[\W_]+", "", fold_text(text.translate(_UNDECOMPOSED)).translate(_UNDECOMPOSED))


@cache
def load_heading_words(kind: Kind) -> HeadingWords:
    of_kind = _load()[kind]
    return HeadingWords(
        {field: _rank(steps) for field, steps in of_kind.items() if field not in _PARTS},
        *({field: _rank([names]) for field, names in of_kind.get(part, {}).items()} for part in _PARTS),
    )


@cache
def list_words() -> frozenset[str]:
    """Return every word of every name, squeezed: what joined words may be parted into."""
    groups = [_load()["words"].values()]
    for kind in ("purchases", "catalog", "rates", "agreements"):
        for field, names in _load()[kind].items():
            groups.append(names.values() if field in _PARTS else names)
    words = {word for group in groups for names in group for word in _PLACE.sub(" ", names).split()}
    return frozenset(squeeze(word) for word in words) - {""}


@cache
def list_word_group(group: str) -> frozenset[str]:
    """Return the words of a group, such as `tax`, squeezed."""
    return frozenset(spelling for word in _list_group(group) for spelling in _spell(word))


@lru_cache(maxsize=4096)
def split_joined(word: str) -> tuple[str, ...]:
    """Return the known words that a squeezed word is made of, the fewest; the word alone where a part of it
    is not known: `vendorname` is `vendor` and `name`."""
    if word in list_words() or len(word) < 6:
        return (word,)
    best: list[tuple[str, ...] | None] = [()]
    for end in range(1, len(word) + 1):
        found: tuple[str, ...] | None = None
        for begin in range(max(0, end - 20), end - 1):
            before, part = best[begin], word[begin:end]
            is_word = part in (list_words() if len(part) > 2 else _SHORT_PARTS) or part in _CODES
            if before is not None and is_word and (found is None or len(before) + 1 < len(found)):
                found = (*before, part)
        best.append(found)
    return best[-1] or (word,)


@cache
def _load() -> Mapping[str, Mapping[str, Any]]:
    loaded = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for group, phrases in _OF_DOCUMENTS.items():
        own = loaded["words"].get(group)
        loaded["words"][group] = ", ".join([*([own] if own else []), *_list_spellings(phrases)])
    return loaded


@cache
def _list_group(group: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in _load()["words"][group].split(","))


def _rank(steps: Sequence[str]) -> Names:
    plain: dict[str, Rank] = {}
    joined: dict[str, list[tuple[Rank, Sequence[frozenset[str]]]]] = {}
    for step, names in enumerate(steps):
        for place, name in enumerate(names.split(",")):
            if "{" in name:
                first, *rest = _part(name)
                for word in first:
                    for end in range(1, len(word)):
                        joined.setdefault(word[:end], [])
                    joined.setdefault(word, []).append(((step, place), rest))
            else:
                for spelling in _spell(name):
                    plain.setdefault(spelling, (step, place))
    return Names(plain, joined)


def _part(name: str) -> Sequence[frozenset[str]]:
    """Return the words that may stand at each place of a name: a group is any of its words."""
    parts = _PLACE.split(name)
    written = (list_word_group(part) if at % 2 else {squeeze(part)} for at, part in enumerate(parts))
    return [frozenset(words) for words in written if words != {""}]


def _is_made_of(squeezed: str, parts: Sequence[frozenset[str]]) -> bool:
    if len(parts) < 2:
        return squeezed in parts[0] if parts else not squeezed
    return any(
        squeezed[:end] in parts[0] and _is_made_of(squeezed[end:], parts[1:])
        for end in range(1, len(squeezed))
    )


def _spell(name: str) -> set[str]:
    return {squeeze(name), squeeze(name.translate(_UMLAUTS))}


_PIECE = re.compile(r"\(\?<?[!=]|\(\?:|\\[wd][*+]|\\.|\[[^\]]*\]|.")


def _list_spellings(phrases: str) -> Iterator[str]:
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
