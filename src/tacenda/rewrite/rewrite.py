"""The edits applied, with the offsets of each in the original and in the output."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .. import plugins
from ..document import Decision, Document, Replacement, SemanticType
from ..policy import Policy
from .edits import Operator, Suppress, edits
from .generalize.grammar import fix_articles, merge_adjacent
from .operators import Generalize, PluginOperator, Pseudonym, Tag

_OF_CLASSES = frozenset((SemanticType.LOC, SemanticType.ORG, SemanticType.DEM, SemanticType.MISC))
"""Types of which a class is written."""
_DIFFERENT = 2
"""Dates moved by one number that have a difference to be found by."""


def rewrite(
    document: Document, decisions: Sequence[Decision], policy: Policy
) -> tuple[str, tuple[Replacement, ...]]:
    """Return the sanitized text and every edit, in order of the text.

    Raises:
        PolicyError: if an operator needs a key, and the policy has no usable one.
        MissingExtraError: if a package for an operator is not installed.
        PluginError: if the operator of a plug-in can't be loaded.
        InputError: if *encrypt* is used and the document has a string in the form of its tokens, or
            the operator of a plug-in fails.
    """
    needed = {decision.operator for decision in decisions if decision.masked}
    context = _Context(document, decisions, policy)
    operators = {name: _operator(name, context) for name in sorted(needed - {"encrypt"})}
    if "encrypt" not in needed | policy.operator_names:
        return _applied(document, decisions, operators)
    from .operators import Clear, Encrypt, refuse_foreign_tokens

    if "encrypt" in needed:
        plaintext, _ = _applied(document, decisions, operators | {"encrypt": Clear()})
        operators["encrypt"] = Encrypt(policy.key(), plaintext)
    text, replacements = _applied(document, decisions, operators)
    refuse_foreign_tokens(document, text, replacements)
    return text, replacements


def warnings(
    decisions: Sequence[Decision], replacements: Sequence[Replacement], policy: Policy
) -> tuple[str, ...]:
    """Return warnings about the replacements for the user, one sentence each."""
    if policy.dates != "shift":
        return ()
    dates = {
        decision.entity.id
        for decision in decisions
        if decision.masked
        and decision.operator == "surrogate"
        and decision.entity.type is SemanticType.DATETIME
    }
    count = sum(
        not dates.isdisjoint(edit.entity_ids) and not edit.text.startswith("[")
        for edit in replacements
    )
    if count < _DIFFERENT:
        return ()
    return (
        f"{count} dates were moved by one number of days: whoever has the true dates of many people "
        "finds the document by the days between them. dates: jitter in the policy keeps their order "
        "alone.",
    )


@dataclass(frozen=True, slots=True)
class _Context:
    """Context for making an operator."""

    document: Document
    decisions: Sequence[Decision]
    policy: Policy


def _generalize(context: _Context) -> Operator:
    choices = {item.entity.id: item.choice for item in context.decisions if item.choice is not None}
    return Generalize(choices, context.policy.brackets)


def _hash(context: _Context) -> Operator:
    from .operators import Hash

    return Hash(context.policy.key())


def _surrogate(context: _Context) -> Operator:
    from .surrogate.operator import Surrogate

    policy = context.policy
    return Surrogate(policy.key(), context.document, context.decisions, policy.dates)


REGISTRY: Mapping[str, Callable[[_Context], Operator]] = {
    "suppress": lambda _: Suppress(),
    "tag": lambda _: Tag(),
    "pseudonym": lambda context: Pseudonym(context.policy.key()),
    "generalize": _generalize,
    "surrogate": _surrogate,
    "hash": _hash,
}
"""The built-in operators; *encrypt* is made of what the others write."""


def _operator(name: str, context: _Context) -> Operator:
    """Return the operator of a name, built in or of a plug-in."""
    factory = REGISTRY.get(name)
    if factory is not None:
        return factory(context)
    part = f"operator {name!r}"
    return PluginOperator(plugins.create(plugins.OPERATORS, name, part, context.policy), part)


def _applied(
    document: Document, decisions: Sequence[Decision], operators: Mapping[str, Operator]
) -> tuple[str, tuple[Replacement, ...]]:
    parts: list[str] = []
    replacements: list[Replacement] = []
    position = 0
    length = 0
    # Those that had options, even where *** was the choice.
    types = {item.entity.id: item.entity.type for item in decisions if item.options}
    names = {id for id, type in types.items() if type in _OF_CLASSES}
    changes = merge_adjacent(document.text, edits(document, decisions, operators), names)
    for edit in fix_articles(document.text, changes, types):
        gap = document.text[position : edit.span.start]
        start = length + len(gap)
        parts += [gap, edit.text]
        length = start + len(edit.text)
        position = edit.span.end
        replacements.append(Replacement(edit.span, start, length, edit.text, edit.entities))
    parts.append(document.text[position:])
    return "".join(parts), tuple(replacements)
