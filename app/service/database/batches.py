"""Long lists in batches, so that no statement has more parameters than a store takes."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def batched(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """`items` in lists of at most `size`."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
