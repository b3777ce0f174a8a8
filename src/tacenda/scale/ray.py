"""Ray Data: actors that each have a sanitizer on one core, run by ``map_batches``."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

import pyarrow

from ..errors import MissingExtraError
from .arrow_rows import quietly_sanitized, written
from .folder import PartEntry, do
from .local import ONE_THREAD
from .parts import DatasetPart
from .places import OutputFolder
from .spec import Spec, row_sanitizer

# Ray reports usage to its makers unless this is set before it starts. Nothing may leave the
# machine.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

try:
    import ray
    import ray.data
except ImportError:  # pragma: no cover
    raise MissingExtraError("the engine ray", "ray") from None

_ROWS: Final = 4_096
"""Rows of a batch sent to one actor."""


def run(
    parts: Sequence[DatasetPart], spec: Spec, folder: OutputFolder, processes: int | None = None
) -> Iterator[PartEntry]:
    """Yield the entry of each part.

    Args:
        parts: the parts to do; every node must be able to access their files and the folder.
        spec: how rows are treated.
        folder: the output folder.
        processes: maximum number of actors; by default one per core in the cluster.
    """
    if not parts:
        return
    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    items = ray.data.from_items([{"part": pickle.dumps(part)} for part in parts])
    entries = _mapped(items.repartition(len(parts)), _PartActor, (spec, folder), 1, processes)
    for row in entries.iter_rows():
        yield PartEntry(**json.loads(row["entry"]))


def sanitize_dataset(dataset: Any, spec: Spec, processes: int | None = None) -> Any:
    """Return a Ray dataset with sanitized columns; nothing is computed yet.

    Raises:
        InputError: if its columns aren't those of the spec.
    """
    schema = dataset.schema().base_schema
    if isinstance(schema, pyarrow.Schema):
        written(schema, spec)
    return _mapped(dataset, _RowActor, (spec,), _ROWS, processes)


def _mapped(
    dataset: Any, actor: type, arguments: tuple[Any, ...], rows: int, processes: int | None
) -> Any:
    n_workers = processes or max(1, int(ray.cluster_resources().get("CPU", 1)))
    return dataset.map_batches(
        actor,
        fn_constructor_args=arguments,
        batch_size=rows,
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(min_size=1, max_size=n_workers),
        num_cpus=1,
        runtime_env={"env_vars": ONE_THREAD},
    )


class _PartActor:
    """An actor that does parts."""

    def __init__(self, spec: Spec, folder: OutputFolder) -> None:
        self._spec = spec
        self._folder = folder

    def __call__(self, batch: pyarrow.Table) -> pyarrow.Table:
        parts = map(pickle.loads, batch.column("part").to_pylist())
        entries = [json.dumps(asdict(do(part, self._spec, self._folder))) for part in parts]
        return pyarrow.table({"entry": entries})


class _RowActor:
    """An actor that sanitizes rows."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec

    def __call__(self, batch: pyarrow.Table) -> pyarrow.Table:
        sanitizer = row_sanitizer(self._spec)
        return pyarrow.Table.from_batches(
            [quietly_sanitized(part, sanitizer) for part in batch.to_batches()]
        )
