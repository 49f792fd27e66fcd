"""What comparable purchases say that the lines of a requirement cost."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from sqlalchemy import Connection

from app.contract.dates import format_day
from app.contract.sourcing import (
    Matrix,
    MatrixEstimate,
    MatrixVerdict,
    Requirement,
    RequirementLine,
)
from app.service.pricing.catalog_product import CatalogProduct, load_products
from app.service.pricing.estimator.distribution import NotEstimable, PriceDistribution
from app.service.pricing.explanation_wire import build_line_term, read_stated, to_next_step
from app.service.pricing.quote_comparison import build_priced_line
from app.service.pricing.scope_estimate import PricedProduct, ProductEstimator
from app.service.pricing.verdict import judge_line
from app.service.pricing.wire import round_money
from app.service.scopes.store import find_scope
from app.service.scopes.terms import StoredScopeTerm
from app.service.sourcing.columns import Cell, Column
from app.service.sourcing.matrix import build_matrix

PROCESSOR_SECONDS = 3.0
"""How much of the processor the estimates of a table may take: enough for some 200 lines."""
_TOO_MANY = "Not estimated: the requirement has more lines than are estimated for one table."
_SURE = ("confirmed", "proposed")


def estimate_matrix(
    connection: Connection,
    organisation_id: str,
    requirement: Requirement,
    columns: Sequence[Column],
    today: date,
) -> Matrix:
    """Return the table of a requirement with what comparable purchases say of each line."""
    market = estimate_market(connection, organisation_id, requirement, columns, today)
    return build_matrix(requirement, columns, market, today)


def estimate_market(
    connection: Connection,
    organisation_id: str,
    requirement: Requirement,
    columns: Sequence[Column],
    today: date,
) -> dict[str, MatrixEstimate]:
    """Estimate each line of a requirement, by its id, from the purchases that the organisation may see. Lines
    are taken in the order of their products, so that the purchases of a product are read once; after
    `PROCESSOR_SECONDS` the others say that they were not estimated."""
    began = time.thread_time()
    found = _find_quoted_products(columns, read_products(connection, organisation_id, columns))
    named = _choose_products(requirement, found)
    products = load_products(connection, {one for one in named.values() if one}, organisation_id)
    estimator: ProductEstimator | None = None
    market: dict[str, MatrixEstimate] = {}
    for line in sorted(requirement.lines, key=lambda one: named[one.id] or ""):
        product = products.get(named[line.id] or "")
        if product is None:
            market[line.id] = _explain_unknown(line, found.get(line.id, set()))
            continue
        if time.thread_time() - began > PROCESSOR_SECONDS:
            market[line.id] = MatrixEstimate(
                product_id=product.id, product_name=product.name, statement=_TOO_MANY
            )
            continue
        estimator = estimator or ProductEstimator(connection, organisation_id, requirement.currency, today)
        stated = read_stated(product, line.description, line.unit)
        term = build_line_term(product, line.quantity, stated)
        part = estimator.estimate(product, term, [StoredScopeTerm(requirement.term_months, "new_purchase")])
        cells = [cell for column in columns for cell in column.cells.get(line.id, ())]
        from_quote = line.product_id is None
        market[line.id] = _describe(part, cells, today, from_quote=from_quote)
    return market


def find_products(
    requirement: Requirement, columns: Sequence[Column], read: Mapping[str, str]
) -> dict[str, str | None]:
    """Return the product of each line of a requirement, by its id; None where nobody knows it. `read` is what
    `read_products` returns."""
    return _choose_products(requirement, _find_quoted_products(columns, read))


def read_products(
    connection: Connection, organisation_id: str, columns: Sequence[Column]
) -> Mapping[str, str]:
    """Return the products that the documents of quotes were read to name, by the lines of the quotes."""
    found: dict[str, str] = {}
    for quote in (column.quote for column in columns):
        scope = (
            find_scope(connection, organisation_id, quote.scope_id) if quote.scope_id is not None else None
        )
        if scope is None:
            continue
        read = {
            one.index: scope.product_terms[one.term].product_id
            for one in scope.quote_lines or ()
            if one.term is not None
        }
        for line in quote.lines:
            if line.document_line is not None and line.document_line in read:
                found[line.id] = read[line.document_line]
    return found


def _find_quoted_products(columns: Sequence[Column], read: Mapping[str, str]) -> Mapping[str, set[str]]:
    """Return the products that the documents of quotes were read to name, by the line that they answer."""
    found: dict[str, set[str]] = {}
    for column in columns:
        for line_id, cells in column.cells.items():
            for cell in cells:
                product_id = read.get(cell.line.id)
                if product_id is not None and cell.line.alignment in _SURE and not cell.line.alternate:
                    found.setdefault(line_id, set()).add(product_id)
    return found


def _choose_products(requirement: Requirement, found: Mapping[str, set[str]]) -> dict[str, str | None]:
    return {line.id: _choose_product(line, found.get(line.id, set())) for line in requirement.lines}


def _choose_product(line: RequirementLine, found: set[str]) -> str | None:
    """The product that the line names, else the one that its quotes agree on."""
    if line.product_id is not None:
        return line.product_id
    return next(iter(found)) if len(found) == 1 else None


def _explain_unknown(line: RequirementLine, found: set[str]) -> MatrixEstimate:
    if line.product_id is not None:
        return MatrixEstimate(
            product_id=line.product_id, statement="Its product is no longer in the catalog."
        )
    if len(found) > 1:
        return MatrixEstimate(
            statement=f"Not known which product: its quotes name {len(found)} different ones."
        )
    return MatrixEstimate(statement="Not known which product: the line names none of the catalog.")


def _describe(part: PricedProduct, cells: Sequence[Cell], today: date, *, from_quote: bool) -> MatrixEstimate:
    product, price = part.product, part.price
    if isinstance(price, NotEstimable):
        reason = price.reason[:1].upper() + price.reason[1:]
        return MatrixEstimate(product_id=product.id, product_name=product.name, statement=f"{reason}.")
    low, median, high = (round_money(one) for one in price.quantiles((0.25, 0.5, 0.75)))
    converted = sum(one.id in part.converted_ids for one in price.comparables)
    return MatrixEstimate(
        product_id=product.id,
        product_name=product.name,
        unit_price=round_money(price.unit_price(0.5)),
        recurring="month" if price.recurring else "once",
        percentile25=low,
        median=median,
        percentile75=high,
        purchases=len(price.comparables),
        converted=converted,
        newest=price.newest,
        verdicts=list(_judge(part, cells, today)),
        statement=" ".join(_state_basis(product, price, part, converted, from_quote=from_quote)),
    )


def _state_basis(
    product: CatalogProduct,
    price: PriceDistribution,
    part: PricedProduct,
    converted: int,
    *,
    from_quote: bool,
) -> Iterator[str]:
    count = len(price.comparables)
    purchases = "one purchase" if count == 1 else f"{count} purchases"
    yield f"It rests on {purchases}, the latest of {format_day(price.newest)}."
    if product.company_sample:
        yield "These purchases are sample data: they are invented."
    alike = sum(one.like_for_like for one in price.comparables)
    if alike < count:
        yield f"{alike or 'None'} of them {'is' if alike == 1 else 'are'} of the same product and unit."
    if converted:
        yield (
            f"{converted} of them {'was' if converted == 1 else 'were'} paid in another currency and"
            " converted at the rate of the day of the purchase."
        )
    if part.unknown:
        names = ", ".join(one.name for one in part.unknown)
        yield f"Not stated, although the price depends on it: {names}."
    if from_quote:
        yield f"That it is {product.name} was read in a quote."


def _judge(part: PricedProduct, cells: Iterable[Cell], today: date) -> Iterator[MatrixVerdict]:
    for cell in cells:
        if not cell.comparable or not cell.amount:
            continue
        priced = build_priced_line(part, float(cell.amount), _is_recurring(cell))
        verdict = judge_line(priced, today)
        assert verdict is not None  # it has an amount
        yield MatrixVerdict(
            quote_line_id=cell.line.id,
            position=verdict.word,
            price_level=verdict.level,
            next_step=to_next_step(verdict),
            statement=verdict.reasons[0],
        )


def _is_recurring(cell: Cell) -> bool | None:
    """Whether a price is paid repeatedly; of one for the term nobody knows."""
    if cell.line.recurring == "term":
        return None
    return cell.line.recurring != "once"
