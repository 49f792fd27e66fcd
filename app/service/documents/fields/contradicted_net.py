"""A subtotal that the page prints and that the other sums contradict."""

from collections.abc import Sequence
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.fields.totals import LabelledSum, Totals
from app.service.values.rounding import is_close

_ROUNDING = Decimal("0.05")
_FARTHEST = Decimal("0.5")  # of the net: `Net 30` is a time to pay


def find_contradicted_net(
    sums: Sequence[LabelledSum], totals: Totals, items: Sequence[LineItem]
) -> Decimal | None:
    """The only printed net, where another one that is printed nowhere was computed from tax and total, and
    neither a discount nor a line explains the difference."""
    place = totals.provenance.get("net_total")
    printed = {one.value for one in sums if one.kind == "net"}
    if totals.net is None or len(printed) != 1 or (place is not None and place.box is not None):
        return None
    [net] = printed
    amounts = [one.amount for one in items if one.amount is not None]
    difference = abs(totals.net - net)
    explained = (
        difference <= _ROUNDING
        or difference > abs(totals.net) * _FARTHEST
        or any(
            is_close(net, one, _ROUNDING)
            for one in (totals.net + totals.discount, totals.total, sum(amounts, Decimal(0)))
            if one is not None
        )
        or any(is_close(difference, abs(one), _ROUNDING) for one in amounts)
    )
    return None if explained else net
