"""Open the store of files that an address names."""

from app.files_url import FilesUrl
from app.service.storage.file_storage import FileStorage
from app.service.storage.folder import FolderStorage


def open_storage(url: FilesUrl, timeout: float) -> FileStorage:
    """The store, of which nothing is asked yet. An S3 store may take `timeout` seconds for a file."""
    if url.folder is not None:
        return FolderStorage(url.folder)
    # Its library is loaded only where it is used.
    from app.service.storage.s3 import S3Storage

    return S3Storage(url.bucket, url.prefix, timeout=timeout)
