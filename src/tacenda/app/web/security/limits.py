"""A limit on the body of a request, whatever its header says."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Scope

LARGEST_BODY = 64 * 1024 * 1024
"""Bytes of one request: some thousand judgments."""
TOO_LARGE = "The request is larger than this server takes; send fewer documents at once."


class TooLarge(HTTPException):
    """The body is larger than allowed."""

    def __init__(self) -> None:
        super().__init__(413, TOO_LARGE)


def declared_too_large(scope: Scope) -> bool:
    """Tell whether the request's own header says that it is too large."""
    for name, value in scope["headers"]:
        if name == b"content-length":
            return not value.isdigit() or len(value) > 15 or int(value) > LARGEST_BODY
    return False


def limited(receive: Receive) -> Receive:
    """Return ``receive`` that raises ``TooLarge`` once more bytes came than are allowed."""
    total = 0

    async def counted() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > LARGEST_BODY:
            raise TooLarge
        return message

    return counted
