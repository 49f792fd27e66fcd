"""A load of callers that write down what they were promised, so that one can see what became of it."""

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from app.client import ApiClient, Retries
from app.client.errors import ApiError
from app.contract.catalog import FormField
from app.contract.scope import NewScope

WEBHOOKS = 8
PAUSE_SECONDS = 0.05
TRIES = 5
"""Two more than a client makes by itself, whose waits may be shorter than the start of a proxy."""


@dataclass
class Ledger:
    """What callers were told was done, and each call that failed after all its tries."""

    scopes: list[str] = field(default_factory=list[str])
    documents: list[str] = field(default_factory=list[str])
    events: set[str] = field(default_factory=set[str])
    failures: list[str] = field(default_factory=list[str])
    calls: int = 0


@contextmanager
def load(address: str, key: str, receiver_url: str, quote: bytes) -> Generator[Ledger]:
    """Callers who read, make scopes, send events and upload quotes at `address` while the block runs."""
    ledger, stop = Ledger(), threading.Event()
    with ApiClient(address, api_key=key, retries=Retries(tries=TRIES)) as client:
        hooks = [client.webhooks.create(receiver_url, ["scope.extracted"]).id for _ in range(WEBHOOKS)]
        product = next(iter(client.catalog.iter_products(next(iter(client.catalog.iter_companies())).id)))
        values = [
            {"id": one.id, "value": _first_value(one.form_field)}
            for one in product.pricing_dimensions
            if one.form_field.required
        ]

        def read() -> None:
            client.catalog.companies(limit=20)
            client.catalog.product(product.id)

        def make_scope() -> None:
            terms = {
                "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
                "productTerms": [{"productId": product.id, "pricingDimensions": values}],
            }
            scope = client.scopes.create(NewScope.model_validate(terms)).id
            ledger.scopes.append(scope)
            assert client.scopes.get(scope).id == scope

        def send_event() -> None:
            ledger.events.add(client.webhooks.test(hooks[len(ledger.events) % WEBHOOKS]).event_id)

        def upload() -> None:
            ledger.documents.append(client.scopes.from_upload(quote, filename="quote.pdf").scope_id)

        callers = (
            (read, PAUSE_SECONDS),
            (make_scope, PAUSE_SECONDS),
            (send_event, PAUSE_SECONDS),
            (upload, 3.0),
        )
        threads = [
            threading.Thread(target=_call_again_and_again, args=(call, pause, stop, ledger))
            for call, pause in callers
        ]
        for thread in threads:
            thread.start()
        try:
            yield ledger
        finally:
            stop.set()
            for thread in threads:
                thread.join()


def _first_value(field: FormField) -> str | int:
    return field.options[0].value if field.type == "select" else 1


def _call_again_and_again(
    call: Callable[[], None], pause: float, stop: threading.Event, ledger: Ledger
) -> None:
    while not stop.wait(pause):
        ledger.calls += 1
        try:
            call()
        except ApiError as error:
            at = time.strftime("%H:%M:%S")
            ledger.failures.append(f"{at} {call.__name__}: {type(error).__name__}: {error}")
