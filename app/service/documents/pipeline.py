"""The steps from pages of words to an Extraction."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from app.service.charges.months import count_months_between
from app.service.documents.extraction import Extraction, Kind, LineItem, NoticeUnit, Provenance
from app.service.documents.fields import document_dates
from app.service.documents.fields.clause_agreement import agree_on_clauses, agree_on_dates
from app.service.documents.fields.clause_readings import ClauseReadings, read_clause_sentences
from app.service.documents.fields.clauses import (
    Clauses,
    describe_notice_end,
    find_notice_unit,
    find_validity_months,
    read_clauses,
)
from app.service.documents.fields.date_doubts import (
    describe_contradicted_term,
    find_sure_start,
    mark_date_doubts,
)
from app.service.documents.fields.document_dates import Dates
from app.service.documents.fields.free_months import (
    FreeMonths,
    describe_free_months,
    find_free_months,
    without_free_months,
)
from app.service.documents.fields.identity import find_kind, find_number, is_renewal
from app.service.documents.fields.minimum_commitment import MinimumCommitment, find_minimum_commitment
from app.service.documents.fields.notation_doubts import (
    NotationDoubts,
    find_notation_doubts,
    mark_notation_doubts,
    mark_scale_doubt,
)
from app.service.documents.fields.parties import Parties, describe_parties, find_parties
from app.service.documents.fields.party_features import PartyName
from app.service.documents.fields.totals import (
    LabelledSum,
    choose_totals,
    find_contradicted_net,
    find_sums,
    find_unlabelled_total,
    mark_left_to_pay,
    mark_paid_in_full,
)
from app.service.documents.judge.case import Case, prepare_case
from app.service.documents.judge.discounts import name_discounts
from app.service.documents.judge.included_tax import mark_included_tax, take_out_included_tax
from app.service.documents.judge.judgement import Judgement, judge
from app.service.documents.judge.line_amounts import (
    add_amounts_of_paces,
    are_prices_alone,
    choose_longer_period,
    correct_amounts,
    divide_yearly_amounts,
    fill_quantities,
    find_amounts,
    prove_periods,
)
from app.service.documents.judge.readings import Reading, convert_learned, sum_lines
from app.service.documents.judge.sentences import describe_doubt
from app.service.documents.judge.unread_prices import describe_unread_prices
from app.service.documents.layout.copies import without_copies
from app.service.documents.layout.document import Document, lay_out
from app.service.documents.layout.pages import Page
from app.service.documents.layout.rows import Row
from app.service.documents.learned.reading import read_learned
from app.service.documents.second_opinion.steps import Step
from app.service.documents.several_quotes import join_quotes, split_quotes
from app.service.documents.tables.amount_periods import (
    charge_stated_periods,
    describe_amount_period,
    is_total_of_period,
)
from app.service.documents.tables.bundle_parts import add_parts
from app.service.documents.tables.charge_rows import add_charges
from app.service.documents.tables.column_sums import name_by_columns
from app.service.documents.tables.detection import Table, find_tables, rows_outside_tables
from app.service.documents.tables.headerless_lines import (
    read_counted_prices,
    read_multiplying_rows,
    read_price_matrix,
    read_summed_rows,
    read_taxed_rows,
    read_unit_prices,
)
from app.service.documents.tables.inline_calculations import read_inline_calculations, read_listed_prices
from app.service.documents.tables.key_value_lines import read_key_value_lines
from app.service.documents.tables.line_currencies import find_line_currencies
from app.service.documents.tables.line_discounts import read_line_discounts
from app.service.documents.tables.line_kinds import mark_kinds
from app.service.documents.tables.line_names import name_lines
from app.service.documents.tables.line_spans import assign_spans
from app.service.documents.tables.measured_lines import join_measured_lines
from app.service.documents.tables.offers_beside import read_offers_beside, read_priced_offers
from app.service.documents.tables.optional_lines import mark_named_options, mark_uncounted
from app.service.documents.tables.price_steps import describe_further_steps, join_steps, read_price_steps
from app.service.documents.tables.sentence_lines import read_fees, read_sentence_lines
from app.service.documents.tables.surplus_lines import (
    without_closing_sums,
    without_limits,
    without_repeated_lines,
    without_second_amounts,
    without_sum_row,
)
from app.service.documents.tables.table_lines import find_unpriced_rows, read_table_lines, read_unpriced_lines
from app.service.documents.values.dates import find_day_order
from app.service.values.dates import DayOrder

_LONGEST_BETWEEN = 120
"""Months between a start and an end that are a term; more are other days."""
_INNER_CLAUSES = ("validity_days",)
"""Clauses that no field of an extraction shows by itself."""


@dataclass(frozen=True)
class _Fields:
    """What was read of each field, before the fields are reconciled."""

    kind: Kind
    is_renewal: bool
    language: str | None
    currency: str | None
    currency_named: bool
    other_currency: str | None
    """Whether the page names the currency beyond doubt."""
    doubts: NotationDoubts
    clauses: Clauses
    judgement: Judgement
    line_currencies: tuple[str, ...]
    dates: Dates
    parties: Parties
    number: tuple[str, Provenance] | None
    notice_unit: NoticeUnit | None
    minimum: MinimumCommitment | None
    term_months: int | None
    amount_period: str | None
    """A sentence about a period of the amounts that is shorter than the term."""


def read_pages(pages: Sequence[Page], filename: str, after_judge: Step | None = None) -> Extraction:
    """The Extraction of a file whose pages are known; of several quotes in it, each has one of its own.

    `after_judge` may change what the judge says of the lines and sums of a file with one quote.
    """
    document = lay_out(pages)
    if list(once := without_copies(document)) != list(document.pages):
        pages, document = once, lay_out(once)
    parts = split_quotes(document)
    if len(parts) == 1:
        return _read_document(document, pages, filename, after_judge)
    whole = _read_document(document, pages, filename)
    by_number = {page.number: page for page in pages}
    quotes: list[Extraction] = []
    for part in parts:
        of_quote = [by_number[page.number] for page in part]
        quotes.append(_read_document(lay_out(of_quote), of_quote, filename))
    return join_quotes(whole, quotes)


def _read_document(
    document: Document, pages: Sequence[Page], filename: str, after_judge: Step | None = None
) -> Extraction:
    sizes = tuple(page.shown_size for page in document.pages)
    tables = find_tables(document.rows)
    if (rows := join_measured_lines(document.rows, tables)) is not document.rows:
        document, tables = replace(document, rows=rows, samples=rows), find_tables(rows)
    fields = _read_fields(document, tables, after_judge)
    extraction = mark_notation_doubts(replace(_reconcile(fields, filename), pages=sizes), fields.doubts)
    extraction = mark_scale_doubt(extraction, document.rows)
    remarks = [remark for page in document.pages for remark in page.remarks]
    extraction = replace(extraction, warnings=(*remarks, *extraction.warnings))
    if document.omissions:
        extraction = _mark_incomplete(extraction, document.omissions)
    is_moved = any(page.slope or page.turn or page.is_mirrored or page.columns for page in pages)
    return _restore_places(extraction, pages) if is_moved else extraction


def _mark_incomplete(extraction: Extraction, omissions: Sequence[str]) -> Extraction:
    """The reading of a document of which parts were left out, which may say otherwise of it as a whole."""
    provenance = {name: place.doubted() for name, place in extraction.provenance.items()}
    return replace(extraction, provenance=provenance, warnings=(*omissions, *extraction.warnings))


def _read_fields(document: Document, tables: Sequence[Table], after_judge: Step | None) -> _Fields:
    """Each field, after those that it depends on."""
    rows, samples, sentences = document.rows, document.samples, document.sentences
    origin = document.origin
    language, currency = origin.language, origin.currency
    texts = [row.text for row in rows]
    order = find_day_order(texts, american=origin.writes_month_first)
    of_clauses = without_free_months(sentences)
    readings = read_clause_sentences(of_clauses, order)
    clauses = agree_on_clauses(read_clauses(of_clauses), readings)
    free = find_free_months(sentences, clauses.term_months)
    sums = name_by_columns(find_sums(rows, sentences), tables, rows)
    kind, case = _read_case(document, tables, sums, clauses.term_months, free)
    case, deducted = name_discounts(case, rows, sums)
    case, taxed = take_out_included_tax(case, document, tables, sums)
    judgement = judge(case)
    judgement = replace(judgement, warnings=(*deducted, *taxed, *judgement.warnings))
    if after_judge is not None and kind != "price_list":
        judgement = after_judge(document, case, judgement)
    judged = replace(case, items=judgement.items, totals=judgement.totals)
    items = mark_included_tax(judged, document, tables, sums)
    items = name_lines(items, rows)
    items = mark_kinds(items, rows, tables, are_alternatives=bool(case.separate_sums))
    totals = [one for one in (judgement.totals.net, judgement.totals.total) if one is not None]
    items = add_parts(items, find_unpriced_rows(tables), totals)
    unread: Iterable[str] = (
        () if case.separate_sums else describe_unread_prices(case.figures, kind, items, judgement.totals)
    )
    further = describe_further_steps(items, rows)
    judgement = replace(judgement, warnings=(*judgement.warnings, *further, *unread))
    dates, doubts = _read_dates(document, order, clauses, readings, kind)
    dates, exchangeable = mark_date_doubts(dates, samples, order, origin)
    spans, early = assign_spans(
        items,
        rows,
        term_months=clauses.term_months,
        starts_on=find_sure_start(dates),
        order=order,
    )
    judgement = replace(judgement, items=tuple(spans))
    printed_net = find_contradicted_net(sums, judgement.totals, judgement.items)
    if printed_net is not None and judgement.totals.net is not None:
        said = describe_doubt("contradicted net", printed_net, judgement.totals.net)
        judgement = replace(judgement, warnings=(said, *judgement.warnings))
    term = _find_term(clauses, dates)
    period = None
    if kind not in ("invoice", "credit_note", "price_list"):
        charged = charge_stated_periods(judgement.items, judgement.totals, tables, sums, term)
        judgement = replace(judgement, items=tuple(charged))
        period = describe_amount_period(charged, judgement.totals, tables, sums, term)
    if period or is_total_of_period(judgement.totals, sums):
        places = {name: replace(one, verified=False) for name, one in judgement.totals.provenance.items()}
        judgement = replace(judgement, totals=replace(judgement.totals, provenance=places))
    undecided = describe_free_months(free, judgement.items, clauses.term_months)
    contradicted = describe_contradicted_term(clauses.term_months, dates, kind)
    unclear = (*early, *contradicted, *([undecided] if undecided else ()))
    if kind == "order" and dates.valid_until:
        kind = "order_form"  # what must be signed by a day is the seller's
    around = rows_outside_tables(samples, tables)
    return _Fields(
        kind=kind,
        is_renewal=is_renewal(samples),
        language=language,
        currency=currency.code,
        currency_named=currency.named,
        other_currency=currency.other,
        doubts=find_notation_doubts(rows, origin),
        clauses=replace(
            clauses,
            warnings=(
                *clauses.warnings,
                *doubts,
                *exchangeable,
                *describe_notice_end(sentences, clauses.notice_days),
            ),
            term_doubts=(*clauses.term_doubts, *unclear),
        ),
        judgement=judgement,
        line_currencies=find_line_currencies(judgement.items, rows),
        dates=dates,
        parties=find_parties(document.pages, around, document.paragraphs, kind),
        number=find_number(around, sentences, kind),
        notice_unit=find_notice_unit(sentences, clauses.notice_days),
        minimum=find_minimum_commitment(sentences, around, judgement.items),
        term_months=term,
        amount_period=period,
    )


def describe_parties_of_pages(pages: Sequence[Page]) -> list[PartyName]:
    """The names of these pages that may be a party's, for the training of the model of parties."""
    document = lay_out(pages)
    around = rows_outside_tables(document.rows, find_tables(document.rows))
    return describe_parties(document.pages, around, document.paragraphs, find_kind(document.rows))


