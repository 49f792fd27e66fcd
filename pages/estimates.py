"""What scopes should cost, side by side, next to what was asked."""

from datetime import UTC, datetime
from decimal import Decimal

import streamlit as st

from app.contract.pricing import AdvancedEstimate
from app.contract.scope import Scope
from app.dashboard import extension_queries, identity, navigation, queries, recollection
from app.dashboard.estimate_exports import as_files
from app.dashboard.estimating import (
    MOST_SCOPES,
    NotPriced,
    WhatIf,
    as_quote,
    asked_otherwise,
    explained,
    first_quantity,
    measured,
    priced,
)
from app.dashboard.exports import CSV, XLSX
from app.dashboard.faults import shown_as_panel
from components.calibration import draw_calibration
from components.empty_state import empty_state
from components.evidence_report import HTML, Evidence, as_report
from components.money import difference, money
from components.page_header import page_header
from components.plain import plain
from components.price_distribution import draw_price_distribution, draw_quartiles
from components.price_factors import draw_price_factors
from components.product_breakdown import draw_product_breakdown
from components.purchase_count import draw_purchase_count
from components.scope_card import quoted_total, scope_title, term_in_words
from components.similar_purchases import draw_price_against_quantity, draw_similar_purchases
from components.verdict import draw_verdict, judge

PARTS, SIMILAR, MOVED, OTHERWISE = "Products", "Similar purchases", "What moved it", "What if"

deployment = identity.current()


def offers(operation: str) -> bool:
    return queries.offers(deployment, operation)


