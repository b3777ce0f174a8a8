"""``tacenda anonymize --after``: mask what joins documents with those released before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

import typer

from ..errors import InputError

if TYPE_CHECKING:
    from .anonymize import AnonymizeSettings
    from .attack import ReleaseOptions


def run_after(
    release: ReleaseOptions,
    paths: Sequence[str],
    settings: AnonymizeSettings,
    earlier_paths: Sequence[str],
    to: str,
    *,
    has_judge: bool,
) -> None:
    """Mask documents until they aren't joined with an earlier release, and write them.

    Args:
        release: options of the input.
        paths: of the documents to release.
        settings: of the command.
        earlier_paths: of the earlier release.
        to: ``text`` or ``json``.
        has_judge: whether there is a language model.

    Raises:
        typer.BadParameter: if there are options of another search.
        typer.Exit: with 1, if a document is still joined or can't be read.
        InputError: if a document of the earlier release can't be read, or there are none.
    """
    from ..reidentify.anonymize.earlier_release import anonymize_after, linkers_with_thresholds
    from .anonymize import open_output
    from .attack_tests import read_cases
    from .printing import print_note
    from .progress import progress_counter

    if release.background or has_judge or settings.uses_entities or settings.method != "search":
        raise typer.BadParameter(
            "masks words by its own search, without --background, --llm, --by, --operator or --method; "
            "run it on the result of another anonymize",
            param_hint="--after",
        )
    earlier, n_unread = read_cases(release, earlier_paths, (), None)
    if n_unread or not earlier:
        raise InputError(
            f"{n_unread} of {n_unread + len(earlier)} documents of the earlier release can't be read; "
            "it needs at least one, and all of them readable."
        )
    cases, n_faults = read_cases(release, paths, (), None)
    linkers = linkers_with_thresholds([*earlier, *cases])
    if skipped := [linker.name for linker, threshold in linkers if threshold == inf]:
        print_note(
            f"--after: attackers without a threshold were skipped ({', '.join(skipped)}): in a release this "
            "small, no similarity separates one person's documents from those of others"
        )
    with open_output(settings.output) as write, progress_counter("documents") as advance:
        for case, result in zip(cases, anonymize_after(earlier, cases, linkers), strict=True):
            n_faults += not result.reached
            text = result.text
            if to == "json":
                item = {"id": case.document.id, "text": text, "reached": result.reached}
                item |= {release.person_field: case.person} if case.person else {}
                item |= {"words": result.n_words, "words_masked": result.n_masked}
                text = json.dumps(item, ensure_ascii=False)
            write(text if text.endswith("\n") else text + "\n")
            outcome = "not joined" if result.reached else "STILL JOINED"
            print_note(
                f"{case.document.id}: {outcome}: {result.n_masked} of {result.n_words} words masked"
            )
            advance()
        if n_faults and not cases:
            raise typer.Exit(1)  # Before the file has its name: an empty one looks like a result.
    if n_faults:
        raise typer.Exit(1)
