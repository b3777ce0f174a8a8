"""Options of a language model: of attacks and ``sanitize --attack`` as attacker and judge, of ``--polish`` as editor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from .. import plugins
from .options import option, refuse
from .printing import print_note

if TYPE_CHECKING:
    from ..background.people import People
    from ..reidentify.attackers.base import Attacker
    from ..reidentify.judge import Cost, Judge
    from ..rewrite.polish import PolishCounts


@dataclass(frozen=True, slots=True)
class LanguageModelOptions:
    """Options of a language model, off unless its address is given."""

    llm: str | None = option(None, "--llm", metavar="URL")
    llm_model: str = option("", "--llm-model", metavar="NAME", show_default=False)
    llm_budget: int | None = option(None, "--llm-budget", min=1, metavar="N")
    llm_tokens: int | None = option(None, "--llm-tokens", min=1, metavar="N")
    llm_timeout: float = option(120.0, "--llm-timeout", min=0.1, metavar="SECONDS")
    allow_network: bool = option(False, "--allow-network")

    def open(self, people: People, attackers: Sequence[Attacker]) -> Judge | None:
        """Judge of these options; None without ``--llm``.

        Raises:
            typer.BadParameter: if others are given without it.
            MissingLabError: if tacenda-lab isn't installed.
            PolicyError: if the endpoint isn't allowed or no address.
            ServiceError: if it doesn't answer.
        """
        self.check()
        if self.llm is None:
            return None
        open_model = plugins.load(plugins.EXTRAS, "language_model", "--llm")
        judge: Judge = open_model(self.llm, people, attackers, **self._settings())
        return judge

    def open_editor(self) -> Editor | None:
        """Editor of these options; None without ``--llm``.

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
            typer.BadParameter: naming one.
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
    """Editor of sentences (``rewrite.polish``) that knows what it cost."""

    def __call__(self, sentence: str) -> str | None:
        """Return a sentence that reads better; None without an answer."""
        ...

    @property
    def cost(self) -> Cost:
        """Usage so far."""
        ...


def print_cost(judge: Judge) -> None:
    """Print what a judge cost and how often it was silent, on stderr."""
    from ..reidentify.judge import cost_line

    print_note(f"{cost_line(judge.name, judge.cost)}")


def print_polished(editor: Editor, counts: PolishCounts) -> None:
    """Print what became of the sentences with replacements, and what that cost, on stderr."""
    cost = editor.cost
    print_note(
        f"polish: {counts.smoothed} sentences smoothed, {counts.unchanged} unchanged, "
        f"{counts.refused} rejected for additions or losses, {counts.silent} without answer, "
        f"{counts.unasked} too long or wrapped; {cost.requests} requests, {cost.prompt_tokens:,} tokens read and "
        f"{cost.completion_tokens:,} written, {cost.seconds:,.0f} s"
    )
