"""A hundred and twelve quotes from upload to counter, letter and contract, over real sockets, a twentieth of
them outside the campaign: each ends in an answer, none in a wrong one."""

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TypeAlias

import pytest

from app.client import ApiClient, Conflict, ScopedClient, Unprocessable
from app.contract.catalog import EntryProduct, EntrySupplier, NewCatalogEntry, SelectField
from app.contract.money import format_exact_money
from app.contract.negotiation import ExternalUpdate, StartNegotiation, Timeline
from app.contract.pricing import PriceExplanation
from app.contract.scope import (
    ConfirmDocument,
    ConfirmedLine,
    DimensionValue,
    DocumentReading,
    NewProductTerm,
    NewScopeTerm,
    ReadLine,
    Scope,
)
from app.service.imports.operator_files import import_files
from tests.flows.started_product import StartedProduct, run_in_process, start_product
from tests.flows.walks.cases import WALKS, QuotedLine, Walk
from tests.flows.walks.deal_layouts import DEAL_LAYOUTS
from tests.flows.walks.deals import DEALS
from tests.flows.walks.layouts import LAYOUTS
from tests.flows.walks.market import write_purchases
from tests.flows.walks.term_deals import TERM_DEALS

EXPENSIVE, USUAL = 1.25, 1.0
"""To accept a quote of more than 1.25 times the usual price is wrong; to call one that is at or below it
expensive is wrong, too."""
TODAY = datetime.now(UTC).date()
GIVEN = {"accept", "consider", "negotiate"}
LEAST_ANSWERED = 0.8
LEAST_JUDGED = 0.65
"""Of those that may be judged: to withhold every verdict would be never wrong, and no use."""
PATIENCE = 60.0


@dataclass(frozen=True)
class Answer:
    """How a walk ended: the word on its price, None where nothing could be estimated, and the counter."""

    word: str | None
    counter: Decimal | None


Start: TypeAlias = Callable[[Path, Path], AbstractContextManager[StartedProduct]]


def _start(folder: Path, purchases: Path) -> AbstractContextManager[StartedProduct]:
    return start_product(folder, stock=lambda context: import_files(context, "purchases", [purchases]))


def _run_here(folder: Path, purchases: Path) -> AbstractContextManager[StartedProduct]:
    return run_in_process(folder, bought=purchases)


