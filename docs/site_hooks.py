"""What MkDocs calls to make the site: pages from the code, pages of the root, links that leave docs/, llms.txt.

`mkdocs.yml` names it; `make docs` builds the site.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from posixpath import normpath, relpath
from typing import Any, Literal, Union, get_args, get_origin

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from pydantic_core import PydanticUndefined

from tacenda import policy
from tacenda.cli import app

ROOT = Path(__file__).parents[1]
PAGES_OF_THE_ROOT = {
    "SECURITY.md": "security.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changes.md",
    "benchmarks/RESULTS.md": "results.md",
}
"""Pages that live outside of docs/, by their place in the site."""
PUBLIC = (
    "tacenda",
    "tacenda.documents",
    "tacenda.frames",
    "tacenda.scale",
    "tacenda.restore",
    "tacenda.reidentify",
    "tacenda.audit",
    "tacenda.evaluate",
    "tacenda.annotations",
)
SHIPPED = ROOT / "src" / "tacenda"
_LIST = '<nav class="md-nav" role="presentation">'
_LICENCE = re.compile(r"\b(?:Licence|licence|CC0|CC BY|Apache-2\.0|BSD|MIT)\b")
_LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)\s#]+)(#[^)\s]*)?(?=\))")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put each page of docs/integrations into the navigation."""
    pages = sorted((ROOT / "docs" / "integrations").glob("*.md"))
    for entry in config.nav or ():
        if "Integrations" in entry:
            entry["Integrations"] = [{_title(page): f"integrations/{page.name}"} for page in pages]
    return config


def _title(page: Path) -> str:
    """The title of a page in a menu: that of its heading, up to a colon."""
    return page.read_text("utf-8").partition("\n")[0].removeprefix("# ").partition(":")[0]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made from the code, and those of the root."""
    pages = {
        "reference/cli.md": command_line(),
        "reference/python.md": python(),
        "reference/policy.md": fields_of_a_policy(),
        "reference/licences.md": licences(),
    }
    for source, place in PAGES_OF_THE_ROOT.items():
        pages[place] = (ROOT / source).read_text("utf-8")
    for place, text in pages.items():
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: Any) -> str:
    """Turn links to files outside of docs/ into those of the site, or of the repository."""
    place = page.file.src_uri
    sources = {of_site: source for source, of_site in PAGES_OF_THE_ROOT.items()}
    folder = Path(sources.get(place, f"docs/{place}")).parent.as_posix()

    def linked(match: re.Match[str]) -> str:
        target = normpath(f"{folder}/{match[1]}")
        anchor = match[2] or ""
        if (target_page := PAGES_OF_THE_ROOT.get(target)) is None:
            if not target.startswith("docs/"):
                return f"{config.repo_url}/blob/main/{target}{anchor}"
            target_page = target.removeprefix("docs/")
        return relpath(target_page, Path(place).parent.as_posix()) + anchor

    return _LINK.sub(linked, markdown)


def on_post_page(output: str, **_: Any) -> str:
    """Mend the theme's page for who hears it."""
    return _audible(output)


def on_post_template(output_content: str, **_: Any) -> str:
    """Do the same for the page of what is not found."""
    return _audible(output_content)


def _audible(html: str) -> str:
    """Name the dialog of the search; what has no name is no heading, and a list in a list no landmark."""
    html = html.replace('role="dialog"', 'role="dialog" aria-label="Search"')
    html = re.sub(r"<th[^>]*></th>", "<td></td>", html)
    return re.sub(r'<nav class="md-nav" aria-label="[^"]*">', _LIST, html)


def on_nav(nav: Navigation, config: MkDocsConfig, **_: Any) -> Navigation:
    """Keep the order of the pages for llms.txt."""
    config.extra["pages"] = nav.pages
    return nav


