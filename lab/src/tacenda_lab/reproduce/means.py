"""Resources of the user besides the data; each field is an option of `tacenda lab reproduce`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from typer import Option

if TYPE_CHECKING:
    from ..indicators.language import Context

TAB, MEASURES, DEIDENTIFICATION = "tab", "explicit-measures", "deidentification"
REPLACEMENT, INDICATORS = "replacement", "indicators"


def _of(papers: str, help: str, *names: str, **settings: Any) -> Any:
    """The option of some papers."""
    return Option(*names, help=f"{papers}: {help}", **settings)


_RISK: Final = f"{MEASURES}, {INDICATORS}"
_FILE: Final[dict[str, bool]] = {"exists": True, "dir_okay": False}


@dataclass(frozen=True, slots=True)
class Means:
    """Models, files and settings of the user."""

    encoder: Annotated[
        str | None,
        _of(
            f"{TAB}, {MEASURES}, {INDICATORS}",
            "the encoder to fine-tune, a folder or a name in the local cache: to masks (allenai/longformer-base-4096), or to "
            "spans and types, those of silver.json first where it is in --data (FacebookAI/roberta-base).",
        ),
    ] = None
    seeds: Annotated[int, _of(TAB, "runs of each fine-tuning.", min=1)] = 1
    device: Annotated[str | None, Option(help="Where to fine-tune, such as cpu or cuda:1.")] = None
    language_model: Annotated[
        str | None,
        Option(
            help="Folder or cached name of the BERT of weighted precision (the benchmark's: bert-base-uncased)."
        ),
    ] = None
    lm: Annotated[
        str | None,
        _of(
            _RISK,
            "language model of the risk indicators, which are fitted to train with it: a name in the local cache, hf: and "
            "a folder, or a folder of `tacenda lab train language-model` (the papers': FacebookAI/roberta-base, google-bert/bert-large-cased). "
            "Default: the shipped one.",
        ),
    ] = None
    context: Annotated[
        Literal["short", "entire"],
        _of(
            _RISK,
            "what the language model reads: entire, as in the papers, a window of its own length around each mention, "
            "fitted to train and biographies; short, 62 subwords. Default: short, as shipped.",
            show_default=False,
        ),
    ] = "short"
    indicators: Annotated[
        tuple[str, ...],
        _of(
            _RISK,
            "an indicator of yours in the place of the shipped one, as span:FOLDER, language:FOLDER, language_automl:FOLDER …; "
            "may be repeated.",
            "--indicator",
        ),
    ] = ()
    zero_shot: Annotated[
        str | None,
        _of(
            _RISK,
            "recognizer that has seen no annotation, a folder of `tacenda lab train zero-shot` or hf:NAME.",
        ),
    ] = None
    ontology: Annotated[
        str | None,
        _of(
            REPLACEMENT,
            "ontology in the place of the shipped one, a folder of `tacenda lab build ontology`.",
        ),
    ] = None
    index: Annotated[
        Path | None,
        _of(
            MEASURES,
            "index of `tacenda index build` that is searched in the place of the web.",
            **_FILE,
        ),
    ] = None
    documents: Annotated[
        int, _of(DEIDENTIFICATION, "how many texts of the test pairs are attacked.", min=1)
    ] = 1000
    spacy_model: Annotated[
        str | None,
        Option(help="spaCy pipeline of the baselines and of parts of speech, its name or folder."),
    ] = None
    ner: Annotated[
        str | None,
        _of(
            DEIDENTIFICATION,
            "recognizer of the named-entity baseline, a folder, a name in the local cache (the paper's: "
            "dslim/bert-base-NER-uncased) or a spaCy pipeline. Default: the shipped policy.",
        ),
    ] = None
    pairs_test: Annotated[
        Path | None,
        _of(
            DEIDENTIFICATION,
            "any texts and profiles to attack, .jsonl, .csv or wikibio's .box; --data isn't needed then.",
            "--pairs",
            **_FILE,
        ),
    ] = None
    pairs_train: Annotated[
        Path | None,
        _of(
            DEIDENTIFICATION,
            "pairs of other people, who are candidates too; the attacker translation learns from them.",
            "--train-pairs",
            **_FILE,
        ),
    ] = None
    attackers: Annotated[
        tuple[str, ...],
        _of(
            DEIDENTIFICATION,
            "an attacker as tacenda attack names it (encoder:FOLDER, bm25 …), or translation; at least two. "
            "Default: bm25 beside the encoders, and bayes beside a single pair of them; else bm25, bayes, and translation with pairs to learn from.",
            "--attacker",
        ),
    ] = ()
    text_encoders: Annotated[
        tuple[str, ...],
        _of(
            DEIDENTIFICATION,
            "an encoder of texts to train with each --profile-encoder, a folder or a name in the local cache (the paper's: "
            "FacebookAI/roberta-base, and PMLM); may be repeated.",
            "--text-encoder",
        ),
    ] = ()
    profile_encoders: Annotated[
        tuple[str, ...],
        _of(
            DEIDENTIFICATION,
            "an encoder of profiles, likewise (the paper's: FacebookAI/roberta-base, google/tapas-base).",
            "--profile-encoder",
        ),
    ] = ()
    epochs: Annotated[
        int, _of(DEIDENTIFICATION, "of each two encoders together, at most.", min=1)
    ] = 60
    guide: Annotated[
        str | None,
        _of(DEIDENTIFICATION, "the attacker that guides the search; the last one by default."),
    ] = None

    @property
    def reading(self) -> Context:
        """Input of the language model."""
        from ..indicators.language import Context

        return Context(self.context)

    @property
    def trains_attackers(self) -> bool:
        """Whether attackers are made of encoders that the user names."""
        return bool(self.text_encoders and self.profile_encoders)

    @property
    def named(self) -> dict[str, Path]:
        """Files that the user names, by their name in ``RELEASED``."""
        files = {"pairs_train": self.pairs_train, "pairs_test": self.pairs_test}
        return {name: path for name, path in files.items() if path is not None}


ONLY_FOR: Final = {
    "encoder": (TAB, MEASURES, INDICATORS),
    "index": (MEASURES,),
    **dict.fromkeys(("lm", "context", "indicators", "zero_shot"), (MEASURES, INDICATORS)),
    **dict.fromkeys(
        "pairs_test pairs_train attackers guide ner text_encoders profile_encoders".split(),
        (DEIDENTIFICATION,),
    ),
}
"""Fields that other papers would ignore, with theirs."""
