"""Questions of buyers about a supplier, answered from purchases."""

from app.contract.model import Reply
from app.contract.values import ReplyInstant


class Faq(Reply):
    """A question and its answer. `answer` may hold simple HTML: sanitise it before it is shown."""

    question: str
    answer: str


class Faqs(Reply):
    """All questions and answers about one supplier."""

    faqs: list[Faq]
    last_updated_at: ReplyInstant
