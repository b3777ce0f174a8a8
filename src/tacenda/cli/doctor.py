"""``tacenda doctor``: check whether what is installed works, and say what to do if it doesn't."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Final, Literal

import typer

from ..errors import TacendaError, unforeseen
from ..installation import install_command
from ..wording import counted
from .options import AsJson

if TYPE_CHECKING:
    from importlib.metadata import Distribution

_REQUIREMENT: Final = re.compile(
    r"""(?P<name>[\w.-]+)(\[[^]]*\])?\s*(>=(?P<least>[\d.]+))?[^;]*;.*extra\s*==\s*['"](?P<extra>[\w-]+)['"]"""
)
_FEATURES: Final = {
    "avx2": "AVX2",
    "avx_vnni": "AVX-VNNI",
    "avx512_vnni": "AVX-512 VNNI",
    "avx512_bf16": "AVX-512 bf16",
    "amx_int8": "AMX int8",
    "amx_bf16": "AMX bf16",
    "asimddp": "dot products of int8",
    "bf16": "bf16",
    "i8mm": "matrices of int8",
}
"""Names of the features that make a recognizer fast, by the system's names of them."""
_NAME: Final = "Anna Berg"
_SENTENCE: Final = f"{_NAME}, born on 3 May 1975, works as a nurse in Bergen."


@dataclass(frozen=True, slots=True)
class _Finding:
    """What was found out about one part.

    Attributes:
        part: name of the part.
        state: ``ok``, ``absent`` (for parts that the core doesn't need) or ``fault``.
        detail: what is there, or what is wrong.
        remedy: what to do about it; empty if nothing.
    """

    part: str
    state: Literal["ok", "absent", "fault"]
    detail: str
    remedy: str = ""


def doctor(as_json: AsJson = False) -> None:
    """Check the installation and sanitize one sentence.

    The exit code is 1 if part of the core is broken; missing extras don't count.

    Examples:
      tacenda doctor
      tacenda doctor --json
    """
    findings = list(_findings())
    is_well = all(finding.state != "fault" for finding in findings)
    if as_json:
        rows = [asdict(finding) for finding in findings]
        typer.echo(json.dumps({"works": is_well, "findings": rows}, indent=2))
    else:
        width = max(len(finding.part) for finding in findings)
        for finding in findings:
            typer.echo(f"{finding.state:<6}  {finding.part:<{width}}  {finding.detail}")
            if finding.remedy:
                typer.echo(f"{'':<6}  {'':<{width}}  → {finding.remedy}")
        typer.echo("All that is core works." if is_well else "Something of the core doesn't work.")
    if not is_well:
        raise typer.Exit(1)


def _findings() -> Iterator[_Finding]:
    for part, check in (
        ("version", _version),
        ("processor", _processor),
        ("memory", _memory),
        ("models", _models),
        ("engine", _engine),
        ("fonts", _fonts),
        ("self-test", _self_test),
    ):
        yield _checked(part, check)
    yield _ocr()
    yield from _extras()


def _checked(part: str, check: Callable[[], str]) -> _Finding:
    """Check a part of the core; an error doesn't keep other parts from being checked."""
    try:
        return _Finding(part, "ok", check())
    except TacendaError as error:
        return _Finding(part, "fault", str(error), "follow the message, then run this again")
    except ImportError as error:
        name = error.name or "a package"
        return _Finding(part, "fault", f"{name} can't be imported", _reinstall())
    except Exception as error:
        return _Finding(part, "fault", str(unforeseen(error)), _reinstall())


def _version() -> str:
    from .._version import __version__

    system = f"{platform.system()} {platform.machine()}"
    return f"tacenda {__version__}, Python {platform.python_version()}, {system}"


def _processor() -> str:
    from ..models.session import cores, processor_features

    number = cores()
    present = processor_features()
    features = ", ".join(name for flag, name in _FEATURES.items() if flag in present)
    if not features:
        features = (
            "none of the features that make it fast"
            if present
            else "features unknown on this system"
        )
    return f"{counted(number, 'core')} usable; {features}"


