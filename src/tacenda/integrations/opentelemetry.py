"""OpenTelemetry processors (extra ``otel``): what reaches the exporter is sanitized or withheld.

    provider.add_span_processor(SanitizingSpanProcessor(BatchSpanProcessor(exporter)))
    logs.add_log_record_processor(SanitizingLogProcessor(BatchLogRecordProcessor(exporter)))

Each wraps the processor that exports and passes it a sanitized copy. Other processors of the same
provider see the original.
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import replace
from typing import Any

from ..errors import MissingExtraError
from .loading import PolicySource
from .logging import ValueSanitizer

try:
    from opentelemetry.sdk._logs import LogRecordProcessor
    from opentelemetry.sdk.trace import Event, ReadableSpan, SpanProcessor
    from opentelemetry.trace import Link, Status
except ImportError as error:
    raise MissingExtraError("the processors for OpenTelemetry", "otel") from error


_CLASS = "exception.type"
"""The attribute that holds the name of a class, by OpenTelemetry's semantic conventions."""
_CLASS_NAME = re.compile(
    r"(?:[^\W\d]\w*\.)*[^\W\d]\w*(?:Error|Exception|Warning|Exit|Interrupt)", re.ASCII
)


def _sanitized(values: ValueSanitizer, attributes: Any) -> dict[str, Any]:
    """Return sanitized attributes; the name of an exception class stays."""
    return {
        name: value
        if name == _CLASS and isinstance(value, str) and _CLASS_NAME.fullmatch(value)
        else values.sanitized(value)
        for name, value in (attributes or {}).items()
    }


class _Forwarding:
    """Base class of the processors: passes sanitized data to the next processor."""

    def __init__(
        self, processor: Any, policy: PolicySource = "logs", threads: int | None = 1
    ) -> None:
        self._processor = processor
        self._values = ValueSanitizer(policy, threads)

    def shutdown(self) -> None:
        """Shut the next processor down."""
        self._processor.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Let the next processor export what it has."""
        return bool(self._processor.force_flush(timeout_millis))


class SanitizingSpanProcessor(_Forwarding, SpanProcessor):  # type: ignore[misc]
    """A span processor that sanitizes name, attributes, events, links and status; ids, times and keys stay.

    Args:
        processor: receives the sanitized spans, such as a ``BatchSpanProcessor``.
        policy: name of a shipped policy, path of a YAML file, fields of a policy, or a loaded sanitizer.
        threads: number of cores.

    Raises:
        PolicyError: if the policy can't be used.
    """

    def on_end(self, span: ReadableSpan) -> None:
        """Pass on a sanitized copy."""
        events, links = span.events, span.links
        clean = {
            "name": self._values.sanitized(span.name),
            "attributes": _sanitized(self._values, span.attributes),
            "status": self._values.sanitized(span.status.description),
        }
        copy_of_span = ReadableSpan(
            name=clean["name"],
            context=span.context,
            parent=span.parent,
            resource=span.resource,
            attributes=clean["attributes"],
            events=[
                Event(
                    self._values.sanitized(event.name),
                    _sanitized(self._values, event.attributes),
                    event.timestamp,
                )
                for event in events
            ],
            links=[Link(link.context, _sanitized(self._values, link.attributes)) for link in links],
            kind=span.kind,
            status=Status(span.status.status_code, clean["status"]),
            start_time=span.start_time,
            end_time=span.end_time,
            instrumentation_scope=span.instrumentation_scope,
        )
        self._processor.on_end(copy_of_span)


class SanitizingLogProcessor(_Forwarding, LogRecordProcessor):  # type: ignore[misc]
    """A log record processor that sanitizes body, attributes and event name; ids, times and keys stay.

    Args:
        processor: receives the sanitized records, such as a ``BatchLogRecordProcessor``.
        policy: name of a shipped policy, path of a YAML file, fields of a policy, or a loaded sanitizer.
        threads: number of cores.

    Raises:
        PolicyError: if the policy can't be used.
    """

    def on_emit(self, log_record: Any) -> None:
        """Pass on a sanitized copy."""
        record = copy(log_record.log_record)
        record.body = self._values.sanitized(record.body)
        record.event_name = self._values.sanitized(record.event_name)
        record.attributes = _sanitized(self._values, record.attributes)
        self._processor.on_emit(replace(log_record, log_record=record))
