"""Make the story through the interface, each step once however often it is begun again.

Every call has an idempotency key that names its step, so that a story which was interrupted, or is made by
two processes at once, is completed and not doubled.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from math import prod
from typing import Any

from app.client import ScopedClient
from app.contract.agreements import Decision, NewAgreement, NewDecision, NoticeUnit, RenewalType
from app.contract.catalog import Product, SelectField
from app.contract.negotiation import ExternalUpdate, NegotiationScope, NegotiationSupplier, StartNegotiation
from app.contract.scope import (
    ConfirmDocument,
    ConfirmedLine,
    DimensionValue,
    DocumentReading,
    NewProductTerm,
    NewScope,
    NewScopeTerm,
    Scope,
)
from app.sample_story.plan import (
    BUYER,
    BUYER_EMAIL,
    BY_HAND,
    CONFIRMED_QUOTE,
    DECISION,
    FAILED_QUOTE,
    FAILING_ADDRESS,
    LAST_QUOTE,
    QUOTES,
    REVIEWED_QUOTE,
    HandmadeScope,
    NegotiationPlan,
    NegotiationStep,
    usual_share,
)
from app.sample_story.requirement_plan import tell_requirement
from app.service.sample.quote_pdf import draw_quote_pdf
from app.service.sample.quotes import draw_quote, find_product, option_factor
from app.service.sample.suppliers import ProductKind, SampleProduct, SampleSupplier, sample_catalog

_OWNERS: Mapping[str, str] = {
    "Robin Berger": "purchasing@acorn.example",
    "Ines Falk": "it@acorn.example",
    "Tom Adler": "marketing@acorn.example",
}


@dataclass(frozen=True)
class _AgreementPlan:
    """One product of a supplier. `ends_in` counts days until the current term ends. What a plan leaves out is
    not known, and listed as missing."""

    title: str
    supplier: str
    kind: ProductKind
    quantity: int
    ends_in: int
    years: int = 1
    renewal: RenewalType | None = "auto_renew"
    notice: tuple[int, NoticeUnit] | None = (3, "month")
    owner: str | None = "Robin Berger"
    cost_center: str = "IT"
    paid_share: float = 1.0
    """The price as a share of what the supplier usually gets."""
    uplift_percent: float | None = None
    decision: Decision | None = None
    note: str | None = None


_AGREEMENTS: Sequence[_AgreementPlan] = (
    _AgreementPlan("Sales pipeline", "Tamvora Systems", "seats", 140, 96, paid_share=1.18, uplift_percent=5),
    _AgreementPlan(
        "Identity and access", "Erinesse Cloud", "seats", 620, 45, notice=(30, "day"), owner="Ines Falk"
    ),
    _AgreementPlan(
        "Video meetings", "Istquen Systems", "seats", 300, 110, years=2, paid_share=1.1, owner="Ines Falk"
    ),
    _AgreementPlan("Design boards", "Nornesse Systems", "seats", 85, 162, cost_center="Product", owner=None),
    _AgreementPlan(
        "Campaign mails",
        "Lumlantis Systems",
        "seats",
        40,
        130,
        cost_center="Marketing",
        owner="Tom Adler",
        decision="renegotiate",
        note="Half of the seats are not used.",
    ),
    _AgreementPlan(
        "Data warehouse",
        "Brequen Labs",
        "usage",
        12,
        24,
        notice=(10, "business_day"),
        paid_share=1.07,
        cost_center="Data",
        uplift_percent=3,
    ),
    _AgreementPlan(
        "Backup storage", "Marvora Software", "usage", 20, 20, notice=(30, "day"), owner="Ines Falk"
    ),
    _AgreementPlan(
        "Help desk", "Junforge Cloud", "seats", 55, 150, decision="renew", note="Works well.", paid_share=0.94
    ),
    _AgreementPlan(
        "Team chat", "Sellantis Cloud", "seats", 480, 210, years=3, notice=(60, "day"), paid_share=0.97
    ),
    _AgreementPlan(
        "Recruiting", "Tamdelta Digital", "seats", 18, 12, renewal="none", notice=None, cost_center="People"
    ),
    _AgreementPlan(
        "Learning platform",
        "Hollantis Cloud",
        "seats",
        260,
        320,
        renewal="option",
        notice=(2, "month"),
        cost_center="People",
    ),
    _AgreementPlan(
        "Expense reports",
        "Orbnesse Software",
        "seats",
        130,
        -20,
        renewal="none",
        notice=None,
        cost_center="Finance",
    ),
)
"""Twelve: due soon and later, one whose deadline was missed, one that has ended, decided and undecided, with
notice in months, days and business days."""


def _describe_agreement(plan: _AgreementPlan, begun: date) -> dict[str, Any]:
    """Return the dates, clauses and people of an agreement as the body of `POST /v1/agreements` has them."""
    end = begun + timedelta(days=plan.ends_in)
    after = end + timedelta(days=1)
    start = after.replace(year=after.year - plan.years, day=min(after.day, 28))
    body: dict[str, Any] = {
        "name": plan.title,
        "termStart": start.isoformat(),
        "termEnd": end.isoformat(),
        "costCenter": plan.cost_center,
        "billingFrequency": "annual",
        "paymentTermsDays": 30,
    }
    if plan.renewal is not None:
        body["renewalType"] = plan.renewal
    if plan.renewal in ("auto_renew", "option"):
        body["autoRenewalTermMonths"] = 12
    if plan.notice is not None:
        body["noticePeriod"] = {"value": plan.notice[0], "unit": plan.notice[1]}
    if plan.owner is not None:
        body["owners"] = [{"name": plan.owner, "email": _OWNERS[plan.owner]}]
    if plan.uplift_percent is not None:
        body["uplift"] = {"kind": "cap", "percent": plan.uplift_percent}
    return body


FindSupplier = Callable[[str], SampleSupplier]


def tell_agreements(client: ScopedClient, begun: date, currency: str, find_supplier: FindSupplier) -> None:
    """Make the agreements, whose dates count from the day on which the story began, and the decisions on
    them."""
    for number, plan in enumerate(_AGREEMENTS, 1):
        body = _describe_agreement(plan, begun) | _price(plan, find_supplier(plan.supplier), currency)
        made = client.agreements.create(
            NewAgreement.model_validate(body), idempotency_key=f"sample-agreement-{number}"
        )
        if plan.decision is not None:
            client.agreements.decide(
                made.id,
                NewDecision(decision=plan.decision, note=plan.note),
                idempotency_key=f"sample-agreement-decision-{number}",
            )


def _price(plan: _AgreementPlan, supplier: SampleSupplier, currency: str) -> dict[str, object]:
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


WAIT_SECONDS = 120.0
"""How long the story waits for the worker at one step."""
POLL_SECONDS = 0.4
SOURCE = "sample data"


class WorkerAbsent(Exception):
    """The worker did not do its part in time."""


@dataclass(frozen=True)
class StoryTeller:
    """Makes the story as the holder of a sample key. Its dates count back from `started_at`."""

    client: ScopedClient
    started_at: datetime
    currency: str

    def tell(self) -> None:
        """Make everything that is missing. Raises ApiError, and WorkerAbsent."""
        self.client.webhooks.open_inbox(idempotency_key="sample-inbox")
        quotes = {number: self._upload(number) for number in QUOTES if number != LAST_QUOTE}
        tell_agreements(self.client, self.started_at.date(), self.currency, self._supplier)
        tell_requirement(self.client, self.started_at.date(), self.currency, self._supplier)
        scopes = {name: self._create_scope(name, plan) for name, plan in BY_HAND.items()}
        started = {
            name: self._start(name, scopes[name].id, plan.supplier, plan.negotiation)
            for name, plan in BY_HAND.items()
        }
        confirmed = self._confirm(self._wait_for_document(quotes[CONFIRMED_QUOTE]))
        decided = self._start("confirmed", confirmed.id, QUOTES[CONFIRMED_QUOTE].supplier, DECISION)
        for name, plan in BY_HAND.items():
            self._negotiate(name, started[name], plan.negotiation, self._usual_price(plan))
        self._negotiate("confirmed", decided, DECISION, Decimal(0))
        for number in (REVIEWED_QUOTE, FAILED_QUOTE):
            self._wait_for_document(quotes[number])
        self.client.webhooks.create(
            FAILING_ADDRESS, ["scope.extracted"], idempotency_key="sample-failing-webhook"
        )
        self._wait_for_document(self._upload(LAST_QUOTE))

    def _supplier(self, name: str) -> SampleSupplier:
        return next(one for one in sample_catalog(self.currency).suppliers if one.row["name"] == name)

    def _upload(self, number: str) -> str:
        """Upload a quote to be read; return the id of its scope."""
        suppliers = sample_catalog(self.currency).suppliers
        quote = draw_quote(number, QUOTES[number], suppliers, self.started_at.date(), self.currency)
        made = self.client.scopes.from_upload(
            draw_quote_pdf(quote), filename=quote.filename, idempotency_key=f"sample-quote-{number}"
        )
        return made.scope_id

    def _wait_for_document(self, scope_id: str) -> Scope:
        def read() -> Scope | None:
            scope = self.client.scopes.get(scope_id)
            state = scope.document_processing
            return scope if state is not None and state.status in {"completed", "failed"} else None

        return _wait(read, "a quote to be read")

    def _confirm(self, scope: Scope) -> Scope:
        """Confirm every line of a quote as it was read."""
        reading = self.client.scopes.document(scope.id)
        body = ConfirmDocument(
            scope_term=NewScopeTerm(
                term_length=int(scope.scope_terms[0].term_length), purchase_type="new_purchase"
            ),
            lines=_confirm_lines(scope, reading),
        )
        return self.client.scopes.confirm_document(scope.id, body, idempotency_key="sample-confirmation")

    def _create_scope(self, name: str, plan: HandmadeScope) -> Scope:
        product = self.client.catalog.product(
            find_product(self._supplier(plan.supplier), plan.kind).row["id"]
        )
        term = NewScopeTerm(term_length=plan.term_months, purchase_type=plan.purchase_type)
        bought = NewProductTerm(
            product_id=product.id, pricing_dimensions=_choose(product, plan.quantity, plan.option)
        )
        scope = NewScope(scope_terms=[term], product_terms=[bought])
        return self.client.scopes.create(scope, idempotency_key=f"sample-scope-{name}")

    def _usual_price(self, plan: HandmadeScope) -> Decimal:
        """The price that the supplier usually gets for the whole term."""
        supplier = self._supplier(plan.supplier)
        product = find_product(supplier, plan.kind)
        unit = product.list_price * option_factor(product, plan.option)
        share = usual_share(supplier, plan.quantity, plan.term_months)
        return Decimal(repr(unit * share * plan.quantity * plan.term_months))

    def _start(self, name: str, scope_id: str, supplier_name: str, plan: NegotiationPlan) -> str:
        supplier = self._supplier(supplier_name).row
        started = self.client.negotiations.start(
            StartNegotiation(
                supplier=NegotiationSupplier(
                    company_id=supplier["id"],
                    contact_name="Sales team",
                    contact_email=f"sales@{supplier['domain']}",
                ),
                contact_name=BUYER,
                contact_email=BUYER_EMAIL,
                engagement_type=plan.engagement,
                scope=NegotiationScope(scope_id=scope_id),
            ),
            idempotency_key=f"sample-negotiation-{name}",
        )
        return started.negotiation_id

    def _negotiate(self, name: str, negotiation_id: str, plan: NegotiationPlan, usual: Decimal) -> None:
        """Report what happens, once the strategy is ready; `usual` is what the steps' shares are of."""

        def is_planned() -> bool | None:
            return self.client.negotiations.summary(negotiation_id).status != "planning" or None

        _wait(is_planned, "a strategy to be planned")
        for number, step in enumerate(plan.steps, 1):
            kind = "decision" if step.happening == "counter" else step.happening
            update = ExternalUpdate.model_validate(
                {
                    "timestamp": (self.started_at - timedelta(days=step.days_ago)).isoformat(),
                    "externalId": f"{number}-{step.happening}",
                    "source": SOURCE,
                    "schema": {"$id": f"urn:svc:{kind}:1", "type": "object"},
                    "payload": self._describe_step(step, plan, usual),
                }
            )
            self.client.negotiations.external_update(
                negotiation_id, update, idempotency_key=f"sample-step-{name}-{number}"
            )

    def _describe_step(self, step: NegotiationStep, plan: NegotiationPlan, usual: Decimal) -> dict[str, Any]:
        """The payload of the update. A counter is the service's own suggestion."""
        if step.happening == "counter":
            return {"decision": "counter"}
        if step.happening == "message":
            return {"from": "Sales team", "text": step.text}
        amount = float(round(usual * Decimal(repr(step.share)), -1))
        payload: dict[str, Any] = {"amount": amount, "currency": self.currency}
        if step.happening == "agreement":
            payload["signedAt"] = (self.started_at - timedelta(days=step.days_ago)).isoformat()
        elif plan.valid_days is not None:
            payload["validUntil"] = str(self.started_at.date() + timedelta(days=plan.valid_days))
        return payload


