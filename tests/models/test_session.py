"""Networks run on this machine and tell nobody."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_a_sanitized_text_leaves_no_trace_outside(tmp_path: Path) -> None:
    """No id of the device, no cache and no report of use is written while a text is sanitized."""
    folders = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"), str(tmp_path))
    variables = {name: value for name, value in os.environ.items() if not name.startswith("ORT_")}
    subprocess.run(
        [
            sys.executable,
            "-c",
            "import tacenda\n"
            "print(tacenda.load(threads=1).sanitize('Anna Berg lives in Oslo.').text)\n"
            "import tacenda.models.networks, time; time.sleep(1)",
        ],
        env=variables | folders,
        check=True,
        capture_output=True,
    )
    assert list(tmp_path.rglob("*")) == []
