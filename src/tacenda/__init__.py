"""tacenda: text sanitization that decides by risk, explains every edit and measures itself.

    import tacenda
    sanitizer = tacenda.load()
    result = sanitizer.sanitize(text, target="Mr Galip Yalman")
    print(result.text)
    print(result.explain())

Nothing is loaded before it is used: importing this package imports no model and no runtime.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from .document import (
        Assessment,
        ConfidentialStatus,
        Decision,
        Document,
        Entity,
        Evidence,
        IdentifierType,
        Leak,
        Mention,
        Replacement,
        Risk,
        SemanticType,
        Span,
    )
    from .errors import InputError, MissingExtraError, ModelError, PolicyError, TacendaError
    from .pipeline import Sanitizer, load
    from .policy import Policy
    from .result import Result

_MODULES = {
    "document": (
        "Assessment",
        "ConfidentialStatus",
        "Decision",
        "Document",
        "Entity",
        "Evidence",
        "IdentifierType",
        "Leak",
        "Mention",
        "Replacement",
        "Risk",
        "SemanticType",
        "Span",
    ),
    "errors": ("InputError", "MissingExtraError", "ModelError", "PolicyError", "TacendaError"),
    "policy": ("Policy",),
    "result": ("Result",),
    "pipeline": ("Sanitizer", "load"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Assessment",
    "ConfidentialStatus",
    "Decision",
    "Document",
    "Entity",
    "Evidence",
    "IdentifierType",
    "InputError",
    "Leak",
    "Mention",
    "MissingExtraError",
    "ModelError",
    "Policy",
    "PolicyError",
    "Replacement",
    "Result",
    "Risk",
    "Sanitizer",
    "SemanticType",
    "Span",
    "TacendaError",
    "__version__",
    "load",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'tacenda' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
