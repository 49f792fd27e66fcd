"""How workers share the webhooks that something is due to. Pure.

Each takes at most its share of those that are free, and hands over what it has beyond its share once these
deliveries come late. So a worker that joins gets its part within seconds, and what one that is gone had is
spread over all others.
"""

from collections.abc import Collection, Sequence
from math import ceil
from typing import NamedTuple


class DueEndpoint(NamedTuple):
    """A webhook that something is due to, and how much where this worker has it or may take it. `holder` is
    the living worker that has it. `late`: something has been due for a while, so it waits for a worker or for
    the endpoint."""

    webhook_id: str
    due: int
    holder: str | None
    late: bool


class Share(NamedTuple):
    """The webhooks that a worker may take now, and those of its own that it hands over."""

    claims: list[str]
    surplus: list[str]


def share_endpoints(
    due: Sequence[DueEndpoint], *, worker_id: str, sharers: Collection[str], leaving: Collection[str] = ()
) -> Share:
    """What this worker does about the webhooks that something is due to. `sharers` are the workers that take
    work; `leaving` are those webhooks of its own that it is handing over already. The shares of workers that
    see the same add up to all."""
    workers = sorted({*sharers, worker_id})
    free = [each for each in due if each.holder is None]
    held = [each for each in due if each.holder in workers]
    own = [each for each in held if each.holder == worker_id and each.webhook_id not in leaving]
    share = ceil((len(free) + len(held)) / len(workers))
    # Each begins with others, so that few meet at the same row.
    first = workers.index(worker_id)
    ordered = [
        each for start in range(len(workers)) for each in free[(first + start) % len(workers) :: len(workers)]
    ]
    claims = [each.webhook_id for each in ordered[: max(0, share - len(own))]]

    late_share = ceil(sum(each.late for each in [*free, *held]) / len(workers))
    late = sorted((each for each in own if each.late), key=lambda each: (each.due, each.webhook_id))
    surplus = [each.webhook_id for each in late[: max(0, len(late) - late_share)]]
    return Share(claims, surplus)
