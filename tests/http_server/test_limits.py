"""The limits of a process, from what the system lets it open."""

import subprocess
import sys

SCRIPT = """
import resource
from app.http_server.connections import raise_open_file_limit
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 1024))
limits = raise_open_file_limit()
print(*resource.getrlimit(resource.RLIMIT_NOFILE), limits.connections, limits.connections_per_address)
"""


def test_a_process_opens_as_many_files_as_it_may_and_keeps_a_quarter_for_other_things() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1024", "1024", "768", "384"]
