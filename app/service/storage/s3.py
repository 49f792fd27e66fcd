"""Uploaded files in a bucket of an S3-compatible store. Endpoint, region and keys are those of the
environment variables AWS_…, as every tool for such stores reads them."""

import os
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO, cast
from urllib.parse import urlsplit

from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import S3Store

from app.files_url import ENDPOINTS
from app.service.storage.file_storage import (
    MARK,
    PIECE,
    PROBE,
    FileSavedBefore,
    FileStorage,
    ReadableStream,
    StorageFault,
    StorageProblem,
    StoredBytes,
    hash_pieces,
)

_STATUS = re.compile(r"non-2xx status code: (\d{3})")
_CODE = re.compile(r"<Code>([^<]{1,100})</Code>")
_SAID = re.compile(r"<Message>([^<]{1,300})</Message>")
_FULL = {
    "507",
    "QuotaExceeded",
    "QuotaExceededException",
    "XMinioStorageFull",
    "StorageFull",
    "InsufficientStorage",
}
_ADVICE = {
    "NoSuchBucket": "there is no bucket {bucket}; create it, or correct PARLEY_FILES_URL",
    "InvalidAccessKeyId": "the access key is unknown there; correct AWS_ACCESS_KEY_ID",
    "SignatureDoesNotMatch": "the secret key is wrong; correct AWS_SECRET_ACCESS_KEY",
    "AccessDenied": "the access key may not do that; it needs to list, read, write and delete in the bucket",
    "InvalidToken": "the session token is wrong; correct AWS_SESSION_TOKEN",
    "ExpiredToken": "the session token has expired; renew AWS_SESSION_TOKEN",
    "RequestTimeTooSkewed": "the clocks of this host and of the store differ too much",
    "PermanentRedirect": "the bucket is in another region; correct AWS_REGION",
    "AuthorizationHeaderMalformed": "the bucket is in another region; correct AWS_REGION",
}
_NO_KEYS = "there are no keys for it; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
_METADATA = "169.254.169.254"
"""Where a machine of a cloud asks for keys when it was given none."""


def explain(error: Exception, place: str, bucket: str) -> StorageFault:
    """The fault that an error of the client is."""
    text = str(error)
    status, code, said = (_find(pattern, text) for pattern in (_STATUS, _CODE, _SAID))
    if _METADATA in text:
        return StorageFault(StorageProblem.REFUSED, f"{place}: {_NO_KEYS}")
    if code in _FULL or status in _FULL:
        return StorageFault(StorageProblem.FULL, f"{place}: there is no room left ({code or status})")
    advice = _ADVICE.get(code, "").format(bucket=bucket)
    if advice or status[:1] in {"3", "4"}:
        reason = advice or f"it answers {status}{f' {code}: {said}' if code else ''}"
        if not advice and status == "403":
            reason = "it refuses the access key or what the key may do (403)"
        problem = StorageProblem.AWAY if status in {"408", "425", "429"} else StorageProblem.REFUSED
        return StorageFault(problem, f"{place}: {reason}")
    if status:
        return StorageFault(StorageProblem.AWAY, f"{place}: it fails with status {status} {code}".rstrip())
    return StorageFault(StorageProblem.AWAY, f"{place}: {_explain_silence(text)}")


def is_not_implemented(error: Exception) -> bool:
    """Whether the store does not know writes on the condition that nothing is there."""
    return _find(_STATUS, str(error)) == "501" or type(error).__name__ in {
        "NotSupportedError",
        "NotImplementedError",
    }


def _explain_silence(text: str) -> str:
    kind = _find(re.compile(r"kind: (\w+)"), text)
    if kind == "Timeout" or "TimedOut" in text:
        return "it did not answer in time"
    if kind == "Connect":
        return "nothing answers there; correct AWS_ENDPOINT_URL, or start the store"
    return f"the connection failed ({text.partition('Debug source')[0].strip().splitlines()[0][-200:]})"