def _read_case(
    document: Document,
    tables: Sequence[Table],
    sums: Sequence[LabelledSum],
    term_months: int | None,
    free: FreeMonths | None,
) -> tuple[Kind, Case]:
    """The kind, and what each reader read of lines and sums, to be judged."""
    printed = {one.value for one in sums}
    items = _read_items(document, tables, sums, term_months)
    learned = convert_learned(read_learned(document))
    read = without_second_amounts(without_limits(learned.items), printed)
    learned = replace(learned, items=without_closing_sums(read, sums))
    items = without_repeated_lines(items, printed)
    learned = replace(learned, items=without_repeated_lines(learned.items, printed))
    if are_prices_alone(items):
        items = list(find_amounts(items, learned))
    kind, rules = _read_sums(document, items, sums)
    read = (rules.totals, learned.totals)
    paid_part = free.find_paid_part(term_months) if free is not None and term_months is not None else None
    stated = [one for totals in read for one in (totals.net, totals.total) if one is not None]
    stated += [one.value for one in sums if one.kind in ("net", "gross")]
    rules, learned = (
        replace(
            one,
            items=prove_periods(
                mark_named_options(read_line_discounts(one.items), document.rows, stated),
                term_months,
                paid_part,
            ),
        )
        for one in (rules, learned)
    )
    rules, learned = (
        Reading(*add_charges(one.items, one.totals, document.rows, sums), one.margins)
        for one in (rules, learned)
    )
    other = None if _are_offers(rules.items) else learned
    return kind, prepare_case(document, rules, other, has_sums=_has_sums(kind, rules.items))


