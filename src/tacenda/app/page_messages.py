"""Error messages for people who use the pages and may never have seen a terminal."""

from __future__ import annotations

from ..errors import InputError, MissingExtraError


def page_message(error: Exception | str) -> str:
    """Return an error's message, without command-line options and commands."""
    if isinstance(error, MissingExtraError):
        feature = str(error).partition(" needs ")[0]
        return (
            f"{feature} needs a part of the program that is not installed ({error.extra}); "
            '"tacenda doctor", entered in a terminal, shows the command that adds it.'
        )
    return error.page_message if isinstance(error, InputError) else str(error)
