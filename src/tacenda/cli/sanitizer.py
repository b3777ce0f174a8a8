"""The options of a sanitizer: its policy, its model, and its adversary's background knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import DECISIONS, Model, PolicyName, Target, Threads

if TYPE_CHECKING:
    from ..pipeline import Check, Sanitizer
    from ..policy import Policy
    from ..risk.assess import CombinationIndicator, Indicator

_Operator = Annotated[
    str | None,
    typer.Option(
        help="What is written instead: suppress, tag, pseudonym, generalize, surrogate, hash or encrypt. "
        "surrogate moves all dates by one number of days, by which a register finds the person, unless "
        "the policy says dates: jitter.",
        rich_help_panel=DECISIONS,
    ),
]
_KeyFile = Annotated[
    Path | None,
    typer.Option(
        help="File with the key of pseudonym, surrogate, hash and encrypt.",
        rich_help_panel=DECISIONS,
    ),
]
_Threshold = Annotated[
    float | None,
    typer.Option(min=0, max=1, help="Mask from this probability on.", rich_help_panel=DECISIONS),
]
_Risk = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        help="Instead: mask until this share of the document's risk is left at most.",
        rich_help_panel=DECISIONS,
    ),
]
_Background = Annotated[
    Path | None,
    typer.Option(
        help="An index of what an adversary could know (tacenda index build): what a search for it "
        "leads to the person is changed, alone or together.",
        exists=True,
        dir_okay=False,
        rich_help_panel=DECISIONS,
    ),
]


@dataclass(frozen=True, slots=True)
class SanitizerOptions:
    """Options of a sanitizer; each command offers a selection."""

    policy: PolicyName = "default"
    target: Target = None
    operator: _Operator = None
    key_file: _KeyFile = None
    threshold: _Threshold = None
    risk: _Risk = None
    background: _Background = None
    model: Model = None
    threads: Threads = None

    @property
    def model_source(self) -> str | Path | None:
        """Name of a shipped recognizer, or the folder of another."""
        if self.model is not None and Path(self.model).is_dir():
            return Path(self.model)
        return self.model

    def effective_policy(self) -> Policy:
        """Policy with the changes by options.

        Raises:
            PolicyError: if it can't be used, or its key is missing.
        """
        from ..policy import Policy
        from ..policy.rules import KEYED

        loaded: Policy = Policy.load(self.policy)
        changes: dict[str, object] = {}
        if self.operator is not None:
            # Said on the command line, it holds for every type and entity.
            changes |= {"operator": self.operator, "operators": {}, "operators_for": ()}
        if self.key_file is not None:
            changes |= {"key_file": self.key_file, "key_env": None}
        if self.threshold is not None:
            changes |= {"threshold": self.threshold, "thresholds": {}}
        if self.risk is not None:
            changes["residual_share"] = self.risk
        if self.target:
            changes["target"] = (*loaded.target, *self.target)
        policy = loaded.with_changes(**changes) if changes else loaded
        if policy.operator_names & KEYED:
            policy.key()
        return policy

    def open(
        self,
        policy: Policy,
        *,
        indicators: Sequence[Indicator] = (),
        combination_indicators: Sequence[CombinationIndicator] = (),
        checks: Sequence[Check] = (),
    ) -> Sanitizer:
        """Sanitizer under a policy, with the model of these options.

        Raises:
            PolicyError: if the policy can't be used.
            ModelError: if the weights are missing or damaged.
        """
        from ..pipeline import load

        return load(
            policy,
            model=self.model_source,
            threads=self.threads,
            indicators=indicators,
            combination_indicators=combination_indicators,
            checks=checks,
        )
