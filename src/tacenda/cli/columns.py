"""Options for the columns of a table, or the fields of other records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import TABLES, Column, Field

if TYPE_CHECKING:
    from ..documents.fields import Fields
    from ..policy import Policy

Keep = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="CSV, JSONL: other columns or fields (id,ward; author.name) that stay, but for who is "
        "masked; '*' is all that are not named.",
        rich_help_panel=TABLES,
    ),
]
_Drop = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="CSV, JSONL: others that are left out.",
        rich_help_panel=TABLES,
    ),
]
_Pseudonym = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="CSV, JSONL: others whose values become [ID 1] …: alike for the same value, under a key "
        "in every run.",
        rich_help_panel=TABLES,
    ),
]
_Fields = Annotated[
    str | None,
    typer.Option(
        "--fields",
        metavar="NAME|FILE",
        help="Take the treatment of all fields from a field policy: YAML, or openai-chat, anthropic-chat, "
        "sharegpt, fhir.",
        rich_help_panel=TABLES,
    ),
]
_Neutralize = Annotated[
    bool,
    typer.Option(
        "--neutralize-formulas",
        help="CSV: put an apostrophe before cells that a spreadsheet would compute (=, +, -, @).",
        rich_help_panel=TABLES,
    ),
]


@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """Options for columns of text, and for the treatment of the rest."""

    field: Field = "text"
    column: Column = None
    fields: _Fields = None
    keep_columns: Keep = None
    drop_columns: _Drop = None
    pseudonym_columns: _Pseudonym = None
    neutralize_formulas: _Neutralize = False

    def rules(self, policy: Policy) -> Fields:
        """The treatment of columns and fields.

        Raises:
            typer.BadParameter: if the options contradict each other.
            PolicyError: if the policy's key is needed and can't be used, or a field policy is at
                fault.
        """
        from ..documents.fields import FieldPolicy, Fields
        from ..documents.running_numbers import RunningNumbers
        from ..errors import InputError
        from ..rewrite.rewrite import keyed_identifier

        shorthand = (self.column, self.keep_columns, self.drop_columns, self.pseudonym_columns)
        if self.fields is not None and any(shorthand):
            raise typer.BadParameter(
                "says what becomes of every field; write there what other options name",
                param_hint="--fields",
            )
        has_key = policy.key_env is not None or policy.key_file is not None
        options: dict[str, Any] = {"harmless": self.neutralize_formulas}
        if has_key and (self.fields is not None or self.pseudonym_columns):
            options |= {"name": partial(keyed_identifier, policy.key()), "key": policy.key()}
        else:
            options |= {"name": RunningNumbers()}
        if self.fields is not None:
            return Fields(FieldPolicy.load(self.fields), self.fields, **options)
        try:
            return Fields.of_options(
                names(self.keep_columns),
                names(self.drop_columns),
                names(self.pseudonym_columns),
                **options,
            )
        except InputError as error:
            raise typer.BadParameter(str(error)) from error


def names(values: Sequence[str] | None) -> frozenset[str]:
    """Return the names in the values of an option."""
    from ..documents.fields import names_of

    return frozenset(name for value in values or () for name in names_of(value))
