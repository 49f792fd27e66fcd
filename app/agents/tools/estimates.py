"""What a purchase should cost. Nothing is guessed: what a price needs and nobody stated is asked for."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Annotated

from pydantic import Field

from app.agents.lookup import find_product
from app.agents.tool import AgentCaller, Arguments, Link, Refusal, Tool, ToolAnswer, cut, fit
from app.agents.tools.prices import RANGE, Evidence, PriceRange, Verdict, to_evidence, to_verdict
from app.contract.catalog import CheckboxField, NumberField, PricingDimension, Product
from app.contract.model import Wire
from app.contract.money import format_count, format_money
from app.contract.pricing import PreviewedEstimate, PricePreview
from app.contract.scope import DimensionValue, NewProductTerm, NewScopeTerm, PurchaseType

TRUE = frozenset({"yes", "true", "1", "on"})
FALSE = frozenset({"no", "false", "0", "off"})


def build_product_term(product: Product, quantity: Decimal, options: Mapping[str, str]) -> NewProductTerm:
    """The product with its quantity and options by their names. Refusal names what is missing or unknown."""
    stated = {name.strip().casefold(): text.strip() for name, text in options.items()}
    known = {one.name.casefold() for one in product.pricing_dimensions}
    unknown = sorted(name for name in stated if name not in known)
    if unknown:
        named = cut(", ".join(unknown), 80)
        raise Refusal(f"{cut(product.name, 60)} has no dimension {named!r}. It has: {_names(product)}.")
    counted = _find_counted(product)
    values: dict[str, DimensionValue] = {}
    for dimension in product.pricing_dimensions:
        text = stated.get(dimension.name.casefold())
        if text is None and dimension is counted:
            text = f"{quantity:f}"
        value = _read(dimension, text) if text is not None else _default(dimension)
        if value is not None:
            values[dimension.id] = DimensionValue(id=dimension.id, value=value)
    if not values:
        raise Refusal(
            f"{cut(product.name, 60)} has no pricing dimension, so that no price can be estimated for it."
        )
    return NewProductTerm(product_id=product.id, pricing_dimensions=list(values.values()))


def _find_counted(product: Product) -> PricingDimension | None:
    """The dimension that the quantity is of: the first required number, else the first number."""
    numbers = [one for one in product.pricing_dimensions if isinstance(one.form_field, NumberField)]
    return next((one for one in numbers if one.form_field.required), numbers[0] if numbers else None)


def _read(dimension: PricingDimension, text: str) -> Decimal | str:
    match dimension.form_field:
        case NumberField():
            try:
                return Decimal(text)
            except InvalidOperation:
                raise Refusal(f"{cut(dimension.name, 60)} is a number; {cut(text, 40)!r} is none.") from None
        case CheckboxField():
            if text.casefold() not in TRUE | FALSE:
                raise Refusal(f"{cut(dimension.name, 60)} is yes or no; {cut(text, 40)!r} is neither.")
            return Decimal(text.casefold() in TRUE)
        case field:
            wanted = text.casefold()
            for option in field.options:
                if wanted in {option.label.casefold(), option.value}:
                    return option.value
            raise Refusal(f"{cut(dimension.name, 60)} is one of: {_options(dimension)}.")


def _default(dimension: PricingDimension) -> Decimal | str | None:
    """What is taken where nothing is stated; None leaves the dimension out."""
    match dimension.form_field:
        case NumberField() as field:
            if not field.required:
                return None
            if field.default_value is None:
                raise Refusal(f"State {cut(dimension.name, 60)}, a number, among the options.")
            return field.default_value
        case CheckboxField() as field:
            return Decimal(bool(field.default_value)) if field.required else None
        case field:
            if not field.required:
                return None
            if field.default_value is None:
                raise Refusal(
                    f"State {cut(dimension.name, 60)} among the options; it is one of: {_options(dimension)}."
                )
            return field.default_value


def _options(dimension: PricingDimension) -> str:
    options = getattr(dimension.form_field, "options", [])
    return "; ".join(cut(one.label, 40) for one in options[:20])


def _names(product: Product) -> str:
    return "; ".join(cut(one.name, 40) for one in product.pricing_dimensions[:12]) or "none"


class Purchase(Arguments):
    product: Annotated[str, Field(min_length=2, max_length=250, description="The product's id, or its name.")]
    quantity: Annotated[  # pyrefly: ignore[bad-argument-type]
        Decimal, Field(gt=0, lt=10**12, description="How many units, such as users or licences.")
    ]
    term_months: Annotated[int, Field(ge=1, le=1200, description="For how many months.")] = 12
    options: Annotated[
        dict[str, str],
        Field(description="Further dimensions by name, such as {'Edition': 'Gold'}.", max_length=50),
    ] = Field(default_factory=dict[str, str])
    asked_total: Annotated[
        Decimal | None,
        Field(
            ge=0,
            lt=10**12,
            description="What a supplier asks in total, before tax, for the whole term, in the currency of"
            " the answer.",
        ),
    ] = None
    purchase_type: PurchaseType = "new_purchase"


class PriceEstimate(Wire):
    """What comparable purchases cost in total, before tax, for the whole term, and what that rests on."""

    summary: str
    product_id: str
    product: str
    supplier: str
    currency: str
    total: PriceRange
    evidence: list[Evidence]
    verdict: Verdict | None = None


async def _estimate(caller: AgentCaller, given: Purchase) -> ToolAnswer:
    product = await find_product(caller, given.product)
    term = NewScopeTerm(term_length=given.term_months, purchase_type=given.purchase_type)
    estimate = await caller.client.pricing.preview(
        PricePreview(
            scope_terms=[term],
            product_terms=[build_product_term(product, given.quantity, given.options)],
            quoted=given.asked_total,
        )
    )
    evidence = to_evidence(estimate.products)

    def answer(shown: int) -> ToolAnswer:
        record = PriceEstimate(
            summary=_summarise(estimate),
            product_id=product.id,
            product=cut(product.name, 80),
            supplier=cut(product.company.name, 60),
            currency=estimate.currency,
            total=PriceRange(**{f"p{percent}": estimate.estimate.at(percent) for percent in RANGE}),
            evidence=evidence[:shown],
            verdict=to_verdict(estimate.verdict, estimate.currency),
        )
        return ToolAnswer(record, [Link("product", product.id, product.name)])

    return fit(answer, len(evidence))


def _summarise(estimate: PreviewedEstimate) -> str:
    low, middle, high = (format_money(estimate.estimate.at(one), estimate.currency) for one in (25, 50, 75))
    behind = estimate.products[0] if estimate.products else None
    term = f" for {format_count(int(behind.months), 'month')}" if behind and behind.months else ""
    rests = sample = ""
    if behind is not None:
        purchases = format_count(behind.purchases, "purchase")
        rests = f" It rests on {purchases}, the newest of {behind.newest}."
        sample = " These are invented sample purchases." if behind.sample else ""
    return (
        f"Half of comparable purchases cost less than {middle}{term}, a quarter less than {low}, three"
        f" quarters less than {high}.{rests}{sample}"
    )


ESTIMATE_PRICE = Tool(
    name="estimate_price",
    title="Estimate a price",
    description=(
        "Estimates what a purchase of one product should cost in total before tax, from comparable purchases"
        " on record, and judges an asked total. Nothing is stored."
    ),
    arguments=Purchase,
    answers=PriceEstimate,
    run=_estimate,
    operations=frozenset({"GET /v1/search", "GET /v1/catalog/products/{}", "POST /v1/pricing/preview"}),
)
