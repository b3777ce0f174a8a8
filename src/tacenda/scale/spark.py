"""Spark: each task sanitizes in its executor's Python process, through ``mapInArrow``; this also works over Spark Connect.

Nothing is broadcast. Only a ``Spec`` and the parts' positions in the files are sent.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow

from ..errors import MissingExtraError
from .arrow_rows import quietly_sanitized, written
from .folder import PartEntry, do
from .parts import DatasetPart
from .places import OutputFolder
from .spec import Spec, row_sanitizer

try:
    import pyspark  # noqa: F401
except ImportError:  # pragma: no cover
    raise MissingExtraError("the engine spark", "spark") from None


def run(
    parts: Sequence[DatasetPart], spec: Spec, folder: OutputFolder, session: Any = None
) -> Iterator[PartEntry]:
    """Yield the entry of each part.

    Args:
        parts: the parts to do; every executor must be able to access their files and the folder.
        spec: how rows are treated.
        folder: the output folder.
        session: the Spark session; by default the active one or a new one.
    """
    if not parts:
        return
    if session is None:
        from pyspark.sql import SparkSession

        if (
            "PYSPARK_GATEWAY_PORT" not in os.environ
        ):  # Not started by spark-submit, so workers use this Python.
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        session = SparkSession.builder.appName("tacenda").getOrCreate()
    frame = session.createDataFrame([(pickle.dumps(part),) for part in parts], "part binary")
    # One task per part, so that only the parts lost with an executor are done again.
    entries = frame.repartition(len(parts)).mapInArrow(_PartTask(spec, folder), "entry string")
    for row in entries.collect():
        yield PartEntry(**json.loads(row.entry))


def sanitize_frame(frame: Any, spec: Spec) -> Any:
    """Return a Spark data frame with sanitized columns; nothing is computed yet.

    Raises:
        InputError: if its columns aren't those of the spec.
    """
    return frame.mapInArrow(_RowTask(spec), _schema(frame, spec))


@dataclass(frozen=True, slots=True)
class _PartTask:
    """A task that does parts."""

    spec: Spec
    folder: OutputFolder

    def __call__(self, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            for item in batch.column(0).to_pylist():
                entry = json.dumps(asdict(do(pickle.loads(item), self.spec, self.folder)))
                yield pyarrow.RecordBatch.from_pydict({"entry": [entry]})


@dataclass(frozen=True, slots=True)
class _RowTask:
    """A task that sanitizes rows."""

    spec: Spec

    def __call__(self, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield quietly_sanitized(batch, row_sanitizer(self.spec))


def _schema(frame: Any, spec: Spec) -> Any:
    """Return the schema of a sanitized data frame."""
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

    return from_arrow_schema(written(to_arrow_schema(frame.schema), spec))
