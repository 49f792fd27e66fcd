"""The client against the real service, over real sockets."""

import asyncio
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import assert_type

import pytest

from app.client import (
    ApiClient,
    AsyncApiClient,
    BadRequest,
    Conflict,
    Credentials,
    EndUser,
    Forbidden,
    NotFound,
    RateLimited,
    Retries,
    TooLarge,
    Unauthorized,
    Unprocessable,
    UnsupportedMedia,
    offered_operations,
)
from app.contract.catalog import CompanyInList, EntryProduct, NewCatalogEntry, ProductInList
from app.contract.negotiation import ExternalUpdate, StartNegotiation
from app.contract.page import ListPage
from app.contract.pricing import PricePreview
from app.contract.scope import NewScope
from tests.client.deployment import PRODUCTS, SUPPLIERS, Deployment, deployed
from tests.service.negotiation.fake_clock import FakeClock

EVERY_OPERATION = frozenset(
    {
        *("GET /v1/catalog/companies", "GET /v1/catalog/companies/{}", "GET /v1/catalog/categories"),
        *("GET /v1/catalog/product-families/{}", "GET /v1/catalog/products/{}"),
        *("POST /v1/catalog/entries",),
        *("GET /v1/catalog/companies/{}/product-families", "GET /v1/catalog/companies/{}/products"),
        *("GET /v1/scope/{}", "POST /v1/scope", "POST /v1/scope/from-document", "GET /v1/scope"),
        *("GET /v1/scope/{}/document", "GET /v1/scope/{}/document/pages/{}"),
        "POST /v1/scope/{}/document/list-prices",
        *("POST /v1/scope/{}/document/confirm", "POST /v1/negotiation/{}/strategy"),
        *("POST /v1/negotiation/{}/mails/{}/sent",),
        *("GET /v1/pricing/basic/{}", "GET /v1/pricing/advanced/{}", "POST /v1/pricing/preview"),
        *("GET /v1/pricing/explanation/{}", "GET /v1/pricing/products/{}"),
        *("GET /v1/webhooks", "POST /v1/webhooks", "GET /v1/webhooks/{}", "PATCH /v1/webhooks/{}"),
        *("DELETE /v1/webhooks/{}", "GET /v1/webhooks/{}/events", "GET /v1/webhooks/{}/events/{}"),
        *("POST /v1/webhooks/{}/secret", "POST /v1/webhooks/{}/test"),
        *("GET /v1/webhooks/{}/events/{}/attempts", "POST /v1/webhooks/{}/events/{}/redeliver"),
        *("POST /v1/webhooks/{}/events/redeliver", "POST /v1/negotiation/start", "GET /v1/negotiation"),
        *("GET /v1/negotiation/{}/summary", "GET /v1/negotiation/{}/escalations/{}"),
        *("GET /v1/negotiation/{}/escalations", "POST /v1/negotiation/{}/external-update"),
        *("POST /v1/negotiation/{}/attach", "GET /v1/negotiation/faqs/{}", "GET /v1/negotiation/savings"),
        *("GET /v1/negotiation/{}/timeline", "POST /v1/files/upload", "GET /v1/files/{}"),
        *("GET /v1/health", "GET /v1/openapi"),
    }
)
"""The operations for which this client has a method."""

CSV = b"item,quantity,unit price,total\nProduct 0-01,10,5.00,50.00\n"


@pytest.fixture
def parley(deployment: Deployment) -> Iterator[ApiClient]:
    with ApiClient(deployment.address, api_key=deployment.key()) as client:
        yield client


def a_product(parley: ApiClient) -> ProductInList:
    company = next(parley.catalog.iter_companies(page_size=1))
    return next(parley.catalog.iter_products(company.id, page_size=1))


def scope_body(product: ProductInList, quantity: int = 25) -> dict[str, object]:
    quantities = [
        {"id": dimension.id, "value": quantity}
        for dimension in product.pricing_dimensions
        if dimension.form_field.required
    ]
    return {
        "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
        "productTerms": [{"productId": product.id, "pricingDimensions": quantities}],
    }


