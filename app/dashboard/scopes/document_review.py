"""The document of a scope: its pages as pictures, and beside them what was read, until it is confirmed."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.client import ScopedClient
from app.contract.catalog import Product
from app.contract.page import MAX_LIMIT
from app.contract.scope import DocumentReading, NewScopeTerm, ReadSupplier, Scope
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.estimates.answer import draw_answer
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.form import Form
from app.dashboard.product_choice import ProductChoice
from app.dashboard.scopes.catalog_additions import (
    ADD_OPERATION,
    Review,
    draw_add_all_button,
    draw_entry_form,
    draw_price_list,
    get_seller,
)
from app.dashboard.scopes.dropped_quotes import draw_quotes_in_file
from app.dashboard.scopes.review_validation import (
    NO_CURRENCY,
    NOTHING_BOUGHT,
    ConfirmedReview,
    is_as_read,
    list_left_out_lines,
    locate,
    validate_review,
)
from app.dashboard.scopes.scope_creation import PURCHASE_TYPE, TERM_LABEL, TERM_LENGTH
from app.dashboard.scopes.scope_listing import describe_confirmation
from app.dashboard.session_values import form_faults, latest_seller, reading_under_review
from components.documents.document_review import (
    choose_value,
    describe_document,
    draw_currency,
    draw_document_page,
    draw_other_values,
    draw_reading,
    draw_reading_warnings,
    draw_second_opinion,
    draw_tax_rate,
    has_pages,
)
from components.documents.review_form import (
    TERM_VALUES,
    ReviewedLine,
    describe_line,
    describe_lines,
    describe_reading,
    describe_term,
    draw_candidates,
    draw_line_row,
    draw_lines,
    draw_match_reason,
    draw_product_fields,
    draw_unestimated_lines,
    find_uncounted,
    find_value,
    holds_unknown_tax,
    is_read_surely,
    must_choose,
)
from components.elements.form_fields import Field, draw_fault, get_amount
from components.formatting import escape_markdown, format_count, format_local_time
from components.scopes import PURCHASE_TYPE_LABELS, FieldValue, is_available


def draw_duplicates(deployment: Deployment, reading: DocumentReading) -> None:
    """Draw a warning where there are earlier scopes of the same quote, with what can be done."""
    if not reading.duplicate_of:
        return
    if any(one.same_file for one in reading.duplicate_of):
        known = "This file was read before"
    else:
        number = find_value(reading.values, "document_number")
        said = escape_markdown(str(number.value)) if number else ""
        known = f"A quote with the number {said} from this supplier was read before"
    archives = queries.has_operation(deployment, "PATCH /v1/scope/{}")
    way_out = f"Open the earlier quote{' and archive this one' if archives else ''}"
    with st.container(border=True, gap="xsmall", key="duplicates"):
        st.markdown(
            f":orange[:material/content_copy:] **{known}.** {way_out}, or confirm this one: the prices that "
            "you confirm last replace the earlier ones."
        )
        for one in reading.duplicate_of:
            navigation.draw_link_with_note(
                "scope",
                one.filename,
                f"uploaded {format_local_time(one.created_on)}",
                icon="description",
                id=one.scope_id,
            )


def is_clear(reading: DocumentReading) -> bool:
    """Return whether the document as it was read leaves nothing to answer: each product that costs something
    is matched, what affects its price is known, and so is the currency."""
    return reading.currency is not None and all(
        line.role != "product"
        or (line.question is None and (line.product_id is not None or line.term_amount == 0))
        for line in reading.lines
    )


def find_open_question(
    reviewed: ReviewedLine, product: Product | None, typed: dict[str, FieldValue]
) -> str | None:
    """Return what is still unknown of a line, None where everything that affects its price is known."""
    if product is None or (reviewed.amount is None and holds_unknown_tax(reviewed.line)):
        return reviewed.line.question
    missing = [
        one.name
        for one in product.pricing_dimensions
        if is_available(one, typed) and typed.get(one.id) is None and must_choose(reviewed.line, product, one)
    ]
    if counted := find_uncounted(reviewed, product):
        missing.append(f"quantity ({counted.form_field.label})")
    if not missing:
        return None
    is_matched_product = reviewed.line.product_id == product.id and reviewed.line.question is not None
    return reviewed.line.question if is_matched_product else f"Not known yet: {', '.join(missing)}."


MAX_SUPPLIERS = 5
CONFIRM_OPERATION = "POST /v1/scope/{}/document/confirm"


def draw_document_review(
    deployment: Deployment, scope: Scope, reading: DocumentReading, below: DeltaGenerator
) -> None:
    """Draw what is asked about the lines, `below` the tables of values and lines to correct, and the button
    that confirms them as a scope which follows this one. The button is at the top where the document leaves
    nothing to answer."""
    key = f"review-{scope.id}"
    taken = reading.list_price_lines
    reading = reading_under_review(key).get_or_set(reading) or reading
    review = Review(deployment, reading, key)
    matched = {line.product_id for line in reading.lines if line.product_id}
    products = queries.load_known_products(deployment, matched)
    may_answer = is_clear(reading) and bool(scope.product_terms) and scope.next_scope_id is None
    form = st.container(gap="xsmall")
    choices = _load_product_choices(review)
    with form:
        with st.container(horizontal=True, vertical_alignment="center"):
            _draw_supplier(review)
            reading = draw_tax_rate(reading, key=key)
            review = replace(review, reading=reading)
            terms = make_terms_form(deployment, scope, reading, key)
            terms.begin()
            checked_terms = terms.check()
            form_faults(terms.key).set(checked_terms.faults)
            currency = draw_currency(reading, key=key)
            top = st.container(width="content")
        answer = st.container()
        draw_reading_warnings(reading.warnings)
        above = (below if may_answer else st).container(gap="xsmall")
    with below:
        lines = draw_lines(reading, choices, products, review.assigned, key=key)
    with below if may_answer else st.container():
        read = {TERM_VALUES[value.name]: value for value in reading.values if value.name in TERM_VALUES}
        with st.grid(3, min_column_width=190):
            for name in sorted(terms.names, key=lambda name: name not in read or is_read_surely(read[name])):
                with st.container(gap="xsmall"):
                    terms.draw_fields([name])
                    if words := describe_term(name, read.get(name), reading):
                        st.markdown(words)
        terms.keep_draft()
    with below, st.grid(2, min_column_width=320):
        with st.container():
            _draw_product_search(review, lines)
        with st.container():
            draw_other_values(reading, key="other")
    products |= queries.load_known_products(
        deployment, {line.product_id for line in lines if line.product_id} - set(products)
    )
    with above:
        lines, asked = _draw_lines(review, lines, products, choices)
        draw_price_list(review, lines, taken)
    supplier = _find_said_supplier(review)
    checked = validate_review(scope, reading, checked_terms.body, currency, lines, products, supplier)

    if any(line.is_bought for line in lines):
        draw_unestimated_lines(list_left_out_lines(lines), reading.currency or "")
    has_answer = may_answer and checked.body is not None and is_as_read(scope, checked.body.scope)
    if has_answer:
        with answer:
            draw_answer(deployment, scope)
    with top if is_clear(reading) else st.container(horizontal=True, vertical_alignment="center"):
        _draw_confirm_button(deployment, scope, checked.body, terms, has_answer=has_answer)
        if asked:
            st.caption(f"{format_count(len(asked), 'question')} to answer above.")
        faults = {where: why for where, why in checked.faults.items() if where not in asked}
        if missing := [faults.pop(place) for place in (NOTHING_BOUGHT, NO_CURRENCY) if place in faults]:
            st.caption(" ".join(missing))
        for where, fault in faults.items():
            draw_fault(f"{where.rstrip(': ')}: {fault}")


def _draw_confirm_button(
    deployment: Deployment,
    scope: Scope,
    review: ConfirmedReview | None,
    terms: Form[NewScopeTerm],
    *,
    has_answer: bool,
) -> None:
    """Draw the button. Who confirms what somebody else has confirmed meanwhile is told who was first, and
    makes no second scope."""

    def confirm(client: ScopedClient, idempotency_key: str) -> Scope | None:
        if review is None:
            raise RuntimeError("the review changed between the click and the write")
        if scope.next_scope_id is None and client.scopes.get(scope.id).next_scope_id is not None:
            return None
        if queries.has_operation(deployment, CONFIRM_OPERATION):
            return client.scopes.confirm_document(scope.id, review.document, idempotency_key=idempotency_key)
        return client.scopes.create(review.scope, idempotency_key=idempotency_key)

    def open_created(created: Scope | None) -> None:
        terms.forget()
        if created is not None:
            navigation.open_page("scope", id=created.id)
        who = describe_confirmation(deployment, scope.id)
        told = escape_markdown(f"This quote was confirmed before you did. {who}".strip())
        st.toast(told, icon=":material/group:", duration="infinite")

    write_button(
        deployment,
        "Confirm as a new version"
        if scope.next_scope_id
        else "Confirm what was read"
        if has_answer
        else "Confirm and see the price",
        name=f"confirm-{'again-' if scope.next_scope_id else ''}{scope.id}",
        what="Confirming what was read",
        write=confirm,
        on_success=open_created,
        icon="check",
        type="secondary" if has_answer else "primary",
        disabled=review is None,
        help="Makes a new version with your corrections; the document as read is kept",
    )


def make_terms_form(
    deployment: Deployment, scope: Scope, reading: DocumentReading, key: str
) -> Form[NewScopeTerm]:
    """Return the form of the terms, which begins with what was read; with the scope's values where the
    document states none or others: the net of a gross sum, the total of the term where the document has that
    of a month. A term that nobody has said is left empty: what is bought once has none."""
    read = {value.name: value.value for value in reading.values}
    values: dict[str, object] = {field: read.get(name) for name, field in TERM_VALUES.items()}
    values |= {name: _read_day(values[name]) for name in ("start_date", "end_date")}
    assumed: int | None = None
    if term := next(iter(scope.scope_terms), None):
        assumed = int(term.term_length) if term.term_assumed else None
        values["term_length"] = None if assumed else term.term_length
        if term.final_price is not None or any(map(holds_unknown_tax, reading.lines)):
            values["final_price"] = term.final_price
        if term.purchase_type in PURCHASE_TYPE_LABELS:
            values["purchase_type"] = term.purchase_type
    currency = f" ({reading.currency})" if reading.currency else " (currency not stated)"
    return Form(
        deployment,
        f"{key}-terms",
        NewScopeTerm,
        (
            replace(TERM_LENGTH, label=TERM_LABEL, needed="", default=None, placeholder="None, or not stated")
            if assumed
            else TERM_LENGTH,
            Field("final_price", f"Price before tax{currency}"),
            Field("start_date", "Starts"),
            Field("end_date", "Ends"),
            Field("auto_renew", "Renews automatically", kind="choice", words={True: "Yes", False: "No"}),
            PURCHASE_TYPE,
        ),
        shape=lambda typed: {
            **typed,
            "term_length": typed["term_length"] or assumed,
            "term_assumed": (assumed is not None and typed["term_length"] is None) or None,
            "final_price": get_amount(typed, "final_price"),
        },
        record=values,
    )


def _read_day(text: object) -> date | None:
    with suppress(ValueError, TypeError):
        return date.fromisoformat(str(text))
    return None


def _draw_supplier(review: Review) -> None:
    """Draw who the document is from, and whether the catalog knows them; a field for the name where it was
    not read surely."""
    reading, key = review.reading, review.key
    supplier = review.seller or ReadSupplier()
    read = find_value(reading.values, "supplier")
    doubt = "" if read is None or is_read_surely(read) else describe_reading(read, reading)
    if supplier.company_id:
        known = escape_markdown(supplier.company_name or supplier.name or "")
        is_as_read = supplier == reading.supplier
        st.markdown(f"**From** {known} {doubt if is_as_read else ''}")
        return
    is_typed = latest_seller(key).is_set
    if supplier.name and not doubt and not is_typed:
        st.markdown(f"**From** {escape_markdown(supplier.name)} :orange[not in the catalog yet]")
    else:
        st.markdown("**From**")
        field = f"{key}-supplier"

        def keep_name() -> None:
            latest_seller(key).set(supplier.model_copy(update={"name": st.session_state[field].strip()}))

        st.text_input(
            "Supplier",
            supplier.name or "",
            max_chars=250,
            key=field,
            on_change=keep_name,
            placeholder="Who sells it?",
            help="The catalog does not know it yet. Products that you add are of this supplier.",
            label_visibility="collapsed",
            width=260,
        )
        unknown = "not in the catalog yet" if supplier.name and is_typed else "not clearly named"
        st.markdown(doubt if doubt and not is_typed else f":orange[{unknown}]")
    if supplier.candidates:
        alike = "; ".join(
            f"{escape_markdown(one.name)} ({escape_markdown(one.why)})" for one in supplier.candidates
        )
        st.caption(f"Similar suppliers on record: {alike}")


def _find_said_supplier(review: Review) -> str | None:
    """Return who a person says that the document is from, where that was not read surely."""
    read = find_value(review.reading.values, "supplier")
    if not latest_seller(review.key).is_set or (read is not None and is_read_surely(read)):
        return None
    return get_seller(review.seller)[1] or None


def _draw_lines(
    review: Review, lines: Sequence[ReviewedLine], products: Mapping[str, Product], choices: Mapping[str, str]
) -> tuple[list[ReviewedLine], set[str]]:
    """Draw a row for each line of which something is to be answered, and the details of all behind a click.
    Return the lines with the dimensions in their fields, and where `validate_review` finds the faults of
    those that are asked about."""
    summary = st.empty()
    can_add = queries.has_operation(review.deployment, ADD_OPERATION)
    with st.container(horizontal=True, gap="xsmall"):
        if can_add:
            draw_add_all_button(review, lines)
        _draw_suggestions(review, lines)
    rows = st.container(gap="xxsmall", key=f"{review.key}-rows")
    details = st.container(horizontal=True, gap="xsmall")
    reviewed: list[ReviewedLine] = []
    open_lines: list[int] = []
    for line in lines:
        if line.role != "product":
            reviewed.append(line)
            continue
        product = products.get(line.product_id) if line.product_id else None
        line_key = review.name_line(line)
        is_settled = line.product_id == line.line.product_id is not None
        is_clear = is_settled and line.line.question is None and find_uncounted(line, product) is None
        question = rows.container()
        if not is_clear:
            with question:
                line, adds = draw_line_row(
                    line,
                    product,
                    choices,
                    review.reading.currency or "",
                    key=line_key,
                    on_choose=review.assigned.assign,
                    can_add=can_add,
                )
                if adds:
                    draw_entry_form(review, line)
        values: dict[str, FieldValue] = {}
        name = escape_markdown(describe_line(line.line))
        if product is not None or line.line.candidates:
            icon = ":material/help:" if product is None else ":material/check:"
            with details.popover(name, icon=icon, type="tertiary", key=f"{line_key}/details"):
                if product is not None:
                    draw_match_reason(line.line, product)
                    values = draw_product_fields(line, product, key=line_key)
                draw_candidates(line)
        reviewed.append(replace(line, values=values))
        if asked := find_open_question(line, product, values):
            open_lines.append(line.line.index)
            if product is not None:
                with question:
                    words = f"{describe_line(line.line)} · {asked}" if is_clear else asked
                    st.markdown(f":orange[:material/help:] {escape_markdown(words)}")
    summary.markdown(describe_lines(reviewed, open_lines))
    return reviewed, {locate(one) for one in reviewed if one.is_bought and one.line.index in open_lines}


def _draw_suggestions(review: Review, lines: Sequence[ReviewedLine]) -> None:
    """Draw one button that gives each line without a product the likeliest one, and what these are."""
    likeliest = {
        line.line.index: line.line.candidates[0]
        for line in lines
        if line.role == "product" and line.product_id is None and line.line.candidates
    }
    if len(likeliest) < 2:
        return

    def assign() -> None:
        for index, candidate in likeliest.items():
            review.assigned.assign(index, candidate.product_id, None)

    names = ", ".join(dict.fromkeys(one.product_name for one in likeliest.values()))
    st.button(
        f"Take the likeliest for {len(likeliest)} lines",
        icon=":material/done_all:",
        key=f"{review.key}-suggestions",
        on_click=assign,
        help=f"{escape_markdown(names)}. Each can be changed.",
    )


def _draw_product_search(review: Review, lines: Sequence[ReviewedLine]) -> None:
    """Draw the search for the product of a line in the whole catalog: a reseller's quote names the
    reseller."""
    search = st.expander(
        "Find the product of a line in the catalog",
        icon=":material/search:",
        key=f"{review.key}-search",
        on_change="rerun",
    )
    if not search.open or not lines:
        return
    by_index = {line.line.index: line for line in lines}
    with search:
        index = st.selectbox(
            "Line",
            list(by_index),
            format_func=lambda index: describe_line(by_index[index].line) if index in by_index else "",
            key=f"{review.key}-search-line",
        )
        line = by_index[index]

        def assign(product_id: str) -> None:
            review.assigned.assign(index, product_id, line.product_id)

        ProductChoice(review.deployment, f"{review.key}-search").draw([line.product_id or ""], assign)


def _load_product_choices(review: Review) -> dict[str, str]:
    """Load the names, by id, of the products that lines may be given: their matches and candidates, the
    first products of the suppliers that the document points to, and the products that were looked up or
    added."""
    deployment, reading = review.deployment, review.reading
    names = {line.product_id: line.product_name or "" for line in reading.lines if line.product_id}
    for line in reading.lines:
        for one in line.candidates:
            names.setdefault(one.product_id, f"{one.product_name} ({one.company_name})")
    known = queries.load_known_products(deployment, set(names))
    supplier_ids = {product.company.id for product in known.values()}
    supplier = reading.supplier
    if supplier and supplier.company_id:
        supplier_ids.add(supplier.company_id)
    elif supplier and supplier.name and not supplier_ids:
        similar = queries.load_companies(deployment, name=supplier.name.split()[0], limit=MAX_SUPPLIERS)
        supplier_ids = {company.id for company in similar.data}
    for supplier_id in sorted(supplier_ids):
        offered = queries.load_products(deployment, supplier_id, limit=MAX_LIMIT).data
        names = {product.id: product.name for product in offered} | names
    added = queries.load_known_products(
        deployment, {product_id for product_id, _ in review.assigned.by_line.values()} - set(names)
    )
    return names | {product.id: product.name for product in added.values()}


def draw_beside_document(
    deployment: Deployment,
    scope: Scope,
    reading: DocumentReading | None,
    draw: Callable[[DeltaGenerator], None],
) -> None:
    """Draw with `draw`, and beside it the pages of the document where it has any. `draw` is given the place
    below both, for what needs the width of the page."""
    draws_pages = (
        reading is not None
        and has_pages(reading)
        and queries.has_operation(deployment, "GET /v1/scope/{}/document/pages/{}")
    )
    # The pages come second: in a narrow window they move under the answer.
    with st.grid(2 if draws_pages else 1, min_column_width=430, gap="medium"):
        beside = st.container()
        if reading is not None and draws_pages:
            with st.container(), failure_panel("The picture of the page"):
                _draw_picture(deployment, scope, reading)
    below = st.container()
    with beside:
        draw(below)


def draw_document(deployment: Deployment, scope: Scope) -> None:
    """Draw the answer and the review of the document, beside its pages."""
    with failure_panel("The document"):
        reading = queries.load_document_reading(deployment, scope.id)
        if not has_pages(reading):
            st.caption(escape_markdown(f"{describe_document(reading)}. There is no page to show."))
        draw_quotes_in_file(reading)
        draw_duplicates(deployment, reading)
        if reading.second_opinion is not None:
            draw_second_opinion(reading.second_opinion)

        def draw(below: DeltaGenerator) -> None:
            if queries.has_operation(deployment, "POST /v1/scope"):
                draw_document_review(deployment, scope, reading, below)
            else:
                draw_reading(reading, key="reading")

        draw_beside_document(deployment, scope, reading, draw)


def _draw_picture(deployment: Deployment, scope: Scope, reading: DocumentReading) -> None:
    """Draw a page with a box around each value, or around the chosen value alone, on the page that has it."""
    chosen = choose_value(reading, key="shown")
    has_choice = len(reading.pages) > 1 and chosen is None
    order = st.pagination(len(reading.pages), key="sheet", bind="query-params") if has_choice else 1
    page = reading.pages[min(order, len(reading.pages)) - 1]
    if chosen:
        page = next((one for one in reading.pages if one.number == chosen.page), page)
    picture = queries.load_document_page(deployment, scope.id, page.number)
    draw_document_page(picture, page, reading, chosen)
