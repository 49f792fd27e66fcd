"""Questions of buyers about a supplier, answered from purchases."""

from pydantic import Field

from .model import Reply
from .values import ReplyInstant


class Faq(Reply):
    """A question and its answer. `answer` may hold simple HTML: sanitise it before it is shown."""

    question: str
    answer: str = Field(description="The answer; it may hold simple HTML.")


class Faqs(Reply):
    """All questions and answers about one supplier."""

    faqs: list[Faq] = Field(description="Questions with their answers.")
    last_updated_at: ReplyInstant
