"""The user's own pretrained models, loaded with transformers (extra ``hf``) from a folder or the local cache; nothing is downloaded.

Nothing is truncated, whatever the model's limit: the whole text is tokenized, the caller passes
windows of subwords, and the special tokens are added here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from ..errors import MissingExtraError, ModelError, require_extra

PREFIX: Final = "hf:"
"""Before a folder, or a name in the local cache."""
DEVICE_VARIABLE: Final = "TACENDA_DEVICE"
"""Environment variable: where torch computes, such as ``cpu``, ``cuda`` or ``cuda:1``; the first GPU, if there is one, without it."""
TRANSFORMERS_KEY: Final = "model_type"
"""Key that marks a ``config.json`` written by transformers."""
OWN_KEY: Final = "tacenda"
"""In such a file: what `tacenda lab train` adds to it."""

_UNLIMITED: Final = 100_000
"""Tokenizers without a limit say so by a number far above this."""

_DEFAULT_LIMIT: Final = 512

_PADDING_FIRST: Final = frozenset(
    "camembert data2vec-text ibert longformer luke markuplm mpnet roberta roberta-prelayernorm xlm-roberta "
    "xlm-roberta-xl xmod".split()
)
"""Families whose first position comes after that of padding, so that fewer are left."""

Loader = Literal[
    "AutoModel",
    "AutoModelForCausalLM",
    "AutoModelForMaskedLM",
    "AutoModelForSequenceClassification",
    "AutoModelForTokenClassification",
]
_KINDS: Final[dict[Loader, str]] = {
    "AutoModel": "text encoder",
    "AutoModelForCausalLM": "causal language model",
    "AutoModelForMaskedLM": "masked language model",
    "AutoModelForSequenceClassification": "classifier of texts",
    "AutoModelForTokenClassification": "token classifier",
}


class Subword(NamedTuple):
    """A subword of a language model's tokenizer: its span ``[start, end)`` in the text, and its id."""

    id: int
    start: int
    end: int