def on_post_build(config: MkDocsConfig) -> None:
    """Write llms.txt: the pages, each with the first words of it."""
    lines = [f"# {config.site_name}", "", f"> {config.site_description}", ""]
    section = None
    for page in config.extra["pages"]:
        title = page.parent.title if page.parent else ""
        if title != section:
            lines += ["", f"## {title}", ""] if title else []
            section = title
        lines.append(f"- [{page.title}]({page.url or 'index.html'}){_summary(page.markdown or '')}")
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
    (Path(config.site_dir) / "llms.txt").write_text(text + "\n", encoding="utf-8")


def _summary(markdown: str) -> str:
    for block in re.split(r"\n\s*\n", markdown):
        if re.match(r"[A-Z*]", block):
            sentence = re.sub(r"\]\([^)]*\)|[\[*]", "", " ".join(block.split()))
            return ": " + re.split(r"(?<=[.?]) ", sentence)[0].rstrip(":")
    return ""


def command_line() -> str:
    """The page of all commands with their options, as ``--help`` has them."""
    root = typer.main.get_command(app)
    parts = [
        "# Command line\n\nEvery command and option; `tacenda COMMAND --help` says the same. "
        "Results go to stdout, the rest to stderr. Exit code 0: done; 1: the data was at fault; 2: the "
        "usage was; 128 and its number: a signal.\n"
    ]
    parts += [_command(name, command, context) for name, command, context in _commands(root)]
    return "\n".join(parts)


def _commands(
    group: Any, context: Any = None, name: str = "tacenda"
) -> Iterator[tuple[str, Any, Any]]:
    context = context or typer.Context(group, info_name=name)
    for part in group.list_commands(context):
        command = group.get_command(context, part)
        inner = typer.Context(command, parent=context, info_name=part)
        if hasattr(command, "list_commands"):
            yield from _commands(command, inner, f"{name} {part}")
        elif command.callback.__module__.startswith("tacenda."):
            yield f"{name} {part}", command, inner


def _command(name: str, command: Any, context: Any) -> str:
    usage = " ".join(command.collect_usage_pieces(context))
    parts = [f"## {name}\n\n{_prose(command.help or '')}\n\n```text\n{name} {usage}\n```\n"]
    panels: dict[str, list[str]] = {}
    for parameter in command.params:
        if not getattr(parameter, "hidden", False):
            is_argument = parameter.param_type_name == "argument"
            panel = getattr(parameter, "rich_help_panel", None) or (
                "Arguments" if is_argument else "Options"
            )
            panels.setdefault(panel, []).append(_row(parameter, is_argument))
    for panel, rows in panels.items():
        parts.append(f"| {panel} | meaning |\n|---|---|\n" + "\n".join(rows) + "\n")
    if command.epilog:
        lines = re.findall(r"^ *(tacenda .+|curl .+)$", command.epilog, re.M)
        parts.append("Examples:\n\n```text\n" + "\n".join(lines) + "\n```\n")
    return "\n".join(parts)


def _row(parameter: Any, is_argument: bool) -> str:
    if is_argument:
        names = f"`{_metavar(parameter)}`"
    else:
        names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
        if not parameter.is_flag:
            names += f" `{_metavar(parameter)}`"
    default = parameter.default
    text = _prose(getattr(parameter, "help", None) or "")
    if not is_argument and isinstance(default, str | int | float) and not parameter.is_flag:
        text += f" Default: `{default}`."
    return f"| {names.replace('|', chr(92) + '|')} | {text.replace('|', chr(92) + '|')} |"


def _metavar(parameter: Any) -> str:
    return str(parameter.metavar or parameter.name.upper())


def _prose(text: str) -> str:
    """Text of a help as Markdown: what looks like markup is none."""
    return re.sub(r"([<>*_\[\]])", r"\\\1", " ".join(text.split()))


def python() -> str:
    """The page of the public names, for mkdocstrings to fill in."""
    parts = ["# Python\n\nThe public names. Everything else may change with any version.\n"]
    for package in PUBLIC:
        module = import_module(package)
        parts.append(f"## `{package}`\n\n{_first_line(module.__doc__)}\n")
        for name in module.__all__:
            value = getattr(module, name)
            place = getattr(value, "__module__", "")
            if isinstance(value, type | types.FunctionType) and place.startswith("tacenda"):
                parts.append(f"::: {place}.{value.__qualname__}\n")
    return "\n".join(parts)


