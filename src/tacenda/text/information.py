"""Information content of a token, based on how often the word is used: −log p(word), ignoring context.

This is the simplest estimate in section 6.3 of TAB. The shipped table counts words in public court
judgments and encyclopedia articles; see ``data/README.md``. Any corpus can be used instead.
"""

from __future__ import annotations

import gzip
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Final

from ..document import Entity, Span
from ..errors import InputError

SHIPPED: Final = "word_counts.tsv.gz"
WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True)
class UnigramSurprisal:
    """−log of a word's share in a corpus, in nats.

    Words are lowercased and counts smoothed by one, so an unseen word is the most surprising
    (add-one smoothing, with one class for all unseen words).

    Attributes:
        counts: number of occurrences by word.
        name: its name in signatures.
    """

    counts: Mapping[str, int] = field(repr=False)
    name: str = "unigram"

    @cached_property
    def _log_total(self) -> float:
        return math.log(sum(self.counts.values()) + len(self.counts) + 1)

    @classmethod
    @cache
    def shipped(cls) -> UnigramSurprisal:
        """Load the shipped table."""
        resource = files("tacenda").joinpath("data").joinpath(SHIPPED)
        return cls(parse_counts(gzip.decompress(resource.read_bytes()).decode("utf-8")))

    @classmethod
    def from_file(cls, path: str | Path) -> UnigramSurprisal:
        """Count the words in a UTF-8 text file.

        Raises:
            InputError: if the file can't be read or has no words.
        """
        try:
            text = Path(path).read_text("utf-8-sig")
        except OSError as error:
            raise InputError(f"can't be read: {error.strerror or error}", str(path)) from error
        except UnicodeDecodeError as error:
            raise InputError(f"byte {error.start} is not UTF-8", str(path)) from error
        counts = count_words([text])
        if not counts:
            raise InputError("has no word to count", str(path))
        return cls(counts, f"unigram:{Path(path).name}")

    def surprisal(self, word: str) -> float:
        """Return −log p(word), in nats, ignoring case."""
        return self._log_total - math.log(self.counts.get(word.lower(), 0) + 1)

    def information(self, text: str) -> float:
        r"""Return the total surprisal of the ``\w+`` words in a string, in nats."""
        return sum(map(self.surprisal, WORD.findall(text)))

    def weights(self, text: str, tokens: Sequence[Span]) -> Sequence[float]:
        """Return the surprisal of each token."""
        return [self.surprisal(token.of(text)) for token in tokens]


def count_words(texts: Iterable[str], at_least: int = 1) -> dict[str, int]:
    r"""Return the counts of lowercased ``\w+`` words, the most frequent first.

    Args:
        texts: the texts of the corpus.
        at_least: minimum count; rarer words are left out.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(WORD.findall(text.lower()))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return {word: n for word, n in ordered if n >= at_least}


def format_counts(counts: Mapping[str, int]) -> str:
    """Return counts as lines ``n<tab>word``."""
    return "".join(f"{n}\t{word}\n" for word, n in counts.items())


def parse_counts(table: str) -> dict[str, int]:
    """Return the counts in a table written by ``format_counts``."""
    lines = (line.partition("\t") for line in table.splitlines())
    return {word: int(n) for n, _, word in lines}


def information_of(text: str, entity: Entity) -> float:
    """Return the information of all mentions of an entity, from the shipped counts, in nats."""
    information = UnigramSurprisal.shipped().information
    return sum(information(mention.span.of(text)) for mention in entity.mentions)
