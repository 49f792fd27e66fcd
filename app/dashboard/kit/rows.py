"""The cells of the editors of lines: what they hold, and what is wrong with a row."""

from collections.abc import Iterable, Mapping
from decimal import Decimal

from pydantic import ValidationError
from pydantic.alias_generators import to_camel

from app.contract.validation_messages import describe_fault
from components.elements.table import Row

MOST_FAULTS = 5
"""So many rows are named; a pasted sheet may have hundreds that are wrong."""


def get_cell_text(row: Row, column: str) -> str:
    """Return the text of a cell without surrounding spaces."""
    value = row.get(column)
    return value.strip() if isinstance(value, str) else ""


def get_cell_number(row: Row, column: str) -> Decimal | None:
    """Return the number of a cell; None where it is empty or no number."""
    value = row.get(column)
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    number = Decimal(str(value))
    return number if number.is_finite() else None


def join_row_faults(faults: Iterable[tuple[int, str]]) -> str:
    """Return one sentence for each of the first rows that are wrong, by their numbers in the editor."""
    known = list(faults)
    shown = [f"Line {place + 1}: {fault}" for place, fault in known[:MOST_FAULTS]]
    more = len(known) - len(shown)
    return " ".join([*shown, *([f"And {more:,} more."] if more else [])])


def place_faults(refusal: ValidationError) -> Mapping[str, str]:
    """Return what the contract refuses by the name of the innermost field; of lines all under `lines`."""
    faults: dict[str, str] = {}
    in_lines: list[tuple[int, str]] = []
    for error in refusal.errors():
        place, fault = error["loc"], describe_fault(error)
        if len(place) > 1 and place[0] == "lines" and isinstance(place[1], int):
            in_lines.append((place[1], f"{place[-1]} {fault}."))
        else:
            named = [part for part in place if isinstance(part, str)]
            faults[to_camel(named[-1]) if named else ""] = f"It {fault}."
    return {**faults, **({"lines": join_row_faults(in_lines)} if in_lines else {})}
