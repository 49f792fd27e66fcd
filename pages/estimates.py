"""What scopes should cost, side by side, next to what was asked."""

from datetime import UTC, datetime

import streamlit as st

from app.contract.pricing import AdvancedEstimate
from app.contract.scope import Scope
from app.dashboard import navigation, recently_opened
from app.dashboard.api import extension_queries, queries
from app.dashboard.estimates.estimate_files import PricedScope, prepare_files
from app.dashboard.estimates.scope_estimates import (
    MAX_SCOPES,
    EstimateRefusal,
    WhatIf,
    find_calibration,
    find_explanation,
    index_comparables,
    load_changed_estimate,
    load_estimate,
    parse_quote,
)
from app.dashboard.failure_panel import failure_panel
from app.dashboard.signing_in import identity
from app.dashboard.spreadsheets import CSV, XLSX
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.estimates.calibration import draw_calibration
from components.estimates.estimate_change import draw_estimate_change
from components.estimates.estimate_refusal import draw_estimate_refusal
from components.estimates.evidence_report import HTML, Evidence, render_evidence_report
from components.estimates.highlights import draw_highlights, find_highlights
from components.estimates.price_distribution import draw_price_distribution, draw_quartiles
from components.estimates.price_factors import describe_unit_prices, draw_price_factors
from components.estimates.product_breakdown import draw_product_breakdown
from components.estimates.purchase_count import draw_purchase_count
from components.estimates.similar_purchases import draw_price_against_quantity, draw_similar_purchases
from components.estimates.verdict import draw_line_verdicts, draw_no_verdict, draw_verdict, get_judged_amount
from components.estimates.what_if import draw_what_if
from components.formatting.escape_markdown import escape_markdown
from components.scopes.scope_card import describe_term, get_quote_point, get_quoted_total, make_scope_title

PARTS, SIMILAR, MOVED, OTHERWISE = "Products", "Similar purchases", "What moved it", "What if"

deployment = identity.require_deployment()


def offers(operation: str) -> bool:
    return queries.has_operation(deployment, operation)


def asked_ids() -> list[str]:
    return list(dict.fromkeys(part for part in st.query_params.get("ids", "").split(",") if part))[
        :MAX_SCOPES
    ]


def quote_key(scope_id: str) -> str:
    return f"quote-{scope_id}"


def typed_quotes() -> dict[str, float | None]:
    """The quotes as typed, by scope: one dictionary for the session, so that a download has the latest."""
    quotes: dict[str, float | None] = st.session_state.setdefault("typed-quotes", {})
    return quotes


# --- which scopes ---


def known_scopes() -> dict[str, str]:
    """Scopes to choose from, by id: the newest ones where they are listed, else those of this session."""
    found: list[Scope] = []
    if offers("GET /v1/scope"):
        found = queries.load_scopes(deployment, limit=100).data
    else:
        for ident in recently_opened.list_ids(deployment, "scope"):
            with failure_panel(f"The scope {ident}", key=f"known-{ident}"):
                found.append(queries.load_scope(deployment, ident))
    return {scope.id: label(scope) for scope in found if scope.product_terms}


def label(scope: Scope) -> str:
    terms = ", ".join(describe_term(term) for term in scope.scope_terms)
    return f"{make_scope_title(scope)} ({terms}) …{scope.id[-4:]}"


def choose(chosen: list[str]) -> None:
    """Add a scope to those in the address, up to four."""

    def add() -> None:
        ident: str | None = st.session_state["add-scope"]
        if ident:
            put_in_address([*chosen, ident])
        st.session_state["add-scope"] = None

    names = {ident: name for ident, name in known_scopes().items() if ident not in chosen}

    def name_of(ident: str) -> str:
        return names.get(ident, ident)

    if len(chosen) >= MAX_SCOPES:
        st.caption("Four are compared: remove one first.")
        return
    if not names:
        return
    st.selectbox(
        "Add a scope to compare" if chosen else "Scope",
        list(names),
        index=None,
        format_func=name_of,
        key="add-scope",
        on_change=add,
        placeholder="Choose up to four",
    )


def put_in_address(idents: list[str]) -> None:
    st.query_params["ids"] = ",".join(idents)


# --- side by side ---


