"""Folders that are shipped have one form."""

from __future__ import annotations

from pathlib import Path

from tacenda.models.store import read_model
from tacenda_lab.train.packages import Card, write_card, write_json


def test_a_card_ends_with_licence_and_command(tmp_path: Path) -> None:
    """Under the name of the folder; the digests are those of the files."""
    folder = tmp_path / "own"
    folder.mkdir()
    write_json(folder / "weights.json", {"ä": 1})
    write_card(folder, Card("What it is.\n", "CC0.", "`make own`."), ("weights.json",))
    model = read_model(folder)
    model.verify()
    assert model.card() == (
        "# own\n\nWhat it is.\n\n**Licence.** CC0.\n\n**Rebuild.** In a clone, after "
        "`pip install . './lab[train]'`: `make own`. SHA-256 of each\n"
        "file: `digests.json`, compared whenever it is loaded.\n"
    )
    assert (folder / "weights.json").read_text(encoding="utf-8") == '{\n "ä": 1\n}\n'
