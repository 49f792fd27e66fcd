"""An estimate and the evidence behind it as one page of HTML that prints well: no script, nothing fetched."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from html import escape

from app.contract.pricing import AdvancedEstimate, ProductEstimate, SimilarPurchase
from app.contract.scope import Scope

HTML = "text/html"
SHOWN = (10, 25, 50, 75, 90)
MOST_PURCHASES = 12
"""Similar purchases on the page, the most alike."""

_STYLE = """
@page { size: A4; margin: 14mm }
body { font: 10.5pt/1.35 system-ui, sans-serif; color: #111 }
body { max-width: 182mm; margin: 1em auto; padding: 0 1em }
h1 { font-size: 16pt; margin: 0 } h2 { font-size: 12pt; margin: 1.1em 0 .3em }
p { margin: .3em 0 } .quiet { color: #555 }
table { border-collapse: collapse; width: 100%; font-size: 9pt; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: .18em .6em .18em 0; border-bottom: 1px solid #ddd }
.number { text-align: right } section { break-inside: avoid-page }
@media print { body { margin: 0; padding: 0 } }
"""

Priced = tuple[Scope, AdvancedEstimate]


def as_report(priced: Sequence[Priced], quotes: Mapping[str, float | None], now: datetime) -> bytes:
    """The report of these scopes with their quotes as typed, as UTF-8."""
    body = "".join(_section(scope, estimate, quotes.get(scope.id)) for scope, estimate in priced)
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Price evidence</title>'
        f"<style>{_STYLE}</style><h1>Price evidence</h1>"
        f'<p class="quiet">Made on {now:%d %B %Y, %H:%M} UTC. Amounts are before tax, for the whole term.</p>'
        f"{body}</html>"
    ).encode()


def _section(scope: Scope, estimate: AdvancedEstimate, quote: float | None) -> str:
    names = ", ".join(term.product_name for term in scope.product_terms)
    terms = "; ".join(
        f"{term.term_length} months, {term.purchase_type.replace('_', ' ')}" for term in scope.scope_terms
    )
    parts = [
        f"<h2>{escape(names)}</h2>",
        f'<p class="quiet">{escape(terms)} · scope {escape(scope.id)}</p>',
        _table(
            [f"P{percent}" for percent in SHOWN],
            [[_money(estimate.estimate.at(percent), estimate.currency) for percent in SHOWN]],
            numbers_from=0,
        ),
    ]
    if quote:
        parts.append(f"<p><b>{escape(_quote(estimate, Decimal(str(quote))))}</b></p>")
    if len(estimate.product_estimates) > 1:
        parts.append(_products(estimate.product_estimates, estimate.currency))
    parts.append(_purchases(estimate.real_similar_purchases, estimate.currency))
    return f"<section>{''.join(parts)}</section>"


def _quote(estimate: AdvancedEstimate, quote: Decimal) -> str:
    middle = estimate.estimate.percentile50
    asked, apart, quarter = (
        _money(amount, estimate.currency)
        for amount in (quote, abs(quote - middle), estimate.estimate.percentile25)
    )
    side = "above" if quote > middle else "below"
    return f"Quote: {asked}, {apart} {side} the median; a quarter pay at most {quarter}."


def _products(products: Sequence[ProductEstimate], currency: str) -> str:
    rows = [
        [one.name, *(_money(one.estimate.at(percent), currency) for percent in (25, 50, 75))]
        if one.estimate
        else [one.name, one.message or "no estimate", "", ""]
        for one in products
    ]
    return "<h2>Products</h2>" + _table(["Product", "P25", "P50", "P75"], rows, numbers_from=1)


def _purchases(purchases: Sequence[SimilarPurchase], currency: str) -> str:
    if not purchases:
        return '<p class="quiet">No single purchase is alike enough to be shown.</p>'
    rows = [
        [
            one.start_date[:10],
            ", ".join(one.product_names),
            f"{one.primary_dimension_value:,f}",
            f"{one.term_months}",
            _money(one.negotiated_price, currency),
            f"{one.similarity_rate} %",
        ]
        for one in purchases[:MOST_PURCHASES]
    ]
    header = ["Bought", "Product", "Quantity", "Months", "Price", "Alike"]
    shown = f"the {len(rows)} most alike of {len(purchases)}" if len(purchases) > len(rows) else "all"
    return f"<h2>Similar purchases, {shown}</h2>" + _table(header, rows, numbers_from=2)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], *, numbers_from: int) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        return "".join(
            f'<{tag} class="number">{escape(cell)}</{tag}>'
            if at >= numbers_from
            else f"<{tag}>{escape(cell)}</{tag}>"
            for at, cell in enumerate(cells)
        )

    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in rows)
    return f"<table><tr>{line(header, 'th')}</tr>{body}</table>"


def _money(amount: Decimal, currency: str) -> str:
    return f"{currency} {amount:,.2f}"
