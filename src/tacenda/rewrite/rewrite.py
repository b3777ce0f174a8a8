"""Applies the edits, with each one's offsets in the original and in the output."""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .. import plugins
from ..document import (
    Decision,
    Document,
    Entity,
    LanguagePart,
    Option,
    Replacement,
    SemanticType,
    Span,
)
from ..errors import InputError
from ..models.text_language import language_of
from ..plugins import plugin_failures, plugin_fault
from ..policy import Policy
from ..sealing import Cipher, document_seal, find_tokens, write_token
from ..text.matching import Searcher
from ..text.names import is_initial, parse_name, without_possessive
from ..text.normal_form import fold_text
from ..text.passages import on_one_line
from ..text.surface_forms import leak_forms
from .edits import MASK, BuiltInOperator, Edit, Operator, Suppress, apply_edits, edits
from .generalize.amount_groups import join_amounts
from .generalize.candidates import REVIEWER, SUPPRESSION
from .generalize.date_groups import join_dates
from .generalize.grammar import own_words, realise
from .generalize.kept import VERBATIM
from .generalize.neighbours import join_phrases, without_brackets
from .generalize.nouns import fix_articles
from .generalize.options import PERSON_SOURCE
from .identities import KnownIdentities
from .neutral import SEX, neutral_edits, telling_words
from .tags import Tag, is_tag, number_tags, numbers_of_dates, part_tags

# Operators: the texts that replace masked entities.


# *Pseudonym*: the same replacement for the same name in every document under one key.
#
# HMAC-SHA256 of the semantic type and the entity's canonical form, cut to 40 bits and written in
# base32: among 10,000 different entities the odds that any two share a pseudonym are about
# 1 in 20,000. Without the key nothing can be told from it; with the key a guess can be tested.
#
# The canonical form of a person is the fullest of the names in the document, folded and without
# titles: "Mr Yalman" and "Galip Yalman" of one document get one pseudonym. A document that knows
# him only as "Mr Yalman" gives another one: a surname alone may be anyone's, and two people under
# one pseudonym are worse than one person under two.


_BYTES = 5
_WORD = re.compile(r"[^\W_]+")


class _Keyed(BuiltInOperator):
    """An operator that writes an entity's digest under a key.

    Args:
        key: the secret, at least 16 bytes (checked by the policy).
    """

    def __init__(self, key: bytes) -> None:
        self._key = key


class Pseudonym(_Keyed):
    """The operator that writes ``[PERSON 7K2QF4XA]``."""

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return the entity's type and the keyed digest of its canonical form."""
        return f"[{entity.type} {digest(self._key, message(document, entity))}]"


def digest(key: bytes, message: bytes) -> str:
    """Return the eight characters of a keyed digest."""
    return base64.b32encode(hmac.digest(key, message, "sha256")[:_BYTES]).decode()


def keyed_identifier(key: bytes, value: str) -> str:
    """Return the pseudonym of an identifier that isn't text, such as a patient number: ``[ID …]``."""
    message = f"ID\0{value}".encode("utf-8", "surrogatepass")
    return f"[ID {digest(key, message)}]"


def message(document: Document, entity: Entity) -> bytes:
    """Return the input of the hash, which is the same for the same name and type in every document."""
    return f"{entity.type}\0{canonical(document, entity)}".encode("utf-8", "surrogatepass")


def canonical(document: Document, entity: Entity) -> str:
    """Return the canonical form of the entity's name, which is the same wherever the name is."""
    strings = {mention.span.of(document.text) for mention in entity.mentions}
    forms = {_words(string, entity.type) for string in strings}
    # The form with the most full names, then the longest, then the alphabetically first; never by
    # the order in the text.
    words = max(
        forms, key=lambda form: (sum(len(word) > 1 for word in form), len("".join(form)), form)
    )
    name = ("" if entity.type is SemanticType.CODE else " ").join(words)
    # Strings of only symbols stay unchanged.
    return name or max(strings)


def _words(string: str, type: SemanticType) -> tuple[str, ...]:
    folded = without_possessive(fold_text(string).strip())
    if type is SemanticType.PERSON and (name := parse_name(folded)) is not None:
        return tuple(word.rstrip(".") if is_initial(word) else word for word in name.tokens)
    words = _WORD.findall(folded)
    return tuple(words[1:] if words[:1] == ["the"] and len(words) > 1 else words)


