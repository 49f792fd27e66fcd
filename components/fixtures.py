"""Records for the examples that the components draw of themselves. None of them is real."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from app.contract.catalog import Feature, PricingDimension, Product, ProductCompany
from app.contract.negotiation import (
    Escalation,
    EscalationOption,
    ExecutiveSummary,
    Figures,
    NegotiationSummary,
    SummaryScope,
    SummarySupplier,
)
from app.contract.pricing import (
    PERCENTILES,
    AdvancedEstimate,
    CompanyPurchaseCount,
    Percentiles,
    ProductEstimate,
    SimilarPurchase,
)
from app.contract.savings import AgreedNegotiation, SavingsReport, SavingsSum
from app.contract.scope import ProductTerm, Scope, ScopeDimension, ScopeTerm
from app.contract.webhooks import (
    DeliveryHealth,
    DeliveryHour,
    SentRequest,
    WebhookDetail,
    WebhookEvent,
    WebhookEventWithData,
)

CURRENCY = "USD"
ZONE = UTC
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=ZONE)


def identity(number: int) -> str:
    """A UUID that a reader can tell apart: the number at its end."""
    return f"00000000-0000-4000-8000-{number:012d}"


def percentiles(median: float = 48_000, step: float = 0.021) -> Percentiles:
    """A plausible estimate around `median`, each percentile `step` above the one before."""
    values = {
        f"percentile{percent}": Decimal(round(median * (1 + step) ** ((percent - 50) / 5), 2)).quantize(
            Decimal("0.01")
        )
        for percent in PERCENTILES
    }
    return Percentiles.model_validate(values)


def similar_purchases(number: int = 12) -> list[SimilarPurchase]:
    """Past purchases, the most alike first."""
    return [
        SimilarPurchase(
            id=identity(500 + at),
            start_date=f"{(NOON - timedelta(days=40 * at)).date()}",
            term_months=Decimal(12 if at % 3 else 36),
            negotiated_price=Decimal(41_000 + 1_700 * ((at * 7) % 11)),
            product_names=["Ledger Cloud"] if at % 4 else ["Ledger Cloud", "Support"],
            primary_dimension_name="Users",
            primary_dimension_value=Decimal(80 + 12 * ((at * 5) % 9)),
            number_of_other_dimensions=at % 3,
            similarity_rate=Decimal(96 - 3 * at),
        )
        for at in range(number)
    ]


def advanced_estimate() -> AdvancedEstimate:
    """One product priced, another that nothing is known of."""
    return AdvancedEstimate(
        estimate=percentiles(),
        product_estimates=[
            ProductEstimate(
                status="success",
                defaulted=False,
                name="Ledger Cloud",
                product_id=identity(1),
                estimate=percentiles(),
            ),
            ProductEstimate(
                status="error",
                defaulted=False,
                name="Support",
                product_id=identity(2),
                code="pricing_failed",
                message="No comparable purchase in USD.",
            ),
        ],
        currency="USD",
        timestamp=NOON,
        real_purchase_count=[
            CompanyPurchaseCount(company_id=identity(9), company_name="Ledgerworks", real_purchase_count=214)
        ],
        real_similar_purchases=similar_purchases(),
    )


def product(number: int = 1, name: str = "Ledger Cloud") -> Product:
    """A product with a dimension of each kind and both kinds of dependency."""
    users, sso, seats, tier = (identity(10 * number + at) for at in range(1, 5))
    fields: list[dict[str, object]] = [
        _dimension(
            users,
            "Users",
            {"type": "number", "label": "users", "required": True, "min": 5, "max": 5000, "step": 1},
        ),
        _dimension(sso, "Single sign-on", {"type": "checkbox", "label": "included", "required": False}),
        _dimension(
            seats,
            "Administrators",
            {"type": "number", "label": "administrators", "required": False, "min": 0, "step": 1},
            {"dependsOnDimensionId": users, "dependency": "quantity"},
        ),
        _dimension(
            tier,
            "Directory sync",
            {
                "type": "select",
                "label": "level",
                "required": False,
                "options": [{"label": "Hourly", "value": "1"}, {"label": "Live", "value": "2"}],
            },
            {"dependsOnDimensionId": sso, "dependency": "inclusion"},
        ),
    ]
    return Product(
        id=identity(number),
        name=name,
        description="Books and ledgers for mid-sized companies.",
        pricing_dimensions=[PricingDimension.model_validate(field) for field in fields],
        included_features=[Feature(id=identity(90), name="Audit log")],
        last_updated_at=NOON,
        competitors=[],
        company=ProductCompany(
            id=identity(9), name="Ledgerworks", legal_name="Ledgerworks Ltd", domain="ledgerworks.example"
        ),
        currency="USD",
    )


def _dimension(
    ident: str, name: str, field: dict[str, object], depends_on: dict[str, object] | None = None
) -> dict[str, object]:
    return {
        "id": ident,
        "name": name,
        "description": None,
        "priceImpactKnown": True,
        "formField": {"readonly": False, **field},
        "dependsOn": depends_on or {},
    }


def scope(number: int = 70, users: int = 120, term: int = 12, price: int = 52_400) -> Scope:
    """A purchase of one product."""
    return Scope(
        id=identity(number),
        source="manual",
        created_on=NOON,
        scope_terms=[
            ScopeTerm(term_length=Decimal(term), purchase_type="new_purchase", final_price=Decimal(price))
        ],
        product_terms=[
            ProductTerm(
                product_id=identity(1),
                product_name="Ledger Cloud",
                pricing_dimensions=[
                    ScopeDimension(id=identity(11), name="Users", value=Decimal(users)),
                    ScopeDimension(id=identity(12), name="Single sign-on", value=Decimal(1)),
                ],
                included_features=[Feature(id=identity(90), name="Audit log")],
            )
        ],
    )


def escalation() -> Escalation:
    """A quote above the walk-away figure waits for a decision."""
    return Escalation(
        id=identity(300),
        negotiation_id=identity(200),
        reason="quote_above_walk_away",
        status="open",
        title="The quote is above the walk-away figure",
        description="Ledgerworks quotes USD 56,000; the walk-away figure is USD 50,200.",
        options=[
            EscalationOption(
                decision="counter",
                label="Counter",
                amount=Decimal(45_100),
                consequence="The next offer to the supplier is USD 45,100.",
            ),
            EscalationOption(
                decision="accept",
                label="Accept the quote",
                amount=Decimal(56_000),
                consequence="Signed at USD 5,800 above the walk-away figure.",
            ),
            EscalationOption(
                decision="walk_away", label="Walk away", consequence="The negotiation is cancelled."
            ),
        ],
        recommended="counter",
        created_at=NOON,
        updated_at=NOON,
        due_at=NOON + timedelta(days=3),
    )


def negotiation(status: str = "active") -> NegotiationSummary:
    """A negotiation with two offers on record."""
    supplier = SummarySupplier(company_id=identity(9), name="Ledgerworks", domain="ledgerworks.example")
    first = Figures(
        quoted=Decimal(60_000), opening=Decimal(41_200), target=Decimal(45_100), walk_away=Decimal(50_200)
    )
    second = first.model_copy(update={"quoted": Decimal(56_000)})
    return NegotiationSummary(
        id=identity(200),
        status=status,
        created_at=NOON - timedelta(days=9),
        updated_at=NOON,
        url="https://parley.example/negotiation?id=" + identity(200),
        escalations=[escalation()],
        supplier=supplier,
        executive_summaries=[
            ExecutiveSummary(
                created_at=NOON,
                title="A second quote",
                text="Ledgerworks quotes USD 56,000. The target is USD 45,100.",
                figures=second,
            ),
            ExecutiveSummary(
                created_at=NOON - timedelta(days=5),
                title="The first quote",
                text="Ledgerworks quotes USD 60,000. The target is USD 45,100.",
                figures=first,
            ),
        ],
        scope=SummaryScope(id=identity(70), product_names=["Ledger Cloud"]),
    )


EVENTS = ("scope.extracted", "negotiation.summary.updated")


def savings_report() -> SavingsReport:
    """One agreement, summed in every way."""
    whole = SavingsSum(
        key="2026-10",
        name="2026-10",
        currency="USD",
        negotiations=1,
        baseline=Decimal(60_000),
        target=Decimal(45_100),
        agreed=Decimal(46_000),
        savings=Decimal(14_000),
        savings_rate=Decimal("23.33"),
    )
    agreement = AgreedNegotiation(
        negotiation_id=identity(200),
        supplier="Ledgerworks",
        category="Software",
        agreed_at=NOON,
        currency="USD",
        against="first_offer",
        baseline=Decimal(60_000),
        target=Decimal(45_100),
        agreed=Decimal(46_000),
        savings=Decimal(14_000),
        savings_rate=Decimal("23.33"),
        purchases=31,
    )
    return SavingsReport(
        total=[whole],
        by_supplier=[whole.model_copy(update={"key": identity(9), "name": "Ledgerworks"})],
        by_month=[whole],
        by_category=[whole.model_copy(update={"key": "software", "name": "Software"})],
        negotiations=[agreement],
    )


def deliveries() -> list[WebhookEvent]:
    """One delivery of each state, the newest first."""
    return [
        WebhookEvent(
            id=identity(400 + at),
            attempts=Decimal(attempts),
            response_status=Decimal(answer),
            last_attempt_at=NOON if attempts else None,
            next_attempt_at=NOON + timedelta(minutes=5) if status == "pending" else None,
            successful_at=NOON if status == "succeeded" else None,
            updated_at=NOON,
            created_at=NOON - timedelta(minutes=at),
            status=status,
        )
        for at, (status, attempts, answer) in enumerate(
            [("delivering", 0, 0), ("pending", 2, 503), ("succeeded", 1, 204), ("failed", 10, 0)]
        )
    ]


def delivery() -> WebhookEventWithData:
    """A delivery that was refused once and is tried again."""
    body = {
        "eventType": "scope.extracted",
        "data": {"scopeId": identity(70), "status": "completed"},
    }
    return WebhookEventWithData(
        **deliveries()[1].model_dump(),
        data=SentRequest(
            headers={
                "content-type": "application/json",
                "webhook-id": identity(401),
                "webhook-timestamp": "1772452800",
                "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
                "authorization": "Bearer not-for-your-eyes",
            },
            body=body,
            query="source=parley&token=abc",
            parsed_query={"source": "parley"},
            path="/hooks/parley",
        ),
    )


def webhook_detail() -> WebhookDetail:
    """A webhook with a day behind it that was turned off."""
    day = [NOON - timedelta(hours=at) for at in range(24, 0, -1)]
    return WebhookDetail(
        id=identity(1),
        url="https://example.com/hooks",
        events=["scope.extracted"],
        enabled=False,
        disabled_reason="The receiver answered 410.",
        created_at=day[0],
        health=DeliveryHealth(
            attempts=1240,
            success_rate=0.984,
            median_ms=38,
            p95_ms=210,
            waiting=3,
            last_failure_at=day[-2],
            last_failure="timed_out",
            hours=[
                DeliveryHour(began_at=hour, succeeded=50 - at, failed=at % 3) for at, hour in enumerate(day)
            ],
        ),
    )
