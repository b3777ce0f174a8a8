"""A bounded campaign: what the suite can afford. More: ``make fuzz N=100000``."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from tests.examples import for_each
from tests.forks import programs, tacenda

from .campaign import BATCH, Outcome, lost_phrases, run_apart, run_batch
from .documents import Planted
from .hostile import HOSTILE
from .interrupted import arguments_of, files, folder_of_letters, stopped
from .people import Person
from .reading import survives

_DOCUMENTS = 100
_MEGABYTES = 3000
_BOUNDED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_DATA, ({limit}, {limit}))
sys.argv = {arguments}
from tacenda.__main__ import run
run()
"""


def test_no_secret_survives_a_run_that_says_success() -> None:
    """Nothing planted is left in a file that was written; nothing is lost, swapped or half."""
    total = Outcome()
    for outcome in run_apart(range(_DOCUMENTS // BATCH), workers=1):
        total.add(outcome)
    assert total.survivors == []
    assert total.faults == []
    assert total.tried == _DOCUMENTS
    assert total.written > total.tried * 0.9


def test_no_secret_survives_in_resources() -> None:
    """Of FHIR, in JSON and XML: a batch of a seed that draws them."""
    outcome = run_batch(13, 10)
    assert {*outcome.formats} == {"json", "xml"}
    assert outcome.survivors == []
    assert outcome.faults == []


@for_each(
    ("content", "kind"),
    [
        (b"rain fell on Galip  YALMAN's roof", "name"),
        (b"=?utf-8?q?Galip_Yalman?=", "name"),
        (b"R2FsaXAgWWFsbWFu", "name"),
        (b"G%61lip%20Y%61lman", "name"),
        ("Y\u200ba\u0301lman".encode(), "surname"),
        (b"&#89;alman", "surname"),
        (b"+44 7700 900123", "phone"),
        (b"rain fell on *** and [PERSON 1]", ""),
    ],
)
def test_the_reader_sees_what_is_there(content: bytes, kind: str) -> None:
    """The independent reader finds a secret in each encoding, and none where there is none."""
    person = Person(
        "Galip", "Yalman", "a.b@mail.example", "+44 7700 900123", "DE02120300000000202051"
    )
    assert survives(person, content, "x.txt") == kind


@pytest.mark.parametrize(
    ("content", "lost"),
    [
        (b"<p>the rain fell</p> on\nwet roofs", 0),
        (b"<p>the rain fell</p>", 1),
        (b"", 2),
    ],
)
def test_the_reader_sees_what_is_lost(content: bytes, lost: int) -> None:
    """Every phrase that names nobody must stand in what was written, however it is laid out."""
    document = Planted("a.html", b"", "", (), ("the rain fell", "on wet roofs"))
    assert lost_phrases(document, content) == lost


@pytest.mark.parametrize("kind", sorted({Path(name).suffix for name in HOSTILE}))
def test_a_hostile_file_ends_in_one_line(kind: str, tmp_path: Path) -> None:
    """Read or refused, within bounded memory, without a traceback or a crash; and the others are done."""
    names = [name for name in HOSTILE if name.endswith(kind)]
    for name in names:
        (tmp_path / name).write_bytes(HOSTILE[name]())
    (tmp_path / "policy.yaml").write_text("recognizer: false\nthreshold: 0.5\n")
    out = tmp_path / "out"
    arguments = [
        *("tacenda", "sanitize", *(str(tmp_path / name) for name in names), "-o", f"{out}/"),
        *("--policy", str(tmp_path / "policy.yaml"), "--target", "Galip Yalman"),
    ]
    run = subprocess.run(
        [programs() / "python"],
        input=_BOUNDED.format(limit=_MEGABYTES * 1024 * 1024, arguments=arguments),
        capture_output=True,
        text=True,
    )
    assert run.returncode in (0, 1), run.stderr[-500:]
    assert "Traceback" not in run.stderr
    for name in names:
        assert (out / name).exists() or name in run.stderr, name


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """Return a folder with letters in ``in``, and what a run makes of them that nobody stops."""
    folder = tmp_path_factory.mktemp("letters")
    folder_of_letters(folder / "in", 12)
    assert tacenda("sanitize", *arguments_of(folder, folder / "whole")).returncode == 0
    expected = files(folder / "whole")
    assert len(expected) == 12
    return folder, expected


@pytest.mark.parametrize(
    ("signal_", "number"), [(signal.SIGTERM, 1), (signal.SIGINT, 6), (signal.SIGKILL, 3)]
)
def test_an_interrupted_run_leaves_whole_files_and_goes_on(
    signal_: signal.Signals, number: int, tmp_path: Path, letters: tuple[Path, dict[str, bytes]]
) -> None:
    """What has its name is whole; ``--resume`` makes the rest; a stopped run leaves no rubbish."""
    folder, expected = letters
    arguments = [*arguments_of(folder, tmp_path / "out"), "--resume"]
    _, said = stopped(arguments, signal_, tmp_path / "out", number)
    assert "Traceback" not in said
    made = files(tmp_path / "out")
    assert made.items() <= expected.items()
    if signal_ is not signal.SIGKILL:
        assert [path.name for path in (tmp_path / "out").rglob("*.part")] == []
    assert tacenda("sanitize", *arguments).returncode == 0
    assert files(tmp_path / "out") == expected
