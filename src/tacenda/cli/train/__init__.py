"""``tacenda train``: the recipes that rebuild every shipped weight, a command a file."""

from __future__ import annotations

import typer

from .adapt import adapt
from .attacker import attacker
from .emulation import emulation
from .language_model import language_model
from .language_risk import language_risk
from .ranker import ranker
from .recognizer import recognizer
from .risk import risk
from .zero_shot import zero_shot

train = typer.Typer(help="Rebuild the shipped weights (extra: train).", no_args_is_help=True)
train.command()(adapt)
train.command()(attacker)
train.command()(emulation)
train.command("language-model")(language_model)
train.command("language-risk")(language_risk)
train.command()(ranker)
train.command()(recognizer)
train.command()(risk)
train.command("zero-shot")(zero_shot)
