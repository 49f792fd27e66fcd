"""What a line of a document is beside its role, in words."""

from app.contract.scope import ReadLine

TAG_LABELS: dict[str, str] = {
    "optional": "optional",
    "alternative": "alternative",
    "one_off": "one-off",
    "recurring": "recurring",
    "included": "included",
    "credit": "credit",
    "discount": "discount",
}
_YEAR = 12


def list_tag_labels(line: ReadLine) -> list[str]:
    """Return the tags of a line for people, with the year of the term that it is for: `year 2`. A tag that is
    not known here is shown as it is."""
    labels = [TAG_LABELS.get(tag, tag.replace("_", " ")) for tag in line.tags]
    return labels if line.first_month is None else [f"year {line.first_month // _YEAR + 1}", *labels]