@st.fragment
def judged(scope: Scope, estimate: AdvancedEstimate) -> None:
    """The quote as it is typed, its verdict and its place; redrawn alone at each change."""
    on_record = get_quoted_total(scope)
    typed = st.number_input(
        f"Quote in {estimate.currency}",
        value=float(on_record) if on_record is not None else None,
        step=0.01,
        format="%g",
        key=quote_key(scope.id),
        bind="query-params",
        placeholder="What the supplier asks",
        help="Before tax, for the whole term.",
    )
    typed_quotes()[scope.id] = typed
    quote = parse_quote(typed)
    if typed is not None and quote is None:
        st.caption(":red[:material/error: A quote is above 0.]")
    said = find_explanation(deployment, scope, quote)
    if quote is not None and (said is None or said.verdict is None):
        draw_no_verdict(is_offered=offers("GET /v1/pricing/explanation/{}"))
    elif quote is not None and said is not None and said.verdict is not None:
        draw_verdict(said.verdict, said.currency, said.coverage)
        draw_line_verdicts(said.products, said.currency)
    judged_at, called = get_judged_amount(said.verdict if said is not None else None, quote)
    draw_price_distribution(
        estimate.estimate,
        estimate.currency,
        key=f"distribution-{scope.id}",
        quote=judged_at,
        quote_label=called,
    )
    for product in said.products if said is not None else []:
        st.caption(
            f"{escape_markdown(product.name)}: "
            f"{escape_markdown(describe_unit_prices(product, estimate.currency))}"
        )


def column(scope: Scope, estimate: AdvancedEstimate | EstimateRefusal, marks: list[str]) -> None:
    navigation.draw_link(
        "scope", escape_markdown(make_scope_title(scope)), icon=":material/description:", id=scope.id
    )
    draw_highlights(marks)
    for term in scope.scope_terms:
        st.caption(escape_markdown(describe_term(term)))
    if isinstance(estimate, EstimateRefusal):
        draw_estimate_refusal(estimate.reason, estimate.request_id)
        to_quotes = {"scopes-tab": "From a quote"}
        navigation.draw_link("scopes", "Add a second quote", icon=":material/note_add:", **to_quotes)
        navigation.draw_link(
            "negotiations",
            "Negotiate with a target of yours",
            icon=":material/handshake:",
            scope=scope.id,
            numbers="typed",
        )
        return
    judged(scope, estimate)
    draw_quartiles(estimate.estimate, estimate.currency)
    draw_purchase_count(estimate.real_purchase_count)


# --- what is behind one of them ---


def evidence(scope: Scope, estimate: AdvancedEstimate) -> None:
    tabs = [PARTS, SIMILAR]
    if offers("GET /v1/pricing/explanation/{}"):
        tabs.append(MOVED)
    if offers("POST /v1/pricing/preview"):
        tabs.append(OTHERWISE)
    bodies = {PARTS: parts, SIMILAR: similar, MOVED: moved, OTHERWISE: otherwise}
    for tab, name in zip(st.tabs(tabs, key="tab", bind="query-params"), tabs, strict=True):
        with tab:
            if tab.open:
                bodies[name](scope, estimate)


def parts(scope: Scope, estimate: AdvancedEstimate) -> None:
    draw_product_breakdown(estimate.product_estimates, estimate.currency, key=f"parts-{scope.id}")


@st.fragment
def similar(scope: Scope, estimate: AdvancedEstimate) -> None:
    with failure_panel("The estimate without some purchases"):
        purchases = estimate.real_similar_purchases
        left_out = draw_similar_purchases(
            purchases,
            estimate.currency,
            key=f"similar-{scope.id}",
            can_leave_out=offers("POST /v1/pricing/preview"),
            comparables=index_comparables(find_explanation(deployment, scope)),
        )
        if left_out:
            st.markdown(f"**Without the {len(left_out)} unticked**")
            compare(estimate, load_changed_estimate(deployment, scope, leave_out=left_out))
        draw_price_against_quantity(
            purchases,
            estimate.currency,
            key=f"scatter-{scope.id}",
            left_out=left_out,
            quote=get_quote_point(scope, parse_quote(typed_quotes().get(scope.id))),
        )


def moved(scope: Scope, estimate: AdvancedEstimate) -> None:
    with failure_panel("What moved the estimate"):
        found = extension_queries.load_explanation(deployment, scope.id)
        for at, product in enumerate(found.products):
            draw_price_factors(product, found.currency, key=f"factors-{scope.id}-{at}")


