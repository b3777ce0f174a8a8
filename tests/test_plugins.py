"""Plug-ins of other packages."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacenda import plugins
from tacenda.annotations import format_named, format_names
from tacenda.cli import app
from tacenda.document import Document
from tacenda.errors import MissingLabError, PluginError
from tacenda.evaluate.weights import weighting
from tacenda.installation import install_command
from tacenda.models.store import find, shipped
from tacenda.risk.registry import indicator_names, load_indicators
from tests.building import entity, mention

DOCUMENT = Document("d", "Ankara")
_INSTALL = re.escape(install_command(package="tacenda-lab"))
CITY = entity("e1", mention(DOCUMENT, "Ankara", "LOC", 0.8))
CODE = """
from pathlib import Path

from tacenda.document import Evidence, IdentifierType
from tacenda import Finding


class Loud:
    def judge(self, document, entities):
        return [Finding(Evidence("loud", 0.9, "said so"), IdentifierType.QUASI) for _ in entities]


class Plain:
    name = "plain"


def greet():
    print("good day")


MODELS = Path(__file__).parent / "models"
"""
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return what puts a package with entry points where Python finds it."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def package(name: str, **groups: str) -> None:
        (tmp_path / f"{name}.py").write_text(CODE)
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        sections = (f"[tacenda.{group}]\n{point}\n" for group, point in groups.items())
        (info / "entry_points.txt").write_text("".join(sections))
        plugins._declared.cache_clear()

    yield package
    plugins._declared.cache_clear()
    import_module("tacenda.risk.registry")._load_indicator.cache_clear()
    for name in ("loudness", "louder"):
        sys.modules.pop(name, None)


@pytest.fixture
def no_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away all other packages, tacenda-lab too."""
    monkeypatch.setattr(plugins, "_declared", lambda _: {})
    import_module("tacenda.risk.registry")._load_indicator.cache_clear()


def test_an_indicator_of_another_package_is_asked(install: Install) -> None:
    """Its name in a policy is that of its entry point."""
    install("loudness", indicators="loud = loudness:Loud")
    assert "loud" in indicator_names()
    (finding,) = load_indicators(["loud"])[0].judge(DOCUMENT, [CITY])
    assert finding is not None
    assert finding.evidence.indicator == "loud"


def test_a_command_of_another_package_is_listed_and_called(install: Install) -> None:
    """At the end of the list, and inside a group by a dot."""
    install("loudness", commands="greet = loudness:greet\nmodels.greet = loudness:greet")
    assert "greet" in CliRunner().invoke(app, ["--help"]).output
    assert CliRunner().invoke(app, ["greet"]).output == "good day\n"


def test_an_annotation_format_of_another_package_is_found(install: Install) -> None:
    """By the name of its entry point, after the built-in ones."""
    install("loudness", annotation_formats="plain = loudness:Plain")
    assert format_names()[-1] == "plain"
    assert format_named("plain").name == "plain"


def test_a_name_declared_twice_is_refused(install: Install) -> None:
    """Which of two packages is meant is not guessed."""
    install("loudness", indicators="loud = loudness:Loud")
    install("louder", indicators="loud = louder:Loud")
    with pytest.raises(PluginError, match="'loud' is declared by both louder and loudness"):
        indicator_names()


def test_a_built_in_name_is_refused(install: Install) -> None:
    """No package takes the place of what is built in."""
    install("loudness", indicators="masking_head_whole = loudness:Loud")
    with pytest.raises(PluginError, match="'masking_head_whole' is built in; uninstall loudness"):
        indicator_names()


def test_models_of_another_package_are_listed_and_found(install: Install, tmp_path: Path) -> None:
    """Each folder with digests in the folder that its entry point is, by name."""
    install("loudness", models="loudness = loudness:MODELS")
    shutil.copytree(find("ranker-en").folder, tmp_path / "models" / "loud-en")
    assert "loud-en" in [model.name for model in shipped()]
    find("loud-en").verify()


def test_two_models_of_one_name_are_refused(install: Install, tmp_path: Path) -> None:
    """No package takes the place of a model that is here."""
    install("loudness", models="loudness = loudness:MODELS")
    shutil.copytree(find("ranker-en").folder, tmp_path / "models" / "ranker-en")
    with pytest.raises(PluginError, match="a model of 'loudness' is called 'ranker-en'"):
        shipped()


@pytest.mark.usefixtures("no_plugins")
def test_without_the_lab_its_models_say_what_to_install() -> None:
    """By their names, and where a weighting needs one."""
    with pytest.raises(MissingLabError, match=rf"^The model emulation-en .*{_INSTALL}$"):
        find("emulation-en")
    with pytest.raises(MissingLabError, match=rf"^The model language-en .*{_INSTALL}$"):
        weighting("lm")


def test_a_broken_plugin_is_named(install: Install) -> None:
    """The message has group, name, package and what happened."""
    install("loudness", indicators="loud = loudness:Missing")
    with pytest.raises(PluginError, match=r"'loud' of loudness .*AttributeError at loudness:Miss"):
        plugins.load(plugins.INDICATORS, "loud", "indicator 'loud'")


@pytest.mark.usefixtures("no_plugins")
def test_without_the_lab_an_indicator_says_what_to_install() -> None:
    """One line, with the command."""
    with pytest.raises(MissingLabError, match=rf"^indicator 'span' .*{_INSTALL}$"):
        load_indicators(["span"])


@pytest.mark.usefixtures("no_plugins")
@pytest.mark.parametrize(
    "line", ["lab baseline ner gold.json -o x", "lab train risk --data x", "lab build gazetteer"]
)
def test_without_the_lab_a_command_says_what_to_install(line: str) -> None:
    """Whatever its arguments; no other package may have them."""
    result = CliRunner().invoke(app, line.split())
    assert isinstance(result.exception, MissingLabError)
    assert re.search(f"{_INSTALL}$", str(result.exception))
