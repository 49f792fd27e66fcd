"""Documents that are made when they are asked for, and sent whole as downloads."""

from typing import Any

from starlette.responses import Response

from app.service.http.response_descriptions import header_references
from app.service.http.responses import NO_STORE


def describe_download(media_type: str, description: str = "The file.") -> dict[int | str, dict[str, Any]]:
    """Return what the description of the service says of such a response."""
    return {
        200: {
            "description": description,
            "content": {media_type.partition(";")[0]: {"schema": {"type": "string", "format": "binary"}}},
            "headers": header_references("Content-Disposition"),
        }
    }


def download_response(content: bytes, filename: str, media_type: str) -> Response:
    """Return a document, which a browser never opens in this origin. `filename` is one of ours."""
    headers = {
        "Content-Disposition": f'attachment; filename="{filename}"',
        "X-Content-Type-Options": "nosniff",
        **NO_STORE,
    }
    return Response(content, media_type=media_type, headers=headers)