def _first_line(docstring: str | None) -> str:
    return (docstring or "").partition("\n")[0]


def fields_of_a_policy() -> str:
    """The page of a policy's fields: their kinds and defaults by the model, their meaning by its module."""
    parts = [
        "# Fields of a policy\n\nA policy is a YAML file. Every field is optional; a name that is not here "
        "is an error with its line. [Policies](../policy.md) explains "
        "them, [here](../policies.md) is what the shipped policies do.\n",
    ]
    for title, model, meanings in (
        ("Policy", policy.Policy, _meanings()),
        ("Rule of `allow` and `deny`", policy.Rule, {}),
        ("Rule of `operators_for`", policy.OperatorRule, {}),
    ):
        rows = [
            f"| `{name}` | {_kind(field.annotation)} | {_default(field)} | {meanings.get(name, '')} |"
            for name, field in model.model_fields.items()
        ]
        parts.append(f"## {title}\n\n| field | kind | default | meaning |\n|---|---|---|---|\n")
        parts[-1] += "\n".join(rows) + "\n"
    parts.append("## An example\n\n" + _example())
    return "\n".join(parts)


def _lines() -> list[str]:
    return [line[4:] for line in (policy.__doc__ or "").splitlines() if line.startswith("    ")]


def _example() -> str:
    return "```yaml\n" + "\n".join(_lines()) + "\n```\n"


def _meanings() -> dict[str, str]:
    """What the comments of the module's example say of each field."""
    matches = (re.match(r"(\w+): .*?\s+# (.+)$", line) for line in _lines())
    return {match[1]: match[2].replace("|", "\\|") for match in matches if match}


def _kind(annotation: Any) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in arguments)
    if origin in (Union, types.UnionType):
        return " or ".join(_kind(part) for part in arguments if part is not type(None))
    if origin is tuple:
        return f"list of {_kind(arguments[0])}"
    if origin is dict:
        return f"map of {_kind(arguments[0])} to {_kind(arguments[1])}"
    if origin is not None:
        return _kind(arguments[0])
    names = {"str": "text", "float": "number", "bool": "true or false", "Path": "path"}
    if isinstance(annotation, type):
        return names.get(annotation.__name__, annotation.__name__)
    return "text"


def licences() -> str:
    """The page of what ships, each with its licence and the sources of it: the words of the cards."""
    parts = [
        "# Licenses of weights and lists\n\nThe program is under the Apache License 2.0. What ships with it, in the "
        "words of the cards that lie beside the files (`tacenda models info NAME` shows one); the notices that "
        "licenses ask for are in [NOTICE](../../NOTICE), those of libraries in the "
        "[bill of materials](../../sbom.cdx.json).\n"
    ]
    for path in (*sorted((SHIPPED / "models").glob("*/CARD.md")), SHIPPED / "data" / "README.md"):
        source = path.relative_to(ROOT).as_posix()
        for section in re.split(r"^(?=# )", path.read_text("utf-8"), flags=re.M)[1:]:
            title, _, text = section.partition("\n")
            blocks = [block.strip("\n") for block in re.split(r"\n\s*\n", text)]
            words = [block for block in blocks if _states_licences(block)]
            parts.append(
                f"## {title[2:]}\n\n" + "\n\n".join(words) + f"\n\n[Whole]({'../../' + source})\n"
            )
    return "\n".join(parts)


def _states_licences(block: str) -> bool:
    """Whether it is a table with a column of licences, or a paragraph that names some."""
    if block.startswith("|"):
        return "licence" in block.partition("\n")[0]
    return not block.startswith(("    ", "**Rebuild")) and _LICENCE.search(block) is not None


def _default(field: Any) -> str:
    value = field.get_default(call_default_factory=True)
    return (
        ""
        if value in (None, (), {}, PydanticUndefined)
        else f"`{str(value).lower() if isinstance(value, bool) else value}`"
    )
