"""The results of simple formulas of a sheet: arithmetic, joined texts, comparisons, sums and products.

A file that a program wrote has formulas without results until a spreadsheet program saves it. What is more
than this raises NotSimple, and so does what such a program shows as an error.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import TypeAlias

Value: TypeAlias = float | str | bool | date | None
"""What a cell holds; None where it is empty."""
Look: TypeAlias = Callable[[str | None, int, int], Value]
"""The value of a cell by its sheet (None is that of the formula), row and column, both counted from 0."""
_Place: TypeAlias = tuple[str | None, int, int]

_LONGEST = 2_000
"""Letters of a formula, and of a text that it joins: cells that join others may double a text each time."""
_DEEPEST = 40
_MOST_CELLS = 30_000
"""Cells that one formula may name with its ranges."""
_TOKEN = re.compile(
    r"""\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![\w:!])"""
    r"""|(?P<text>"(?:[^"]|"")*")"""
    r"""|(?P<cell>(?:(?:'(?:[^'\[\]]|'')+'|[^\W\d][\w.]*)!)?\$?[A-Za-z]{1,3}\$?\d{1,7})(?![\w(!.])"""
    r"""|(?P<function>[A-Za-z][A-Za-z0-9.]*)\("""
    r"""|(?P<sign><=|>=|<>|[-+*/^%&(),:<>=]))"""
)
_CELL = re.compile(r"(?:(.+)!)?\$?([A-Za-z]{1,3})\$?(\d{1,7})")
_ADDS_UP = (9, 109)
"""The functions of SUBTOTAL that are a sum."""


class NotSimple(Exception):
    """A formula is not reckoned."""


def evaluate(formula: str, look: Look) -> Value:
    """The result of a formula, with or without its sign of equality. Raises NotSimple."""
    if len(formula) > _LONGEST:
        raise NotSimple
    try:
        return _Reader(formula.removeprefix("="), look).read()
    except (ArithmeticError, ValueError, TypeError, RecursionError) as error:
        raise NotSimple from error


class _Reader:
    """Reads a formula from left to right; each method reads what binds tighter than the one before."""

    def __init__(self, formula: str, look: Look) -> None:
        self._tokens = list(_split(formula))
        self._at = 0
        self._depth = 0
        self._look = look

    def read(self) -> Value:
        result = self._expression()
        if self._at < len(self._tokens):
            raise NotSimple
        if isinstance(result, float) and not math.isfinite(result):
            raise NotSimple
        return result

    def _next(self, *signs: str) -> str | None:
        """The next token, taken, if it is one of these signs."""
        if self._at < len(self._tokens) and self._tokens[self._at] in [("sign", sign) for sign in signs]:
            self._at += 1
            return self._tokens[self._at - 1][1]
        return None

    def _expect(self, sign: str) -> None:
        if self._next(sign) is None:
            raise NotSimple

    def _expression(self) -> Value:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise NotSimple
        value = self._joined(0)
        self._depth -= 1
        return value

    def _joined(self, level: int) -> Value:
        """Read what the signs of a level and of those after it join."""
        if level == len(_SIGNS):
            return self._signed()
        left = self._joined(level + 1)
        while sign := self._next(*_SIGNS[level]):
            left = _OPERATIONS[sign](left, self._joined(level + 1))
        return left

    def _signed(self) -> Value:
        sign = 1
        signed = False
        while found := self._next("-", "+"):
            sign, signed = (-sign if found == "-" else sign), True
        value = self._single()
        while self._next("%"):
            value = _number(value) / 100
        return sign * _number(value) if signed else value

    def _single(self) -> Value:
        if self._next("("):
            value = self._expression()
            self._expect(")")
            return value
        kind, text = self._take()
        if kind == "number":
            return float(text)
        if kind == "text":
            return text[1:-1].replace('""', '"')
        if kind == "cell":
            return self._look(*_read_cell(text))
        if kind == "function":
            return self._call(text.upper())
        raise NotSimple

    def _take(self) -> tuple[str, str]:
        if self._at == len(self._tokens):
            raise NotSimple
        self._at += 1
        return self._tokens[self._at - 1]

    def _call(self, name: str) -> Value:
        arguments = [self._argument()]
        while self._next(","):
            arguments.append(self._argument())
        self._expect(")")
        function = _FUNCTIONS.get(name)
        if function is None:
            raise NotSimple
        return function(arguments)

    def _argument(self) -> list[Value]:
        """The values of a range, or of an expression, one."""
        after = self._tokens[self._at + 1 : self._at + 3]
        if len(after) == 2 and after[0] == ("sign", ":") and after[1][0] == "cell":
            first, last = _read_cell(self._take()[1]), _read_cell(self._tokens[self._at + 1][1])
            self._at += 2
            rows = range(min(first[1], last[1]), max(first[1], last[1]) + 1)
            columns = range(min(first[2], last[2]), max(first[2], last[2]) + 1)
            if last[0] is not None or len(rows) * len(columns) > _MOST_CELLS:
                raise NotSimple
            return [self._look(first[0], row, column) for row in rows for column in columns]
        return [self._expression()]


def _split(formula: str) -> Iterator[tuple[str, str]]:
    """The tokens of a formula with their kinds."""
    at, end = 0, len(formula.rstrip())
    while at < end:
        found = _TOKEN.match(formula, at)
        if found is None or found.lastgroup is None:
            raise NotSimple
        yield found.lastgroup, found[found.lastgroup]
        at = found.end()


def _read_cell(name: str) -> _Place:
    found = _CELL.fullmatch(name)
    if found is None or found[3].strip("0") == "":
        raise NotSimple
    sheet = found[1]
    if sheet is not None and sheet.startswith("'"):
        sheet = sheet[1:-1].replace("''", "'")
    return sheet, int(found[3]) - 1, read_column(found[2].upper())


