"""What the tests of the pages share: scopes and negotiations to show, and the text of a page."""

from collections.abc import Callable
from typing import Any

import httpx
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from app.dashboard import navigation
from app.dashboard.deployment import Deployment
from tests.dashboard.record_tables import read_headings
from tests.dashboard.seed_data import ACME, PLATFORM, stable_id

USERS = stable_id("dimension users")


def show_page(page: AppTest, name: str) -> None:
    """Open the page of the file `name`, which AppTest takes for its address before the first run."""
    address = next(entry.path for entry in navigation.PAGES if entry.name == name)
    page._page_hash = calc_hash(address)


def page_text(page: AppTest) -> str:
    """Every text of a page in one string."""
    elements = (
        *page.title,
        *page.markdown,
        *page.caption,
        *page.error,
        *page.warning,
        *page.info,
        *page.success,
        *page.code,
    )
    links = (str(link.proto.label) for link in page.get("page_link"))
    return "\n".join([*read_headings(page), *links, *(str(element.value) for element in elements)])


def list_tabs(page: AppTest) -> list[str]:
    """The names of the tabs of a page; none where there is only one."""
    choices = (one for one in page.segmented_control if one.key == "view" or str(one.key).endswith("-tab"))
    return [name for one in choices for name in one.options]


def open_popover(page: AppTest, name: str) -> None:
    """Open the popover of the form or the confirmed write `name`."""
    page.session_state[f"{name}-popover"] = True
    page.run()


def call_service(deployment: Deployment, method: str, path: str, body: object = None) -> Any:
    """Ask the service itself, past the dashboard."""
    answer = httpx.request(
        method,
        deployment.base_url + path,
        json=body,
        headers={"Authorization": f"Bearer {deployment.api_key}"},
        timeout=60,
        verify=False,  # over http; to read the system's certificates takes longer than the call
    )
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


def scope_body(users: int = 20, *, product: str = PLATFORM, dimension: str = USERS) -> dict[str, object]:
    return {
        "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase", "finalPrice": 2100}],
        "productTerms": [{"productId": product, "pricingDimensions": [{"id": dimension, "value": users}]}],
    }


def create_scope(deployment: Deployment, users: int = 20, **more: object) -> str:
    """The id of a new scope."""
    ident: str = call_service(deployment, "POST", "/v1/scope", scope_body(users) | more)["id"]
    return ident


def start_unplanned(deployment: Deployment, count: int = 1, **more: Any) -> list[str]:
    """The ids of new negotiations that no worker has planned yet."""
    body = {
        "supplier": {"companyId": ACME, "name": "Acme Cloud"},
        "contactEmail": "kim@example.com",
        "contactName": "Kim Lee",
        "engagementType": "strategy_only",
    } | more
    return [
        call_service(deployment, "POST", "/v1/negotiation/start", body)["negotiationId"] for _ in range(count)
    ]


def upload_quote(open_page: Callable[..., AppTest], name: str, content: bytes, media_type: str) -> AppTest:
    """The page that follows after a quote was dropped."""
    page = open_page("scopes")
    return page.file_uploader[0].upload(name, content, media_type).run()
