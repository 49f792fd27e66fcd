"""What the type codes of electronic documents say (UNTDID 1001, as EN 16931 uses them), and what
is built of the values that they state."""

from collections.abc import Mapping, Sequence

from app.service.documents.extraction import Extraction, Kind, LineItem, Provenance

_STATED = Provenance(None, None, 1.0, verified=True)

_CREDIT_NOTES = frozenset(
    {"81", "83", "261", "262", "296", "308", "381", "396", "420", "458", "502", "503", "532"}
)
_CORRECTED = frozenset({"384", "471", "472", "473"})
_CORRECTS = "It is a corrected invoice (type {code}): its amounts may be only what changed."


def build_document(
    filename: str, code: str | None, kind: Kind, items: Sequence[LineItem], values: Mapping[str, object]
) -> Extraction:
    """The Extraction of an e-document; every value is verified, for the file states it outright. `kind` holds
    where its type code says nothing else."""
    if code == "310":
        kind = "quote"
    elif code in _CREDIT_NOTES:
        kind = "credit_note"
    known = {key: value for key, value in values.items() if value is not None}
    return Extraction(
        file=filename,
        kind=kind,
        warnings=(_CORRECTS.format(code=code),) if code in _CORRECTED else (),
        line_items=tuple(items),
        provenance=dict.fromkeys(known, _STATED),
        **known,  # type: ignore[arg-type]
    )


def build_line(values: Mapping[str, object]) -> LineItem:
    """A line of an e-document; every value is verified."""
    known = {key: value for key, value in values.items() if value is not None}
    return LineItem(provenance=dict.fromkeys(known, _STATED), **known)  # type: ignore[arg-type]
