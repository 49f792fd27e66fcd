"""Takes the pictures of the README from a product that runs with its sample data: `uv run --group dev
python -m tests.browser.story_pictures http://127.0.0.1:8501 http://127.0.0.1:8000 KEY`."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import sync_playwright

from app.client import ApiClient, ScopedClient
from tests.browser import chromium
from tests.browser.conftest import settled, sign_in

PICTURES = Path(__file__).parent / "pictures"
COLOURS: tuple[Literal["light", "dark"], ...] = ("light", "dark")
CHART_MS = 2_000
"""How long charts take to be drawn after the page."""


def main(dashboard: str, service: str, key: str) -> None:
    with ApiClient(service, api_key=key) as client:
        addresses = dict(list_addresses(client))
    with sync_playwright() as playwright:
        path = chromium.find(playwright)
        browser = playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS))
        for colour in COLOURS:
            context = browser.new_context(
                viewport={"width": 1440, "height": 1000}, color_scheme=colour, locale="en-GB"
            )
            page = context.new_page()
            sign_in(page, dashboard, key)
            for name, address in addresses.items():
                page.goto(f"{dashboard}/{address}")
                settled(page)
                page.wait_for_timeout(CHART_MS)
                shown = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                # 256 colours are a third of the bytes, and look the same.
                shown.quantize(256, dither=Image.Dither.NONE).save(
                    PICTURES / f"{name}-{colour}.png", optimize=True
                )
        browser.close()


def list_addresses(client: ScopedClient) -> Iterator[tuple[str, str]]:
    """The name of each picture with the address of its page."""
    scopes = client.scopes.list(limit=50).data
    negotiations = client.negotiations.list(limit=50).data
    waiting = max(negotiations, key=lambda one: one.open_escalations or 0)
    yield "overview", ""
    yield "scope", f"scope?id={next(one.id for one in scopes if one.status == 'review')}"
    yield "estimates", f"estimates?ids={waiting.scope_id}"
    yield "negotiation", f"negotiation?id={waiting.id}"
    yield "webhooks", f"webhook?id={client.webhooks.list()[-1].id}"


if __name__ == "__main__":
    main(*sys.argv[1:])
