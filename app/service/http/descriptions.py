"""The words of the description: what every field, parameter and tag means."""

from collections.abc import Iterator
from typing import Any

from app.contract.glossary import describe_field

PARAMETERS = {
    **{
        f"{one}Id": f"The {one}, by its id."
        for one in (
            *("agreement", "approval", "comment", "company", "escalation", "event"),
            *("import", "negotiation", "product", "requirement", "scenario", "scope", "webhook"),
        )
    },
    "categoryId": "Only companies of this category or of one below it.",
    "eventType": "Only events of this name.",
    "feedId": "The calendar feed, by its id.",
    "fileId": "The uploaded file, by its id.",
    "keyId": "The API key, by its id.",
    "mailId": "The letter, by its id.",
    "memberId": "The person, by their id.",
    "page": "The number of the page, from 1.",
    "parentCategoryId": "The children of this category instead of the top level.",
    "productFamilyId": "The product family, by its id.",
    "quoteId": "The quote of the requirement, by its id.",
    "quoteNumber": "The sample quote, by its number.",
    "quoted": "What a supplier asks: the total before tax for the whole term.",
    "sortBy": "The field that the list is sorted by.",
    "sortOrder": "Whether the list rises or falls.",
    "source": "Only those of this origin.",
    "status": "Only those in this state.",
    "x-svc-end-user-email": "The e-mail address of the person on whose behalf the call is made.",
    "x-svc-end-user-identifier": "The caller's id of the person on whose behalf the call is made.",
    "x-svc-end-user-ip": "The IPv4 or IPv6 address of that person.",
    "x-svc-end-user-organization-name": "The organisation of that person.",
    "webhook-id": "The id of the event, the same over all attempts.",
    "webhook-timestamp": "When the attempt was made, in seconds since 1970.",
    "webhook-signature": "One signature for each valid secret: `v1,` and base64, with spaces between.",
}

TAGS = [
    {"name": "Other", "description": "The state of the service, what the key may do, and this description."},
    {"name": "Catalog", "description": "Suppliers, their product families and products, by category."},
    {"name": "Overview", "description": "What waits for a person, what changed, spend and savings."},
    {"name": "Search", "description": "Records found by the words of their names and numbers."},
    {"name": "Imports", "description": "Files of purchases, brought in and taken back."},
    {"name": "Files", "description": "Documents that scopes are read from and negotiations refer to."},
    {"name": "Scope", "description": "What is bought, for how long and at what price."},
    {"name": "Pricing", "description": "What a scope should cost, and why."},
    {"name": "Webhooks", "description": "Where events are sent, and the records of their deliveries."},
    {"name": "Sample data", "description": "What is invented for trying things out, and its removal."},
    {"name": "Agreements", "description": "What was agreed, until when, and by when somebody must act."},
    {"name": "Sourcing", "description": "Several quotes of one requirement, and whom to award what."},
    {"name": "People", "description": "Who may use an organisation's data, and who changed what."},
    {"name": "Negotiation", "description": "Negotiations with suppliers, from the strategy to the price."},
]

BEYOND_THE_INTERFACE = (
    "\n\nThis is beyond the shared interface (`x-extension`): another deployment may not have it."
)

PAGE = "One page of a list. Its order is total and stable; past the end `data` is empty."

ABOUT = {
    "description": (
        "What a purchase should cost: a catalog of suppliers and products, scopes made by hand or read from a"
        " supplier's quote, price estimates from comparable purchases, negotiations, and an event for"
        " everything that happens in the background.\n\nThe examples were recorded from the sample data; long"
        " lists are shortened in them, and ids, times and secrets replaced."
    ),
    "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
    "contact": {"name": "The operator of this deployment"},
}


def add_words(description: dict[str, Any]) -> None:
    """Describes what the models and routes do not describe themselves, and leaves out what is no keyword of
    JSON Schema."""
    description["info"] |= ABOUT
    description["tags"] = TAGS
    description["servers"] = [{"url": "/", "description": "The address that this description came from."}]
    for schema in description["components"]["schemas"].values():
        schema.setdefault("description", PAGE)
        for field, value in schema.get("properties", {}).items():
            words = describe_field(field)
            if words is not None:
                value.setdefault("description", words)
    for parameter in _find_parameters(description):
        if parameter["name"] in PARAMETERS:
            parameter.setdefault("description", PARAMETERS[parameter["name"]])
        for bound in ("ge", "le", "gt", "lt"):
            parameter["schema"].pop(bound, None)


def _find_parameters(description: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for kind in ("paths", "webhooks"):
        for operations in description[kind].values():
            for operation in operations.values():
                yield from operation["parameters"]
