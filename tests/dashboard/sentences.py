"""Prints the sentences of a running product for review, each with its pages: `uv run --group dev
python -m tests.dashboard.sentences http://127.0.0.1:8000 KEY`. A key of an empty organisation shows empty
states."""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element

from app.client import ApiClient, ScopedClient
from app.dashboard.deployment import Deployment
from app.dashboard.navigation import PAGES
from app.dashboard.server import configuration
from app.dashboard.signing_in.sessions import session_store
from app.settings import Settings
from tests.dashboard.conftest import MAIN, SECRET
from tests.dashboard.page_helpers import list_tabs, show_page

Address = tuple[str, dict[str, str]]
"""The name of a page and the query of its address."""

Record = TypeVar("Record")

TEXT_FIELDS = ("label", "help", "body", "placeholder", "alt", "options")
STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
PER_STATE = 2
"""How many records in the same state are opened."""


def main(base_url: str, api_key: str) -> None:
    st.context.__class__.cookies = {}  # pyright: ignore[reportAttributeAccessIssue]  # there is no browser
    places: dict[str, dict[str, str]] = {}  # of sentences that differ in no more than their digits
    with TemporaryDirectory() as folder, ApiClient(base_url, api_key=api_key) as client:
        configuration.set_settings(Settings(data_dir=Path(folder), secret_key=SECRET, public_url=base_url))
        deployment = Deployment(base_url, api_key)
        for name, query in list_addresses(client):
            for tab, page in open_tabs(deployment, name, query):
                place = " ".join([name, *query.values(), tab]).strip()
                for sentence in read_sentences(page):
                    places.setdefault(re.sub(r"\d+", "0", sentence), {})[place] = sentence
    for found in places.values():
        [(place, sentence), *others] = found.items()
        sys.stdout.write(f"{sentence}\n    {place}{f' and {len(others)} more' if others else ''}\n")


def list_addresses(client: ScopedClient) -> Iterator[Address]:
    """The pages without a record, then those of suppliers, products and records in every state."""
    yield from ((page.name, {}) for page in PAGES)
    for company in client.catalog.companies(limit=PER_STATE).data:
        yield "company", {"id": company.id}
        yield from (
            ("product", {"id": one.id}) for one in client.catalog.products(company.id).data[:PER_STATE]
        )
    scopes = client.scopes.list(limit=50).data
    for scope in take_of_each(
        (one.document_processing and one.document_processing.status, one) for one in scopes
    ):
        yield "scope", {"id": scope.id}
        yield "estimates", {"ids": scope.id}
    negotiations = client.negotiations.list(limit=50).data
    for negotiation in take_of_each((one.status, one) for one in negotiations):
        yield "negotiation", {"id": negotiation.id}
    for webhook in client.webhooks.list():
        yield "webhook", {"id": webhook.id}
        events = client.webhooks.events(webhook.id, limit=50).data
        for event in take_of_each((one.status, one) for one in events):
            yield "webhook", {"id": webhook.id, "event": event.id}


def take_of_each(records: Iterable[tuple[str | None, Record]]) -> list[Record]:
    """The first `PER_STATE` records of each state."""
    by_state: dict[str | None, list[Record]] = {}
    for state, record in records:
        by_state.setdefault(state, []).append(record)
    return [record for several in by_state.values() for record in several[:PER_STATE]]


def open_tabs(deployment: Deployment, name: str, query: dict[str, str]) -> Iterator[tuple[str, AppTest]]:
    """The page once for each of its tabs."""
    first = open_page(deployment, name, query)
    yield "", first
    for tab in list_tabs(first)[1:]:
        yield (
            tab,
            open_page(deployment, name, query | dict.fromkeys(("view", f"{name}-tab"), tab)),
        )


def open_page(deployment: Deployment, name: str, query: dict[str, str]) -> AppTest:
    page = AppTest.from_file(MAIN, default_timeout=60)
    page.session_state["parley.deployment"] = session_store().start(deployment)[0]
    for key, value in query.items():
        page.query_params[key] = value
    if name != "overview":
        show_page(page, name)
    return page.run()


def read_sentences(page: AppTest) -> set[str]:
    texts = (STYLE.sub("", text) for node in list_nodes(page._tree) for text in read_texts(node))
    return {text for text in texts if is_sentence(text)}


def is_sentence(text: str) -> bool:
    return re.search(r"[a-z]{2}", text) is not None and not text.startswith(("<img", "<script", "<div"))


def list_nodes(block: Block) -> Iterator[Block | Element]:
    for child in block.children.values():
        yield child
        if isinstance(child, Block):
            yield from list_nodes(child)


def read_texts(node: Block | Element) -> Iterator[str]:
    """The texts of an element that a reader or a screen reader meets, the labels of a table's columns too."""
    if node.proto is None:
        return
    for field, value in node.proto.ListFields():
        if field.name in TEXT_FIELDS:
            yield from [value] if isinstance(value, str) else [one for one in value if isinstance(one, str)]
        elif field.name == "columns" and isinstance(value, str):
            for column in json.loads(value).values():
                yield from (column[name] for name in ("label", "help") if column.get(name))


if __name__ == "__main__":
    main(*sys.argv[1:3])
