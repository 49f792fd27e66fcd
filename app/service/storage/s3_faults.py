"""What an S3-compatible store says when it does not do what it is asked, in words for an operator."""

import re

from app.service.storage.file_storage import StorageFault, StorageProblem

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


def is_without_bucket(error: Exception) -> bool:
    """Whether what is not found is the bucket."""
    return "NoSuchBucket" in str(error)


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
