"""Official figures on the development documents, by the commands a user would type.

    python benchmarks/quality.py DATA

Prints one row a corpus: what `tacenda sanitize --to masks` masks, scored by `tacenda evaluate`, with intervals of 95 %.
No document of these corpora was trained on, and one default threshold serves both.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

CORPORA = ("tab/dev_real.json", "tab/dev.json", "wiki/wikireplace_dev.json")
KEYS = (
    "token_recall",
    "entity_recall_direct",
    "entity_recall_quasi",
    "token_precision",
    "token_f1",
)


def tacenda(*arguments: str) -> str:
    command = [sys.executable, "-m", "tacenda", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main() -> None:
    data = Path(sys.argv[1])
    extra = sys.argv[2:]
    print("| corpus | documents | R | ER_di | ER_qi | P | F1 |\n|---|---|---|---|---|---|---|")
    for corpus in CORPORA:
        gold = str(data / corpus)
        with tempfile.TemporaryDirectory() as folder:
            masks = Path(folder) / "masks.json"
            tacenda("sanitize", gold, "--to", "masks", "-o", str(masks), *extra)
            scores = json.loads(
                tacenda("evaluate", gold, str(masks), "--bootstrap", "1000", "--json")
            )
        ends = scores["intervals"]
        row = " | ".join(
            f"{scores[key]:.3f} [{ends[key][0]:.3f}, {ends[key][1]:.3f}]" for key in KEYS
        )
        print(f"| {corpus} | {scores['documents']} | {row} |", flush=True)


if __name__ == "__main__":
    main()
