"""Reads that a deployment may lack: ask `queries.has_operation` first. Cached like those of `queries`."""

from collections.abc import Sequence

from app.contract.pricing import PreviewedEstimate, PricePreview
from app.contract.sample import SampleQuote
from app.contract.webhooks import DeliveryAttempt, InboxMessage, WebhookDetail
from app.dashboard.api.cached_read import CATALOG_SECONDS, OWN_SECONDS, cached_read
from app.dashboard.api.queries import client_for, client_read
from app.dashboard.deployment import Deployment

search = client_read(lambda client: client.search.find, OWN_SECONDS)
load_document_reading = client_read(lambda client: client.scopes.document, CATALOG_SECONDS, max_entries=100)
load_second_opinion = client_read(lambda client: client.second_opinion.settings, OWN_SECONDS)
load_usage = client_read(lambda client: client.access.usage, OWN_SECONDS)
load_agent_calls = client_read(lambda client: client.agent_calls.list, OWN_SECONDS)
load_document_page = client_read(
    lambda client: client.scopes.document_page, CATALOG_SECONDS, max_entries=40, of_deployment=True
)


@cached_read(OWN_SECONDS)
def load_preview(deployment: Deployment, body: str) -> PreviewedEstimate:
    """Load the estimate of a purchase that is not stored; `body` is a `PricePreview` as JSON, so that it is a
    plain cache key. Needs `POST /v1/pricing/preview`."""
    return client_for(deployment).pricing.preview(PricePreview.model_validate_json(body))


load_explanation = client_read(lambda client: client.pricing.explanation, OWN_SECONDS)
load_product_prices = client_read(lambda client: client.pricing.product, OWN_SECONDS)


@cached_read(OWN_SECONDS)
def load_webhook_detail(deployment: Deployment, webhook_id: str) -> WebhookDetail:
    """Load whether a webhook is called, and its health. Needs `GET /v1/webhooks/{}`."""
    return WebhookDetail.model_validate(client_for(deployment).webhooks.get(webhook_id))


@cached_read(OWN_SECONDS)
def load_attempts(deployment: Deployment, webhook_id: str, event_id: str) -> list[DeliveryAttempt]:
    """Load the attempts of a delivery, the first one first. Needs `GET
    /v1/webhooks/{}/events/{}/attempts`."""
    attempts = client_for(deployment).webhooks.attempts(webhook_id, event_id)
    return [DeliveryAttempt.model_validate(attempt) for attempt in attempts]


@cached_read(OWN_SECONDS)
def load_inbox(deployment: Deployment, webhook_id: str) -> list[InboxMessage]:
    """Load the messages in the built-in inbox, the newest first. Needs `GET /v1/webhooks/{}/inbox`."""
    messages = client_for(deployment).webhooks.inbox(webhook_id)
    return [InboxMessage.model_validate(message) for message in messages]


load_overview = client_read(lambda client: client.overview.read, OWN_SECONDS)
load_overview_figures = client_read(lambda client: client.overview.figures, OWN_SECONDS)


@cached_read(CATALOG_SECONDS, of_deployment=True)
def load_sample_quotes(deployment: Deployment) -> Sequence[SampleQuote]:
    """Load the sample quotes that can be tried. Needs `GET /v1/sample/quotes`."""
    return client_for(deployment).sample.quotes().data


@cached_read(CATALOG_SECONDS, max_entries=40, of_deployment=True)
def load_sample_quote(deployment: Deployment, number: str) -> bytes:
    """Load the document of a sample quote. Needs `GET /v1/sample/quotes/{}`."""
    return client_for(deployment).sample.quote(number).content


load_sample_data = client_read(lambda client: client.sample.read, OWN_SECONDS)


def clear_webhook_reads() -> None:
    """Clear the cached reads of a webhook after a delivery."""
    load_webhook_detail.clear()
    load_attempts.clear()
    load_inbox.clear()
