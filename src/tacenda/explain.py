"""Explain decisions to a document's reviewer in words: reasons, alternatives, residual risk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .document import Decision, Document, Effect, Identification, Option, Reason, RuleKind
from .shipped import shipped_table
from .text.information import information_of
from .wording import TYPES, in_words, risk_left

if TYPE_CHECKING:
    from .result import Result

_LABELS = shipped_table("labels")
_EFFECTS: Mapping[str, str] = _LABELS["effects"]
_GROUNDS: Mapping[str, str] = _LABELS["grounds"]


def sentence(reason: Reason) -> str:
    """Return a reason in words, without text of the document."""
    if reason.evidence is not None:
        return reason.evidence.statement
    if reason.effect is Effect.YIELD:
        return f"This overrides the policy's allow list (allow[{reason.index}])."
    return f"{_EFFECTS[reason.effect]}: {_ground(reason)}."


def sentences(decision: Decision) -> list[str]:
    """Return a decision's reasons in words, the most important first."""
    return [sentence(reason) for reason in decision.reasons]


def _ground(reason: Reason) -> str:
    if reason.rule is RuleKind.THRESHOLD:
        return _comparison(reason)
    if reason.rule is RuleKind.COMBINATION:
        count = reason.others or 0
        company = f"with {count} other{'s'[: count > 1]} " if count else ""
        return f"{company}it points to the person, and changing it loses least"
    if reason.rule is RuleKind.REVIEWED_IDENTIFIER:
        return _GROUNDS[reason.rule].format(in_words(str(reason.identifier)))
    return _GROUNDS[reason.rule].format(reason)


def _comparison(reason: Reason) -> str:
    label = "most types" if reason.type is None else TYPES[reason.type]
    size = (
        "" if reason.words is None else f" ({reason.words} word{'s'[: reason.words != 1]} in all)"
    )
    return f"its risk is {reason.risk:.2f}, the threshold for {label}{size} {reason.threshold:.2f}"


@dataclass(frozen=True, slots=True)
class WrittenChoice:
    """One way to write an entity.

    Attributes:
        text: the words in the output; empty for the original.
        lost: the information it loses over all mentions, in nats.
        risk: how far it still points to a person, in [0, 1].
        made: whether it is the current choice.
    """

    text: str = field(repr=False)
    lost: float
    risk: float
    made: bool


def alternatives(document: Document, decision: Decision) -> tuple[WrittenChoice, ...]:
    """Return the ways to write an entity, from keeping it to suppressing it."""
    total = information_of(document.text, decision.entity)
    keep = WrittenChoice("", 0.0, decision.risk, not decision.masked)
    if not decision.options:
        return (keep, WrittenChoice("***", total, 0.0, decision.masked))
    options = (
        WrittenChoice(
            option.text,
            total * (1 - option.kept),
            option.risk,
            decision.masked and option == decision.choice,
        )
        for option in decision.options
    )
    return (keep, *options)


def visible_options(decision: Decision, reveal: bool) -> tuple[Option, ...]:
    """Return the options that an output may show.

    Options more specific than the written one are only for the reviewer: if the page shows a
    decade, the year next to it would give the year away.
    """
    if reveal or decision.choice is None:
        return decision.options
    return decision.options[decision.choice.level :]


_LONGEST_FORM = 60
_MAX_KEPT = 10


def explain(result: Result, originals: bool = True) -> str:
    """Return the decisions, riskiest first, and the residual risk as text.

    Args:
        result: the sanitized document.
        originals: include strings of the original; for the reviewer, never for the release.
    """
    masked, kept = _by_risk(result)
    outputs = _written(result)
    lines = [f"{result.document.id}: {len(masked)} of {len(result.decisions)} entities masked"]
    for decision in masked:
        lines += _entry(result, decision, originals, outputs.get(decision.entity.id, ""))
    if kept:
        lines += ["", "Kept, the riskiest first"]
        for decision in kept:
            lines += _entry(result, decision, originals)
    n_neutral = sum(not edit.entity_ids for edit in result.replacements)
    if n_neutral:
        lines += [
            "",
            f"{n_neutral} passages of running text were made neutral, as the policy asks.",
        ]
    lines += ["", *_summary(result, originals)]
    return "\n".join(lines)


