"""The calls whose requests and answers are the examples: a buyer's way through the sample data."""

import shutil
from datetime import date
from typing import Any

import httpx
import sqlalchemy as sa

from app.contract.events import (
    EVENT_NAMES,
    AgreementEnded,
    AgreementNoticeApproaching,
    AgreementNoticeMissed,
    AgreementRenewed,
)
from app.service.access.caller import Caller
from app.service.access.keys import find_organisation
from app.service.access.sessions import start_session
from app.service.agreements.learning.reconciling import learn_from_agreements
from app.service.agreements.market.jobs import price_outdated
from app.service.background.membership import Registration
from app.service.context import Context
from app.service.database.tables import agreement as agreement_rows
from app.service.database.tables import membership
from app.service.ids import new_id
from app.service.webhooks.outbox import emit
from tests.service.documents import pdf_builder
from tests.service.examples.recorder import Recorder
from tests.service.organisation_factory import run_tasks
from tests.service.running_service import add_member
from tests.service.store_faults import fault_at
from tests.service.webhooks.webhook_factory import states
from tests.service.webhooks.worker_harness import delivering, impatient, run, until

SUPPLIER, PRODUCT, SERVICE = "Brenesse Works", "Brenesse Pages", "Brenesse Onboarding"
PRICES = b"Price list 2026\nCurrency,USD\n\nDescription,Unit,Price\nSeats,seat,120.00\nService,hour,90.00\n"
QUOTE = f"""\
Supplier,{SUPPLIER}
Quote number,Q-2026-114
Date,2026-11-18
Currency,USD

Description,Quantity,Unit,Unit price,Amount
{PRODUCT},120,user,510.00,61200.00
{SERVICE},10,day,900.00,9000.00
""".encode()
ORDERS = f"""\
Date,From,Product,Quantity,Unit,Price,Clerk
2026-03-02,{SUPPLIER},{PRODUCT},40,user,505.00,Kim
2026-06-01,{SUPPLIER},{PRODUCT},60,user,,Kim
""".encode()
PAGE = pdf_builder.pdf([pdf_builder.Text(50, 60, line) for line in (f"Quote of {SUPPLIER}",)])
TERM = {"termLength": 12, "purchaseType": "new_purchase"}
ASKED = 61_200


def walk(one: Recorder, context: Context, reader: httpx.Client, stranger: httpx.Client) -> None:
    """Calls every operation. `reader` has a key that may only read, `stranger` has none."""
    described = one.call("openapi.read")
    for part in described.keys() - {"openapi", "info"}:
        del described[part]
    Registration(context.database, "worker", context.clock).register()
    one.clock.advance(minutes=-1)
    one.call("health.read")
    bought = _find_product(one)
    scope = _make_scope(one, bought)
    inbox = _register_webhooks(one)
    document = _read_document(one, context, bought)
    _estimate(one, scope, bought)
    _negotiate(one, context, bought, scope, document["fileId"])
    _agree(one, context, bought, document["confirmedScopeId"])
    one.call("searchResults.read", q=SUPPLIER.lower())
    one.call("access.read")
    one.call("usage.read")
    one.call("overview.read")
    one.call("overviewFigures.read")
    one.call("sampleData.read")
    one.call("sampleQuotes.list", limit=2)
    one.call("sampleQuotes.download", quoteNumber="Q-4107")
    _deliver(one, context, inbox)
    one.call("catalogEntries.create", status=201, body=_new_entry(bought["companyId"]))
    _import(one, context)
    _be_refused(one, context, reader, stranger, document["fileId"], bought)
    one.call("sampleData.remove")
    key = one.call("keys.create", status=201, body={"name": "Reports", "role": "reader"})["id"]
    one.call("keys.list", limit=2)
    one.call("keys.revoke", keyId=key)
    _approve(one, context)
    person = add_member(context, one.call("access.read")["organisation"], "Bea Buyer")
    one.call("members.list", limit=2)
    one.call("members.signOut", memberId=person)
    one.call("members.export", memberId=person)
    one.call("members.erase", memberId=person)
    one.call("audit.list", objectKind="agreement", limit=2)
    one.call("audit.exportCsv", action="webhooks.create")
    one.call(
        "agentCalls.record", status=201, body={"tool": "check_quote", "outcome": "answered", "seconds": 1.27}
    )
    one.call("agentCalls.list", limit=2)
    opinion = {"address": "https://models.example.com/v1", "model": "small-model", "key": "sk-example"}
    one.call("secondOpinion.update", body={**opinion, "callsPerDay": 50})
    one.call("secondOpinion.read")
    folder = context.settings.files_dir
    shutil.rmtree(folder)
    folder.write_text("a file where the folder of files was")
    one.call("health.read", status=503)


