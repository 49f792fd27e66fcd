"""The scenario from what was entered into its form, or what is wrong with it."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import ValidationError

from app.contract.sourcing import Matrix, MatrixLine, NewScenario, Scenario
from app.dashboard.kit.form import CheckedForm
from app.dashboard.kit.rows import join_row_faults, place_faults
from components.elements.form_fields import Fields, get_amount, get_months
from components.elements.table import Row
from components.formatting.texts import shorten_text
from components.sourcing.scenarios import LINE, SUPPLIER

_LONGEST_TEXT = 200


def validate_scenario(
    fields: Fields, rows: Sequence[Row], matrix: Matrix, names: Mapping[str, str]
) -> CheckedForm[NewScenario]:
    """Return the scenario to send, or the faults by field; `rows` are those of the award by hand, a row for
    each line of the requirement."""
    constraints: dict[str, Any] = {
        "maxSuppliers": get_months(fields, "maxSuppliers"),
        "maxShare": get_amount(fields, "maxShare"),
        "excludedQuotes": _list_ids(fields, "excludedQuotes") or None,
        "keepQuotes": _list_ids(fields, "keepQuotes") or None,
        "wholeBundles": True if fields.get("wholeBundles") else None,
    }
    stated: dict[str, Any] = {
        "objective": fields.get("objective") or "cheapest_split",
        "constraints": {name: value for name, value in constraints.items() if value is not None},
    }
    if stated["objective"] == "by_hand":
        award, wrong = _read_award(rows, matrix, names)
        if wrong:
            return CheckedForm(None, {"award": join_row_faults(wrong)})
        if not award:
            return CheckedForm(None, {"award": "Choose a supplier for at least one line."})
        stated["award"] = award
    both = set(_list_ids(fields, "excludedQuotes")) & set(_list_ids(fields, "keepQuotes"))
    if both:
        return CheckedForm(None, {"keepQuotes": "Not something and nothing to the same supplier."})
    try:
        return CheckedForm(NewScenario.model_validate(stated), {})
    except ValidationError as refusal:
        return CheckedForm(None, place_faults(refusal))


def make_award_rows(matrix: Matrix, names: Mapping[str, str], best: Scenario | None) -> list[Row]:
    """Return a row for each line with the supplier that `best` awards it to; without one, the lowest."""
    awarded = {line.requirement_line_id: line.quote_id for line in best.award} if best is not None else {}
    return [
        {
            LINE: shorten_text(" ".join(one.line.description.split()), _LONGEST_TEXT),
            SUPPLIER: names.get(awarded.get(one.line.id, "") if best is not None else _find_lowest(one)),
        }
        for one in matrix.lines
    ]


def _find_lowest(line: MatrixLine) -> str:
    return next((cell.quote_id for cell in line.cells if cell.lowest), "")


def _read_award(
    rows: Sequence[Row], matrix: Matrix, names: Mapping[str, str]
) -> tuple[list[str], list[tuple[int, str]]]:
    """Return the lines of quotes that are awarded, and what is wrong by row."""
    ids = {name: ident for ident, name in names.items()}
    award: list[str] = []
    wrong: list[tuple[int, str]] = []
    for place, (row, line) in enumerate(zip(rows, matrix.lines, strict=True)):
        chosen = row.get(SUPPLIER)
        if not isinstance(chosen, str) or not chosen:
            continue
        # The service lists the cheapest comparable line of a quote first.
        cell = next((one for one in line.cells if one.quote_id == ids.get(chosen) and one.comparable), None)
        if cell is None:
            wrong.append((place, f"{chosen} asks nothing for it that can be compared."))
        else:
            award.append(cell.quote_line_id)
    return award, wrong


def _list_ids(fields: Fields, name: str) -> list[str]:
    value = fields.get(name)
    return [str(one) for one in cast(Sequence[object], value)] if isinstance(value, (list, tuple)) else []
