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
            "the encoder to fine-tune, a folder or a name in the local cache: on masks "
            "(allenai/longformer-base-4096), or on spans and types, starting with silver.json if it is "
            "in --data (FacebookAI/roberta-base).",
        ),
    ] = None
    seeds: Annotated[int, _of(TAB, "number of runs of each fine-tuning.", min=1)] = 1
    device: Annotated[str | None, Option(help="Device to fine-tune on, such as cpu or cuda:1.")] = (
        None
    )
    language_model: Annotated[
        str | None,
        Option(
            help="The BERT for weighted precision, a folder or a name in the local cache (the benchmark's: "
            "bert-base-uncased)."
        ),
    ] = None
    lm: Annotated[
        str | None,
        _of(
            _RISK,
            "language model of the risk indicators, which are then fitted to the training split: a name "
            "in the local cache, hf: and a folder, or a folder of `tacenda lab train language-model` "
            "(the papers': FacebookAI/roberta-base, google-bert/bert-large-cased). Default: the shipped "
            "one.",
        ),
    ] = None
    context: Annotated[
        Literal["short", "entire"],
        _of(
            _RISK,
            "what the language model reads: entire, as in the papers, a window of its full length around "
            "each mention, with indicators fitted to the training split and biographies; or short, 62 "
            "subwords. Default: short, as shipped.",
            show_default=False,
        ),
    ] = "short"
    indicators: Annotated[
        tuple[str, ...],
        _of(
            _RISK,
            "your own indicator in place of the shipped one, such as span:FOLDER, language:FOLDER or "
            "language_automl:FOLDER; may be repeated.",
            "--indicator",
        ),
    ] = ()
    zero_shot: Annotated[
        str | None,
        _of(
            _RISK,
            "a recognizer that has seen no annotation: a folder of `tacenda lab train zero-shot`, or "
            "hf:NAME.",
        ),
    ] = None
    ontology: Annotated[
        str | None,
        _of(
            REPLACEMENT,
            "an ontology in place of the shipped one: a folder of `tacenda lab build ontology`.",
        ),
    ] = None
    index: Annotated[
        Path | None,
        _of(
            MEASURES,
            "an index of `tacenda index build` to search in place of the web.",
            **_FILE,
        ),
    ] = None
    documents: Annotated[
        int, _of(DEIDENTIFICATION, "number of texts of the test pairs to attack.", min=1)
    ] = 1000
    spacy_model: Annotated[
        str | None,
        Option(
            help="The spaCy pipeline for the baselines and for parts of speech, a name or a folder."
        ),
    ] = None
    ner: Annotated[
        str | None,
        _of(
            DEIDENTIFICATION,
            "the recognizer of the named-entity baseline: a folder, a name in the local cache (the "
            "paper's: dslim/bert-base-NER-uncased) or a spaCy pipeline. Default: the shipped policy.",
        ),
    ] = None
    pairs_test: Annotated[
        Path | None,
        _of(
            DEIDENTIFICATION,
            "texts and profiles to attack: .jsonl, .csv or wikibio's .box; then --data isn't needed.",
            "--pairs",
            **_FILE,
        ),
    ] = None
    pairs_train: Annotated[
        Path | None,
        _of(
            DEIDENTIFICATION,
            "pairs of other people, who are also candidates; the attacker translation learns from them.",
            "--train-pairs",
            **_FILE,
        ),
    ] = None
    attackers: Annotated[
        tuple[str, ...],
        _of(
            DEIDENTIFICATION,
            "an attacker as in tacenda attack (encoder:FOLDER, bm25 …), or translation; name at least "
            "two. Default: bm25 with the encoders, plus bayes if there is a single pair of them; without "
            "encoders bm25 and bayes, plus translation if there are pairs to learn from.",
            "--attacker",
        ),
    ] = ()
    text_encoders: Annotated[
        tuple[str, ...],
        _of(
            DEIDENTIFICATION,
            "an encoder of texts to train with each --profile-encoder: a folder or a name in the local "
            "cache (the paper's: FacebookAI/roberta-base and PMLM); may be repeated.",
            "--text-encoder",
        ),
    ] = ()
    profile_encoders: Annotated[
        tuple[str, ...],
        _of(
            DEIDENTIFICATION,
            "an encoder of profiles, named in the same way (the paper's: FacebookAI/roberta-base, "
            "google/tapas-base).",
            "--profile-encoder",
        ),
    ] = ()
    epochs: Annotated[
        int, _of(DEIDENTIFICATION, "number of epochs of each pair of encoders, at most.", min=1)
    ] = 60
    guide: Annotated[
        str | None,
        _of(DEIDENTIFICATION, "the attacker that guides the search; by default the last one."),
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
