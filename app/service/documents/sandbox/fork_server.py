"""The fork server: `python -m app.service.documents.sandbox.fork_server`; see `forked_process`.

It loads the reader's libraries and models once (0.8 seconds of the processor), then copies itself for each
reading process, which takes milliseconds and shares the memory of what was loaded. It has one thread and
reads no document, so a copy holds nothing of any organisation.
"""

import gc
import importlib
import json
import os
import signal
import socket
from typing import Any, NoReturn

from app.service.documents.sandbox import sandbox_worker

MOST_BYTES = 1024
"""No message between the server and the process that started it is longer."""

_LIBRARIES = (
    "app.service.documents.layout.letter_spacing",
    "app.service.documents.formats.pdfium",
    "app.service.documents.formats.rendering",
    "app.service.documents.reading",
    "docx",
    "python_calamine",
)


def main() -> None:
    """Answer requests from the socket at standard input until it closes: then all copies end too.

    A request to start brings the two pipes of the new process; the answer is its id. A request to wait
    answers with how a process ended (as `subprocess` gives it), or null while it runs.
    """
    gc.disable()
    for name in _LIBRARIES:
        importlib.import_module(name)
    sandbox_worker.load_models()
    gc.collect()
    gc.freeze()  # the collector would write to pages that are shared
    gc.enable()
    gc.set_threshold(100_000, 50, 50)  # a long list makes millions of objects and next to no cycles
    with socket.socket(fileno=0) as requests:
        while True:
            message, descriptors, _, _ = socket.recv_fds(requests, MOST_BYTES, 2)
            if not message:
                return
            requests.send(json.dumps(_answer(json.loads(message), descriptors, requests)).encode())


def _answer(request: dict[str, Any], descriptors: list[int], requests: socket.socket) -> int | None:
    if "memory" not in request:
        process, status = os.waitpid(request["wait"], 0 if request["block"] else os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if process else None
    server = os.getpid()
    process = os.fork()
    if process == 0:
        _become_reader(descriptors, requests, server, request["memory"])
    for descriptor in descriptors:
        os.close(descriptor)
    return process


def _become_reader(descriptors: list[int], requests: socket.socket, server: int, memory: int) -> NoReturn:  # pyrefly: ignore[bad-return]
    code = 1
    try:
        requests.detach()  # its number, 0, becomes that of the pipe
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)
            os.close(descriptor)
        sandbox_worker.serve(parent=server, memory=memory)
        code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    main()
