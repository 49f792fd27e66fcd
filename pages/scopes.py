"""What is to be bought: the scopes so far, a quote to read, a form."""

import streamlit as st

from app.client import ScopedClient
from app.contract.catalog import Product
from app.contract.files import DOCUMENT_SUFFIXES
from app.contract.scope import PurchaseType, Scope, ScopeSource
from app.dashboard import navigation, recently_opened
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.catalog.supplier_choice import choose_supplier
from app.dashboard.failure_panel import failure_panel
from app.dashboard.session_values import PRODUCTS_CHANGED, form_faults, upload_count, write_failure
from app.dashboard.signing_in import identity
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.elements.pagination_bar import draw_pagination_bar, read_page_offset
from components.formatting import datetimes
from components.formatting.escape_markdown import escape_markdown
from components.scopes.product_picker import draw_product_buttons
from components.scopes.recent_scopes import draw_recent_scopes
from components.scopes.scope_card import PURCHASE_TYPE_LABELS, find_repeated_products
from components.scopes.scope_entry import place_of
from components.scopes.scope_form import draw_scope_form, read_scope_form

ALL, QUOTE, FORM = "All scopes", "From a quote", "By form"
PAGE = 25
SOURCES: dict[str, ScopeSource | None] = {
    "Any source": None,
    "By hand": "manual",
    "From a document": "document",
}

deployment = identity.require_deployment()


def open_scope(scope: Scope) -> None:
    recently_opened.remember(deployment, "scope", scope.id)
    navigation.open_page("scope", id=scope.id)


# --- all ---


def list_tab() -> None:
    with failure_panel("The list of scopes"):
        if queries.has_operation(deployment, "GET /v1/scope"):
            listed()
        else:
            opened_before()


def listed() -> None:
    source = st.radio(
        "Source",
        list(SOURCES),
        horizontal=True,
        key="source",
        bind="query-params",
        label_visibility="collapsed",
    )
    found = queries.load_scopes(
        deployment, source=SOURCES.get(source), limit=PAGE, offset=read_page_offset("page", PAGE)
    )
    if found.data:
        chosen = draw_recent_scopes(found.data, zone=datetimes.get_reader_zone(), key="scopes")
        draw_pagination_bar(found.pagination, "page", "scope")
        if chosen:
            open_scope(chosen)
    elif found.pagination.total:
        draw_empty_state("No scopes on this page", "The list is shorter than that.", icon="last_page")
    elif SOURCES.get(source):
        draw_empty_state("No scopes of this kind", "There are none from this source.", icon="filter_alt_off")
    else:
        draw_empty_state(
            "No scopes yet",
            "A scope says what is to be bought. Upload a supplier's quote, or describe the purchase by form.",
            icon="request_quote",
        )


