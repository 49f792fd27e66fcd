"""File upload (part 2 of the interface)."""

from app.contract.model import Reply
from app.contract.values import Id


class UploadedFile(Reply):
    """The id under which an uploaded file can be named in other calls."""

    id: Id
