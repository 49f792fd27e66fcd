"""The evidence of a requirement as a workbook whose amounts are formulas: prices, quantities and rates can be
changed in it, and the sums follow. Pure.

Each formula has the service's own figure as its stored value; where a double would round another way, the
figure stands without a formula.
"""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from io import BytesIO
from typing import Any

import xlsxwriter  # pyright: ignore[reportMissingTypeStubs]
from xlsxwriter.utility import xl_rowcol_to_cell  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from app.contract.sourcing import PERIODS, MatrixCell, MatrixQuote, RequirementLine, SourcingQuoteLine
from app.service.charges.charge import MONTHS_PER
from app.service.charges.schedule import list_years
from app.service.sourcing.evidence.content import (
    Evidence,
    Section,
    chosen_cells,
    clean_text,
    describe_cells,
    describe_coverage,
    list_sections,
    list_stepped_lines,
)
from app.service.values.rounding import round_to_cents

_OPTIONS = {"strings_to_numbers": False, "strings_to_formulas": False, "strings_to_urls": False}
_LINES, _RATES, _TABLE = "Lines", "Rates", "Table"
_LONGEST_CELL = 32_000


def write_evidence(evidence: Evidence) -> bytes:
    """Return the workbook."""
    out = BytesIO()
    book: Any = xlsxwriter.Workbook(out, _OPTIONS)
    book.set_properties({"created": evidence.made_at.replace(tzinfo=None)})
    _Writer(book, evidence).write()
    book.close()
    return out.getvalue()


