"""What the database holds beside the estimate of a scope, by which the estimate is explained."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import Connection

from app.service.background.tasks import find_due
from app.service.pricing.calibration_store import MeasuredAccuracy, load_accuracy
from app.service.pricing.estimator.distribution import PriceDistribution
from app.service.pricing.past_purchases import PurchaseDetails, load_purchase_details
from app.service.pricing.price_references import (
    EarlierQuote,
    PublishedPrice,
    find_list_price,
    load_quoted_prices,
)
from app.service.pricing.scope_estimate import PricedScope
from app.service.pricing.wire import collect_comparable_ids
from app.service.purchases.importing import ALL_PURCHASES, LEARN_TASK


@dataclass(frozen=True, slots=True)
class ExplanationEvidence:
    """`list_prices` by the position of the product in the scope, `purchases` by id, `earlier_quotes` by
    product id, `accuracies` by whether the supplier is sample data. `learning_due` is when the purchases that
    were imported since are learnt from."""

    list_prices: Mapping[int, PublishedPrice]
    purchases: Mapping[str, PurchaseDetails]
    earlier_quotes: Mapping[str, Sequence[EarlierQuote]]
    accuracies: Mapping[bool, MeasuredAccuracy]
    learning_due: datetime | None


def load_evidence(
    connection: Connection,
    organisation_id: str,
    scope: PricedScope,
    today: date,
    own_scopes: Collection[str],
) -> ExplanationEvidence:
    """Load the evidence of a priced scope. Prices quoted in `own_scopes`, which are the scope itself and the
    one with its document, are left out of the other quotes."""
    return ExplanationEvidence(
        list_prices={
            at: found
            for at, part in enumerate(scope.products)
            if isinstance(part.price, PriceDistribution)
            and (
                found := find_list_price(
                    connection,
                    organisation_id,
                    part.product,
                    part.query,
                    scope.rates,
                    recurring=part.price.recurring,
                    before=today,
                )
            )
        },
        purchases=load_purchase_details(connection, collect_comparable_ids(scope)),
        earlier_quotes=load_quoted_prices(
            connection, organisation_id, {part.product.id for part in scope.products}, own_scopes
        ),
        accuracies={
            sample: load_accuracy(connection, sample=sample)
            for sample in {part.product.company_sample for part in scope.products}
        },
        learning_due=find_due(connection, kind=LEARN_TASK, subject_id=ALL_PURCHASES),
    )
