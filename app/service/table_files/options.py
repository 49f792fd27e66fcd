"""What a person said of a file to import."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.contract.imports import BlankCells, DateOrder, NumberFormat, PricePer


@dataclass(frozen=True)
class FileOptions:
    """Which columns hold our fields (`mapping`, our field -> the file's column), which are left out, and what
    the file does not say itself."""

    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    ignored_columns: Sequence[str] = ()
    base_currency: str | None = None
    date_order: DateOrder | None = None
    sheet: str | None = None
    encoding: str | None = None
    number_format: NumberFormat | None = None
    currency: str | None = None
    price_per: PricePer | None = None
    states: Mapping[str, bool] = field(default_factory=dict[str, bool])
    blank_cells: BlankCells | None = None


NOTHING_STATED = FileOptions()
