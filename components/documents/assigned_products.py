"""The products that lines were given beside the table: from the candidates, or by adding one."""

from collections.abc import MutableMapping
from dataclasses import dataclass


@dataclass(frozen=True)
class AssignedProducts:
    """By line, the product that was taken and the one that stood in the table then, which it replaces. One
    that is chosen in the table afterwards has the last word."""

    by_line: MutableMapping[int, tuple[str, str | None]]

    def assign(self, line: int, product_id: str, replaced: str | None) -> None:
        self.by_line[line] = (product_id, replaced)

    def get_product(self, line: int, in_table: str | None) -> str | None:
        """The line's product, where the table says `in_table`."""
        assigned = self.by_line.get(line)
        return assigned[0] if assigned is not None and in_table == assigned[1] else in_table
