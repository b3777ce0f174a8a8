"""Keys for tests: as random ones look, and in files that nobody else can read."""

from __future__ import annotations

from pathlib import Path

KEY = "0f1c7d2be86a4953b7e05a9c43d18f62"
OTHER_KEY = "93e2a70d5b1f4c86a8d4e61b0c7f2359"


def write_key(path: Path, key: str | bytes = KEY) -> Path:
    """Write a key, or a file of several, for its owner's eyes."""
    path.touch(mode=0o600)
    path.chmod(0o600)
    path.write_bytes(key if isinstance(key, bytes) else key.encode())
    return path
