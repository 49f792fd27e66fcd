"""An estimate with its evidence as one page of HTML for print, without a script or anything loaded: the
charts are inline SVG."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from html import escape
from typing import TypeVar

from app.contract.money import format_money, format_quantity
from app.contract.pricing import (
    TARGET_PERCENTILE,
    AdvancedEstimate,
    PriceComparable,
    PriceExplanation,
    ProductEstimate,
    ProductExplanation,
    SimilarPurchase,
)
from app.contract.scope import ProductTerm, Scope
from components.elements.figure import BAD
from components.estimates.price_distribution import Axis, render_distribution
from components.estimates.scope_comparison import assign_colours, join_product_names
from components.estimates.similar_purchases import (
    describe_edition,
    describe_relation,
    format_paid_price,
    index_comparables,
)
from components.estimates.sureness import (
    describe_context,
    describe_factors,
    describe_sureness,
    describe_warnings,
)
from components.estimates.verdict import (
    describe_gap,
    describe_parts,
    describe_uncovered_lines,
    format_verdict,
    get_judged_amount,
)
from components.formatting import count_repeats, format_count, format_date, name_percentile, shorten_text
from components.scopes import describe_term, get_main_quantity, get_quote_point, is_currency_stated

HTML = "text/html"
Part = TypeVar("Part", ProductTerm, ProductExplanation)
SHOWN_PERCENTILES = (10, 25, 50, 75, 90)
MAX_PURCHASES = 12
"""Similar purchases in the table, the most similar ones; the chart has all of them."""
_MAX_NAME_LENGTH = 60
"""Characters of a product name."""

_STYLE = """
@page { size: A4; margin: 12mm 14mm }
:root { color-scheme: light; -webkit-print-color-adjust: exact; print-color-adjust: exact }
body { font: 9.5pt/1.35 system-ui, sans-serif; color: #1a1a1a; background: #fff;
  max-width: 182mm; margin: 1.5em auto; padding: 0 1em }
