"""Sanitize text columns in pandas, Polars, Arrow, DuckDB and Hugging Face datasets; order and nulls are kept.

    from tacenda.frames import sanitize_columns
    clean = sanitize_columns(frame, ["note", "subject"], "clinical", details=("risk",), errors="column")

Each cell is a separate document, called ``note[17]``. Columns that aren't named stay as they are,
so name, drop or pseudonymize everything else that identifies people. Frames are read through
narwhals (extra ``tables``), and the result is of the same kind as the input; a lazy frame is
collected, and a DuckDB relation becomes an Arrow table.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, get_args
from uuid import uuid4

from .document import Document
from .documents.writing import refuse_leaks
from .errors import InputError, TacendaError, UnknownNameError, require_extra, unforeseen
from .pipeline import Sanitizer, load
from .policy import Policy
from .result import Result

__all__ = ["sanitize_column", "sanitize_columns"]

Frame = TypeVar("Frame")
Column = TypeVar("Column")
Detail = Literal["masked", "risk", "residual", "decisions", "record"]
"""Further columns about a cell: number of masked entities, expected entities in need of a mask before and
after, the decisions with their reasons and the whole result as JSON without a masked string."""
Errors = Literal["raise", "column"]

BATCH: Final = 256
"""Cells that are read at a time; results don't depend on it."""
CHARACTERS: Final = 200_000
"""Maximum number of characters in a batch of cells, not counting the last; bounds memory."""
KINDS: Final = {"masked": int, "risk": float, "residual": float, "decisions": str, "record": str}
"""Kind of the values of each detail."""


def sanitize_columns(
    frame: Frame,
    columns: str | Sequence[str],
    sanitizer: Sanitizer | Policy | str | Path = "default",
    *,
    details: Detail | Sequence[Detail] = (),
    errors: Errors = "raise",
    progress: Callable[[], None] | None = None,
) -> Frame:
    """Return a frame with sanitized columns; order, index and other columns stay the same.

    Args:
        frame: a frame of pandas, Polars, Arrow, DuckDB or ``datasets``, including a set of splits
            or a streamed one; it isn't changed.
        columns: names of text columns.
        sanitizer: a loaded sanitizer, or the policy to load one with.
        details: additional columns to create per text column, called ``note_risk`` and so on.
        errors: with ``raise``, a cell that can't be sanitized raises an error; with ``column``, it
            becomes null and ``note_error`` says why.
        progress: called after each cell.

    Raises:
        InputError: if it isn't a frame; if a column is missing, isn't text, or has a name that is
            reserved or isn't a string; if a cell can't be sanitized.
        UnknownNameError: if a detail, or the value of ``errors``, is unknown.
        LeakError: if a cell still contains a masked string.
        MissingExtraError: if narwhals isn't installed.
    """
    if errors not in get_args(Errors):
        raise UnknownNameError(
            f"unknown errors={errors!r}; choose one of {', '.join(get_args(Errors))}."
        )
    names = _names(columns)
    work = _Work(_loaded(sanitizer), names, checked_details(details), errors, progress)
    if type(frame).__module__.partition(".")[0] == "datasets":
        return work.of_dataset(frame)  # type: ignore[no-any-return]
    return work.of_frame(frame)  # type: ignore[no-any-return]


def sanitize_column(
    column: Column,
    sanitizer: Sanitizer | Policy | str | Path = "default",
    *,
    progress: Callable[[], None] | None = None,
) -> Column:
    """Return a sanitized text column of the same kind, with its name and index.

    Args:
        column: a pandas or Polars Series, or an Arrow ChunkedArray; it isn't changed.
        sanitizer: a loaded sanitizer, or the policy to load one with.
        progress: called after each cell.

    Raises:
        InputError, LeakError, MissingExtraError: see ``sanitize_columns``.
    """
    try:
        series = _narwhals().from_native(column, series_only=True)
    except TypeError:
        raise InputError(
            f"{_kind(column)} is not a column; give a Series of pandas or Polars, or a ChunkedArray of Arrow."
        ) from None
    name = str(series.name or "column")
    work = _Work(_loaded(sanitizer), (name,), (), "raise", progress)
    texts = [cell.text for cell in work.cells(name, _values(series), 0)]
    return _like(series, texts)  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class SanitizedCell:
    """A sanitized cell: its text, or why there is none; all None for a null."""

    text: str | None = field(default=None, repr=False)
    error: str | None = None
    result: Result | None = None

    def detail(self, name: Detail) -> int | float | str | None:
        """Return the cell's value in an additional column."""
        if self.result is None:
            return None
        if name == "masked":
            return sum(decision.masked for decision in self.result.decisions)
        if name == "record":
            return self.result.to_json()
        if name == "decisions":
            return json.dumps(self.result.to_dict()["entities"], ensure_ascii=False)
        return self.result.risk.before if name == "risk" else self.result.risk.residual


