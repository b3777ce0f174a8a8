"""Checks of finished results: those that a policy names, and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from . import plugins
from .plugins import part_name, plugin_failures, plugin_fault
from .policy import Policy
from .result import Result


class Check(Protocol):
    """Examination of a finished result, whoever decided on it."""

    def __call__(self, result: Result) -> Result:
        """The result with more warnings, leaks or identifications.

        With leaks, the document is not written. Text, decisions and replacements stay.
        """
        ...


def load_checks(names: Sequence[str]) -> tuple[tuple[str, Check], ...]:
    """Return the checks of plug-ins by their names, each with its label for messages.

    Raises:
        PolicyError: if there is none of a name; the message lists the names.
        PluginError: if one can't be loaded.
    """
    return tuple(plugins.named_parts(plugins.CHECKS, "check", names))


def check_result(result: Result, policy: Policy, checks: Sequence[Check]) -> Result:
    """Return a result after all checks, those of the policy first.

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
