"""What a reviewer makes of a document that was read: a follow-up of its scope, or what is wrong and where."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation

from pydantic import ValidationError

from app.contract.catalog import CheckboxField, NumberField, PricingDimension, Product, SelectField
from app.contract.scope import (
    DimensionValue,
    DocumentReading,
    NewProductTerm,
    NewScope,
    NewScopeTerm,
    ProductTerm,
    PurchaseType,
    ReadLine,
    Scope,
)
from components.scope_entry import Entered

TERM_FIELDS: Mapping[str, str] = {
    "term_months": "Term in months",
    "net_total": "Price before tax",
    "start_date": "Starts",
    "end_date": "Ends",
    "auto_renew": "Renews by itself",
}
"""The values of a document that its scope's terms take, with what they are called."""


@dataclass(frozen=True)
class ReviewedLine:
    """A line as the reviewer leaves it. Without a product it stays with the document."""

    line: ReadLine
    product_id: str | None
    quantity: Decimal | None
    amount: Decimal | None


def follow_up(
    scope: Scope,
    reading: DocumentReading,
    terms: Mapping[str, str],
    lines: Sequence[ReviewedLine],
    products: Mapping[str, Product],
) -> Entered:
    """The scope that follows `scope` with the corrections. `terms` holds texts by `TERM_FIELDS`; `products`
    those that lines were given. Faults are keyed by the field's or the line's words."""
    faults: dict[str, str] = {}
    whole = _term(scope, terms, faults)
    read = dict(_terms_of_lines(scope, reading))
    bought: list[NewProductTerm] = []
    for line in sorted(lines, key=lambda one: one.line.index):
        if line.product_id is None:
            continue
        where = f"{line_words(line.line)}: "
        if line.product_id not in products:
            faults[where] = "There is no such product."
        elif line.quantity is None or line.quantity <= 0:
            faults[where] = "Say how much of it, more than 0."
        elif line.amount is not None and line.amount < 0:
            faults[where] = "An amount below 0 cannot be the price of a product."
        else:
            bought.append(_product_term(line, products[line.product_id], read.get(line.line.index)))
    if not bought and not faults:
        faults["Products"] = "Match at least one line to a product."
    if faults or whole is None:
        return Entered(None, faults)
    try:
        body = NewScope(scope_terms=[whole], product_terms=bought, previous_scope_id=scope.id)
    except ValidationError as refusal:
        return Entered(None, {"Scope": "; ".join(error["msg"] for error in refusal.errors())})
    return Entered(body, {})


def line_words(line: ReadLine) -> str:
    """The line's description, else its place."""
    said = next((value.value for value in line.values if value.name == "description"), None)
    return str(said) if said else f"Line {line.index + 1}"


def _terms_of_lines(scope: Scope, reading: DocumentReading) -> Iterator[tuple[int, ProductTerm]]:
    """The product terms that the reading made, by line: every matched line that is not optional made one."""
    made = iter(scope.product_terms)
    for line in reading.lines:
        optional = any(value.name == "optional" and value.value is True for value in line.values)
        if line.product_id is not None and not optional:
            term = next(made, None)
            if term is None or term.product_id != line.product_id:
                return
            yield line.index, term


def _product_term(line: ReviewedLine, product: Product, read: ProductTerm | None) -> NewProductTerm:
    same = read if read is not None and read.product_id == product.id else None
    # A list price and a discount belong to the price that was read with them.
    priced = same if same is not None and same.final_price == line.amount else None
    return NewProductTerm(
        product_id=product.id,
        pricing_dimensions=list(_quantities(line, product, same)),
        list_price=priced.list_price if priced else None,
        discount=priced.discount if priced else None,
        final_price=line.amount,
    )


def _quantities(line: ReviewedLine, product: Product, read: ProductTerm | None) -> Iterator[DimensionValue]:
    known = {one.id: one.value for one in read.pricing_dimensions} if read else {}
    counted = _counted(product)
    for dimension in product.pricing_dimensions:
        if counted is not None and dimension.id == counted.id:
            yield DimensionValue(id=dimension.id, value=line.quantity or Decimal(1))
        elif (value := known.get(dimension.id)) is not None:
            yield DimensionValue(id=dimension.id, value=value)
        elif dimension.form_field.required and not dimension.depends_on.depends_on_dimension_id:
            yield DimensionValue(id=dimension.id, value=_default(dimension))


def _counted(product: Product) -> PricingDimension | None:
    """The dimension that a line's quantity counts: the required number, else the first number."""
    numbers = [one for one in product.pricing_dimensions if isinstance(one.form_field, NumberField)]
    return next((one for one in numbers if one.form_field.required), numbers[0] if numbers else None)


def _default(dimension: PricingDimension) -> Decimal | str:
    match dimension.form_field:
        case CheckboxField(default_value=value):
            return Decimal(1 if value else 0)
        case SelectField(default_value=value, options=options):
            return value or options[0].value
        case NumberField(default_value=value, min=low):
            return value if value is not None else low if low is not None else Decimal(1)


def _term(scope: Scope, terms: Mapping[str, str], faults: dict[str, str]) -> NewScopeTerm | None:
    before = scope.scope_terms[0] if scope.scope_terms else None
    kind: PurchaseType = "renewal" if before and before.purchase_type == "renewal" else "new_purchase"
    months = _number("term_months", terms, faults)
    price = _number("net_total", terms, faults)
    start, end = _day("start_date", terms, faults), _day("end_date", terms, faults)
    if months is None or months != int(months) or not 1 <= months <= 1200:
        faults.setdefault(TERM_FIELDS["term_months"], "A whole number of months, 1 to 1200.")
    if price is not None and price < 0:
        faults[TERM_FIELDS["net_total"]] = "Not below 0."
    if start and end and end < start:
        faults[TERM_FIELDS["end_date"]] = "Not before the start."
    renews = {"yes": True, "no": False, "": None}.get(terms.get("auto_renew", "").strip().lower(), "?")
    if renews == "?":
        faults[TERM_FIELDS["auto_renew"]] = "yes, no, or nothing."
    if faults or months is None:
        return None
    return NewScopeTerm(
        term_length=int(months),
        purchase_type=kind,
        auto_renew=renews if isinstance(renews, bool) else None,
        start_date=start,
        end_date=end,
        final_price=price,
    )


def _number(name: str, terms: Mapping[str, str], faults: dict[str, str]) -> Decimal | None:
    text = terms.get(name, "").strip()
    if not text:
        return None
    try:
        number = Decimal(text.replace(",", "").replace(" ", "").replace("\N{NARROW NO-BREAK SPACE}", ""))
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite():
        faults[TERM_FIELDS[name]] = "A number such as 1,249.50."
        return None
    return number


def _day(name: str, terms: Mapping[str, str], faults: dict[str, str]) -> date | None:
    text = terms.get(name, "").strip()
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        faults[TERM_FIELDS[name]] = "A date such as 2026-03-31."
        return None
