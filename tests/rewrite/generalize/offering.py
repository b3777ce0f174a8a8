"""Options and generalised texts of small documents."""

from __future__ import annotations

from tacenda.document import Decision, Document, Entity, IdentifierType, Option
from tacenda.policy import Policy
from tacenda.rewrite.generalize.candidates import Ontology
from tacenda.rewrite.generalize.options import propose_options, rules
from tacenda.rewrite.rewrite import rewrite
from tests.building import entity, mention, reason


def options(string: str, type: str, text: str = "{}", kind: str = "") -> tuple[Option, ...]:
    """Return the options of ``string``, which stands at ``{}`` in ``text``."""
    document = Document("d", text.replace("{}", string))
    item = entity("e1", mention(document, string, type, kind=kind))
    return rules()[item.type].options(document, item)


def texts(string: str, type: str, text: str = "{}", kind: str = "") -> list[str]:
    """Return the words of the options, without the last one."""
    found = [option.text for option in options(string, type, text, kind)]
    assert found.pop() == "***"
    return found


def decided(item: Entity) -> Decision:
    """Return a decision to generalise ``item``."""
    return Decision(item, True, "generalize", IdentifierType.QUASI, 0.9, (reason(),))


def written(
    text: str,
    *marks: tuple[str, str],
    brackets: bool = True,
    residual_risk: float = 0.001,
    ontology: Ontology | None = None,
) -> str:
    """Return ``text`` with the marked strings generalised."""
    document = Document("d", text)
    decisions = [
        decided(entity(f"e{number}", mention(document, string, type), number=number))
        for number, (string, type) in enumerate(marks, start=1)
    ]
    policy = Policy(
        operator="generalize",
        prefer="detail",
        brackets="square" if brackets else "none",
        residual_risk=residual_risk,
    )
    return rewrite(document, propose_options(document, decisions, policy, ontology), policy)[0]
