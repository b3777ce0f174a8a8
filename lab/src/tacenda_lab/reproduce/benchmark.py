"""tab: Pilán et al. (2022), *The Text Anonymization Benchmark*: its tables and figures in order."""

from __future__ import annotations

from typing import Final

from . import benchmark_corpus as corpus
from . import benchmark_systems as systems
from .tables import Experiment, left_out

TITLE: Final = "The Text Anonymization Benchmark (TAB)"

_PICTURE: Final = "a picture of the paper's annotation tool; `tacenda annotate` is ours"

EXPERIMENTS: Final = (
    left_out("Figure 1", "the annotation interface", _PICTURE),
    left_out(
        "Figure 2",
        "a document before and after masking",
        "an example of the review; `tacenda annotate` shows any document masked",
    ),
    Experiment("Table 1", "splits", corpus.splits),
    Experiment("Table 2", "general statistics", corpus.size),
    Experiment("Section 5.1", "share of entities that are masked", corpus.masked_shares),
    Experiment("Table 3", "mentions by semantic type", corpus.types),
    Experiment("Table 4", "confidential attributes", corpus.confidential),
    Experiment("Table 5", "agreement of annotators", corpus.coefficients),
    Experiment("Section 5.3", "use of pre-annotations", corpus.edits),
    Experiment("Section 5.4", "relations", corpus.relations),
    left_out(
        "Figure 3",
        "a paragraph with two annotations and two systems",
        "an example to explain the metrics; `tacenda evaluate masks --errors` shows any system's differences",
    ),
    Experiment("Table 6", "baselines", systems.baselines),
    Experiment(
        "Table 7", "an encoder fine-tuned, by window and weight of MASK, on dev", systems.windows
    ),
    Experiment("Table 8", "the fine-tuned encoder with the widest window", systems.final),
    Experiment("Beside Table 8", "the shipped policy", systems.shipped),
    Experiment("Figure 4", "kinds of errors", systems.kinds_of_errors),
    Experiment("Figure 5", "false negatives by semantic type", systems.leaks),
    Experiment("Table 9", "out of domain: biographies", systems.other_domain),
    Experiment(
        "Beside Table 9", "the shipped policy on biographies, in its domain", systems.own_domain
    ),
    Experiment("Figure 6", "disagreement on semantic types", corpus.type_disagreements),
    Experiment("Table 10", "disagreement on identifier types", corpus.masking_disagreements),
)
