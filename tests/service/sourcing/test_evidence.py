"""The evidence of a requirement: formulas that give the service's sums, and a page that prints."""

import ast
import io
import re
from decimal import ROUND_HALF_UP, Decimal
from html.parser import HTMLParser
from typing import Any

from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet
from pypdfium2 import PdfDocument
from starlette.testclient import TestClient

from app.contract.sourcing import NO_AWARD_FOUND
from app.service.context import Context
from app.service.sourcing.store import find_scenario, update_scenario
from tests.service.sourcing.test_routes import quote, solve, state

HOSTILE = '=HYPERLINK("http://x.example")\x07<img src=x onerror=alert(1)>\u202e' + "w" * 300


class Book:
    """A workbook whose formulas are computed here, and not taken from the values stored in it."""

    def __init__(self, content: bytes) -> None:
        self.formulas = load_workbook(io.BytesIO(content))
        self.values = load_workbook(io.BytesIO(content), data_only=True)

    def compute(self, sheet: str, cell: str) -> Decimal:
        held = self.formulas[sheet][cell].value
        if isinstance(held, str) and held.startswith("="):
            return self._evaluate(sheet, held[1:])
        return Decimal(str(held)) if isinstance(held, int | float) else Decimal(0)

    def _evaluate(self, sheet: str, formula: str) -> Decimal:
        if total := re.fullmatch(r"SUM\(([A-Z]+)(\d+):[A-Z]+(\d+)\)", formula):
            column, first, last = total.groups()
            rows = range(int(first), int(last) + 1)
            return sum((self.compute(sheet, f"{column}{row}") for row in rows), Decimal(0))
        plain = formula.replace("$", "")

        def look_up(found: re.Match[str]) -> str:
            return f"Decimal('{self.compute(found[1] or sheet, found[2])}')"

        plain = re.sub(r"(?:(\w+)!)?\b([A-Z]+\d+)\b", look_up, plain)
        return _compute(ast.parse(plain, mode="eval").body)


def _compute(node: ast.expr) -> Decimal:
    match node:
        case ast.Constant():
            return Decimal(str(node.value))
        case ast.BinOp():
            left, right = _compute(node.left), _compute(node.right)
            match node.op:
                case ast.Add():
                    return left + right
                case ast.Sub():
                    return left - right
                case ast.Mult():
                    return left * right
                case ast.Div():
                    return left / right
                case _:
                    raise AssertionError(ast.dump(node))
        case ast.Call(func=ast.Name(id="IF"), args=[ast.Compare(left=left, comparators=[right]), *results]):
            return _compute(results[0 if _compute(left) >= _compute(right) else 1])
        case ast.Call(func=ast.Name(id="ROUND")):
            return _compute(node.args[0]).quantize(Decimal("0.01"), ROUND_HALF_UP)
        case ast.Call(func=ast.Name(id="Decimal")):
            return _compute(node.args[0])
        case _:
            raise AssertionError(ast.dump(node))


def get(api: TestClient, requirement: dict[str, Any], kind: str) -> bytes:
    answer = api.get(f"/v1/requirements/{requirement['id']}/evidence.{kind}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"] == f'attachment; filename="evidence.{kind}"'
    return answer.content


def read_pdf(content: bytes) -> str:
    """The text of a PDF, its lines joined and without the places where a long word may break."""
    texts = [sheet.get_textpage().get_text_bounded() for sheet in PdfDocument(content)]
    return " ".join(" ".join(texts).replace("\u200b", "").split())


def list_texts(sheet: Worksheet) -> list[str]:
    return [str(cell.value) for row in sheet.iter_rows() for cell in row if cell.value is not None]


def test_the_formulas_of_the_workbook_add_up_to_the_totals_of_the_service(api: TestClient) -> None:
    requirement = state(api, termMonths=30)
    steps = [{"fromAmount": at, "percent": percent} for at, percent in ((4_000, 2.5), (9_000, 50), (0, 1))]
    quote(api, requirement, "Alpha", 100.335, 50.07, 20, discounts=steps)
    quote(api, requirement, "Beta", 33.333333, 0, 19.995)
    line = {"recurring": "month", "quantity": 10, "requirementLineId": requirement["lines"][1]["id"]}
    steps = [{"fromQuantity": 5, "unitPrice": 7.77, "kind": "incremental"}]
    lines = [{**line, "description": "x", "unitPrice": 9.99, "breaks": steps}]
    body = {"supplierName": "Gamma", "currency": "USD", "lines": lines}
    assert api.post(f"/v1/requirements/{requirement['id']}/quotes", json=body).status_code == 201
    book = Book(get(api, requirement, "xlsx"))
    matrix = api.get(f"/v1/requirements/{requirement['id']}/matrix").json()
    for column, one in zip("DEF", matrix["quotes"], strict=True):
        total = Decimal(str(one["total"]))
        assert book.compute("Table", f"{column}5") == total
        assert Decimal(str(book.values["Table"][f"{column}5"].value)) == total
        whole = Decimal(str(one["wholeTerm"]["amount"]))
        assert book.compute("Table", f"{column}7") == whole
        assert Decimal(str(book.values["Table"][f"{column}7"].value)) == whole
    assert [book.values["Table"][f"{column}8"].value for column in "DEF"] == [
        *("number 1", "2 of 3 lines; not ranked", "1 of 3 lines; not ranked")
    ]
    assert matrix["quotes"][0]["discount"] == round(matrix["quotes"][0]["total"] * 0.025, 2)
    formulas = [str(row[8].value) for row in book.formulas["Lines"].iter_rows(min_row=2)]
    assert sum(one.startswith("=") for one in formulas) == len(formulas) - 1, "only steps stand as a figure"
    assert get(api, requirement, "html").decode().count("9.99 a month before price breaks") == 1