def is_checkpoint(folder: Path) -> bool:
    """Return whether ``folder`` has a model saved by transformers."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(config, dict) and TRANSFORMERS_KEY in config


def is_causal(name: str) -> bool:
    """Return whether a checkpoint's configuration says that it predicts the next token; False if it can't be read."""
    try:
        config = (cached_folder(name) / "config.json").read_text(encoding="utf-8")
        architectures = json.loads(config).get("architectures") or ()
    except (ModelError, MissingExtraError, OSError, ValueError):
        return False
    return any("CausalLM" in item or "LMHeadModel" in item for item in architectures)


def cached_folder(name: str) -> Path:
    """Return the folder of a checkpoint: the named folder, or the one with that name in the local cache.

    Many models were later moved to an organization, so ``roberta-base`` also finds
    ``FacebookAI/roberta-base``, and vice versa. The cache may also contain plain folders.

    Raises:
        MissingExtraError: if transformers, whose cache this is, isn't installed.
        ModelError: if there is no such model, or more than one.
    """
    if Path(name).is_dir():
        return Path(name)
    require_extra("hf", f"{PREFIX}{name}", "huggingface_hub")
    from huggingface_hub import constants, snapshot_download

    cache = Path(constants.HF_HUB_CACHE)
    if (cache / name).is_dir():
        return cache / name
    names = _cached_names(cache, name)
    if len(names) > 1:
        raise ModelError(f"{name!r} may be {' or '.join(names)}; give the whole name.")
    try:
        return Path(snapshot_download(*names or [name], local_files_only=True))
    except (OSError, ValueError) as error:
        raise ModelError(
            f"{name!r} is neither a folder nor a model in the cache of this machine; download it first "
            "(nothing is downloaded here) or give its folder."
        ) from error


def _cached_names(cache: Path, name: str) -> list[str]:
    """Return the names in the cache that are equal, or equal except for a missing organization."""
    folders = sorted(cache.glob("models--*"))
    names = [folder.name.removeprefix("models--").replace("--", "/") for folder in folders]
    if name in names:
        return [name]
    organization, _, model = name.rpartition("/")
    parts = [other.rpartition("/") for other in names]
    return [
        "".join(each) for each in parts if each[2] == model and bool(each[0]) != bool(organization)
    ]


def torch_device(name: str | None = None) -> Any:
    """Return the device that torch uses: the named one, that of ``TACENDA_DEVICE``, or the first GPU if there is one.

    Args:
        name: a device such as ``cpu``, ``cuda`` or ``cuda:1``.

    Raises:
        ModelError: if this machine has no such device.
    """
    import torch

    name = name or os.environ.get(DEVICE_VARIABLE)
    if not name:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise ModelError(
            f"torch has no device {name!r} on this machine; cpu always works."
        ) from error
    return device


def position_limit(config: Any, most: float) -> int:
    """Return the maximum input length of a model, including special tokens.

    Args:
        config: a transformers configuration.
        most: the tokenizer's maximum length.
    """
    limits = [most]
    positions = getattr(config, "max_position_embeddings", None)
    if positions:
        offset = config.pad_token_id + 1 if config.model_type in _PADDING_FIRST else 0
        limits.append(positions - offset)
    limit = min(limits)
    return _DEFAULT_LIMIT if limit > _UNLIMITED else int(limit)


def load_pretrained(name: str, loader: Loader, *, new_head: bool = False, **settings: Any) -> Any:
    """Return a model in evaluation mode, on the CPU. From now on transformers logs only errors.

    Args:
        name: folder, or name in the local cache.
        loader: the transformers class.
        new_head: whether missing weights are initialized at random, to be trained.
        settings: arguments of ``from_pretrained``.

    Raises:
        ModelError: if there is no such model, its weights are damaged, or its head is missing.
    """
    import transformers
    from safetensors import SafetensorError

    # Its progress bars and loading reports would clutter the messages of a run.
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    folder = str(cached_folder(name))
    try:
        model: Any
        model, loading = getattr(transformers, loader).from_pretrained(
            folder,
            local_files_only=True,
            ignore_mismatched_sizes=new_head,
            output_loading_info=True,
            **settings,
        )
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        raise ModelError(
            f"{name!r} is not a {_KINDS[loader]} on this machine; download it first or give its "
            "folder"
        ) from error
    # transformers initializes missing weights at random; a plain encoder doesn't need a pooler.
    missing = sorted(loading["missing_keys"])
    if missing and not new_head and loader != "AutoModel":
        raise ModelError(
            f"{name!r} is not a {_KINDS[loader]}: it has no weights {missing[0]!r}; choose a "
            "model that was trained as one"
        )
    return model.float().eval()


def load_tokenizer(name: str) -> Any:
    """Return the tokenizer of a checkpoint.

    Args:
        name: folder, or name in the local cache.

    Raises:
        ModelError: if there is no such checkpoint, or it has no usable tokenizer.
    """
    import transformers

    folder = str(cached_folder(name))
    try:
        return transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except ImportError as error:
        reason = " ".join(str(error).split("\n\n")[0].split())
        raise ModelError(
            f"the tokenizer of {name!r} needs a package that is not installed: {reason}"
        ) from error
    except (OSError, ValueError) as error:
        raise ModelError(f"{name!r} has no tokenizer that transformers reads") from error


class Checkpoint:
    """A tokenizer and a model from a folder, or from the local cache.

    Args:
        name: folder, or name of a model in the local cache.
        loader: the transformers class that loads the model.
        option: the command-line option that named it, for messages.

    Raises:
        MissingExtraError: if transformers or torch isn't installed.
        ModelError: if there is no such model, or its tokenizer gives no offsets.
    """

    def __init__(self, name: str, loader: Loader, option: str) -> None:
        require_extra("hf", f"{option} {PREFIX}{name}", "torch", "transformers")
        import torch

        model, tokenizer = load_pretrained(name, loader), load_tokenizer(name)
        if not tokenizer.is_fast:
            raise ModelError(f"the tokenizer of {name!r} has no offsets")
        self.tokenizer, self.torch = tokenizer, torch
        self.device = torch_device()
        self._model = model.to(self.device)
        # Special tokens around each window, where the tokenizer puts them.
        inner = tokenizer("a", add_special_tokens=False)["input_ids"]
        around = tokenizer("a")["input_ids"]
        places = range(len(around) - len(inner) + 1)
        at = next((i for i in places if around[i : i + len(inner)] == inner), None)
        if at is None:
            raise ModelError(f"the tokenizer of {name!r} changes a text that it puts marks around")
        self.before: list[int] = around[:at]
        self.after: list[int] = around[at + len(inner) :]
        limit = position_limit(model.config, tokenizer.model_max_length)
        self.window = limit - len(self.before) - len(self.after)

    @property
    def dimensions(self) -> int:
        """Size of a hidden state."""
        return int(self._model.config.hidden_size)

    def pieces(self, text: str) -> list[Subword]:
        """Tokenize a whole text, regardless of the model's limit."""
        encoded = self.tokenizer(
            # Tokenizers can't read what UTF-8 can't represent; each code point is replaced by
            # another one.
            text.encode("utf-8", "replace").decode("utf-8"),
            add_special_tokens=False,
            return_offsets_mapping=True,
            truncation=False,
            verbose=False,
        )
        return [
            Subword(id, start, end)
            for id, (start, end) in zip(
                encoded["input_ids"], encoded["offset_mapping"], strict=True
            )
        ]

    def run(self, ids: Sequence[int]) -> Any:
        """Return the model's output for one window, with special tokens around it."""
        return self.run_batch(self.torch.tensor([[*self.before, *ids, *self.after]]))

    def run_batch(self, ids: Any, attention: Any = None) -> Any:
        """Return the model's output for a batch.

        Args:
            ids: int64 [windows, pieces], including special tokens.
            attention: int64 like ``ids``, 0 where a token must be ignored; None to attend to all.
        """
        mask = None if attention is None else attention.to(self.device)
        with self.torch.inference_mode():
            return self._model(input_ids=ids.to(self.device), attention_mask=mask)