def _approve(one: Recorder, context: Context) -> None:
    """A webhook that a key asks for and a person approves, and another that they refuse."""
    organisation = one.call("access.read")["organisation"]
    [person, _] = people = [add_member(context, organisation, name, "admin") for name in ("Ada", "Abe")]
    with context.database.writing() as connection:
        member = Caller(person, find_organisation(connection, organisation), "admin", user_id=person)
        token = start_session(connection, member, context.clock())
    signed_in = {"Authorization": f"Bearer {token}"}
    one.call("approvalRules.update", body={"awards": False, "webhooks": True, "pricesAbove": None})
    one.call("approvalRules.read")
    hook = {"url": "https://hooks.example.com/approved", "events": ["scope.extracted"]}
    asked = one.send("webhooks.create", status=409, body=hook)["approvalId"]
    one.call("approvals.list")
    one.call("approvals.read", approvalId=asked)
    one.call("approvals.approve", approvalId=asked, headers=signed_in)
    asked = one.send("webhooks.create", status=409, body=hook)["approvalId"]
    reason = {"reason": "The receiver does not check signatures yet."}
    one.call("approvals.refuse", approvalId=asked, body=reason, headers=signed_in)
    one.send("approvalRules.update", status=200, body={"webhooks": False})
    with context.database.writing() as connection:
        connection.execute(membership.delete().where(membership.c.user_id.in_(people)))


def _find_product(one: Recorder) -> dict[str, Any]:
    one.call("categories.list", limit=2)
    [company] = one.call("companies.list", name=SUPPLIER, limit=2)["data"]
    whole = one.call("companies.read", companyId=company["id"])
    one.call("productFamilies.list", companyId=company["id"], limit=2)
    one.call("productFamilies.read", productFamilyId=whole["productFamilies"][0]["id"])
    listed = one.call("products.list", companyId=company["id"], limit=20)["data"]
    ids = {product["name"]: product["id"] for product in listed}
    product = one.call("products.read", productId=ids[PRODUCT])
    dimensions: list[dict[str, Any]] = []
    for dimension in product["pricingDimensions"]:
        if dimension["formField"]["required"]:
            options = dimension["formField"].get("options")
            dimensions.append({"id": dimension["id"], "value": options[0]["value"] if options else 120})
    return {"companyId": company["id"], "productId": ids[PRODUCT], "pricingDimensions": dimensions}


def _new_scope(bought: dict[str, Any]) -> dict[str, Any]:
    terms = {"productId": bought["productId"], "pricingDimensions": bought["pricingDimensions"]}
    return {"scopeTerms": [{**TERM, "finalPrice": ASKED}], "productTerms": [{**terms, "finalPrice": ASKED}]}


def _make_scope(one: Recorder, bought: dict[str, Any]) -> str:
    scope: str = one.call("scopes.create", status=201, body=_new_scope(bought))["id"]
    one.call("scopes.read", scopeId=scope)
    one.call("scopes.update", scopeId=scope, body={"name": "Pages for the field teams"})
    one.call("scopes.list", limit=2)
    _comment(one, "scope", scopeId=scope)
    return scope


def _comment(one: Recorder, kind: str, **named: Any) -> None:
    """Comments on a thing twice and takes back the second."""
    one.call(f"{kind}Comments.create", status=201, body={"text": "Finance has agreed."}, **named)
    mistake = one.send(f"{kind}Comments.create", status=201, body={"text": "Wrong place."}, **named)["id"]
    one.call(f"{kind}Comments.delete", commentId=mistake, **named)
    one.call(f"{kind}Comments.list", limit=2, **named)
    one.call(f"{kind}Histories.list", limit=4, **named)


