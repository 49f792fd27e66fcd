"""Rules of the cached reads that a reader of the code would otherwise have to remember."""

import inspect

from app.dashboard.api import queries
from app.dashboard.deployment import Deployment


def cached_reads() -> dict[str, inspect.Signature]:
    return {
        name: inspect.signature(read.__wrapped__)
        for name, read in vars(queries).items()
        if hasattr(read, "clear") and hasattr(read, "__wrapped__") and name != "shared_client"
    }


def test_there_are_cached_reads() -> None:
    assert {"load_company", "load_scope", "load_negotiation"} <= set(cached_reads())


def test_every_cached_read_is_keyed_by_the_deployment() -> None:
    for name, signature in cached_reads().items():
        first = next(iter(signature.parameters.values()))
        assert first.name == "deployment", name
        assert first.annotation is Deployment, name


def test_no_argument_of_a_cached_read_is_left_out_of_its_key() -> None:
    for name, signature in cached_reads().items():
        assert not [parameter for parameter in signature.parameters if parameter.startswith("_")], name