h1 { font-size: 10pt; margin: 0; color: #0b5c73; text-transform: uppercase; letter-spacing: .08em }
h2 { font-size: 13pt; line-height: 1.2; margin: .25em 0 0 } h3 { font-size: 10.5pt; margin: 1em 0 .2em }
p { margin: .2em 0 } .quiet { color: #595959; font-size: 8.5pt }
table { border-collapse: collapse; width: 100%; font-size: 8.5pt; font-variant-numeric: tabular-nums }
th, td { text-align: left; vertical-align: top; padding: .14em .7em .14em 0; border-bottom: 1px solid #ddd }
th { color: #595959; font-weight: 600 } .number { text-align: right; white-space: nowrap }
tr:has(+ .why) td { border: 0 } .why td { padding-top: 0; padding-bottom: .35em }
tr, figure, .verdict { break-inside: avoid } section + section { break-before: page; margin-top: 3em }
.verdict { margin: .7em 0; padding: .5em .8em; border-left: 4px solid; background: #f5f6f8 }
.verdict b { font-size: 12pt } .accept { border-color: #2f9e6e } .consider { border-color: #3b82c4 }
.negotiate { border-color: #c77d0a } .not { border-color: #7c8798 }
.drawings { display: flex; gap: 6mm } figure { flex: 1; margin: 0; min-width: 0 }
svg { width: 100%; height: auto; font-family: inherit } figcaption { color: #595959; font-size: 8.5pt }
.name { max-width: 82mm; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.dot { display: inline-block; width: .7em; height: .7em; border-radius: 50%; margin-right: .35em }
footer { margin-top: 1.2em }
@media print { body { margin: 0; padding: 0 } }
@media (max-width: 640px) { .drawings { flex-direction: column } }
"""


@dataclass(frozen=True)
class Evidence:
    """A scope with its estimate, the quote as entered, and the explanation where the deployment has one.
    `editions` has the edition of each product term in words; `estimate_without` is the estimate without the
    purchases that the reader leaves out, where there is one."""

    scope: Scope
    estimate: AdvancedEstimate
    quote: Decimal | None = None
    explanation: PriceExplanation | None = None
    supplier: str = ""
    editions: Sequence[str] = ()
    left_out_ids: frozenset[str] = frozenset()
    left_out_reason: str = ""
    estimate_without: AdvancedEstimate | None = None


def render_evidence_report(reports: Sequence[Evidence], now: datetime) -> bytes:
    """Return the report in UTF-8, each scope on a page of its own."""
    creation_note = f"Created on {now:%d %B %Y, %H:%M} UTC."
    body = "".join(f"<section>{_render_scope(case, creation_note)}{_NOTES}</section>" for case in reports)
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Price evidence</title>'
        f"<style>{_STYLE}</style>{body}</html>"
    ).encode()


def _render_scope(case: Evidence, creation_note: str) -> str:
    scope, estimate = case.scope, case.estimate
    names = ", ".join(shorten_text(term.product_name, _MAX_NAME_LENGTH) for term in scope.product_terms)
    terms = "; ".join(describe_term(term, _find_quoted_currency(case)) for term in scope.scope_terms)
    purchases = estimate.real_similar_purchases
    return "".join(
        [
            f"<h1>Price evidence</h1><h2>{escape(names)}</h2>",
            f"<p>Supplier: <b>{escape(case.supplier)}</b></p>" if case.supplier else "",
            f'<p class="quiet">{escape(terms)} · scope {escape(scope.id)} · {creation_note}</p>',
            _render_verdict(case),
            '<div class="drawings">',
            "<figure>",
            render_distribution(
                estimate.estimate,
                estimate.currency,
                *get_judged_amount(case.explanation.verdict if case.explanation else None, case.quote),
            ),
            "<figcaption>Prices of comparable purchases</figcaption></figure>",
            render_scatter(purchases, estimate.currency, get_quote_point(scope, case.quote)),
            "</div>",
            _render_table(
                [name_percentile(percent) for percent in SHOWN_PERCENTILES],
                [
                    [
                        escape(format_money(estimate.estimate.at(percent), estimate.currency))
                        for percent in SHOWN_PERCENTILES
                    ]
                ],
                numbers_from=0,
            ),
            _render_products(case),
            _render_left_out(case),
            _render_purchases(purchases, estimate.currency, index_comparables(case.explanation)),
        ]
    )


def _render_verdict(case: Evidence) -> str:
    currency, target = case.estimate.currency, case.estimate.estimate.at(TARGET_PERCENTILE)
    if case.quote is None and is_currency_stated(case.scope):
        return (
            f'<div class="verdict not"><b>No quote yet.</b> The target is '
            f"{escape(format_money(target, currency))}: a quarter of comparable purchases cost less.</div>"
        )
    quoted = "" if case.quote is None else f"Quote <b>{escape(format_money(case.quote, currency))}</b>"
    verdict = case.explanation.verdict if case.explanation else None
    if verdict is None:
        return f'<div class="verdict not"><b>No verdict.</b> This workspace gives none.<p>{quoted}</p></div>'
    figures = [quoted] if quoted else []
    if case.quote not in (None, verdict.judged_amount):
        judged = escape(format_money(verdict.judged_amount, currency))
        figures.append(f"Judged: {judged} of it, the lines that the estimate covers")
    figures += [escape(words) for words in (describe_gap(verdict, currency),) if words]
    figures += [escape(words) for words in describe_parts(verdict, currency)]
    if case.explanation and case.explanation.coverage and case.explanation.coverage.uncovered:
        figures.append(
            "Not covered by the verdict: "
            + escape(describe_uncovered_lines(case.explanation.coverage, _find_quoted_currency(case)))
        )
    return (
        f'<div class="verdict {verdict.word if verdict.word in _JUDGED else "not"}"><b>'
        f"{escape(format_verdict(verdict, currency))}.</b> "
        f"{escape(' '.join(verdict.reasons))}<p>{' · '.join(figures)}</p></div>"
    )


def _find_quoted_currency(case: Evidence) -> str:
    """Return the currency of the quote; "" where nobody has said it."""
    return case.estimate.currency if is_currency_stated(case.scope) else ""


_JUDGED = ("accept", "consider", "negotiate")


def _render_products(case: Evidence) -> str:
    # A product may be there twice, in two editions: the first of each that is left is the one.
    explained = list(case.explanation.products) if case.explanation else []
    terms = list(case.scope.product_terms)
    editions = {id(term): edition for term, edition in zip(terms, case.editions, strict=False)}
    header = ["Product", "Quantity", *(name_percentile(one) for one in (25, 50, 75))]
    rows = ""
    for one in case.estimate.product_estimates:
        term = _take_part(terms, one.product_id)
        edition = editions.get(id(term), "")
        rows += _render_row(
            [
                escape(shorten_text(one.name, _MAX_NAME_LENGTH))
                + (f'<div class="quiet">{escape(edition)}</div>' if edition else ""),
                escape(_describe_quantity(term)),
                *_render_quartiles(one, case.estimate.currency),
            ],
            numbers_from=2,
        )
        because = _take_part(explained, one.product_id) if one.estimate is not None else None
        if because is not None:
            why = escape(_describe_reasons(because, case.estimate.currency, case.estimate.timestamp))
            rows += f'<tr class="why"><td colspan="{len(header)}" class="quiet">{why}</td></tr>'
    return f"<h3>Products</h3><table>{_render_row(header, numbers_from=2, tag='th')}{rows}</table>"


def _take_part(parts: list[Part], product_id: str) -> Part | None:
    """Remove and return the first part that is about the product."""
    for at, part in enumerate(parts):
        if part.product_id == product_id:
            return parts.pop(at)
    return None


def _describe_quantity(term: ProductTerm | None) -> str:
    number = get_main_quantity(term) if term else None
    return f"{number[0].name} {format_quantity(number[1])}" if number else ""


def _describe_reasons(product: ProductExplanation, currency: str, asked_at: datetime | None) -> str:
    answers = (f"{question} {answer}" for question, answer in describe_sureness(product, asked_at).items())
    factors = describe_factors(product) or "none with a known effect"
    said = (*describe_context(product, currency), *describe_warnings(product, asked_at), *answers)
    return f"{' '.join(said)} Factors: {factors}."


def _render_quartiles(one: ProductEstimate, currency: str) -> list[str]:
    if one.estimate is None:
        return [escape(one.message or "no estimate"), "", ""]
    return [escape(format_money(one.estimate.at(percent), currency)) for percent in (25, 50, 75)]


def _render_left_out(case: Evidence) -> str:
    """Return the purchases that the reader leaves out, why, and the estimate without them."""
    purchases = [one for one in case.estimate.real_similar_purchases if one.id in case.left_out_ids]
    if not purchases:
        return ""
    currency = case.estimate.currency
    listing = "".join(
        f"<li>{escape(format_date(one.start_date))}: {escape(join_product_names(one))}, "
        f"{escape(format_quantity(one.primary_dimension_value))} {escape(one.primary_dimension_name)}, "
        f"{escape(format_money(one.negotiated_price, currency))}</li>"
        for one in purchases
    )
    reason = escape(case.left_out_reason) if case.left_out_reason else "no reason was given"
    without = ""
    if case.estimate_without is not None:
        figures = ", ".join(
            f"{name_percentile(percent)} "
            f"{format_money(case.estimate_without.estimate.at(percent), case.estimate_without.currency)}"
            for percent in SHOWN_PERCENTILES
        )
        without = f"<p>Estimate without them: {escape(figures)}.</p>"
    return (
        f"<h3>Left out by the reader: {format_count(len(purchases), 'purchase')}</h3>"
        f"<p>Reason: {reason}.</p><ul>{listing}</ul>{without}"
        '<p class="quiet">The figures and the verdict above include them.</p>'
    )


def _render_purchases(
    purchases: Sequence[SimilarPurchase], currency: str, comparables: Mapping[str, PriceComparable]
) -> str:
    if not purchases:
        return '<h3>Similar purchases</h3><p class="quiet">None is similar enough to be shown.</p>'
    colours = assign_colours(purchases)
    listed = _select_most_similar(purchases)
    rows = [
        [
            escape(format_date(one.start_date)),
            f'<div class="name"><span class="dot" style="background:{colours[join_product_names(one)]}">'
            f"</span>{escape(shorten_text(join_product_names(one), _MAX_NAME_LENGTH))}</div>"
            f"{_render_comparable(comparables.get(one.id))}",
            escape(format_quantity(one.primary_dimension_value)),
            escape(format_quantity(one.term_months) if one.term_months else "—"),
            escape(format_money(one.negotiated_price, currency)),
            f"{one.similarity_rate:.0f} %",
        ]
        for one in listed
    ]
    header = ["Bought", "Product", purchases[0].primary_dimension_name, "Months", "Price", "Similarity"]
    shown = "all"
    if len(purchases) > len(rows):
        each = "the most similar of each product" if len(colours) > 1 else "the most similar"
        shown = f"{each}, {len(rows)} of {len(purchases)}"
    return f"<h3>Similar purchases, {shown}</h3>" + _render_table(header, rows, numbers_from=2)


def _render_comparable(one: PriceComparable | None) -> str:
    """Return supplier, edition, price per unit and period, and how the purchase relates to the product."""
    if one is None:
        return ""
    words = (one.supplier, describe_edition(one), format_paid_price(one), describe_relation(one))
    return f'<div class="quiet">{escape(" · ".join(word for word in words if word))}</div>'


def _select_most_similar(purchases: Sequence[SimilarPurchase]) -> list[SimilarPurchase]:
    """Return as many purchases as the page has room for, an equal number of each product, in their order."""
    turns = count_repeats([join_product_names(one) for one in purchases])
    first = sorted(range(len(purchases)), key=lambda at: turns[at])[:MAX_PURCHASES]
    return [purchases[at] for at in sorted(first)]


_NOTES = (
    '<footer class="quiet">Amounts are before tax, for the whole term. '
    f"The target is percentile {TARGET_PERCENTILE}: a quarter of such purchases cost less. Purchases are "
    "anonymous; the most similar count most.</footer>"
)


def _render_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, numbers_from: int) -> str:
    """Return a table of cells that are HTML already."""
    body = "".join(_render_row(row, numbers_from=numbers_from) for row in rows)
    return f"<table>{_render_row([*map(escape, header)], numbers_from=numbers_from, tag='th')}{body}</table>"


def _render_row(cells: Sequence[str], *, numbers_from: int, tag: str = "td") -> str:
    return "".join(
        ["<tr>"]
        + [
            f'<{tag} class="number">{cell}</{tag}>' if at >= numbers_from else f"<{tag}>{cell}</{tag}>"
            for at, cell in enumerate(cells)
        ]
        + ["</tr>"]
    )


WIDTH, HEIGHT = 340, 176
_RIGHT, _TOP, _BOTTOM = 10, 24, 34
_DIGIT_WIDTH = 5.3
"""Of one character of a label."""
_INK, _GRID = "#444", "#ddd"


def render_scatter(
    purchases: Sequence[SimilarPurchase], currency: str, quote: tuple[Decimal, Decimal] | None
) -> str:
    """Return price over quantity: a larger mark for a more similar purchase, a colour for each product.
    `quote` is the quoted quantity and price."""
    points = [(float(one.primary_dimension_value), float(one.negotiated_price)) for one in purchases]
    quoted = [(float(quote[0]), float(quote[1]))] if quote else []
    if not points:
        return ""
    base = HEIGHT - _BOTTOM
    up = Axis.covering([y for _, y in points + quoted], base, _TOP)
    left = 8 + _DIGIT_WIDTH * max(len(format_quantity(value)) for value in up.ticks())
    across = Axis.covering([x for x, _ in points + quoted], left, WIDTH - _RIGHT)
    parts = _render_axis(across, base, purchases[0].primary_dimension_name)
    for value in up.ticks():
        parts.append(_render_line(left, up.locate(value), WIDTH - _RIGHT, up.locate(value), _GRID))
        parts.append(_render_text(left - 4, up.locate(value) + 3, format_quantity(value), anchor="end"))
    parts.append(_render_text(4, 10, f"Price ({currency})"))
    colours = assign_colours(purchases)
    # The least similar first, so that the most similar lie on top.
    for one, (x, y) in reversed(list(zip(purchases, points, strict=True))):
        colour = colours[join_product_names(one)]
        size = 2 + float(one.similarity_rate) / 22
        parts.append(
            f'<circle cx="{across.locate(x)}" cy="{up.locate(y)}" r="{size:.1f}" fill="{colour}" '
            f'fill-opacity=".45" stroke="{colour}" stroke-width=".7"/>'
        )
    for x, y in quoted:
        parts.append(
            f'<path d="M{across.locate(x)} {up.locate(y) - 6}l5 6-5 6-5-6z" fill="{BAD}" stroke="#fff"/>'
            + _render_text(
                across.locate(x), up.locate(y) - 9, "Quote", anchor="middle", colour=BAD, bold=True
            )
        )
    return _wrap_figure("Similar purchases: price against quantity", parts)


def _render_axis(axis: Axis, base: float, title: str) -> list[str]:
    parts = [_render_line(axis.start, base, axis.end, base, _INK)]
    end = -WIDTH
    for value in axis.ticks():
        place, label = axis.locate(value), format_quantity(value)
        parts.append(_render_line(place, _TOP, place, base + 3, _GRID))
        half = _DIGIT_WIDTH * len(label) / 2
        if place - half > end:
            parts.append(_render_text(place, base + 13, label, anchor="middle"))
            end = place + half + _DIGIT_WIDTH
    parts.append(_render_text((axis.start + axis.end) / 2, base + 27, title, anchor="middle"))
    return parts


def _render_line(x: float, y: float, to_x: float, to_y: float, colour: str) -> str:
    return f'<path d="M{x} {y}L{to_x} {to_y}" stroke="{colour}"/>'


def _render_text(
    x: float, y: float, text: str, *, anchor: str = "start", colour: str = _INK, bold: bool = False
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}"{weight}>{escape(text)}</text>'


def _wrap_figure(title: str, parts: Sequence[str]) -> str:
    return (
        f'<figure><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-size="9.5">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg><figcaption>{escape(title)}</figcaption></figure>"
    )
