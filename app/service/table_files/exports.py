"""The exports of other systems, and our own, that a table is recognised as by its headings (`exports.toml`).
Pure.

Every heading of `headings` has to be there, and none of `foreign`: a table whose headings are only nearly
those of an export is none, and its columns are matched by their names like those of any other.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from app.contract.imports import ExportName, ImportKind, NumberFormat
from app.service.table_files.heading_words import load_heading_words
from app.service.tables.headings import fold_column_name

_Headings = Annotated[Sequence[str], BeforeValidator(lambda listed: listed.split(", "))]


class Export(BaseModel, frozen=True):
    """What is known of an export, as the head of `exports.toml` says. `constants` are values that every row
    has, `number_format` is how each file of it writes numbers."""

    name: ExportName
    headings: _Headings
    kind: ImportKind | None = None
    columns: Mapping[str, _Headings] = {}
    foreign: _Headings = ()
    constants: Mapping[str, str] = {}
    refusal: str = ""
    number_format: NumberFormat | None = None


@cache
def list_exports() -> Sequence[Export]:
    listed = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for known in listed.values():
        if known.pop("has_all_fields", False):
            all_fields = {name: name.replace("_", "") for name in load_heading_words(known["kind"]).fields}
            known["columns"] = all_fields | known["columns"]
    return [Export.model_validate({"name": name, **known}) for name, known in listed.items()]


def recognise_export(header: Sequence[str]) -> Export | None:
    """Return the export that has these headings; None for any other table."""
    names = {fold_column_name(name) for name in header}
    for export in list_exports():
        if names.issuperset(export.headings) and names.isdisjoint(export.foreign):
            return export
    return None


def resolve_columns(
    header: Sequence[str], kind: str | None, mapping: Mapping[str, str], ignore: Sequence[str]
) -> tuple[Mapping[str, str], Sequence[str]]:
    """Return the mapping and the columns to leave out of a file, as far as an export does not say otherwise
    than the person who asked for `mapping` and `ignore`."""
    export = recognise_export(header)
    if export is None or export.kind != kind:
        return mapping, ignore
    names = {folded: name for name in header if (folded := fold_column_name(name))}
    said = {fold_column_name(name) for name in (*mapping.values(), *ignore)}
    known = {
        field_name: next((one for one in headings if one in names), "")
        for field_name, headings in export.columns.items()
    }
    mapped = {name: names[one] for name, one in known.items() if one and one not in said} | dict(mapping)
    taken = said | {fold_column_name(name) for name in mapped.values()}
    return mapped, [*ignore, *(name for folded, name in names.items() if folded not in taken)]
