"""The values that were used last."""

from __future__ import annotations

from tacenda.app.listening import is_loopback
from tacenda.memory import LruCache
from tests.examples import for_each


def test_what_was_not_asked_for_longest_is_forgotten() -> None:
    """Of three values in a place for two, the one used least lately goes."""
    recent: LruCache[str, int] = LruCache(2)
    recent.get_or_compute("a", lambda: 1)
    recent.get_or_compute("b", lambda: 2)
    assert recent.get_or_compute("a", lambda: 99) == 1
    recent.put("c", 3)
    assert (recent.get("a"), recent.get("b"), recent.get("c")) == (1, None, 3)
    recent.forget(lambda key: key == "a")
    assert recent.get("a") is None


@for_each(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.4", False),
        ("localhost.example.org", False),
    ],
)
def test_only_loopback_is_this_machine(host: str, expected: bool) -> None:
    """Every other address may be reached by others."""
    assert is_loopback(host) is expected