def a_scope(parley: ApiClient) -> NewScope:
    return NewScope.model_validate(scope_body(a_product(parley)))


def test_the_whole_catalog_is_walked(parley: ApiClient) -> None:
    companies = list(parley.catalog.iter_companies(page_size=2))
    assert [company.name for company in companies] == [f"Supplier {number}" for number in range(SUPPLIERS)]
    for company in companies:
        products = list(parley.catalog.iter_products(company.id, sort_by="name", page_size=5))
        assert len({product.id for product in products}) == PRODUCTS
        read = parley.catalog.product(products[0].id)
        assert read.company.id == company.id
        assert parley.catalog.company(company.id).name == company.name
        for family in parley.catalog.iter_product_families(company.id):
            assert parley.catalog.product_family(family.id).id == family.id
    assert list(parley.catalog.iter_categories()) == [
        category for page in [parley.catalog.categories(limit=100)] for category in page.data
    ]


def test_filters_find(parley: ApiClient) -> None:
    page = parley.catalog.companies(name="PLIER 1")
    assert_type(page, ListPage[CompanyInList])
    (found,) = page.data
    assert found.name == "Supplier 1"
    assert [company.id for company in parley.catalog.companies(ids=[found.id]).data] == [found.id]
    assert parley.catalog.companies(name="nobody & nothing").data == []
    assert parley.catalog.companies(ids=[]).pagination.total == 0
    descending = parley.catalog.companies(sort_order="desc", limit=1)
    assert descending.data[0].name == f"Supplier {SUPPLIERS - 1}"
    assert descending.pagination.total == SUPPLIERS


def test_an_unchanged_product_is_confirmed_without_its_body(parley: ApiClient) -> None:
    product = a_product(parley)
    first = parley.catalog.product(product.id)
    assert parley.catalog.product(product.id) == first
    assert [call.unchanged for call in parley.calls[-2:]] == [False, True]
    assert parley.calls[-1].bytes == 0


def test_a_scope_is_made_read_listed_and_priced(parley: ApiClient) -> None:
    body = a_scope(parley)
    made = parley.scopes.create(body)
    assert parley.scopes.get(made.id) == made
    assert made.id in [scope.id for scope in parley.scopes.iter(source="manual", page_size=1)]
    assert parley.scopes.update(made.id, name="Desks", archived=True).archived_at is not None
    [listed] = parley.scopes.list(ids=[made.id], name="desks", archived=True).data
    assert (listed.name, listed.status, listed.product_terms) == ("Desks", "ready", made.product_terms)
    made_up = parley.scopes.update(made.id, archived=False, without_name=True).name
    assert made_up not in (None, "Desks")
    following = body.model_copy(update={"previous_scope_id": made.id})
    assert parley.scopes.create(following).previous_scope_id == made.id
    basic = parley.pricing.basic(made.id)
    assert 0 < basic.estimate.percentile25 <= basic.estimate.percentile50 <= basic.estimate.percentile75
    advanced = parley.pricing.advanced(made.id)
    assert advanced.estimate.at(10) <= advanced.estimate.at(90)
    assert parley.pricing.explanation(made.id).products


def test_an_estimate_without_storing_leaves_purchases_out(parley: ApiClient) -> None:
    body = scope_body(a_product(parley))
    whole = parley.pricing.preview(PricePreview.model_validate(body))
    excluded = whole.products[0].comparables[0].id
    less = parley.pricing.preview(PricePreview.model_validate({**body, "exclude": [excluded]}))
    assert excluded not in [purchase.id for product in less.products for purchase in product.comparables]


def test_what_cannot_be_priced_is_unprocessable(parley: ApiClient) -> None:
    scope_id = parley.scopes.from_upload(CSV, filename="quote.csv").scope_id
    with pytest.raises(Unprocessable) as raised:
        parley.pricing.basic(scope_id)
    assert raised.value.problem
    assert raised.value.problem.title == "Pricing failed"


def test_one_idempotency_key_makes_one_scope(parley: ApiClient) -> None:
    body, key = a_scope(parley), str(uuid.uuid4())
    first = parley.scopes.create(body, idempotency_key=key)
    assert parley.scopes.create(body, idempotency_key=key).id == first.id
    assert parley.scopes.create(body).id != first.id
    other = body.model_copy(update={"previous_scope_id": first.id})
    with pytest.raises(Unprocessable):
        parley.scopes.create(other, idempotency_key=key)