def _find(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""


QUICK_SECONDS = 5.0
"""How long the store may take for what moves no file."""
CONNECT_SECONDS = 3.0
RETRIES = 2
PROBE_KEY = "write-probe"
"""What a probe writes, each time anew."""


class S3Storage(FileStorage):
    """Files as objects under their ids. A store that knows conditional writes refuses a second one itself."""

    def __init__(self, bucket: str, prefix: str, *, timeout: float) -> None:
        self._bucket = bucket
        self._prefix = prefix
        _forget_empty_variables()
        self._endpoint = next((os.environ[name] for name in ENDPOINTS if name in os.environ), "")
        _require_address(self._endpoint)
        self._quick = self._connect(QUICK_SECONDS, RETRIES)
        self._reading = self._connect(timeout, RETRIES)
        # Tried again by the caller alone: a second attempt would find the file of the first.
        self._writing = self._connect(timeout, 0)

    @property
    def place(self) -> str:
        where = f" at {self._endpoint}" if self._endpoint else ""
        return f"the bucket {self._bucket}{where}"

    def save(self, file_id: str, source: ReadableStream, sha256: str) -> None:
        """Sent at once, signed with its digest, which the store compares."""
        content = b"".join(hash_pieces(source, file_id, sha256, "the upload"))
        with self._faults():
            if not self._create(self._writing, file_id, content):
                raise FileSavedBefore(file_id, self.place)

    def _create(self, store: S3Store, name: str, content: bytes) -> bool:
        """Whether a file was written because there was none; a store that knows no such condition is asked
        first."""
        try:
            store.put(name, content, mode="create", use_multipart=False)
        except AlreadyExistsError:
            return False
        except (BaseError, NotImplementedError) as error:
            if not is_not_implemented(error):
                raise
            if self.stat(name) is not None:
                return False
            store.put(name, content, mode="overwrite", use_multipart=False)
        return True

    @contextmanager
    def open(self, file_id: str, start: int = 0, length: int | None = None) -> Generator[BinaryIO]:
        """Fetched before it is handed out, so that no slow caller holds a connection to the store, and none
        has half of a file when the store goes away."""
        with NamedTemporaryFile(prefix="parley-") as file:
            self._fetch(file_id, start, length, cast(BinaryIO, file))
            file.seek(0)
            yield cast(BinaryIO, file)

    def stat(self, file_id: str) -> StoredBytes | None:
        with suppress(FileNotFoundError), self._faults():
            return StoredBytes(file_id, self._quick.head(file_id)["size"])
        return None

    def delete(self, file_id: str) -> None:
        with suppress(FileNotFoundError), self._faults():
            self._quick.delete(file_id)

    def upload(self, name: str, path: Path) -> None:
        """Send a file of any size, which replaces none: no store sends pieces on that condition, so it is
        asked first. Raises FileSavedBefore."""
        if self.stat(name) is not None:
            raise FileSavedBefore(name, self.place)
        with self._faults():
            self._reading.put(name, path, use_multipart=True)

    def list_files(self) -> Iterator[StoredBytes]:
        with self._faults():
            for page in self._reading.list(chunk_size=1000):  # pyright: ignore[reportUnknownMemberType]
                for one in page:
                    if one["path"] not in {MARK, PROBE_KEY} and "/" not in one["path"]:
                        yield StoredBytes(one["path"], one["size"])

    def find_mark(self) -> str | None:
        with suppress(FileNotFoundError), self._faults():
            return bytes(self._quick.get(MARK).bytes()).decode().strip()
        return None

    def mark(self, value: str) -> str:
        with self._faults():
            # One that is there is of another process that started at the same time, or of the first attempt.
            self._create(self._quick, MARK, value.encode())
            return self.find_mark() or value

    def probe(self) -> None:
        with self._faults():
            self._quick.put(PROBE_KEY, PROBE, mode="overwrite", use_multipart=False)

    @contextmanager
    def local_copy(self, file_id: str, sha256: str) -> Generator[Path]:
        with self.open(file_id) as file:
            for _ in hash_pieces(file, file_id, sha256, self.place):
                pass
            yield Path(file.name)

    def _fetch(self, file_id: str, start: int, length: int | None, target: BinaryIO) -> None:
        """Raises FileNotFoundError."""
        with self._faults():
            if length is not None:
                found = self._reading.get(file_id, options={"range": (start, start + length)})
            elif start:
                found = self._reading.get(file_id, options={"range": {"offset": start}})
            else:
                found = self._reading.get(file_id)
            for piece in found.stream(min_chunk_size=PIECE):
                target.write(piece)
            target.flush()

    def _connect(self, seconds: float, retries: int) -> S3Store:
        return S3Store(
            self._bucket,
            prefix=self._prefix or None,
            # Not every store has the call that deletes several at once.
            disable_bulk_delete=True,
            client_options={
                "allow_http": self._endpoint.startswith("http://"),
                "timeout": timedelta(seconds=seconds),
                "connect_timeout": timedelta(seconds=min(CONNECT_SECONDS, seconds)),
            },
            retry_config={
                "max_retries": retries,
                "retry_timeout": timedelta(seconds=seconds),
                "backoff": {
                    "init_backoff": timedelta(milliseconds=100),
                    "max_backoff": timedelta(seconds=1),
                    "base": 2,
                },
            },
        )

    @contextmanager
    def _faults(self) -> Generator[None]:
        """Errors of the store as StorageFault; that there is no such file stays what it is."""
        try:
            yield
        except FileNotFoundError as error:
            if "NoSuchBucket" in str(error):
                raise explain(error, self.place, self._bucket) from None
            raise FileNotFoundError(f"{self.place} has no such file") from None
        except BaseError as error:
            raise explain(error, self.place, self._bucket) from error
        except BaseException as error:
            if type(error).__name__ != "PanicException":
                raise
            # The client is written in Rust, whose panics are no Exception: nobody else would take it for one.
            message = f"{self.place}: the client failed ({error}); correct the variables AWS_…"
            raise StorageFault(StorageProblem.REFUSED, message) from None


def _forget_empty_variables() -> None:
    """An empty AWS_… is none, as in files that list all settings. The client takes it for a value."""
    for name in [name for name, value in os.environ.items() if name.startswith("AWS_") and not value]:
        del os.environ[name]


def _require_address(endpoint: str) -> None:
    """Raises StorageFault where an endpoint is given that is none."""
    try:
        address = urlsplit(endpoint)
        is_address = address.scheme in {"http", "https"} and re.fullmatch(r"[\w.:\[\]-]+", address.netloc)
        _ = address.port
    except ValueError:
        is_address = None
    if endpoint and not is_address:
        message = f"{endpoint!r} is no address of an S3 store; write AWS_ENDPOINT_URL as https://host"
        raise StorageFault(StorageProblem.REFUSED, message)
