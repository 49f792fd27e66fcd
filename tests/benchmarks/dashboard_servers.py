"""The servers that `drawing` compares: the dashboard with a clock on its scripts, and a bare app.

Both have the options, the headers and the compression of the dashboard: only the script differs.
"""

import json
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import CodeType
from typing import Any

import streamlit as st
import uvicorn
from starlette.middleware import Middleware
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx
from streamlit.web import bootstrap

from app.client.credentials import Credentials
from app.client.dispatcher import Dispatcher
from app.client.request import Call
from app.dashboard.server import configuration
from app.dashboard.server.middleware import CompressedStatic, SecurityHeaders
from app.dashboard.server.serving import lifespan, serve_dashboard
from app.settings import Settings

SERVE = "import sys; from tests.benchmarks.dashboard_servers import serve_{0}; serve_{0}(int(sys.argv[1]))"
HOST = "127.0.0.1"
RUNS = Path("runs.jsonl")
REPLAY = Path("replay")
"""While this file is there, a run only sends again what the last one of the same query string sent: what the
page takes without any script."""

BARE = """
import streamlit as st
st.session_state.setdefault("pressed", 0)
if st.button("Press"):
    st.session_state.pressed += 1
st.write(f"pressed {st.session_state.pressed}")
"""


@dataclass(frozen=True)
class Run:
    """A run of a script: its query string, and milliseconds. `waited` is for the service, `busy` is the
    processor's time of its thread."""

    query: str
    is_fragment: bool
    took: float
    waited: float
    busy: float


def read_runs(folder: Path) -> list[Run]:
    """All runs of the dashboard in `folder` so far."""
    return [Run(**json.loads(line)) for line in (folder / RUNS).read_text(encoding="utf-8").splitlines()]


def serve_bare(port: int) -> None:
    """One button, served as `serve_dashboard` serves."""
    script = Path("bare.py").resolve()
    script.write_text(BARE, encoding="utf-8")
    bootstrap.load_config_options({**configuration.read_streamlit_options(), "server.port": port})
    app = st.App(
        script, lifespan=lifespan, middleware=[Middleware(SecurityHeaders), Middleware(CompressedStatic)]
    )
    uvicorn.run(
        app, host=HOST, port=port, ws="websockets-sansio", log_level="warning", access_log=False,
        server_header=False,
    )  # fmt: skip


def serve_timed(port: int) -> None:
    """The dashboard; each run of its script adds a line to `RUNS`."""
    _put_clock_on_scripts()
    serve_dashboard(HOST, port, Settings())


def _put_clock_on_scripts() -> None:
    # Streamlit tells nobody how long a script ran, so its runner is wrapped.
    run_script, enqueue, get_bytecode = (
        ScriptRunner._run_script,
        ScriptRunner._enqueue_forward_msg,
        ScriptCache.get_bytecode,
    )
    send = Dispatcher.send
    thread, sent = threading.local(), dict[str, list[bytes]]()
    lines = RUNS.open("a", encoding="utf-8", buffering=1)

    def timed_send(self: Dispatcher, call: Call[Any], credentials: Credentials) -> Any:
        began = time.perf_counter()
        try:
            return send(self, call, credentials)
        finally:
            thread.waited = getattr(thread, "waited", 0.0) + time.perf_counter() - began

    def recorded_enqueue(self: ScriptRunner, message: ForwardMsg) -> None:
        if not REPLAY.exists():
            getattr(thread, "sends", []).append(message.SerializeToString())
        enqueue(self, message)

    def get_script_or_replay(self: ScriptCache, path: str) -> Any:
        return thread.replay or get_bytecode(self, path)

    def timed_run(self: ScriptRunner, rerun_data: RerunData) -> None:
        thread.waited, thread.sends, thread.replay = 0.0, [], None
        if REPLAY.exists():
            thread.replay = _build_replay(sent.get(rerun_data.query_string, []))
        began, busy = time.perf_counter(), time.thread_time()
        run_script(self, rerun_data)
        run = Run(
            query=rerun_data.query_string,
            is_fragment=bool(rerun_data.fragment_id_queue),
            took=1000 * (time.perf_counter() - began),
            waited=1000 * thread.waited,
            busy=1000 * (time.thread_time() - busy),
        )
        if thread.replay is None and not run.is_fragment:
            sent[run.query] = thread.sends
        lines.write(json.dumps(asdict(run)) + "\n")

    Dispatcher.send = timed_send
    ScriptRunner._run_script = timed_run
    # Their types have the names of the parameters too.
    setattr(ScriptRunner, "_enqueue_forward_msg", recorded_enqueue)  # noqa: B010
    setattr(ScriptCache, "get_bytecode", get_script_or_replay)  # noqa: B010


def _build_replay(messages: Sequence[bytes]) -> CodeType:
    """A script that sends these messages."""
    module = "from tests.benchmarks.dashboard_servers import send_again\n"
    return compile(f"{module}send_again({messages!r})", "replay", "exec")


def send_again(messages: Sequence[bytes]) -> None:
    """Send what a script sent before, as it is drawn on the page of this thread's script."""
    context = get_script_run_ctx()
    assert context is not None
    for one in messages:
        context.enqueue(ForwardMsg.FromString(one))