class _Writer:
    def __init__(self, book: Any, evidence: Evidence) -> None:
        self._book, self._evidence = book, evidence
        self._bold = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})
        self._text = book.add_format({"text_wrap": True, "valign": "top"})
        self._money = book.add_format({"num_format": "#,##0.00", "valign": "top"})
        self._sum = book.add_format({"num_format": "#,##0.00", "bold": True})
        self._amounts: dict[str, str] = {}
        self._rates: dict[str, str] = {}
        self._discounts = {one.id: one.discounts or [] for one in evidence.quotes}

    def write(self) -> None:
        sections = list_sections(self._evidence)
        for section in sections:
            if not section.title.startswith("Table of quotes"):
                self._write_section(section)
        self._write_rates()
        self._write_lines()
        self._write_table()

    def _add_sheet(self, name: str, headings: Sequence[str], top: int = 0, *, fixed: int = 0) -> Any:
        sheet = self._book.add_worksheet(name)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(top)
        sheet.freeze_panes(top + 1, fixed)
        sheet.set_footer("&L&A&RPage &P of &N")
        for at, heading in enumerate(headings):
            sheet.write_string(top, at, heading, self._bold)
            sheet.set_column(at, at, 40 if heading in ("Line", "What is needed") else 18)
        return sheet

    def _write_section(self, section: Section) -> None:
        headings = section.tables[0].headings if section.tables else ()
        top = len(section.sentences)
        sheet = self._add_sheet(section.title, headings, top)
        for at, sentence in enumerate(section.sentences):
            sheet.write_string(at, 0, sentence[:_LONGEST_CELL])
        for table in section.tables:
            for row, texts in enumerate(table.rows, top + 1):
                for at, text in enumerate(texts):
                    sheet.write_string(row, at, text[:_LONGEST_CELL], self._text)

    def _write_rates(self) -> None:
        """Write the rate of each quote, and remember its cell."""
        currency = self._evidence.matrix.requirement.currency
        sheet = self._add_sheet(_RATES, ("Supplier", "Currency", f"One unit in {currency}", "Rate of"))
        for row, quote in enumerate(self._evidence.matrix.quotes, 1):
            sheet.write_string(row, 0, clean_text(quote.supplier_name), self._text)
            sheet.write_string(row, 1, quote.shown_currency)
            if quote.rate is None:
                sheet.write_string(row, 2, "no rate")
                continue
            sheet.write_number(row, 2, float(quote.rate))
            sheet.write_string(row, 3, quote.rate_date.isoformat() if quote.rate_date else "")
            self._rates[quote.quote_id] = f"{_RATES}!{xl_rowcol_to_cell(row, 2, True, True)}"

    def _write_lines(self) -> None:
        """Write each line of each quote that answers something, and remember the cell of its amount."""
        evidence = self._evidence
        headings = ("Supplier", "Line", "Quoted as", "Quantity", "Unit price", "Currency", "Paid")
        headings = (*headings, "Price of the quantity", f"Amount in {evidence.matrix.requirement.currency}")
        sheet = self._add_sheet(_LINES, (*headings, "Remark"))
        quotes = {one.quote_id: one for one in evidence.matrix.quotes}
        quoted = {line.id: line for one in evidence.quotes for line in one.lines}
        row = 0
        for one in evidence.matrix.lines:
            for cell in one.cells:
                row += 1
                quote, line = quotes[cell.quote_id], quoted[cell.quote_line_id]
                self._write_line(sheet, row, one.line, cell, quote, line)

    def _write_line(
        self,
        sheet: Any,
        row: int,
        needed: RequirementLine,
        cell: MatrixCell,
        quote: MatrixQuote,
        line: SourcingQuoteLine,
    ) -> None:
        texts = {0: quote.supplier_name, 1: needed.description, 2: line.description, 5: quote.shown_currency}
        for at, text in {**texts, 6: PERIODS.get(cell.recurring, cell.recurring)}.items():
            sheet.write_string(row, at, clean_text(text)[:_LONGEST_CELL], self._text)
        sheet.write_number(row, 3, float(needed.quantity))
        sheet.write_number(row, 4, float(_compared_price(cell)))
        remarks = [clean_text(cell.reason or ""), "Has price breaks." if line.breaks else ""]
        sheet.write_string(row, 9, " ".join(filter(None, remarks)), self._text)
        rate = quote.rate
        if cell.amount is None or rate is None:
            sheet.write_string(row, 8, "not known")
            return
        self._amounts[cell.quote_line_id] = f"{_LINES}!{xl_rowcol_to_cell(row, 8)}"
        if line.breaks:
            # A step is no product of two cells: the figure stands as it was computed.
            sheet.write_number(row, 8, float(cell.amount), self._money)
            return
        price = needed.quantity * _compared_price(cell)
        sheet.write_formula(row, 7, f"=D{row + 1}*E{row + 1}", self._money, float(price))
        parts = _list_payments(cell.recurring, self._evidence.matrix.requirement.term_months)
        formula = "+".join(
            f"{count}*ROUND(H{row + 1}*{months}/{divisor}*{self._rates[cell.quote_id]},2)"
            for count, months, divisor in parts
        )
        computed = sum(
            count * _round_double(float(price) * months / divisor * float(rate))
            for count, months, divisor in parts
        )
        if computed == cell.amount:
            sheet.write_formula(row, 8, f"={formula}", self._money, float(cell.amount))
        else:
            sheet.write_number(row, 8, float(cell.amount), self._money)

    def _write_table(self) -> None:
        """Write the table: a cell that counts is the amount of its line, and any other is a text."""
        evidence = self._evidence
        stepped = list_stepped_lines(evidence)
        names = [clean_text(one.supplier_name) for one in evidence.matrix.quotes]
        market = f"Market in {evidence.matrix.requirement.currency}"
        sheet = self._add_sheet(_TABLE, ("No", "Line", market, *names), fixed=2)
        for row, one in enumerate(evidence.matrix.lines, 1):
            sheet.write_number(row, 0, row)
            sheet.write_string(row, 1, clean_text(one.line.description)[:_LONGEST_CELL], self._text)
            if one.market is not None and one.market.median is not None:
                sheet.write_number(row, 2, float(one.market.median), self._money)
            else:
                sheet.write_string(row, 2, "not known")
            chosen = chosen_cells(one)
            for at, quote in enumerate(evidence.matrix.quotes, 3):
                cell = chosen.get(quote.quote_id)
                if cell is not None and cell.amount is not None:
                    reference = f"={self._amounts[cell.quote_line_id]}"
                    sheet.write_formula(row, at, reference, self._money, float(cell.amount))
                else:
                    sheet.write_string(
                        row, at, describe_cells(one, quote, stepped)[:_LONGEST_CELL], self._text
                    )
        self._write_totals(sheet)

    def _write_totals(self, sheet: Any) -> None:
        """Write what the cells that are compared add up to, and what remains after the volume discount of the
        step that is reached."""
        last = len(self._evidence.matrix.lines)
        names = ("Cells that are compared", "Volume discount", "Whole term", "Compared")
        for row, name in enumerate(names, last + 1):
            sheet.write_string(row, 1, name, self._bold)
        for at, quote in enumerate(self._evidence.matrix.quotes, 3):
            total = quote.whole_term
            sheet.write_string(last + 4, at, describe_coverage(total), self._text)
            if total.amount is None:
                sheet.write_string(last + 3, at, "nothing compared")
                continue
            first, end, cells, discount = (
                xl_rowcol_to_cell(row, at) for row in (1, last, last + 1, last + 2)
            )
            sheet.write_formula(last + 1, at, f"=SUM({first}:{end})", self._money, float(quote.total))
            self._write_discount(sheet, last + 2, at, quote, cells)
            kind = self._money if total.rank is None else self._sum
            sheet.write_formula(last + 3, at, f"={cells}-{discount}", kind, float(total.amount))

    def _write_discount(self, sheet: Any, row: int, at: int, quote: MatrixQuote, cells: str) -> None:
        """Write what the volume discounts of a quote take off what is in `cells`: of its steps the highest
        that is reached."""
        formula, percent = "0", Decimal(0)
        for one in sorted(self._discounts[quote.quote_id], key=lambda one: one.from_amount):
            reached = f"{cells}>={one.from_amount:f}*{self._rates[quote.quote_id]}"
            formula = f"IF({reached},ROUND({cells}*{one.percent:f}/100,2),{formula})"
            percent = one.percent if quote.total >= one.from_amount * (quote.rate or 0) else percent
        computed = _round_double(float(quote.total) * float(percent) / 100)
        if formula != "0" and computed == quote.discount:
            sheet.write_formula(row, at, f"={formula}", self._money, float(quote.discount))
        else:
            sheet.write_number(row, at, float(quote.discount), self._money)


def _compared_price(cell: MatrixCell) -> Decimal:
    """The price of one unit of the requirement, before tax."""
    return cell.unit_price if cell.compared_unit_price is None else cell.compared_unit_price


def _list_payments(recurring: str, term_months: int) -> list[tuple[int, int, int]]:
    """Return how often which part of a price is paid: years of equal length, their months, and the months
    that the price covers. Each year is rounded by itself, as the service does."""
    period = next((months for per, months in MONTHS_PER.items() if per == recurring), None)
    if period is None:
        return [(1, 1, 1)]
    lengths = Counter(months for _, months in list_years(term_months))
    return [(count, months, period) for months, count in lengths.items()]


def _round_double(value: float) -> Decimal:
    """Round as a spreadsheet does: half up, of the shortest text that the double has in 15 digits."""
    return round_to_cents(Decimal(f"{value:.15g}"))