@st.fragment
def otherwise(scope: Scope, estimate: AdvancedEstimate) -> None:
    """Another term, another quantity: what would it cost then?"""
    with failure_panel("The estimate of another purchase"):
        changes = draw_what_if(scope, key=f"what-if-{scope.id}")
        if changes:
            asked = WhatIf(changes.term_length, changes.quantities)
            compare(estimate, load_changed_estimate(deployment, scope, what_if=asked))
        else:
            st.caption("Change the term or a quantity to see what it would cost.")


def compare(before: AdvancedEstimate, after: AdvancedEstimate | EstimateRefusal) -> None:
    if isinstance(after, EstimateRefusal):
        draw_estimate_refusal(after.reason, after.request_id)
    else:
        draw_estimate_change(before, after)


def downloads(priced_scopes: list[PricedScope]) -> None:
    """Exactly what is compared, with the quotes as typed: files are made when they are asked for, outside of
    the session, but in the dictionary that it writes to."""
    quotes = typed_quotes()

    def report() -> bytes:
        cases = [
            Evidence(scope, one, quote, find_explanation(deployment, scope, quote))
            for scope, one in priced_scopes
            for quote in [parse_quote(quotes.get(scope.id))]
        ]
        return render_evidence_report(cases, datetime.now(UTC), find_calibration(deployment))

    files = prepare_files(priced_scopes, quotes)
    offered = (
        ("CSV", files.csv, "estimates.csv", CSV, "download", None),
        ("XLSX", files.xlsx, "estimates.xlsx", XLSX, "download", None),
        (
            "Evidence report",
            report,
            "evidence.html",
            HTML,
            "print",
            "One page to print: verdict and evidence.",
        ),
    )
    with st.container(horizontal=True):
        for label_, make, name, kind, icon, told in offered:
            st.download_button(
                label_,
                make,
                name,
                kind,
                key=label_.lower().replace(" ", "-"),
                icon=f":material/{icon}:",
                on_click="ignore",
                help=told,
            )


def reliability() -> None:
    """How right such estimates were before."""
    if not offers("GET /v1/pricing/calibration"):
        return
    with failure_panel("How right the estimates were"):
        found = extension_queries.load_calibration(deployment)
        if found is not None:
            with st.expander("How right were such estimates?", icon=":material/fact_check:"):
                draw_calibration(found, key="calibration")


def draw(ids: list[str]) -> None:
    scopes: list[Scope] = []
    estimates: dict[str, AdvancedEstimate | EstimateRefusal] = {}
    # A grid and not columns: in a narrow window its cells move under each other.
    grid = st.grid(len(ids), min_column_width=225, border=len(ids) > 1)
    places = {ident: grid.cell() for ident in ids}
    for ident in ids:
        if len(ids) > 1:
            places[ident].button(
                "Remove",
                icon=":material/close:",
                type="tertiary",
                key=f"remove-{ident}",
                on_click=put_in_address,
                args=([each for each in ids if each != ident],),
            )
        with places[ident], failure_panel(f"The scope …{ident[-8:]}", key=ident):
            scope = queries.load_scope(deployment, ident)
            estimates[ident] = load_estimate(deployment, ident)
            recently_opened.remember(deployment, "scope", ident)
            scopes.append(scope)
    standing = {ident: one for ident, one in estimates.items() if isinstance(one, AdvancedEstimate)}
    marks = find_highlights(scopes, standing, typed_quotes())
    for scope in scopes:
        with places[scope.id], failure_panel("This estimate", key=f"estimate-{scope.id}"):
            column(scope, estimates[scope.id], marks[scope.id])
    if standing:
        behind([(scope, standing[scope.id]) for scope in scopes if scope.id in standing])


def behind(priced_scopes: list[PricedScope]) -> None:
    """The evidence of one of them, and what can be taken away of all."""
    st.subheader("What is behind it", anchor=False)
    chosen = 0
    if len(priced_scopes) > 1:

        def name_of(at: int) -> str:
            return label(priced_scopes[at][0])

        places = range(len(priced_scopes))
        chosen = st.selectbox("Scope", places, format_func=name_of, key="of", label_visibility="collapsed")
    evidence(*priced_scopes[chosen])
    downloads(priced_scopes)
    reliability()


draw_page_header("Estimates", caption="What comparable purchases cost, before tax, for the whole term.")
ids = asked_ids()
with failure_panel("The list of scopes"):
    choose(ids)
if ids:
    draw(ids)
elif draw_empty_state(
    "No scope chosen",
    "Choose one to see what it should cost, or up to four to compare them. There is none yet? Make one.",
    icon="bar_chart",
    action="Open the scopes",
    key="to-scopes",
):
    navigation.open_page("scopes")