# *Hash*: the whole keyed digest of a name, to join documents by it.
#
# HMAC-SHA256 (RFC 2104) of the semantic type and the entity's canonical form, as for a pseudonym
# but uncut: 64 hexadecimal digits, which no two names of the world share.


class Hash(_Keyed):
    """The operator that writes ``[PERSON 5994471a…]``."""

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return the entity's type and the keyed digest of its canonical form."""
        digest = hmac.digest(self._key, b"hash\0" + message(document, entity), "sha256")
        return f"[{entity.type} {digest.hex()}]"


# *Generalize*: something true and less specific, such as ``[date in the 1990s]``.


class Generalize(BuiltInOperator):
    """The operator that writes an entity's chosen option, fitted to the grammar of its sentence.

    Options are in English; in parts in other languages, the type's tag is written instead.

    Args:
        choices: options by entity id; other entities are suppressed.
        foreign: the parts in other languages.
        tag: what to write there.
    """

    by_string = True

    def __init__(
        self, choices: Mapping[str, Option], foreign: Sequence[LanguagePart], tag: Tag
    ) -> None:
        self._choices, self._foreign, self._tag = choices, foreign, tag

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return the entity's option in square brackets, fitted to the grammar of the place."""
        option = self._choices.get(entity.id)
        if option is None or option.text == MASK:
            return MASK
        if option.source == REVIEWER:
            return f"[{option.text}]"
        if any(part.span.overlaps(span) for part in self._foreign):
            return self._tag.write(document, entity, span)
        if option.source in VERBATIM:
            return own_words(span.of(document.text), option.text)
        return realise(document.text, span, _type_written(entity, option), option)


def _type_written(entity: Entity, option: Option | None) -> SemanticType:
    """Return the type of what is written: for a person, it may say what the person is rather than who."""
    if entity.type is not SemanticType.PERSON or option is None:
        return entity.type
    return entity.type if option.source in (PERSON_SOURCE, SUPPRESSION) else SemanticType.DEM


# *Encrypt*: the string itself, sealed, so that whoever has the key gets the document back.
#
# AES-SIV binds each string to its document; see ``sealing``.


class Clear(BuiltInOperator):
    """The operator that writes the string itself, as after decrypting the tokens of *encrypt*."""

    by_string = True
    divides = True

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return the original string."""
        return span.of(document.text)


class Encrypt(BuiltInOperator):
    """The operator that writes ``[PERSON e1.MFRGG…]``.

    Args:
        key: the secret, at least 16 bytes (checked by the policy).
        plaintext: text of the document after decrypting all its tokens.

    Raises:
        MissingExtraError: if ``cryptography`` is not installed.
    """

    by_string = True
    divides = True

    def __init__(self, key: bytes, plaintext: str) -> None:
        self._cipher = Cipher(key, "encrypt")
        self._seal = document_seal(key, plaintext)

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return the token of the original string."""
        return write_token(self._cipher, self._seal, entity.type, span.of(document.text))


def refuse_foreign_tokens(
    document: Document, text: str, replacements: Sequence[Replacement]
) -> None:
    """Raise InputError for a string that looks like a token: it would be mistaken for one of ours.

    Raises:
        InputError: names the offset in the output.
    """
    places = {(edit.output_start, edit.output_end) for edit in replacements}
    for token in find_tokens(text):
        if (token.start, token.end) not in places:
            raise InputError(
                f"offset {token.start} of the output already has what looks like a token of "
                "encrypt; restore the document first, or choose another operator",
                document.id,
            )


# Operators from plug-ins: their texts must not contain the replaced string.


