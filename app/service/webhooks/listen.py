"""A receiver for trying webhooks out: it prints each delivery and whether its signature is valid."""

import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TextIO

from app.service.webhooks.signing import decode_secret, find_signature_fault

LARGEST_BODY = 4 * 1024 * 1024
HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature", "webhook-test")


def make_receiver(port: int, secret: str | None, out: TextIO) -> ThreadingHTTPServer:
    """A server on that port of the loopback (0: any free one) that prints to `out`; call `serve_forever`.

    It answers 200, or 401 when the signature does not hold under `secret`. Raises InvalidSecret.
    """
    key = None if secret is None else decode_secret(secret)

    class Delivery(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = self.headers.get("content-length", "")
            if not length.isdecimal() or int(length[:18]) > LARGEST_BODY:
                self.send_error(413)
                self.close_connection = True
                return
            body = self.rfile.read(int(length[:18]))
            fault = None
            if key is not None:
                fault = find_signature_fault(
                    key,
                    message_id=self.headers.get("webhook-id"),
                    timestamp=self.headers.get("webhook-timestamp"),
                    signature=self.headers.get("webhook-signature"),
                    body=body,
                    now=time.time(),
                )
            judged = "not checked" if key is None else f"INVALID: {fault}" if fault else "valid"
            lines = [f"{time.strftime('%H:%M:%S')} POST {self.path}", f"  signature: {judged}"]
            lines += [f"  {name}: {self.headers[name]}" for name in HEADERS if name in self.headers]
            # One write, so that deliveries at the same time do not mix.
            out.write("\n".join([*lines, _readable(body)]) + "\n\n")
            out.flush()
            self.send_response(401 if fault else 200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """The delivery itself was printed."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Delivery)
    server.daemon_threads = True
    return server


def listen(port: int, secret: str | None, out: TextIO) -> None:
    """Prints deliveries until interrupted."""
    with make_receiver(port, secret, out) as server:
        checked = "checks signatures" if secret else "give --secret to check signatures"
        out.write(f"Listening on http://127.0.0.1:{server.server_address[1]}/ ({checked}); Ctrl-C ends.\n\n")
        out.flush()
        try:
            server.serve_forever(poll_interval=0.2)
        except KeyboardInterrupt:
            return


def _readable(body: bytes) -> str:
    try:
        text = json.dumps(json.loads(body), indent=2, ensure_ascii=False)
    except ValueError:
        text = body.decode("utf-8", "replace")
    # What a stranger sends must not steer the terminal.
    safe = "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text)
    return "\n".join("  " + line for line in safe.splitlines())
