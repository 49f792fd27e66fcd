"""Put the agreements of the story on record, each once."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from math import prod

from app.client import ScopedClient
from app.contract.agreements import NewAgreement, NewDecision
from app.sample_story.agreement_plans import AGREEMENTS, AgreementPlan, describe_agreement
from app.sample_story.plan import usual_share
from app.service.sample.quotes import find_product
from app.service.sample.suppliers import SampleProduct, SampleSupplier

FindSupplier = Callable[[str], SampleSupplier]


def tell_agreements(client: ScopedClient, begun: date, currency: str, find_supplier: FindSupplier) -> None:
    """Make the agreements, whose dates count from the day on which the story began, and the decisions on
    them."""
    for number, plan in enumerate(AGREEMENTS, 1):
        body = describe_agreement(plan, begun) | _price(plan, find_supplier(plan.supplier), currency)
        made = client.agreements.create(
            NewAgreement.model_validate(body), idempotency_key=f"sample-agreement-{number}"
        )
        if plan.decision is not None:
            client.agreements.decide(
                made.id,
                NewDecision(decision=plan.decision, note=plan.note),
                idempotency_key=f"sample-agreement-decision-{number}",
            )


def _price(plan: AgreementPlan, supplier: SampleSupplier, currency: str) -> dict[str, object]:
    """Return the supplier, the one line and the total of an agreement."""
    product = find_product(supplier, plan.kind)
    months = 12 * plan.years
    option, factor = _choose_option(product)
    share = usual_share(supplier, plan.quantity, months) * plan.paid_share
    unit_price = round(Decimal(repr(product.list_price * factor * share)) * months, 2)
    total = unit_price * plan.quantity
    line = {
        "productId": product.row["id"],
        "description": f"{product.row['name']} {option}".strip(),
        "quantity": plan.quantity,
        "unit": product.unit,
        "unitPrice": unit_price,
        "amount": total,
        "recurring": True,
    }
    return {
        "companyId": supplier.row["id"],
        "currency": currency,
        "totalValue": total,
        "oneTimeValue": 0,
        "lines": [line],
    }


def _choose_option(product: SampleProduct) -> tuple[str, float]:
    """Return the option of a product whose price is nearest to the list price, and what it costs of that."""
    chosen = [min(factors.items(), key=lambda one: abs(one[1] - 1)) for factors in product.factors.values()]
    return " ".join(label for label, _ in chosen), prod(factor for _, factor in chosen)