@dataclass(frozen=True, slots=True)
class _Work:
    """Sanitizes the columns of one frame after another."""

    sanitizer: Sanitizer
    names: tuple[str, ...]
    details: tuple[Detail, ...]
    errors: Errors
    progress: Callable[[], None] | None

    def of_frame(self, native: Any) -> Any:
        narwhals = _narwhals()
        try:
            frame = narwhals.from_native(native)
        except TypeError:
            raise InputError(
                f"{_kind(native)} is not a data frame; give a frame of pandas or Polars, a Table of Arrow, a relation "
                "of DuckDB (connection.table('name')) or a dataset."
            ) from None
        except narwhals.exceptions.DuplicateError:
            counts = Counter(getattr(native, "column_names", native.columns))
            name = max(counts, key=lambda name: counts[name])
            raise InputError(f"{counts[name]} columns are called {name!r}; rename them.") from None
        if isinstance(frame, narwhals.LazyFrame):
            frame = frame.collect()
        self.check(frame.columns)
        columns_changed = []
        for name in self.names:
            column = frame[name]
            cells = list(self.cells(name, _values(column), 0))
            parts = [(name, [cell.text for cell in cells], None), *self.further(name, cells)]
            for title, values, kind in parts:
                new = narwhals.from_native(_like(column, values, kind), series_only=True)
                columns_changed.append(new.alias(title))
        output = frame.with_columns(*columns_changed).to_native()
        return _with_fields(output, frame.to_native(), self.names)

    def of_dataset(self, dataset: Any) -> Any:
        if isinstance(dataset, dict):
            return type(dataset)({name: self.of_dataset(split) for name, split in dataset.items()})
        features = dataset.features
        self.check(dataset.column_names or features or self.names)
        if not hasattr(dataset, "cleanup_cache_files"):  # a streamed dataset
            return dataset.map(self.batch, with_indices=True, batched=True, batch_size=BATCH)
        from datasets import Value  # type: ignore[import-untyped]

        features = features.copy()
        for name in self.names:
            for title, _, kind in self.further(name, ()):
                features[title] = Value({int: "int64", float: "float64"}.get(kind, "string"))
        # With its own fingerprint, no cached result of another sanitizer is mistaken for this
        # one's.
        return dataset.map(
            self.batch,
            with_indices=True,
            batched=True,
            batch_size=BATCH,
            features=features,
            load_from_cache_file=False,
            new_fingerprint=uuid4().hex,
        )

    def batch(self, batch: dict[str, list[Any]], numbers: list[int]) -> dict[str, list[Any]]:
        changed: dict[str, list[Any]] = {}
        for name in self.names:
            cells = list(self.cells(name, batch[name], numbers[0]))
            changed[name] = [cell.text for cell in cells]
            changed |= {title: values for title, values, _ in self.further(name, cells)}
        return changed

    def check(self, columns: Sequence[str]) -> None:
        """Raise an ``InputError`` unless all columns exist and the additional ones don't."""
        if missing := [name for name in self.names if name not in columns]:
            raise InputError(
                f"unknown column {missing[0]!r}; choose from {', '.join(map(repr, columns))}."
            )
        for name in self.names:
            for title, _, _ in self.further(name, ()):
                if title in columns:
                    raise InputError(f"a column is already named {title!r}; rename it.")

    def further(
        self, name: str, cells: Sequence[SanitizedCell]
    ) -> Iterator[tuple[str, list[Any], type]]:
        """Yield name, values and kind of each additional column."""
        for detail in self.details:
            yield f"{name}_{detail}", [cell.detail(detail) for cell in cells], KINDS[detail]
        if self.errors == "column":
            yield f"{name}_error", [cell.error for cell in cells], str

    def cells(self, name: str, values: Sequence[Any], first: int) -> Iterator[SanitizedCell]:
        """Yield a column's cells, numbering rows from ``first``."""
        for begin, end in batches(values):
            for cell in self._batch(name, values[begin:end], first + begin):
                yield cell
                if self.progress is not None:
                    self.progress()

    def _batch(self, name: str, values: Sequence[Any], first: int) -> Iterator[SanitizedCell]:
        documents: list[Document | None] = []
        faults: dict[int, str] = {}
        for number, value in enumerate(values, first):
            id = f"{name}[{number}]"
            if value is not None and not isinstance(value, str):
                fault = InputError(f"{id}: {type(value).__name__}, not text")
                if self.errors == "raise":
                    raise fault
                faults[number] = str(fault)
            is_text = isinstance(value, str)
            documents.append(Document(id, value) if is_text else None)
        texts = [document for document in documents if document is not None]
        results = sanitized_cells(self.sanitizer, texts, self.errors)
        for number, document in enumerate(documents, first):
            yield SanitizedCell(error=faults.get(number)) if document is None else next(results)