def _register_webhooks(one: Recorder) -> str:
    """Registers the inbox for every event; its webhook's id."""
    new = {"url": "https://buyer.example/hooks/parley", "events": [*EVENT_NAMES]}
    webhook = one.call("webhooks.create", status=201, body=new)["id"]
    inbox: str = one.call("inboxes.create", status=201)["id"]
    one.call("webhooks.list", limit=2)
    one.call("webhooks.delete", webhookId=webhook)
    return inbox


def _read_document(one: Recorder, context: Context, bought: dict[str, Any]) -> dict[str, Any]:
    file = one.call("files.upload", status=201, file=("quote.csv", QUOTE))["id"]
    one.call("files.download", fileId=file)
    one.call("files.download", status=206, fileId=file, headers={"Range": "bytes=0-22"})
    one.refuse("files.download", status=416, fileId=file, headers={"Range": "bytes=9000-"})
    body = {"fileUrl": f"/v1/files/{file}", "purchaseType": "new_purchase"}
    scope = one.call("scopes.createFromDocument", status=201, body=body)["scopeId"]
    one.refuse("basicEstimates.read", status=422, scopeId=scope)
    drawn = one.api.post("/v1/scope/from-document", files={"file": ("quote.pdf", PAGE)}).json()["scopeId"]
    listed = one.api.post("/v1/scope/from-document", files={"file": ("prices.csv", PRICES)}).json()["scopeId"]
    run_tasks(context)
    taken = {"lines": [{"index": 0, "productId": bought["productId"], "per": "month"}]}
    one.call("listPrices.take", status=204, scopeId=listed, body=taken)
    one.call("scopeDocuments.drawPage", scopeId=drawn, page=1, width=800)
    reading = one.call("scopeDocuments.read", scopeId=scope)
    terms = {"productId": bought["productId"], "pricingDimensions": bought["pricingDimensions"]}
    lines: list[dict[str, Any]] = [
        {"index": line["index"], "role": "left_aside"} for line in reading["lines"]
    ]
    lines[0] = {"index": 0, "role": "product", "productTerm": {**terms, "finalPrice": ASKED}}
    confirmation = {"scopeTerm": TERM, "lines": lines}
    made = one.call("scopeDocuments.confirm", status=201, scopeId=scope, body=confirmation)
    return {"fileId": file, "scopeId": scope, "confirmedScopeId": made["id"]}


def _estimate(one: Recorder, scope: str, bought: dict[str, Any]) -> None:
    one.call("productPrices.read", productId=bought["productId"])
    one.call("basicEstimates.read", scopeId=scope)
    one.call("advancedEstimates.read", scopeId=scope)
    one.call("explanations.read", scopeId=scope, quoted=ASKED)
    one.call("estimates.preview", body={**_new_scope(bought), "quoted": ASKED})


def _negotiate(one: Recorder, context: Context, bought: dict[str, Any], scope: str, file: str) -> None:
    started = one.call(
        "negotiations.start",
        status=201,
        body={
            "supplier": {"companyId": bought["companyId"], "contactEmail": "sales@brenesse.example"},
            "contactEmail": "buyer@acme.example",
            "contactName": "Bea Buyer",
            "engagementType": "svc_led",
            "scope": {"scopeId": scope},
        },
    )
    negotiation: dict[str, Any] = {"negotiationId": started["negotiationId"]}
    run_tasks(context)
    one.call("strategies.recalculate", body={"scopeId": scope}, **negotiation)
    quote = {"amount": ASKED, "currency": "USD", "termLength": 12}
    _update(one, negotiation, "quote", quote)
    escalation = one.call("escalations.list", limit=2, **negotiation)["data"][0]["id"]
    one.call("escalations.read", escalationId=escalation, **negotiation)
    decision = {"escalationId": escalation, "decision": "counter", "amount": ASKED - 9_000}
    _update(one, negotiation, "decision", decision)
    mail = one.call("timelines.read", limit=2, **negotiation)["mails"][0]["id"]
    one.call("mails.markSent", mailId=mail, **negotiation)
    one.call("attachments.create", status=201, body={"fileId": file}, **negotiation)
    run_tasks(context)
    _update(one, negotiation, "agreement", {**quote, "amount": ASKED - 6_000})
    run_tasks(context)
    _update(one, negotiation, "quote", quote, status=409)
    one.call("negotiations.read", **negotiation)
    one.call("timelines.read", limit=2, **negotiation)
    one.call("negotiations.list", limit=2)
    owner = {"name": "Bea Buyer", "email": "buyer@acme.example"}
    one.call("negotiations.update", body={"owners": [owner]}, **negotiation)
    _comment(one, "negotiation", **negotiation)
    one.call("savings.read")
    one.call("dealAccuracy.read")
    one.call("faqs.list", companyId=bought["companyId"])