def _number(value: Value) -> float:
    """A value as arithmetic takes it: an empty cell is 0, and a text or a day is none."""
    if value is None:
        return 0.0
    if isinstance(value, str | date):
        raise NotSimple
    return float(value)


def _text(value: Value) -> str:
    """A value as it is joined to a text; how a day is written there, only a spreadsheet program knows."""
    if isinstance(value, bool | date):
        raise NotSimple
    if value is None:
        return ""
    return value if isinstance(value, str) else f"{value:.15g}"


def _join(left: Value, right: Value) -> str:
    joined = _text(left) + _text(right)
    if len(joined) > _LONGEST:
        raise NotSimple
    return joined


def _add(left: Value, right: Value, sign: int) -> Value:
    if isinstance(left, date):
        if isinstance(right, date):
            if sign > 0:
                raise NotSimple
            return float((_day(left) - _day(right)).days)
        return _day(left) + timedelta(days=int(sign * _number(right)))
    if isinstance(right, date):
        if sign < 0:
            raise NotSimple
        return _day(right) + timedelta(days=int(_number(left)))
    return _number(left) + sign * _number(right)


def _day(value: date) -> date:
    return value.date() if isinstance(value, datetime) else value


def _equals(left: Value, right: Value) -> bool:
    if not isinstance(left, str) and not isinstance(right, str):
        return _number(left) == _number(right)
    one, two = ("" if value is None else value for value in (left, right))
    return isinstance(one, str) and isinstance(two, str) and one.casefold() == two.casefold()


_SIGNS = (("<=", ">=", "<>", "=", "<", ">"), ("&",), ("+", "-"), ("*", "/"), ("^",))
"""The signs between two values, those that bind loosest first."""
_OPERATIONS: Mapping[str, Callable[[Value, Value], Value]] = {
    "=": _equals,
    "<>": lambda left, right: not _equals(left, right),
    "<": lambda left, right: _number(left) < _number(right),
    ">": lambda left, right: _number(left) > _number(right),
    "<=": lambda left, right: _number(left) <= _number(right),
    ">=": lambda left, right: _number(left) >= _number(right),
    "&": _join,
    "+": partial(_add, sign=1),
    "-": partial(_add, sign=-1),
    "*": lambda left, right: _number(left) * _number(right),
    "/": lambda left, right: _number(left) / _number(right),
    "^": lambda left, right: float(_number(left) ** _number(right)),
}


def _numbers(arguments: Sequence[Sequence[Value]]) -> list[float]:
    """The numbers of all arguments; texts and empty cells of ranges count for nothing."""
    values = [value for values in arguments for value in values]
    if any(isinstance(value, date) for value in values):
        raise NotSimple
    return [float(value) for value in values if isinstance(value, float)]


def _rounded(direction: Callable[[float], float]) -> Callable[[Sequence[Sequence[Value]]], Value]:
    def round_to_places(arguments: Sequence[Sequence[Value]]) -> Value:
        values = [_number(_only(one)) for one in arguments]
        scale = 10.0 ** int(values[1] if len(values) == 2 else 0)
        if not 1 <= len(values) <= 2:
            raise NotSimple
        # Twelve digits are beyond any price; without them 1.005 × 100 is a little less than 100.5.
        return math.copysign(direction(round(abs(values[0]) * scale, 9)), values[0]) / scale

    return round_to_places


def _only(values: Sequence[Value]) -> Value:
    if len(values) != 1:
        raise NotSimple
    return values[0]


def _subtotal(arguments: Sequence[Sequence[Value]]) -> Value:
    if _number(_only(arguments[0])) not in _ADDS_UP:
        raise NotSimple
    return math.fsum(_numbers(arguments[1:]))


def _choose(arguments: Sequence[Sequence[Value]]) -> Value:
    parts = [*map(_only, arguments)]
    if not 2 <= len(parts) <= 3 or isinstance(parts[0], str | date):
        raise NotSimple
    return parts[1] if parts[0] else (parts[2] if len(parts) == 3 else False)


def _sum_products(arguments: Sequence[Sequence[Value]]) -> Value:
    if len({len(values) for values in arguments}) != 1:
        raise NotSimple
    columns = [[value if isinstance(value, float) else 0.0 for value in values] for values in arguments]
    return math.fsum(math.prod(row) for row in zip(*columns, strict=True))


_FUNCTIONS: Mapping[str, Callable[[Sequence[Sequence[Value]]], Value]] = {
    "IF": _choose,
    "SUM": lambda arguments: math.fsum(_numbers(arguments)),
    "PRODUCT": lambda arguments: float(math.prod(_numbers(arguments) or [0])),
    "SUMPRODUCT": _sum_products,
    "SUBTOTAL": _subtotal,
    "AVERAGE": lambda arguments: math.fsum(_numbers(arguments)) / len(_numbers(arguments)),
    "MIN": lambda arguments: min(_numbers(arguments), default=0.0),
    "MAX": lambda arguments: max(_numbers(arguments), default=0.0),
    "ABS": lambda arguments: abs(_number(_only(arguments[0]))),
    "ROUND": _rounded(lambda value: math.floor(value + 0.5)),
    "ROUNDUP": _rounded(math.ceil),
    "ROUNDDOWN": _rounded(math.floor),
}


def name_cell(row: int, column: int) -> str:
    letters = ""
    left = column + 1
    while left:
        left, letter = divmod(left - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row + 1}"


def name_range(row: int, column: int, last_row: int, last_column: int) -> str:
    return f"{name_cell(row, column)}:{name_cell(last_row, last_column)}"


def read_column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def name_column(column: int) -> str:
    return name_cell(0, column).rstrip("0123456789")
