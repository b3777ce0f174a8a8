"""tacenda: text sanitization that decides by risk, explains every edit and measures itself.

    import tacenda
    sanitizer = tacenda.load()
    result = sanitizer.sanitize(text, target="Mr Galip Yalman")
    print(result.text)
    print(result.explain())

The names in ``__all__`` here and in ``tacenda.documents``, ``annotations``, ``evaluate``,
``reidentify``, ``audit``, ``frames`` and ``restore`` are public; everything else may change in any
version.

Everything is loaded on first use: importing this package imports no model and no runtime.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from .annotations.corpus import AnnotationFormat
    from .checks import Check
    from .deciding import AdditionalParts, Analysis, AssessedResult
    from .detect.detector import Detector
    from .document import (
        Assessment,
        Certainty,
        Combination,
        ConfidentialStatus,
        Decision,
        Document,
        Effect,
        Entity,
        Evidence,
        Identification,
        IdentifierType,
        LanguagePart,
        Leak,
        LossBound,
        Mention,
        MentionSource,
        Option,
        Protected,
        Reason,
        Replacement,
        Risk,
        RuleKind,
        SemanticType,
        Span,
    )
    from .documents.formats import DocumentFormat
    from .errors import (
        InputError,
        LeakError,
        MissingExtraError,
        MissingLabError,
        ModelError,
        OutputError,
        PluginError,
        PolicyError,
        Remedy,
        SearchError,
        TacendaError,
    )
    from .integrations.guard import GuardSession, GuardStream, guard
    from .pipeline import Sanitizer, load
    from .policy import OperatorRule, Policy, Rule
    from .result import Result
    from .rewrite.edits import Operator
    from .rewrite.generalize.candidates import Generalisation, Noun, Ontology
    from .rewrite.polish import PolishCounts, SentenceEditor
    from .risk.indicators import CombinationIndicator, Finding, Indicator

_MODULES = {
    "annotations.corpus": "AnnotationFormat",
    "checks": "Check",
    "deciding": "AdditionalParts Analysis AssessedResult",
    "detect.detector": "Detector",
    "document": """
        Assessment Certainty Combination ConfidentialStatus Decision Document Effect Entity
        Evidence Identification IdentifierType LanguagePart Leak LossBound Mention MentionSource
        Option Protected Reason Replacement Risk RuleKind SemanticType Span""",
    "documents.formats": "DocumentFormat",
    "errors": """
        InputError LeakError MissingExtraError MissingLabError ModelError OutputError PluginError
        PolicyError Remedy SearchError TacendaError""",
    "integrations.guard": "GuardSession GuardStream guard",
    "pipeline": "Sanitizer load",
    "policy": "OperatorRule Policy Rule",
    "result": "Result",
    "rewrite.edits": "Operator",
    "rewrite.generalize.candidates": "Generalisation Noun Ontology",
    "rewrite.polish": "PolishCounts SentenceEditor",
    "risk.indicators": "CombinationIndicator Finding Indicator",
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = [
    "AdditionalParts",
    "Analysis",
    "AnnotationFormat",
    "AssessedResult",
    "Assessment",
    "Certainty",
    "Check",
    "Combination",
    "CombinationIndicator",
    "ConfidentialStatus",
    "Decision",
    "Detector",
    "Document",
    "DocumentFormat",
    "Effect",
    "Entity",
    "Evidence",
    "Finding",
    "Generalisation",
    "GuardSession",
    "GuardStream",
    "Identification",
    "IdentifierType",
    "Indicator",
    "InputError",
    "LanguagePart",
    "Leak",
    "LeakError",
    "LossBound",
    "Mention",
    "MentionSource",
    "MissingExtraError",
    "MissingLabError",
    "ModelError",
    "Noun",
    "Ontology",
    "Operator",
    "OperatorRule",
    "Option",
    "OutputError",
    "PluginError",
    "Policy",
    "PolicyError",
    "PolishCounts",
    "Protected",
    "Reason",
    "Remedy",
    "Replacement",
    "Result",
    "Risk",
    "Rule",
    "RuleKind",
    "Sanitizer",
    "SearchError",
    "SemanticType",
    "SentenceEditor",
    "Span",
    "TacendaError",
    "__version__",
    "guard",
    "load",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'tacenda' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
