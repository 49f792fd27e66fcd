"""What a line of a document is beside its role, in words."""

from collections.abc import Sequence

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


def list_tag_labels(lines: Sequence[ReadLine]) -> list[list[str]]:
    """Return the tags of each line for people, with the part of the term that it is for: `year 2`, `months 13
    to 18`. What all lines are is left out; a tag that is not known here is shown as it is."""
    common = [tag for tag in TAG_LABELS if len(lines) > 1 and all(tag in line.tags for line in lines)]
    return [
        [
            *_describe_part(line),
            *(TAG_LABELS.get(tag, tag.replace("_", " ")) for tag in line.tags if tag not in common),
        ]
        for line in lines
    ]


def _describe_part(line: ReadLine) -> list[str]:
    if line.first_month is None:
        return []
    if line.months in (None, _YEAR) and line.first_month % _YEAR == 0:
        return [f"year {line.first_month // _YEAR + 1}"]
    end = "" if line.months is None else f" to {line.first_month + line.months}"
    return [f"{'month' if not end else 'months'} {line.first_month + 1}{end}"]
