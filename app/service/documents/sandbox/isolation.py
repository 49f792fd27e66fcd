"""What a reading process takes from itself before it opens a file, as far as the system allows it.

On Linux, without any right of the administrator: no network, no other program and no signal to another
process (seccomp), no file but the program's own (Landlock), an end with the process that started it. On
every system: a limit of memory, of the processor's time for each document and of open files.
"""

import contextlib
import ctypes
import os
import platform
import resource
import signal
import struct
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_SET_PARENT_DEATH_SIGNAL, _SET_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 1, 38, 22, 2
_EPERM, _EFAULT, _ENOSYS = 1, 14, 38
_MOST_OPEN_FILES = 64

# Landlock's calls have the same numbers on every machine.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_READ_FILE, _READ_DIRECTORY = 1 << 2, 1 << 3
_RIGHTS_BY_VERSION = ((1, (1 << 13) - 1), (2, 1 << 13), (3, 1 << 14))

# What the filter reads of a system call: its number, the machine, and the low half of its first argument.
_NUMBER, _MACHINE, _FIRST_ARGUMENT = 0, 4, 16
_LOAD, _EQUALS, _AT_LEAST, _HAS_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_THREAD = 0x10000  # of clone: the new task is a thread


@dataclass(frozen=True, slots=True)
class _Calls:
    """The numbers of system calls on one kind of machine; `machine` is what the kernel calls it."""

    machine: int
    clone: int
    of_process: tuple[int, ...]
    """Allowed for the process itself only: tgkill, prlimit64."""
    refused: tuple[int, ...]


# Sockets; starting programs; reaching into other processes; changing the system, or what this filter sees.
_CALLS = {
    "x86_64": _Calls(
        0xC000003E, 56, (234, 302),
        (41, 53, 42, 49, 50, 43, 288, 44, 46, 307, 59, 322, 57, 58, 101, 310, 311, 62, 200, 129, 297, 424,
         434, 438, 165, 166, 272, 308, 155, 161, 321, 298, 425, 426, 427, 323, 250, 248, 249, 175, 313, 246,
         304, 169),
    ),
    "aarch64": _Calls(
        0xC00000B7, 220, (131, 261),
        (198, 199, 203, 200, 201, 202, 242, 206, 211, 269, 221, 281, 117, 270, 271, 129, 130, 138, 240, 424,
         434, 438, 40, 39, 97, 268, 41, 51, 280, 241, 425, 426, 427, 282, 219, 217, 218, 105, 273, 104, 265,
         142),
    ),
}  # fmt: skip
_CLONE3 = 435


@dataclass(frozen=True, slots=True)
class Isolation:
    """What this system lets a process take from itself."""

    no_network: bool
    no_files: bool
    ends_with_parent: bool

    @property
    def complete(self) -> bool:
        return self.no_network and self.no_files and self.ends_with_parent

    def describe(self) -> list[str]:
        """What is in force, in sentences."""
        return [
            "Documents are read without a network, and no other program can be started from there."
            if self.no_network
            else "This system offers no filter of system calls: documents are read with a network.",
            "Documents are read without access to files other than the program's own."
            if self.no_files
            else "This system offers no Landlock: documents are read with access to files.",
            "A reading process ends with the process that started it."
            if self.ends_with_parent
            else "A reading process may finish its document after the process that started it.",
        ]


@cache
def find_isolation() -> Isolation:
    """What this system offers; asking changes nothing."""
    if sys.platform != "linux":
        return Isolation(False, False, False)
    # Without a filter the call fails: for the missing filter where there are such, else as unknown.
    no_network = platform.machine() in _CALLS and _prctl(_SET_SECCOMP, _FILTER, 0) == -_EFAULT
    return Isolation(no_network, _landlock_version() > 0, True)


def isolate(parent: int | None, memory: int) -> None:
    """Give up, for good, what reading needs no more. `parent` is the id of the process that started this
    one, whose thread that did so it ends with; None where it ends with its standard input instead. `memory`
    in bytes. Raises OSError where the system refuses what it offered."""
    found = find_isolation()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (_MOST_OPEN_FILES, _MOST_OPEN_FILES))
    # Of address space, the libraries of recognition reserve much more than they ever use.
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    if found.no_files or found.no_network:
        _require(_prctl(_SET_NO_NEW_PRIVILEGES, 1, 0))
    if found.no_files:
        _close_files()
    if parent is not None and found.ends_with_parent:
        _require(_prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0))
    if found.no_network:
        _close_system_calls()
    if parent is not None and os.getppid() != parent:
        raise SystemExit  # the parent ended before it could be followed


