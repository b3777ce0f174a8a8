"""Shipped folders: their files, a card in one common format, and digests of both."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacenda.errors import InputError
from tacenda.models.store import digest

CARD_FILE = "CARD.md"
TOKENIZER_FILE = "tokenizer.json"
CONFIG_FILE = "config.json"
TRAINING_FILE = "training.json"


@dataclass(frozen=True, slots=True)
class Card:
    """A folder's card: content, sources and performance.

    Attributes:
        text: Markdown, without a heading.
        licence: one or several sentences.
        rebuild: the command that rebuilds it, with notes.
    """

    text: str
    licence: str
    rebuild: str

    def markdown(self, name: str) -> str:
        """Return the card, with the folder's name as its heading."""
        return (
            f"# {name}\n\n{self.text.strip()}\n\n**Licence.** {self.licence}\n\n"
            f"**Rebuild.** In a clone, after `pip install . './lab[train]'`: {self.rebuild} SHA-256 of each\n"
            "file: `digests.json`, compared whenever it is loaded.\n"
        )


def state_of(folder: Path) -> Path:
    """Return the file next to a folder in which the run that writes the folder keeps its state."""
    return folder.with_name(f"{folder.name}.state")


def check_place(folder: Path) -> None:
    """Check that a run wouldn't write among files that aren't its own.

    Raises:
        InputError: the folder has files, but neither a finished result nor an interrupted run wrote
            them.
    """
    is_own = (folder / "digests.json").exists() or state_of(folder).exists()
    if folder.is_dir() and any(folder.iterdir()) and not is_own:
        raise InputError("contains other files; choose an empty or new folder", str(folder))


def write_json(path: Path, content: Any) -> None:
    """Write JSON in the common format: one value per line, in UTF-8."""
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")


def write_digests(folder: Path, names: Iterable[str]) -> None:
    """Write ``digests.json`` for files in a folder."""
    write_json(folder / "digests.json", {name: digest(folder / name) for name in names})


def write_card(folder: Path, card: Card, names: Iterable[str]) -> None:
    """Write ``CARD.md``, and ``digests.json`` for it and other files."""
    (folder / CARD_FILE).write_text(card.markdown(folder.name), encoding="utf-8")
    write_digests(folder, (CARD_FILE, *names))


def finished_training(folder: Path, signature: Any) -> dict[str, Any] | None:
    """Return the record of a folder's finished training, or None if there is none.

    Raises:
        InputError: the training had other settings or data.
    """
    if not (folder / "digests.json").exists():
        return None
    training: dict[str, Any] = json.loads((folder / TRAINING_FILE).read_text(encoding="utf-8"))
    if training["signature"] != signature:
        raise InputError(
            "was trained with other settings or data; choose another folder", str(folder)
        )
    return training


def write_description(folder: Path, text: str) -> None:
    """Write the card of a model that a user trained, and the digests of all files in its folder."""
    (folder / CARD_FILE).write_text(f"# {folder.name}\n\n{text.strip()}\n", encoding="utf-8")
    files = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    write_digests(folder, sorted(name for name in files if name != "digests.json"))


def write_network(folder: Path, tokenizer: Path, config: Any, graphs: Iterable[str]) -> None:
    """Write ``tokenizer.json``, ``config.json`` and ``digests.json`` next to the graphs.

    Args:
        folder: the folder with the graphs.
        tokenizer: the tokenizer's file; its length settings are dropped.
        config: the content of ``config.json``.
        graphs: the names of the graphs' files.
    """
    from tokenizers import Tokenizer

    pieces = Tokenizer.from_file(str(tokenizer))
    pieces.no_truncation()
    pieces.no_padding()
    pieces.save(str(folder / TOKENIZER_FILE), pretty=False)
    write_json(folder / CONFIG_FILE, config)
    write_digests(folder, (*graphs, TOKENIZER_FILE, CONFIG_FILE))
