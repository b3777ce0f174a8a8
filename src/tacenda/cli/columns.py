"""Options for the columns of a table, or the fields of other records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import Column, Field, cli_option, faults_of_options, option

if TYPE_CHECKING:
    from ..documents.fields import Fields
    from ..policy import Policy

Keep = Annotated[list[str] | None, cli_option("columns.keep", metavar="NAMES")]


@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """Options for text columns, and for how other columns are treated."""

    field: Field = "text"
    column: Column = None
    fields: str | None = option(None, "--fields", metavar="NAME|FILE")
    keep_columns: Keep = None
    drop_columns: list[str] | None = option(None, metavar="NAMES")
    pseudonym_columns: list[str] | None = option(None, metavar="NAMES")
    neutralize_formulas: bool = option(False, "--neutralize-formulas")

    def rules(self, policy: Policy, formats: Iterable[str] = ()) -> Fields:
        """Return how columns and fields are treated.

        Args:
            policy: names the key of pseudonyms, if it has one.
            formats: of the inputs; those of DICOM have pseudonyms without being told.

        Raises:
            typer.BadParameter: if the options contradict each other.
            PolicyError: if the policy's key is needed but can't be used, or a field policy is
                invalid.
        """
        from ..documents.fields import FieldPolicy, Fields
        from ..documents.running_numbers import RunningNumbers
        from ..rewrite.rewrite import keyed_identifier

        shorthand = (self.column, self.keep_columns, self.drop_columns, self.pseudonym_columns)
        if self.fields is not None and any(shorthand):
            raise typer.BadParameter(
                "already defines the treatment of every field; move the other options into it",
                param_hint="--fields",
            )
        has_key = policy.key_env is not None or policy.key_file is not None
        options: dict[str, Any] = {
            "harmless": self.neutralize_formulas,
            "hides_year": policy.hides_year,
        }
        has_pseudonyms = self.fields is not None or bool(self.pseudonym_columns)
        if has_key and (has_pseudonyms or "dicom" in formats):
            options |= {"name": partial(keyed_identifier, policy.key()), "key": policy.key()}
        else:
            options |= {"name": RunningNumbers()}
        if self.fields is not None:
            return Fields(FieldPolicy.load(self.fields), self.fields, **options)
        with faults_of_options():
            return Fields.of_options(
                names(self.keep_columns),
                names(self.drop_columns),
                names(self.pseudonym_columns),
                **options,
            )


def names(values: Sequence[str] | None) -> frozenset[str]:
    """Return the names in the values of an option."""
    from ..documents.fields import names_of

    return frozenset(name for value in values or () for name in names_of(value))