def test_what_suppliers_write_is_text_in_every_format(api: TestClient) -> None:
    lines = [{"description": HOSTILE, "quantity": 1, "unit": HOSTILE[:90], "mustHave": True}]
    requirement = state(api, name=HOSTILE, lines=lines)
    quote(api, requirement, HOSTILE, 5)
    solve(api, requirement, "cheapest_split")
    book = load_workbook(io.BytesIO(get(api, requirement, "xlsx")))
    formulas = [
        str(cell.value)
        for sheet in book
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    ]
    assert formulas
    assert not [one for one in formulas if "HYPERLINK" in one]
    assert not [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.hyperlink]
    tags: set[str] = set()

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.add(tag)

    page = get(api, requirement, "html").decode()
    Reader().feed(page)
    assert "img" not in tags
    assert "script" not in tags
    assert "&lt;img src=x" in page
    assert "\x07" not in page
    assert "\u202e" not in page
    drawn = read_pdf(get(api, requirement, "pdf"))
    assert "<img src=x onerror=alert(1)>" in drawn
    assert "cannot be drawn" not in drawn


def test_the_pdf_says_that_it_has_letters_which_it_cannot_draw(api: TestClient) -> None:
    lines = [{"description": "Ausrüstung Ωμέγα Цена", "quantity": 2, "mustHave": True}]
    requirement = state(api, lines=lines)
    quote(api, requirement, "Šťastný", 5)
    plain = read_pdf(get(api, requirement, "pdf"))
    assert "Ausrüstung Ωμέγα Цена" in plain
    assert "Šťastný" in plain
    assert "cannot be drawn" not in plain
    quote(api, requirement, "\U00011ac0", 5)  # Pau Cin Hau, which hardly a machine has a font for
    assert "cannot be drawn" in read_pdf(get(api, requirement, "pdf"))


def test_the_decision_and_the_scenarios_are_in_it(api: TestClient) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 100, 50, 20)
    quote(api, requirement, "Beta", 90, 70, 20, validUntil="2020-01-31")
    scenario = solve(api, requirement, "cheapest_single")
    body = {"scenarioId": scenario["id"], "make": "agreements", "reason": "Cheap & sure.", "decidedBy": "Bea"}
    assert api.post(f"/v1/requirements/{requirement['id']}/award", json=body).status_code == 201
    page = get(api, requirement, "html").decode()
    for text in ("by Bea.", "Reason: Cheap &amp; sure.", "expired on 31 January 2020", "proven: no award"):
        assert text in page
    texts = list_texts(load_workbook(io.BytesIO(get(api, requirement, "xlsx")))["Decision"])
    assert "Reason: Cheap & sure." in texts


def test_what_is_proven_of_a_scenario_depends_on_its_objective(api: TestClient) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 100, 50, 20, leadTimeDays=5)
    quote(api, requirement, "Beta", 10, 5, 2, leadTimeDays=30)
    solve(api, requirement, "earliest")
    page = get(api, requirement, "html").decode()
    assert "no award is delivered sooner" in page
    assert "keeps to this costs less" not in page


def test_a_scenario_of_which_no_award_was_found_in_time_has_no_best_one(
    api: TestClient, context: Context
) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 100, 50, 20)
    quote(api, requirement, "Beta", 90, 70, 20)
    solved = solve(api, requirement, "cheapest_split")
    with context.database.writing() as connection:
        found = find_scenario(connection, requirement["id"], solved["id"])
        lost = {"status": "gap", "total": None, "gap": None, "bound": None, "award": []}
        update_scenario(connection, found.model_copy(update=lost))
    page = get(api, requirement, "html").decode()
    assert NO_AWARD_FOUND in page
    assert "the best that was found" not in page


def test_what_a_split_saves_and_what_was_not_matched_is_in_it(api: TestClient) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 100, 50, 20)
    quote(api, requirement, "Beta", 90, 70, 20)
    stray = {"description": "Zeppelin", "quantity": 1, "unitPrice": 5, "recurring": "once"}
    body = {"supplierName": "Gamma", "currency": "USD", "lines": [stray]}
    assert api.post(f"/v1/requirements/{requirement['id']}/quotes", json=body).status_code == 201
    split = solve(api, requirement, "cheapest_split")["singleSupplier"]
    said = (
        f"Saves USD {split['saving']:,.2f} against {split['supplierName']} alone for {split['total']:,.2f}."
    )
    assert said in get(api, requirement, "html").decode()
    assert "nothing matched" in list_texts(load_workbook(io.BytesIO(get(api, requirement, "xlsx")))["Table"])


def test_a_computed_price_of_a_unit_is_rounded_as_on_the_page(api: TestClient) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 1333.33333333333, 0.125, 1)
    page = get(api, requirement, "html").decode()
    assert "(USD 1,333.33 a" in page
    assert "(USD 0.125 a" in page


def test_without_quotes_the_document_says_so(api: TestClient, stranger: TestClient) -> None:
    requirement = state(api)
    assert "No quote answers the requirement." in get(api, requirement, "html").decode()
    book = load_workbook(io.BytesIO(get(api, requirement, "xlsx")))
    assert "No quote answers the requirement." in list_texts(book["Quotes"])
    for kind in ("html", "xlsx"):
        for caller, one in ((stranger, requirement["id"]), (api, "01890000-0000-7000-8000-000000000000")):
            assert caller.get(f"/v1/requirements/{one}/evidence.{kind}").status_code == 404
