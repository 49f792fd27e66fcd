"""What people start an agent with: a task in words, which tools do it, and what to answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcp_types import GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

from app.agents.tool import SUPPLIER_TEXT, AgentCaller, Refusal, clean
from app.agents.tools import tools_for

MAX_ARGUMENT = 100_000


@dataclass(frozen=True)
class PromptText:
    """A prompt about one thing. `tool` is the one without which it cannot be done."""

    name: str
    title: str
    description: str
    argument: str
    about: str
    tool: str
    words: str

    def listed(self) -> Prompt:
        return Prompt(
            name=self.name,
            title=self.title,
            description=self.description,
            arguments=[PromptArgument(name=self.argument, description=self.about, required=True)],
        )


PROMPTS: Sequence[PromptText] = (
    PromptText(
        name="check_this_quote",
        title="Check this quote",
        description="Whether a quote asks a low, usual or high price, and what to ask the supplier.",
        argument="quote",
        about="The quote's text, or the name or id of its scope.",
        tool="check_quote",
        words=(
            "Check the quote below with check_quote. Answer with the verdict, the amount against the"
            " median and the target, what that rests on, the lines that were not judged and why, and at"
            " most three questions for the supplier. Where there is no verdict, say why and what a person"
            " can do."
        ),
    ),
    PromptText(
        name="prepare_a_renewal",
        title="Prepare a renewal",
        description="What to know before an agreement is renewed or ended.",
        argument="agreement",
        about="The agreement's name or id.",
        tool="get_agreement",
        words=(
            "Prepare the renewal of the agreement below. Read it with get_agreement, and estimate its"
            " main product with estimate_price. Answer with by when somebody must act and how that day was"
            " computed, what is paid today and what it would cost, what is not known, and what you would"
            " do. If a negotiation is about it, offer to put that on its timeline with propose_decision; a"
            " person decides."
        ),
    ),
    PromptText(
        name="compare_quotes",
        title="Compare quotes",
        description="Which quotes answer a requirement best, and what an award would cost.",
        argument="requirement",
        about="The requirement's name or id.",
        tool="compare_quotes",
        words=(
            "Compare the quotes of the requirement below with compare_quotes. Answer with a short table,"
            " what is missing or not comparable, and which quotes expire. If you may run"
            " run_award_scenario, say what the cheapest award and the cheapest award to one supplier cost."
            " A person awards."
        ),
    ),
)


def prompts_for(caller: AgentCaller) -> list[Prompt]:
    """The prompts whose tool the caller has."""
    tools = tools_for(caller)
    return [one.listed() for one in PROMPTS if one.tool in tools]


def get_prompt(caller: AgentCaller, name: str, arguments: Mapping[str, str]) -> GetPromptResult:
    """The messages of a prompt: our words, and apart from them what it is about. Raises Refusal."""
    found = next((one for one in PROMPTS if one.name == name and one.tool in tools_for(caller)), None)
    if found is None:
        raise Refusal("There is no such prompt for this key. List the prompts to see which there are.")
    about = clean(arguments.get(found.argument, "")).strip()
    if not about or len(about) > MAX_ARGUMENT:
        raise Refusal(f"Give the argument {found.argument}: {found.about}")
    return GetPromptResult(
        description=found.description,
        messages=[
            PromptMessage(role="user", content=TextContent(text=f"{found.words} {SUPPLIER_TEXT}")),
            PromptMessage(role="user", content=TextContent(text=f"quotedText:\n{about}")),
        ],
    )
