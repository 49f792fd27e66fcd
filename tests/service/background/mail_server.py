"""A mail server for tests, on a real socket."""

from email.message import Message
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message as MessageHandler


class Inbox(MessageHandler):
    """Keeps what arrives; turns away the first `refusals`."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[Message] = []
        self.refusals = 0

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
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