def _update(
    one: Recorder, negotiation: dict[str, Any], kind: str, payload: dict[str, Any], *, status: int = 204
) -> None:
    """Reports an update. The first quote is the example of the operation."""
    body = {
        "timestamp": f"{one.clock():%Y-%m-%dT%H:%M:%SZ}",
        "externalId": f"{kind}-{one.clock():%H%M}",
        "source": "purchasing-system",
        "schema": {"$id": f"urn:svc:{kind}:1", "type": "object"},
        "payload": payload,
    }
    if status >= 400:
        one.refuse("updates.create", status=status, body=body, **negotiation)
    elif kind == "quote":
        one.call("updates.create", status=status, body=body, **negotiation)
    else:
        one.send("updates.create", status=status, body=body, **negotiation)


def _agree(one: Recorder, context: Context, bought: dict[str, Any], confirmed: str) -> None:
    """Puts an agreement on record and decides on it."""
    new = {
        "name": "Pages for the field teams",
        "companyId": bought["companyId"],
        "owners": [{"name": "Bea Buyer", "email": "buyer@acme.example"}],
        "currency": "USD",
        "totalValue": ASKED,
        "lines": [
            {"description": "Pages", "productId": bought["productId"], "quantity": 50, "recurring": True}
        ],
        "termStart": "2026-01-01",
        "termEnd": "2026-12-31",
        "renewalType": "auto_renew",
        "autoRenewalTermMonths": 12,
        "noticePeriod": {"value": 30, "unit": "day"},
    }
    agreement = one.call("agreements.create", status=201, body=new)["id"]
    buyer = {"contactName": "Bea Buyer", "contactEmail": "buyer@acme.example"}
    renewed = one.call("agreements.createFromDocument", status=201, body={"scopeId": confirmed})["id"]
    one.call("agreements.update", agreementId=agreement, body={"tags": ["field teams"]})
    one.call("agreements.list", limit=2)
    for name in ("agreements.exportCsv", "agreements.exportXlsx", "agreements.exportOcds"):
        one.call(name, ids=agreement)
    one.call("renewals.list", limit=2)
    one.call("missingDetails.list", limit=1)
    price_outdated(context, _find_owner(context, agreement))
    one.call("agreementMarket.list", limit=2)
    one.call("spend.read", by="supplier", first="2026-01", last="2026-12")
    one.call("agreementOccurrences.list", agreementId=agreement, limit=2)
    one.call("agreementRenewals.create", status=201, agreementId=renewed, body=buyer)
    one.call("agreementRenewals.read", agreementId=renewed)
    run_tasks(context)
    _decide_on_twin(one, context)
    one.call("agreementPurchases.list", agreementId=renewed, limit=2)
    one.call("priceHistory.read", agreementId=renewed)
    decision = {"decision": "end", "note": "Two teams no longer use it.", "noticeGivenOn": "2026-11-20"}
    one.call("agreementDecisions.create", agreementId=agreement, body=decision)
    one.call("agreements.read", agreementId=agreement)
    _comment(one, "agreement", agreementId=agreement)
    mistake = one.send("agreements.create", status=201, body={"name": "Entered twice"})["id"]
    one.call("agreements.delete", agreementId=mistake)
    _compare_quotes(one)
    feed = one.call("calendarFeeds.create", status=201)["id"]
    one.call("calendarFeeds.list", limit=2)
    one.call("calendarFeeds.revoke", feedId=feed)
    _tell_of_dates(context, agreement)
    one.call("workingDays.preview", body={"holidays": [{"date": "2026-09-30", "name": "Founders' day"}]})
    one.call("workingDays.update", body={"holidays": [{"date": "2026-12-25", "name": "Christmas Day"}]})
    one.call("workingDays.read")
    one.call("deadlineMail.update", body={"enabled": True})
    one.call("deadlineMail.read")


