"""Checks of finished results: those that a policy names, and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from . import plugins
from .plugins import part_name, plugin_failures, plugin_fault
from .policy import Policy
from .result import Result


class Check(Protocol):
    """A check of a finished result, whoever made the decisions."""

    def __call__(self, result: Result) -> Result:
        """Return the result with additional warnings, leaks or identifications.

        If there are leaks, the document isn't written. Text, decisions and replacements don't
        change.
        """
        ...


def load_checks(names: Sequence[str]) -> tuple[tuple[str, Check], ...]:
    """Return the checks of plug-ins by name, each with its label for messages.

    Raises:
        PolicyError: if a name is unknown; the message lists the names.
        PluginError: if one can't be loaded.
    """
    return tuple(plugins.named_parts(plugins.CHECKS, "check", names))


def check_result(result: Result, policy: Policy, checks: Sequence[Check]) -> Result:
    """Return a result after all checks, the policy's first.

    Raises:
        InputError: if a check fails, or changes a verified part.
    """
    named_checks = ((part_name("check", check), check) for check in checks)
    for name, check in (*load_checks(policy.checks), *named_checks):
        with plugin_failures(name, result.document.id):
            outcome = check(result)
        if not isinstance(outcome, Result) or _verified(outcome) != _verified(result):
            raise plugin_fault(name, "changes what was verified", result.document.id)
        result = outcome
    return result


def _verified(result: Result) -> tuple[object, ...]:
    return result.document, result.text, result.decisions, result.replacements, result.protected