def test_a_file_comes_back_as_it_went(parley: ApiClient, tmp_path: Path) -> None:
    path = tmp_path / "Angebot Müller.csv"
    path.write_bytes(CSV)
    uploaded = parley.files.upload(path)
    file = parley.files.content(uploaded.id)
    assert (file.content, file.filename) == (CSV, "Angebot Müller.csv")


def test_an_uploaded_file_becomes_a_scope_by_its_address(parley: ApiClient) -> None:
    uploaded = parley.files.upload(CSV, filename="quote.csv")
    started = parley.scopes.from_document(parley.files.address(uploaded.id), purchase_type="renewal")
    processing = parley.scopes.get(started.scope_id).document_processing
    assert processing
    assert processing.filename == "quote.csv"


def test_the_places_that_are_wrong_are_named(parley: ApiClient) -> None:
    body = scope_body(a_product(parley))
    body["previousScopeId"] = str(uuid.uuid4())
    with pytest.raises(BadRequest) as raised:
        parley.scopes.create(NewScope.model_validate(body))
    assert "/previousScopeId" in [place.pointer for place in raised.value.places]
    with pytest.raises(BadRequest) as raised:
        parley.catalog.companies(limit=101)
    assert "limit" in [place.pointer for place in raised.value.places]


def test_refusals_come_as_their_classes(deployment: Deployment, parley: ApiClient) -> None:
    with pytest.raises(NotFound) as missing:
        parley.catalog.company(str(uuid.uuid4()))
    assert missing.value.request_id
    assert missing.value.request_id == parley.calls[-1].request_id
    with pytest.raises(BadRequest):
        parley.catalog.company("no-uuid?at=all")
    with pytest.raises(Unauthorized):
        parley.acting_for(Credentials("no-such-key")).catalog.companies()
    body, reader = a_scope(parley), parley.acting_for(Credentials(deployment.key(read_only=True)))
    with pytest.raises(Forbidden):
        reader.scopes.create(body)
    with pytest.raises(UnsupportedMedia):
        parley.files.upload(b"\x7fELF\x02\x01\x01" + bytes(100), filename="quote.pdf")
    with pytest.raises(BadRequest):
        parley.acting_for(Credentials(deployment.key(), EndUser(ip="no address"))).catalog.companies()
    assert (
        parley.acting_for(Credentials(deployment.key(), EndUser(ip="2001:db8::7"))).catalog.companies().data
    )


def start_of(parley: ApiClient) -> StartNegotiation:
    company = next(parley.catalog.iter_companies())
    scope = parley.scopes.create(a_scope(parley))
    return StartNegotiation.model_validate(
        {
            "supplier": {"companyId": company.id},
            "contactEmail": "buyer@example.com",
            "contactName": "A Buyer",
            "engagementType": "strategy_only",
            "scope": {"scopeId": scope.id},
            "metadata": {"nothing": None},
        }
    )


def an_update(**changes: object) -> ExternalUpdate:
    return ExternalUpdate.model_validate(
        {
            "timestamp": "2026-11-20T09:30:00Z",
            "externalId": str(uuid.uuid4()),
            "source": "test",
            "schema": {"type": "object"},
            "payload": {"said": "We had a call.", "left": None},
            **changes,
        }
    )


def test_a_negotiation_is_started_followed_and_informed(parley: ApiClient) -> None:
    start = start_of(parley)
    negotiation_id = parley.negotiations.start(start).negotiation_id
    summary = parley.negotiations.summary(negotiation_id)
    assert (summary.id, summary.status) == (negotiation_id, "planning")
    parley.negotiations.external_update(negotiation_id, an_update())
    uploaded = parley.files.upload(CSV, filename="offer.csv")
    assert parley.negotiations.attach(negotiation_id, uploaded.id).file_id == uploaded.id
    assert parley.negotiations.attach_upload(negotiation_id, CSV, filename="offer 2.csv").id
    timeline = parley.negotiations.timeline(negotiation_id)
    assert {"started", "note"} <= {entry.kind for entry in timeline.entries}
    assert {document.filename for document in timeline.documents} == {"offer.csv", "offer 2.csv"}
    listed = parley.negotiations.iter(company_id=start.supplier.company_id, page_size=1)
    assert negotiation_id in [negotiation.id for negotiation in listed]
    assert list(parley.negotiations.iter_escalations(negotiation_id, status="resolved")) == []
    assert parley.negotiations.savings().negotiations == []


