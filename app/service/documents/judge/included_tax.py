"""A tax that the total and the lines hold: printed below as contained, or only told by words beside the
prices."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import LineItem, Provenance, list_places
from app.service.documents.fields.totals import LabelledSum, Totals
from app.service.documents.judge.case import Case
from app.service.documents.judge.readings import ROUNDING, fits_tax, sum_lines
from app.service.documents.judge.sentences import format_money
from app.service.documents.layout.document import Document
from app.service.documents.lexicon.column_words import is_tax_clause
from app.service.documents.lexicon.further_languages import HOLDING, fold_phrases
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import phrase
from app.service.documents.lexicon.vocabulary import DISCOUNT
from app.service.documents.tables.detection import Table
from app.service.values.folding import fold
from app.service.values.rounding import is_close, round_to_cents
from app.service.values.tax import TAX_CLAUSE, TAX_NAMES, excludes_tax, includes_tax

_WORDS = WORDS.totals
_HOLDING = rf"(?<![a-z])(?:{_WORDS.holding}|{fold_phrases(HOLDING)}|{WORDS.lines.part_of_above})\w*"
_TAX = rf"(?<![a-z]){TAX_NAMES}(?![a-z])"
_BETWEEN = r"\.?(?:[ (]+(?:\d+[.,]\d+ ?%?|[\w%,]+)){0,4}[ (]+"
_HOLDS_TAX = re.compile(rf"{_HOLDING}{_BETWEEN}{_TAX}|{_TAX}{_BETWEEN}{_HOLDING}")
_HOLDS = re.compile(_HOLDING)
_NOT = phrase(_WORDS.holding_not)
_PRICES = re.compile(rf"{WORDS.columns.price}|{WORDS.columns.amount}|{WORDS.clauses.price}")
_RATE = re.compile(r"(\d+(?:[.,]\d+)?) ?%")
_HIGHEST_RATE = 30
_CENT = Decimal("0.02")
_WORD = re.compile(r"[^\W\d_]+")
_RATE_OF_TAX = re.compile(
    rf"{_TAX}[^\w%]*(?:[a-z]{{1,4}} )?[^\w%]*(?P<after>\d+(?:[.,]\d+)?) ?%"
    rf"|(?<![\d.,])(?P<before>\d+(?:[.,]\d+)?) ?%[^\w%]*(?:[a-z]{{1,4}} )?{_TAX}"
)


def take_out_included_tax(
    case: Case, document: Document, tables: Sequence[Table], sums: Sequence[LabelledSum]
) -> tuple[Case, tuple[str, ...]]:
    """The case with the price before the tax that its total holds; the case as it was where nothing says
    that it holds one, or a tax is known.

    Of a tax that is not printed the rate must be; without one nothing is computed, and that is said.
    """
    totals, total = case.totals, case.totals.total
    if total is None or totals.tax or totals.net != total:
        return case, ()
    printed = next((one for one in sums if _is_contained(one, total, sums)), None)
    if printed is not None:
        return _with_tax(case, total, printed.value, {"tax_total": printed.cell.locate(1.0)}), ()
    texts = list(_list_statements(case, document, tables, sums))
    if not texts:
        return case, ()
    rate = _find_rate(texts, document)
    if rate is None:
        provenance = {name: seen for name, seen in totals.provenance.items() if name != "net_total"}
        case = replace(case, totals=replace(totals, provenance=provenance))
        return case, (f"The total of {format_money(total)} includes a tax; no price before tax is printed.",)
    return _with_tax(case, total, total - round_to_cents(total / (1 + rate / 100)), {}), ()


def mark_included_tax(
    case: Case, document: Document, tables: Sequence[Table], sums: Sequence[LabelledSum]
) -> tuple[LineItem, ...]:
    """The lines of the case, each with the rate of the tax that its price and its amount hold, if they do.

    They do where they make the total and not what is left without the tax, or where words say so and nothing
    says that tax comes on top. A rate is one that makes the tax of the net, or that of the column of rates.
    """
    totals, items = case.totals, tuple(case.items)
    whole = sum_lines(items)
    texts = list(_list_statements(case, document, tables, sums))
    net, total = totals.net, totals.total
    if whole is not None and net is not None and total is not None and totals.tax:
        if _makes_sum(case, whole, net) or not (texts or _makes_sum(case, whole, total)):
            return items
        rates = _list_line_rates(case, tables)
        if rates and is_close(_sum_without(items, rates), net, _CENT * len(items)):
            marked = zip(items, rates, strict=True)
            return tuple(replace(item, tax_included=True, tax_percent=rate) for item, rate in marked)
        rate = _find_single_rate(net, totals.tax, texts, document)
    elif texts:
        rate = _find_rate(texts, document)
    else:
        return items
    return tuple(replace(item, tax_included=True, tax_percent=rate) for item in items)


def _makes_sum(case: Case, whole: Decimal, value: Decimal) -> bool:
    """Whether the lines, less a discount that is known or printed, make a sum."""
    rows = case.figures.rows
    taken_off = (
        abs(one.value)
        for one in case.figures.sums
        if one.value < 0 or DISCOUNT.search(fold(rows[one.order].text))
    )
    rest = whole - value
    return any(is_close(rest, one, ROUNDING) for one in (Decimal(0), case.totals.discount, *taken_off))


def _find_rate(texts: Sequence[str], document: Document) -> Decimal | None:
    """The one rate that words give for the tax that prices hold, else the only one of the document."""
    stated = _list_named_rates(texts) or {rate for text in texts for rate in _list_rates(text)}
    rates = stated or _list_named_rates(_list_texts(document))
    return next(iter(rates)) if len(rates) == 1 else None


def _find_single_rate(net: Decimal, tax: Decimal, texts: Sequence[str], document: Document) -> Decimal | None:
    """The rate of a tax, where all of the net is taxed by one; None where several are printed."""
    named = _list_named_rates(_list_texts(document)) | {rate for text in texts for rate in _list_rates(text)}
    fitting = [rate for rate in named if is_close(net * rate / 100, tax, _CENT)]
    if fitting or named:
        return fitting[0] if len(fitting) == 1 else None
    return _find_round_rate(net, tax)


def _find_round_rate(net: Decimal, tax: Decimal) -> Decimal | None:
    """The rate of a tax where that is a multiple of half a percent."""
    rate = (tax / net * 200).quantize(Decimal(1)) / 2
    return rate if rate and is_close(net * rate / 100, tax, _CENT) else None


def _list_texts(document: Document) -> Collection[str]:
    """The texts of rows and sentences, folded."""
    return dict.fromkeys(fold(run.text) for run in (*document.rows, *document.sentences))


def _list_named_rates(texts: Iterable[str]) -> set[Decimal]:
    """The rates that stand beside a word for a tax."""
    found = (one["after"] or one["before"] for text in texts for one in _RATE_OF_TAX.finditer(text))
    rates = {Decimal(one.replace(",", ".")) for one in found}
    return {rate for rate in rates if 0 < rate <= _HIGHEST_RATE}


def _list_line_rates(case: Case, tables: Sequence[Table]) -> list[Decimal]:
    """The rate that a column of taxes shows for each line; empty unless it does for all."""
    shown: dict[tuple[object, object], Decimal] = {}
    for table in tables:
        columns = [number for number, one in enumerate(table.columns) if one.best_meaning == "tax"]
        for row in table.rows:
            rates = [rate for number in columns if (rate := row.value(number)) is not None]
            if rates and 0 <= rates[0] <= _HIGHEST_RATE:
                shown |= {(cell.page, cell.box): rates[0] for cell in row.cells.values()}
    places = [item.provenance.get("amount") for item in case.items]
    found = [shown.get((place.page, place.box)) for place in places if place is not None]
    known = [rate for rate in found if rate is not None]
    return known if len(known) == len(case.items) else []


def _sum_without(items: Sequence[LineItem], rates: Sequence[Decimal]) -> Decimal:
    """What the lines that count add up to without taxes of these rates."""
    pairs = zip(items, rates, strict=True)
    return sum(
        (one.amount / (1 + rate / 100) for one, rate in pairs if one.amount and not one.optional), Decimal(0)
    )


def _with_tax(case: Case, total: Decimal, tax: Decimal, place: dict[str, Provenance]) -> Case:
    """The case with the tax of its total, and without readings of that total that know none."""
    provenance = {name: seen for name, seen in case.totals.provenance.items() if name != "net_total"}
    totals = replace(case.totals, net=total - tax, tax=tax, provenance={**provenance, **place})
    rivals = [one for one in case.rivals if one.tax or one.total != total]
    return replace(case, totals=totals, rivals=rivals)


def _is_contained(tax: LabelledSum, total: Decimal, sums: Sequence[LabelledSum]) -> bool:
    """Whether a printed tax stands in the total: its label says so, or its rate is of what is left."""
    label, net = fold(tax.label), total - tax.value
    is_named = tax.kind == "tax" or (tax.kind == "gross" and is_tax_clause(label))
    if not is_named or not tax.value or not fits_tax(Totals(net, tax.value)) or _NOT.search(label):
        return False
    if _HOLDS.search(label) or any(
        is_close(net * rate / 100, tax.value, _CENT) for rate in _list_rates(label)
    ):
        return True
    holds = any(one.value == total and _says_included(fold(one.label)) for one in sums)
    return holds and _find_round_rate(net, tax.value) is not None


def _list_statements(
    case: Case, document: Document, tables: Sequence[Table], sums: Sequence[LabelledSum]
) -> Iterator[str]:
    """The words (folded) that say that the total, or the prices of the lines that make it, hold the tax."""
    total, whole = case.totals.total, sum_lines(case.items)
    texts = [one.label for one in sums if one.kind in ("gross", "due") and one.value == total]
    if total is None or (whole is not None and is_close(whole, total, ROUNDING)):
        texts += _list_headers(case, tables)
    texts += (
        run.text
        for run in (*document.rows, *document.sentences)
        if all(one.percent or one.value == total for one in run.figures)
        and (_PRICES.search(fold(run.text)) or _speaks_of_tax_alone(fold(run.text)))
    )
    yield from (text for text in map(fold, dict.fromkeys(texts)) if _says_included(text))


def _says_included(text: str) -> bool:
    within = includes_tax(text) or _HOLDS_TAX.search(text) is not None
    return within and not excludes_tax(text) and not _NOT.search(text)


def _speaks_of_tax_alone(text: str) -> bool:
    """Whether a text (folded) has hardly a word beside those of a tax: `VAT 20 % included.`"""
    return len(_WORD.findall(_HOLDS_TAX.sub(" ", TAX_CLAUSE.sub(" ", text)))) <= 1


def _list_headers(case: Case, tables: Sequence[Table]) -> Iterator[str]:
    """The headers of the columns in which the prices and the amounts of the lines stand."""
    places = list_places(case.items, "unit_price", "amount")
    for table in tables:
        columns = {
            number
            for row in table.rows
            for number, cell in row.cells.items()
            if (cell.page, cell.box) in places
        }
        yield from (table.columns[number].header for number in sorted(columns))


def _list_rates(text: str) -> Iterator[Decimal]:
    """The percentages of a text that may be a rate of tax."""
    found = (Decimal(one.replace(",", ".")) for one in _RATE.findall(text))
    yield from (one for one in found if 0 < one <= _HIGHEST_RATE)
