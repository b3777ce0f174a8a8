"""What pages, messages and docstrings of this repository name exists: files, modules, links, commands and their options."""

from __future__ import annotations

import ast
import importlib.util
import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import typer

from tacenda.cli import app
from tests.examples import for_each

ROOT = Path(__file__).parents[1]
_SKIPPED = {"CHANGELOG.md", "licences"}  # It tells of what was, too.
_SOURCES = ("", "src", "src/tacenda", "lab/src", "lab/src/tacenda_lab")
# Folders of the corpora that benchmarks are run on, and of a user's own files.
_ELSEWHERE = ("DATA/", "WORK/", "tab/", "wiki/", "background/", "private/", "sanitize/")
_MADE = {ROOT / "docs" / "reference" / f"{name}.md" for name in ("cli", "policy", "python")}
"""Pages that `docs/site_hooks.py` makes of the code; `tests/test_site.py` checks links to them."""
_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)+/?|[a-z_]+\.py")
_MODULE = re.compile(r"tacenda(?:_lab)?(?:\.\w+)+")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_SCRIPT = re.compile(r"python (-m benchmarks \w+|-m [\w.]+|[\w/]+\.py)")
_INDEX = re.compile(r"pip install .*\btacenda(-lab)?\b(?!\.)")
_EXTRAS = re.compile(r"'?(\.|\./lab)\[([\w,-]+)\]")


def _pages() -> list[Path]:
    """The pages that are written by hand or by a recipe."""
    folders = ("", "docs", "benchmarks", "examples", "src", "lab", "tests")
    pages = {
        path
        for folder in folders
        for path in (ROOT / folder).glob("**/*.md" if folder else "*.md")
        if path.name not in _SKIPPED and "node_modules" not in path.parts
    }
    return sorted(pages)


PAGES = for_each("page", _pages())


def _code_lines(page: Path) -> Iterator[str]:
    """Lines of code blocks, joined where they go on, and code within prose."""
    lines = page.read_text("utf-8").splitlines()
    is_fenced, start = False, ""
    for line in lines:
        if line.startswith("```"):
            is_fenced = not is_fenced
        elif is_fenced or line.startswith("    "):
            command = start + line.strip().removeprefix("$ ")
            start = command.removesuffix("\\") if command.endswith(("\\", "|")) else ""
            if not start:
                yield command
        else:
            yield from _CODE.findall(line)


def _commands(page: Path, program: str) -> Iterator[list[str]]:
    """The words of each command line of a program, without what a shell does with them."""
    for line in _code_lines(page):
        for part in re.split(r"&&|\|\||[|;(){}]", re.sub(r"(^|\s)#.*", "", line)):
            words = _words(part)
            if words[:1] == [program]:
                yield words[1:]


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:  # A quotation mark of prose.
        return line.split()


@cache
def _root_command() -> Any:
    return typer.main.get_command(app)


def _unknown(words: list[str]) -> list[str]:
    """The words of a command line of `tacenda` that are no command, or no option of it."""
    command = _root_command()
    context = command.make_context("tacenda", [], resilient_parsing=True)
    unknown = []
    for word in words:
        if re.match(r"--?[a-z]", word):
            parameters = command.get_params(context)
            names = {name for item in parameters for name in (*item.opts, *item.secondary_opts)}
            if word.partition("=")[0] not in names:
                unknown.append(word)
        elif hasattr(command, "list_commands"):
            if word not in command.list_commands(context):
                return unknown if word.isupper() or word == "…" else [*unknown, word]
            command = command.get_command(context, word)
            context = command.make_context(word, [], parent=context, resilient_parsing=True)
    return unknown


@PAGES
def test_each_command_of_tacenda_exists_with_its_options(page: Path) -> None:
    """What a page says to type is a command, and each option is one of it."""
    faults = {" ".join(words): _unknown(words) for words in _commands(page, "tacenda")}
    assert {line: words for line, words in faults.items() if words} == {}


def test_each_command_in_a_string_of_the_code_exists_with_its_options() -> None:
    """Messages, help and docstrings name a command between backticks; what they say to type can be typed."""
    commands = {
        command
        for folder in ("src", "lab/src", "benchmarks")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for command in re.findall(r"`(tacenda [^`\n;|&]+)", node.value)
    }
    assert len(commands) > 50
    faults = {command: _unknown(_words(command)[1:]) for command in sorted(commands)}
    assert {command: words for command, words in faults.items() if words} == {}


_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+(?![\w-])")
_OF_OTHERS = set(
    "--cached --diff-filter --force-reinstall --no-abbrev --no-renames --raw --relative --since".split()
)
"""Options of git, pip and others in strings of the code."""