def test_a_repeated_start_under_one_key_is_one_negotiation(parley: ApiClient) -> None:
    start, key = start_of(parley), str(uuid.uuid4())
    first = parley.negotiations.start(start, idempotency_key=key)
    assert parley.negotiations.start(start, idempotency_key=key) == first


def test_what_a_negotiation_refuses_comes_as_its_class(parley: ApiClient) -> None:
    negotiation_id = parley.negotiations.start(start_of(parley)).negotiation_id
    update = an_update()
    parley.negotiations.external_update(negotiation_id, update)
    parley.negotiations.external_update(negotiation_id, update)
    changed = update.model_copy(update={"payload": {"said": "Something else."}})
    with pytest.raises(Conflict):
        parley.negotiations.external_update(negotiation_id, changed)
    with pytest.raises(Unprocessable):
        parley.negotiations.external_update(negotiation_id, an_update(schema={"required": ["missing"]}))
    with pytest.raises(NotFound):
        parley.negotiations.escalation(negotiation_id, str(uuid.uuid4()))


def test_an_entry_of_ones_own_is_made_once_and_its_like_offered(deployment: Deployment) -> None:
    # An organisation of its own: an entry added here must not be counted by the other tests.
    with ApiClient(deployment.address, api_key=deployment.key("Bright Buyers")) as parley:
        an_entry_is_made_once(parley)


def an_entry_is_made_once(parley: ApiClient) -> None:
    entry = NewCatalogEntry.model_validate(
        {"supplier": {"name": "Bright Analytics Ltd"}, "product": {"name": "Viewer", "unit": "seat"}}
    )
    made = parley.catalog.create_entry(entry)
    assert parley.catalog.product(made.product_id).company.id == made.company_id
    near = entry.model_copy(update={"product": EntryProduct(name="Viewers")})
    with pytest.raises(Conflict) as raised:
        parley.catalog.create_entry(near)
    assert raised.value.tries == 1
    assert raised.value.candidates[0].product_id == made.product_id
    assert raised.value.candidates[0].why
    confirmed = parley.catalog.create_entry(near.model_copy(update={"confirm_new": True}))
    assert confirmed.company_id == made.company_id


def test_a_webhook_is_registered_tried_followed_and_ended(parley: ApiClient) -> None:
    webhook = parley.webhooks.create("https://receiver.example/hook", ["scope.extracted"])
    assert webhook.secret
    assert webhook.secret.startswith("whsec_")
    (listed,) = (each for each in parley.webhooks.list() if each.id == webhook.id)
    assert listed.secret is None
    sent = [parley.webhooks.test(webhook.id).event_id for _ in range(3)]
    assert [event.id for event in parley.webhooks.iter_events(webhook.id, page_size=2)] == sent[::-1]
    assert parley.webhooks.events(webhook.id, status="succeeded").data == []
    record = parley.webhooks.event(webhook.id, sent[0])
    assert record.data.body["eventType"] == "scope.extracted"
    assert parley.webhooks.attempts(webhook.id, sent[0]) == []
    assert parley.webhooks.redeliver(webhook.id, sent[0]).event_id == sent[0]
    assert parley.webhooks.redeliver_since(webhook.id, datetime(2026, 1, 1, tzinfo=UTC)).count >= 0
    assert parley.webhooks.rotate_secret(webhook.id).secret != webhook.secret
    assert not parley.webhooks.update(webhook.id, enabled=False).enabled
    with pytest.raises(Conflict):
        parley.webhooks.test(webhook.id)
    assert parley.webhooks.get(webhook.id).disabled_reason
    assert parley.webhooks.delete(webhook.id).id == webhook.id
    with pytest.raises(NotFound):
        parley.webhooks.delete(webhook.id)


