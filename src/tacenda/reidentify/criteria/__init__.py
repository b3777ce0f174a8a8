"""The three tests of WP216 on free text: singling out, linkability, inference.

The tests follow the Article 29 Working Party's Opinion 05/2014 on anonymisation techniques (WP216,
section 2.2), and are measured with a baseline and a control as anonymeter does for tables (Giomi et
al., *A unified framework for quantifying privacy risk in synthetic data*, 2023).

    text ─ closure ─▶ guesses ─┬ inference     ─▶ are they right?
                               ├ singling out  ─▶ how many people do they fit?
                               └ linkability   ─▶ do two documents of one person find each other?
"""

from __future__ import annotations

from .inference import ReleaseCase, true_values
from .linkability import link_documents
from .report import evaluate_release
from .values import Attribute, read_values

__all__ = [
    "Attribute",
    "ReleaseCase",
    "evaluate_release",
    "link_documents",
    "read_values",
    "true_values",
]
