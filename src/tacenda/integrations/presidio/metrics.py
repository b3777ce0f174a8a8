"""The service's metrics for Prometheus: counts and times, without text, names or entities.

| metric | |
|---|---|
| ``tacenda_presidio_requests_total{path, status}`` | answers |
| ``tacenda_presidio_request_seconds{path}`` | histogram of their durations |
| ``tacenda_presidio_requests_in_progress`` | concurrent requests |
| ``tacenda_presidio_refused_total{reason}`` | refused: ``busy``, ``timeout``, ``too_large`` |
| ``tacenda_presidio_texts_total``, ``tacenda_presidio_characters_total`` | texts and code points read or written |

Several processes add to files in the folder named by ``PROMETHEUS_MULTIPROC_DIR``, and any of them
answers for all.
"""

from __future__ import annotations

import os

from ...errors import require_extra

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Variable with the folder of figures that processes share."""
_PATHS = frozenset(
    (
        "/analyze",
        "/anonymize",
        "/deanonymize",
        "/supportedentities",
        "/recognizers",
        "/anonymizers",
        "/deanonymizers",
    )
)
_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """The metrics of one service.

    Raises:
        MissingExtraError: if the extra ``service`` isn't installed.
    """

    def __init__(self) -> None:
        require_extra("service", "the Presidio-compatible service", "prometheus_client")
        import prometheus_client

        self._client = prometheus_client
        registry = self._registry = prometheus_client.CollectorRegistry()
        counter = prometheus_client.Counter
        self._requests = counter(
            "tacenda_presidio_requests", "Answers.", ["path", "status"], registry=registry
        )
        self._seconds = prometheus_client.Histogram(
            "tacenda_presidio_request_seconds",
            "Times of requests.",
            ["path"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._in_progress = prometheus_client.Gauge(
            "tacenda_presidio_requests_in_progress",
            "Requests at once.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self._refused = counter(
            "tacenda_presidio_refused", "Refused requests.", ["reason"], registry=registry
        )
        self._texts = counter("tacenda_presidio_texts", "Texts.", registry=registry)
        self._characters = counter(
            "tacenda_presidio_characters", "Code points of texts.", registry=registry
        )

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Count a response; status 0 is one that nobody waited for."""
        # Any other path is the sender's own text.
        label = path if path in _PATHS else "other"
        self._requests.labels(label, str(status)).inc()
        self._seconds.labels(label).observe(seconds)

    def passing(self, change: int) -> None:
        """Count a request that starts (1) or ends (-1)."""
        self._in_progress.inc(change)

    def refuse(self, reason: str) -> None:
        """Count a refused request."""
        self._refused.labels(reason).inc()

    def count_texts(self, texts: int, characters: int) -> None:
        """Count texts and their code points."""
        self._texts.inc(texts)
        self._characters.inc(characters)

    def page(self) -> tuple[bytes, str]:
        """Return the metrics in Prometheus's format, and its media type."""
        registry = self._registry
        if os.environ.get(FOLDER):
            from prometheus_client import multiprocess

            registry = self._client.CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return self._client.generate_latest(registry), self._client.CONTENT_TYPE_LATEST
