"""The machine-readable description at `/v1/openapi`: OpenAPI 3.1, from the routes and the contract.

It is published as it was recorded beside the code, with examples from a running service with the sample data,
since to build it takes longer than to start (`uv run --group dev python -m tests.service.examples`).
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

DESCRIPTION_FILE = Path(__file__).with_name("description.json")
EXAMPLES_FILE = Path(__file__).with_name("examples.json")
_INBOX = "/inbox"


@cache
def load_description(*, with_inbox: bool) -> dict[str, Any]:
    """Return the OpenAPI description, with or without the built-in inbox."""
    description = json.loads(DESCRIPTION_FILE.read_text(encoding="utf-8"))
    return description if with_inbox else _leave_out_inbox(description)


def _leave_out_inbox(description: dict[str, Any]) -> dict[str, Any]:
    """Leave out the operations of the inbox, and the components to which nothing else refers."""
    paths = {path: one for path, one in description["paths"].items() if not path.endswith(_INBOX)}
    rest = {**description, "paths": paths}
    text = json.dumps(rest, ensure_ascii=False)
    components = {
        kind: {
            name: one
            for name, one in some.items()
            if kind not in ("schemas", "examples") or f'"#/components/{kind}/{name}"' in text
        }
        for kind, some in description["components"].items()
    }
    return {**rest, "components": components}
