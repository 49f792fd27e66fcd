"""The state of the quotes that a scenario was solved on, and what of it is another by now. Pure.

Only what an award depends on is in it: a doubt that is confirmed counts, what was proposed and is confirmed
does not.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import Any

from app.contract.sourcing import SourcingQuote
from app.service.sourcing.columns import Column, explain_exclusion

_DIGEST_LENGTH = 16
_SHOWN_NAME = 60
_TERMS = frozenset(
    {"currency", "validUntil", "paymentTermsDays", "minimumOrder", "leadTimeDays", "discounts"}
)
_LINE = frozenset(
    {
        *("id", "requirementLineId", "alternate", "quantity", "unitPrice", "recurring", "breaks", "bundleId"),
        "termMonths",
        *("unit", "taxIncluded", "taxPercent", "minimumQuantity", "maximumQuantity"),
    }
)

Basis = Mapping[str, Mapping[str, str]]
"""The state of each quote, by its id: `name` is its supplier's, `state` a digest of what it asks, `rate` that
of its currency, and `reason` why nothing of it could be awarded."""


def describe_basis(columns: Sequence[Column], today: date) -> Basis:
    """Return the state of the quotes as they are now."""
    return {
        column.quote.id: {
            "name": column.quote.supplier_name[:_SHOWN_NAME],
            "state": _digest(column.quote),
            "rate": "" if column.rate is None else f"{column.rate.value.normalize():f}",
            "reason": explain_exclusion(column, today) or "",
        }
        for column in columns
    }


def list_changes(before: Basis, now: Basis) -> list[str]:
    """Return what has changed between two states, in sentences; none while they are the same."""
    changes: list[str] = []
    for quote_id, old in before.items():
        new = now.get(quote_id)
        if new is None:
            changes.append(f"The quote of {old['name']} was removed.")
        elif new["state"] != old["state"]:
            changes.append(f"The quote of {new['name']} was changed.")
        elif new["reason"] != old["reason"]:
            changes.append(f"{new['name']}: {new['reason'] or 'The quote can be awarded by now.'}")
        elif new["rate"] != old["rate"]:
            changes.append(f"The exchange rate of the quote of {new['name']} is another.")
    changes += [f"A quote of {new['name']} was added." for one, new in now.items() if one not in before]
    return changes


def _digest(quote: SourcingQuote) -> str:
    record: dict[str, Any] = quote.wire()
    terms = {name: value for name, value in record.items() if name in _TERMS}
    lines = [
        {
            **{name: value for name, value in line.items() if name in _LINE},
            "doubtful": line["alignment"] == "doubtful",
            "free": line["unitPrice"] == 0 and line["alignment"] == "confirmed",
        }
        for line in record["lines"]
    ]
    text = json.dumps([terms, lines], sort_keys=True)
    return sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]