def _compare_quotes(one: Recorder) -> None:
    needed = [{"description": name, "quantity": 50, "unit": "seat"} for name in ("Pages", "Support")]
    new = {"name": "Pages for two years", "currency": "USD", "termMonths": 24, "lines": needed}
    requirement = one.call("requirements.create", status=201, body={**new, "discountRate": 8})
    named = {"requirementId": requirement["id"]}
    for supplier, prices in (("Acme", (90, 30)), ("Borealis", (110, 20))):
        lines = [
            {**line, "requirementLineId": line["id"], "unitPrice": price, "recurring": "year"}
            for line, price in zip(requirement["lines"], prices, strict=True)
        ]
        kept = ("requirementLineId", "description", "quantity", "unitPrice", "recurring")
        offered = [{name: line[name] for name in kept} for line in lines]
        body = {"supplierName": supplier, "currency": "USD", "lines": offered, "leadTimeDays": 10}
        quote = one.call("requirements.addQuote", status=201, body=body, **named)
    decided = [{"quoteLineId": quote["lines"][0]["id"], "requirementLineId": requirement["lines"][0]["id"]}]
    one.call("requirements.align", body={"lines": decided}, **named)
    mistyped = one.send("requirements.addQuote", status=201, body=body, **named)["id"]
    price = {"id": quote["lines"][0]["id"], "unitPrice": 108.5}
    correction = {"validUntil": "2027-01-31", "lines": [price]}
    one.call("requirements.updateQuote", body=correction, quoteId=quote["id"], **named)
    one.call("requirements.removeQuote", quoteId=mistyped, **named)
    one.call("requirements.update", body={"neededBy": "2027-03-31"}, **named)
    one.call("requirements.list", limit=2)
    one.call("requirements.read", **named)
    one.call("requirements.listQuotes", limit=1, **named)
    one.call("requirements.matrix", **named)
    asked = {"objective": "cheapest_single", "constraints": {"maxShare": 100}}
    scenario = one.call("requirements.createScenario", status=201, body=asked, **named)["id"]
    one.call("requirements.readScenario", scenarioId=scenario, **named)
    one.call("requirements.listScenarios", limit=1, **named)
    person = {"contactName": "Robin Buyer", "contactEmail": "robin@example.com", "decidedBy": "Robin Buyer"}
    decided = {"scenarioId": scenario, "reason": "One supplier for both.", **person}
    one.call("requirements.award", status=201, body=decided, **named)
    one.call("requirements.evidenceXlsx", **named)
    one.call("requirements.evidenceHtml", **named)
    one.call("requirements.evidencePdf", **named)


def _decide_on_twin(one: Recorder, context: Context) -> None:
    """Puts two orders of a product of its own on record, and decides that they are two."""
    entry = {
        "supplier": {"name": "Halden Tools"},
        "product": {"name": "Torque wrench", "unit": "piece"},
        "confirmNew": True,
    }
    ids = one.send("catalogEntries.create", status=201, body=entry)
    orders: list[str] = []
    for amount in (5_200, 5_000):
        line = {
            "productId": ids["productId"],
            "description": "Torque wrench",
            "quantity": 40,
            "recurring": False,
        }
        order = {
            "name": f"Torque wrenches, order {len(orders) + 1}",
            "companyId": ids["companyId"],
            "currency": "USD",
            "termStart": "2026-03-02",
            "lines": [{**line, "amount": amount}],
        }
        orders.append(one.send("agreements.create", status=201, body=order)["id"])
    learn_from_agreements(context, _find_owner(context, orders[0]))
    [line] = one.send("agreementPurchases.list", status=200, agreementId=orders[1])["data"]
    decision = {"line": 0, "purchaseId": line["alike"][0]["id"], "same": False}
    one.call("agreementPurchases.decide", agreementId=orders[1], body=decision)
    for order_id in orders:
        one.send("agreements.delete", status=200, agreementId=order_id)


