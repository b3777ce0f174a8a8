"""Options of a web search, off unless an engine is named and the network is allowed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .. import plugins
from .options import option
from .printing import print_note

if TYPE_CHECKING:
    from ..background.documents import SearchBackend


@dataclass(frozen=True, slots=True)
class WebOptions:
    """Options of a web search."""

    web: str | None = option(None)
    web_cache: Path | None = option(None, "--web-cache", "--cache")

    def open(self, background: Path | None, *, allow_network: bool) -> SearchBackend | None:
        """The search engine, or the index in its place; None if neither is named.

        Args:
            background: the index.
            allow_network: whether the user allows it.

        Raises:
            PolicyError: if both are named, or the engine is unknown, not allowed or has no key.
            InputError: if there is no such index, or the cache can't be used.
            MissingLabError: if tacenda-lab isn't installed.
        """
        from ..background.documents import LocalIndex
        from ..errors import PolicyError

        if self.web is None:
            return None if background is None else LocalIndex(background)
        if background is not None:
            raise PolicyError("--background and --web can't be used together.")
        open_backend = plugins.load(plugins.EXTRAS, "web_search", "--web")
        backend: SearchBackend = open_backend(self.web, allow_network, self.web_cache)
        print_note(
            "--web: strings of the documents, without their sentence, and the names of the people to protect leave this "
            f"machine for {backend.name}"
        )
        return backend
