"""Span classification: a linear classifier of an entity in its context (``privacy_risk_indicators``, 5.2).

    features     what it looks at: the strings of the entity, the words around its mentions, where
                 they stand, how much they tell
    classifier   ``SpanClassifier``: the indicator

The paper fine-tunes an encoder; this one needs none at run time, and no output of the recognizer,
so that it errs differently and can be fitted to documents that the recognizer has seen.
"""

from __future__ import annotations

from .classifier import SpanClassifier

__all__ = ["SpanClassifier"]
