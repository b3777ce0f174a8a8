"""Digests of what becomes of documents under the shipped policies and with each operator.

Two cases take all 30 documents, the others a third each, in turn.

A digest is one of the text, of what was replaced and of what was decided, without numbers and sentences. It
holds wherever the recognizer computes the same last bits (one kind of processor, one release of the runtime)
and the same surrogates are drawn from (one release of Faker); elsewhere a document or two may differ. A
``Machine`` tells which it is.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.frozen.shell import tacenda
from tests.keys import write_key

DOCUMENTS = Path(__file__).parent / "documents.jsonl"
SNAPSHOT = Path(__file__).parent / "snapshots" / "digests.json"
OPERATORS = ("suppress", "tag", "pseudonym", "generalize", "surrogate", "hash", "encrypt")
TARGETS = (
    "Mrs Oyinkan Balogun-Reid",
    "Ilyas Elmi Hode",
    "Galip Yalman",
    "Agnieszka Kowalska-Brandt",
)
"""People to protect; each is in one or two documents."""

_FEATURES = ("avx2", "avx512f", "avx_vnni", "avx512_vnni", "amx_int8")

Digests = dict[str, dict[str, str]]
"""By policy and operator, such as "strict tag" or "default", and by document."""
Case = tuple[str, str | None]
"""Name of a policy, and an operator instead of its own."""

CASES: tuple[Case, ...] = (
    ("default", None),
    ("strict", "suppress"),
    ("default", "tag"),
    ("strict", "surrogate"),
    ("strict", "hash"),
    ("lenient", "generalize"),
    ("lenient", "pseudonym"),
    ("lenient", "encrypt"),
)


@dataclass(frozen=True, slots=True)
class Machine:
    """What the last bits of a probability, and the names of surrogates, depend on."""

    processor: str
    onnxruntime: str
    faker: str

    @classmethod
    def here(cls) -> Machine:
        """The one that this runs on."""
        cpuinfo = Path("/proc/cpuinfo")
        flags = set(cpuinfo.read_text("utf-8").split()) if cpuinfo.is_file() else set()
        features = [name for name in _FEATURES if name in flags]
        return cls(
            " ".join((platform.system(), platform.machine(), *features)),
            version("onnxruntime"),
            version("faker"),
        )


def title(case: Case) -> str:
    """A case in the snapshot."""
    return " ".join(filter(None, case))


def take(
    folder: Path,
    cases: Sequence[Case] = CASES,
    *,
    threads: int = 1,
    seed: int = 0,
) -> Digests:
    """Digests of documents in cases.

    Args:
        folder: where inputs may be written.
        cases: policies and operators.
        threads: of the recognizer.
        seed: of Python's hashes, by which sets are ordered.
    """
    write_key(folder / "key")
    lines = DOCUMENTS.read_text("utf-8").splitlines()
    targets = [argument for name in TARGETS for argument in ("--target", name)]
    shared = [*targets, "--threads", str(threads), "--to", "json"]
    calls = []
    for case in cases:
        policy, operator = case
        name = f"{title(case)}.jsonl"
        (folder / name).write_text("\n".join(lines[_taken(case)]) + "\n", "utf-8")
        keyed = ["--operator", operator, "--key-file", "key"] if operator else []
        calls.append(["sanitize", name, *shared, "--policy", policy, *keyed])
    digests: Digests = {}
    runs = tacenda(folder, *calls, environment={"PYTHONHASHSEED": str(seed)})
    for case, run in zip(cases, runs, strict=True):
        if run.code:
            raise RuntimeError(f"{title(case)}: exit code {run.code}: {run.err}")
        digests[title(case)] = {
            json.loads(line)["id"]: _digest(json.loads(output))
            for line, output in zip(lines[_taken(case)], run.out.splitlines(), strict=True)
        }
    return digests


def _taken(case: Case) -> slice:
    """Documents of a case."""
    number = CASES.index(case)
    return slice(None) if number < 2 else slice(number % 3, None, 3)


def write(digests: Digests) -> None:
    """Keep digests, and the machine that they are from, as the snapshot."""
    content = {"machine": asdict(Machine.here()), "digests": digests}
    SNAPSHOT.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def read() -> tuple[Machine, Digests]:
    """The snapshot."""
    content = json.loads(SNAPSHOT.read_text("utf-8"))
    return Machine(**content["machine"]), content["digests"]


def _digest(result: dict[str, Any]) -> str:
    decisions = [
        [entity["type"], entity["identifier"], entity["decision"], entity["operator"]]
        + [[mention["start"], mention["end"]] for mention in entity["mentions"]]
        for entity in result["entities"]
    ]
    text = json.dumps([result["text"], result["replacements"], decisions, result["leaks"]])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
