"""What is installed: a bill of materials."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import typer

from app.commands.session import out
from app.contract.version import VERSION

UNKNOWN = "not stated"


def sbom(
    licences: Annotated[
        bool, typer.Option("--licences", help="Print a line of name, version and licence for each instead.")
    ] = False,
    output: Annotated[Path | None, typer.Option("--output", help="The file to write.")] = None,
) -> None:
    """List the installed packages with their licences, as CycloneDX 1.6 (JSON)."""
    found = sorted(_list_installed(), key=lambda one: one["name"].lower())
    if licences:
        text = "\n".join(f"{one['name']} {one['version']}: {_say(one['licenses'])}" for one in found)
    else:
        text = json.dumps(describe(found), indent=1, ensure_ascii=False)
    if output is None:
        out.print(text, markup=False)
    else:
        output.write_text(text + "\n", encoding="utf-8")


def describe(components: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the document of these components."""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid4()}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {"type": "application", "name": "parley", "version": VERSION},
        },
        "components": components,
    }


def _list_installed() -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for one in distributions():
        name = re.sub(r"[-_.]+", "-", one.metadata["Name"] or "").lower()
        if name and name not in seen and name != "parley":
            seen.add(name)
            purl = f"pkg:pypi/{name}@{one.version}"
            yield {
                "type": "library",
                "bom-ref": purl,
                "name": name,
                "version": one.version,
                "purl": purl,
                "licenses": list(_read_licences(one)),
            }


def _read_licences(one: Distribution) -> Iterator[dict[str, Any]]:
    """The licence as an expression of SPDX where the package states one, else by its names."""
    metadata = one.metadata
    for expression in metadata.get_all("License-Expression") or ():
        yield {"expression": expression}
        return
    classified = [
        text.rpartition(" :: ")[2]
        for text in metadata.get_all("Classifier") or ()
        if text.startswith("License ::") and not text.endswith("OSI Approved")
    ]
    stated = [text.strip().partition("\n")[0][:100] for text in metadata.get_all("License") or ()]
    for name in classified or filter(None, stated):
        yield {"license": {"name": name}}


def _say(licences: list[dict[str, Any]]) -> str:
    names = [one.get("expression") or one["license"]["name"] for one in licences]
    return ", ".join(names) or UNKNOWN
