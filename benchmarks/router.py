"""Which expert of the recognizer reads which documents.

    python benchmarks/router.py DATA

The share of documents that the expert of everyday text reads, of sets to which the router was not fitted.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tacenda.evaluate.gold import load_gold
from tacenda.models.networks import RecognizerModel
from tacenda_lab.train.corpus import records


def main() -> None:
    data = Path(sys.argv[1])
    model = RecognizerModel.load()
    sets = {
        name: [document.text for document in load_gold(data / name)]
        for name in ("tab/dev.json", "tab/dev_real.json", "wiki/wikireplace_dev.json")
    }
    sets["everyday/dev_everyday"] = [
        str(item["text"]) for item in records(data / "everyday/dev_everyday.jsonl.gz")
    ]
    print("| documents | number | read as everyday text |\n|---|---|---|")
    for name, texts in sets.items():
        share = sum(map(model.is_everyday, texts)) / len(texts)
        print(f"| {name} | {len(texts)} | {share:.3f} |", flush=True)


if __name__ == "__main__":
    main()