def _has_sums(kind: Kind, items: Sequence[LineItem]) -> bool:
    """Whether figures of the document may be sums: prices that depend on a quantity, and offers of which one
    is chosen, add up to nothing."""
    return kind != "price_list" and not (
        _are_offers(items) or any(item.from_quantity is not None for item in items)
    )


def _are_offers(items: Sequence[LineItem]) -> bool:
    """Whether each line is an offer of its own; a reader that knows no words takes their parts for lines."""
    return bool(items) and all(item.optional for item in items)


def _read_items(
    document: Document, tables: Sequence[Table], sums: Sequence[LabelledSum], term_months: int | None
) -> list[LineItem]:
    """The lines of the layout that shows most of them. `sums` are those of the document."""
    rows, printed = document.rows, {one.value for one in sums}
    nets = {one.value - other.value for one, other in product(sums, sums) if other.kind == "tax"}
    if offers := read_priced_offers(rows):
        return offers
    items = read_table_lines(tables, term_months)
    if not items and (offers := read_offers_beside(rows)):
        return offers
    in_lists: list[LineItem] = [] if items else read_listed_prices(rows)
    # A table that reads what the samples leave out reads most lines.
    shown = document.samples if len(items) > len(document.samples) else rows
    for others in (
        read_inline_calculations(shown),
        read_key_value_lines(shown),
        read_multiplying_rows(shown),
        read_unit_prices(shown),
        read_summed_rows(shown, printed | nets),
        read_counted_prices(shown, printed),
        read_taxed_rows(shown),
        read_sentence_lines(document.sentences),
        in_lists,
    ):
        others = without_closing_sums(others, sums)
        items = others if len(others) > len(items) else items
    items = list(join_steps(items, read_price_steps(rows)))
    items = items or read_price_matrix(rows) or read_fees(document.sentences)
    if not items and not any(one.currency for row in rows for one in row.figures):
        return read_unpriced_lines(tables)
    items = choose_longer_period(fill_quantities(without_sum_row(items, printed), rows), rows)
    return divide_yearly_amounts(items)


