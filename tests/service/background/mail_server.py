"""A mail server for tests, on a real socket."""

from collections.abc import Callable
from email.message import Message
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message as MessageHandler


class Inbox(MessageHandler):
    """Keeps what arrives; turns away the first `refusals`, and whoever is `unknown` for good. `on_arrival` is
    called for each letter before the server answers."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[Message] = []
        self.refusals = 0
        self.unknown: set[str] = set()
        self.on_arrival: Callable[[], object] = lambda: None

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if address in self.unknown:
            return "550 No such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.on_arrival()
        if self.refusals:
            self.refusals -= 1
            return "451 Try again later"
        return await super().handle_DATA(server, session, envelope)

    def handle_message(self, message: Message) -> None:
        self.messages.append(message)


class MailServer(Controller):
    """On a port that the system gives; the controller of the library wants to be told one."""

    def _trigger_server(self) -> None:
        sockets: Any = self.server
        self.port: Any = sockets.sockets[0].getsockname()[1]
        super()._trigger_server()
