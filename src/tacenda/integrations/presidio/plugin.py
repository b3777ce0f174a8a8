"""Parts for your own Presidio (extra ``presidio``): a recognizer for its analyzer, operators for its anonymizer.

    import tacenda.integrations.presidio.plugin as tacenda
    registry.add_recognizer(tacenda.TacendaRecognizer(policy="default"))
    anonymizer.add_anonymizer(tacenda.GeneralizeOperator)

Once this module is imported, a registry's YAML can use ``{name: TacendaRecognizer, type:
predefined}``.

A Presidio operator sees only one string and the name of its entity. So ``tacenda_tag`` numbers
distinct strings and can't tell whose surname it sees, and surrogates are consistent only through
their key. If that matters, let tacenda write the text (``tacenda.load().sanitize``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from ...deciding import Analysis, complete
from ...document import Document, Mention, MentionSource, Span
from ...errors import InputError, MissingExtraError
from ...policy import Policy
from ...wording import tag_words
from ..loading import LazySanitizer, PolicySource
from .entities import NAMES, name_among, names_of, type_named

try:
    from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult
    from presidio_anonymizer.entities import InvalidParamError
    from presidio_anonymizer.operators import Operator, OperatorType
except ImportError as error:
    raise MissingExtraError("the plug-in for Presidio", "presidio") from error


class TacendaRecognizer(EntityRecognizer):  # type: ignore[misc]
    """A Presidio recognizer: what the policy masks, with the probability of its entity as the score.

    Args:
        supported_entities: Presidio's names; by default all that tacenda knows.
        supported_language: the language as the registry names it.
        name: name of the recognizer in the registry.
        context: ignored; for registries that pass it.
        policy: name of a shipped policy, path of a YAML file, fields of a policy, or a loaded sanitizer.
        threads: number of cores; all cores of this process if None.

    Raises:
        PolicyError: if the policy can't be used.
    """

    def __init__(
        self,
        supported_entities: list[str] | None = None,
        supported_language: str = "en",
        name: str = "TacendaRecognizer",
        context: list[str] | None = None,
        policy: PolicySource = "default",
        threads: int | None = None,
    ) -> None:
        self._lazy = LazySanitizer(policy, threads)
        super().__init__(
            supported_entities=supported_entities or list(NAMES),
            supported_language=supported_language,
            name=name,
            context=context,
        )

    def load(self) -> None:
        """Do nothing; weights are loaded at the first text."""

    def analyze(
        self, text: str, entities: Sequence[str], nlp_artifacts: Any = None
    ) -> list[RecognizerResult]:
        """Return the detections to mask, for the requested entities.

        Raises:
            InputError: if the text can't be read, since an empty result would mean that there is
                nothing to mask.
        """
        result = self._lazy.results([Document("text", text)])[0]
        if isinstance(result, InputError):
            raise result
        results = []
        for decision in result.decisions if text else ():
            for mention in decision.entity.mentions if decision.masked else ():
                names = names_of(mention, text)
                if name := name_among(names, entities) if entities else names[0]:
                    explanation = AnalysisExplanation(
                        recognizer=self.name,
                        original_score=float(decision.risk),
                        textual_explanation=mention.kind or str(mention.source),
                    )
                    results.append(
                        RecognizerResult(
                            entity_type=name,
                            start=mention.span.start,
                            end=mention.span.end,
                            score=float(decision.risk),
                            analysis_explanation=explanation,
                            recognition_metadata={
                                RecognizerResult.RECOGNIZER_NAME_KEY: self.name,
                                RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
                            },
                        )
                    )
        return results


class _TacendaOperator(Operator):  # type: ignore[misc]
    """An operator that handles each string on its own."""

    name: ClassVar[str]

    def operator_name(self) -> str:
        """Return its name in Presidio."""
        return self.name

    def operator_type(self) -> OperatorType:
        """Return that it anonymizes."""
        return OperatorType.Anonymize

    def validate(self, params: Mapping[str, Any] | None = None) -> None:
        """Accept all parameters; operators that need some check them."""


class TagOperator(_TacendaOperator):
    """``tacenda_tag``: ``[PERSON 1]``, the same for the same string.

    Its parameter ``numbers`` is an initially empty dictionary, one per document (or conversation).
    Afterwards it contains originals, so protect it as you protect them. ``language`` is the code of
    the language for tags, by default ``en``.
    """

    name = "tacenda_tag"

    def validate(self, params: Mapping[str, Any] | None = None) -> None:
        """Check that the dictionary is given.

        Raises:
            InvalidParamError: if it is missing.
        """
        if not isinstance((params or {}).get("numbers"), dict):
            raise InvalidParamError("tacenda_tag needs the parameter numbers, a dictionary.")

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        """Return the tag of a string."""
        parameters = params or {}
        words = tag_words(parameters.get("language", "en"))
        word = words[type_named(parameters.get("entity_type", ""))]
        strings = parameters["numbers"].setdefault(word, {})
        return f"[{word} {strings.setdefault(' '.join(text.split()).casefold(), len(strings) + 1)}]"


class GeneralizeOperator(_TacendaOperator):
    """``tacenda_generalize``: what the string is, as long as that singles nobody out."""

    name = "tacenda_generalize"

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        """Return a string's generalization; ``***`` if there is none."""
        return _alone(
            text, (params or {}).get("entity_type", ""), _policy("generalize", None, None)
        )


class SurrogateOperator(_TacendaOperator):
    """``tacenda_surrogate``: another name, place or number of its kind.

    With the parameter ``key_env`` or ``key_file``, which names a key of at least 16 bytes, the same
    string always gets the same surrogate.
    """

    name = "tacenda_surrogate"

    def validate(self, params: Mapping[str, Any] | None = None) -> None:
        """Check that a key is named.

        Raises:
            InvalidParamError: if it is missing.
        """
        if not {"key_env", "key_file"} & (params or {}).keys():
            raise InvalidParamError("tacenda_surrogate needs the parameter key_env or key_file.")

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        """Return a string's surrogate."""
        parameters = params or {}
        policy = _policy("surrogate", parameters.get("key_env"), parameters.get("key_file"))
        return _alone(text, parameters.get("entity_type", ""), policy)


@lru_cache(maxsize=16)
def _policy(operator: str, key_env: str | None, key_file: str | None) -> Policy:
    fields: dict[str, Any] = {"operator": operator, "recognizer": False, "threshold": 0.5}
    key = {"key_env": key_env} if key_env else {"key_file": key_file} if key_file else {}
    return Policy.build(**fields, **key, propagate=False, brackets="none")


def _alone(text: str, name: str, policy: Policy) -> str:
    """Return a policy's replacement for an entity's string; ``***`` if it would still reveal it."""
    if not text.strip():
        return text
    document = Document("text", text)
    type = type_named(name)
    mention = Mention(Span(0, len(text)), type, 1.0, 1.0, MentionSource.PLUGIN)
    result = complete(Analysis(document, (mention,)), policy, 0.5).sanitized
    return "***" if result.leaks or text in result.text else result.text
