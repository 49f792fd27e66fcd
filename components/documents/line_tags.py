"""What a line of a document is beside its role, in words."""

from collections.abc import Sequence

from app.contract.scope import ReadLine
from components.scopes.part_of_term import describe_part

TAG_LABELS: dict[str, str] = {
    "optional": "optional",
    "alternative": "alternative",
    "one_off": "one-off",
    "recurring": "recurring",
    "included": "included",
    "credit": "credit",
    "discount": "discount",
}


def list_tag_labels(lines: Sequence[ReadLine]) -> list[list[str]]:
    """Return the tags of each line for people, with the part of the term that it is for: `year 2`, `months 13
    to 18`. What all lines are is left out; a tag that is not known here is shown as it is."""
    common = [tag for tag in TAG_LABELS if len(lines) > 1 and all(tag in line.tags for line in lines)]
    return [
        [
            *([part] if (part := describe_part(line.first_month, line.months)) else []),
            *(TAG_LABELS.get(tag, tag.replace("_", " ")) for tag in line.tags if tag not in common),
        ]
        for line in lines
    ]
