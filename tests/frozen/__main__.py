"""``python -m tests.frozen``: all snapshots taken anew."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.frozen import digests


def main() -> None:
    """Take all snapshots anew."""
    with TemporaryDirectory() as folder:
        digests.write(digests.take(Path(folder)))


if __name__ == "__main__":
    main()