@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("walks", "start"),
    [
        pytest.param(WALKS, _start, id="all quotes", marks=pytest.mark.campaign),
        pytest.param(DEALS, _start, id="all deals", marks=pytest.mark.campaign),
        pytest.param(TERM_DEALS, _start, id="all deals of terms", marks=pytest.mark.campaign),
        pytest.param([*WALKS[::20], *DEALS[::20], *TERM_DEALS[::20]], _run_here, id="some"),
    ],
)
def test_quotes_end_in_an_answer_and_none_in_a_wrong_one(
    walks: list[Walk], start: Start, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    purchases = tmp_path / "purchases.csv"
    write_purchases(purchases, TODAY)
    words: dict[str, tuple[Scope, str | None]] = {}
    answers: dict[str, Answer] = {}
    with (
        start(tmp_path, purchases) as started,
        ApiClient(started.address, api_key=started.key) as parley,
    ):
        scopes = {walk.name: _upload(parley, walk, at) for at, walk in enumerate(walks)}
        for walk in walks:
            with subtests.test(walk.name):
                words[walk.name] = _judged(parley, walk, _read(parley, scopes[walk.name]))
        # Only then: contracts and deals are soon known as what was paid, and other quotes are judged by them.
        for walk in walks:
            with subtests.test(walk.name):
                scope, word = words[walk.name]
                _check_agreement(parley, scope, walk)
                answers[walk.name] = Answer(word, _first_counter(parley, walk, scope))
    told = Counter("judged" if one.word in GIVEN else one.word or "no estimate" for one in answers.values())
    answered = sum(one.word in GIVEN or one.counter is not None for one in answers.values())
    assert answered >= LEAST_ANSWERED * len(walks), told
    assert told["judged"] >= LEAST_JUDGED * len(walks), told


def _upload(parley: ScopedClient, walk: Walk, number: int) -> str:
    name, draw = (LAYOUTS | DEAL_LAYOUTS)[walk.layout]
    quote = replace(walk.printed, number=f"Q-{7000 + number}", day=TODAY - timedelta(days=5))
    stored = parley.files.upload(draw(quote), filename=name)
    return parley.scopes.from_document(parley.files.address(stored.id)).scope_id


def _read(parley: ScopedClient, scope_id: str) -> Scope:
    deadline = time.monotonic() + PATIENCE
    while True:
        scope = parley.scopes.get(scope_id)
        assert scope.document_processing is not None
        if scope.document_processing.status in {"completed", "failed"} or time.monotonic() > deadline:
            assert scope.document_processing.status == "completed", scope.document_processing.error
            return scope
        time.sleep(0.2)


def _judged(parley: ScopedClient, walk: Walk, scope: Scope) -> tuple[Scope, str | None]:
    """Confirm what was read; return the scope that follows, and the word on its price."""
    reading = parley.scopes.document(scope.id)
    assert len(reading.lines) == len(walk.lines)
    for line, wanted in zip(reading.lines, walk.lines, strict=True):
        _check_match(line, wanted)
        _check_charge(line, wanted, walk)
    [listed] = [one for one in parley.scopes.iter() if one.id == scope.id]
    assert listed.supplier is not None
    assert listed.supplier.name == walk.supplier, "who sells it, not who makes it"
    [term] = scope.scope_terms
    assert term.purchase_type == ("renewal" if walk.is_renewal else "new_purchase")
    assert term.final_price == pytest.approx(Decimal(str(walk.paid)))
    _check_word(_explained(parley, scope), walk, "as read")
    confirmed = parley.scopes.confirm_document(scope.id, _answers(parley, walk, scope, reading))
    assert confirmed.scope_terms[0].final_price == term.final_price
    explained = _explained(parley, confirmed)
    word = _check_word(explained, walk, "confirmed")
    if explained is not None:
        _check_coverage(explained, walk)
    assert walk.end == "judged" or word not in GIVEN
    return confirmed, word


def _check_match(line: ReadLine, wanted: QuotedLine) -> None:
    """The right product and edition, or asked; what is no product is proposed as such, or asked too."""
    if wanted.role != "product":
        assert line.role == wanted.role or line.product_id is None
        return
    if wanted.line.part:
        assert (line.role, line.term_amount or 0, "included" in line.tags) == ("left_aside", 0, True)
        return
    if wanted.line.optional:
        assert (line.role, "optional" in line.tags) == ("left_aside", True)
        return
    is_open = line.product_id is None or line.question is not None
    if wanted.offered is None:
        assert line.product_id is None, f"taken for {line.product_name}"
        assert line.proposed is not None
    elif wanted.asked:
        assert is_open, f"{line.product_name} was set: {line.dimensions}"
    elif not is_open:
        assert line.product_name == wanted.offered.product
        editions = {one.label for one in line.dimensions if one.name == "Edition"}
        assert not wanted.edition or editions == {wanted.edition}


def _check_charge(line: ReadLine, wanted: QuotedLine, walk: Walk) -> None:
    """What the line costs, and for which part of the term; where nothing proves that part it is asked, and
    the likely one is offered."""
    if wanted.line.part:
        return
    amount, months = wanted.line.amount(walk.months), wanted.line.months or walk.months
    assert line.term_amount == pytest.approx(Decimal(str(amount)))
    assert (line.first_month or 0, line.months or walk.months) == (wanted.line.first_month, months)


def _answers(parley: ScopedClient, walk: Walk, scope: Scope, reading: DocumentReading) -> ConfirmDocument:
    """What a person makes of the document: questions answered, new products added, the rest left aside."""
    [term] = scope.scope_terms
    assert term.term_length == walk.months
    adds_products = not any(one.offered for one in walk.lines)
    lines: list[ConfirmedLine] = []
    for line, wanted in zip(reading.lines, walk.lines, strict=True):
        if wanted.role != "product":
            lines.append(ConfirmedLine(index=line.index, role=wanted.role))
        elif wanted.line.part or wanted.line.optional or (wanted.offered is None and not adds_products):
            lines.append(ConfirmedLine(index=line.index, role="left_aside"))
        else:
            product_id = (
                _added(parley, reading, line) if wanted.offered is None else _product_id(parley, line, wanted)
            )
            lines.append(_confirmed(parley, line, product_id, wanted))
    whole = NewScopeTerm(
        term_length=walk.months,
        purchase_type="renewal" if walk.is_renewal else "new_purchase",
        final_price=term.final_price,
    )
    return ConfirmDocument(scope_term=whole, lines=lines)


def _confirmed(parley: ScopedClient, line: ReadLine, product_id: str, wanted: QuotedLine) -> ConfirmedLine:
    read = {value.name: value.value for value in line.values}
    product = parley.catalog.product(product_id)
    values: list[DimensionValue] = []
    for dimension in product.pricing_dimensions:
        if dimension.form_field.required:
            quantity = read.get("quantity")
            assert isinstance(quantity, Decimal)
            values.append(DimensionValue(id=dimension.id, value=quantity))
        elif isinstance(dimension.form_field, SelectField) and dimension.name == "Edition" and wanted.edition:
            [option] = [one for one in dimension.form_field.options if one.label == wanted.edition]
            values.append(DimensionValue(id=dimension.id, value=option.value))
    bought = NewProductTerm(product_id=product_id, pricing_dimensions=values, final_price=line.term_amount)
    return ConfirmedLine(index=line.index, role="product", product_term=bought)


def _product_id(parley: ScopedClient, line: ReadLine, wanted: QuotedLine) -> str:
    """The product that the person chooses: the one matched, a candidate, or one looked up."""
    assert wanted.offered is not None
    offered = {one.product_name: one.product_id for one in line.candidates}
    if line.product_id is not None:
        offered[line.product_name or ""] = line.product_id
    if wanted.offered.product in offered:
        return offered[wanted.offered.product]
    for company in parley.catalog.iter_companies(name=wanted.offered.supplier):
        for product in parley.catalog.iter_products(company.id):
            if product.name == wanted.offered.product:
                return product.id
    raise AssertionError(f"{wanted.offered.product} is not in the catalog")


def _added(parley: ScopedClient, reading: DocumentReading, line: ReadLine) -> str:
    """The line as a new entry of the catalog, in one step from what is proposed."""
    assert reading.supplier is not None
    assert line.proposed is not None
    known = reading.supplier.company_id
    supplier = EntrySupplier(company_id=known) if known else EntrySupplier(name=reading.supplier.name)
    entry = NewCatalogEntry(
        supplier=supplier, product=EntryProduct(name=line.proposed.name, unit=line.proposed.unit)
    )
    try:
        return parley.catalog.create_entry(entry).product_id
    except Conflict:
        return parley.catalog.create_entry(entry.model_copy(update={"confirm_new": True})).product_id


def _explained(parley: ScopedClient, scope: Scope) -> PriceExplanation | None:
    """None where nothing can be estimated; the refusal then says what would mend that."""
    try:
        return parley.pricing.explanation(scope.id)
    except Unprocessable as refusal:
        detail = refusal.problem.detail.lower() if refusal.problem else ""
    assert any(word in detail for word in ("import", "confirm", "rate", "quote")), detail
    return None


def _check_word(explained: PriceExplanation | None, walk: Walk, when: str) -> str | None:
    """The word of the verdict, which is not a confident wrong one."""
    if explained is None:
        return None
    verdict = explained.verdict
    assert verdict is not None, when
    assert verdict.reasons, when
    wrong = (verdict.word == "accept" and walk.ratio > EXPENSIVE) or (
        verdict.word == "negotiate" and walk.ratio <= USUAL
    )
    assert not wrong, f"{when}: {verdict.word} at {walk.ratio:.2f} times the usual price: {verdict.reasons}"
    assert walk.end == "judged" or verdict.word == "withheld", f"{when}: {verdict.word}: {verdict.reasons}"
    return verdict.word


def _check_coverage(explained: PriceExplanation, walk: Walk) -> None:
    coverage, verdict = explained.coverage, explained.verdict
    assert coverage is not None
    assert coverage.share is not None
    assert verdict is not None
    if walk.end != "unknown":
        assert float(coverage.share) == pytest.approx(walk.covered, abs=0.005)
        if verdict.word in GIVEN:
            assert verdict.basis == ("whole" if walk.covered >= 0.8 else "covered_lines")


def _check_agreement(parley: ScopedClient, confirmed: Scope, walk: Walk) -> None:
    """The contract has the total and each line that is bought, for the part of the term that it is for."""
    made = parley.agreements.from_document(confirmed.id)
    assert made.total_value == confirmed.scope_terms[0].final_price
    paid = [
        one.line
        for one in walk.lines
        if not one.line.optional and not one.line.part and one.line.amount(walk.months) >= 0
    ]
    for line, wanted in zip(made.lines or (), paid, strict=True):
        assert line.amount == pytest.approx(Decimal(str(wanted.amount(walk.months))))
        if line.product_id is not None:
            part = (line.first_month or 0, line.months or walk.months)
            assert part == (wanted.first_month, wanted.months or walk.months)


def _first_counter(parley: ScopedClient, walk: Walk, scope: Scope) -> Decimal | None:
    """The amount of the counter at hand, with numbers typed by the buyer where there is no estimate."""
    started = parley.negotiations.start(
        StartNegotiation.model_validate(
            {
                "supplier": {"name": walk.supplier},
                "contactEmail": "buyer@example.com",
                "contactName": "A. Buyer",
                "engagementType": "svc_led",
                "scope": {"scopeId": scope.id},
            }
        )
    ).negotiation_id
    timeline = _planned(parley, started)
    levers = {one.kind for one in timeline.strategy.levers}
    for kind, named in walk.clauses.items():
        assert (kind in levers) is named, f"{kind}: {timeline.strategy.levers}"
    if timeline.strategy.opening is None:
        assert timeline.strategy.unavailable
        [term] = scope.scope_terms
        assert term.final_price is not None
        typed = {"opening": 0.7, "target": 0.8, "walkAway": 0.9}
        _tell(
            parley,
            started,
            "urn:svc:strategy:1",
            {name: round(float(term.final_price) * share) for name, share in typed.items()}
            | {"note": "Our budget."},
        )
        timeline = parley.negotiations.timeline(started)
        assert timeline.strategy.opening is not None
        assert timeline.strategy.opening.origin == "typed"
    opening = timeline.strategy.opening
    counters = [
        option.amount
        for escalation in parley.negotiations.iter_escalations(started, status="open")
        for option in escalation.options
        if option.decision == "counter" and option.amount is not None
    ]
    for counter in counters:
        assert len(str(int(counter)).rstrip("0")) <= 3, f"{counter} is no round number"
    if not counters:
        return None
    assert min(counters) <= opening.amount * Decimal("1.02")
    _check_deal(parley, started, counters[0], walk.currency)
    return counters[0]


def _check_deal(parley: ScopedClient, negotiation_id: str, amount: Decimal, currency: str) -> None:
    """The letter offers what was decided, and what is agreed is the same in every record of it."""
    _tell(parley, negotiation_id, "urn:svc:decision:1", {"decision": "counter", "amount": float(amount)})
    letter = parley.negotiations.timeline(negotiation_id).mails[-1]
    assert re.findall(rf"{currency} [\d,.]*\d", letter.body) == [format_exact_money(amount, currency)]
    _tell(parley, negotiation_id, "urn:svc:message:1", {"from": "Seller", "text": "Agreed."})
    agreed = {"amount": float(amount), "currency": currency, "signedAt": TODAY.isoformat()}
    _tell(parley, negotiation_id, "urn:svc:agreement:1", agreed)
    deadline = time.monotonic() + PATIENCE
    while not (made := [one for one in parley.agreements.iter() if one.negotiation_id == negotiation_id]):
        assert time.monotonic() < deadline, "no contract was made"
        time.sleep(0.05)
    [contract] = made
    assert (contract.total_value, contract.currency) == (amount, currency)
    assert sum(one.amount or 0 for one in contract.lines or ()) == amount
    [listed] = [one for one in parley.negotiations.iter() if one.id == negotiation_id]
    assert listed.first_quoted is not None
    assert (listed.agreed, listed.savings) == (amount, listed.first_quoted - amount)


def _planned(parley: ScopedClient, negotiation_id: str) -> Timeline:
    deadline = time.monotonic() + PATIENCE
    while (timeline := parley.negotiations.timeline(negotiation_id)).status == "planning":
        assert time.monotonic() < deadline, "not planned in time"
        time.sleep(0.05)
    return timeline


def _tell(parley: ScopedClient, negotiation_id: str, schema: str, payload: Mapping[str, object]) -> None:
    parley.negotiations.external_update(
        negotiation_id,
        ExternalUpdate.model_validate(
            {
                "timestamp": datetime.now(UTC).isoformat(),
                "externalId": f"walk-{schema}",
                "source": "walks",
                "schema": {"$id": schema, "type": "object"},
                "payload": dict(payload),
            }
        ),
    )