def limit_processor(seconds: int) -> None:
    """Let this process use the processor for so many seconds more."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    used = resource.getrusage(resource.RUSAGE_SELF)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + 1 + seconds, hard))


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, value: int, pointer: int) -> int:
    """The result, or the error as a number below 0."""
    rest = (ctypes.c_ulong(pointer), ctypes.c_ulong(0), ctypes.c_ulong(0))
    result: int = _libc().prctl(option, ctypes.c_ulong(value), *rest)
    return -ctypes.get_errno() if result < 0 else result


def _require(result: int) -> int:
    if result < 0:
        raise OSError(-result, os.strerror(-result))
    return result


def _system_call(number: int, *arguments: int) -> int:
    """The result, or the error as a number below 0."""
    result: int = _libc().syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
    return -ctypes.get_errno() if result < 0 else result


def _landlock_version() -> int:
    return _system_call(_CREATE_RULESET, 0, 0, 1)


def _close_files() -> None:
    """Leave nothing to open but the files of the interpreter, its libraries and the fonts, to read."""
    version = _landlock_version()
    handled = sum(rights for since, rights in _RIGHTS_BY_VERSION if version >= since)
    attributes = ctypes.create_string_buffer(struct.pack("=Q", handled), 8)
    rules = _require(_system_call(_CREATE_RULESET, ctypes.addressof(attributes), 8, 0))
    for path in _readable_paths():
        _allow_to_read(rules, path)
    _require(_system_call(_RESTRICT_SELF, rules, 0))
    os.close(rules)


def _allow_to_read(rules: int, path: Path) -> None:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rights = _READ_FILE | (_READ_DIRECTORY if path.is_dir() else 0)
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, opened), 12)
        _require(_system_call(_ADD_RULE, rules, 1, ctypes.addressof(rule), 0))
        os.close(opened)


def _readable_paths() -> Iterator[Path]:
    package = Path(__file__).resolve().parents[3]
    yield package
    yield from (Path(path) for path in sysconfig.get_paths().values() if Path(path).name != "bin")
    # Where the source is run, the folder around the package may hold anything.
    yield from (Path(path) for path in sys.path if path and Path(path).resolve() != package.parent)
    yield Path(sys.base_prefix) / "lib"
    yield from map(
        Path,
        (
            "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share", "/usr/local/share",
            "/nix/store", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/proc/cpuinfo",
            "/proc/meminfo", "/sys/devices/system/cpu", "/dev/null", "/dev/urandom",
        ),
    )  # fmt: skip


def _close_system_calls() -> None:
    """Refuse the calls of `_CALLS` from now on."""
    steps = _filter_steps(_CALLS[platform.machine()])
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(code)))
    _require(_prctl(_SET_SECCOMP, _FILTER, ctypes.addressof(program)))


def _filter_steps(calls: _Calls) -> Sequence[tuple[int, int, int, int]]:
    """The filter as (operation, steps to skip if true, if false, operand)."""
    refuse = (_RETURN, 0, 0, _REFUSE | _EPERM)
    allow = (_RETURN, 0, 0, _ALLOW)
    steps = [(_LOAD, 0, 0, _MACHINE), (_EQUALS, 1, 0, calls.machine), (_RETURN, 0, 0, _KILL)]
    steps += [(_LOAD, 0, 0, _NUMBER)]
    if calls.machine == _CALLS["x86_64"].machine:
        steps += [(_AT_LEAST, 0, 1, 0x40000000), refuse]  # the calls of x32
    for number in calls.refused:
        steps += [(_EQUALS, 0, 1, number), refuse]
    # clone3 hides what it starts; without it the C library starts its threads with clone.
    steps += [(_EQUALS, 0, 1, _CLONE3), (_RETURN, 0, 0, _REFUSE | _ENOSYS)]
    first = (_LOAD, 0, 0, _FIRST_ARGUMENT)
    steps += [(_EQUALS, 0, 4, calls.clone), first, (_HAS_BITS, 1, 0, _THREAD), refuse, allow]
    for number in calls.of_process:
        own = [(_EQUALS, 2, 0, 0), (_EQUALS, 1, 0, os.getpid()), refuse, allow]
        steps += [(_EQUALS, 0, 5, number), first, *own]
    return [*steps, allow]
