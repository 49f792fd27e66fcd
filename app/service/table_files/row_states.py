"""Which rows of a table are no purchases: cancelled orders and drafts, rows that are marked as deleted, and
credit notes; which are no agreements: drafts, what is negotiated, and what ended before its time; and which
suppliers are deleted. Pure.

A column is one of states by its heading and its values together: a heading alone may be a state of the
United States, and a word alone may stand anywhere. Of a value that nobody here knows nothing is assumed.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import cache, lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from app.service.documents.lexicon.vocabulary import names_credit_note
from app.service.table_files.cells import CellCache
from app.service.table_files.column_cells import are_flags, list_texts
from app.service.table_files.column_headings import read_heading
from app.service.table_files.heading_words import list_word_group
from app.service.table_files.questions import Questions
from app.service.tables.table import RejectedRow, TableRow, format_cell
from app.service.values.blanks import is_blank
from app.service.values.dates import NotADate, read_date
from app.service.values.flags import read_flag
from app.service.values.folding import fold_text

StateMeaning = Literal["counts", "does not count", "not known"]
StatesOf = Literal["purchases", "agreements", "suppliers"]
_COUNTS: StateMeaning = "counts"
_COUNTS_NOT: StateMeaning = "does not count"

_SEPARATORS = re.compile(r"[\s_\-–./]+")
_AROUND = " ()[]*!"
_CODE = re.compile(r"^[0-9a-z]{1,3}\s*[-–:.)]\s*(?=\S{3})")
"""The number or letters of a state before its word: `9 - Cancelled`."""
_TYPE = ("type", "typ", "tipo", "τυποσ", "тип", "类型", "類型", "区分")
_STATE_CODE, _NO_WORD = re.compile("[a-z]"), re.compile(r"[^a-z]*\d.*|.{40,}")
_STATUS = ("status", "statuscode", "statuscd", "статус", "状态", "狀態", "状態", "상태", "סטטוס")
_REASON = re.compile(r"\s+[-–/]\s+|\s*[(:;]\s*")
"""What stands between a state and its reason: `On hold - Payment`, `Cancelled (by buyer)`."""
_OF = re.compile(r"(?<=\w)\s(?:of|der|des|du|de|del|dell|do|da|delle|van)\b(?:\s+(?:the|la|el))?[\s'’]+\w+$")
"""What a state is of."""
_GROUP = re.compile(r".*: ")
"""The group of columns before a heading."""
_DELETED, _BLOCKED = frozenset({"l", "del", "deleted"}), "s"
"""What SAP has in the column of deleted rows beside X."""
MIN_KNOWN_SHARE = 0.5
"""Of the different values of a column of states, at least so many are words that are known."""
_MOST_STATES = 100
"""Different words that are looked at of a column."""
_BOTH_KINDS: set[StateMeaning] = {_COUNTS, _COUNTS_NOT}
_LEFT_OUT: Mapping[StatesOf, str] = {
    "purchases": "such an order is no purchase, so it is left out",
    "agreements": "such a contract is not in force, so it is left out",
    "suppliers": "such a supplier is left out",
}
_COUNTED: Mapping[StatesOf, str] = {
    "purchases": "orders that are purchases",
    "agreements": "contracts in force",
    "suppliers": "suppliers",
}
_WITH_YES: Mapping[StatesOf, str] = {"purchases": "confirmed_headings", "suppliers": "active_headings"}
"""Headings of columns whose yes says that a row counts."""
_AMBIGUOUS_TYPES = 20
"""Different words in a column of kinds of documents: one of more has something else."""


@cache
def _load_words() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


@cache
def _load(name: str) -> frozenset[str]:
    return _split(_load_words()[name])


def _split(words: str) -> frozenset[str]:
    return frozenset(_SEPARATORS.sub(" ", fold_text(word)).strip(_AROUND) for word in words.split(","))


@cache
def _load_headings(name: str) -> frozenset[str]:
    return frozenset(word.replace(" ", "") for word in _load(name)) if name else frozenset[str]()


def _fold_heading(heading: str) -> str:
    return _SEPARATORS.sub("", fold_text(heading)).strip("?()[]/*")


@lru_cache(maxsize=4_096)
def read_state(value: str, of: StatesOf = "purchases") -> StateMeaning:
    """Return whether an order in this state counts as a purchase, or a contract as an agreement."""
    folded = fold_text(value)
    whole = _find_state(folded, of)
    parts: set[StateMeaning] = {_find_state(part, of) for part in _REASON.split(folded)}
    parts.discard("not known")
    return whole if whole != "not known" or len(parts) != 1 else parts.pop()


def _find_state(folded: str, of: StatesOf) -> StateMeaning:
    for text in (folded, _CODE.sub("", folded, count=1)):
        word = _SEPARATORS.sub(" ", text).strip(_AROUND)
        for section in ("",) if of == "purchases" else (f"{of}_", ""):
            if word in _load(f"{section}left_out"):
                return _COUNTS_NOT
            if word in _load(f"{section}counted"):
                return _COUNTS
    return "not known"


@lru_cache(maxsize=4_096)
def read_deletion(value: str) -> StateMeaning:
    """Return whether a row counts that is marked so as cancelled or deleted."""
    folded = fold_text(value)
    known = folded in _DELETED or read_state(value) == _COUNTS_NOT
    marked = True if known else None if folded == _BLOCKED else read_flag(folded)
    return "not known" if marked is None else _COUNTS_NOT if marked else _COUNTS


def _read_activity(value: str) -> StateMeaning:
    """Return whether a row counts of which this says so: an order whether it was approved, a supplier whether
    it is active, a company, or a supplier."""
    flag = read_flag(fold_text(value))
    return "not known" if flag is None else _COUNTS if flag else _COUNTS_NOT


def _read_award(value: str) -> StateMeaning:
    """Return whether a contract counts whose column of states has awards: others are tenders."""
    state = read_state(value, "agreements")
    return "not known" if _read_word(fold_text(value)) in _load("before_award") else state


def _read_cancellation(value: str) -> StateMeaning:
    """Return whether a contract counts that is marked so as cancelled: it may be in force until its end."""
    return "not known" if fold_text(value) in _DELETED or read_flag(fold_text(value)) else _COUNTS


@lru_cache(maxsize=4_096)
def read_document_type(
    value: str, purchases: frozenset[str] = frozenset(), others: frozenset[str] = frozenset()
) -> StateMeaning:
    """Return whether a document of this kind is a purchase: a credit note is none. Where a column has kinds
    that are `purchases`, the `others` are none, and of any further one nobody knows."""
    folded = fold_text(value)
    word = _read_word(folded)
    if word in _load("credit_notes") or names_credit_note(word) or names_credit_note(folded):
        return _COUNTS_NOT
    if not purchases or word in purchases:
        return _COUNTS
    return _COUNTS_NOT if word in others else "not known"


def choose_type_reader(kinds: Iterable[str]) -> Callable[[str], StateMeaning]:
    """Return what reads the kinds of documents of a column, of which these are some."""
    words = {_read_word(fold_text(kind)) for kind in kinds}
    for codes in _load_words()["document_codes"]:
        purchases, others = _split(codes["purchases"]), _split(codes["others"])
        if words & purchases and words <= purchases | others:
            return partial(read_document_type, purchases=purchases, others=others)
    bought, others = _load("invoices") | _load("beside_invoices"), _load("payments") | _load("sales")
    # `Sales` beside `Marketing` is a department.
    has_sales = not words.isdisjoint(_load("sales")) and words <= bought | others | _load("credit_notes")
    if not has_sales and words.isdisjoint(_load("invoices")):
        return read_document_type
    return partial(read_document_type, purchases=bought, others=others)


def _read_word(folded: str) -> str:
    """Return the word of a state or a kind of documents, without the code before it."""
    return _SEPARATORS.sub(" ", _CODE.sub("", folded, count=1)).strip(_AROUND)


def is_state_heading(heading: str) -> bool:
    """Return whether a column of this name may hold the states of orders or contracts, whose words may stand
    behind it: `Estatus del contrato`."""
    bare = _OF.sub("", fold_text(heading))
    return _fold_heading(bare) in _load_headings("state_headings") or _is_called(_fold_heading(bare), _STATUS)


def _is_called(folded: str, words: tuple[str, ...]) -> bool:
    return folded.endswith(words) or (not folded.isascii() and folded.startswith(words))


def _find_state_columns(
    titles: Mapping[int, str], texts: Mapping[int, Collection[str]], of: StatesOf
) -> list[int]:
    """Return the positions of the columns of states: all that leave out orders, else the first. Below any
    other heading all words must be known states, of both kinds; what is called a status has states whatever
    its words, and one of them that is known leaves no doubt of it."""
    found: dict[int, bool | None] = {}
    for at, title in titles.items():
        values = list(islice(dict.fromkeys(map(fold_text, texts[at])), _MOST_STATES))
        meanings: list[StateMeaning] = [read_state(value, of) for value in values]
        known = len(meanings) - meanings.count("not known")
        if not is_state_heading(title):
            if {*meanings} == _BOTH_KINDS:
                found[at] = True
        elif _COUNTS_NOT in meanings or (known and known >= MIN_KNOWN_SHARE * len(meanings)):
            found[at] = _COUNTS_NOT in meanings
        elif len(values) > 1 and not are_flags(values):
            are_codes = all(map(_STATE_CODE.fullmatch, values))
            is_status = len(values) <= _AMBIGUOUS_TYPES and _is_called(_fold_heading(title), _STATUS)
            if are_codes or (is_status and not any(map(_NO_WORD.fullmatch, values))):
                found[at] = are_codes or None
    return [at for at, one in found.items() if one] or sorted(found, key=lambda at: found[at] is None)[:1]


class RowStates:
    """The columns of a file that say which of its rows do not count: `columns` leads from their positions
    to what reads their values; of none, every row counts. `decided` says of states whether
    their rows count, as a person did: it goes before what the words mean. `cancellations` are the positions
    of those that may have the day on which a contract was cancelled."""

    def __init__(
        self,
        columns: Mapping[int, Callable[[str], StateMeaning]],
        header: Sequence[str],
        decided: Mapping[str, bool],
        of: StatesOf,
    ) -> None:
        self.positions = columns.keys()
        self.cancellations = [at for at, read in columns.items() if read is _read_cancellation]
        self._of: StatesOf = of
        self._decided = {fold_text(state): counts for state, counts in decided.items()}
        self._columns = [
            (at, header[at].strip(), CellCache(partial(self._read_cell, read)))
            for at, read in columns.items()
        ]

    @classmethod
    def find(
        cls,
        header: Sequence[str],
        columns: Collection[int],
        rows: Sequence[Sequence[object]],
        decided: Mapping[str, bool],
        of: StatesOf = "purchases",
    ) -> "RowStates":
        """Find them among the columns at these positions, which have no other meaning."""
        titles = {at: _GROUP.sub("", header[at].strip()) for at in sorted(columns)}
        texts_of = {at: dict.fromkeys(list_texts(rows, at)) for at in titles}
        states = _find_state_columns(titles, texts_of, of)
        found: dict[int, Callable[[str], StateMeaning]] = dict.fromkeys(states, partial(read_state, of=of))
        for at in states if of == "agreements" else ():
            if any(_read_word(fold_text(text)) in _load("awarded") for text in texts_of[at]):
                found[at] = _read_award
        for at, title in titles.items():
            folded, texts = _fold_heading(title), texts_of[at]
            if folded in _load_headings(_WITH_YES.get(of, "")) and are_flags(texts):
                found[at] = _read_activity
            elif folded in _load_headings("flag_headings") or _marks_deleted(title, texts, of):
                found[at] = _read_cancellation if of == "agreements" else read_deletion
            elif (
                of == "purchases"
                and len(texts) <= _AMBIGUOUS_TYPES
                and (
                    folded in _load_headings("type_headings")
                    or _is_called(folded, _TYPE)
                    or (
                        not (words := {_read_word(fold_text(one)) for one in texts}).isdisjoint(
                            _load("invoices")
                        )
                        and any(map(names_credit_note, words))
                    )
                )
            ):
                found[at] = choose_type_reader(texts)
        return cls(found, header, decided, of)

    def read(self, cells: Sequence[object]) -> tuple[StateMeaning, str, str]:
        """Return whether a row counts, and the heading and the value that say so. One without a state
        counts."""
        unknown: tuple[StateMeaning, str, str] = _COUNTS, "", ""
        for at, title, known in self._columns:
            cell = cells[at] if at < len(cells) else None
            meaning = known[cell] if isinstance(cell, str) else known.read(cell)
            if meaning == _COUNTS_NOT:
                return meaning, title, format_cell(cell).strip()
            if meaning != _COUNTS:
                unknown = meaning, title, format_cell(cell).strip()
        return unknown

    def leave_out(self, row: TableRow, questions: Questions | None) -> RejectedRow | None:
        """Return a row that does not count as refused; a state that is not known is asked about."""
        meaning, heading, value = self.read(row[1])
        if meaning == _COUNTS_NOT:
            reason = f"{heading} says {value[:40]!r}: {_LEFT_OUT[self._of]}"
            return RejectedRow(row[0], reason, column=heading)
        if meaning != _COUNTS and questions is not None:
            questions.ask_state(heading, value, _COUNTED[self._of])
        return None

    def _read_cell(self, read: Callable[[str], StateMeaning], cell: object) -> StateMeaning:
        text = format_cell(cell).strip()
        if is_blank(text):
            return _COUNTS
        decided = self._decided.get(fold_text(text))
        if decided is not None:
            return _COUNTS if decided else _COUNTS_NOT
        return _COUNTS_NOT if read is read_deletion and _is_day(cell, text) else read(text)


def _marks_deleted(title: str, texts: Collection[str], of: StatesOf) -> bool:
    """Whether a column is named after a state that does not count, and says yes or no to it, or is a D."""
    if _fold_heading(title) == "d":
        return {*map(fold_text, texts)} == {"l"}
    if of == "suppliers" or not are_flags(texts):
        return False  # a supplier may be a customer too
    words = read_heading(title).words
    states = {word for word in words if read_state(word, of) == _COUNTS_NOT}
    beside = list_word_group("row") | list_word_group("order") | _load_headings("beside_flags")
    return read_state(title, of) == _COUNTS_NOT or (bool(states) and {*words} - states <= beside)


def _is_day(cell: object, text: str) -> bool:
    """Whether a cell has the day on which something was cancelled."""
    with suppress(NotADate):
        return isinstance(cell, date) or (isinstance(cell, str) and bool(read_date(text).all))
    return False