def opened_before() -> None:
    st.caption(
        "This deployment does not list scopes: here are those that you made or opened in this session."
    )
    scopes: list[Scope] = []
    for ident in recently_opened.list_ids(deployment, "scope")[:PAGE]:
        with failure_panel(f"The scope {ident}", key=ident):
            scopes.append(queries.load_scope(deployment, ident))
    if scopes:
        chosen = draw_recent_scopes(scopes, zone=datetimes.get_reader_zone(), key="recalled-scopes")
        if chosen:
            open_scope(chosen)
    else:
        draw_empty_state("None in this session", "Make one, or open one by its id.", icon="request_quote")
    with st.form("open-by-id", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        ident = st.text_input("Id of a scope", key="scope-id", width=380)
        if st.form_submit_button("Open") and ident and ident.strip():
            navigation.open_page("scope", id=ident.strip())


# --- from a quote ---


def quote_tab() -> None:
    st.markdown(
        "Drop the supplier's quote or order form. Its lines are read and held against the catalog; then you "
        "say what is not clear, add what is missing in one step, and confirm. Nothing that moves the price "
        "is assumed."
    )
    # The uploader's number goes up after each upload, so that the next one starts empty.
    uploads = upload_count("quote")
    file = st.file_uploader("Quote", type=DOCUMENT_SUFFIXES, key=f"quote-{uploads.get()}", max_upload_size=50)
    kind = st.radio(
        "Kind of purchase",
        list(PURCHASE_TYPE_LABELS),
        format_func=lambda each: PURCHASE_TYPE_LABELS[each],
        horizontal=True,
        key="quote-kind",
    )

    def upload(client: ScopedClient, key: str) -> str:
        assert file is not None
        stored = client.files.upload(
            file.getvalue(), filename=file.name, mime_type=file.type, idempotency_key=f"{key}-file"
        )
        return client.scopes.from_document(
            client.files.address(stored.id), purchase_type=purchase_type(kind), idempotency_key=key
        ).scope_id

    def follow(scope_id: str) -> None:
        uploads.set(uploads.get() + 1)
        recently_opened.remember(deployment, "scope", scope_id)
        navigation.open_page("scope", id=scope_id)

    write_button(
        deployment,
        "Read this quote",
        name=f"upload-quote-{file.file_id if file else ''}",
        what="Uploading the quote",
        write=upload,
        on_success=follow,
        icon=":material/upload_file:",
        type="primary",
        disabled=file is None,
        help="Choose a file first" if file is None else None,
    )


# --- by form ---


def chosen_ids() -> list[str]:
    """The products in the address, else those of the scope that this one follows."""
    asked = [ident for ident in st.query_params.get("product", "").split(",") if ident]
    if asked or "product" in st.query_params:
        return list(dict.fromkeys(asked))
    before = followed()
    return list(dict.fromkeys(term.product_id for term in before.product_terms)) if before else []


def followed() -> Scope | None:
    ident = st.query_params.get("follows")
    return queries.load_scope(deployment, ident) if ident else None


def take(product_id: str) -> None:
    PRODUCTS_CHANGED.set(True)
    st.query_params["product"] = ",".join([*chosen_ids(), product_id])


def put_back(product_id: str) -> None:
    PRODUCTS_CHANGED.set(True)
    st.query_params["product"] = ",".join(ident for ident in chosen_ids() if ident != product_id)


def form_tab() -> None:
    before = None
    with failure_panel("The scope that this one follows"):
        before = followed()
    if before:
        navigation.draw_link(
            "scope", "Follows this scope, and starts from what it says", icon=":material/link:", id=before.id
        )
        twice = find_repeated_products(before)
        if twice:
            st.warning(
                f"It buys {escape_markdown(', '.join(twice))} more than once. This form takes each "
                "product once: what"
                " stands there a second time is left out. Change that in the review of the document.",
                icon=":material/warning:",
            )
    products: list[Product] = []
    for ident in chosen_ids():
        with failure_panel(f"The product {ident}", key=ident):
            products.append(queries.load_product(deployment, ident))
    pick(products)
    if products:
        fill(products, before)


@st.fragment
def pick(products: list[Product]) -> None:
    """Choose suppliers and products without running the page for each key."""
    if PRODUCTS_CHANGED.pop():
        st.rerun()
    with failure_panel("Looking up suppliers"), st.container(border=True):
        st.markdown("**Products**")
        if products:
            with st.container(horizontal=True):
                for product in products:
                    st.button(
                        escape_markdown(product.name),
                        icon=":material/close:",
                        key=f"put-back-{product.id}",
                        on_click=put_back,
                        args=(product.id,),
                        help="Take it out again",
                    )
        supplier, _ = choose_supplier(deployment, key="form")
        if supplier:
            offered = queries.load_products(deployment, supplier.id)
            draw_product_buttons(
                offered.data, [product.id for product in products], key="form", on_choose=take
            )
        elif not products:
            st.caption("Find the supplier, then take what is to be bought.")


@st.fragment
def fill(products: list[Product], before: Scope | None) -> None:
    """The form itself; each field redraws it alone, since some fields depend on others."""
    key = f"scope-form-{before.id if before else 'new'}"
    follows = before.id if before else None
    faults = form_faults(key)
    outcome = draw_scope_form(
        products, key=key, faults=faults.get(), initial_scope=before, previous_scope_id=follows
    )

    def is_complete() -> bool:
        now = read_scope_form(products, key=key, previous_scope_id=follows)
        faults.set(now.faults)
        return now.body is not None

    def create(client: ScopedClient, idempotency_key: str) -> Scope:
        now = read_scope_form(products, key=key, previous_scope_id=follows)
        if now.body is None:
            raise RuntimeError("the form changed between the click and the write")
        return client.scopes.create(now.body, idempotency_key=idempotency_key)

    refused = write_failure(key).get()
    if refused and outcome.body:
        faults.set({place_of(place.pointer, outcome.body): place.detail for place in refused.places})
    write_button(
        deployment,
        "Create the scope",
        name=key,
        what="Creating the scope",
        write=create,
        on_success=open_scope,
        icon=":material/check:",
        type="primary",
        is_ready=is_complete,
    )


def purchase_type(word: str) -> PurchaseType:
    return "renewal" if word == "renewal" else "new_purchase"


draw_page_header("Scopes", caption="What is to be bought, for how long and at what price.")
tabs = [ALL]
if queries.has_operation(deployment, "POST /v1/scope/from-document"):
    tabs.append(QUOTE)
if queries.has_operation(deployment, "POST /v1/scope"):
    tabs.append(FORM)
default = FORM if FORM in tabs and {"product", "follows"} & set(st.query_params) else ALL
bodies = {ALL: list_tab, QUOTE: quote_tab, FORM: form_tab}
# A name of its own: tabs of one name on two pages share what the browser remembers of them, and one that is
# not open by default here would be written into the address and get between one step back.
for tab, name in zip(
    st.tabs(tabs, default=default, key="scopes-tab", bind="query-params"), tabs, strict=True
):
    with tab:
        if tab.open:
            bodies[name]()