def _wait(find: Callable[[], Any], what: str) -> Any:
    """Return what `find` finds, as soon as there is something. Raises WorkerAbsent."""
    deadline = time.monotonic() + WAIT_SECONDS
    while (found := find()) is None:
        if time.monotonic() > deadline:
            raise WorkerAbsent(f"waited {WAIT_SECONDS:g} seconds for {what}")
        time.sleep(POLL_SECONDS)
    return found


def _confirm_lines(scope: Scope, reading: DocumentReading) -> list[ConfirmedLine]:
    """Take every line that was matched as it was read, and leave the others aside."""
    terms = {term.product_id: term for term in scope.product_terms}
    lines: list[ConfirmedLine] = []
    for line in reading.lines:
        term = terms.get(line.product_id or "")
        if term is None:
            lines.append(ConfirmedLine(index=line.index, role="left_aside"))
            continue
        values = [
            DimensionValue.model_validate({"id": one.id, "value": one.value})
            for one in term.pricing_dimensions
            if one.value is not None
        ]
        bought = NewProductTerm(
            product_id=term.product_id, pricing_dimensions=values, final_price=term.final_price
        )
        lines.append(ConfirmedLine(index=line.index, role="product", product_term=bought))
    return lines


def _choose(product: Product, quantity: int, option: str) -> list[DimensionValue]:
    """The values of the product's required dimensions: the quantity, and the option of that label."""
    chosen: list[Mapping[str, Any]] = []
    for dimension in product.pricing_dimensions:
        field = dimension.form_field
        if not field.required:
            continue
        if isinstance(field, SelectField):
            chosen.append(
                {"id": dimension.id, "value": next(one.value for one in field.options if one.label == option)}
            )
        else:
            chosen.append({"id": dimension.id, "value": quantity})
    return [DimensionValue.model_validate(one) for one in chosen]
