"""What buyers ask about a supplier, answered from purchases (part 4 of the interface)."""

from app.contract.model import Reply
from app.contract.values import ReplyInstant


class Faq(Reply):
    """`answer` may hold simple HTML: sanitise it before it is shown."""

    question: str
    answer: str


class Faqs(Reply):
    faqs: list[Faq]
    last_updated_at: ReplyInstant