def _read_sums(
    document: Document, items: list[LineItem], printed: Sequence[LabelledSum]
) -> tuple[Kind, Reading]:
    """The kind, and what the rules read of lines and sums: amounts that fit the printed sums, and the totals;
    a price list has none."""
    kind = _find_kind(document.rows, items)
    if not _has_sums(kind, items):
        return kind, Reading(items)
    items = add_amounts_of_paces(items, document.rows)
    items = correct_amounts(items, {one.value for one in printed if one.kind in ("net", "gross", "due")})
    if kind == "other" and any(one.kind == "paid" for one in printed):
        kind = "invoice"  # what was paid for is a receipt
    if kind in ("invoice", "credit_note"):
        printed = mark_left_to_pay(mark_paid_in_full(printed, sum_lines(items)), document.rows)
    totals = choose_totals(printed, items, sum_lines(items))
    if totals.net is None and totals.total is None and not printed:
        return kind, Reading(items, find_unlabelled_total(items, sum_lines(items), document.rows))
    if totals.net is not None and "net_total" in totals.provenance:
        counted = mark_uncounted(items, totals.net + totals.discount)
        if counted != items:
            return kind, Reading(counted, choose_totals(printed, counted, sum_lines(counted)))
    return kind, Reading(items, totals)


def _read_dates(
    document: Document, order: DayOrder, clauses: Clauses, readings: ClauseReadings, kind: Kind
) -> tuple[Dates, tuple[str, ...]]:
    """The dates, and sentences about those that were read in two ways."""
    found = document_dates.find_date_candidates(document.samples, document.paragraphs, order)
    labelled = {
        name: document_dates.find_days_of_others(found, role)
        for name, role in document_dates.ROLES.items()
        if name in readings
    }
    # A label beside a day says more than a sentence is thought to say.
    readings = {
        name: tuple(one for one in values if one.value not in labelled.get(name, ()))
        for name, values in readings.items()
    }
    dates, doubts = agree_on_dates(
        document_dates.choose_dates(found, is_offer=kind == "quote", is_order=kind == "order"), readings
    )
    if kind == "contract" or document_dates.has_validity_of_term(dates):
        dates = document_dates.as_dates_of_contract(dates)
    if kind in ("invoice", "credit_note") or dates.valid_until == dates.document_date:
        dates = document_dates.without_validity(dates)
    offered = clauses.provenance.get("validity_days")
    if kind == "quote" and offered is not None:
        months = find_validity_months(document.sentences, clauses.validity_days)
        dates = document_dates.with_validity_period(dates, clauses.validity_days, months, offered)
    return dates, doubts


