"""Former names of commands: they work, out of sight, with a note that names the new one."""

from __future__ import annotations

from typer.testing import CliRunner

from tacenda.cli import app
from tacenda.cli.former_names import current_arguments
from tests.examples import for_each

GROUPS = {
    "evaluate": ["masks", "replacements", "report", "agreement", "stats"],
    "serve": ["app", "presidio", "proxy", "mcp", "shortcut"],
}


@for_each(
    ("former", "current"),
    [
        ("stats gold.json --json", "evaluate stats gold.json --json"),
        (
            "evaluate --by-type gold.json masks.json",
            "evaluate masks --by-type gold.json masks.json",
        ),
        ("serve", "serve app"),
        ("serve --host 0.0.0.0", "serve app --host 0.0.0.0"),
        ("serve --port 5002 --presidio", "serve presidio --port 5002"),
        ("proxy --upstream URL", "serve proxy --upstream URL"),
        ("ontology lookup Leeds", "models lookup Leeds"),
        ("ontology build gazetteer", "lab build gazetteer"),
        ("train risk --data x", "lab train risk --data x"),
    ],
)
def test_a_former_name_is_the_current_command(former: str, current: str) -> None:
    """The rest of the line stays, and the note names the command alone, no argument."""
    arguments, note = current_arguments(former.split(), GROUPS)
    assert arguments == current.split()
    assert f"is now 'tacenda {' '.join(arguments[:2])}'" in note
    assert not any(word in note for word in former.split() if word.endswith(("json", "URL")))


@for_each(
    "line", ["", "sanitize report", "evaluate stats a", "evaluate --help", "serve mcp", "evaluate"]
)
def test_a_current_line_stays_as_it_is(line: str) -> None:
    """Without a note, whatever its arguments are called."""
    assert current_arguments(line.split(), GROUPS) == (line.split(), "")


def test_the_note_is_on_stderr_and_help_has_no_former_name() -> None:
    """Scripts that read stdout go on working."""
    run = CliRunner().invoke(app, ["ontology", "lookup", "Drammen", "--type", "LOC", "--json"])
    assert run.stdout.startswith("{")
    assert "'tacenda ontology lookup' is now 'tacenda models lookup'" in run.stderr
    page = CliRunner().invoke(app, ["--help"], terminal_width=80).stdout
    assert "proxy" not in page.replace("an LLM proxy", "")
    assert len(page.splitlines()) <= 40