def brief(result: Result) -> str:
    """Return one line per masked entity and per riskiest kept entity, and the residual risk; for the reviewer, like ``explain``."""
    masked, kept = _by_risk(result)
    outputs = _written(result)
    lines = [f"{result.document.id}: {len(masked)} of {len(result.decisions)} entities masked"]
    for decision in masked:
        output = outputs.get(decision.entity.id, "***")
        reason = next(iter(sentences(decision)), "")
        lines.append(f"  {_forms(result, decision)}  → {output}  {reason}")
    if kept:
        lines.append(f"{len(kept)} kept{', the riskiest' if len(kept) > _MAX_KEPT else ''}")
    lines += (
        f"  {_forms(result, decision)}  {next(iter(sentences(decision)), '')}"
        for decision in kept[:_MAX_KEPT]
    )
    return "\n".join([*lines, "", *_summary(result, True)])


def _by_risk(result: Result) -> tuple[list[Decision], list[Decision]]:
    """Return the masked and the kept decisions, the riskiest first."""
    ordered = sorted(result.decisions, key=lambda decision: (-decision.risk, decision.entity.id))
    masked = [decision for decision in ordered if decision.masked]
    return masked, [decision for decision in ordered if not decision.masked]


def identified(identification: Identification) -> str:
    """Return the result of an attack as a sentence, without text of the document."""
    if identification.silence:
        return f"NOT JUDGED: {identification.attacker} gave no answer ({identification.silence})."
    held_out = ", held out," if identification.held_out else ""
    return (
        f"{'STILL FOUND' if identification.found else 'Hidden'}: {identification.attacker}{held_out} has the person at rank "
        f"{identification.rank:,} of {identification.people:,} (probability {identification.probability:.3f})."
    )


def _written(result: Result) -> dict[str, str]:
    """Return each masked entity's replacement: its first edit that covers no other entity, if any."""
    outputs: dict[str, tuple[int, str]] = {}
    for item in result.replacements:
        for id in item.entity_ids if item.text else ():
            output = outputs.get(id)
            if output is None or len(item.entity_ids) < output[0]:
                outputs[id] = (len(item.entity_ids), item.text)
    return {id: text for id, (_, text) in outputs.items()}


def _entry(result: Result, decision: Decision, originals: bool, output: str = "") -> Iterator[str]:
    entity = decision.entity
    count = len(entity.mentions)
    head = f"  {TYPES[entity.type]} {entity.number}"
    if originals:
        head += f"  {_forms(result, decision)}"
    if output:
        head += f"  → {output}"
    times = "once" if count == 1 else f"{count} times"
    yield f"{head}  ({in_words(decision.identifier)}, risk {decision.risk:.2f}, {times})"
    for reason in decision.reasons:
        yield f"      {sentence(reason)}"
    if originals:
        choices = alternatives(result.document, decision)
        yield f"      Alternatives: {' · '.join(map(_alternative, choices))}"


def _forms(result: Result, decision: Decision) -> str:
    """Return an entity's longest form in quotes, and how many other forms there are."""
    forms = {
        " ".join(mention.span.of(result.document.text).split())
        for mention in decision.entity.mentions
    }
    longest = min(forms, key=lambda form: (-len(form), form))
    label = longest if len(longest) <= _LONGEST_FORM else longest[: _LONGEST_FORM - 1] + "…"
    others = len(forms) - 1
    return repr(label) + (
        f" and in {others} other form{'s' if others > 1 else ''}" if others else ""
    )


def _alternative(choice: WrittenChoice) -> str:
    note = ", as here" if choice.made else ""
    return (
        f"{choice.text or 'kept'} ({choice.lost:.1f} nats lost, risk {_small(choice.risk)}{note})"
    )


def _small(risk: float) -> str:
    return f"{risk:.2f}" if risk >= 0.01 or not risk else f"{risk:.0e}"


def _summary(result: Result, originals: bool) -> Iterator[str]:
    yield risk_left(result.risk)
    if result.leaks:
        yield f"{len(result.leaks)} masked strings are still in the text; look at result.leaks."
    else:
        yield "No masked string is left anywhere in the text."
    for identification in result.identifications:
        yield identified(identification)
        words = dict.fromkeys(span.of(result.text) for span in identification.telling_words)
        if words and originals:
            yield f"      Telling words: {' · '.join(words)}"
    yield from result.warnings
