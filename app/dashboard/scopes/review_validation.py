"""The scope that the review of a document amounts to, or what is wrong with the review, and the lines that no
estimate covers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from pydantic import ValidationError

from app.contract.catalog import PricingDimension, Product
from app.contract.scope import (
    ConfirmDocument,
    ConfirmedLine,
    DocumentReading,
    LineRole,
    NewProductTerm,
    NewScope,
    NewScopeTerm,
    ProductTerm,
    ReadLine,
    Scope,
    UncoveredLine,
)
from app.contract.validation_messages import describe_faults
from app.dashboard.kit.form import CheckedForm
from app.dashboard.scopes.scope_creation import collect_quantities
from components.documents.review_form import (
    LEFT_OUT,
    NOT_A_PRODUCT,
    ReviewedLine,
    describe_line,
    must_choose,
)
from components.scopes import FieldValue, is_available, to_field_value

NOTHING_BOUGHT, NO_CURRENCY = "Products", "Currency"
"""The places of what is missing in a review that was only just begun."""


@dataclass(frozen=True)
class ConfirmedReview:
    """The review in both forms in which it can be sent: with every line, or as a plain scope for a deployment
    that accepts nothing else."""

    document: ConfirmDocument
    scope: NewScope


def validate_review(
    scope: Scope,
    reading: DocumentReading,
    scope_term: NewScopeTerm | None,
    currency: str | None,
    lines: Sequence[ReviewedLine],
    products: Mapping[str, Product],
    supplier_name: str | None = None,
) -> CheckedForm[ConfirmedReview]:
    """Return what follows `scope` with the corrections, or the faults by line. `scope_term` are the terms as
    corrected, None where something is wrong with them; `currency` is "" where it is as read and None where it
    is not known; `products` are those of the lines; `supplier_name` is None where it is as read."""
    faults: dict[str, str] = {}
    read = _match_terms_to_lines(scope, reading)
    confirmed: list[ConfirmedLine] = []
    as_read = set[int]()
    for line in sorted(lines, key=lambda one: one.line.index):
        if not line.is_bought or line.product_id is None:
            role: LineRole = "left_aside" if line.role == "product" else line.role
            confirmed.append(ConfirmedLine(index=line.line.index, role=role))
            continue
        term = _make_product_term(line, products.get(line.product_id), read.get(line.line.index), faults)
        if term is not None and scope_term is not None:
            term = _add_part(term, line, int(scope_term.term_length), faults)
        if term is not None:
            confirmed.append(ConfirmedLine(index=line.line.index, role="product", product_term=term))
            if line.amount == line.line.term_amount:
                as_read.add(line.line.index)
    bought = [line.product_term for line in confirmed if line.product_term is not None]
    if not bought and not faults:
        faults[NOTHING_BOUGHT] = "Match at least one line to a product."
    if currency is None:
        faults[NO_CURRENCY] = "Choose the currency: the document names none."
    if faults or scope_term is None:
        return CheckedForm(None, faults)
    if [scope_term.term_length] != [term.term_length for term in scope.scope_terms]:
        # The price of a month or year that was read counts for another term than it was read for.
        document = [_leave_price(line) if line.index in as_read else line for line in confirmed]
    else:
        document = confirmed
    try:
        review = ConfirmedReview(
            ConfirmDocument(
                scope_term=scope_term,
                currency=currency or None,
                supplier_name=supplier_name,
                lines=document,
            ),
            NewScope(scope_terms=[scope_term], product_terms=bought, previous_scope_id=scope.id),
        )
    except ValidationError as refusal:
        return CheckedForm(None, {"Quote": describe_faults(refusal)})
    return CheckedForm(review, {})


def _leave_price(line: ConfirmedLine) -> ConfirmedLine:
    """Return the line without a price: the deployment takes that which it has read."""
    term = line.product_term
    return line.model_copy(update={"product_term": term and term.model_copy(update={"final_price": None})})


def locate(line: ReviewedLine) -> str:
    """Return the place of a line among the faults."""
    return f"{describe_line(line.line)}: "


def is_as_read(scope: Scope, review: NewScope) -> bool:
    """Return whether the review buys what the document was read to say: the same for the same price."""

    def describe(whole: Scope | NewScope) -> object:
        return (
            [(term.term_length, term.final_price) for term in whole.scope_terms],
            [
                (
                    term.product_id,
                    term.final_price,
                    {one.id: Decimal(one.value) for one in term.pricing_dimensions if one.value is not None},
                )
                for term in whole.product_terms
            ],
        )

    return describe(scope) == describe(review)


def _match_terms_to_lines(scope: Scope, reading: DocumentReading) -> Mapping[int, ProductTerm]:
    """Return the product terms that the reading made, by line: each line that was matched then made one. A
    line whose product was added to the catalog since made none."""
    remaining = list(scope.product_terms)
    terms: dict[int, ProductTerm] = {}
    for line in reading.lines:
        if line.product_id is None or line.role != "product" or _is_optional(line):
            continue
        if remaining and remaining[0].product_id == line.product_id:
            terms[line.index] = remaining.pop(0)
    return terms


def _make_product_term(
    line: ReviewedLine, product: Product | None, read: ProductTerm | None, faults: dict[str, str]
) -> NewProductTerm | None:
    where = locate(line)
    if product is None:
        faults[where] = "There is no such product."
        return None
    counted = product.counted
    if line.quantity is None or line.quantity <= 0:
        unit = f" ({counted.form_field.label})" if counted else ""
        faults[where] = f"Enter a quantity of more than 0{unit}."
        return None
    if line.amount is not None and line.amount < 0:
        faults[where] = "The amount of a product must not be below 0."
        return None
    same = read if read is not None and read.product_id == product.id else None
    typed = _collect_field_values(line, product, same, counted)
    for dimension in product.pricing_dimensions:
        if not is_available(dimension, typed) or typed.get(dimension.id) is not None:
            continue
        if must_choose(line.line, product, dimension):
            labels = [one.label for one in getattr(dimension.form_field, "options", [])]
            faults[where] = (
                f"Which {dimension.name}? {', '.join(labels[:6])}. Choose one, or leave the line out."
            )
            return None
    values, wrong = collect_quantities(product, typed)
    if wrong or not values:
        names = {one.id: one.name for one in product.pricing_dimensions}
        faults[where] = (
            "; ".join(
                f"{names.get(place.rpartition('/')[2], 'Quantity')}: {fault}"
                for place, fault in wrong.items()
            )
            or "Fill in at least one field of the product."
        )
        return None
    # A list price and a discount belong to the price that was read with them.
    priced = same if same is not None and same.final_price == line.amount else None
    return NewProductTerm(
        product_id=product.id,
        pricing_dimensions=values,
        list_price=priced.list_price if priced else None,
        discount=priced.discount if priced else None,
        final_price=line.amount,
    )


def _add_part(term: NewProductTerm, line: ReviewedLine, whole: int, faults: dict[str, str]) -> NewProductTerm:
    """Return the term with the part of the whole term that the line is for: empty months are all the rest."""
    if line.line.months is None and line.months is None and line.first_month is None:
        return term
    first = line.first_month or 0
    months = whole - first if line.months is None else line.months
    if first < 0 or months < 1 or first + months > whole:
        faults[locate(line)] = f"Its months lie outside of the term of {whole} months."
        return term
    return term.model_copy(update={"first_month": first, "months": months})


def _collect_field_values(
    line: ReviewedLine, product: Product, read: ProductTerm | None, counted: PricingDimension | None
) -> dict[str, FieldValue]:
    """Return the values of the product's fields: those that were drawn, else those that were read."""
    typed: dict[str, FieldValue] = {}
    known = {one.id: one.value for one in read.pricing_dimensions} if read else {}
    for dimension in product.pricing_dimensions:
        if counted is not None and dimension.id == counted.id:
            typed[dimension.id] = float(line.quantity or 0)
        elif dimension.id in line.values:
            typed[dimension.id] = line.values[dimension.id]
        else:
            typed[dimension.id] = to_field_value(dimension, known.get(dimension.id))
    return typed


def find_unestimated_lines(reading: DocumentReading) -> list[UncoveredLine]:
    """Return the lines of a document that cost something and have no estimate."""
    return [
        _make_uncovered_line(line, line.term_amount, line.role)
        for line in reading.lines
        if (line.role != "product" or line.product_id is None)
        and line.term_amount != 0
        and not _is_optional(line)
    ]


def list_left_out_lines(lines: Sequence[ReviewedLine]) -> list[UncoveredLine]:
    """Return what the confirmed scope will not contain, as the review stands."""
    return [
        _make_uncovered_line(reviewed.line, reviewed.amount, reviewed.role)
        for reviewed in sorted(lines, key=lambda one: one.line.index)
        if not reviewed.is_bought and reviewed.amount != 0 and not _is_optional(reviewed.line)
    ]


def _make_uncovered_line(line: ReadLine, amount: Decimal | None, role: str) -> UncoveredLine:
    why = NOT_A_PRODUCT if role == "not_product" else LEFT_OUT
    return UncoveredLine(description=describe_line(line), amount=amount, why=why)


def _is_optional(line: ReadLine) -> bool:
    return any(value.name == "optional" and value.value is True for value in line.values)
