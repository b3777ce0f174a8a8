"""Component of spaCy (extra ``spacy``): spans with their risk, and the sanitized text, on each ``Doc``.

    nlp = spacy.blank("en")
    nlp.add_pipe("tacenda", config={"policy": "default"})
    doc = nlp("Anna Berg was born in Drammen.")
    doc.spans["tacenda"], doc._.tacenda_text

The entry point ``spacy_factories`` names this module, so nothing need be imported. What is found
stands in ``doc.user_data["tacenda"]``, as plain values: it outlives ``DocBin`` and processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from ..document import Document
from ..errors import InputError, MissingExtraError
from ..result import Result
from .loading import LazySanitizer

try:
    from spacy.language import Language
    from spacy.pipeline import Pipe
    from spacy.tokens import Doc, Span
except ImportError as error:
    raise MissingExtraError("the component of spaCy", "spacy") from error

KEY = "tacenda"
"""Name of the factory, of the group of spans, and of the values in ``doc.user_data``."""


class TacendaComponent(Pipe):  # type: ignore[misc]
    """Sanitizes each document of a pipeline; the document itself keeps its text.

    Args:
        name: of the component in its pipeline.
        policy: name of a shipped policy, path of a YAML file, or the fields of a policy.
        spans_key: name of the group of spans.
        threads: number of cores; all cores of this process if None.

    Raises:
        PolicyError: if the policy can't be used.
    """

    def __init__(
        self, name: str, policy: str | dict[str, Any], spans_key: str, threads: int | None
    ) -> None:
        self.name = name
        self._spans_key = spans_key
        self._lazy = LazySanitizer(policy, threads)

    def __call__(self, doc: Any) -> Any:
        """Annotate one document.

        Raises:
            InputError: if it can't be sanitized; it is not annotated then.
        """
        result = self._lazy.results([_document(doc)])[0]
        if isinstance(result, InputError):
            self.get_error_handler()(self.name, self, [doc], result)
        else:
            _annotate(doc, result, self._spans_key)
        return doc

    def pipe(self, stream: Iterable[Any], *, batch_size: int = 128) -> Iterator[Any]:
        """Annotate documents in their order, a batch at a time; one at fault goes to the error handler."""
        documents = iter(stream)
        while batch := list(islice(documents, batch_size)):
            results = self._lazy.results(list(map(_document, batch)))
            for doc, result in zip(batch, results, strict=True):
                if isinstance(result, InputError):
                    self.get_error_handler()(self.name, self, [doc], result)
                    continue
                _annotate(doc, result, self._spans_key)
                yield doc


@Language.factory(
    KEY,
    default_config={"policy": "default", "spans_key": KEY, "threads": None},
    assigns=["doc.spans", "doc._.tacenda_text", "doc._.tacenda_risk", "span._.tacenda_risk"],
)  # type: ignore[untyped-decorator]
def create(
    nlp: Any,  # noqa: ARG001 — spaCy gives it by this name
    name: str,
    policy: str | dict[str, Any],
    spans_key: str,
    threads: int | None,
) -> TacendaComponent:
    """Return a component; spaCy calls it for ``nlp.add_pipe("tacenda")``."""
    return TacendaComponent(name, policy, spans_key, threads)


def _document(doc: Any) -> Document:
    target = doc._.tacenda_target
    return Document("doc", doc.text, (target,) if isinstance(target, str) else tuple(target))


def _annotate(doc: Any, result: Result, spans_key: str) -> None:
    """Set the spans of a document, and what is told of them."""
    doc.user_data[KEY] = {
        "text": result.text,
        "risk": float(result.risk.before),
        "residual": float(result.risk.residual),
        "entities": {
            decision.entity.id: {
                "type": str(decision.entity.type),
                "risk": float(decision.risk),
                "identifier": str(decision.identifier),
                "masked": decision.masked,
                "operator": decision.operator,
            }
            for decision in result.decisions
        },
    }
    # A span that ends inside a token takes all of it: never less than what is masked.
    spans = [
        doc.char_span(
            mention.span.start,
            mention.span.end,
            label=str(entity.type),
            span_id=entity.id,
            alignment_mode="expand",
        )
        for entity in result.entities
        for mention in entity.mentions
    ]
    doc.spans[spans_key] = sorted(spans)


def _of_doc(name: str) -> Any:
    return lambda doc: doc.user_data.get(KEY, {}).get(name)


def _of_span(name: str) -> Any:
    return lambda span: (
        span.doc.user_data.get(KEY, {}).get("entities", {}).get(span.id_, {}).get(name)
    )


for _name in ("text", "risk", "residual", "entities"):
    Doc.set_extension(f"tacenda_{_name}", getter=_of_doc(_name), force=True)
for _name in ("risk", "identifier", "masked", "operator"):
    Span.set_extension(f"tacenda_{_name}", getter=_of_span(_name), force=True)
# Names of the person to protect in a document; set before it comes to the component.
Doc.set_extension("tacenda_target", default=(), force=True)
