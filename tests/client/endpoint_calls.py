"""Calls of every method of the client, with what is sent and what is answered."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

from app.client import ApiClient
from app.contract.agreement_purchases import PurchaseDecision
from app.contract.agreements import AgreementChange, NewAgreement, NewDecision, WorkingDaysChange
from app.contract.approvals import ApprovalRulesChange
from app.contract.comments import Owner
from app.contract.imports import NewImport
from app.contract.negotiation import ExternalUpdate, StartNegotiation
from app.contract.pricing import PricePreview
from app.contract.renewals import StartRenewal
from app.contract.scope import ConfirmDocument, ListedLine, NewScope
from app.contract.second_opinion import SecondOpinionChange
from tests.client import records
from tests.client.records import ID, OTHER_ID
from tests.client.scripted import Says

NEW_SCOPE = NewScope.model_validate(records.new_scope())
CONFIRMED = ConfirmDocument.model_validate(
    {
        "scopeTerm": {"termLength": 12, "purchaseType": "renewal"},
        "lines": [{"index": 0, "role": "not_product"}],
    }
)
PREVIEW = PricePreview.model_validate({**records.new_scope(), "exclude": ["s1"]})
START = StartNegotiation.model_validate(
    {
        "supplier": {"name": "Acme"},
        "contactEmail": "buyer@example.com",
        "contactName": "A Buyer",
        "engagementType": "strategy_only",
    }
)
UPDATE = ExternalUpdate.model_validate(
    {"timestamp": records.THEN, "externalId": "1", "source": "crm", "schema": {}, "payload": {"kept": None}}
)
SINCE = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)

Ask = Callable[[ApiClient], Any]

READS: list[tuple[str, Ask, Any]] = [
    (f"/v1/catalog/companies/{ID}", lambda p: p.catalog.company(ID), records.company()),
    (f"/v1/catalog/product-families/{ID}", lambda p: p.catalog.product_family(ID), records.family()),
    (f"/v1/catalog/products/{ID}", lambda p: p.catalog.product(ID), records.product()),
    ("/v1/catalog/categories", lambda p: p.catalog.categories(), records.page([])),
    ("/v1/catalog/companies", lambda p: p.catalog.companies(), records.page([records.company_in_list()])),
    (
        f"/v1/catalog/companies/{ID}/product-families",
        lambda p: p.catalog.product_families(ID),
        records.page([records.family()]),
    ),
    (
        f"/v1/catalog/companies/{ID}/products",
        lambda p: p.catalog.products(ID),
        records.page([records.product_in_list()]),
    ),
    (
        "/v1/access",
        lambda p: p.access.read(),
        {"keyName": "reports", "organisation": "Acme", "readOnly": True},
    ),
    (
        f"/v1/members/{ID}/data",
        lambda p: p.members.data(ID),
        {"id": ID, "name": "Bea", "records": [{"place": "comment", "content": {"text": "x"}}], "leftOut": 0},
    ),
    ("/v1/usage", lambda p: p.access.usage(), {"bytes": [{"kind": "files", "stored": 1, "most": 2}]}),
    (
        "/v1/search?q=acme%20chair&limit=3",
        lambda p: p.search.find("acme chair", limit=3),
        {"groups": [{"kind": "supplier", "hits": [{"id": ID, "name": "Acme"}], "more": False}]},
    ),
    (
        "/v1/overview?since=2026-11-20T09%3A30%3A00.000Z",
        lambda p: p.overview.read(since=SINCE),
        {"waiting": [], "changes": [], "moreChanges": False, "scopes": 0, "negotiations": 0},
    ),
    (
        "/v1/overview/figures",
        lambda p: p.overview.figures(),
        {"since": records.THEN, "agreed": [], "spent": []},
    ),
    (
        "/v1/agreements?status=in_notice_window&asOf=2026-07-15&missing=false&limit=5",
        lambda p: p.agreements.list(
            status="in_notice_window", as_of=date(2026, 7, 15), missing=False, limit=5
        ),
        records.page([records.agreement()]),
    ),
    (
        f"/v1/negotiation/{ID}/comments?limit=2",
        lambda p: p.comments.list("negotiation", ID, limit=2),
        records.page([records.comment()]),
    ),
    (
        f"/v1/scope/{ID}/history?offset=5",
        lambda p: p.comments.history("scope", ID, offset=5),
        records.page([{"at": records.THEN, "actorKind": "key", "text": "The key “a” changed the name."}]),
    ),
    ("/v1/agreements.csv?name=Pages", lambda p: p.agreements.export_csv(name="Pages"), b"name"),
    (f"/v1/requirements/{ID}/evidence.xlsx", lambda p: p.requirements.evidence_xlsx(ID), b"PK"),
    (f"/v1/requirements/{ID}/evidence.html", lambda p: p.requirements.evidence_html(ID), b"<html>"),
    (f"/v1/requirements/{ID}/evidence.pdf", lambda p: p.requirements.evidence_pdf(ID), b"%PDF"),
    ("/v1/agreements.xlsx?missing=true", lambda p: p.agreements.export_xlsx(missing=True), b"PK"),
    (f"/v1/agreements.ocds.json?ids={ID}", lambda p: p.agreements.export_ocds(ids=[ID]), b"{}"),
    (
        f"/v1/agreements/{ID}?asOf=2026-07-15",
        lambda p: p.agreements.get(ID, as_of=date(2026, 7, 15)),
        records.agreement(),
    ),
    (
        f"/v1/agreements/{ID}/occurrences?limit=2",
        lambda p: p.agreements.occurrences(ID, limit=2),
        records.page([{"start": "2026-01-01", "end": "2026-12-31", "noticeDeadline": "2026-09-30"}]),
    ),
    (
        "/v1/renewals?within=30",
        lambda p: p.agreements.renewals(within=30),
        records.page([records.agreement()]),
    ),
    ("/v1/market?saving=true", lambda p: p.agreements.market(saving=True), records.page([records.market()])),
    ("/v1/spend?by=month", lambda p: p.agreements.spend(by="month"), records.spend()),
    (f"/v1/agreements/{ID}/renewal", lambda p: p.renewals.get(ID), records.agreement_renewal()),
    (
        f"/v1/agreements/{ID}/purchases?limit=2",
        lambda p: p.renewals.purchases(ID, limit=2),
        records.page([records.agreement_purchase()]),
    ),
    (
        "/v1/missing-details?field=owners",
        lambda p: p.agreements.missing_details(field="owners"),
        records.missing_details(),
    ),
    (
        f"/v1/price-history?companyId={ID}",
        lambda p: p.renewals.price_history(company_id=ID),
        {"lines": [], "doubts": []},
    ),
    (
        "/v1/negotiation/accuracy",
        lambda p: p.negotiations.accuracy(),
        {"deals": 0, "statement": "No price has been agreed yet.", "compared": [], "uncounted": []},
    ),
    ("/v1/calendar-feeds", lambda p: p.agreements.calendar_feeds(), records.page([records.calendar_feed()])),
    ("/v1/working-days", lambda p: p.agreements.working_days(), {"weekend": ["sunday"], "holidays": []}),
    ("/v1/deadline-mail", lambda p: p.agreements.deadline_mail(), {"enabled": True, "available": False}),
    ("/v1/second-opinion", lambda p: p.second_opinion.settings(), records.second_opinion()),
    (
        "/v1/imports?status=ready",
        lambda p: p.imports.list(status="ready"),
        records.page([records.import_record()]),
    ),
    (f"/v1/imports/{ID}", lambda p: p.imports.get(ID), records.import_record()),
    (
        f"/v1/audit?objectKind=scope&since=2026-11-20T09%3A30%3A00.000Z&before={ID}&limit=5",
        lambda p: p.audit.list(object_kind="scope", since=SINCE, before=ID, limit=5),
        {"data": [records.audit_entry()], "next": ID},
    ),
    (
        "/v1/agents/calls?limit=5&offset=10",
        lambda p: p.agent_calls.list(limit=5, offset=10),
        records.page([records.agent_call()], 11, 5, 10) | {"tools": [records.agent_tool_count()]},
    ),
    (
        "/v1/approvals?status=waiting&limit=5",
        lambda p: p.approvals.list(status="waiting", limit=5),
        records.page([records.approval(amount=1200.5, currency="USD")]),
    ),
    (f"/v1/approvals/{ID}", lambda p: p.approvals.get(ID), records.approval()),
    (
        "/v1/approval-rules",
        lambda p: p.approvals.rules(),
        {"awards": True, "webhooks": False, "pricesAbove": 1000, "currency": "EUR"},
    ),
    ("/v1/keys?limit=5", lambda p: p.keys.list(limit=5), records.page([records.api_key()])),
    ("/v1/members?offset=3", lambda p: p.members.list(offset=3), records.page([records.member()], offset=3)),
    ("/v1/audit.csv?action=scopes.create", lambda p: p.audit.export_csv(action="scopes.create"), b"at"),
    ("/v1/sample", lambda p: p.sample.read(), records.sample_data()),
    ("/v1/sample/quotes", lambda p: p.sample.quotes(), records.page([records.sample_quote()])),
    ("/v1/sample/quotes/Q-4107", lambda p: p.sample.quote("Q-4107"), b"%PDF"),
    (f"/v1/scope/{ID}", lambda p: p.scopes.get(ID), records.scope()),
    ("/v1/scope", lambda p: p.scopes.list(), records.page([records.scope()])),
    (
        "/v1/scope?name=pages&status=review&archived=false&ids=a,b&limit=5",
        lambda p: p.scopes.list(name="pages", status="review", archived=False, ids=["a", "b"], limit=5),
        records.page([records.scope()]),
    ),
    (f"/v1/scope/{ID}/document", lambda p: p.scopes.document(ID), records.reading()),
    (f"/v1/scope/{ID}/document/pages/2", lambda p: p.scopes.document_page(ID, 2), b"\x89PNG"),
    (f"/v1/pricing/basic/{ID}", lambda p: p.pricing.basic(ID), records.basic_estimate()),
    (f"/v1/pricing/advanced/{ID}", lambda p: p.pricing.advanced(ID), records.advanced_estimate()),
    (f"/v1/pricing/explanation/{ID}", lambda p: p.pricing.explanation(ID), records.explanation()),
    (f"/v1/pricing/products/{ID}", lambda p: p.pricing.product(ID), records.product_prices()),
    ("/v1/webhooks", lambda p: p.webhooks.list(), [records.webhook()]),
    ("/v1/webhooks/w1", lambda p: p.webhooks.get("w1"), records.webhook_detail()),
    ("/v1/webhooks/w1/events", lambda p: p.webhooks.events("w1"), [records.webhook_event()]),
    (
        "/v1/webhooks/w1/events/e1",
        lambda p: p.webhooks.event("w1", "e1"),
        records.webhook_event(data=records.sent_request()),
    ),
    ("/v1/webhooks/w1/events/e1/attempts", lambda p: p.webhooks.attempts("w1", "e1"), [records.attempt()]),
    ("/v1/webhooks/w1/inbox", lambda p: p.webhooks.inbox("w1"), [records.inbox_message()]),
    (f"/v1/negotiation/{ID}/summary", lambda p: p.negotiations.summary(ID), records.summary()),
    (
        f"/v1/negotiation/{ID}/escalations",
        lambda p: p.negotiations.escalations(ID),
        records.page([records.escalation()]),
    ),
    (
        f"/v1/negotiation/{ID}/escalations/{OTHER_ID}",
        lambda p: p.negotiations.escalation(ID, OTHER_ID),
        {"escalation": records.escalation()},
    ),
    (
        f"/v1/negotiation/faqs/{ID}",
        lambda p: p.negotiations.faqs(ID),
        {"faqs": [{"question": "?", "answer": "!"}], "lastUpdatedAt": records.THEN},
    ),
    ("/v1/negotiation", lambda p: p.negotiations.list(), records.page([records.listed_negotiation()])),
    (f"/v1/negotiation/{ID}/timeline", lambda p: p.negotiations.timeline(ID), records.timeline()),
    ("/v1/negotiation/savings", lambda p: p.negotiations.savings(), records.savings()),
    (f"/v1/files/{ID}", lambda p: p.files.content(ID), b"%PDF"),
    ("/v1/health", lambda p: p.health.report(), records.health()),
    ("/v1/openapi", lambda p: p.openapi(), {"openapi": "3.1.0"}),
]

WRITES: list[tuple[str, str, Ask, Any, Says]] = [
    (
        "POST",
        "/v1/scope",
        lambda p: p.scopes.create(NEW_SCOPE),
        records.new_scope(),
        Says(201, records.scope()),
    ),
    (
        "POST",
        f"/v1/scope/{ID}/document/confirm",
        lambda p: p.scopes.confirm_document(ID, CONFIRMED),
        CONFIRMED.wire(),
        Says(201, records.scope()),
    ),
    (
        "POST",
        f"/v1/scope/{ID}/document/list-prices",
        lambda p: p.scopes.take_list_prices(ID, [ListedLine(index=0, product_id=ID, per="year")]),
        {"lines": [{"index": 0, "productId": ID, "per": "year"}]},
        Says(204),
    ),
    (
        "POST",
        "/v1/scope/from-document",
        lambda p: p.scopes.from_document("https://files.example/quote.pdf", purchase_type="renewal"),
        {"fileUrl": "https://files.example/quote.pdf", "purchaseType": "renewal"},
        Says(201, {"scopeId": ID}),
    ),
    (
        "POST",
        "/v1/pricing/preview",
        lambda p: p.pricing.preview(PREVIEW),
        {**records.new_scope(), "exclude": ["s1"]},
        Says(200, {**records.advanced_estimate(), "products": []}),
    ),
    (
        "POST",
        "/v1/webhooks",
        lambda p: p.webhooks.create("https://receiver.example/", ["scope.extracted"]),
        {"url": "https://receiver.example/", "events": ["scope.extracted"]},
        Says(201, records.webhook(secret="whsec_c2VjcmV0")),
    ),
    (
        "POST",
        "/v1/agreements",
        lambda p: p.agreements.create(NewAgreement(name="Pages", currency="USD")),
        {"name": "Pages", "currency": "USD"},
        Says(201, records.agreement()),
    ),
    (
        "POST",
        "/v1/agreements/from-document",
        lambda p: p.agreements.from_document(ID),
        {"scopeId": ID},
        Says(201, records.agreement()),
    ),
    (
        "PATCH",
        f"/v1/agreements/{ID}",
        lambda p: p.agreements.update(ID, AgreementChange(name="Pages", notice_period=None)),
        {"name": "Pages", "noticePeriod": None},
        Says(200, records.agreement()),
    ),
    (
        "POST",
        f"/v1/agreements/{ID}/decision",
        lambda p: p.agreements.decide(ID, NewDecision(decision="end", notice_given_on=date(2026, 9, 1))),
        {"decision": "end", "noticeGivenOn": "2026-09-01"},
        Says(200, records.agreement()),
    ),
    (
        "POST",
        f"/v1/agreements/{ID}/renewal",
        lambda p: p.renewals.start(ID, StartRenewal(contact_name="Bea")),
        {"contactName": "Bea", "engagementType": "strategy_only"},
        Says(201, records.agreement_renewal()),
    ),
    (
        "POST",
        "/v1/keys",
        lambda p: p.keys.create("reports", "reader"),
        {"name": "reports", "role": "reader"},
        Says(201, records.api_key(key="parley_k")),
    ),
    (
        "POST",
        "/v1/calendar-feeds",
        lambda p: p.agreements.create_calendar_feed(),
        None,
        Says(201, {**records.calendar_feed(), "url": "https://parley.example/v1/renewals.ics?token=t"}),
    ),
    (
        "POST",
        f"/v1/agreements/{ID}/purchases/decision",
        lambda p: p.renewals.decide_purchase(ID, PurchaseDecision(line=0, purchase_id=OTHER_ID, same=True)),
        {"line": 0, "purchaseId": OTHER_ID, "same": True},
        Says(200, records.agreement_purchase()),
    ),
    (
        "POST",
        f"/v1/agreements/{ID}/comments",
        lambda p: p.comments.create("agreement", ID, "Finance has agreed."),
        {"text": "Finance has agreed."},
        Says(201, records.comment()),
    ),
    (
        "DELETE",
        f"/v1/scope/{ID}/comments/{OTHER_ID}",
        lambda p: p.comments.delete("scope", ID, OTHER_ID),
        None,
        Says(200, {"id": OTHER_ID}),
    ),
    ("DELETE", f"/v1/agreements/{ID}", lambda p: p.agreements.delete(ID), None, Says(200, {"id": ID})),
    (
        "POST",
        f"/v1/members/{ID}/erase",
        lambda p: p.members.erase(ID),
        None,
        Says(200, {"id": ID, "name": "Erased person 1"}),
    ),
    (
        "POST",
        f"/v1/approvals/{ID}/approve",
        lambda p: p.approvals.approve(ID),
        None,
        Says(200, {"approval": records.approval(status="approved"), "answer": {"id": ID}}),
    ),
    (
        "POST",
        f"/v1/approvals/{ID}/refuse",
        lambda p: p.approvals.refuse(ID, "No."),
        {"reason": "No."},
        Says(200, records.approval(status="refused", reason="No.")),
    ),
    (
        "PATCH",
        "/v1/approval-rules",
        lambda p: p.approvals.change_rules(ApprovalRulesChange(prices_above=None)),
        {"pricesAbove": None},
        Says(200, {"awards": True, "webhooks": False, "currency": "EUR"}),
    ),
    ("DELETE", f"/v1/keys/{ID}", lambda p: p.keys.revoke(ID), None, Says(200, {"id": ID, "name": "k"})),
    (
        "DELETE",
        f"/v1/members/{ID}/sessions",
        lambda p: p.members.sign_out(ID),
        None,
        Says(200, {"id": ID, "name": "Bea", "ended": 2}),
    ),
    (
        "DELETE",
        f"/v1/calendar-feeds/{ID}",
        lambda p: p.agreements.revoke_calendar_feed(ID),
        None,
        Says(200, {"id": ID}),
    ),
    (
        "PATCH",
        "/v1/working-days",
        lambda p: p.agreements.update_working_days(WorkingDaysChange(weekend=["sunday"])),
        {"weekend": ["sunday"]},
        Says(200, {"weekend": ["sunday"], "holidays": []}),
    ),
    (
        "POST",
        "/v1/working-days/preview",
        lambda p: p.agreements.preview_working_days(WorkingDaysChange(weekend=["sunday"])),
        {"weekend": ["sunday"]},
        Says(200, {"total": 0, "data": []}),
    ),
    (
        "PATCH",
        "/v1/deadline-mail",
        lambda p: p.agreements.switch_deadline_mail(enabled=False),
        {"enabled": False},
        Says(200, {"enabled": False, "available": True}),
    ),
    (
        "PATCH",
        "/v1/second-opinion",
        lambda p: p.second_opinion.update(SecondOpinionChange(enabled=False, key=None)),
        {"enabled": False, "key": None},
        Says(200, records.second_opinion()),
    ),
    (
        "POST",
        "/v1/imports",
        lambda p: p.imports.create(NewImport(file_id=OTHER_ID, mapping={"supplier": "whom"})),
        {"fileId": OTHER_ID, "mapping": {"supplier": "whom"}, "ignore": [], "states": {}},
        Says(201, records.import_record()),
    ),
    (
        "POST",
        f"/v1/imports/{ID}/confirm",
        lambda p: p.imports.confirm(ID),
        None,
        Says(200, records.import_record()),
    ),
    (
        "DELETE",
        f"/v1/imports/{ID}",
        lambda p: p.imports.withdraw(ID),
        None,
        Says(200, records.import_record()),
    ),
    (
        "POST",
        "/v1/webhooks/inbox",
        lambda p: p.webhooks.open_inbox(),
        None,
        Says(201, records.webhook(secret="whsec_c2VjcmV0")),
    ),
    ("DELETE", "/v1/webhooks/w1", lambda p: p.webhooks.delete("w1"), None, Says(200, {"id": "w1"})),
    (
        "PATCH",
        f"/v1/scope/{ID}",
        lambda p: p.scopes.update(ID, name="Pages", archived=True),
        {"name": "Pages", "archived": True},
        Says(200, {**records.scope(), "name": "Pages", "status": "ready"}),
    ),
    (
        "PATCH",
        f"/v1/scope/{ID}",
        lambda p: p.scopes.update(ID, owners=[]),
        {"owners": None},
        Says(200, {**records.scope(), "name": "Pages", "status": "ready"}),
    ),
    (
        "PATCH",
        f"/v1/negotiation/{ID}",
        lambda p: p.negotiations.update(ID, owners=[Owner(name="Bea")]),
        {"owners": [{"name": "Bea"}]},
        Says(200, records.listed_negotiation()),
    ),
    (
        "PATCH",
        "/v1/webhooks/w1",
        lambda p: p.webhooks.update("w1", enabled=False),
        {"enabled": False},
        Says(200, records.webhook_detail()),
    ),
    (
        "POST",
        "/v1/webhooks/w1/secret",
        lambda p: p.webhooks.rotate_secret("w1"),
        None,
        Says(200, {"id": "w1", "secret": "whsec_bmV3", "previousSecretUntil": records.THEN}),
    ),
    ("POST", "/v1/webhooks/w1/test", lambda p: p.webhooks.test("w1"), None, Says(201, {"eventId": "e2"})),
    (
        "POST",
        "/v1/webhooks/w1/events/e1/redeliver",
        lambda p: p.webhooks.redeliver("w1", "e1"),
        None,
        Says(200, {"eventId": "e1"}),
    ),
    (
        "POST",
        "/v1/webhooks/w1/events/redeliver",
        lambda p: p.webhooks.redeliver_since("w1", SINCE),
        {"since": "2026-11-20T09:30:00.000Z"},
        Says(200, {"count": 2}),
    ),
    (
        "POST",
        "/v1/negotiation/start",
        lambda p: p.negotiations.start(START),
        START.wire(),
        Says(201, {"negotiationId": ID}),
    ),
    (
        "POST",
        f"/v1/negotiation/{ID}/external-update",
        lambda p: p.negotiations.external_update(ID, UPDATE),
        UPDATE.wire(),
        Says(204),
    ),
    (
        "POST",
        f"/v1/negotiation/{ID}/attach",
        lambda p: p.negotiations.attach(ID, OTHER_ID),
        {"fileId": OTHER_ID},
        Says(201, {"id": ID, "fileId": OTHER_ID}),
    ),
    (
        "POST",
        f"/v1/negotiation/{ID}/strategy",
        lambda p: p.negotiations.plan_anew(ID, OTHER_ID),
        {"scopeId": OTHER_ID},
        Says(200, {"levers": []}),
    ),
    (
        "POST",
        f"/v1/negotiation/{ID}/mails/{OTHER_ID}/sent",
        lambda p: p.negotiations.mark_sent(ID, OTHER_ID),
        None,
        Says(
            200,
            {
                "id": OTHER_ID,
                "status": "sent",
                "subject": "s",
                "body": "b",
                "attempts": 0,
                "createdAt": "2026-11-20T09:30:00Z",
            },
        ),
    ),
]
