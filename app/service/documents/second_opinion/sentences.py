"""The sentences about what a second opinion changed of a reading, or did not."""

from decimal import Decimal

from app.service.documents.extraction import TOTAL_NAMES
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.readings import get_total
from app.service.documents.judge.sentences import NAMES, format_money

NO_DIFFERENCE = "It reads the same figures. What was doubtful stays so until somebody looks at it."
_SHOWN = "That is shown now, and is not certain."
_UNCHANGED = "the reading was left as it was."


def describe_sums(before: Totals, after: Totals) -> str:
    """Which sums are shown instead of others."""
    changes = [
        f"the {NAMES[name]} as {_format(get_total(after, name))}"
        f" instead of {_format(get_total(before, name))}"
        for name in TOTAL_NAMES
        if get_total(before, name) != get_total(after, name)
    ]
    return f"It reads {_join(changes)}. {_SHOWN}"


def describe_refused_sums(before: Totals, named: Totals) -> str:
    """Which sums are not shown although they were named."""
    changes = [
        f"the {NAMES[name]} as {_format(get_total(named, name))}"
        for name in TOTAL_NAMES
        if get_total(before, name) != get_total(named, name)
    ]
    return f"It reads {_join(changes)}, which does not add up: {_UNCHANGED}"


def describe_lines(count: int, other: int, changed: int | None) -> str:
    """Which lines are shown instead of others; `changed` is None where they are all others."""
    if changed is None:
        before = f"instead of {count}" if count else "where none was read"
        read = f"It reads {other} {_plural(other)} {before}"
        return f"{read}, which make up the price before tax. {_SHOWN}"
    return f"It reads the figures of {changed} {_plural(changed)} otherwise, and they multiply. {_SHOWN}"


def describe_refused_lines() -> str:
    return f"It reads the lines otherwise, which do not add up: {_UNCHANGED}"


def describe_unreadable() -> str:
    return f"It named words that hold no figure of their own: {_UNCHANGED}"


def _plural(count: int) -> str:
    return "line" if count == 1 else "lines"


def _join(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _format(value: Decimal | None) -> str:
    return "none" if value is None else format_money(value)
