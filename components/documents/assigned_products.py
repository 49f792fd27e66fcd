"""Products that were assigned to lines of a quote outside the table: chosen among the candidates or newly
added."""

from collections.abc import MutableMapping
from dataclasses import dataclass


@dataclass(frozen=True)
class AssignedProducts:
    """For each line the assigned product and the product in the table that it replaces. A product that is
    chosen in the table afterwards wins."""

    by_line: MutableMapping[int, tuple[str, str | None]]

    def assign(self, line: int, product_id: str, replaced: str | None) -> None:
        """Give the line a product in place of `replaced`, which may have been assigned itself."""
        before = self.by_line.get(line)
        in_table = before[1] if before is not None and before[0] == replaced else replaced
        self.by_line[line] = (product_id, in_table)

    def get_product(self, line: int, in_table: str | None) -> str | None:
        """Return the product of the line where the table holds `in_table`."""
        assigned = self.by_line.get(line)
        return assigned[0] if assigned is not None and in_table == assigned[1] else in_table
