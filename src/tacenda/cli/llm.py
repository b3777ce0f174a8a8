"""Options of a language model as attacker and judge: ``attack``, ``anonymize`` and ``sanitize --attack`` with ``--llm``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from .. import plugins
from .options import LANGUAGE_MODEL

if TYPE_CHECKING:
    from ..background.people import People
    from ..reidentify.attackers.base import Attacker
    from ..reidentify.judge import Judge

_Llm = Annotated[
    str | None,
    typer.Option(
        "--llm",
        metavar="URL",
        help="Also ask a language model (chat completions as OpenAI has them), such as "
        "http://localhost:8000/v1; key in TACENDA_LLM_KEY. It is sent the texts and profiles of people.",
        rich_help_panel=LANGUAGE_MODEL,
    ),
]
_Model = Annotated[
    str,
    typer.Option(
        "--llm-model",
        metavar="NAME",
        help="Its name; where the endpoint has one, that.",
        show_default=False,
        rich_help_panel=LANGUAGE_MODEL,
    ),
]
_Budget = Annotated[
    int | None,
    typer.Option(
        "--llm-budget",
        min=1,
        metavar="N",
        help="After N requests ask no more.",
        rich_help_panel=LANGUAGE_MODEL,
    ),
]
_Tokens = Annotated[
    int | None,
    typer.Option(
        "--llm-tokens",
        min=1,
        metavar="N",
        help="After N tokens, read and written, ask no more.",
        rich_help_panel=LANGUAGE_MODEL,
    ),
]
_Timeout = Annotated[
    float,
    typer.Option(
        "--llm-timeout",
        min=0.1,
        metavar="SECONDS",
        help="Longest wait for an answer.",
        rich_help_panel=LANGUAGE_MODEL,
    ),
]
_AllowNetwork = Annotated[
    bool,
    typer.Option(
        "--allow-network",
        help="Let --llm send them to another machine than this.",
        rich_help_panel=LANGUAGE_MODEL,
    ),
]


@dataclass(frozen=True, slots=True)
class LanguageModelOptions:
    """Options of a language model, off unless its address is given."""

    llm: _Llm = None
    llm_model: _Model = ""
    llm_budget: _Budget = None
    llm_tokens: _Tokens = None
    llm_timeout: _Timeout = 120.0
    allow_network: _AllowNetwork = False

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
        judge: Judge = open_model(
            self.llm,
            people,
            attackers,
            model=self.llm_model,
            allow_network=self.allow_network,
            requests=self.llm_budget,
            tokens=self.llm_tokens,
            timeout=self.llm_timeout,
        )
        return judge

    def check(self) -> None:
        """Refuse other options without ``--llm``.

        Raises:
            typer.BadParameter: naming one.
        """
        for value, name in (
            (self.llm_model, "--llm-model"),
            (self.llm_budget, "--llm-budget"),
            (self.llm_tokens, "--llm-tokens"),
            (self.allow_network, "--allow-network"),
        ):
            if value and self.llm is None:
                raise typer.BadParameter("needs --llm URL", param_hint=name)


def print_cost(judge: Judge) -> None:
    """Print what a judge cost and how often it was silent, on stderr."""
    from ..reidentify.judge import cost_line

    typer.echo(f"tacenda: {cost_line(judge.name, judge.cost)}", err=True)
