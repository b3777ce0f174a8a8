"""Data sets too large for one process: the same rows on local processes, on Spark or on Ray.

    from tacenda.scale import Spec, sanitize
    spec = Spec.of("note", "clinical", keep=["id", "ward"])
    summary = sanitize("visits/", spec, "clean/")               # processes of this machine
    summary = sanitize("s3://lake/visits/", spec, "s3://lake/clean/", engine="spark")
    frame = sanitize(spark_frame, spec)                         # of Spark or Ray Data: of the same kind, lazily

| module | what it does |
|---|---|
| ``spec`` | how rows are treated, and the sanitizer that a worker builds from that |
| ``places`` | a data set's files, local or in a store; output files that appear only when complete |
| ``parts`` | how files are divided into parts; ``arrow_rows`` and ``line_rows`` read and write them |
| ``folder`` | parts that are done and committed, so that a second run can resume |
| ``local``, ``spark``, ``ray`` | engines: they only distribute parts to workers |

The output depends only on the files, the spec and the key: every engine and any number of workers
write the same bytes, as long as their processors compute alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from ..errors import InputError, MissingExtraError

try:
    import pyarrow  # noqa: F401  All modules of this package need it.
except ImportError:
    raise MissingExtraError("sanitizing at scale", "tables") from None

from .folder import PartEntry, Summary, begin, quarantine, summary
from .parts import PART_BYTES, plan
from .places import OutputFolder, absolute, files_of
from .spec import Spec

__all__ = ["Spec", "quarantine"]

Engine = Literal["local", "spark", "ray"]


def sanitize(
    dataset: Any,
    spec: Spec,
    output: str | Path | None = None,
    *,
    engine: Engine = "local",
    processes: int | None = None,
    part_bytes: int = PART_BYTES,
    progress: Callable[[], None] | None = None,
) -> Any:
    """Sanitize a data set.

    Args:
        dataset: paths or URLs of files and folders (Parquet, Arrow, CSV, JSON lines), or a Spark
            data frame, or a Ray Data dataset.
        spec: how its rows are treated.
        output: folder for the output; only for files. If a run into this folder was interrupted, it
            resumes.
        engine: only for files; a data frame has its own engine.
        processes: maximum number of workers, local or on Ray; by default one per core. Spark has
            its own setting.
        part_bytes: approximate bytes of text per part, which is the most that is lost when a worker
            dies. A resumed run must use the same value.
        progress: called after each part.

    Returns:
        A ``Summary``; for a data frame, a data frame of the same kind that isn't computed yet. In
        it, a row that can't be sanitized keeps only its pseudonyms, numbers and dates, and
        ``tacenda_error`` says why.

    Raises:
        InputError: if a file or a column is found invalid before work begins, or the folder belongs
            to another run.
        OutputError: if the output folder can't be written to.
        MissingExtraError: if the engine isn't installed.
    """
    kind = type(dataset).__module__.partition(".")[0]
    if kind in ("pyspark", "ray"):
        if output is not None:
            raise InputError(
                "sanitizing a data frame returns another one; write that one to a folder."
            )
        if kind == "pyspark":
            from .spark import sanitize_frame

            return sanitize_frame(dataset, spec)
        from .ray import sanitize_dataset

        return sanitize_dataset(dataset, spec, processes)
    if output is None:
        raise InputError("files need an output folder (output).")
    return _sanitize_files(dataset, spec, str(output), engine, processes, part_bytes, progress)


def _sanitize_files(
    dataset: str | Path | Sequence[str | Path],
    spec: Spec,
    output: str,
    engine: Engine,
    processes: int | None,
    part_bytes: int,
    progress: Callable[[], None] | None,
) -> Summary:
    if engine not in get_args(Engine):
        raise InputError(f"unknown engine {engine!r}; choose one of {', '.join(get_args(Engine))}.")
    start = time.perf_counter()
    files = files_of(dataset)
    parts, refused = plan(files, spec, part_bytes)
    folder = OutputFolder(absolute(output))
    begin(folder, spec, files, parts, refused)
    match engine:
        case "local":
            from . import local

            entries = local.run(parts, spec, folder, processes)
        case "spark":
            from . import spark

            entries = spark.run(parts, spec, folder)
        case "ray":
            from . import ray

            entries = ray.run(parts, spec, folder, processes)
    done: list[PartEntry] = []
    for entry in entries:
        done.append(entry)
        if progress is not None:
            progress()
    return summary(done, refused, time.perf_counter() - start)
