"""Words for imports: what a file holds, how far it is, and what its columns are."""

from collections.abc import Mapping, Sequence

from app.contract.imports import Import

KIND_LABELS: Mapping[str, str] = {
    "purchases": "Purchases",
    "catalog": "Suppliers and products",
    "rates": "Exchange rates",
    "agreements": "Contracts",
}
EXPORT_LABELS: Mapping[str, str] = {
    "coupa_order_lines": "order lines of Coupa",
    "focus_contract_commitments": "contract commitments in the FOCUS format",
    "microsoft_365_licences": "licences of Microsoft 365",
    "parley_agreements": "contracts that Parley has exported",
    "xero_bills": "bills of Xero",
}
ROW_NOUNS: Mapping[str, str] = {"rates": "rate", "agreements": "contract"}
"""What is counted of a file, where it is not its rows."""
STATUS_LABELS: Mapping[str, str] = {
    "checking": "being checked",
    "incomplete": "needs an answer",
    "ready": "ready to import",
    "importing": "being imported",
    "completed": "imported",
    "undoing": "being taken back",
    "undone": "undone",
    "cancelled": "cancelled",
    "failed": "failed",
}
QUESTION_LABELS: Mapping[str, str] = {
    "encoding": "Spelling",
    "number_format": "Numbers",
    "date_order": "Dates",
    "currency": "Currency",
    "price_per": "Prices",
    "states": "States of orders",
    "blank_cells": "Blank cells",
}
ANSWER_LABELS: Mapping[str, Mapping[str, str]] = {
    "number_format": {"point": "a point before the decimals", "comma": "a comma before the decimals"},
    "date_order": {"day_first": "the day comes first", "month_first": "the month comes first"},
    "blank_cells": {"above": "those of the row above", "missing": "not known"},
    "price_per": {
        "month": "for one month",
        "quarter": "for a quarter",
        "half_year": "for half a year",
        "year": "for one year",
        "term": "for the whole term",
    },
}
LOOKS: Mapping[str, str] = {"mail": "mail addresses"}
"""What the values of a column look like, where the interface's word is not ours."""
FIELD_LABELS: Mapping[str, str] = {"name": "Supplier name", "url": "Web address"}
AGREEMENT_FIELD_LABELS: Mapping[str, str] = {
    "reference": "Contract number",
    "name": "Name of the contract",
    "term_start": "First day",
    "term_end": "Last day of the first term",
    "day_after_end": "Day after the term",
    "term_months": "Term in months",
    "term_years": "Term in years",
    "price_per": "What the unit price is for",
    "term": "Term with its unit",
    "auto_renewal": "Renews by itself (yes or no)",
    "auto_renewal_term_months": "Renewal term",
    "renewal_term": "Renewal with its unit",
    "notice_period": "Notice period with its unit",
    "notice_days": "Notice in days",
    "notice_months": "Notice in months",
    "cost_center": "Cost centre",
    "annual_value": "Value of a year",
}
DIMENSION, CURRENCY, LEFT_OUT = "Price factor", "Rates of this currency", "Leave out"
"""What a column may become that holds no field."""


def describe_kind(kind: str | None) -> str | None:
    """Return what a file holds, in words; None while nobody knows."""
    return None if kind is None else KIND_LABELS.get(kind, kind)


def name_row(kind: str | None) -> str:
    """Return the noun for what is counted of such a file."""
    return ROW_NOUNS.get(kind or "", "row")


def describe_field(field: str, kind: str | None) -> str:
    """Return `Purchase date` for `purchase_date`, as it is called in files of that kind."""
    labels = AGREEMENT_FIELD_LABELS if kind == "agreements" else FIELD_LABELS
    return labels.get(field) or field.replace("_", " ").capitalize()


def describe_answers(one: Import) -> Sequence[str]:
    """Return what a person said of the file, such as `Currency: EUR`."""
    answers = {name: getattr(one, name) for name in QUESTION_LABELS}
    answers["states"] = "; ".join(
        f"{state} is {'a' if is_purchase else 'no'} purchase" for state, is_purchase in one.states.items()
    )
    return [
        f"{QUESTION_LABELS[name]}: {ANSWER_LABELS.get(name, {}).get(answer, answer)}"
        for name, answer in answers.items()
        if answer
    ]


def list_fields(fields: Sequence[str], kind: str | None) -> str:
    """Return `**Supplier**, **Product**`."""
    return ", ".join(f"**{describe_field(field, kind)}**" for field in fields)
