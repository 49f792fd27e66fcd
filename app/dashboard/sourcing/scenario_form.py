"""The form of a scenario, and the award by hand in it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.contract.sourcing import MAX_QUOTES, Matrix, MatrixLine, NewScenario, Scenario
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import Field, Form
from app.dashboard.kit.rows import join_row_faults
from components.elements.form_fields import Fields
from components.elements.table import Row
from components.formatting.texts import shorten_text
from components.sourcing.scenarios import EXPLANATIONS, LINE, OBJECTIVES, SUPPLIER

_LONGEST_TEXT = 200


def make_scenario_form(
    deployment: Deployment,
    matrix: Matrix,
    names: Mapping[str, str],
    read_award: Callable[[], Sequence[Row]],
) -> Form[NewScenario]:
    """Return the form of a scenario; `names` are those of the quotes by id, and `read_award` gives the award
    by hand, a row for each line of the requirement."""

    def check(values: Mapping[str, Any]) -> dict[str, str]:
        if set(values["excludedQuotes"] or ()) & set(values["keepQuotes"] or ()):
            return {"keepQuotes": "Not something and nothing to the same supplier."}
        if values["objective"] != "by_hand":
            return {}
        award, wrong = _read_award(read_award(), matrix, names)
        if wrong:
            return {"award": join_row_faults(wrong)}
        return {} if award else {"award": "Choose a supplier for at least one line."}

    def shape(values: Fields) -> dict[str, Any]:
        objective = values["objective"] or "cheapest_split"
        constraints = {name: value for name, value in values.items() if value and name != "objective"}
        by_hand = objective == "by_hand"
        return {
            "objective": objective,
            "constraints": constraints,
            "award": _read_award(read_award(), matrix, names)[0] if by_hand else None,
        }

    return Form(
        deployment,
        f"scenario-of-{matrix.requirement.id}",
        NewScenario,
        (
            Field(
                "objective",
                "What it is to reach",
                kind="radio",
                words=OBJECTIVES,
                captions=list(EXPLANATIONS.values()),
                default="cheapest_split",
            ),
            Field("maxSuppliers", "At most so many suppliers", kind="number", least=1, most=MAX_QUOTES),
            Field(
                "maxShare",
                "Largest share of one supplier in %",
                kind="amount",
                help="Of the awarded amount, before discounts.",
            ),
            Field("excludedQuotes", "Nothing goes to", kind="several", words=names),
            Field("keepQuotes", "Something goes to", kind="several", words=names),
            Field("wholeBundles", "Bundles are awarded whole or not at all", kind="flag"),
        ),
        shape=shape,
        check_fields=check,
        places={"award": "award"},
    )


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