def _memory() -> str:
    from ..models.session import linux_value

    free, total = (linux_value("/proc/meminfo", key) for key in ("MemAvailable", "MemTotal"))
    if free is None or total is None:
        return "unknown on this system"
    return (
        " of ".join(f"{int(size.split()[0]) / 2**20:.1f} GiB" for size in (free, total)) + " free"
    )


def _models() -> str:
    from ..models.store import shipped

    models = shipped()
    for model in models:
        model.verify()
    size = sum(model.size for model in models)
    return f"{len(models)} as shipped, by their SHA-256, {size / 1e6:.0f} MB"


def _engine() -> str:
    from ..models.session import engine_with_reason
    from ..models.store import find

    config = json.loads(find().path("config.json").read_text(encoding="utf-8"))
    engine, reason = engine_with_reason(config)
    return f"{engine}: {reason}"


def _fonts() -> str:
    from importlib.resources import files

    from ..errors import ModelError

    folder = files("tacenda") / "documents" / "pdf" / "fonts"
    names = [item.name for item in folder.iterdir() if item.name.endswith(".ttf")]
    for name in names:
        if not (folder / name).read_bytes().startswith(b"\0\1\0\0"):
            raise ModelError(f"{name} is not a font; reinstall tacenda.")
    if not names:
        raise ModelError("the fonts of PDF are missing; reinstall tacenda.")
    return ", ".join(names)


def _self_test() -> str:
    from ..errors import ModelError
    from ..pipeline import load

    start = perf_counter()
    sanitizer = load()
    loaded = perf_counter()
    result = sanitizer.sanitize(_SENTENCE)
    end = perf_counter()
    if _NAME in result.text or result.leaks:
        raise ModelError("a sentence came out with the name in it; reinstall tacenda.")
    return f"a first sentence sanitized in {(end - loaded) * 1000:.0f} ms, after {loaded - start:.1f} s of loading"


def _ocr() -> _Finding:
    import shutil
    import subprocess

    from ..documents.ocr import tesseract

    try:
        languages = tesseract.settings().languages
        program = shutil.which("tesseract")
        if program is None or not languages:
            return _Finding(
                "OCR",
                "absent",
                "pictures of text are not read",
                tesseract.missing(languages).command,
            )
        run = subprocess.run(
            [program, "--version"], capture_output=True, text=True, check=True, timeout=20
        )
        version = (run.stdout or run.stderr).split("\n")[0]
        tesseract.require(languages, tesseract.LANGUAGES)
        known = ", ".join(sorted(tesseract.known_languages() - {"", "osd"}))
    except TacendaError as error:
        return _Finding("OCR", "absent", str(error), f"set {tesseract.LANGUAGES}, or install them")
    except (OSError, subprocess.SubprocessError):
        detail = "the program tesseract is installed but doesn't run"
        return _Finding("OCR", "absent", detail, "reinstall it (apt install tesseract-ocr)")
    return _Finding("OCR", "ok", f"{version}, reads {languages}; there are {known}")


def _extras() -> Iterator[_Finding]:
    """Yield findings about the extras that the installed distribution declares."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        package = distribution("tacenda")
    except PackageNotFoundError:
        detail = "unknown, because tacenda is run from a folder without being installed"
        yield _Finding("extras", "absent", detail, "pip install . in that folder")
        return
    for extra in sorted(package.metadata.get_all("Provides-Extra") or ()):
        faults = list(_unmet(package, extra))
        if faults:
            yield _Finding(f"extra {extra}", "absent", ", ".join(faults), install_command(extra))
        else:
            yield _Finding(f"extra {extra}", "ok", "installed")


def _unmet(package: Distribution, extra: str) -> Iterator[str]:
    """Return an extra's requirements that are missing or too old."""
    from importlib.metadata import PackageNotFoundError, version

    requirements: Iterable[str] = package.requires or ()
    for match in filter(None, map(_REQUIREMENT.match, requirements)):
        if match["extra"] != extra:
            continue
        try:
            present = version(match["name"])
        except PackageNotFoundError:
            yield f"{match['name']} is not installed"
            continue
        if match["least"] and _numbers(present) < _numbers(match["least"]):
            yield f"{match['name']} {present} is older than {match['least']}"


def _reinstall() -> str:
    return install_command().replace("install", "install --force-reinstall", 1)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", re.split(r"[^\d.]", version)[0])]
