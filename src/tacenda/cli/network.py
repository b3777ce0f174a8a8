"""Options for what leaves this machine if the user allows it: requests to a language model, a web search, and Wikidata.

A language model attacks and judges (``attack``, ``sanitize --attack``), or edits sentences (``--polish``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .. import plugins
from .options import option, refuse
from .printing import print_note

if TYPE_CHECKING:
    from ..background.documents import SearchBackend
    from ..background.people import People
    from ..deciding import OntologySource
    from ..reidentify.attackers.base import Attacker
    from ..reidentify.judge import Cost, Judge
    from ..rewrite.polish import PolishCounts


@dataclass(frozen=True, slots=True)
class LanguageModelOptions:
    """Options for a language model, which is off unless its address is given."""

    llm: str | None = option(None, "--llm", metavar="URL")
    llm_model: str = option("", "--llm-model", metavar="NAME", show_default=False)
    llm_budget: int | None = option(None, "--llm-budget", min=1, metavar="N")
    llm_tokens: int | None = option(None, "--llm-tokens", min=1, metavar="N")
    llm_timeout: float = option(120.0, "--llm-timeout", min=0.1, metavar="SECONDS")
    allow_network: bool = option(False, "--allow-network")

    def open(self, people: People, attackers: Sequence[Attacker]) -> Judge | None:
        """Return the judge for these options; None without ``--llm``.

        Raises:
            typer.BadParameter: if other options are given without it.
            MissingLabError: if tacenda-lab isn't installed.
            PolicyError: if the endpoint isn't allowed or isn't an address.
            ServiceError: if it doesn't answer.
        """
        self.check()
        if self.llm is None:
            return None
        open_model = plugins.load(plugins.EXTRAS, "language_model", "--llm")
        judge: Judge = open_model(self.llm, people, attackers, **self._settings())
        return judge

    def open_editor(self) -> Editor | None:
        """Return the editor for these options; None without ``--llm``.

        Raises:
            typer.BadParameter, MissingLabError, PolicyError, ServiceError: as for ``open``.
        """
        self.check()
        if self.llm is None:
            return None
        open_editor = plugins.load(plugins.EXTRAS, "sentence_editor", "--polish")
        editor: Editor = open_editor(self.llm, **self._settings())
        return editor

    def check(self) -> None:
        """Refuse other options without ``--llm``.

        Raises:
            typer.BadParameter: if there are any; names one.
        """
        options = {
            "--llm-model": self.llm_model,
            "--llm-budget": self.llm_budget,
            "--llm-tokens": self.llm_tokens,
            "--allow-network": self.allow_network,
        }
        refuse("needs --llm URL", {} if self.llm else options)

    def _settings(self) -> dict[str, Any]:
        return {
            "model": self.llm_model,
            "allow_network": self.allow_network,
            "requests": self.llm_budget,
            "tokens": self.llm_tokens,
            "timeout": self.llm_timeout,
        }


class Editor(Protocol):
    """An editor of sentences (``rewrite.polish``) that keeps track of its cost."""

    def __call__(self, sentence: str) -> str | None:
        """Return a sentence that reads better; None if there is no answer."""
        ...

    @property
    def cost(self) -> Cost:
        """The cost so far."""
        ...


def print_cost(judge: Judge) -> None:
    """Print what a judge cost and how often it didn't answer, on stderr."""
    from ..reidentify.judge import cost_line

    print_note(f"{cost_line(judge.name, judge.cost)}")


def print_polished(editor: Editor, counts: PolishCounts) -> None:
    """Print what happened to the sentences with replacements, and what that cost, on stderr."""
    cost = editor.cost
    print_note(
        f"polish: {counts.smoothed} sentences smoothed, {counts.unchanged} unchanged, "
        f"{counts.refused} rejected for additions or losses, {counts.silent} without answer, "
        f"{counts.unasked} too long or wrapped; {cost.requests} requests, {cost.prompt_tokens:,} tokens read and "
        f"{cost.completion_tokens:,} written, {cost.seconds:,.0f} s"
    )


# Options for a web search, which is off unless an engine is named and the network is allowed.


@dataclass(frozen=True, slots=True)
class WebOptions:
    """Options for a web search."""

    web: str | None = option(None)
    web_cache: Path | None = option(None)

    def open(self, background: Path | None, *, allow_network: bool) -> SearchBackend | None:
        """Return the search engine, or the index instead; None if neither is given.

        Args:
            background: the index.
            allow_network: whether the user allows it.

        Raises:
            PolicyError: if both are given, or the engine is unknown, not allowed or has no key.
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


# Options for querying Wikidata, which is off unless requested and the network is allowed.


@dataclass(frozen=True, slots=True)
class WikidataOptions:
    """Options for querying Wikidata."""

    ask_wikidata: bool = option(False, "--ask-wikidata")
    wikidata_cache: Path = option(Path(".tacenda-wikidata"))
    wikidata_endpoint: str = option("", metavar="URL")

    def open(self, names: Sequence[str] = (), *, allow_network: bool) -> OntologySource:
        """Return a function that opens each policy's ontology, with Wikidata for what it doesn't know, if requested.

        Args:
            names: names of people to protect, in addition to those in policies and documents.
            allow_network: whether the user allows it.

        Raises:
            PolicyError: if it is requested but the network isn't allowed.
            MissingLabError: if tacenda-lab isn't installed.
        """
        from ..deciding import ontology_of
        from ..errors import PolicyError

        if not self.ask_wikidata:
            return ontology_of
        if not allow_network:
            raise PolicyError(
                "--ask-wikidata sends strings of the documents to Wikidata; allow it with --allow-network."
            )
        client = plugins.load(plugins.EXTRAS, "wikidata", "--ask-wikidata")
        endpoint = (self.wikidata_endpoint,) if self.wikidata_endpoint else ()
        print_note(
            "--ask-wikidata: places, organizations, descriptions and other items that the ontology "
            f"doesn't know leave this machine, without their sentence, for {self.wikidata_endpoint or 'www.wikidata.org'}; "
            f"answers are kept in {self.wikidata_cache}"
        )
        source: OntologySource = client(self.wikidata_cache, *endpoint, withheld=names)
        return source


def print_asked(wikidata: Any) -> None:
    """Print how many strings Wikidata was asked about, on stderr."""
    print_note(
        f"Wikidata: {wikidata.asked} strings asked about, {wikidata.unanswered} without an answer"
    )
