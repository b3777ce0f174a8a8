"""A scikit-learn transformer (extra ``sklearn``) that sanitizes texts for a pipeline that learns from them.

make_pipeline(TextSanitizer("default"), TfidfVectorizer(), LogisticRegression())
"""

from __future__ import annotations

from typing import Any

from ..document import Document
from ..errors import InputError, MissingExtraError
from .loading import LazySanitizer, PolicySource

try:
    import numpy as np
    from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
    from sklearn.utils.validation import check_is_fitted
except ImportError as error:
    raise MissingExtraError("the transformer for scikit-learn", "sklearn") from error


class TextSanitizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Transforms a list of texts, or a frame with text columns; it learns nothing from them.

    Args:
        policy: name of a shipped policy, path of a YAML file, fields of a policy, or a loaded sanitizer.
        threads: number of cores; all cores of this process if None.
    """

    def __init__(self, policy: PolicySource = "default", threads: int | None = None) -> None:
        self.policy = policy
        self.threads = threads

    def fit(self, X: Any, y: Any = None) -> TextSanitizer:
        """Check the policy, and remember the number and names of columns.

        Raises:
            PolicyError: if the policy can't be used.
        """
        self.lazy_ = LazySanitizer(self.policy, self.threads)
        columns = getattr(X, "columns", None)
        if columns is not None:
            self.feature_names_in_ = np.asarray(columns, dtype=object)
        shape = _array(X).shape
        self.n_features_in_ = shape[1] if len(shape) == 2 else 1
        return self

    def transform(self, X: Any) -> Any:
        """Return sanitized texts as an array of the same shape; missing texts stay missing.

        Raises:
            InputError: at the first that is not text, or can't be sanitized.
        """
        check_is_fitted(self, "lazy_")
        cells = _array(X)
        clean = np.full(cells.shape, None, dtype=object)
        places: list[tuple[int, ...]] = []
        documents: list[Document] = []
        for place, value in np.ndenumerate(cells):
            name = f"text{list(place)}"
            if isinstance(value, str):
                places.append(place)
                documents.append(Document(name, value))
            elif value is not None and value == value:  # NaN differs from itself.
                raise InputError(f"is {type(value).__name__}, not text.", name)
        for place, result in zip(places, self.lazy_.results(documents), strict=True):
            if isinstance(result, InputError):
                raise result
            clean[place] = result.text
        return clean


def _array(values: Any) -> Any:
    array = np.asarray(values, dtype=object)
    if array.ndim not in (1, 2):
        raise InputError(f"has {array.ndim} dimensions; a list of texts or a frame is needed.")
    return array
