"""Generates training documents: PDFs in many classes of layout, with their truth and the role of each figure.

A class of layout is a function in `layouts` and a line in `LAYOUTS`; a document is the same each time for its
class and seed. A figure without a label is `other`. Nothing is taken from any document: names, words, prices
and looks are put together at random, and the truth is what was drawn.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tests.reader_training.draft import Draft
from tests.reader_training.generated import GeneratedDocument
from tests.reader_training.layouts import (
    cards,
    choices,
    forms,
    grids,
    letters,
    orders,
    pairs,
    proposals,
    records,
    reductions,
    subscriptions,
    usage,
    years,
)

LAYOUTS: Mapping[str, Callable[[str, int], Draft]] = {
    program.__name__: program
    for program in (
        grids.ruled_grid,
        grids.open_table,
        grids.sums_in_table,
        grids.sections,
        cards.cards,
        letters.prose_letter,
        subscriptions.per_user_month,
        subscriptions.renewal_prices,
        years.year_columns,
        years.ramp,
        years.month_and_year,
        years.fees_by_year,
        choices.options,
        choices.packages,
        choices.bundle,
        choices.simple_fees,
        usage.tiers,
        usage.commitment,
        usage.proration,
        reductions.discount_columns,
        reductions.discount_rows,
        reductions.credits,
        orders.two_row_lines,
        orders.tax_table_invoice,
        orders.receipt,
        orders.long_table,
        orders.wide_landscape,
        orders.turned_pages,
        forms.legal_form,
        forms.boxed_form,
        pairs.recurring_and_once,
        pairs.side_by_side,
        pairs.several_quotes,
        proposals.summary_and_details,
        proposals.long_descriptions,
        proposals.timesheet,
        proposals.rental,
        records.turned_table,
        records.facts_in_rows,
        records.listed_facts,
    )
}
"""The program of each class of layout: from the name of the class and a seed to a drawn document."""

_LEFT_OUT = (
    "sections",  # a table with headings and sums within
    "cards",  # no table at all
    "ramp",  # a table for each year
    "bundle",  # a price for several things
    "commitment",  # large volumes at small rates, and rates that are no lines
    "credits",  # negative amounts
    "boxed_form",  # each figure in a box below its label
    "two_row_lines",  # figures in another row than their description
)
"""The classes by which learning is measured, of as many kinds as there are: chosen once, for good."""


def split_layouts() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The classes to train with, and those left out of training to measure with."""
    return tuple(name for name in LAYOUTS if name not in _LEFT_OUT), _LEFT_OUT


def generate(layout: str, seed: int) -> GeneratedDocument:
    """The document of a class and a seed. Raises KeyError for a class that does not exist."""
    draft = LAYOUTS[layout](layout, seed)
    content = draft.finish()
    filename = f"{layout}-{seed}.pdf"
    truth = {
        "file": filename,
        "media": "pdf-text",
        "pages": draft.paper.page,
        "layout": layout,
        **_tell_truth(draft),
    }
    return GeneratedDocument(layout, seed, filename, content, truth, tuple(draft.paper.labels))


def _tell_truth(draft: Draft) -> dict[str, Any]:
    """The truth of the purchase. Of several in one file: what they have in common, all their lines, and no
    total; each stands under `quotes` by itself."""
    if not draft.quotes:
        return draft.purchase.to_truth()
    quotes = [purchase.to_truth() for purchase in draft.quotes]
    common = {
        name: value for name, value in quotes[0].items() if all(quote[name] == value for quote in quotes)
    }
    lines = [line for quote in quotes for line in quote["line_items"]]
    sums: dict[str, Any] = {"net_total": None, "tax_total": None, "total": None}
    return {**common, **sums, "line_items": lines, "line_items_complete": True, "quotes": quotes}
