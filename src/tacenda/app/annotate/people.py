"""Who may come in to a project of annotation, and where: each annotator, and the adjudicator."""

from __future__ import annotations

import re
import secrets
import socket
from collections.abc import Mapping, Sequence

from ...errors import InputError
from ..listening import address
from ..web.security.access import Access
from ..web.security.keys import Key
from .service import ADJUDICATOR

_NAME = re.compile(r"[\w.-]{1,40}")


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of annotators.

    Raises:
        InputError: if there are none, or one is none, is there twice or is the adjudicator's.
    """
    if not names:
        raise InputError("there is no annotator; name some with --annotators ann,ben.")
    for name in names:
        if not _NAME.fullmatch(name) or name == ADJUDICATOR or names.count(name) > 1:
            raise InputError(
                f"annotator {name[:60]!r} can't be: up to 40 letters, digits, '.', '_' and '-', "
                f"each name once, and not {ADJUDICATOR!r}."
            )
    return tuple(names)


def keys_for(annotators: Sequence[str]) -> dict[str, str]:
    """Return a new key for each annotator and, if there are several, for the adjudicator."""
    several = (ADJUDICATOR,) if len(annotators) > 1 else ()
    return {name: secrets.token_urlsafe(32) for name in (*annotators, *several)}


def access_with(keys: Mapping[str, str]) -> Access:
    """Return the access that these keys give."""
    return Access("", {name: Key.of(key) for name, key in keys.items()})


def addresses(listener: socket.socket, keys: Mapping[str, str]) -> dict[str, str]:
    """Return the address that each person opens in a browser, with their key."""
    return {name: address(listener, token=key) for name, key in keys.items()}
