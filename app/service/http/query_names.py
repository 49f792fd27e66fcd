"""The names in a query string: parameters that a caller meant and misspelt, or gave twice."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fastapi.dependencies.models import Dependant
from starlette.datastructures import QueryParams

from app.service.http.problems import ApiProblem, InvalidField

_BRACKETS = re.compile(r"\[[^\]]*\]?|\]")


@dataclass(frozen=True)
class QueryNames:
    """The query parameters of a route: those that are given once, and those that may be repeated."""

    single: frozenset[str]
    repeated: frozenset[str]

    def check(self, query: QueryParams) -> None:
        """Raises ApiProblem 400 for a single parameter that is given twice, and for an unknown one that
        differs from a known one only by case or brackets. Other unknown ones are ignored."""
        wrong: list[InvalidField] = []
        for name in dict.fromkeys(query):
            if name in self.repeated:
                continue
            if name in self.single:
                if len(query.getlist(name)) > 1:
                    wrong.append(InvalidField(name, "is given more than once"))
            elif meant := self._by_lower_case.get(_BRACKETS.sub("", name).lower()):
                wrong.append(InvalidField(name, f"is not a parameter of this call; it is written {meant}"))
        if wrong:
            raise ApiProblem(400, "The request is not valid.", errors=wrong)

    @cached_property
    def _by_lower_case(self) -> Mapping[str, str]:
        return {name.lower(): name for name in (*self.single, *self.repeated)}


def find_query_names(dependant: Dependant, described: Iterable[Mapping[str, Any]]) -> QueryNames:
    """The parameters that a route and its dependencies read, and those that its description adds because it
    reads them by itself."""
    single: set[str] = set()
    waiting = [dependant]
    while waiting:
        one = waiting.pop()
        single |= {field.alias for field in one.query_params}
        waiting += one.dependencies
    added: dict[str, bool] = {
        one["name"]: one["schema"]["type"] == "array" for one in described if one["in"] == "query"
    }
    repeated = frozenset(name for name, is_list in added.items() if is_list)
    return QueryNames(frozenset(single | added.keys()) - repeated, repeated)
