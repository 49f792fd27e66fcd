"""What is installed: a bill of materials, and what is known of its weaknesses."""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import typer

from app.commands.session import Refused, out
from app.contract.version import VERSION

UNKNOWN = "not stated"
OSV = "https://api.osv.dev"
MOST_ASKED = 1_000
"""Packages that OSV takes in one call."""
ANSWER_SECONDS = 30.0


def sbom(
    licences: Annotated[
        bool, typer.Option("--licences", help="Print a line of name, version and licence for each instead.")
    ] = False,
    vulnerabilities: Annotated[
        bool,
        typer.Option(
            "--vulnerabilities",
            help="List known vulnerabilities instead, from OSV; ends with 1 where it has some.",
        ),
    ] = False,
    osv: Annotated[str, typer.Option(help="The address of OSV, or of a copy of it.")] = OSV,
    output: Annotated[Path | None, typer.Option("--output", help="The file to write.")] = None,
) -> None:
    """List the installed packages with their licences, as CycloneDX 1.6 (JSON)."""
    found = sorted(_list_installed(), key=lambda one: one["name"].lower())
    known: list[str] = []
    if vulnerabilities:
        known = list(_find_vulnerabilities(osv.rstrip("/"), found))
        text = "\n".join([*known, f"{len(found)} packages, {len(known)} known vulnerabilities."])
    elif licences:
        text = "\n".join(f"{one['name']} {one['version']}: {_say(one['licenses'])}" for one in found)
    else:
        text = json.dumps(describe(found), indent=1, ensure_ascii=False)
    if output is None:
        out.print(text, markup=False)
    else:
        output.write_text(text + "\n", encoding="utf-8")
    if known:
        raise typer.Exit(1)


def _find_vulnerabilities(osv: str, found: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each vulnerability that OSV knows of these packages in their versions. Raises Refused
    where it cannot be asked."""
    import httpx

    for at in range(0, len(found), MOST_ASKED):
        few = found[at : at + MOST_ASKED]
        try:
            queries = [{"package": {"purl": one["purl"]}} for one in few]
            answer = httpx.post(f"{osv}/v1/querybatch", json={"queries": queries}, timeout=ANSWER_SECONDS)
            results = answer.raise_for_status().json()["results"]
            ids = [
                [each["id"] for each in one.get("vulns") or ()] for _, one in zip(few, results, strict=True)
            ]
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError, AttributeError) as error:
            raise Refused(
                f"{osv} could not be asked for vulnerabilities, so nothing is known of them: {error}"
            ) from None
        for one, known in zip(few, ids, strict=True):
            yield from (f"{one['name']} {one['version']}: {osv}/v1/vulns/{each}" for each in known)


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
