"""The edits applied, with the offsets of each in the original and in the output."""

from __future__ import annotations

from collections.abc import Sequence

from ..document import Decision, Document, Replacement
from ..policy import Policy
from .edits import edits
from .operators import Operator, Pseudonym, Suppress, Tag


def rewrite(
    document: Document, decisions: Sequence[Decision], policy: Policy
) -> tuple[str, tuple[Replacement, ...]]:
    """Return the sanitized text and every edit, in order of the text.

    Raises:
        PolicyError: if pseudonyms are asked for and the policy has no usable key.
    """
    needed = {decision.operator for decision in decisions if decision.masked}
    operators: dict[str, Operator] = {"suppress": Suppress(), "tag": Tag()}
    if "pseudonym" in needed:
        operators["pseudonym"] = Pseudonym(policy.key())
    parts: list[str] = []
    replacements: list[Replacement] = []
    position = 0
    length = 0
    for edit in edits(document, decisions, operators):
        kept = document.text[position : edit.span.start]
        start = length + len(kept)
        parts += [kept, edit.text]
        length = start + len(edit.text)
        position = edit.span.end
        replacements.append(Replacement(edit.span, start, length, edit.text, edit.entities))
    parts.append(document.text[position:])
    return "".join(parts), tuple(replacements)
