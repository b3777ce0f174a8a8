"""The filter of logging, and the processors of OpenTelemetry: nothing of a person passes, and nothing raises."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry._logs import LogRecord
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Status, StatusCode

from tacenda.integrations.logging import WITHHELD, SanitizingFilter, ValueSanitizer
from tacenda.integrations.opentelemetry import SanitizingLogProcessor, SanitizingSpanProcessor
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy

MAIL = "anna.berg@posteo.de"
SECRETS = ("anna", "berg", "posteo")


@pytest.fixture(scope="module")
def logs(sanitizer: Sanitizer) -> Sanitizer:
    """Return a sanitizer of logs."""
    return sanitizer.with_policy(Policy.load("logs"))


class Records(logging.Handler):
    """Keeps its records, and what they look like."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture
def logger(logs: Sanitizer) -> Iterator[tuple[logging.Logger, Records, io.StringIO]]:
    """Return a logger, and two handlers with the filter, one of which writes text."""
    stream = io.StringIO()
    handlers = (Records(), logging.StreamHandler(stream))
    logger = logging.getLogger("tests.shop")
    logger.propagate = False
    for handler in handlers:
        handler.addFilter(SanitizingFilter(logs))
        logger.addHandler(handler)
    yield logger, handlers[0], stream
    for handler in handlers:
        logger.removeHandler(handler)


def clean(value: object) -> bool:
    """Tell whether nothing of the person is in the text of a value."""
    return not any(secret in str(value).lower() for secret in SECRETS)


def test_message_and_arguments_are_sanitized(logger: Any) -> None:
    """As one text; the rest of it stays."""
    log, records, stream = logger
    log.warning("user=%s logged in from %s", MAIL, "shop")
    assert clean(stream.getvalue())
    assert "logged in from shop" in stream.getvalue()
    assert clean(vars(records.records[0]))


def test_exceptions_are_sanitized(logger: Any) -> None:
    """Their text, their causes and the stack; handlers can't format them anew."""
    log, records, stream = logger
    try:
        try:
            raise KeyError(MAIL)
        except KeyError as error:
            raise ValueError(f"no account of {MAIL}") from error
    except ValueError:
        log.exception("failed", stack_info=True)
    text = stream.getvalue()
    assert clean(text)
    assert "ValueError" in text
    assert records.records[0].exc_info is None


def test_extras_are_sanitized(logger: Any) -> None:
    """Strings at any depth and objects; numbers and keys stay."""
    log, records, _ = logger
    log.warning("paid", extra={"user": {"mail": [MAIL], "age": 5}, "who": ValueError(MAIL)})
    record = records.records[0]
    assert clean(vars(record))
    assert record.user["age"] == 5


class Hostile:
    """Can't be written."""

    def __str__(self) -> str:
        raise RuntimeError(MAIL)


@pytest.mark.parametrize("arguments", [(1, 2), (Hostile(),)])
def test_a_message_that_fails_is_withheld(logger: Any, arguments: tuple[object, ...]) -> None:
    """It neither ends the program nor shows its arguments."""
    log, _, stream = logger
    log.warning(f"{MAIL} %s", *arguments, extra={"more": Hostile()})
    assert stream.getvalue() == f"{WITHHELD}\n"


def test_a_sanitizer_that_fails_withholds(logs: Sanitizer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it raises, message, exception and extras are replaced."""
    filter = SanitizingFilter(logs)

    def fail(*_: object, **__: object) -> None:
        raise MemoryError(MAIL)

    monkeypatch.setattr(Sanitizer, "pipe", fail)
    try:
        raise ValueError(MAIL)
    except ValueError:
        record = logging.LogRecord("a", 30, "a.py", 1, MAIL, None, sys.exc_info())
    record.__dict__ |= {"who": MAIL, "message": MAIL}
    assert filter.filter(record)
    assert record.getMessage() == WITHHELD
    assert clean(vars(record))


def test_what_is_logged_while_a_record_is_read_is_withheld(logs: Sanitizer) -> None:
    """Else a library that logs would be read for ever."""
    values = ValueSanitizer(logs)
    inner: list[str] = []
    original = values._lazy.results

    def results(documents: Any) -> Any:
        inner.append(values.sanitized(MAIL))
        return original(documents)

    values._lazy.results = results  # type: ignore[method-assign]
    assert clean(values.sanitized(f"to {MAIL}"))
    assert inner == [WITHHELD]


def test_a_span_is_exported_sanitized(logs: Sanitizer) -> None:
    """Name, attributes, events with exceptions, and status; ids, times and numbers stay."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SanitizingSpanProcessor(SimpleSpanProcessor(exporter), logs))
    with provider.get_tracer("shop").start_as_current_span(f"GET /users/{MAIL}") as span:
        span.set_attributes({"user.mail": MAIL, "all": [MAIL, "b"], "count": 3, "ok": True})
        span.add_event(f"mail to {MAIL}", {"to": MAIL})
        span.record_exception(ValueError(MAIL))
        span.set_status(Status(StatusCode.ERROR, f"no {MAIL}"))
        identity = span.get_span_context().span_id
    provider.force_flush()
    (exported,) = exporter.get_finished_spans()
    provider.shutdown()
    assert clean(exported.to_json())
    assert exported.context.span_id == identity
    assert exported.attributes["count"] == 3
    assert exported.attributes["ok"] is True
    assert exported.attributes["all"][1] == "b"
    assert exported.events[1].attributes["exception.type"] == "ValueError"
    assert exported.status.status_code is StatusCode.ERROR
    assert exported.end_time > exported.start_time


def test_a_log_record_is_exported_sanitized(logs: Sanitizer) -> None:
    """Body of any shape and attributes; the record that others see stays."""
    exporter = InMemoryLogRecordExporter()
    provider = LoggerProvider()
    provider.add_log_record_processor(
        SanitizingLogProcessor(SimpleLogRecordProcessor(exporter), logs)
    )
    body = {"user": {"mail": MAIL}, "n": 1, "many": [MAIL]}
    record = LogRecord(body=body, attributes={"user.mail": MAIL, "count": 3})
    provider.get_logger("shop").emit(record)
    provider.force_flush()
    (exported,) = exporter.get_finished_logs()
    provider.shutdown()
    assert clean(exported.log_record.body)
    assert clean(dict(exported.log_record.attributes))
    assert exported.log_record.body["n"] == 1
    assert exported.log_record.attributes["count"] == 3
    assert record.body == body
