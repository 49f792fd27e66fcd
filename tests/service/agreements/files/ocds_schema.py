"""A JSON schema of the parts of OCDS 1.1 that we write, from the documentation of its release package. It is
closed: a field that is not listed here is refused."""

from typing import Any

TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
DAY: dict[str, Any] = {"type": "string", "format": "date-time", "minLength": 1}


def closed(required: list[str], **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
        "minProperties": 1,
    }


def many(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": 1, "uniqueItems": True}


VALUE = closed(
    ["amount", "currency"],
    amount={"type": "number"},
    # The closed codelist has the codes of ISO 4217 of 2021.
    currency={
        "type": "string",
        "pattern": "^[A-Z]{3}$",
        "not": {"enum": ["CNH", "SLE", "VED", "XCG", "ZWG"]},
    },
)
PERIOD = closed(
    [], startDate=DAY, endDate=DAY, maxExtentDate=DAY, durationInDays={"type": "integer", "minimum": 1}
)
REFERENCE = closed(["id", "name"], id=TEXT, name=TEXT)
RELATED = many(
    closed(
        ["id", "relationship", "scheme", "identifier"],
        id=TEXT,
        relationship=many({"enum": ["prior", "renewalProcess"]}),
        scheme={"const": "ocid"},
        identifier=TEXT,
    )
)
ITEM = closed(
    ["id"], id=TEXT, description=TEXT, quantity={"type": "number"}, unit=closed([], name=TEXT, value=VALUE)
)
RELEASE = closed(
    ["ocid", "id", "date", "tag", "initiationType", "parties", "buyer", "awards", "contracts"],
    ocid=TEXT,
    id={**TEXT, "pattern": "^[^#]+$"},
    date=DAY,
    tag=many({"enum": ["award", "contract"]}),
    initiationType={"enum": ["tender"]},
    parties=many(
        closed(["id", "name", "roles"], id=TEXT, name=TEXT, roles=many({"enum": ["buyer", "supplier"]}))
    ),
    buyer=REFERENCE,
    awards=many(
        closed(
            ["id"],
            id=TEXT,
            title=TEXT,
            status={"enum": ["pending", "active", "cancelled", "unsuccessful"]},
            suppliers=many(REFERENCE),
        )
    ),
    contracts=many(
        closed(
            ["id", "awardID"],
            id=TEXT,
            awardID=TEXT,
            title=TEXT,
            description=TEXT,
            status={"enum": ["pending", "active", "cancelled", "terminated"]},
            period=PERIOD,
            value=VALUE,
            items=many(ITEM),
            relatedProcesses=RELATED,
        )
    ),
    relatedProcesses=RELATED,
)
PACKAGE = closed(
    ["uri", "version", "publishedDate", "releases", "publisher"],
    uri={"type": "string", "format": "uri"},
    version={"const": "1.1"},
    publishedDate=DAY,
    releases={"type": "array", "items": RELEASE},
    publisher=closed(["name"], name=TEXT),
)
