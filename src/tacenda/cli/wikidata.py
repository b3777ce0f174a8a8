"""Options of the live query of Wikidata, off unless asked for and the network is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import plugins
from .options import option
from .printing import print_note

if TYPE_CHECKING:
    from ..deciding import OntologySource


@dataclass(frozen=True, slots=True)
class WikidataOptions:
    """Options of the live query."""

    ask_wikidata: bool = option(False, "--ask-wikidata")
    wikidata_cache: Path = option(Path(".tacenda-wikidata"))
    wikidata_endpoint: str = option("", metavar="URL")

    def open(self, names: Sequence[str] = (), *, allow_network: bool) -> OntologySource:
        """The ontology of each policy, with Wikidata for what it doesn't know if that is to be asked.

        Args:
            names: of people to protect, besides those of policies and documents.
            allow_network: whether the user allows it.

        Raises:
            PolicyError: if it is to be asked and the network isn't allowed.
            MissingLabError: if tacenda-lab isn't installed.
        """
        from ..deciding import ontology_of
        from ..errors import PolicyError

        if not self.ask_wikidata:
            return ontology_of
        if not allow_network:
            raise PolicyError(
                "--ask-wikidata sends strings of the documents to Wikidata; allow it with --allow-network."
            )
        client = plugins.load(plugins.EXTRAS, "wikidata", "--ask-wikidata")
        endpoint = (self.wikidata_endpoint,) if self.wikidata_endpoint else ()
        print_note(
            "--ask-wikidata: places, organizations, descriptions and other items that the ontology "
            f"doesn't know leave this machine, without their sentence, for {self.wikidata_endpoint or 'www.wikidata.org'}; "
            f"answers are kept in {self.wikidata_cache}"
        )
        source: OntologySource = client(self.wikidata_cache, *endpoint, withheld=names)
        return source


def print_asked(wikidata: Any) -> None:
    """Print how many strings Wikidata was asked about, on stderr."""
    print_note(
        f"Wikidata: {wikidata.asked} strings asked about, {wikidata.unanswered} without an answer"
    )