def _tell_of_dates(context: Context, agreement: str) -> None:
    """Sends what happens to an agreement in the course of a year."""
    act_by, last, first = date(2026, 12, 1), date(2026, 12, 31), date(2027, 1, 1)
    next_last = date(2027, 12, 31)
    told = (
        AgreementNoticeApproaching(
            agreement_id=agreement, status="in_notice_window", act_by=act_by, days_left=7
        ),
        AgreementNoticeMissed(agreement_id=agreement, notice_deadline=act_by),
        AgreementRenewed(agreement_id=agreement, current_term_start=first, current_term_end=next_last),
        AgreementEnded(agreement_id=agreement, term_end=last),
    )
    owner = _find_owner(context, agreement)
    with context.database.writing() as connection:
        for event in told:
            emit(connection, event, organisation_id=owner, now=context.clock())


def _find_owner(context: Context, agreement: str) -> str:
    with context.database.reading() as connection:
        return connection.scalars(
            sa.select(agreement_rows.c.organisation_id).where(agreement_rows.c.id == agreement)
        ).one()


def _deliver(one: Recorder, context: Context, inbox: str) -> None:
    """Delivers what has happened to the inbox, and shows the records of it."""
    webhook: dict[str, Any] = {"webhookId": inbox}
    test = one.call("webhooks.test", status=201, **webhook)["eventId"]
    context = impatient(context, 0)

    async def work() -> None:
        async with delivering(context):
            await until(lambda: set(states(context, inbox)) == {"succeeded"})

    run(work())
    received = one.call("inboxes.read", **webhook)
    for message in received:
        sent = one.call("events.read", eventId=message["headers"]["webhook-id"], **webhook)
        payload = sent["data"]["body"]
        if "test" not in payload["data"]:
            one.events[payload["eventType"]] = {"headers": message["headers"], "body": payload}
    event: dict[str, Any] = {"eventId": test, **webhook}
    one.call("events.read", **event)
    one.call("events.list", limit=2, **webhook)
    one.call("attempts.list", **event)
    one.call("events.redeliver", **event)
    one.call("events.redeliverSince", body={"since": "2026-11-20T12:00:00Z"}, **webhook)
    one.call("webhooks.read", **webhook)
    one.call("webhooks.update", body={"enabled": True}, **webhook)
    one.call("webhooks.rotateSecret", **webhook)


def _new_entry(company: str) -> dict[str, Any]:
    edition = {"name": "Edition", "type": "select", "options": ["Basic", "Plus"]}
    product = {"name": "Print Server Licence", "unit": "user", "dimensions": [edition]}
    return {"supplier": {"companyId": company}, "product": product}


def _import(one: Recorder, context: Context) -> None:
    uploaded = one.api.post("/v1/files/upload", files={"file": ("orders.csv", ORDERS)}).json()["id"]
    new = {"fileId": uploaded, "mapping": {"supplier": "From"}, "ignore": ["Clerk"], "currency": "USD"}
    begun: dict[str, Any] = {"importId": one.call("imports.create", status=201, body=new)["id"]}
    run_tasks(context)
    one.call("imports.read", **begun)
    one.call("imports.rows", **begun)
    one.call("imports.confirm", **begun)
    one.call("imports.list", limit=2)
    one.call("imports.withdraw", **begun)


def _be_refused(
    one: Recorder,
    context: Context,
    reader: httpx.Client,
    stranger: httpx.Client,
    file: str,
    bought: dict[str, Any],
) -> None:
    """Meets every error that operations share."""
    scope = _new_scope(bought)
    scope["productTerms"][0]["pricingDimensions"] = scope["productTerms"][0]["pricingDimensions"][1:]
    one.refuse("scopes.create", status=400, body=scope)
    one.refuse("scopes.read", status=404, scopeId=new_id())
    one.refuse("scopes.create", status=415, content=b"termLength=12", headers={"Content-Type": "text/csv"})
    one.refuse("scopes.create", status=413, content=b"{" + b" " * context.settings.max_json)
    hook = {"url": "https://buyer.example/hooks/parley", "events": ["scope.extracted"]}
    with fault_at(context, 1):
        one.refuse("webhooks.create", status=503, body=hook)
    mine, one.api = one.api, stranger
    one.refuse("scopes.list", status=401)
    one.api = reader
    one.refuse("webhooks.create", status=403, body=hook)
    for _ in range(context.settings.rate_limit):
        reader.get("/v1/catalog/categories")
    one.clock.advance(minutes=-1)
    one.refuse("categories.list", status=429)
    one.api = mine
