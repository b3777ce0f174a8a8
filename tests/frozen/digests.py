"""Digests of what becomes of 30 documents under the shipped policies with every operator.

``balanced``, ``lenient`` and ``strict`` are tried with all operators; ``default`` and ``tags`` are
``balanced`` with an operator of their own (a test says so) and are tried with that one.

A document has two digests under a policy with an operator: one of the line that ``sanitize --to
json`` writes, to the byte, and one of its text, entities and decisions without any number that has
a fraction. The first holds wherever the recognizer computes the same last bits (one kind of
processor, one release of the runtime) and the same surrogates are drawn from (one release of
Faker); the second on other machines. A ``Machine`` tells which it is.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.frozen.shell import tacenda
from tests.keys import write_key

DOCUMENTS = Path(__file__).parent / "documents.jsonl"
SNAPSHOT = Path(__file__).parent / "snapshots" / "digests.json"
POLICIES = ("balanced", "lenient", "strict")
OF_BALANCED = ("default", "tags")
"""Policies that are ``balanced`` but for the operator."""
OPERATORS = ("suppress", "tag", "pseudonym", "generalize", "surrogate", "hash", "encrypt")
TARGETS = (
    "Mrs Oyinkan Balogun-Reid",
    "Ilyas Elmi Hode",
    "Galip Yalman",
    "Agnieszka Kowalska-Brandt",
)
"""People to protect; each is in one or two documents."""

_FEATURES = ("avx2", "avx512f", "avx_vnni", "avx512_vnni", "amx_int8")
_FRACTION = re.compile(r"\d*\.\d+(?:e-?\d+)?")

Digests = dict[str, dict[str, str]]
"""By policy and operator, such as "strict tag" or "default", and by document: both digests."""
Case = tuple[str, str | None]
"""Name of a policy, and an operator instead of its own."""

CASES: tuple[Case, ...] = (
    *((policy, None) for policy in OF_BALANCED),
    *((policy, operator) for policy in POLICIES for operator in OPERATORS),
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


def names() -> list[str]:
    """The documents' names, in order."""
    return [json.loads(line)["id"] for line in DOCUMENTS.read_text("utf-8").splitlines()]


def title(case: Case) -> str:
    """A case in the snapshot."""
    return " ".join(filter(None, case))


def take(
    folder: Path, cases: Sequence[Case] = CASES, *, threads: int = 1, seed: int = 0
) -> Digests:
    """Digests of all documents in cases.

    Args:
        folder: where inputs may be written.
        cases: policies and operators.
        threads: of the recognizer.
        seed: of Python's hashes, by which sets are ordered.
    """
    write_key(folder / "key")
    (folder / "documents.jsonl").write_bytes(DOCUMENTS.read_bytes())
    targets = [argument for name in TARGETS for argument in ("--target", name)]
    shared = ["sanitize", "documents.jsonl", *targets, "--threads", str(threads), "--to", "json"]
    calls = [
        [
            *shared,
            "--policy",
            policy,
            *(["--operator", operator, "--key-file", "key"] if operator else ()),
        ]
        for policy, operator in cases
    ]
    digests: Digests = {}
    runs = tacenda(folder, *calls, environment={"PYTHONHASHSEED": str(seed)})
    for case, run in zip(cases, runs, strict=True):
        if run.code:
            raise RuntimeError(f"{title(case)}: exit code {run.code}: {run.err}")
        digests[title(case)] = {
            name: f"{_digest(line)} {_digest(_coarse(json.loads(line)))}"
            for name, line in zip(names(), run.out.splitlines(), strict=True)
        }
    return digests


def write(digests: Digests) -> None:
    """Keep digests, and the machine that they are from, as the snapshot."""
    content = {"machine": asdict(Machine.here()), "digests": digests}
    SNAPSHOT.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def read() -> tuple[Machine, Digests]:
    """The snapshot."""
    content = json.loads(SNAPSHOT.read_text("utf-8"))
    return Machine(**content["machine"]), content["digests"]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _wordless(reason: dict[str, Any]) -> dict[str, Any]:
    return reason | {"statement": _FRACTION.sub("#", reason["statement"])}


def _coarse(value: Any) -> str:
    """A result as JSON without any number that has a fraction, in its sentences too."""

    def without(value: Any) -> Any:
        match value:
            case dict():
                return {key: without(item) for key, item in value.items()}
            case list():
                return [without(item) for item in value]
            case float():
                return None
            case _:
                return value

    text = value["text"]
    entities = [
        entity | {"reasons": [_wordless(reason) for reason in entity["reasons"]]}
        for entity in value["entities"]
    ]
    return json.dumps([text, value["replacements"], without(entities), value["leaks"]])