class PluginOperator:
    """A plug-in's operator, restricted to text without names of the entity.

    Verification skips the texts of operators, so they must not contain any string by which the
    document names the entity.

    Args:
        operator: the plug-in's operator.
        name: its label for messages.
    """

    def __init__(self, operator: Operator, name: str) -> None:
        self._operator, self._name = operator, name
        self.joins, self.by_string = operator.joins, operator.by_string
        self.divides = operator.divides

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return the text that replaces ``span``, on one line.

        Raises:
            InputError: if the operator fails, or its text isn't a string or contains a name of the
                entity.
        """
        with plugin_failures(self._name, document.id):
            text = self._operator.write(document, entity, span)
        if not isinstance(text, str):
            raise plugin_fault(self._name, f"writes {type(text).__name__}, no text", document.id)
        surfaces = {(mention.span.of(document.text), mention.type) for mention in entity.mentions}
        forms = [form for surface in sorted(surfaces) for form in leak_forms(*surface)]
        if next(iter(Searcher(forms).find(text)), None) is not None:
            raise plugin_fault(self._name, f"writes a name of {entity.id} again", document.id)
        return on_one_line(text)


_DIFFERENT = 2
"""Dates moved by one number that have a difference to be found by."""


def rewrite(
    document: Document,
    decisions: Sequence[Decision],
    policy: Policy,
    foreign: Sequence[LanguagePart] = (),
    known: KnownIdentities | None = None,
) -> tuple[str, tuple[Replacement, ...]]:
    """Return the sanitized text and every edit, in text order.

    Args:
        document: the document.
        decisions: the decisions about it.
        policy: the policy, with its operators and their settings.
        foreign: the parts that aren't in English, in order; English grammar isn't applied there.
        known: what is written for entities in the project's other documents.

    Raises:
        PolicyError: if an operator needs a key and the policy has no usable one.
        MissingExtraError: if a package for an operator is not installed.
        PluginError: if a plug-in's operator can't be loaded.
        InputError: if *encrypt* is used and the document has a string that looks like one of its
            tokens, or a plug-in's operator fails.
    """
    needed = {decision.operator for decision in decisions if decision.masked}
    context = _Context(document, decisions, policy, foreign, known or KnownIdentities())
    operators = {name: _operator(name, context) for name in sorted(needed - {"encrypt"})}
    if policy.surrogate_all_or_tags and "surrogate" in needed:
        opened = operators | {"encrypt": Clear()}
        _, replacements = _applied(context, opened)
        if _without_surrogate(decisions, replacements):
            operators["surrogate"] = _operator("tag", context)
    if "encrypt" not in needed | policy.operator_names:
        return _applied(context, operators)

    if "encrypt" in needed:
        opened = operators | {"encrypt": Clear()}
        plaintext, _ = _applied(context, opened)
        operators["encrypt"] = Encrypt(policy.key(), plaintext)
    text, replacements = _applied(context, operators)
    refuse_foreign_tokens(document, text, replacements)
    return text, replacements


def warnings(
    text: str,
    decisions: Sequence[Decision],
    replacements: Sequence[Replacement],
    policy: Policy,
) -> tuple[str, ...]:
    """Return warnings for the user about a sanitized text and its edits, one sentence each."""
    return (
        *_of_white_space(decisions, replacements),
        *_of_dates(decisions, replacements, policy),
        *_of_surrogates(decisions, replacements, policy),
        *_of_neutral_wording(text, decisions, replacements, policy),
    )


def _without_surrogate(
    decisions: Sequence[Decision], replacements: Sequence[Replacement]
) -> tuple[str, ...]:
    """Return the distinct tags written where *surrogate* has no value, in order."""
    ids = {item.entity.id for item in decisions if item.masked and item.operator == "surrogate"}
    tags = (e.text for e in replacements if is_tag(e.text) and not ids.isdisjoint(e.entity_ids))
    return tuple(dict.fromkeys(tags))


def _of_surrogates(
    decisions: Sequence[Decision], replacements: Sequence[Replacement], policy: Policy
) -> Iterator[str]:
    """Yield a warning about what has no surrogate, if some things have one."""
    tags = _without_surrogate(decisions, replacements)
    if tags and not policy.surrogate_all_or_tags:
        yield (
            f"No surrogate is good enough for {', '.join(tags)}. With surrogate_all_or_tags in the policy "
            "(--surrogate-all-or-tags) the whole document gets tags instead."
        )


def _of_neutral_wording(
    text: str,
    decisions: Sequence[Decision],
    replacements: Sequence[Replacement],
    policy: Policy,
) -> Iterator[str]:
    """Yield a warning about what still reveals a sex, if the policy wants a neutral text."""
    if SEX not in policy.neutral:
        return
    spans = [Span(e.output_start, e.output_end) for e in replacements if e.text and e.entity_ids]
    places = [
        str(word.start)
        for word in telling_words(text)
        if not any(word.overlaps(span) for span in spans)
    ]
    if places:
        yield (
            f"{len(places)} words tell a sex and have no neutral form; they are left at offsets "
            f"{', '.join(places)} of the output. A deny list masks them."
        )
    if any(
        decision.masked
        and decision.operator == "surrogate"
        and decision.entity.type is SemanticType.PERSON
        for decision in decisions
    ):
        yield (
            "Surrogates of names reveal the sex of the people they replace; use another operator for PERSON."
        )


def _of_white_space(
    decisions: Sequence[Decision], replacements: Sequence[Replacement]
) -> Iterator[str]:
    """Yield a warning about masked entities that have nothing to replace."""
    ids = {id for edit in replacements for id in edit.entity_ids}
    count = sum(item.masked and item.entity.id not in ids for item in decisions)
    if count:
        yield f"Masked entities that are only white space were not replaced: {count}."


def _of_dates(
    decisions: Sequence[Decision], replacements: Sequence[Replacement], policy: Policy
) -> tuple[str, ...]:
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
        "finds the document by the days between them. Without dates: shift in the policy they keep "
        "their order alone.",
    )


@dataclass(frozen=True, slots=True)
class _Context:
    """The context in which an operator is made."""

    document: Document
    decisions: Sequence[Decision]
    policy: Policy
    foreign: Sequence[LanguagePart]
    known: KnownIdentities


def _generalize(context: _Context) -> Operator:
    choices = {item.entity.id: item.choice for item in context.decisions if item.choice is not None}
    # Tags are only written in parts in other languages.
    tag = _tag(context) if context.foreign else Tag()
    return Generalize(choices, context.foreign, tag)


def _tag(context: _Context) -> Tag:
    numbers = numbers_of_dates(context.document, context.decisions)
    return Tag({**numbers, **context.known.numbers}, context.policy.tag_language)


def _surrogate(context: _Context) -> Operator:
    from .surrogate.operator import Surrogate

    policy = context.policy
    return Surrogate(
        policy.key(),
        context.document,
        context.decisions,
        policy.dates,
        policy.background,
        _tag(context),
        language_of(context.document),
        policy.surrogate_culture,
        context.known,
    )


REGISTRY: Mapping[str, Callable[[_Context], Operator]] = {
    "suppress": lambda _: Suppress(),
    "tag": _tag,
    "pseudonym": lambda context: Pseudonym(context.policy.key()),
    "generalize": _generalize,
    "surrogate": _surrogate,
    "hash": lambda context: Hash(context.policy.key()),
}
"""The built-in operators; *encrypt* is made of what the others write."""


def _operator(name: str, context: _Context) -> Operator:
    """Return the operator with a name, either built in or from a plug-in."""
    factory = REGISTRY.get(name)
    if factory is not None:
        return factory(context)
    part = f"operator {name!r}"
    return PluginOperator(plugins.create(plugins.OPERATORS, name, part, context.policy), part)


def _is_foreign(entity: Entity, foreign: Sequence[LanguagePart]) -> bool:
    """Return whether a mention of an entity is in a part in another language."""
    return any(part.span.overlaps(mention.span) for part in foreign for mention in entity.mentions)


def _applied(
    context: _Context, operators: Mapping[str, Operator]
) -> tuple[str, tuple[Replacement, ...]]:
    document, decisions = context.document, context.decisions
    policy, foreign = context.policy, context.foreign
    # Entities in English parts that had options, even if *** was chosen.
    native = [item for item in decisions if item.options and not _is_foreign(item.entity, foreign)]
    types = {item.entity.id: _type_written(item.entity, item.choice) for item in native}
    choices = {
        item.entity.id: item.choice
        for item in native
        if item.operator == "generalize"
        and item.choice is not None
        and item.choice.source not in {REVIEWER, *VERBATIM}
        and item.entity.type in (SemanticType.DATETIME, SemanticType.QUANTITY)
    }
    dated = join_dates(document.text, edits(document, decisions, operators), choices)
    changes = join_amounts(document.text, dated, choices, SEX not in policy.neutral)
    changes = part_tags(document.text, join_phrases(document.text, changes, types))
    given = {item.entity.type for item in decisions if item.entity.id in context.known.numbers}
    changes = number_tags(document.text, changes, given)
    operators_of_words = {"surrogate", "tag" if policy.tag_language == "en" else ""}
    worded = {item.entity.id for item in decisions if item.operator in operators_of_words}
    fixed = list(fix_articles(document.text, changes, types.keys() | worded, foreign))
    if policy.brackets != "square":
        fixed = [without_brackets(edit, types, policy.brackets == "italics") for edit in fixed]
    wording = neutral_edits(document.text, policy.neutral, [edit.span for edit in fixed])
    fixed += [Edit(span, text, ()) for span, text in wording]
    return apply_edits(document.text, fixed)