@cache
def _options() -> frozenset[str]:
    """Options of all commands, and what scripts of this repository take."""
    return frozenset(_options_below(_root_command(), "tacenda", None)) | {
        option
        for folder in ("benchmarks", "docs", "lab/src/tacenda_lab/corpus", "tests")
        for path in (ROOT / folder).rglob("*.py")
        for option in re.findall(r'"(--[a-z-]+)"', path.read_text("utf-8"))
    }


def _options_below(command: Any, name: str, parent: Any) -> Iterator[str]:
    context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    for item in command.get_params(context):
        yield from (*item.opts, *item.secondary_opts)
    for inner in command.list_commands(context) if hasattr(command, "list_commands") else ():
        yield from _options_below(command.get_command(context, inner), inner, context)


@PAGES
def test_each_option_exists(page: Path) -> None:
    """An option that a page names without its command is one of some command or script."""
    spans = _CODE.findall(page.read_text("utf-8"))
    assert {option for span in spans for option in _OPTION.findall(span)} <= _options()


def test_each_option_in_a_sentence_of_the_code_exists() -> None:
    """Messages, help and docstrings name no option that there isn't; a lone word is an argument of another program."""
    sentences = [
        node.value
        for folder in ("src", "lab/src", "benchmarks")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    ]
    named = {option for sentence in sentences for option in _OPTION.findall(sentence)}
    assert len(named) > 100
    assert named - _options() <= _OF_OTHERS


def _source(script: Path) -> str:
    """The text of a script, and of the scripts beside it that it imports from."""
    text = script.read_text("utf-8")
    names = re.findall(r"^from benchmarks\.(\w+) import", text, re.M)
    paths = (script.with_name(f"{name}.py") for name in names)
    return "\n".join([text, *(path.read_text("utf-8") for path in paths if path.is_file())])


@PAGES
def test_each_script_exists_with_its_options(page: Path) -> None:
    """A script is a file, a module can be imported, and their sources name each option."""
    for line in _code_lines(page):
        for script in _SCRIPT.findall(line):
            measurement = script.startswith("-m benchmarks ")
            if script.startswith("-m ") and not measurement:
                spec = importlib.util.find_spec(script[3:])
                assert spec is not None, line
                continue
            name = f"benchmarks/{script.split()[-1]}.py" if measurement else script
            path = ROOT / name
            assert path.is_file(), line
            source = _source(path)
            text = line.partition("#")[0].partition(script)[2]
            for option in re.findall(r"(?<!\S)--[a-z-]+", re.split(r"[|>;&]", text)[0]):
                assert f'"{option}"' in source, f"{script} has no {option}: {line}"


@PAGES
def test_each_target_and_extra_exists(page: Path) -> None:
    """`make` has the target, and the distribution the extra, that a page names."""
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M)
    for words in _commands(page, "make"):
        assert words[0] in targets, words
    for line in _code_lines(page):
        if "pip install" not in line:
            continue
        assert not _INDEX.search(line.partition("#")[0]), f"tacenda is on no index: {line}"
        for place, extras in _EXTRAS.findall(line):
            folder = ROOT if place == "." else ROOT / "lab"
            project: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text())
            assert set(extras.split(",")) <= set(project["project"]["optional-dependencies"]), line


def _missing(text: str, folder: Path) -> list[str]:
    """The paths and modules of a text that are neither in the repository nor in the folder."""
    bases, missing = [*(ROOT / source for source in _SOURCES), folder], []
    for line in text.splitlines():
        spans = _CODE.findall(line)
        # A row of a table of packages names files of its first column.
        packages = [base / span for base in bases for span in spans if (base / span).is_dir()]
        for word in (word.strip(",;:").rstrip(".") for span in spans for word in span.split()):
            if _PATH.fullmatch(word) and not word.startswith(_ELSEWHERE):
                if not any((base / word).exists() for base in (*bases, *packages)):
                    missing.append(word)
            elif _MODULE.fullmatch(word) and not _resolves(word):
                missing.append(word)
    return missing


@PAGES
def test_each_path_and_module_exists(page: Path) -> None:
    """Paths are those of the repository, of a package or beside the page; names can be imported."""
    assert _missing(page.read_text("utf-8"), page.parent) == []


def test_what_templates_of_cards_name_exists() -> None:
    """The cards that recipes write name nothing that a shipped card may not."""
    folder = ROOT / "lab/src/tacenda_lab/train/cards"
    templates = [path.read_text("utf-8") for path in sorted(folder.glob("*.md"))]
    assert len(templates) >= 6
    assert [word for text in templates for word in _missing(text, ROOT)] == []


def _resolves(name: str) -> bool:
    try:
        resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


@PAGES
def test_each_link_leads_somewhere(page: Path) -> None:
    """A link is a file of the repository, and its fragment a heading there."""
    for link in _LINK.findall(page.read_text("utf-8")):
        if "://" in link:
            continue
        place, _, fragment = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        if target in _MADE:
            continue
        assert target.exists(), link
        if fragment:
            headings = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.M)
            anchors = {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}
            assert fragment in anchors, link