def _find_kind(rows: Sequence[Row], items: Sequence[LineItem]) -> Kind:
    """The kind of the title; prices without quantities and amounts make a price list, titled or not."""
    kind = find_kind(rows)
    priced = are_prices_alone(items)
    stepped = kind == "quote" and any(item.from_quantity is not None for item in items)
    return "price_list" if priced and not stepped and kind in ("other", "order", "quote") else kind


def _reconcile(fields: _Fields, filename: str) -> Extraction:
    """The Extraction of the fields: what one leaves open follows from others."""
    clauses, dates, parties = fields.clauses, fields.dates, fields.parties
    sums, items = fields.judgement.totals, fields.judgement.items
    number, currencies = fields.number, fields.line_currencies
    term = fields.term_months
    if fields.kind == "price_list" and clauses.term_months is None:
        term, dates = None, document_dates.as_dates_of_price_list(dates)
    provenance: dict[str, Provenance] = {
        **sums.provenance,
        **dates.provenance,
        **parties.provenance,
        **{name: place for name, place in clauses.provenance.items() if name not in _INNER_CLAUSES},
    }
    if number:
        provenance["document_number"] = number[1]
    if fields.currency:
        confidence = 0.95 if fields.currency_named else 0.6
        provenance["currency"] = Provenance(
            1, None, confidence, fields.currency_named, second=fields.other_currency
        )
    minimum = fields.minimum or MinimumCommitment()
    if minimum.provenance is not None:
        provenance["minimum_total"] = minimum.provenance
    doubted = [minimum.warning] if minimum.warning else []
    period = [fields.amount_period] if fields.amount_period else []
    mixed = [f"The lines are in {' and '.join(currencies)}."] if len(currencies) > 1 else []
    return Extraction(
        file=filename,
        kind=fields.kind,
        is_renewal=fields.is_renewal or None,
        language=fields.language,
        supplier=parties.supplier,
        buyer=parties.buyer,
        currency=fields.currency,
        document_number=number[0] if number else None,
        document_date=dates.document_date,
        valid_until=dates.valid_until,
        net_total=sums.net,
        tax_total=sums.tax,
        total=sums.total,
        line_items=items,
        term_months=term,
        start_date=dates.start_date,
        end_date=dates.end_date,
        notice_unit=fields.notice_unit,
        billing=clauses.billing,
        payment_terms_days=clauses.payment_terms_days,
        auto_renew=clauses.auto_renew,
        renewal_months=clauses.renewal_months,
        renewal_uplift_percent=clauses.renewal_uplift_percent,
        renewal_uplift_is_cap=clauses.renewal_uplift_is_cap,
        notice_days=clauses.notice_days,
        minimum_total=minimum.amount,
        minimum_months=minimum.months,
        warnings=(*fields.judgement.warnings, *doubted, *period, *mixed, *clauses.warnings),
        term_doubts=clauses.term_doubts,
        provenance=provenance,
        line_currencies=currencies,
    )


def _find_term(clauses: Clauses, dates: Dates) -> int | None:
    """The term of the text, or the months between start and end. A month of service on an invoice is what
    is billed, not what was agreed."""
    if clauses.term_months is not None or not (dates.start_date and dates.end_date):
        return clauses.term_months
    between = count_months_between(dates.start_date, dates.end_date)
    return between if between and 1 < between <= _LONGEST_BETWEEN else None


def _restore_places(extraction: Extraction, pages: Sequence[Page]) -> Extraction:
    """Move the boxes to where the words are shown on crooked, turned, mirrored and laid out pages; what these
    do not show has none."""
    by_number = {page.number: page for page in pages}

    def moved(place: Provenance) -> Provenance:
        if place.box is None or place.page is None:
            return place
        page = by_number[place.page]
        box = page.find_shown_box(place.box)
        return replace(place, box=box if box.top < page.shown_size.height else None)

    return _change_provenance(extraction, moved)


def _change_provenance(extraction: Extraction, change: Callable[[Provenance], Provenance]) -> Extraction:
    def changed(provenance: Mapping[str, Provenance]) -> dict[str, Provenance]:
        return {name: change(place) for name, place in provenance.items()}

    items = tuple(replace(item, provenance=changed(item.provenance)) for item in extraction.line_items)
    return replace(extraction, line_items=items, provenance=changed(extraction.provenance))
