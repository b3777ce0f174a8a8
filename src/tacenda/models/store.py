"""Shipped models, whose files are checked against the shipped digests.

A model is a folder with a card and the digests of its files. The default models are here; other
packages add more through the entry point group ``tacenda.models``.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .. import plugins
from ..errors import MissingLabError, ModelError, PluginError, UnknownModelError
from .checkpoint import PREFIX, TRANSFORMERS_KEY, cached_folder, is_checkpoint

_HERE = Path(__file__).parent
DEFAULT = "recognizer-small"
_SHARED = ("tokenizer.json",)
"""Files that models have in common and that only one of them brings."""


@dataclass(frozen=True, slots=True)
class ShippedModel:
    """Folder of weights with a card.

    Attributes:
        name: the name that users type.
        folder: where it is on disk.
        digests: SHA-256 of each file, by file name.
    """

    name: str
    folder: Path
    digests: dict[str, str]

    @property
    def size(self) -> int:
        """Total size of its files in bytes."""
        return sum(self.path(name).stat().st_size for name in self.digests)

    def path(self, name: str) -> Path:
        """Return the path of a file of the model.

        If a shared file is missing from the folder, this is the path of the file with the same
        digest in another model of this package, if there is one.
        """
        path = self.folder / name
        if name in _SHARED and not path.exists():
            for model in _in_folder(_HERE):
                copy = model.folder / name
                if model.digests.get(name) == self.digests.get(name) and copy.exists():
                    return copy
        return path

    def card(self) -> str:
        """Return the model card, as Markdown."""
        return (self.folder / "CARD.md").read_text(encoding="utf-8")

    def verify(self) -> None:
        """Compare every file with its digest.

        Raises:
            ModelError: if a file is missing or isn't the shipped one.
        """
        for name, expected in self.digests.items():
            path = self.path(name)
            try:
                checksum = digest(path)
            except OSError as error:
                raise ModelError(
                    f"{self.name}: {name} can't be read from {path.parent} ({error.strerror}); "
                    "reinstall tacenda."
                ) from error
            if checksum != expected:
                raise ModelError(
                    f"{self.name}: {name} has SHA-256 {checksum[:12]}…, {expected[:12]}… was shipped; "
                    "the file is damaged or was changed. Reinstall tacenda."
                )


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def shipped() -> list[ShippedModel]:
    """Return the models of all installed packages, including this one, by name.

    Raises:
        PluginError: if two models have the same name.
    """
    models = {model.name: model for model in _in_folder(_HERE)}
    for package in plugins.names(plugins.MODELS):
        folder: Path = plugins.load(plugins.MODELS, package, "a model")
        for model in _in_folder(folder):
            if models.setdefault(model.name, model) is not model:
                raise PluginError(
                    f"{plugins.MODELS}: a model of {package!r} is called {model.name!r}, like "
                    "one of another package; uninstall one of them."
                )
    return [models[name] for name in sorted(models)]


def _in_folder(folder: Path) -> list[ShippedModel]:
    return [read_model(path.parent) for path in sorted(folder.glob("*/digests.json"))]


def read_model(folder: Path) -> ShippedModel:
    """Return the model in ``folder``.

    Raises:
        ModelError: if it has no readable ``digests.json``.
    """
    try:
        digests = json.loads((folder / "digests.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{folder}: no model with a readable digests.json is here.") from error
    return ShippedModel(folder.name, folder, digests)


def find(name: str = DEFAULT) -> ShippedModel:
    """Return the shipped model called ``name``.

    Raises:
        MissingLabError: if it belongs to ``tacenda-lab``, which isn't installed.
        UnknownModelError: if there is none; the message lists the names.
    """
    models = {model.name: model for model in _in_folder(_HERE)}
    if name not in models:  # other packages aren't searched for default models
        models = {model.name: model for model in shipped()}
    if name not in models:
        if name in plugins.LAB[plugins.MODELS]:
            raise MissingLabError(f"The model {name}")
        raise UnknownModelError(
            f"Unknown model {name!r}; choose one of {', '.join(models) or 'none'}."
        )
    return models[name]


def locate(name_or_folder: str | Path) -> ShippedModel:
    """Return a shipped model by name, or any model by its folder, or by ``hf:`` with a folder or a cached name.

    A name always means the shipped model, whatever is in the working directory.

    Raises:
        UnknownModelError: if there is neither; the message lists the names.
        ModelError: if the folder has no model.
    """
    if isinstance(name_or_folder, str):
        if name_or_folder.startswith(PREFIX):
            return _checkpoint(cached_folder(name_or_folder.removeprefix(PREFIX)))
        try:
            return find(name_or_folder)
        except UnknownModelError as error:
            if not Path(name_or_folder).is_dir():
                raise UnknownModelError(
                    f"{error} There is no folder of this name either."
                ) from None
    folder = Path(name_or_folder)
    if (folder / "digests.json").exists() or not (folder / "config.json").exists():
        return read_model(folder)
    return _checkpoint(folder)


def _checkpoint(folder: Path) -> ShippedModel:
    """Return the model that transformers saved in ``folder``, with the digests of its files.

    Raises:
        ModelError: if there is no checkpoint.
    """
    if (folder / "digests.json").exists():
        return read_model(folder)
    if not is_checkpoint(folder):
        raise ModelError(
            f"{folder}: no model is here, neither one of tacenda's (digests.json) nor one of "
            f"transformers (a config.json with {TRANSFORMERS_KEY})."
        )
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name[0] != ".")
    return ShippedModel(folder.name, folder, {path.name: _digest_of(path) for path in files})


_READ: Final = frozenset({".bin", ".json", ".model", ".safetensors", ".txt"})
"""Ends of the files that transformers reads a model and its tokenizer from."""


def identity(name: str) -> str:
    """Return a hexadecimal digest of the files that transformers loads a checkpoint from.

    Args:
        name: folder, or name in the local cache.

    Raises:
        MissingExtraError: transformers, whose cache it is, is not installed.
        ModelError: there is neither.
    """
    files = sorted(path for path in cached_folder(name).iterdir() if path.suffix in _READ)
    content = "".join(f"{path.name}\0{_digest_of(path)}\n" for path in files if path.is_file())
    return hashlib.sha256(content.encode()).hexdigest()


_digests: dict[tuple[Path, int, int], str] = {}
"""Digests of large unlisted files, by path, size and time."""


def _digest_of(path: Path) -> str:
    state = path.stat()
    key = path.resolve(), state.st_size, state.st_mtime_ns
    if key not in _digests:
        _digests[key] = digest(path)
    return _digests[key]


def address(model: ShippedModel) -> str:
    """Return the argument for ``locate``: the name of a shipped model, or else its folder."""
    is_shipped = any(model.folder == other.folder for other in shipped())
    return model.name if is_shipped else str(model.folder.resolve())


def verified_file(source: str | Path, file: str, otherwise: str) -> tuple[str, Path]:
    """Return a model's name and the path of one of its files, once the file's digest has been checked.

    Args:
        source: name of a shipped model, or a folder with one.
        file: name of the file.
        otherwise: what to say about a model without the file, such as ``is not a ranker``.

    Raises:
        ModelError: if the model is missing or damaged, or has no such file.
    """
    model = locate(source)
    model.verify()
    if file not in model.digests:
        raise ModelError(f"{model.name} {otherwise}: it has no {file}; see `tacenda models list`.")
    return model.name, model.folder / file


def read_text(source: str | Path, file: str, otherwise: str) -> tuple[str, str]:
    """Return a model's name and the text of one of its files; see ``verified_file``.

    Raises:
        ModelError: if the model is missing or damaged, or has no such file.
    """
    name, path = verified_file(source, file, otherwise)
    return name, path.read_text(encoding="utf-8")