def asked_ids() -> list[str]:
    return list(dict.fromkeys(part for part in st.query_params.get("ids", "").split(",") if part))[
        :MOST_SCOPES
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
        found = queries.scopes(deployment, limit=100).data
    else:
        for ident in recollection.recalled(deployment, "scope"):
            with shown_as_panel(f"The scope {ident}", key=f"known-{ident}"):
                found.append(queries.scope(deployment, ident))
    return {scope.id: label(scope) for scope in found if scope.product_terms}


def label(scope: Scope) -> str:
    terms = ", ".join(term_in_words(term) for term in scope.scope_terms)
    return f"{scope_title(scope)} ({terms}) …{scope.id[-4:]}"


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

    if len(chosen) >= MOST_SCOPES:
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
    on_record = quoted_total(scope)
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
    quote = as_quote(typed)
    if typed is not None and quote is None:
        st.caption(":red[:material/error: A quote is above 0.]")
    if quote is not None:
        draw_verdict(judge(estimate, quote))
    draw_price_distribution(estimate.estimate, estimate.currency, key=f"distribution-{scope.id}", quote=quote)


def column(scope: Scope, estimate: AdvancedEstimate | NotPriced, marks: list[str]) -> None:
    navigation.link("scope", plain(scope_title(scope)), icon=":material/description:", id=scope.id)
    if marks:
        with st.container(horizontal=True):
            for mark in marks:
                st.badge(mark, icon=":material/star:", color="green")
    for term in scope.scope_terms:
        st.caption(plain(term_in_words(term)))
    if isinstance(estimate, NotPriced):
        not_priced(estimate)
        return
    judged(scope, estimate)
    draw_quartiles(estimate.estimate, estimate.currency)
    draw_purchase_count(estimate.real_purchase_count)


def not_priced(refusal: NotPriced) -> None:
    """A refusal is no fault: say what it means and what helps."""
    st.info(
        f"**No price can be said.** {plain(refusal.reason)}  \n"
        "An estimate needs purchases that are alike: of these products, in this currency. Import purchases, "
        "or try a scope with fewer products.",
        icon=":material/help:",
    )
    if refusal.request_id:
        st.caption(f"request `{refusal.request_id}`")


def marks_of(scopes: list[Scope], estimates: dict[str, AdvancedEstimate | NotPriced]) -> dict[str, list[str]]:
    """The lowest quote and the lowest median among those that can be compared: one currency, one term."""
    found: dict[str, list[str]] = {scope.id: [] for scope in scopes}
    stand = {scope.id: one for scope in scopes if isinstance(one := estimates[scope.id], AdvancedEstimate)}
    terms = {term.term_length for scope in scopes for term in scope.scope_terms}
    if len(stand) < 2 or len({one.currency for one in stand.values()}) > 1 or len(terms) > 1:
        return found
    quotes = {scope.id: quoted_total(scope) for scope in scopes if scope.id in stand}
    asked = {ident: quote for ident, quote in quotes.items() if quote is not None}
    if len(asked) > 1:
        found[min(asked, key=lambda ident: asked[ident])].append("lowest quote")
    found[min(stand, key=lambda ident: stand[ident].estimate.percentile50)].append("lowest median")
    return found


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
    with shown_as_panel("The estimate without some purchases"):
        purchases = estimate.real_similar_purchases
        left_out = draw_similar_purchases(
            purchases,
            estimate.currency,
            key=f"similar-{scope.id}",
            can_leave_out=offers("POST /v1/pricing/preview"),
        )
        if left_out:
            st.markdown(f"**Without the {len(left_out)} unticked**")
            compare(estimate, asked_otherwise(deployment, scope, leave_out=left_out))
        quantity = first_quantity(scope)
        quote = quoted_total(scope)
        draw_price_against_quantity(
            purchases,
            estimate.currency,
            key=f"scatter-{scope.id}",
            left_out=left_out,
            quote=(quantity[2], quote) if quantity and quote else None,
        )


def moved(scope: Scope, estimate: AdvancedEstimate) -> None:
    with shown_as_panel("What moved the estimate"):
        explained = extension_queries.explanation(deployment, scope.id)
        for at, product in enumerate(explained.products):
            draw_price_factors(product, key=f"factors-{scope.id}-{at}")


@st.fragment
def otherwise(scope: Scope, estimate: AdvancedEstimate) -> None:
    """Another term, another quantity: what would it cost then?"""
    with shown_as_panel("The estimate of another purchase"):
        first = first_quantity(scope)
        term_side, quantity_side = st.columns(2)
        now = int(scope.scope_terms[0].term_length) if scope.scope_terms else 12
        term = term_side.number_input(
            "Term in months", min_value=1, max_value=1200, value=now, step=1, key=f"what-if-term-{scope.id}"
        )
        amount = first[2] if first else None
        if first:
            typed = quantity_side.number_input(
                first[1], value=float(first[2]), min_value=0.0, format="%g", key=f"what-if-{scope.id}"
            )
            amount = Decimal(str(typed))
        if term == now and (first is None or amount == first[2]):
            st.caption("Change the term or the quantity to see what it would cost.")
            return
        quantities = {first[0]: amount} if first and amount is not None else {}
        compare(estimate, asked_otherwise(deployment, scope, what_if=WhatIf(int(term), quantities)))


def compare(before: AdvancedEstimate, after: AdvancedEstimate | NotPriced) -> None:
    if isinstance(after, NotPriced):
        not_priced(after)
        return
    if after.currency != before.currency:
        st.warning(f"Asked this way, the deployment answers in {after.currency}, not in {before.currency}.")
        return
    with st.container(horizontal=True):
        for percent, name in ((25, "A quarter pay less"), (50, "Median"), (75, "A quarter pay more")):
            value = after.estimate.at(percent)
            change = value - before.estimate.at(percent)
            st.metric(
                name,
                money(value, after.currency),
                delta=difference(change, after.currency) if change else None,
                delta_color="off",
                delta_arrow="off",
                width="content",
            )


def downloads(scopes: list[Scope], estimates: dict[str, AdvancedEstimate | NotPriced]) -> None:
    """Exactly what is compared, with the quotes as typed."""
    stand = [(scope, one) for scope in scopes if isinstance(one := estimates[scope.id], AdvancedEstimate)]
    if not stand:
        return

    def report() -> bytes:
        cases = [
            Evidence(scope, one, as_quote(typed_quotes().get(scope.id)), explained(deployment, scope.id))
            for scope, one in stand
        ]
        return as_report(cases, datetime.now(UTC), measured(deployment))

    files = as_files(stand, typed_quotes())
    with st.container(horizontal=True):
        st.download_button(
            "CSV", files.csv, "estimates.csv", CSV, key="csv", icon=":material/download:", on_click="ignore"
        )
        st.download_button(
            "XLSX",
            files.xlsx,
            "estimates.xlsx",
            XLSX,
            key="xlsx",
            icon=":material/download:",
            on_click="ignore",
        )
        st.download_button(
            "Evidence report",
            report,
            "evidence.html",
            HTML,
            key="report",
            icon=":material/print:",
            on_click="ignore",
            help="One page to print: the verdict on the quote and the purchases behind it.",
        )


def reliability() -> None:
    """How right such estimates were before."""
    if not offers("GET /v1/pricing/calibration"):
        return
    with shown_as_panel("How right the estimates were"):
        found = extension_queries.calibration(deployment)
        if found is not None:
            with st.expander("How right were such estimates?", icon=":material/fact_check:"):
                draw_calibration(found, key="calibration")


def draw(ids: list[str]) -> None:
    scopes: list[Scope] = []
    estimates: dict[str, AdvancedEstimate | NotPriced] = {}
    # A grid and not columns: in a narrow window its cells move under each other.
    grid = st.grid(len(ids), min_column_width=260, border=len(ids) > 1)
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
        with places[ident], shown_as_panel(f"The scope …{ident[-8:]}", key=ident):
            scope = queries.scope(deployment, ident)
            estimates[ident] = priced(deployment, ident)
            recollection.remember(deployment, "scope", ident)
            scopes.append(scope)
    marks = marks_of(scopes, estimates)
    for scope in scopes:
        with places[scope.id], shown_as_panel("This estimate", key=f"estimate-{scope.id}"):
            column(scope, estimates[scope.id], marks[scope.id])
    stand = {scope.id: scope for scope in scopes if isinstance(estimates[scope.id], AdvancedEstimate)}
    if not stand:
        return
    st.subheader("What is behind it", anchor=False)
    chosen = next(iter(stand))
    if len(stand) > 1:

        def name_of(ident: str) -> str:
            return label(stand[ident])

        chosen = st.selectbox(
            "Scope", list(stand), format_func=name_of, key="of", label_visibility="collapsed"
        )
    one = estimates[chosen]
    if isinstance(one, AdvancedEstimate):
        evidence(stand[chosen], one)
    downloads(scopes, estimates)
    reliability()


page_header("Estimates", caption="What comparable purchases cost, before tax, for the whole term.")
ids = asked_ids()
with shown_as_panel("The list of scopes"):
    choose(ids)
if ids:
    draw(ids)
elif empty_state(
    "No scope chosen",
    "Choose one to see what it should cost, or up to four to compare them. There is none yet? Make one.",
    icon="bar_chart",
    action="Open the scopes",
    key="to-scopes",
):
    navigation.go("scopes")