def batches(values: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """Yield start and end of each batch of values."""
    begin = characters = 0
    for place, value in enumerate(values, 1):
        characters += len(value) if isinstance(value, str) else 0
        if place - begin >= BATCH or characters >= CHARACTERS or place == len(values):
            yield begin, place
            begin, characters = place, 0


def sanitized_cells(
    sanitizer: Sanitizer, documents: Sequence[Document], errors: Errors = "column"
) -> Iterator[SanitizedCell]:
    """Return one cell per document; a document that can't be sanitized doesn't affect the others.

    Raises:
        InputError, LeakError: for the first document that fails, with ``errors="raise"``.
    """
    try:
        return iter([_cell(result) for result in sanitizer.pipe(documents, len(documents) or 1)])
    except Exception:
        if errors == "raise":
            raise
    return (_alone(sanitizer, document) for document in documents)


def _alone(sanitizer: Sanitizer, document: Document) -> SanitizedCell:
    try:
        return _cell(next(sanitizer.pipe([document])))
    except TacendaError as error:
        return SanitizedCell(error=str(error))
    except Exception as error:
        return SanitizedCell(error=str(unforeseen(error, document.id)))


def _cell(result: Result) -> SanitizedCell:
    refuse_leaks(result)
    return SanitizedCell(result.text, None, result)


def _loaded(sanitizer: Sanitizer | Policy | str | Path) -> Sanitizer:
    return sanitizer if isinstance(sanitizer, Sanitizer) else load(sanitizer)


def checked_details(details: Detail | Sequence[Detail]) -> tuple[Detail, ...]:
    """Return the checked names of details.

    Raises:
        UnknownNameError: if a name is unknown.
    """
    names = (details,) if isinstance(details, str) else tuple(details)
    if unknown := [name for name in names if name not in get_args(Detail)]:
        raise UnknownNameError(
            f"unknown detail {unknown[0]!r}; choose from {', '.join(get_args(Detail))}."
        )
    return names


def _names(columns: str | Sequence[str]) -> tuple[str, ...]:
    """Return the checked names of columns.

    Raises:
        InputError: if they aren't strings.
    """
    is_one = isinstance(columns, str) or not isinstance(columns, Iterable)
    names: tuple[Any, ...] = (columns,) if is_one else tuple(columns)
    if strange := [name for name in names if not isinstance(name, str)]:
        raise InputError(
            f"columns={columns!r}: {strange[0]!r} is not a column name, which must be a string."
        )
    return names


def _kind(value: object) -> str:
    package = type(value).__module__.partition(".")[0].strip("_")
    return f"a {type(value).__name__}" + (f" of {package}" if package != "builtins" else "")


def _narwhals() -> Any:
    require_extra("tables", "a data frame", "narwhals")
    import narwhals.stable.v2 as narwhals

    return narwhals


def _values(series: Any) -> list[Any]:
    """Return a series's values, with None for nulls of any kind."""
    pairs = zip(series.to_list(), series.is_null().to_list(), strict=True)
    return [None if is_null else value for value, is_null in pairs]


def _like(series: Any, values: list[Any], kind: type | None = None) -> Any:
    """Return a native column with a series's index; if ``kind`` is None, of the series's own type if that can store text."""
    narwhals = _narwhals()
    native = series.to_native()
    if kind is None and series.dtype == narwhals.Categorical:
        texts = _like(series.cast(narwhals.String), values)
        return narwhals.from_native(texts, series_only=True).cast(narwhals.Categorical).to_native()
    if series.implementation.is_pandas_like():
        is_text = series.dtype == narwhals.String or native.dtype == object
        dtype = {int: "Int64", float: "float64"}.get(kind, native.dtype if is_text else None)  # type: ignore[arg-type]
        return type(native)(values, index=native.index, name=native.name, dtype=dtype)
    dtypes = {int: narwhals.Int64, float: narwhals.Float64}
    dtype = dtypes.get(kind, narwhals.String)  # type: ignore[arg-type]
    return narwhals.new_series(
        series.name, values, dtype, backend=series.implementation
    ).to_native()


def _with_fields(output: Any, native: Any, names: Sequence[str]) -> Any:
    """Return an Arrow table with the original types and fields of its text columns; other frames unchanged."""
    if not hasattr(native, "schema") or not hasattr(native, "set_column"):
        return output
    from .documents.tables.arrow_types import is_text

    for name in names:
        field, column = native.schema.field(name), output.column(name)
        if not is_text(field.type):
            continue
        if field.type != column.type:
            column = column.cast(field.type)
        if column.null_count:
            field = field.with_nullable(True)
        output = output.set_column(output.schema.get_field_index(name), field, column)
    return output