def test_a_repeated_registration_under_one_key_keeps_its_secret(parley: ApiClient) -> None:
    key = str(uuid.uuid4())
    first, again = (
        parley.webhooks.create("https://receiver.example/", ["scope.extracted"], idempotency_key=key)
        for _ in range(2)
    )
    assert again == first


def test_questions_about_a_company_are_answered(parley: ApiClient) -> None:
    company = next(parley.catalog.iter_companies())
    assert parley.negotiations.faqs(company.id).last_updated_at
    with pytest.raises(NotFound):
        parley.negotiations.faqs(str(uuid.uuid4()))


def test_one_organisation_does_not_find_what_another_made(deployment: Deployment, parley: ApiClient) -> None:
    made = parley.scopes.create(a_scope(parley))
    stranger = parley.acting_for(Credentials(deployment.key("Somebody Else")))
    with pytest.raises(NotFound):
        stranger.scopes.get(made.id)
    assert made.id not in [scope.id for scope in stranger.scopes.iter()]


def test_health_and_the_description_need_no_key(deployment: Deployment) -> None:
    with ApiClient(deployment.address) as nobody:
        assert {part.name for part in nobody.health.report().services} >= {"database", "files"}
        assert nobody.health.is_up()
        assert offered_operations(nobody.openapi()) >= EVERY_OPERATION


@pytest.mark.campaign
def test_an_upload_over_the_limit_is_too_large_and_does_not_break_the_line(tmp_path: Path) -> None:
    with (
        deployed(tmp_path, max_upload=200_000) as small,
        ApiClient(small.address, api_key=small.key()) as parley,
    ):
        with pytest.raises(TooLarge):
            parley.files.upload(bytes(3_000_000), filename="quote.pdf")
        assert parley.files.upload(CSV, filename="quote.csv").id


def test_an_asynchronous_program_uses_the_same_interface(deployment: Deployment, tmp_path: Path) -> None:
    path = tmp_path / "quote.csv"
    path.write_bytes(CSV)

    async def work() -> None:
        async with AsyncApiClient(deployment.address, api_key=deployment.key()) as parley:
            assert await parley.health.is_up()
            names = [company.name async for company in parley.catalog.iter_companies(page_size=2)]
            assert names == [f"Supplier {number}" for number in range(SUPPLIERS)]
            page = await parley.catalog.companies(limit=1)
            assert_type(page, ListPage[CompanyInList])
            products = await parley.catalog.products(page.data[0].id, limit=3, sort_by="name")
            # All at the same time.
            async with asyncio.TaskGroup() as tasks:
                reads = [tasks.create_task(parley.catalog.product(each.id)) for each in products.data]
            assert [read.result().id for read in reads] == [each.id for each in products.data]
            body, key = NewScope.model_validate(scope_body(products.data[0])), str(uuid.uuid4())
            made = await parley.scopes.create(body, idempotency_key=key)
            assert (await parley.scopes.create(body, idempotency_key=key)).id == made.id
            assert (await parley.pricing.basic(made.id)).estimate.percentile50 > 0
            uploaded = await parley.files.upload(path)
            assert (await parley.files.content(uploaded.id)).content == CSV
            with pytest.raises(NotFound):
                await parley.acting_for(Credentials(deployment.key("Somebody Else"))).scopes.get(made.id)
            assert [call.unchanged for call in parley.calls[:2]] == [False, False]
        assert parley.is_closed

    asyncio.run(work())


def test_too_many_requests_are_limited_and_the_wait_is_told(tmp_path: Path) -> None:
    with (
        deployed(tmp_path, clock=FakeClock(), rate_limit=5) as strict,
        ApiClient(strict.address, api_key=strict.key(), retries=Retries(tries=1)) as parley,
    ):
        for _ in range(5):
            parley.catalog.companies()
        with pytest.raises(RateLimited) as raised:
            parley.catalog.companies()
        assert raised.value.retry_after
        assert raised.value.retry_after <= 60
