"""The tables of `tables.sql`, for queries."""

import re
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Table
from sqlalchemy.types import TypeEngine

from app.service.database.columns import Document, Instant, Json, Ordered, PurchaseId
from app.service.database.columns import metadata as metadata

_TYPES: dict[str, TypeEngine[Any]] = {
    "COUNTER": sa.Integer(),
    "INTEGER": sa.Integer(),
    "BIGINT": sa.BigInteger(),
    "DOUBLE": sa.Double(),
    "BOOLEAN": sa.Boolean(),
    "TEXT": sa.Text(),
    "ORDERED": Ordered,
    "PURCHASE": PurchaseId(),
    "DATE": sa.Date(),
    "INSTANT": Instant(),
    "JSON": Document,
    "JSONB": Json,
    "BYTES": sa.LargeBinary(),
}
_TABLE = re.compile(r"CREATE TABLE (\w+) \((.*)\)( WITHOUT ROWID)?", re.DOTALL)
_INDEX = re.compile(r"CREATE INDEX (\w+)\s+ON (\w+) \((.*?)\)(?: WHERE (.*))?", re.DOTALL)
_COLUMN = re.compile(
    r"(\w+) (\w+)(?:\((\d+)\))?(?: DEFAULT (\S+))?(?: GENERATED ALWAYS AS \((.*)\) STORED)?( NOT NULL)?"
)
_CONSTRAINT = re.compile(
    r"CONSTRAINT (\w+) (PRIMARY KEY|UNIQUE|FOREIGN KEY) \((.*?)\)"
    r"(?: REFERENCES (\w+) \((\w+)\)(?: ON DELETE (\w+))?)?"
)


def read_statements() -> list[str]:
    """The statements of `tables.sql` without comments, a table before those that refer to it."""
    text = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
    return [one.strip() for one in re.sub(r" *--.*", "", text).split(";\n") if one.strip()]


def _describe(statement: str) -> None:
    """Add the table or the index of a statement to `metadata`."""
    if made := _TABLE.fullmatch(statement):
        name, body, without_rowid = made.groups()
        parts = [" ".join(part.split()) for part in body.split(",\n")]
        Table(name, metadata, *map(_read_part, parts), sqlite_with_rowid=not without_rowid)
        return
    made = _INDEX.fullmatch(statement)
    assert made is not None, statement
    name, table, columns, condition = made.groups()
    where = None if condition is None else sa.text(condition)
    chosen = [metadata.tables[table].c[one] for one in columns.split(", ")]
    sa.Index(name, *chosen, sqlite_where=where, postgresql_where=where)


def _read_part(part: str) -> sa.Column[Any] | sa.Constraint:
    if made := _CONSTRAINT.fullmatch(part):
        name, kind, columns, target, key, on_delete = made.groups()
        listed = columns.split(", ")
        if kind == "PRIMARY KEY":
            return sa.PrimaryKeyConstraint(*listed, name=name)
        if kind == "UNIQUE":
            return sa.UniqueConstraint(*listed, name=name)
        return sa.ForeignKeyConstraint(listed, [f"{target}.{key}"], name=name, ondelete=on_delete)
    made = _COLUMN.fullmatch(part)
    assert made is not None, part
    name, kind, length, default, computed, not_null = made.groups()
    return sa.Column(
        name,
        sa.String(int(length)) if length else _TYPES[kind],
        *([sa.Computed(computed, persisted=True)] if computed else []),
        nullable=not not_null,
        server_default=sa.text(default) if default else None,
        autoincrement="auto" if kind == "COUNTER" else False,
    )


for _statement in read_statements():
    _describe(_statement)

agent_call = metadata.tables["agent_call"]
agreement = metadata.tables["agreement"]
agreement_alert = metadata.tables["agreement_alert"]
agreement_decision = metadata.tables["agreement_decision"]
agreement_market = metadata.tables["agreement_market"]
agreement_purchase = metadata.tables["agreement_purchase"]
api_key = metadata.tables["api_key"]
approval = metadata.tables["approval"]
approval_rules = metadata.tables["approval_rules"]
article = metadata.tables["article"]
attachment = metadata.tables["negotiation_attachment"]
attempt = metadata.tables["attempt"]
attribute_column = metadata.tables["attribute_column"]
audit_entry = metadata.tables["audit_entry"]
audit_link = metadata.tables["audit_link"]
calendar_feed = metadata.tables["calendar_feed"]
calibration = metadata.tables["calibration"]
category = metadata.tables["category"]
comment = metadata.tables["comment"]
common_word = metadata.tables["common_word"]
company = metadata.tables["company"]
company_gram = metadata.tables["company_gram"]
data_import = metadata.tables["data_import"]
deadline_mail = metadata.tables["deadline_mail"]
delivery = metadata.tables["delivery"]
entry = metadata.tables["negotiation_entry"]
entry_count = metadata.tables["entry_count"]
escalation = metadata.tables["escalation"]
event = metadata.tables["event"]
exchange_rate = metadata.tables["exchange_rate"]
file = metadata.tables["file"]
fingerprint = metadata.tables["fingerprint"]
idempotent_call = metadata.tables["idempotent_call"]
identity = metadata.tables["identity"]
imported_row = metadata.tables["imported_row"]
inbox_message = metadata.tables["inbox_message"]
letter = metadata.tables["letter"]
list_price = metadata.tables["list_price"]
mail_recipient = metadata.tables["mail_recipient"]
membership = metadata.tables["membership"]
negotiation = metadata.tables["negotiation"]
organisation = metadata.tables["organisation"]
organisation_view = metadata.tables["organisation_view"]
product = metadata.tables["product"]
product_family = metadata.tables["product_family"]
purchase = metadata.tables["purchase"]
purchase_recount = metadata.tables["purchase_recount"]
quoted_price = metadata.tables["quoted_price"]
remembered_alignment = metadata.tables["remembered_alignment"]
request_count = metadata.tables["request_count"]
requirement = metadata.tables["requirement"]
same_purchase = metadata.tables["same_purchase"]
sample_story = metadata.tables["sample_story"]
scenario = metadata.tables["scenario"]
schema_support = metadata.tables["schema_support"]
scope = metadata.tables["scope"]
scope_document = metadata.tables["scope_document"]
search_entry = metadata.tables["search_entry"]
second_opinion = metadata.tables["second_opinion"]
second_opinion_settings = metadata.tables["second_opinion_settings"]
second_opinion_usage = metadata.tables["second_opinion_usage"]
sourcing_quote = metadata.tables["sourcing_quote"]
summary = metadata.tables["executive_summary"]
task = metadata.tables["task"]
timer = metadata.tables["negotiation_timer"]
used_ticket = metadata.tables["used_ticket"]
user_account = metadata.tables["user_account"]
user_session = metadata.tables["user_session"]
webhook = metadata.tables["webhook"]
worker = metadata.tables["worker"]
working_days = metadata.tables["working_days"]
written_bytes = metadata.tables["written_bytes"]

purchase_with_product = purchase.join(article).join(product)
"""Purchases with their articles, and the products of those, which have the family and the company."""
