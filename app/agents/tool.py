"""What a tool is, and who may use it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from mcp_types import Tool as ListedTool
from mcp_types import ToolAnnotations
from pydantic import BaseModel, ConfigDict, model_validator

from app.agents.json_arguments import read_structures
from app.agents.results import ToolAnswer
from app.client import AsyncScopedClient, offered_operations, reading_operations
from app.contract.access import Access
from app.contract.model import Wire


class Arguments(BaseModel):
    """The arguments of a tool, named as an agent writes them. One that is not listed is refused. A list or an
    object may come as its JSON text, and null for an optional argument is nothing."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _read_structures(cls, given: object) -> object:
        return read_structures(cls, given)


ArgumentsT = TypeVar("ArgumentsT", bound=Arguments)


class Refusal(Exception):
    """A tool cannot do what it was asked. The text says what to do next."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """What a deployment offers, from its description."""

    offered: frozenset[str]
    reading: frozenset[str]

    @staticmethod
    def read(description: Mapping[str, object]) -> "Deployment":
        return Deployment(offered_operations(description), reading_operations(description))


@dataclass(frozen=True, slots=True)
class AgentCaller:
    """Who calls: the client with their key, what the key may do, and where people find the dashboard. Files
    on the disk are read from `folder` alone, and from nowhere without one."""

    client: AsyncScopedClient
    access: Access
    deployment: Deployment
    dashboard_url: str | None = None
    folder: Path | None = None
    read_seconds: float = 25.0
    """How long a tool waits for a document to be read."""


@dataclass(frozen=True)
class Tool(Generic[ArgumentsT]):
    """A tool at the level of a task. `operations` are those of the interface that it calls, as the
    description names them: who may not call them does not see the tool."""

    name: str
    title: str
    description: str
    arguments: type[ArgumentsT]
    answers: type[Wire]
    run: Callable[[AgentCaller, ArgumentsT], Awaitable[ToolAnswer]]
    operations: frozenset[str]
    changes: bool = False
    """Whether it makes something. None of them changes or removes anything that is there, and a second call
    with the same arguments makes nothing more."""
    needs_folder: bool | None = None
    """Whether it is for callers with a folder of files, or without one; None for all."""

    def is_for(self, caller: AgentCaller) -> bool:
        """Whether the caller's deployment can do it and their key may."""
        allowed = caller.deployment.reading if caller.access.read_only else caller.deployment.offered
        has_folder = caller.folder is not None
        return self.operations <= allowed and self.needs_folder in {None, has_folder}

    @cached_property
    def listed(self) -> ListedTool:
        """The tool as agents are told of it. The protocol asks for it at each call, and making the schemas
        takes longer than most calls."""
        return ListedTool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=self.arguments.model_json_schema(),
            output_schema=self.answers.model_json_schema(by_alias=True),
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=not self.changes,
                destructive_hint=False,
                idempotent_hint=True,
                open_world_hint=False,
            ),
        )

    async def call(self, caller: AgentCaller, given: dict[str, Any]) -> ToolAnswer:
        """Run with arguments as they came. Raises ValidationError, Refusal and ApiError."""
        return await self.run(caller, self.arguments.model_validate(given))
